import { Duration } from 'aws-cdk-lib';
import { Column } from '../../lib/sql/column';
import { DataType } from '../../lib/sql/data-type';
import { SqlTable, type SqlTableProps } from '../../lib/sql/sql-table';
import { Watermark } from '../../lib/sql/watermark';
import { FixedConnector } from './fixed-connector';

const id = Column.physical('id', DataType.STRING);
const day = Column.physical('day', DataType.DATE);
const time = Column.physical('time', DataType.timestamp(3));
const twice = Column.computed('twice', 'CONCAT(`id`, `id`)');
const offset = Column.metadata('offset', DataType.BIGINT, { virtual: true });

function table(props: Partial<SqlTableProps>): SqlTable {
  return new SqlTable('t', { connector: FixedConnector.source(), columns: [id, day, time, twice, offset], ...props });
}

test('a table tells its connector what it is', () => {
  const connector = FixedConnector.source();
  const events = new SqlTable('my table', {
    connector,
    columns: [id, day, time],
    primaryKey: ['day', 'id'],
    partitionedBy: ['day'],
    watermark: Watermark.ascending('time'),
    comment: 'c',
  });
  expect(connector.asked).toEqual([
    { name: 'my table', columns: [id, day, time], primaryKey: ['day', 'id'], partitionedBy: ['day'], hasWatermark: true },
  ]);
  expect(events).toMatchObject({ sqlName: '`my table`', primaryKey: ['day', 'id'], partitionedBy: ['day'], comment: 'c' });
  expect(`${events}`).toBe('`my table`');
});

test('what is left out is empty', () => {
  const connector = FixedConnector.source();
  expect(table({ connector })).toMatchObject({ primaryKey: [], partitionedBy: [], watermark: undefined, comment: undefined });
  expect(connector.asked[0]).toMatchObject({ primaryKey: [], partitionedBy: [], hasWatermark: false });
});

test('a table keeps its own copy of the lists', () => {
  const columns = [id];
  const primaryKey = ['id'];
  const kept = table({ columns, primaryKey });
  columns.push(day);
  primaryKey.push('day');
  expect(kept.columns).toEqual([id]);
  expect(kept.primaryKey).toEqual(['id']);
});

test('a connector may derive PARTITIONED BY', () => {
  expect(table({ connector: FixedConnector.sink().with({ partitionedBy: ['id'] }), partitionedBy: ['day'] }).partitionedBy).toEqual(['id']);
});

test.each<[string, Partial<SqlTableProps>]>([
  ["table 't' must have one column at least, got none", { columns: [] }],
  ["table 't' must not have two columns of one name, got 'id' twice", { columns: [id, Column.computed('id', '1')] }],
  [
    "table 't' must read the metadata 'offset' once, got the columns 'offset' and 'again'; make one of them Column.computed",
    { columns: [id, offset, Column.metadata('again', DataType.BIGINT, { from: 'offset' })] },
  ],
  ["comment of table 't' must not hold '${env:'", { comment: '${env:X}' }],
  ["primaryKey of table 't' must name a column, got an empty list; leave it out", { primaryKey: [] }],
  ["primaryKey of table 't' names the column 'ID', which is not there; columns: id, day, time, twice, offset", { primaryKey: ['ID'] }],
  ["primaryKey of table 't' must name each column once, got id, id", { primaryKey: ['id', 'id'] }],
  ["primaryKey of table 't' must name physical columns, got the computed column 'twice'", { primaryKey: ['twice'] }],
  ["primaryKey of table 't' must name physical columns, got the metadata column 'offset'", { primaryKey: ['id', 'offset'] }],
  ["partitionedBy of table 't' names the column 'month', which is not there", { partitionedBy: ['month'] }],
  ["partitionedBy of table 't' must name each column once, got day, day", { partitionedBy: ['day', 'day'] }],
  ["partitionedBy of table 't' must name physical columns, got the computed column 'twice'", { partitionedBy: ['twice'] }],
  ["watermark of table 't' names the column 'ts', which is not there", { watermark: Watermark.ascending('ts') }],
  [
    "watermark column 'id' of table 't' must be TIMESTAMP or TIMESTAMP_LTZ with a precision of 3 at the most, got STRING",
    { watermark: Watermark.delayed('id', Duration.seconds(5)) },
  ],
  [
    "watermark column 'ts' of table 't' must be TIMESTAMP or TIMESTAMP_LTZ with a precision of 3 at the most, got TIMESTAMP(6)",
    { columns: [Column.physical('ts', DataType.timestamp(6))], watermark: Watermark.fromSource('ts') },
  ],
  [
    "watermark column 'ts' of table 't' must be TIMESTAMP or TIMESTAMP_LTZ with a precision of 3 at the most, got TIMESTAMP_LTZ(4) NOT NULL",
    { columns: [Column.metadata('ts', DataType.timestampLtz(4).notNull())], watermark: Watermark.ascending('ts') },
  ],
])('%s', (message, props) => {
  expect(() => table(props)).toThrow(message);
});

test.each<[string, Partial<SqlTableProps>]>([
  ['one column', { columns: [id] }],
  ['names that differ in case', { columns: [id, Column.physical('ID', DataType.STRING)] }],
  [
    'metadata beside a physical column of its key',
    { columns: [Column.physical('offset', DataType.INT), Column.metadata('o', DataType.BIGINT, { from: 'offset' })] },
  ],
  ['a key of all physical columns', { primaryKey: ['time', 'id', 'day'] }],
  ['an empty partitionedBy', { partitionedBy: [] }],
  ['an empty comment', { comment: '' }],
  ['a watermark on whole seconds', { columns: [Column.physical('ts', DataType.timestamp(0))], watermark: Watermark.ascending('ts') }],
  ['a watermark on an instant', { columns: [Column.metadata('ts', DataType.timestampLtz(3))], watermark: Watermark.ascending('ts') }],
  ['a watermark on an expression, whose type the planner knows', { watermark: Watermark.ascending('twice') }],
])('takes %s', (_, props) => {
  expect(() => table(props)).not.toThrow();
});

test('a table without a usable name is refused', () => {
  const props = { connector: FixedConnector.source(), columns: [id] };
  expect(() => new SqlTable('', props)).toThrow('name of a table must not be empty');
  expect(() => new SqlTable('${Token[X.1]}', props)).toThrow('name of a table must be known at synth');
});

test('what the connector refuses, the table refuses', () => {
  const connector = FixedConnector.source();
  connector.bind = () => {
    throw new Error('too wide');
  };
  expect(() => table({ connector })).toThrow('too wide');
});
