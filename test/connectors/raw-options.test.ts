import { Token } from 'aws-cdk-lib';
import fc from 'fast-check';
import { checkRawOptions, type RawOptions } from '../../lib/connectors/raw-options';
import { TableRole } from '../../lib/sql/connector';
import { SecretRef } from '../../lib/sql/secret-ref';
import { OPTION_PROBES, type OptionProbe, probedOptions } from '../fixtures/option-probes';

const token = Token.asString({ Ref: 'Thing' });
const secret = SecretRef.kubernetes('search', 'password');

function check(identifier: string, role: TableRole, options: { [option: string]: string }, more: Partial<RawOptions> = {}): void {
  checkRawOptions({ identifier, role, options, typed: {}, secrets: [secret], ...more });
}

describe('what the real factories said, option by option', () => {
  /** Accepted by the planner, and refused by us: each would be ignored, or fail when the job runs. */
  const refusedByUs: { [probe: string]: string } = {
    'elasticsearch-7 password=p': 'a password without a user name is not used',
    'elasticsearch-7 sink.parallelism=0': 'a sink without writers',
    'mongodb sink.parallelism=0': 'a sink without writers',
    'elasticsearch-7 lookup.cache=FULL': 'nothing is cached',
    'mongodb lookup.cache=FULL': 'nothing is cached',
    'jdbc lookup.cache=PARTIAL;lookup.partial-cache.max-rows=10;lookup.cache.max-rows=10;lookup.cache.ttl=1min': 'former spelling',
    'jdbc table-name=': 'an empty name',
    'kinesis source.init.position=AT_TIMESTAMP;source.init.timestamp=yesterday': 'fails when the job starts',
    'kinesis source.reader.type=EFO': 'a consumer needs a name when it is registered',
    'kinesis source.reader.type=PUSH': 'fails when the job starts',
    'kinesis sink.parallelism=4': 'swallowed',
    'kinesis sink.typo.option=1': 'swallowed',
    'kinesis sink.batch.max-size=501': 'PutRecords takes 500 records',
    'kinesis sink.producer.aggregation-enabled=true': 'an option of the connector before 5.0, swallowed',
    'firehose aws.region=us-moon-1': 'no such region',
    'dynamodb aws.region=us-moon-1': 'no such region',
    'dynamodb sink.insert-only=true': 'swallowed',
    'dynamodb format=json': 'swallowed',
    'dynamodb lookup.cache.max-rows=10000': 'swallowed: the connector is no lookup',
    'sqs sink.batch.max-size=11': 'SendMessageBatch takes 10 messages',
    'upsert-kafka properties.auto.offset.reset=latest': 'overridden by the connector',
  };

  /** Refused by the planner for what stands outside the options: the typed connector or the planner finds it. */
  const needsTheTable: { [probe: string]: string } = {
    'elasticsearch-7 index=i-{now()|yyyy-MM-dd}': 'only an updating query fails, with a key',
    'datagen fields.nofield.kind=random': 'the columns of the table',
  };

  /** The probes gave literal secrets, which is refused by a rule of ours and not of the factories. */
  function optionsOf(probe: OptionProbe): { [option: string]: string } {
    return Object.fromEntries(
      Object.entries(probedOptions(probe)).map(([option, value]) => [
        option,
        /password|secretkey/.test(option) ? secret.toString() : value,
      ]),
    );
  }

  const named = OPTION_PROBES.map((probe): [string, OptionProbe] => [`${probe.connector} ${probe.delta}`, probe]);

  test('each exception is a probe', () => {
    const names = new Set(named.map(([name]) => name));
    expect([...Object.keys(refusedByUs), ...Object.keys(needsTheTable)].filter((name) => !names.has(name))).toEqual([]);
    expect(named).toHaveLength(158);
  });

  test.each(named)('%s', (name, probe) => {
    const run = () =>
      checkRawOptions({
        identifier: probe.connector,
        role: probe.side as TableRole,
        options: optionsOf(probe),
        secrets: [secret],
      });
    const expectRefused = name in refusedByUs || (!probe.ok && !(name in needsTheTable));
    if (expectRefused) {
      expect(run).toThrow(`options of the '${probe.connector}' ${probe.side} are wrong:`);
    } else {
      expect(run).not.toThrow();
    }
  });
});

describe('a raw option that would be refused or ignored names the right one', () => {
  test.each<[string, TableRole, string, string, string]>([
    ['kinesis', TableRole.SOURCE, 'stream', 's', `use 'stream.arn'`],
    ['kinesis', TableRole.SOURCE, 'scan.stream.initpos', 'LATEST', `use 'source.init.position'`],
    ['kinesis', TableRole.SOURCE, 'source.reader.typ', 'EFO', `did you mean 'source.reader.type'?`],
    ['kinesis', TableRole.SOURCE, 'aws.credentials.provider.role.arn', 'a', `use 'aws.credentials.role.arn'`],
    ['kinesis', TableRole.SOURCE, 'source.shard-assigner', 'x', 'never reads it'],
    ['kinesis', TableRole.SINK, 'sink.producer.collection-max-size', '5', `use 'sink.batch.max-size'`],
    ['kinesis', TableRole.SINK, 'sink.parallelism', '5', 'they follow the job'],
    ['firehose', TableRole.SINK, 'sink.http-client.max-concurency', '5', `did you mean 'sink.http-client.max-concurrency'?`],
    ['dynamodb', TableRole.SINK, 'sink.ignore-null', 'true', `did you mean 'sink.ignore-nulls'?`],
    ['dynamodb', TableRole.SINK, 'sink.flush-buffer.size', '1000', 'counts every record as 0 bytes'],
    ['jdbc', TableRole.SINK, 'sink.buffer-flush.max-retries', '3', `use 'sink.max-retries'`],
    ['jdbc', TableRole.SINK, 'lookup.cache', 'PARTIAL', 'has no effect on a sink: it is read by a lookup only'],
    ['jdbc', TableRole.LOOKUP, 'lookup.cache.ttl', '30 min', `use 'lookup.partial-cache.expire-after-write'`],
    ['jdbc', TableRole.LOOKUP, 'lookup.async', 'true', 'are synchronous'],
    ['jdbc', TableRole.LOOKUP, 'sink.max-retries', '3', 'has no effect on a lookup'],
    ['jdbc', TableRole.SINK, 'properties.useSSL', 'false', `into 'url'`],
    ['elasticsearch-7', TableRole.SINK, 'document-type', '_doc', 'no document types'],
    ['elasticsearch-7', TableRole.SINK, 'failure-handler', 'ignore', 'sink.bulk-flush.backoff'],
    ['mongodb', TableRole.SINK, 'sink.retry.interval', '2 s', 'never uses it'],
    ['mongodb', TableRole.SINK, 'uir', 'mongodb://h', `did you mean 'uri'?`],
    ['kafka', TableRole.SINK, 'sink.semantic', 'exactly-once', `use 'sink.delivery-guarantee'`],
    ['kafka', TableRole.SINK, 'sink.buffer-flush.max-rows', '10', `only 'upsert-kafka' buffers`],
    ['kafka', TableRole.SOURCE, 'scan.start.mode', 'latest-offset', `did you mean 'scan.startup.mode'?`],
    ['kafka', TableRole.SOURCE, 'properties.', 'x', 'is no option'],
    ['kafka', TableRole.SINK, 'properties.ack', '1', `did you mean 'properties.acks'?`],
    ['upsert-kafka', TableRole.SINK, 'properties.compresion.type', 'zstd', `did you mean 'properties.compression.type'?`],
    ['kafka', TableRole.SOURCE, 'properties.max-poll-records', '10', `did you mean 'properties.max.poll.records'?`],
    ['kafka', TableRole.SOURCE, 'properties.linger.msec', '5', `did you mean 'properties.linger.ms'?`],
    ['upsert-kafka', TableRole.SINK, 'key.fields', 'id', 'PRIMARY KEY'],
    ['upsert-kafka', TableRole.SINK, 'format', 'json', `use 'key.format' and 'value.format'`],
    ['upsert-kafka', TableRole.SOURCE, 'scan.startup.mode', 'latest-offset', 'always starts at the earliest offset'],
    ['filesystem', TableRole.SINK, 'source.monitor-interval', '10 s', 'it is read by a source only'],
    ['kafka', TableRole.SOURCE, 'connector', 'kafka', 'leave it out'],
  ])('%s %s: %s', (identifier, role, option, value, message) => {
    expect(() => check(identifier, role, { [option]: value })).toThrow(message);
    expect(() => check(identifier, role, { [option]: token })).toThrow(message);
  });

  test('an option that a typed property sets', () => {
    const typed = { topic: 'topic' };
    expect(() => check('kafka', TableRole.SOURCE, { topic: 't' }, { typed })).toThrow(
      `'topic' is written by the library: use topic instead`,
    );
  });

  test('every wrong option is listed at once', () => {
    expect(() => check('jdbc', TableRole.SINK, { 'sink.max-retry': '3', 'sink.parallelism': 'two' })).toThrow(
      /sink\.max-retries.*\n.*'sink\.parallelism' must be a whole number/,
    );
  });

  test('a connector is not used for what it cannot do', () => {
    expect(() => check('dynamodb', TableRole.LOOKUP, { 'lookup.cache': 'PARTIAL' })).toThrow(`'dynamodb' can only be used as a sink`);
  });

  test('options that a connector hands on', () => {
    expect(() => check('kafka', TableRole.SOURCE, { 'properties.max.poll.records': '500' })).not.toThrow();
    expect(() => check('kafka', TableRole.SOURCE, { 'properties.partition.discovery.interval.ms': '10000' })).not.toThrow();
    expect(() => check('upsert-kafka', TableRole.SINK, { 'properties.compression.type': 'zstd' })).not.toThrow();
    // Of the other side: one map for both is common.
    expect(() => check('kafka', TableRole.SINK, { 'properties.client.rack': 'euc1-az1' })).not.toThrow();
    expect(() => check('kafka', TableRole.SOURCE, { 'properties.linger.ms': '5' })).not.toThrow();
    expect(() => check('upsert-kafka', TableRole.SINK, { 'properties.isolation.level': 'read_committed' })).not.toThrow();
    // Of an interceptor, or of a login module.
    expect(() => check('kafka', TableRole.SINK, { 'properties.audit.endpoint': 'https://audit.example.com' })).not.toThrow();
    expect(() => check('kinesis', TableRole.SOURCE, { 'scan.watermark.idle-timeout': '10s' })).not.toThrow();
    expect(() => check('firehose', TableRole.SINK, { 'sink.http-client.protocol.version': 'HTTP2' })).not.toThrow();
    expect(() => check('filesystem', TableRole.SINK, { 'partition.fields.day.date-formatter': 'yyyy' })).not.toThrow();
  });

  test('a near miss of an option suggests it', () => {
    const options = [
      'sink.bulk-flush.max-actions',
      'sink.bulk-flush.backoff.strategy',
      'connection.path-prefix',
      'document-id.key-delimiter',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...options), fc.nat(), fc.constantFrom(...'qxzj'), (option, position, letter) => {
        const at = position % option.length;
        const miss = option.slice(0, at) + letter + option.slice(at);
        expect(() => check('elasticsearch-7', TableRole.SINK, { [miss]: '1' })).toThrow(`'${option}'`);
      }),
    );
  });
});

describe('values', () => {
  test.each<[string, TableRole, string, string, string, string]>([
    ['dynamodb', TableRole.SINK, 'sink.batch.max-size', '26', '25', 'between 1 and 25'],
    ['firehose', TableRole.SINK, 'sink.batch.max-size', '501', '500', 'between 1 and 500'],
    ['firehose', TableRole.SINK, 'sink.flush-buffer.timeout', '5s', '5000', 'a whole number'],
    ['kinesis', TableRole.SINK, 'sink.partitioner', 'randomly', 'com.example.Partitioner', 'class'],
    ['kinesis', TableRole.SINK, 'aws.region', 'us-moon-1', 'cn-north-1', 'an AWS region'],
    ['kinesis', TableRole.SINK, 'aws.region', 'us-gov-west', 'us-gov-west-1', 'an AWS region'],
    ['kinesis', TableRole.SOURCE, 'source.init.timestamp', '2026-01-01', '2026-01-01T00:00:00.000+08:00', 'must be a time'],
    ['elasticsearch-7', TableRole.SINK, 'socket.timeout', '5 s', '5000 s', `write '5000 s' for 5000 ms`],
    ['opensearch-2', TableRole.SINK, 'connection.timeout', '5000', '5000 s', 'becomes 5 ms'],
    ['elasticsearch-7', TableRole.SINK, 'sink.bulk-flush.max-size', '1500kb', '5 mb', 'whole mebibytes'],
    ['elasticsearch-7', TableRole.SINK, 'sink.bulk-flush.max-actions', '0', '-1', `or '-1' for off`],
    ['elasticsearch-7', TableRole.SINK, 'hosts', 'https://search.internal', 'https://a:9200;https://b:9200', 'scheme and port'],
    ['elasticsearch-7', TableRole.LOOKUP, 'lookup.cache', 'FULL', 'none', `'NONE' or 'PARTIAL'`],
    ['jdbc', TableRole.SINK, 'connection.max-retry-timeout', '1500ms', '2 s', 'whole seconds'],
    ['jdbc', TableRole.SINK, 'url', 'jdbc:mariadb://h/d', 'jdbc:mysql://h/d?permitMysqlScheme', 'MariaDB'],
    ['mongodb', TableRole.SINK, 'sink.delivery-guarantee', 'exactly-once', 'AT-LEAST-ONCE', `'none' or 'at-least-once'`],
    ['kafka', TableRole.SOURCE, 'scan.parallelism', '0', '3', 'at least 1'],
    ['kafka', TableRole.SINK, 'sink.transactional-id-prefix', 'x'.repeat(64_001), 'x', 'at most 64000 bytes'],
    ['kafka', TableRole.SOURCE, 'value.format', 'debezium_json', 'debezium-json', `use 'debezium-json'`],
    ['kafka', TableRole.SOURCE, 'format', 'changelog-json', 'my-format', 'does not exist'],
    ['upsert-kafka', TableRole.SINK, 'value.format', 'debezium-json', 'avro', 'without updates'],
  ])('%s %s %s = %s', (identifier, role, option, bad, good, message) => {
    expect(() => check(identifier, role, { [option]: bad })).toThrow(message);
    expect(() => check(identifier, role, { [option]: good })).not.toThrow();
    expect(() => check(identifier, role, { [option]: token })).not.toThrow();
  });

  test('an empty value, and one that is no text', () => {
    expect(() => check('print', TableRole.SINK, { 'print-identifier': '' })).toThrow(`'print-identifier' has no value`);
    expect(() => check('print', TableRole.SINK, { 'standard-error': true as unknown as string })).toThrow(
      'must be text, got the boolean true',
    );
  });
});

/** A producer has no transactions whose records only the leader confirms. */
const EXACTLY_ONCE_OF_ONE = {
  'sink.delivery-guarantee': 'exactly-once',
  'sink.transactional-id-prefix': 'shop',
  'properties.acks': '1',
};

describe('options that go together', () => {
  const username = { username: 'u' };

  test('what typed properties set counts', () => {
    expect(() => check('jdbc', TableRole.SINK, username)).toThrow(`'username' needs 'password' too`);
    expect(() => check('jdbc', TableRole.SINK, username, { typed: { password: 'password' } })).not.toThrow();
  });

  test.each<[string, TableRole, { [option: string]: string }, { [option: string]: string }, string]>([
    ['jdbc', TableRole.LOOKUP, { 'lookup.partial-cache.max-rows': '5' }, { 'lookup.cache': 'partial' }, 'has no effect without'],
    ['jdbc', TableRole.LOOKUP, { 'lookup.cache': 'PARTIAL' }, { 'lookup.partial-cache.max-rows': '5' }, 'needs a bound'],
    ['jdbc', TableRole.SOURCE, { 'compatible-mode': 'mysql', url: 'jdbc:mysql://h/d' }, { url: 'jdbc:oceanbase://h/d' }, 'oceanbase'],
    ['kafka', TableRole.SINK, { 'key.fields': 'id' }, { 'key.format': 'json' }, `'key.fields' needs 'key.format' too`],
    ['kafka', TableRole.SINK, { topic: 'a', 'topic-pattern': 'a.*' }, { topic: '' }, 'exclude each other'],
    ['kafka', TableRole.SINK, EXACTLY_ONCE_OF_ONE, { 'properties.acks': 'all' }, `'properties.acks' must be 'all'`],
    ['upsert-kafka', TableRole.SINK, EXACTLY_ONCE_OF_ONE, { 'properties.acks': 'all' }, `'properties.acks' must be 'all'`],
    ['kafka', TableRole.SOURCE, { 'scan.startup.mode': 'timestamp' }, { 'scan.startup.timestamp-millis': '1' }, 'timestamp-millis'],
    ['upsert-kafka', TableRole.SINK, { 'key.fields-prefix': 'k_' }, { 'value.fields-include': 'EXCEPT_KEY' }, 'EXCEPT_KEY'],
    ['upsert-kafka', TableRole.SINK, { 'sink.buffer-flush.max-rows': '5' }, { 'sink.buffer-flush.interval': '1 s' }, 'both be greater'],
    ['kinesis', TableRole.SOURCE, { 'source.reader.type': 'EFO' }, { 'source.efo.consumer.name': 'c' }, 'source.efo.consumer.name'],
    ['kinesis', TableRole.SOURCE, { 'source.init.position': 'AT_TIMESTAMP' }, { 'source.init.timestamp': '0' }, 'source.init.timestamp'],
    [
      'opensearch',
      TableRole.SINK,
      { 'sink.bulk-flush.backoff.delay': '1 s' },
      { 'sink.bulk-flush.backoff.strategy': 'CONSTANT', 'sink.bulk-flush.backoff.max-retries': '8' },
      'backoff.strategy',
    ],
  ])('%s %s %j', (identifier, role, incomplete, more, message) => {
    const whole = Object.fromEntries(Object.entries({ ...incomplete, ...more }).filter(([, value]) => value !== ''));
    expect(() => check(identifier, role, incomplete)).toThrow(message);
    expect(() => check(identifier, role, whole)).not.toThrow();
  });

  test('without typed properties the required options are looked for', () => {
    const options = { topic: 't', 'properties.bootstrap.servers': token, format: 'avro-confluent' };
    expect(() => check('kafka', TableRole.SOURCE, options, { typed: undefined })).toThrow(`'avro-confluent.url' is missing`);
    expect(() => check('kafka', TableRole.SOURCE, { ...options, 'avro-confluent.url': 'http://r' }, { typed: undefined })).not.toThrow();
    expect(() => check('kafka', TableRole.SOURCE, {}, { typed: undefined })).toThrow(`'format' or 'value.format' is missing`);
    expect(() => check('kafka', TableRole.SOURCE, {})).not.toThrow();
  });
});

describe('formats', () => {
  const valueJson = { formats: [{ identifier: 'json', prefix: 'value.json.' }] };

  test.each<[string, string, string]>([
    ['value.json.ignore-parse-error', 'true', `did you mean 'value.json.ignore-parse-errors'?`],
    ['value.json.ignore-parse-errors', 'yes', `'true' or 'false'`],
    ['value.json.timestamp-format.standard', 'iso-8601', `'SQL' or 'ISO-8601'`],
    ['json.ignore-parse-errors', 'true', `write 'value.json.ignore-parse-errors'`],
    ['value.csv.field-delimiter', ';', `does not use there; it uses 'json'`],
  ])('%s = %s', (option, value, message) => {
    expect(() => check('kafka', TableRole.SOURCE, { [option]: value }, valueJson)).toThrow(message);
  });

  test('what the formats read', () => {
    expect(() => check('kafka', TableRole.SOURCE, { 'value.json.ignore-parse-errors': 'TRUE' }, valueJson)).not.toThrow();
    expect(() => check('elasticsearch-7', TableRole.SINK, { 'json.encode.ignore-null-fields': 'true' })).not.toThrow();
    expect(() => check('filesystem', TableRole.SINK, { format: 'parquet', 'parquet.compression': 'ZSTD' })).not.toThrow();
    expect(() => check('filesystem', TableRole.SINK, { format: 'parquet', 'parquet.utc-timezone': 'UTC' })).toThrow(`'true' or 'false'`);
    expect(() => check('kafka', TableRole.SOURCE, { format: 'mine', 'mine.anything': '1' })).not.toThrow();
    expect(() => check('kafka', TableRole.SOURCE, { format: 'avro-confluent', 'avro-confluent.schema-registry.url': 'u' })).toThrow(
      `use 'avro-confluent.url'`,
    );
  });
});

describe('secrets', () => {
  test.each<[string, string, string]>([
    ['password', 'hunter2', 'is a secret'],
    ['password', token, 'is a secret'],
    ['client-secret', 'x', 'is a secret'],
    ['auth.apiToken', 'x', 'is a secret'],
    ['password', '${env:OTHER}', `refers to '\${env:OTHER}', which no secret declares`],
    ['anything', '${env:HOME}', 'which no secret declares'],
    ['uri', 'mongodb://user:hunter2@h:27017', 'holds a password'],
    ['url', 'jdbc:mysql://h/d?user=u&password=hunter2', 'holds a password'],
    ['properties.sasl.jaas.config', 'ScramLoginModule required username="u" password="p";', 'holds a password'],
  ])('%s = %s, in any connector', (option, value, message) => {
    expect(() => check('clickhouse', TableRole.SINK, { [option]: value })).toThrow(message);
  });

  test.each<[string, string]>([
    ['password', `${secret}`],
    ['uri', `mongodb://user:${secret}@h:27017`],
    ['properties.sasl.jaas.config', `ScramLoginModule required username="u" password="${secret}";`],
    ['properties.sasl.jaas.config', 'software.amazon.msk.auth.iam.IAMLoginModule required;'],
    ['sasl.oauthbearer.token.endpoint.url', 'https://token'],
    ['secret.file', '/etc/secret'],
    ['url', token],
    ['whatever.it-is', 'x'],
  ])('%s = %s passes in a connector that nobody knows', (option, value) => {
    expect(() => check('clickhouse', TableRole.SINK, { [option]: value }, { typed: undefined })).not.toThrow();
  });

  test('a secret is not judged as a value', () => {
    expect(() => check('jdbc', TableRole.SINK, { url: `${secret}` })).not.toThrow();
  });
});

test('the catalogue is read for raw options only', () => {
  jest.isolateModules(() => {
    const fs = require('fs') as typeof import('fs');
    const read = jest.spyOn(fs, 'readFileSync');
    const fresh = require('../../lib/connectors/raw-options') as typeof import('../../lib/connectors/raw-options');
    const catalogueReads = () => read.mock.calls.filter(([path]) => String(path).endsWith('table-options.json')).length;
    fresh.checkRawOptions({ identifier: 'kafka', role: TableRole.SOURCE, options: {}, typed: { topic: 'topic' } });
    expect(catalogueReads()).toBe(0);
    fresh.checkRawOptions({ identifier: 'kafka', role: TableRole.SOURCE, options: { 'scan.parallelism': '3' }, typed: {} });
    expect(catalogueReads()).toBe(1);
    read.mockRestore();
  });
});

describe('an option that is near to none', () => {
  const complaint = (identifier: string, role: TableRole, options: { [key: string]: string }) => () =>
    checkRawOptions({ identifier, role, options, typed: {} });

  test.each([
    ['kafka', 'kafka/'],
    ['elasticsearch-7', 'elasticsearch/'],
    ['opensearch-2', 'opensearch/'],
    ['upsert-kafka', 'upsert-kafka/'],
  ])('points to the page of %s', (identifier, page) => {
    expect(complaint(identifier, TableRole.SINK, { 'quite.another.thing': '1' })).toThrow(
      `reads; its options: https://nightlies.apache.org/flink/flink-docs-stable/docs/connectors/table/${page}`,
    );
  });

  test('lists those of a connector without a page, and of a format', () => {
    expect(complaint('sqs', TableRole.SINK, { 'quite.another.thing': '1' })).toThrow('its options: aws.');
    expect(() =>
      checkRawOptions({
        identifier: 'kafka',
        role: TableRole.SINK,
        options: { 'csv.quite-another-thing': '1' },
        typed: {},
        formats: [{ identifier: 'csv', prefix: 'csv.' }],
      }),
    ).toThrow("is no option of the format 'csv'; its options: csv.allow-comments, ");
  });

  test('a near one is named alone', () => {
    expect(complaint('kafka', TableRole.SINK, { 'sink.partitoner': 'fixed' })).toThrow(/did you mean 'sink\.partitioner'\?$/);
  });
});
