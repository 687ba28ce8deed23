import { Duration, Size, Token } from 'aws-cdk-lib';
import { BackOff } from '../../lib/connectors/back-off';
import { Credentials } from '../../lib/connectors/credentials';
import { ElasticsearchSink, type ElasticsearchSinkProps } from '../../lib/connectors/elasticsearch-sink';
import { Format, TimestampFormat } from '../../lib/connectors/format';
import { Column } from '../../lib/sql/column';
import { Changes, DeliveryGuarantee, TableRole } from '../../lib/sql/connector';
import { DataType } from '../../lib/sql/data-type';
import { SecretRef } from '../../lib/sql/secret-ref';
import { SqlProgram } from '../../lib/sql/sql-program';
import type { SqlTable, SqlTableProps } from '../../lib/sql/sql-table';

const PASSWORD = SecretRef.kubernetes('elasticsearch', 'password');
const COLUMNS = [
  Column.physical('user_id', DataType.STRING),
  Column.physical('event_time', DataType.timestamp(3)),
  Column.physical('level', DataType.STRING),
];

function sink(props: Partial<ElasticsearchSinkProps> = {}): ElasticsearchSink {
  return new ElasticsearchSink({ hosts: ['http://es-node-1:9200'], index: 'user-events', ...props });
}

function table(props: Partial<ElasticsearchSinkProps> = {}, tableProps: Partial<SqlTableProps> = {}): SqlTable {
  return new SqlProgram().addTable('es_sink', {
    connector: sink(props),
    columns: COLUMNS,
    primaryKey: ['user_id', 'event_time'],
    ...tableProps,
  });
}

describe('options', () => {
  test('of the reference pipeline', () => {
    const { binding } = table({
      keyDelimiter: '_',
      bulkFlush: { maxActions: 1000, maxSize: Size.mebibytes(5), interval: Duration.seconds(2) },
    });

    expect(binding.options).toEqual({
      hosts: 'http://es-node-1:9200',
      index: 'user-events',
      'document-id.key-delimiter': '_',
      format: 'json',
      'sink.bulk-flush.max-actions': '1000',
      'sink.bulk-flush.max-size': '5 mb',
      'sink.bulk-flush.interval': '2 s',
      'sink.bulk-flush.backoff.strategy': 'EXPONENTIAL',
      'sink.bulk-flush.backoff.max-retries': '8',
      'sink.bulk-flush.backoff.delay': '1 s',
    });
    expect(binding).toMatchObject({ identifier: 'elasticsearch-7', role: TableRole.SINK });
    expect(binding.sink).toEqual({
      changes: Changes.UPSERT,
      guarantee: DeliveryGuarantee.AT_LEAST_ONCE,
      parallelismOption: 'sink.parallelism',
      writers: undefined,
    });
    expect(binding.artifacts?.map((artifact) => artifact.coordinate)).toEqual(['org.apache.flink:flink-sql-connector-elasticsearch7']);
  });

  test('all others', () => {
    const { binding } = table({
      hosts: ['https://a:9200', 'https://[::1]:9201'],
      credentials: Credentials.of('flink', PASSWORD),
      pathPrefix: '/search',
      backOff: BackOff.constant({ maxRetries: 1, delay: Duration.millis(50) }),
      format: Format.json({ timestampFormat: TimestampFormat.ISO_8601 }),
      guarantee: DeliveryGuarantee.NONE,
      writers: 2,
      options: { 'json.map-null-key.mode': 'DROP' },
    });

    expect(binding.options).toEqual({
      hosts: 'https://a:9200;https://[::1]:9201',
      index: 'user-events',
      username: 'flink',
      password: `\${env:${PASSWORD.variableName}}`,
      'document-id.key-delimiter': '|',
      'connection.path-prefix': '/search',
      format: 'json',
      'json.timestamp-format.standard': 'ISO-8601',
      'sink.bulk-flush.backoff.strategy': 'CONSTANT',
      'sink.bulk-flush.backoff.max-retries': '1',
      'sink.bulk-flush.backoff.delay': '50 ms',
      'sink.delivery-guarantee': 'none',
      'json.map-null-key.mode': 'DROP',
    });
    expect(binding.secrets).toEqual([PASSWORD]);
    expect(binding.sink).toMatchObject({ guarantee: DeliveryGuarantee.NONE, writers: 2 });
  });

  test('tokens pass', () => {
    const host = Token.asString({ Ref: 'Host' });
    const { options } = table({
      hosts: [host],
      index: Token.asString({ Ref: 'Index' }),
      pathPrefix: Token.asString({ Ref: 'Path' }),
      bulkFlush: { maxActions: Token.asNumber({ Ref: 'Actions' }), interval: Duration.seconds(Token.asNumber({ Ref: 'Seconds' })) },
      backOff: BackOff.exponential({ maxRetries: Token.asNumber({ Ref: 'Retries' }) }),
    }).binding;

    expect(options.hosts).toBe(host);
    expect(options['sink.bulk-flush.max-actions']).toMatch(/^\$\{Token\[/);
    expect(options['sink.bulk-flush.interval']).toMatch(/^\$\{Token\[.*\} s$/);
    expect(options['sink.bulk-flush.backoff.max-retries']).toMatch(/^\$\{Token\[/);
  });

  test('user name and password from secrets', () => {
    const username = SecretRef.kubernetes('elasticsearch', 'username');
    const { binding } = table({ credentials: Credentials.fromSecrets(username, PASSWORD) });

    expect(binding.options).toMatchObject({ username: `${username}`, password: `${PASSWORD}` });
    expect(binding.secrets).toEqual([username, PASSWORD]);
  });
});

describe('values that the connector or the cluster would refuse', () => {
  test.each<[string, Partial<ElasticsearchSinkProps>, string]>([
    [
      'host with a password',
      { hosts: ['https://elastic:hunter2@es-1:9200'] },
      "got 'https://***@es-1:9200'; a user name goes into credentials",
    ],
    ['no host', { hosts: [] }, 'hosts must name one node at least'],
    ['host without a scheme', { hosts: ['es:9200'] }, "host must be 'http://host:port'"],
    ['host without a port', { hosts: ['http://es'] }, "got 'http://es'"],
    ['port 65536', { hosts: ['http://es:65536'] }, 'host must be'],
    ['host with a path', { hosts: ['http://es:9200/search'] }, 'a path into pathPrefix'],
    ['host with a user', { hosts: ['http://flink@es:9200'] }, 'a user name goes into credentials'],
    [
      'Amazon OpenSearch',
      { hosts: ['https://search-x.cn-north-1.es.amazonaws.com.cn:443'] },
      "CustomConnector with the identifier 'opensearch-2'",
    ],
    ['OpenSearch Serverless', { hosts: ['https://x.eu-west-1.aoss.amazonaws.com:443'] }, 'got the Amazon OpenSearch endpoint'],
    ['index in upper case', { index: 'Events' }, 'index must be lower case'],
    ['index that begins with _', { index: '_events' }, 'must not begin with'],
    ['two placeholders', { index: '{user_id}-{level}' }, 'index must hold one placeholder'],
    ['open placeholder', { index: 'i-{level' }, 'index must be lower case'],
    ['secret in the index', { index: '${env:X}' }, 'give a SecretRef'],
    ['empty delimiter', { keyDelimiter: '' }, 'keyDelimiter must not be empty'],
    ['delimiter with a space', { keyDelimiter: ' -' }, 'keyDelimiter must not hold spaces'],
    ['path without /', { pathPrefix: 'search' }, "pathPrefix must begin with '/'"],
    ['csv', { format: Format.csv() }, "format must be json, got 'csv'"],
    ['exactly once', { guarantee: DeliveryGuarantee.EXACTLY_ONCE }, "got 'exactly-once'"],
    ['no writers', { writers: 0 }, 'writers must be a whole number from 1 to 32768, got 0'],
    ['writers by token', { writers: Token.asNumber({ Ref: 'X' }) }, 'writers must be known at synth'],
    ['raw option of a property', { options: { 'sink.bulk-flush.max-actions': '5' } }, 'use bulkFlush'],
    ['option of another release', { options: { 'failure-handler': 'ignore' } }, 'failure-handler'],
  ])('%s', (_, props, message) => {
    expect(() => sink(props)).toThrow(message);
  });

  test.each<[string, Partial<ElasticsearchSinkProps>]>([
    ['port 65535', { hosts: ['http://es:65535'] }],
    ['a host that only looks like Amazon', { hosts: ['http://es.amazonaws-like.internal:9200'] }],
    ['underscores within the index', { index: 'user_events-2026.01' }],
    ['a raw option without a property', { options: { 'json.encode.decimal-as-plain-number': 'true' } }],
  ])('nearest valid: %s', (_, props) => {
    expect(() => sink(props)).not.toThrow();
  });

  test.each<[string, () => unknown, string]>([
    ['maxActions 0', () => table({ bulkFlush: { maxActions: 0 } }), 'maxActions of bulkFlush must be a whole number of at least 1, got 0'],
    ['maxSize 512 KiB', () => table({ bulkFlush: { maxSize: Size.kibibytes(512) } }), 'maxSize of bulkFlush must be whole mebibytes'],
    ['maxSize 1,500 KiB', () => table({ bulkFlush: { maxSize: Size.kibibytes(1500) } }), 'got 1536000 bytes'],
    ['interval 0', () => table({ bulkFlush: { interval: Duration.millis(0) } }), 'interval of bulkFlush must be at least 1 ms, got 0 ms'],
    ['no retries', () => BackOff.exponential({ maxRetries: 0 }), 'maxRetries of the back-off must be a whole number of at least 1'],
    ['no delay', () => BackOff.constant({ delay: Duration.millis(0) }), 'delay of the back-off must be at least 1 ms, got 0 ms'],
    ['empty user name', () => Credentials.of(' ', PASSWORD), 'username must not be empty'],
  ])('%s', (_, build, message) => {
    expect(build).toThrow(message);
  });

  test('nearest valid sizes', () => {
    const { options } = table({ bulkFlush: { maxActions: 1, maxSize: Size.kibibytes(1024), interval: Duration.millis(1) } }).binding;

    expect(options).toMatchObject({
      'sink.bulk-flush.max-actions': '1',
      'sink.bulk-flush.max-size': '1 mb',
      'sink.bulk-flush.interval': '1 ms',
    });
  });
});

describe('document id', () => {
  test('without a key only inserts are taken, and the contract says what a restore does', () => {
    const { binding } = table({}, { primaryKey: undefined });

    expect(binding.sink?.changes).toBe(Changes.INSERT_ONLY);
    expect(binding.options).not.toHaveProperty('document-id.key-delimiter');
    expect(binding.contract?.join()).toContain('become further documents');
  });

  test('a key of one column needs no delimiter', () => {
    expect(table({}, { primaryKey: ['user_id'] }).binding.options).not.toHaveProperty('document-id.key-delimiter');
    expect(() => table({ keyDelimiter: '_' }, { primaryKey: ['user_id'] })).toThrow('keyDelimiter has nothing to separate');
  });

  test.each([
    DataType.BYTES,
    DataType.array(DataType.INT),
    DataType.map(DataType.INT, DataType.INT),
    DataType.row({ name: 'a', type: DataType.INT }),
  ])('a key of %s is refused', (type) => {
    const columns = [Column.physical('id', type)];

    expect(() => table({}, { columns, primaryKey: ['id'] })).toThrow("key column 'id' of table 'es_sink' must be text, a number");
    expect(() => table({}, { columns, primaryKey: undefined })).not.toThrow();
  });

  test('metadata columns are refused', () => {
    const columns = [...COLUMNS, Column.metadata('version', DataType.BIGINT)];

    expect(() => table({}, { columns })).toThrow("must not have the metadata column 'version'");
  });
});

describe('dynamic index', () => {
  test.each(['events-{level}', 'events-{event_time|yyyy-MM-dd}', 'events-{event_time}'])('%s', (index) => {
    expect(table({ index }).binding.options.index).toBe(index);
  });

  test.each([
    ['events-{nobody}', "names the column 'nobody', which table 'es_sink' does not have; columns: user_id, event_time, level"],
    ['events-{level|yyyy}', "column 'level' in index 'events-{level|yyyy}' must be DATE, TIME, TIMESTAMP or TIMESTAMP_LTZ, got STRING"],
    ['events-{now()|yyyy-MM-dd}', 'must not depend on the system time beside a primary key'],
    ['events-{current_timestamp|yyyy}', 'must not depend on the system time'],
  ])('%s is refused', (index, message) => {
    expect(() => table({ index })).toThrow(message);
  });

  test('system time without a key', () => {
    expect(() => table({ index: 'events-{now()|yyyy-MM-dd}' }, { primaryKey: undefined })).not.toThrow();
  });

  test('a column of a type that the connector does not print', () => {
    const columns = [Column.physical('id', DataType.SMALLINT)];

    expect(() => table({ index: 'i-{id}' }, { columns, primaryKey: ['id'] })).toThrow('must be text, TINYINT, INT, BIGINT');
    expect(() =>
      table({ index: 'i-{id}' }, { columns: [Column.physical('id', DataType.INT.notNull())], primaryKey: ['id'] }),
    ).not.toThrow();
  });
});
