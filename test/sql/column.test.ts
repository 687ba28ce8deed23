import { Column, ColumnKind } from '../../lib/sql/column';
import { DataType } from '../../lib/sql/data-type';

test('a physical column', () => {
  const column = Column.physical('user id', DataType.STRING, { comment: "the user's" });
  expect(column._toSql(false)).toBe("`user id` STRING COMMENT 'the user''s'");
  expect(column).toMatchObject({ kind: ColumnKind.PHYSICAL, name: 'user id', type: DataType.STRING, metadataKey: undefined });
});

test('a key column is NOT NULL once, whether or not it was declared so', () => {
  expect(Column.physical('id', DataType.INT, { comment: 'c' })._toSql(true)).toBe("`id` INT NOT NULL COMMENT 'c'");
  expect(Column.physical('id', DataType.INT.notNull())._toSql(true)).toBe('`id` INT NOT NULL');
  expect(Column.physical('id', DataType.INT.notNull())._toSql(false)).toBe('`id` INT NOT NULL');
});

test('a computed column', () => {
  const column = Column.computed('proc_time', 'PROCTIME()', { comment: 'when read' });
  expect(column._toSql(false)).toBe("`proc_time` AS PROCTIME() COMMENT 'when read'");
  expect(column.type).toBeUndefined();
});

test('a comment at the end of an expression does not swallow what follows', () => {
  expect(Column.computed('a', 'b + 1 -- one more')._toSql(false)).toBe('`a` AS b + 1 -- one more\n');
});

test('a metadata column', () => {
  const own = Column.metadata('timestamp', DataType.timestampLtz(3).notNull());
  expect(own._toSql(false)).toBe('`timestamp` TIMESTAMP_LTZ(3) NOT NULL METADATA');
  expect(own.metadataKey).toBe('timestamp');
  const from = Column.metadata('at', DataType.timestampLtz(3), { from: "value.it's", virtual: true, comment: 'c' });
  expect(from._toSql(false)).toBe("`at` TIMESTAMP_LTZ(3) METADATA FROM 'value.it''s' VIRTUAL COMMENT 'c'");
  expect(from.metadataKey).toBe("value.it's");
});

test.each<[string, () => Column]>([
  ['name of a column must not be empty', () => Column.physical('', DataType.INT)],
  ['name of a column must not hold control characters', () => Column.computed('a\nb', '1')],
  ["expression of column 'a' must not be empty", () => Column.computed('a', ' ')],
  ["expression of column 'a' must be one piece of SQL without ';'", () => Column.computed('a', '1; DROP TABLE t')],
  ["expression of column 'a' has parentheses that do not match", () => Column.computed('a', '1) WITH (')],
  ["comment of column 'a' must not hold '${env:'", () => Column.physical('a', DataType.INT, { comment: '${env:X}' })],
  ["comment of column 'a' must be known at synth", () => Column.computed('a', '1', { comment: '${Token[X.1]}' })],
  ["metadata key of column 'a' must be known at synth", () => Column.metadata('a', DataType.INT, { from: '${Token[X.1]}' })],
  ["column 'a' must not be an INTERVAL, which only expressions take", () => Column.physical('a', DataType.intervalDayToSecond())],
  ["column 'a' must not be an INTERVAL, which only expressions take", () => Column.metadata('a', DataType.intervalYearToMonth())],
])('%s', (message, column) => {
  expect(column).toThrow(message);
});

test('a type that is no DataType is refused', () => {
  expect(() => Column.physical('x', 'STRING' as unknown as DataType)).toThrow("type of column 'x' must be a DataType");
});
