import { Duration, Token } from 'aws-cdk-lib';
import { BlackholeSink } from '../../lib/connectors/blackhole-sink';
import { DataGenField } from '../../lib/connectors/data-gen-field';
import { DataGenSource, type DataGenSourceProps } from '../../lib/connectors/data-gen-source';
import { PrintSink } from '../../lib/connectors/print-sink';
import { Column } from '../../lib/sql/column';
import { Changes, type ConnectorBinding, DeliveryGuarantee, type IConnector, TableRole } from '../../lib/sql/connector';
import { DataType } from '../../lib/sql/data-type';
import { SqlProgram } from '../../lib/sql/sql-program';

const COLUMNS = [
  Column.physical('id', DataType.BIGINT.notNull()),
  Column.physical('name', DataType.STRING),
  Column.physical('at', DataType.timestamp(3)),
  Column.physical('tags', DataType.array(DataType.STRING)),
  Column.computed('proc_time', 'PROCTIME()'),
];

function bind(connector: IConnector, columns = COLUMNS): ConnectorBinding {
  return new SqlProgram().addTable('t', { connector, columns }).binding;
}

function datagen(fields: DataGenSourceProps['fields']): ConnectorBinding {
  return bind(new DataGenSource({ fields }));
}

describe('DataGenSource', () => {
  test('options', () => {
    const binding = bind(
      new DataGenSource({
        rowsPerSecond: 100,
        numberOfRows: 1000,
        fields: {
          id: DataGenField.sequence(-1, 1000),
          name: DataGenField.random({ length: 8, nullRate: 0.25 }),
          at: DataGenField.random({ maxPast: Duration.hours(1) }),
          tags: DataGenField.random({ length: 2 }),
        },
      }),
    );

    expect(binding).toMatchObject({ identifier: 'datagen', role: TableRole.SOURCE });
    expect(binding.source).toEqual({ changes: Changes.INSERT_ONLY, parallelismOption: 'scan.parallelism' });
    expect(binding.options).toEqual({
      'rows-per-second': '100',
      'number-of-rows': '1000',
      'fields.id.kind': 'sequence',
      'fields.id.start': '-1',
      'fields.id.end': '1000',
      'fields.name.length': '8',
      'fields.name.null-rate': '0.25',
      'fields.at.max-past': '1 h',
      'fields.tags.length': '2',
    });
  });

  test('nothing set, nothing rendered', () => {
    expect(bind(new DataGenSource()).options).toEqual({});
  });

  test('large numbers without an exponent', () => {
    expect(datagen({ id: DataGenField.random({ min: 0, max: 1e21 }) }).options).toEqual({
      'fields.id.min': '0',
      'fields.id.max': '1000000000000000000000',
    });
  });

  test('tokens pass', () => {
    const rowsPerSecond = Token.asNumber({ Ref: 'Rate' });

    expect(bind(new DataGenSource({ rowsPerSecond })).options['rows-per-second']).toMatch(/^\$\{Token\[/);
    expect(() => DataGenField.sequence(1, Token.asNumber({ Ref: 'End' }))).not.toThrow();
    expect(() => DataGenField.random({ min: Token.asNumber({ Ref: 'Min' }) })).toThrow('min of a random field must be known at synth');
  });

  test.each<[string, () => unknown, string]>([
    ['no rows a second', () => new DataGenSource({ rowsPerSecond: 0 }), 'rowsPerSecond must be a whole number of at least 1, got 0'],
    ['half a row', () => new DataGenSource({ numberOfRows: 0.5 }), 'numberOfRows must be a whole number of at least 1, got 0.5'],
    ['min above max', () => DataGenField.random({ min: 5, max: 1 }), 'min of a random field must not be above max, got min 5 and max 1'],
    ['nullRate 1.1', () => DataGenField.random({ nullRate: 1.1 }), 'nullRate of a random field must be from 0 to 1, got 1.1'],
    ['no number', () => DataGenField.random({ max: Number.NaN }), 'max of a random field must be a number, got NaN'],
    ['length 0', () => DataGenField.random({ length: 0 }), 'length of a random field must be a whole number of at least 1'],
    ['sequence backwards', () => DataGenField.sequence(2, 1), 'end of a sequence must not be below start, got start 2 and end 1'],
    ['unknown column', () => datagen({ nobody: DataGenField.random() }), "fields must name physical columns of table 't', got 'nobody'"],
    ['computed column', () => datagen({ proc_time: DataGenField.random() }), "got 'proc_time'; columns: id, name, at, tags"],
    ['min of text', () => datagen({ name: DataGenField.random({ min: 1 }) }), "got the column 'name' of type STRING"],
    [
      'length of a number',
      () => datagen({ id: DataGenField.random({ length: 1 }) }),
      'length of a random field must be for a column of type',
    ],
    ['maxPast of a number', () => datagen({ id: DataGenField.random({ maxPast: Duration.days(1) }) }), 'maxPast of a random field'],
    ['sequence of timestamps', () => datagen({ at: DataGenField.sequence(1, 2) }), 'a sequence must be for a column of type'],
    ['NULLs in a NOT NULL column', () => datagen({ id: DataGenField.random({ nullRate: 0.1 }) }), "nullRate must be 0 for the column 'id'"],
  ])('%s is refused', (_, build, message) => {
    expect(build).toThrow(message);
  });

  test.each<[string, () => unknown]>([
    ['min equal to max', () => DataGenField.random({ min: 1, max: 1 })],
    ['nullRate 1', () => DataGenField.random({ nullRate: 1 })],
    ['sequence of one', () => DataGenField.sequence(1, 1)],
    ['nullRate 0 of a NOT NULL column', () => datagen({ id: DataGenField.random({ nullRate: 0 }) })],
    ['sequence of text', () => datagen({ name: DataGenField.sequence(1, 2) })],
  ])('nearest valid: %s', (_, build) => {
    expect(build).not.toThrow();
  });
});

describe('PrintSink', () => {
  test('options', () => {
    const binding = bind(new PrintSink({ identifier: 'a', standardError: true, writers: 2 }));

    expect(binding).toMatchObject({ identifier: 'print', options: { 'print-identifier': 'a', 'standard-error': 'true' } });
    expect(binding.sink).toEqual({
      changes: Changes.ALL,
      guarantee: DeliveryGuarantee.AT_LEAST_ONCE,
      parallelismOption: 'sink.parallelism',
      writers: 2,
    });
    expect(bind(new PrintSink()).options).toEqual({});
  });

  test('bad values', () => {
    expect(() => new PrintSink({ identifier: '' })).toThrow('identifier must not be empty');
    expect(() => new PrintSink({ writers: 1.5 })).toThrow('writers must be a whole number from 1 to 32768, got 1.5');
  });
});

test('BlackholeSink has no options and no parallelism of its own', () => {
  expect(bind(new BlackholeSink())).toEqual({
    identifier: 'blackhole',
    role: TableRole.SINK,
    options: {},
    sink: { changes: Changes.ALL, guarantee: DeliveryGuarantee.NONE },
  });
});

test.each([new DataGenSource(), new PrintSink(), new BlackholeSink()])('%o has no metadata', (connector) => {
  expect(() => bind(connector, [...COLUMNS, Column.metadata('m', DataType.STRING)])).toThrow("must not have the metadata column 'm'");
});
