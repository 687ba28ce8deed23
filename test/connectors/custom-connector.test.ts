import { Token } from 'aws-cdk-lib';
import { CustomConnector, type CustomConnectorProps } from '../../lib/connectors/custom-connector';
import { Format, MalformedRecords } from '../../lib/connectors/format';
import { Artifact } from '../../lib/sql/artifact';
import { Column } from '../../lib/sql/column';
import { Changes, DeliveryGuarantee, TableRole } from '../../lib/sql/connector';
import { DataType } from '../../lib/sql/data-type';
import { SecretRef } from '../../lib/sql/secret-ref';
import { SqlProgram } from '../../lib/sql/sql-program';
import type { SqlTable } from '../../lib/sql/sql-table';

const PASSWORD = SecretRef.kubernetes('opensearch', 'password');
const JAR = Artifact.file('jars/flink-sql-connector-opensearch2.jar');
const COLUMNS = [Column.physical('id', DataType.STRING), Column.physical('value', DataType.STRING)];

function sink(props: Partial<CustomConnectorProps> = {}): CustomConnector {
  return new CustomConnector({
    identifier: 'clickhouse',
    role: TableRole.SINK,
    options: { url: 'clickhouse://h:8123' },
    changes: Changes.INSERT_ONLY,
    ...props,
  });
}

function table(connector: CustomConnector): SqlTable {
  return new SqlProgram().addTable('t', { connector, columns: COLUMNS, primaryKey: ['id'] });
}

test('OpenSearch as a sink', () => {
  const { binding } = table(
    sink({
      identifier: 'opensearch-2',
      options: { hosts: 'https://search.example.com:443', index: 'user-events', username: 'flink' },
      secretOptions: { password: PASSWORD },
      artifacts: [JAR],
      changes: Changes.UPSERT,
      parallelismOption: 'sink.parallelism',
      writers: 2,
    }),
  );

  expect(binding).toEqual({
    identifier: 'opensearch-2',
    role: TableRole.SINK,
    options: { hosts: 'https://search.example.com:443', index: 'user-events', username: 'flink', password: `${PASSWORD}` },
    sink: {
      changes: Changes.UPSERT,
      guarantee: DeliveryGuarantee.AT_LEAST_ONCE,
      splits: undefined,
      parallelismOption: 'sink.parallelism',
      writers: 2,
    },
    artifacts: [JAR],
    secrets: [PASSWORD],
    contract: undefined,
  });
});

test('a CDC source with splits', () => {
  const splits = { unit: 'partition', of: 'topic orders', count: 6 };
  const { binding } = table(
    sink({
      identifier: 'mysql-cdc',
      role: TableRole.SOURCE,
      options: { hostname: 'mysql' },
      changes: Changes.ALL,
      parallelismOption: 'scan.parallelism',
      splits,
    }),
  );

  expect(binding.source).toEqual({ changes: Changes.ALL, splits, parallelismOption: 'scan.parallelism', repeatsEvents: undefined });
  expect(binding.sink).toBeUndefined();
});

test('a lookup table', () => {
  const { binding } = table(sink({ identifier: 'redis', role: TableRole.LOOKUP, options: { host: 'redis' } }));

  expect(binding).toMatchObject({ role: TableRole.LOOKUP, source: { changes: Changes.INSERT_ONLY } });
});

test('a format brings its options, jars and contract', () => {
  const format = Format.avro();
  const { binding } = table(sink({ identifier: 'pulsar', format, artifacts: [JAR], options: {} }));

  expect(binding.options).toEqual({ format: 'avro' });
  expect(binding.artifacts).toEqual([JAR, ...format.artifacts]);
  expect(binding.contract).toEqual(['format: avro']);
});

test('a format of changes tells that events repeat', () => {
  const format = Format.debeziumJson({ schemaInclude: false, malformedRecords: MalformedRecords.FAIL });

  expect(table(sink({ role: TableRole.SOURCE, format, options: {}, changes: Changes.ALL })).binding.source?.repeatsEvents).toBe(true);
});

test('tokens pass', () => {
  const url = Token.asString({ Ref: 'Url' });

  expect(table(sink({ options: { url } })).binding.options.url).toBe(url);
});

test.each<[string, Partial<CustomConnectorProps>, string]>([
  ['no identifier', { identifier: '' }, "identifier must be the name of a connector such as 'opensearch-2', got ''"],
  ['identifier with a space', { identifier: 'click house' }, "got 'click house'"],
  ['connector as an option', { options: { connector: 'x' } }, "'connector' is 'clickhouse' already"],
  ['empty option', { options: { url: '' } }, "'url' has no value"],
  ['password in the open', { options: { password: 'hunter2' } }, "'password' is a secret"],
  ['secret that nobody declared', { options: { url: '${env:SECRET_X}' } }, 'which no secret declares'],
  [
    'option and secret',
    { options: { password: 'x' }, secretOptions: { password: PASSWORD } },
    "option 'password' must stand in options or in secretOptions",
  ],
  ['option and format', { options: { format: 'csv' }, format: Format.json() }, "option 'format' must not be given beside format"],
  ['writers without an option', { writers: 2 }, 'writers must come with the parallelismOption'],
  ['writers of a source', { role: TableRole.SOURCE, writers: 2 }, 'writers must be for a sink, got 2 for a source'],
  ['no writers', { writers: 0, parallelismOption: 'sink.parallelism' }, 'writers must be a whole number from 1'],
  ['parallelism as an option', { parallelismOption: 'sink.parallelism', options: { 'sink.parallelism': '2' } }, 'use writers'],
  [
    'guarantee of a lookup table',
    { role: TableRole.LOOKUP, guarantee: DeliveryGuarantee.NONE },
    "guarantee must be for a sink, got 'none' for a lookup",
  ],
  [
    'misspelt option of a known connector',
    { identifier: 'jdbc', options: { url: 'jdbc:mysql://h/d', table: 'x' } },
    "'table' is no option of 'jdbc'",
  ],
  [
    'known connector in a role that it has not',
    { identifier: 'firehose', role: TableRole.SOURCE, options: {} },
    'can only be used as a sink',
  ],
])('%s is refused', (_, props, message) => {
  expect(() => sink(props)).toThrow(message);
});

test('a known connector with right options passes', () => {
  expect(() => sink({ identifier: 'jdbc', options: { url: 'jdbc:mysql://h/d', 'table-name': 'x' } })).not.toThrow();
});
