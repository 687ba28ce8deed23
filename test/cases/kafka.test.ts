import { Duration, Stack, Token } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  CheckpointStorage,
  CleanupPolicy,
  Column,
  CompactedTopic,
  DataType,
  DeliveryGuarantee,
  FlinkImage,
  Format,
  type IKafkaTopic,
  KafkaAuthentication,
  KafkaCluster,
  KafkaPartitioner,
  KafkaSink,
  type KafkaSinkProps,
  KafkaSource,
  KafkaStart,
  KafkaTopic,
  type KafkaTopicAttributes,
  MalformedRecords,
  SecretRef,
  SqlProgram,
  TransactionNaming,
  UpsertKafkaSink,
  type UpsertKafkaSinkProps,
  UpsertKafkaSource,
  Watermark,
} from '../../lib';
import type { FlinkApplicationProps } from '../../lib/application/flink-application';
import { application, derived, sink as plainSink, programOf, topic as splits } from '../fixtures/programs';
import { job, newStack } from '../fixtures/stacks';
import { AGGREGATE, APPEND, bind, COLUMNS, into, mirrored, refused, shownAfter, TOKEN, TOP, warned } from './findings';

const CLUSTER = KafkaCluster.selfManaged({ bootstrapServers: ['b:9092'] });
const MSK = {
  clusterArn: 'arn:aws:kafka:eu-central-1:111122223333:cluster/shop/11111111-2222-3333-4444-555555555555-2',
  bootstrapServers: ['b-1.shop:9098'],
};
const STORAGE = CheckpointStorage.location('s3p://state/orders');
const EXACTLY_ONCE = DeliveryGuarantee.EXACTLY_ONCE;
const READ = Format.json({ malformedRecords: MalformedRecords.FAIL });
const KEYED = { primaryKey: ['id'] };

function topic(changed: Partial<KafkaTopicAttributes> = {}): IKafkaTopic {
  return KafkaTopic.fromTopicAttributes({
    cluster: CLUSTER,
    topicName: 'totals',
    partitions: 6,
    cleanupPolicy: CleanupPolicy.COMPACT,
    ...changed,
  });
}

function upsert(changed: Partial<UpsertKafkaSinkProps> = {}): UpsertKafkaSink {
  return new UpsertKafkaSink({ topic: topic(), keyFormat: Format.json(), valueFormat: Format.json(), ...changed });
}

function append(changed: Partial<KafkaSinkProps> = {}): KafkaSink {
  return new KafkaSink({ topic: topic({ cleanupPolicy: CleanupPolicy.DELETE }), format: Format.json(), ...changed });
}

describe('UK-01 an aggregate into an append-only table', () => {
  test('is refused, with the table that takes it', () => {
    expect(refused(into(append(), {}, AGGREGATE))).toEqual([
      expect.stringMatching(
        /^the query into 'out' of job 'orders' has a GROUP BY without a window.*UpsertKafkaSink with a primaryKey.*UpdatesIntoAppendOnlySink\]$/,
      ),
    ]);
  });

  test.each([
    ['a sum of all', into(append(), {}, "SELECT 'all', SUM(amount) FROM events")],
    ['the best rows', into(append(), {}, TOP)],
    ['changes of a database', mirrored(append())],
  ])('so are %s', (_, program) => {
    expect(refused(program)).toEqual([expect.stringMatching(/the kafka table only appends: the job fails; write to a table with a key/)]);
  });

  test.each([
    ['rows that are only added', append(), {}, APPEND],
    ['an upsert table', upsert(), KEYED, AGGREGATE],
    ['changes in the records', append({ format: Format.debeziumJson({ schemaInclude: false }) }), {}, AGGREGATE],
    [
      'a window',
      append(),
      {},
      "SELECT id, SUM(amount) FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(at), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end, id",
    ],
    ['a group within a lookup of names', append(), {}, "SELECT id, amount FROM events WHERE id <> 'GROUP BY'"],
  ])('%s: passes', (_, connector, table, query) => {
    expect(refused(into(connector, table, query))).toEqual([]);
  });

  test('a window behind a view passes, and so does a batch job', () => {
    const program = into(append());
    const view = program.addView(
      'minutes',
      "SELECT id, amount, window_start AS minute FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(at), INTERVAL '1' MINUTE))",
    );
    const out = program.addTable('sums', { connector: append(), columns: COLUMNS });
    program.addInsert(out, `SELECT id, SUM(amount) FROM ${view} GROUP BY minute, id`);
    expect(refused(program)).toEqual([]);
    expect(refused(into(append(), {}, AGGREGATE), { flinkConfiguration: { 'execution.runtime-mode': 'BATCH' } })).toEqual([]);
    expect(refused(into(append(), {}, AGGREGATE), { flinkConfiguration: { 'execution.runtime-mode': TOKEN } })).toEqual([]);
  });
});

describe('UK-02 an upsert table without a primary key', () => {
  test('is refused; with one, the key stands in the table', () => {
    expect(() => bind(upsert())).toThrow("table 'out' must have a primary key: it is the key of the Kafka records");
    expect(() => bind(upsert(), { primaryKey: ['missing'] })).toThrow('missing');
    expect(into(upsert(), KEYED).toSql()).toContain('PRIMARY KEY (`id`) NOT ENFORCED');
  });
});

describe('UK-03 the formats of key and value', () => {
  test('are always both written, and never as one', () => {
    const { options } = bind(upsert(), KEYED);
    expect(options).toMatchObject({ 'key.format': 'json', 'value.format': 'json' });
    expect(options).not.toHaveProperty('format');
  });

  test('a raw format is refused, a raw option of the value passes', () => {
    expect(() => bind(upsert({ options: { format: 'json' } }), KEYED)).toThrow("'format' is written by the library: use valueFormat");
    expect(() => bind(upsert({ options: { 'properties.linger.ms': '5' } }), KEYED)).not.toThrow();
    expect(() => bind(upsert({ options: { 'properties.linger.ms': TOKEN } }), KEYED)).not.toThrow();
  });
});

describe('UK-04 a format of changes in an upsert table', () => {
  test.each([
    ['keyFormat', Format.debeziumJson({ schemaInclude: false })],
    ['valueFormat', Format.debeziumJson({ schemaInclude: false })],
  ])('%s is refused', (prop, format) => {
    expect(() => upsert({ [prop]: format })).toThrow(new RegExp(`${prop} must hold plain rows.*got 'debezium-json'`));
  });

  test.each(['canal-json', 'maxwell-json', 'ogg-json', 'debezium-avro-confluent'])('%s is refused as a raw option', (identifier) => {
    expect(() => bind(upsert({ options: { 'value.format': identifier } }), KEYED)).toThrow("'value.format' is written by the library");
  });

  test('plain rows pass', () => {
    expect(() => upsert({ keyFormat: Format.raw(), valueFormat: Format.json() })).not.toThrow();
  });
});

describe('UK-05 one half of the buffer', () => {
  const flush = (maxRows: number, interval: Duration) => () => bind(upsert({ bufferFlush: { maxRows, interval } }), KEYED);

  test('is refused, both and none pass, and so does a token', () => {
    expect(flush(1000, Duration.seconds(0))).toThrow(/bufferFlush must have maxRows and interval both above zero, or both zero/);
    expect(flush(0, Duration.seconds(1))).toThrow(/both above zero, or both zero/);
    expect(flush(1000, Duration.seconds(1))().options).toMatchObject({
      'sink.buffer-flush.max-rows': '1000',
      'sink.buffer-flush.interval': '1 s',
    });
    expect(flush(0, Duration.seconds(0))).not.toThrow();
    expect(flush(Token.asNumber({ Ref: 'Rows' }), Duration.seconds(1))).not.toThrow();
  });
});

describe('UK-06 a prefix of the key columns', () => {
  const columns = [Column.physical('k_id', DataType.STRING), Column.physical('id', DataType.STRING)];

  test('takes the key out of the value, and stands before each key column', () => {
    expect(bind(upsert({ keyFieldsPrefix: 'k_' }), { columns, primaryKey: ['k_id'] }).options).toMatchObject({
      'key.fields-prefix': 'k_',
      'value.fields-include': 'EXCEPT_KEY',
    });
    expect(() => bind(upsert({ keyFieldsPrefix: 'k_' }), { columns, primaryKey: ['id'] })).toThrow(
      "keyFieldsPrefix 'k_' must begin the name of every key column, got the key column 'id'",
    );
  });
});

describe('UK-08 the transactional id prefix', () => {
  test('is made of namespace, job and table; an empty one is refused', () => {
    const { script } = application({ program: into(upsert({ guarantee: EXACTLY_ONCE }), KEYED) });
    expect(script).toContain("'sink.transactional-id-prefix' = 'streaming.orders.out'");
    expect(() => upsert({ guarantee: EXACTLY_ONCE, transactionalIdPrefix: ' ' })).toThrow('transactionalIdPrefix must not be empty');
    expect(() => upsert({ guarantee: EXACTLY_ONCE, transactionalIdPrefix: 'shop.totals' })).not.toThrow();
  });
});

describe('UK-09 one prefix for two sinks', () => {
  const exactly = (transactionalIdPrefix?: string) => into(upsert({ guarantee: EXACTLY_ONCE, transactionalIdPrefix }), KEYED);
  const refusal = /have the transactional id prefix 'mine' in one Kafka cluster, and would fence each other/;

  test('is refused within a job and across jobs; prefixes of their own pass', () => {
    const both = exactly('mine');
    const second = both.addTable('second', {
      connector: upsert({ guarantee: EXACTLY_ONCE, transactionalIdPrefix: 'mine' }),
      columns: COLUMNS,
      ...KEYED,
    });
    both.addInsert(second, APPEND);
    expect(() => job(newStack(), { program: both })).toThrow("sinks 'out' and 'second' have the same transactional id prefix 'mine'");

    const stack = newStack();
    job(stack, { program: exactly('mine') });
    const other = { jobName: 'other', program: exactly('mine') };
    expect(() =>
      job(new Stack(stack.node.root as never, 'Other', { env: { account: '111122223333', region: 'eu-central-1' } }), other),
    ).toThrow(refusal);
  });

  test('what the library makes differs by job and table', () => {
    const stack = newStack();
    job(stack, { program: exactly() });
    expect(() => job(new Stack(stack.node.root as never, 'Other'), { jobName: 'other', program: exactly() })).not.toThrow();
  });
});

describe('UK-10 a prefix that changes with each deployment', () => {
  test.each([
    ['orders-1.4.2', 'a version'],
    ['orders-20260131', 'a date'],
    ['orders-1769817600', 'a time'],
    ['orders-3f2a9c1', 'a hash'],
    [TOKEN, 'a token'],
  ])('%s is refused', (transactionalIdPrefix, why) => {
    expect(() => upsert({ guarantee: EXACTLY_ONCE, transactionalIdPrefix })).toThrow(why);
  });

  test.each(['orders-v14', 'orders-build-8841'])('%s may change with each, and is warned of', (transactionalIdPrefix) => {
    const program = () => into(upsert({ guarantee: EXACTLY_ONCE, transactionalIdPrefix }), KEYED);
    expect(warned(program())).toEqual(['NumberedPrefix']);
    expect(shownAfter('NumberedPrefix', program())).toEqual([]);
  });

  test('a name passes, and another image leaves what the library makes', () => {
    expect(() => upsert({ guarantee: EXACTLY_ONCE, transactionalIdPrefix: 'orders-v' })).not.toThrow();
    const prefix = (changed: Partial<FlinkApplicationProps>) =>
      /'sink.transactional-id-prefix' = '(.*)'/.exec(
        application({ program: into(upsert({ guarantee: EXACTLY_ONCE }), KEYED), ...changed }).script!,
      )![1];
    const [first, second] = ['registry/orders:1.4.2', 'registry/orders:1.4.3'].map((name) => prefix({ image: FlinkImage.named(name) }));
    expect(second).toBe(first);
    expect(prefix({ program: into(upsert({ guarantee: EXACTLY_ONCE }), KEYED, "SELECT id, amount FROM events WHERE id <> ''") })).toBe(
      first,
    );
    expect(prefix({ jobName: 'items' })).not.toBe(first);
  });
});

describe('UK-11 exactly-once without checkpoints', () => {
  const program = () => into(upsert({ guarantee: EXACTLY_ONCE }), KEYED);

  test('cannot be: an interval of zero is refused, and there is one by default', () => {
    expect(() => application({ program: program(), checkpointing: { storage: STORAGE, interval: Duration.millis(0) } })).toThrow(
      /interval/,
    );
    expect(() => application({ program: program(), flinkConfiguration: { 'execution.checkpointing.interval': '0' } })).toThrow(
      'execution.checkpointing.interval',
    );
    expect(application({ program: program() }).flinkConfiguration['execution.checkpointing.interval']).toBe('1 min');
  });
});

describe('UK-12 the transaction timeout', () => {
  test('outlives the checkpoints and an outage, or the job is refused with the sum', () => {
    const checkpointing = { storage: STORAGE, interval: Duration.minutes(10), timeout: Duration.minutes(10) };
    expect(() => application({ program: into(upsert({ guarantee: EXACTLY_ONCE }), KEYED), checkpointing })).toThrow(
      /must stay open for .* above the broker's transaction.max.timeout.ms of 900 s/,
    );
    const fitting = { storage: STORAGE, interval: Duration.seconds(30), timeout: Duration.minutes(1) };
    const { script } = application({ program: into(upsert({ guarantee: EXACTLY_ONCE }), KEYED), checkpointing: fitting });
    const timeout = Number(/'properties.transaction.timeout.ms' = '(\d+)'/.exec(script!)![1]);
    expect(timeout).toBeGreaterThan(30_000 + 60_000 + 300_000);
    expect(timeout).toBeLessThanOrEqual(900_000);
  });

  test('cannot be written beside', () => {
    expect(() => bind(upsert({ guarantee: EXACTLY_ONCE, options: { 'properties.transaction.timeout.ms': '300000' } }), KEYED)).toThrow(
      /'properties.transaction.timeout.ms' is written by the library/,
    );
  });
});

describe('UK-13 a reader of transactions', () => {
  test.each([
    ['plain', new KafkaSource({ topic: topic(), format: READ, start: KafkaStart.earliest() }), {}],
    ['upsert', new UpsertKafkaSource({ topic: topic(), keyFormat: READ, valueFormat: READ }), KEYED],
  ])('%s: sees what is committed', (_, connector, table) => {
    expect(bind(connector, table).options['properties.isolation.level']).toBe('read_committed');
  });
});

describe('UK-14 records without a key in a compacted topic', () => {
  test('are refused; with a key, and in another topic, they pass', () => {
    expect(() => append({ topic: topic() })).toThrow("a sink of the compacted topic 'totals' must have a key");
    expect(() => append({ topic: topic(), key: { format: Format.json(), fields: ['id'] } })).not.toThrow();
    expect(() => append()).not.toThrow();
    expect(() => append({ topic: topic({ topicName: TOKEN, cleanupPolicy: undefined }) })).not.toThrow();
  });
});

describe('UK-15 upserts into a topic that deletes by age', () => {
  const on = (cleanupPolicy?: CleanupPolicy) => into(upsert({ topic: topic({ cleanupPolicy }) }), KEYED);

  test.each([CleanupPolicy.DELETE, CleanupPolicy.COMPACT_AND_DELETE])('%s is warned of, for reader and writer', (cleanupPolicy) => {
    expect(warned(on(cleanupPolicy))).toEqual(['VanishingKeys']);
    const program = new SqlProgram();
    const connector = new UpsertKafkaSource({ topic: topic({ cleanupPolicy }), keyFormat: READ, valueFormat: READ });
    const latest = program.addTable('latest', { connector, columns: COLUMNS, ...KEYED });
    program.addInsert(program.addTable('out', { ...plainSink(), columns: COLUMNS }), `SELECT * FROM ${latest}`);
    expect(warned(program)).toEqual(['VanishingKeys']);
  });

  test('a compacted topic passes, and one whose policy is not known', () => {
    expect(warned(on(CleanupPolicy.COMPACT))).toEqual([]);
    expect(warned(on(undefined))).toEqual([]);
  });

  test('acknowledged it is silent', () => {
    expect(shownAfter('VanishingKeys', on(CleanupPolicy.COMPACT_AND_DELETE))).toEqual([]);
    expect(shownAfter('Another', on(CleanupPolicy.COMPACT_AND_DELETE))).toEqual(['VanishingKeys']);
  });
});

/** Settings and warnings of a compacted topic. */
function compacted(changed: Partial<ConstructorParameters<typeof CompactedTopic>[2]> = {}): {
  config: CompactedTopic['config'];
  warnings: string[];
} {
  const stack = newStack();
  const created = new CompactedTopic(stack, 'Topic', { cluster: KafkaCluster.msk(MSK), topicName: 'totals', partitions: 6, ...changed });
  const warnings = created.node.metadata.filter(({ type }) => type === 'aws:cdk:warning').map(({ data }) => String(data));
  return { config: created.config, warnings };
}

describe('UK-17 tombstones', () => {
  test('stay a day, longer than the slowest reader is away', () => {
    expect(compacted().config).toMatchObject({ 'cleanup.policy': 'compact', 'delete.retention.ms': '86400000' });
    expect(compacted({ slowestReaderAbsence: Duration.hours(72) }).config!['delete.retention.ms']).toBe(String(96 * 3_600_000));
    expect(() => compacted({ tombstoneRetention: Duration.hours(2), slowestReaderAbsence: Duration.hours(3) })).toThrow(
      'tombstoneRetention must be longer than slowestReaderAbsence',
    );
  });

  test('a short retention is warned of, a day is not', () => {
    expect(compacted({ tombstoneRetention: Duration.minutes(1) }).warnings).toEqual([
      expect.stringContaining('forgets deleted keys after 60000 ms'),
    ]);
    expect(compacted({ tombstoneRetention: Duration.days(1) }).warnings).toEqual([]);
  });
});

describe('UK-18 in-sync replicas', () => {
  test('more than there are copies are refused, as many are warned of, 3 and 2 pass', () => {
    expect(() => compacted({ replicationFactor: 1, minInSyncReplicas: 2 })).toThrow(
      'minInSyncReplicas must be at most the replicationFactor, 1, got 2',
    );
    expect(compacted({ replicationFactor: 2, minInSyncReplicas: 2 }).warnings).toEqual([
      expect.stringContaining('needs all its 2 copies for each write'),
    ]);
    expect(compacted({ replicationFactor: 3, minInSyncReplicas: 2 }).warnings).toEqual([]);
    expect(compacted({ replicationFactor: Token.asNumber({ Ref: 'Copies' }), minInSyncReplicas: 2 }).warnings).toEqual([]);
  });
});

describe('UK-20 more readers than partitions', () => {
  const read = (partitions?: number) =>
    application({ parallelism: 8, program: programOf({ events: splits('clicks', partitions), out: plainSink() }) });

  test('the source is capped at its partitions, and idle ones hold no watermark back', () => {
    expect(derived(read(3), 'scan.parallelism', 'events')?.value).toBe('3');
    expect(derived(read(8), 'scan.parallelism', 'events')).toBeUndefined();
    expect(derived(read(undefined), 'scan.parallelism', 'events')).toBeUndefined();
    const program = new SqlProgram();
    const source = new KafkaSource({ topic: topic({ partitions: 3 }), format: READ, start: KafkaStart.earliest() });
    const at = Column.physical('at', DataType.timestamp(3));
    const events = program.addTable('events', { connector: source, columns: [...COLUMNS, at], watermark: Watermark.ascending('at') });
    program.addInsert(program.addTable('out', { ...plainSink(), columns: COLUMNS }), `SELECT id, amount FROM ${events}`);
    const { script } = application({ parallelism: 8, program });
    expect(script).toContain("'scan.parallelism' = '3'");
    expect(script).toContain("SET 'table.exec.source.idle-timeout' = '2 min';");
  });
});

describe('UK-21 the login module', () => {
  test('of MSK IAM comes with the client whose classes are not relocated', () => {
    const binding = bind(append({ topic: topic({ cluster: KafkaCluster.msk(MSK), cleanupPolicy: CleanupPolicy.DELETE }) }));
    expect(binding.options['properties.sasl.jaas.config']).toBe('software.amazon.msk.auth.iam.IAMLoginModule required;');
    expect(binding.artifacts!.map(({ coordinate }) => coordinate)).toEqual([
      'org.apache.flink:flink-connector-kafka',
      'software.amazon.msk:aws-msk-iam-auth',
    ]);
  });

  test('of SCRAM stands under the name that it has in the SQL jar', () => {
    const authentication = KafkaAuthentication.scram({ username: 'flink', password: SecretRef.kubernetes('kafka', 'password') });
    const cluster = KafkaCluster.selfManaged({ bootstrapServers: ['b:9093'], authentication });
    const binding = bind(append({ topic: topic({ cluster, cleanupPolicy: CleanupPolicy.DELETE }) }));
    expect(binding.options['properties.sasl.jaas.config']).toMatch(
      /^org\.apache\.flink\.kafka\.shaded\.org\.apache\.kafka\.common\.security\.scram\.ScramLoginModule required/,
    );
    expect(binding.artifacts!.map(({ coordinate }) => coordinate)).toEqual(['org.apache.flink:flink-sql-connector-kafka']);
  });
});

describe('UK-22 columns beside the key', () => {
  const strict = { columns: [COLUMNS[0]!, Column.physical('amount', DataType.BIGINT.notNull())], ...KEYED };
  const query = 'SELECT id, 1 FROM events';
  const dropping = (table: object) => {
    const program = into(upsert(), table, query);
    program.set('table.exec.sink.not-null-enforcer', 'DROP');
    return program;
  };

  test('are nullable unless it is said', () => {
    expect(into(upsert(), KEYED).toSql()).toMatch(/`amount` BIGINT,?\n/);
  });

  test('are warned of where an enforcer drops the deletes that lack them', () => {
    expect(warned(dropping(strict))).toEqual(['DroppedDeletes']);
    expect(warned(dropping(KEYED))).toEqual([]);
    expect(warned(into(upsert(), strict, query))).toEqual([]);
    expect(warned(into(upsert(), strict, query), { flinkConfiguration: { 'table.exec.sink.not-null-enforcer': TOKEN } })).toEqual([]);
  });

  test('acknowledged it is silent', () => {
    expect(shownAfter('DroppedDeletes', dropping(strict))).toEqual([]);
  });
});

describe('UK-23 pooled transactions', () => {
  const pooled = (kafkaVersion?: string) =>
    upsert({
      topic: topic({ cluster: KafkaCluster.msk({ ...MSK, kafkaVersion }) }),
      guarantee: EXACTLY_ONCE,
      transactionNaming: TransactionNaming.POOLING,
    });
  const actions = (connector: UpsertKafkaSink) => {
    const stack = newStack();
    const role = new Role(stack, 'Role', { assumedBy: new ServicePrincipal('pods.eks.amazonaws.com') });
    bind(connector, KEYED).access!.forEach((access) => {
      access.grantTo(role, { transactionalIdPrefix: 'mine' });
    });
    const [policy] = Object.values(Template.fromStack(stack).findResources('AWS::IAM::Policy'));
    return policy!.Properties.PolicyDocument.Statement.flatMap((statement: { Action: string | string[] }) => statement.Action);
  };

  test('read the topic, too; they need Kafka 3', () => {
    expect(actions(pooled('3.6.0'))).toContain('kafka-cluster:ReadData');
    expect(actions(upsert({ topic: topic({ cluster: KafkaCluster.msk(MSK) }), guarantee: EXACTLY_ONCE }))).not.toContain(
      'kafka-cluster:ReadData',
    );
    expect(() => pooled('2.8.1')).toThrow("transactionNaming POOLING needs Kafka 3.0 or later, got kafkaVersion '2.8.1'");
    expect(() => pooled()).not.toThrow();
  });

  test('are never the default', () => {
    expect(bind(upsert({ guarantee: EXACTLY_ONCE }), KEYED).options).not.toHaveProperty('sink.transaction-naming-strategy');
  });
});

describe('UK-24 the fixed partitioner', () => {
  const fixed = (partitions?: number, writers?: number) =>
    into(append({ topic: topic({ partitions, cleanupPolicy: CleanupPolicy.DELETE }), partitioner: KafkaPartitioner.FIXED, writers }));

  test('is warned of with fewer writers than partitions', () => {
    expect(warned(fixed(12))).toEqual(['EmptyPartitions']);
    expect(warned(fixed(4, 2))).toEqual(['EmptyPartitions']);
    expect(warned(fixed(4))).toEqual([]);
    expect(warned(fixed(undefined))).toEqual([]);
    expect(warned(into(append({ topic: topic({ partitions: 12, cleanupPolicy: CleanupPolicy.DELETE }) })))).toEqual([]);
  });

  test('acknowledged it is silent', () => {
    expect(shownAfter('EmptyPartitions', fixed(12))).toEqual([]);
  });
});
