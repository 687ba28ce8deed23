import { Lazy } from 'aws-cdk-lib';
import { DataType, DataTypeRoot } from '../../lib/sql/data-type';

const token = Lazy.number({ produce: () => 1 });

test.each<[DataType, string, DataTypeRoot]>([
  [DataType.STRING, 'STRING', DataTypeRoot.CHARACTER_STRING],
  [DataType.char(1), 'CHAR(1)', DataTypeRoot.CHARACTER_STRING],
  [DataType.varchar(2_147_483_647), 'VARCHAR(2147483647)', DataTypeRoot.CHARACTER_STRING],
  [DataType.BOOLEAN, 'BOOLEAN', DataTypeRoot.BOOLEAN],
  [DataType.BYTES, 'BYTES', DataTypeRoot.BINARY_STRING],
  [DataType.binary(16), 'BINARY(16)', DataTypeRoot.BINARY_STRING],
  [DataType.varbinary(2_147_483_647), 'VARBINARY(2147483647)', DataTypeRoot.BINARY_STRING],
  [DataType.decimal(18, 2), 'DECIMAL(18, 2)', DataTypeRoot.NUMERIC],
  [DataType.decimal(1, 0), 'DECIMAL(1, 0)', DataTypeRoot.NUMERIC],
  [DataType.decimal(38, 38), 'DECIMAL(38, 38)', DataTypeRoot.NUMERIC],
  [DataType.TINYINT, 'TINYINT', DataTypeRoot.NUMERIC],
  [DataType.SMALLINT, 'SMALLINT', DataTypeRoot.NUMERIC],
  [DataType.INT, 'INT', DataTypeRoot.NUMERIC],
  [DataType.BIGINT, 'BIGINT', DataTypeRoot.NUMERIC],
  [DataType.FLOAT, 'FLOAT', DataTypeRoot.NUMERIC],
  [DataType.DOUBLE, 'DOUBLE', DataTypeRoot.NUMERIC],
  [DataType.DATE, 'DATE', DataTypeRoot.DATE],
  [DataType.time(), 'TIME(0)', DataTypeRoot.TIME],
  [DataType.time(9), 'TIME(9)', DataTypeRoot.TIME],
  [DataType.timestamp(3), 'TIMESTAMP(3)', DataTypeRoot.TIMESTAMP],
  [DataType.timestampLtz(0), 'TIMESTAMP_LTZ(0)', DataTypeRoot.TIMESTAMP_LTZ],
  [DataType.intervalYearToMonth(), 'INTERVAL YEAR(2) TO MONTH', DataTypeRoot.INTERVAL],
  [DataType.intervalYearToMonth(4), 'INTERVAL YEAR(4) TO MONTH', DataTypeRoot.INTERVAL],
  [DataType.intervalDayToSecond(), 'INTERVAL DAY(2) TO SECOND(6)', DataTypeRoot.INTERVAL],
  [DataType.intervalDayToSecond(3, 9), 'INTERVAL DAY(3) TO SECOND(9)', DataTypeRoot.INTERVAL],
  [DataType.array(DataType.INT), 'ARRAY<INT>', DataTypeRoot.ARRAY],
  [DataType.multiset(DataType.STRING.notNull()), 'MULTISET<STRING NOT NULL>', DataTypeRoot.MULTISET],
  [DataType.map(DataType.STRING.notNull(), DataType.BYTES), 'MAP<STRING NOT NULL, BYTES>', DataTypeRoot.MAP],
  [DataType.row({ name: 'a', type: DataType.INT }), 'ROW<`a` INT>', DataTypeRoot.ROW],
  [DataType.VARIANT, 'VARIANT', DataTypeRoot.VARIANT],
  [DataType.raw('java.math.BigInteger', 'AFRv=='), "RAW('java.math.BigInteger', 'AFRv==')", DataTypeRoot.RAW],
])('%s', (type, sql, root) => {
  expect(`${type}`).toBe(sql);
  expect(type.root).toBe(root);
  expect(type.nullable).toBe(true);
  expect(`${type.notNull()}`).toBe(`${sql} NOT NULL`);
  expect(`${type.notNull().notNull()}`).toBe(`${sql} NOT NULL`);
  expect(type.notNull()).toMatchObject({ root, nullable: false, precision: type.precision });
});

test('nested types keep names, comments and NOT NULL at every depth', () => {
  const address = DataType.row(
    { name: 'zip code', type: DataType.char(5).notNull(), comment: "the sender's" },
    { name: 'a`b', type: DataType.DATE },
  );
  expect(`${DataType.map(DataType.STRING, DataType.array(address.notNull())).notNull()}`).toBe(
    "MAP<STRING, ARRAY<ROW<`zip code` CHAR(5) NOT NULL 'the sender''s', `a``b` DATE> NOT NULL>> NOT NULL",
  );
});

test('only timestamps tell a precision', () => {
  expect(DataType.timestamp(6).precision).toBe(6);
  expect(DataType.timestampLtz(0).precision).toBe(0);
  expect(DataType.time(3).precision).toBeUndefined();
  expect(DataType.decimal(3, 3).precision).toBeUndefined();
});

test.each<[string, (value: number) => DataType, number, number]>([
  ['length of CHAR', (value) => DataType.char(value), 1, 2_147_483_647],
  ['length of VARCHAR', (value) => DataType.varchar(value), 1, 2_147_483_647],
  ['length of BINARY', (value) => DataType.binary(value), 1, 2_147_483_647],
  ['length of VARBINARY', (value) => DataType.varbinary(value), 1, 2_147_483_647],
  ['precision of DECIMAL', (value) => DataType.decimal(value, 0), 1, 38],
  ['scale of DECIMAL', (value) => DataType.decimal(10, value), 0, 10],
  ['precision of TIME', (value) => DataType.time(value), 0, 9],
  ['precision of TIMESTAMP', (value) => DataType.timestamp(value), 0, 9],
  ['precision of TIMESTAMP_LTZ', (value) => DataType.timestampLtz(value), 0, 9],
  ['year precision of INTERVAL', (value) => DataType.intervalYearToMonth(value), 1, 4],
  ['day precision of INTERVAL', (value) => DataType.intervalDayToSecond(value), 1, 3],
  ['fractional precision of INTERVAL', (value) => DataType.intervalDayToSecond(2, value), 1, 9],
])('%s', (what, type, min, max) => {
  const range = `${what} must be a whole number from ${min} to ${max}, got `;
  for (const allowed of [min, max]) {
    expect(() => type(allowed)).not.toThrow();
  }
  for (const refused of [min - 1, max + 1, min + 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => type(refused)).toThrow(`${range}${refused}`);
  }
  expect(() => type(token)).toThrow(`${what} must be known at synth, got an unresolved token; give a literal number`);
});

test('a ROW has fields, each named once', () => {
  expect(() => DataType.row()).toThrow('ROW must have one field at least, got none');
  expect(() => DataType.row({ name: 'a', type: DataType.INT }, { name: 'a', type: DataType.STRING })).toThrow(
    "ROW must not have two fields of one name, got 'a' twice",
  );
  expect(() => DataType.row({ name: ' ', type: DataType.INT })).toThrow('name of a ROW field must not be empty');
  expect(() => DataType.row({ name: 'a', type: DataType.INT, comment: '${env:X}' })).toThrow("comment of the ROW field 'a' must not hold");
  expect(`${DataType.row({ name: 'a', type: DataType.INT }, { name: 'A', type: DataType.INT })}`).toBe('ROW<`a` INT, `A` INT>');
});

test.each<[string, () => DataType]>([
  ['ARRAY', () => DataType.array(DataType.intervalDayToSecond())],
  ['MULTISET', () => DataType.multiset(DataType.intervalDayToSecond())],
  ['MAP', () => DataType.map(DataType.intervalDayToSecond(), DataType.INT)],
  ['MAP', () => DataType.map(DataType.INT, DataType.intervalDayToSecond())],
  ['ROW', () => DataType.row({ name: 'a', type: DataType.intervalDayToSecond() })],
])('%s holds no INTERVAL, which the parser refuses there', (whole, type) => {
  expect(type).toThrow(`${whole} must not hold an INTERVAL, which only expressions take, got INTERVAL DAY(2) TO SECOND(6)`);
});
