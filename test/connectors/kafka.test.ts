import { Stack, Token } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Format, MalformedRecords } from '../../lib/connectors/format';
import { IsolationLevel } from '../../lib/connectors/isolation-level';
import { KafkaPartitioner } from '../../lib/connectors/kafka-partitioner';
import { KafkaSink, type KafkaSinkProps } from '../../lib/connectors/kafka-sink';
import { KafkaSource, type KafkaSourceProps } from '../../lib/connectors/kafka-source';
import { KafkaStart, OffsetReset } from '../../lib/connectors/kafka-start';
import { TransactionNaming } from '../../lib/connectors/kafka-writer';
import { CompactedTopic } from '../../lib/kafka/compacted-topic';
import { KafkaAuthentication } from '../../lib/kafka/kafka-authentication';
import { KafkaCluster } from '../../lib/kafka/kafka-cluster';
import { KafkaTopic } from '../../lib/kafka/kafka-topic';
import { CleanupPolicy } from '../../lib/kafka/topic-configuration';
import { Artifact } from '../../lib/sql/artifact';
import { Column } from '../../lib/sql/column';
import { type AccessContext, Changes, type ConnectorBinding, DeliveryGuarantee, TableRole } from '../../lib/sql/connector';
import { DataType } from '../../lib/sql/data-type';
import { SecretRef } from '../../lib/sql/secret-ref';
import { SqlProgram } from '../../lib/sql/sql-program';
import { bind, iamCluster, plainCluster, topic } from './kafka-fixtures';

const json = Format.json({ malformedRecords: MalformedRecords.FAIL });
const debezium = Format.debeziumJson({ schemaInclude: false, malformedRecords: MalformedRecords.FAIL });

function source(changed: Partial<KafkaSourceProps> = {}): KafkaSource {
  return new KafkaSource({ topic: topic('orders'), format: json, start: KafkaStart.earliest(), ...changed });
}

function sink(changed: Partial<KafkaSinkProps> = {}): KafkaSink {
  return new KafkaSink({ topic: topic('orders'), format: Format.json(), ...changed });
}

describe('KafkaSource', () => {
  test('reads plain rows with the options of its cluster, topic, start and format', () => {
    const binding = bind(source());
    expect(binding).toMatchObject({
      identifier: 'kafka',
      role: TableRole.SOURCE,
      source: {
        changes: Changes.INSERT_ONLY,
        splits: { unit: 'partition', of: 'topic orders', count: 6 },
        parallelismOption: 'scan.parallelism',
        repeatsEvents: false,
        consumerGroup: { option: 'properties.group.id' },
      },
    });
    expect(binding.sink).toBeUndefined();
    expect(Object.entries(binding.options)).toEqual([
      ['topic', 'orders'],
      ['properties.bootstrap.servers', 'b:9092'],
      ['properties.security.protocol', 'PLAINTEXT'],
      ['properties.isolation.level', 'read_committed'],
      ['scan.startup.mode', 'earliest-offset'],
      ['value.format', 'json'],
    ]);
    expect(binding.artifacts).toEqual([Artifact.released('org.apache.flink:flink-sql-connector-kafka')]);
  });

  test('reads its key by key.format and key.fields together', () => {
    const key = { format: json, fields: ['k_id', 'k_item'], fieldsPrefix: 'k_' };
    const columns = [
      Column.physical('k_id', DataType.STRING),
      Column.physical('k_item', DataType.STRING),
      Column.physical('id', DataType.STRING),
    ];
    const binding = bind(source({ key }), { columns });
    expect(binding.options).toMatchObject({
      'key.format': 'json',
      'key.fields': 'k_id;k_item',
      'key.fields-prefix': 'k_',
      'value.fields-include': 'EXCEPT_KEY',
    });
    expect(bind(source({ key: { format: json, fields: ['id'] } })).options['value.fields-include']).toBeUndefined();
    expect(bind(source({ key: { format: json, fields: ['id'], inValue: false } })).options['value.fields-include']).toBe('EXCEPT_KEY');
  });

  test('each format sees only its own columns', () => {
    const raw = { format: Format.raw(), fields: ['id'], inValue: false };
    expect(bind(source({ key: raw, format: Format.raw() })).options).toMatchObject({ 'key.format': 'raw', 'value.format': 'raw' });
    expect(() => bind(source({ key: { ...raw, inValue: true }, format: Format.raw() }))).toThrow(/'raw' of table 'orders' must have one/);
  });

  test.each([
    ['no fields', { format: json, fields: [] }, /fields of the key must name one column at least, got none/],
    ['a field twice', { format: json, fields: ['id', 'id'] }, /must name each column once, got id, id/],
    ['a semicolon', { format: json, fields: ['a;b'] }, /cannot hold it/],
    ['a list', { format: json, fields: ['[a]'] }, /cannot hold it/],
    ['changes', { format: debezium, fields: ['id'] }, /format of the key must hold plain rows.*got 'debezium-json'/],
    ['an empty prefix', { format: json, fields: ['id'], fieldsPrefix: '' }, /fieldsPrefix must not be empty/],
    [
      'another prefix',
      { format: json, fields: ['id'], fieldsPrefix: 'k_' },
      /'k_' must begin the name of every key column, got the key column 'id'/,
    ],
    ['a bare prefix', { format: json, fields: ['k_'], fieldsPrefix: 'k_' }, /got the key column 'k_'/],
    ['a prefix in the value', { format: json, fields: ['k_a'], fieldsPrefix: 'k_', inValue: true }, /inValue must be false/],
  ])('refuses a key with %s', (_, key, message) => {
    expect(() => source({ key })).toThrow(message);
    expect(() => sink({ key })).toThrow(message);
  });

  test('refuses key fields that are no physical columns', () => {
    expect(() => bind(source({ key: { format: json, fields: ['nope'] } }))).toThrow(
      "fields of the key of table 'orders' must be physical columns, got 'nope'; physical columns: id, amount",
    );
    const columns = [Column.physical('a', DataType.STRING), Column.computed('id', 'UPPER(`a`)')];
    expect(() => bind(source({ key: { format: json, fields: ['id'] } }), { columns })).toThrow(/got 'id'; physical columns: a$/);
  });

  test('a primary key goes with changes only', () => {
    expect(() => bind(source(), { primaryKey: ['id'] })).toThrow(
      /table 'orders' must not have a primary key: .*'json' cannot keep it unique.*UpsertKafkaSource/,
    );
    expect(bind(source({ format: debezium }), { primaryKey: ['id'] }).source).toMatchObject({
      changes: Changes.ALL,
      repeatsEvents: true,
      parallelismOption: 'scan.parallelism',
    });
  });

  test('changes without a key have no parallelism of their own, and repeated events cannot be told', () => {
    expect(bind(source({ format: debezium })).source).toMatchObject({
      changes: Changes.ALL,
      repeatsEvents: false,
      parallelismOption: undefined,
    });
  });

  test.each([
    [KafkaStart.latest(), { 'scan.startup.mode': 'latest-offset' }],
    [
      KafkaStart.groupOffsets({ resetStrategy: OffsetReset.EARLIEST }),
      { 'scan.startup.mode': 'group-offsets', 'properties.auto.offset.reset': 'earliest' },
    ],
    [
      KafkaStart.timestamp(new Date('2026-01-31T00:00:00Z')),
      { 'scan.startup.mode': 'timestamp', 'scan.startup.timestamp-millis': '1769817600000' },
    ],
    [
      KafkaStart.specificOffsets({ 5: 300, 0: 42 }),
      { 'scan.startup.mode': 'specific-offsets', 'scan.startup.specific-offsets': 'partition:0,offset:42;partition:5,offset:300' },
    ],
  ])('starts where it is told: %j', (start, options) => {
    expect(bind(source({ start })).options).toMatchObject(options);
  });

  test('refuses a start that cannot be', () => {
    expect(() => KafkaStart.groupOffsets({} as never)).toThrow(
      'resetStrategy of KafkaStart.groupOffsets must be one of OffsetReset.EARLIEST',
    );
    expect(() => KafkaStart.timestamp(new Date('yesterday'))).toThrow(/must be a valid date from 1970 on, got Invalid Date/);
    expect(() => KafkaStart.specificOffsets({})).toThrow(/must name one partition at least/);
    expect(() => KafkaStart.specificOffsets({ first: 1 })).toThrow(/by partition number, got 'first'/);
    expect(() => KafkaStart.specificOffsets({ 0: -1 })).toThrow(/start offset of partition 0 must be a whole number of at least 0, got -1/);
    expect(() => source({ start: KafkaStart.specificOffsets({ 6: 0 }) })).toThrow(/partitions of topic 'orders', which are 0 to 5, got 6/);
    expect(() => source({ topic: topic('orders', { partitions: undefined }), start: KafkaStart.specificOffsets({ 6: 0 }) })).not.toThrow();
  });

  test('takes the group and the isolation level of the user', () => {
    const binding = bind(source({ consumerGroup: 'billing', isolationLevel: IsolationLevel.READ_UNCOMMITTED }));
    expect(binding.options['properties.isolation.level']).toBe('read_uncommitted');
    expect(binding.source?.consumerGroup).toEqual({ option: 'properties.group.id', name: 'billing' });
    expect(() => source({ consumerGroup: ' ' })).toThrow(/consumerGroup must not be empty/);
    for (const consumerGroup of ['*', 'orders?', '${aws:username}', `${Token.asString({ Ref: 'Namespace' })}.*`]) {
      expect(() => source({ consumerGroup })).toThrow(/consumerGroup must not hold '\*', '\?' or '\$\{', which have a meaning in a policy/);
    }
    const token = Token.asString({ Ref: 'Group' });
    expect(bind(source({ consumerGroup: token })).source?.consumerGroup?.name).toBe(token);
  });

  test('tells how long records can be read, where that is known and ends', () => {
    const stack = new Stack();
    let at = 0;
    const kept = (config?: { [key: string]: string }) => {
      at += 1;
      const name = `orders-${at}`;
      const created = new KafkaTopic(stack, name, { cluster: plainCluster, topicName: name, partitions: 6, config });
      return bind(source({ topic: created })).source!.retentionPeriod?.toMilliseconds();
    };
    expect(kept({ 'retention.ms': '480000' })).toBe(480_000);
    expect(kept({ 'retention.ms': '480000', 'cleanup.policy': 'compact,delete' })).toBe(480_000);
    expect(kept({ 'retention.ms': '-1' })).toBeUndefined();
    expect(kept({ 'retention.ms': Token.asString({ Ref: 'Retention' }) })).toBeUndefined();
    expect(kept()).toBeUndefined();
    expect(bind(source()).source!.retentionPeriod).toBeUndefined();
    const config = { 'retention.ms': '480000' };
    const compacted = new CompactedTopic(stack, 'Compacted', { cluster: plainCluster, topicName: 'compacted', partitions: 6, config });
    expect(bind(source({ topic: compacted })).source!.retentionPeriod).toBeUndefined();
  });

  test('a count of partitions that nobody knows is passed on with its reason', () => {
    const { splits } = bind(source({ topic: topic('orders', { partitions: undefined }) })).source!;
    expect(splits?.count).toBeUndefined();
    expect(splits?.unknownBecause).toEqual(expect.any(String));
    expect(bind(source()).source?.splits?.unknownBecause).toBeUndefined();
  });

  test.each(['topic', 'partition', 'headers', 'leader-epoch', 'offset', 'timestamp', 'timestamp-type'])('reads the metadata %s', (from) => {
    const columns = [Column.physical('id', DataType.STRING), Column.metadata('m', DataType.STRING, { from })];
    expect(() => bind(source(), { columns })).not.toThrow();
  });

  test('reads metadata of Debezium, and only of Debezium', () => {
    const columns = [Column.physical('id', DataType.STRING), Column.metadata('db', DataType.STRING, { from: 'value.source.database' })];
    expect(() => bind(source({ format: debezium }), { columns })).not.toThrow();
    expect(() => bind(source(), { columns })).toThrow(
      /metadata column 'db' of table 'orders' must come from one of 'topic'.*got 'value.source.database'/,
    );
    const unnamed = [Column.physical('id', DataType.STRING), Column.metadata('offset_of_record', DataType.BIGINT)];
    expect(() => bind(source(), { columns: unnamed })).toThrow(/got 'offset_of_record'; name the key with from/);
  });

  test('a format for reading must say what it does with malformed records', () => {
    expect(() => bind(source({ format: Format.json() }))).toThrow(/malformedRecords/);
    expect(() => bind(source({ key: { format: Format.json(), fields: ['id'] } }))).toThrow(/malformedRecords/);
    expect(() => bind(source({ format: Format.parquet() }))).toThrow(/makes files/);
  });

  test('formats bring their jars and secrets', () => {
    const avro = Format.avroConfluent({ url: 'https://registry:8081' });
    expect(bind(source({ format: avro })).artifacts).toContainEqual(
      Artifact.released('org.apache.flink:flink-sql-avro-confluent-registry'),
    );
    expect(bind(source({ format: avro })).options['value.avro-confluent.url']).toBe('https://registry:8081');
  });

  test('raw options pass unless a prop sets them', () => {
    expect(bind(source({ options: { 'scan.bounded.mode': 'latest-offset', 'properties.max.poll.records': '100' } })).options).toMatchObject(
      {
        'scan.bounded.mode': 'latest-offset',
        'properties.max.poll.records': '100',
      },
    );
    for (const [option, prop] of [
      ['scan.startup.mode', 'start'],
      ['properties.group.id', 'consumerGroup'],
      ['properties.isolation.level', 'isolationLevel'],
      ['properties.bootstrap.servers', 'cluster of the topic'],
      ['scan.parallelism', 'partitions of the topic'],
      ['key.fields', 'key'],
      ['value.format', 'format'],
    ] as const) {
      expect(() => bind(source({ options: { [option]: '1' } }))).toThrow(new RegExp(`'${option}' is written by the library: use ${prop}`));
    }
    expect(() => bind(source({ options: { 'sink.parallelism': '1' } }))).toThrow(/sink.parallelism/);
  });

  test('a cluster with MSK IAM takes the thin client, whose login module is not relocated', () => {
    const binding = bind(source({ topic: topic('orders', { cluster: iamCluster }) }));
    expect(binding.artifacts).toEqual([
      Artifact.released('org.apache.flink:flink-connector-kafka'),
      Artifact.released('software.amazon.msk:aws-msk-iam-auth'),
    ]);
    expect(binding.options).toMatchObject({
      'properties.security.protocol': 'SASL_SSL',
      'properties.sasl.mechanism': 'AWS_MSK_IAM',
      'properties.sasl.jaas.config': 'software.amazon.msk.auth.iam.IAMLoginModule required;',
      'properties.sasl.client.callback.handler.class': 'software.amazon.msk.auth.iam.IAMClientCallbackHandler',
    });
  });
});

describe('KafkaSink', () => {
  test('writes plain rows at least once', () => {
    const binding = bind(sink());
    expect(Object.entries(binding.options)).toEqual([
      ['topic', 'orders'],
      ['properties.bootstrap.servers', 'b:9092'],
      ['properties.security.protocol', 'PLAINTEXT'],
      ['value.format', 'json'],
      ['sink.delivery-guarantee', 'at-least-once'],
    ]);
    expect(binding.source).toBeUndefined();
    expect(binding.sink).toEqual({
      changes: Changes.INSERT_ONLY,
      guarantee: DeliveryGuarantee.AT_LEAST_ONCE,
      splits: expect.objectContaining({ unit: 'partition', count: 6 }),
      parallelismOption: 'sink.parallelism',
      writers: undefined,
      transactions: undefined,
      compacted: false,
    });
  });

  test('says in SQL what other teams may rely on', () => {
    const program = new SqlProgram();
    program.addTable('orders', {
      connector: sink({ key: { format: Format.json(), fields: ['id'] }, guarantee: DeliveryGuarantee.EXACTLY_ONCE }),
      columns: [Column.physical('id', DataType.STRING), Column.physical('amount', DataType.INT)],
    });
    for (const line of [
      'partitions: 6',
      'record key: id',
      'key format: json, SQL timestamps',
      'value format: json, SQL timestamps',
      'cleanup policy: delete',
      'guarantee: exactly-once; read with isolation.level = read_committed',
    ]) {
      expect(program.toSql()).toContain(`--   ${line}\n`);
    }
  });

  test('an exactly-once sink asks the job for prefix and timeout', () => {
    const guarantee = DeliveryGuarantee.EXACTLY_ONCE;
    const binding = bind(sink({ guarantee }));
    expect(binding.options['sink.delivery-guarantee']).toBe('exactly-once');
    expect(binding.options['sink.transactional-id-prefix']).toBeUndefined();
    expect(binding.sink?.transactions).toEqual({
      prefixOption: 'sink.transactional-id-prefix',
      timeoutOption: 'properties.transaction.timeout.ms',
      prefix: undefined,
      brokerMaximumMillis: 900_000,
      clusterId: topic('orders').cluster.id,
    });
    expect(bind(sink({ guarantee, transactionalIdPrefix: 'shop.orders-v2' })).sink?.transactions?.prefix).toBe('shop.orders-v2');
    expect(() => bind(sink({ guarantee, options: { 'properties.transaction.timeout.ms': '60000' } }))).toThrow(
      /use checkpointing of the job/,
    );
    expect(() => bind(sink({ options: { 'properties.transaction.timeout.ms': '60000' } }))).not.toThrow();
  });

  test.each([
    ['', /must not be empty/],
    ['  ', /must not be empty/],
    ['*', /transactionalIdPrefix must not hold '\*', '\?' or '\$\{', which have a meaning in a policy, got '\*'/],
    ['orders?', /got 'orders\?'/],
    ['${aws:username}', /got '\$\{aws:username\}'/],
    ['orders-1.4.2', /'orders-1.4.2', which holds a version/],
    ['orders-v1.4', /a version/],
    ['orders-2026-01-31', /a date/],
    ['orders-20260131', /a date/],
    ['orders-1769817600', /a time/],
    ['orders-1769817600000', /a time/],
    ['orders-3f2a9bc', /a hash/],
    ['orders-d41d8cd98f00b204e9800998ecf8427e', /a hash/],
    [Token.asString({ Ref: 'Prefix' }), /must be known at synth .*got a token/],
  ])('refuses the transactional id prefix %j', (transactionalIdPrefix, message) => {
    expect(() => sink({ guarantee: DeliveryGuarantee.EXACTLY_ONCE, transactionalIdPrefix })).toThrow(message);
  });

  test.each([
    'orders',
    'orders-v2',
    'team1.orders.42',
    'streaming.order-items.dwd_order_item',
    'facade-feedbacc',
    'eu-west-1.orders',
    'orders-2026',
  ])('takes the transactional id prefix %j', (transactionalIdPrefix) => {
    expect(() => sink({ guarantee: DeliveryGuarantee.EXACTLY_ONCE, transactionalIdPrefix })).not.toThrow();
  });

  test('transactions are for exactly-once', () => {
    expect(() => sink({ transactionalIdPrefix: 'orders' })).toThrow(
      /transactionalIdPrefix is for exactly-once sinks, got guarantee 'at-least-once'/,
    );
    expect(() => sink({ guarantee: DeliveryGuarantee.NONE, transactionNaming: TransactionNaming.POOLING })).toThrow(/got guarantee 'none'/);
    const pooling = sink({ guarantee: DeliveryGuarantee.EXACTLY_ONCE, transactionNaming: TransactionNaming.POOLING });
    expect(bind(pooling).options['sink.transaction-naming-strategy']).toBe('POOLING');
  });

  describe('properties that the producer refuses when the job starts', () => {
    const { EXACTLY_ONCE, AT_LEAST_ONCE, NONE } = DeliveryGuarantee;
    const producing = (properties: { [name: string]: string }, guarantee?: DeliveryGuarantee) => {
      const options = Object.fromEntries(Object.entries(properties).map(([name, value]) => [`properties.${name}`, value]));
      return () => sink({ guarantee, options });
    };
    const inFlight = 'max.in.flight.requests.per.connection';

    test.each<[{ [name: string]: string }, RegExp]>([
      [{ acks: '1' }, /^'properties.acks' must be 'all' for an exactly-once sink, got '1': the producer refuses to start; leave it out$/],
      [{ acks: ' 0' }, /'properties.acks' must be 'all'/],
      [{ acks: 'ALL' }, /'properties.acks' must be 'all'/],
      [{ 'enable.idempotence': 'FALSE' }, /^'properties.enable.idempotence' must not be 'false' for an exactly-once sink/],
      [{ retries: '0' }, /^'properties.retries' must not be '0' for an exactly-once sink/],
      [{ [inFlight]: '6' }, /^'properties.max.in.flight.requests.per.connection' must be at most '5', got '6'.*leave it out$/],
      [{ [inFlight]: '6', 'enable.idempotence': 'false' }, /'properties.enable.idempotence' must not be 'false'/],
    ])('%j, exactly once', (properties, message) => {
      expect(producing(properties, EXACTLY_ONCE)).toThrow(message);
    });

    test.each<[{ [name: string]: string }, RegExp]>([
      [
        { acks: '1', 'enable.idempotence': 'true' },
        /^'properties.acks' must be 'all' for 'properties.enable.idempotence' = 'true', got '1'/,
      ],
      [{ retries: '0', 'enable.idempotence': 'TRUE' }, /^'properties.retries' must not be '0' for 'properties.enable.idempotence'/],
      [{ [inFlight]: '6' }, /must be at most '5', got '6'.*set 'properties.enable.idempotence' to 'false'/],
      [{ [inFlight]: '6', acks: '1' }, /must be at most '5', got '6'/],
    ])('%j, without transactions', (properties, message) => {
      expect(producing(properties, AT_LEAST_ONCE)).toThrow(message);
      expect(producing(properties, NONE)).toThrow(message);
    });

    test('those that it takes pass', () => {
      const token = Token.asString({ Ref: 'Value' });
      const transactional: { [name: string]: string }[] = [
        { acks: 'all' },
        { acks: '-1' },
        { acks: token },
        { retries: '1' },
        { [inFlight]: '5' },
        { [inFlight]: token },
      ];
      const others: { [name: string]: string }[] = [
        { acks: '0' },
        { retries: '0' },
        { 'enable.idempotence': 'false', [inFlight]: '6', acks: '1' },
      ];
      for (const properties of transactional) {
        expect(producing(properties, EXACTLY_ONCE)).not.toThrow();
      }
      for (const properties of [...transactional, ...others]) {
        expect(producing(properties)).not.toThrow();
      }
    });
  });

  test('a compacted topic takes no record without a key', () => {
    const compacted = topic('orders', { cleanupPolicy: CleanupPolicy.COMPACT });
    expect(() => sink({ topic: compacted })).toThrow(/compacted topic 'orders' must have a key.*UpsertKafkaSink/);
    expect(() => sink({ topic: compacted, key: { format: Format.json(), fields: ['id'] } })).not.toThrow();
  });

  test('partitioners', () => {
    const key = { format: Format.json(), fields: ['id'] };
    expect(bind(sink({ partitioner: KafkaPartitioner.FIXED, key })).options['sink.partitioner']).toBe('fixed');
    expect(bind(sink({ partitioner: KafkaPartitioner.ROUND_ROBIN })).options['sink.partitioner']).toBe('round-robin');
    expect(() => sink({ partitioner: KafkaPartitioner.ROUND_ROBIN, key })).toThrow(/ROUND_ROBIN must not be used with a key/);
    const jar = Artifact.file('lib/partitioner.jar');
    const custom = bind(sink({ partitioner: KafkaPartitioner.custom('com.example.ByRegion', jar) }));
    expect(custom.options['sink.partitioner']).toBe('com.example.ByRegion');
    expect(custom.artifacts).toContain(jar);
    expect(() => KafkaPartitioner.custom('nope')).toThrow(/Java class name with its package.*got 'nope'/);
  });

  test('writers', () => {
    expect(bind(sink({ writers: 3 })).sink?.writers).toBe(3);
    expect(() => sink({ writers: 0 })).toThrow(/writers must be a whole number/);
    expect(() => sink({ writers: Token.asNumber({ Ref: 'Writers' }) })).toThrow(/writers must be known at synth, got a token/);
  });

  test('changes without a key have no writers of their own', () => {
    const format = Format.debeziumJson({ schemaInclude: false });
    expect(bind(sink({ format })).sink).toMatchObject({ changes: Changes.ALL, parallelismOption: undefined });
    expect(() => bind(sink({ format, writers: 3 }))).toThrow(/must have a primary key for writers to be set.*got writers 3/);
    expect(bind(sink({ format, writers: 3 }), { primaryKey: ['id'] }).sink).toMatchObject({
      parallelismOption: 'sink.parallelism',
      writers: 3,
    });
    expect(() => bind(sink(), { primaryKey: ['id'] })).toThrow(/must not have a primary key.*UpsertKafkaSink/);
  });

  test.each([
    ['headers', false, undefined],
    ['timestamp', false, undefined],
    ['offset', true, undefined],
    ['offset', false, /'offset' can only be read; set virtual: true/],
    ['topic', false, /'topic' can only be read/],
    ['nope', true, /must come from one of/],
  ])('metadata %s, virtual %s', (from, virtual, message) => {
    const columns = [Column.physical('id', DataType.STRING), Column.metadata('m', DataType.STRING, { from, virtual })];
    const add = () => bind(sink(), { columns });
    if (message) {
      expect(add).toThrow(message);
    } else {
      expect(add).not.toThrow();
    }
  });
});

describe('access', () => {
  const iamTopic = topic('orders', { cluster: iamCluster });
  const context = { consumerGroup: 'streaming.billing', transactionalIdPrefix: 'streaming.billing.orders' };

  function permissions(binding: ConnectorBinding, derived: AccessContext = context): { [action: string]: string } {
    const stack = new Stack();
    const role = new Role(stack, 'Role', { assumedBy: new ServicePrincipal('pods.eks.amazonaws.com') });
    binding.access?.forEach((access) => {
      access.grantTo(role, derived);
    });
    const [policy] = Object.values(Template.fromStack(stack).findResources('AWS::IAM::Policy'));
    const statements: { Action: string | string[]; Resource: string }[] = policy?.Properties.PolicyDocument.Statement ?? [];
    return Object.fromEntries(
      statements.flatMap(({ Action, Resource }) => [Action].flat().map((action) => [action.replace('kafka-cluster:', ''), Resource])),
    );
  }

  const arn = (resource: string) => iamCluster._msk!.clusterArn.replace(':cluster/', `:${resource}/`);

  test('a source reads its topic with the group of the job', () => {
    expect(permissions(bind(source({ topic: iamTopic })))).toEqual({
      Connect: arn('cluster'),
      DescribeTopic: `${arn('topic')}/orders`,
      ReadData: `${arn('topic')}/orders`,
      AlterGroup: `${arn('group')}/streaming.billing`,
      DescribeGroup: `${arn('group')}/streaming.billing`,
    });
    expect(permissions(bind(source({ topic: iamTopic, consumerGroup: 'mine' }))).AlterGroup).toBe(`${arn('group')}/mine`);
  });

  test('a sink writes its topic, an exactly-once sink with its transactional ids', () => {
    const atLeastOnce = permissions(bind(sink({ topic: iamTopic })));
    expect(Object.keys(atLeastOnce).sort()).toEqual(['Connect', 'DescribeTopic', 'WriteData', 'WriteDataIdempotently']);
    const exactlyOnce = permissions(bind(sink({ topic: iamTopic, guarantee: DeliveryGuarantee.EXACTLY_ONCE })));
    expect(exactlyOnce.AlterTransactionalId).toBe(`${arn('transactional-id')}/streaming.billing.orders-*`);
    expect(exactlyOnce.ReadData).toBeUndefined();
    expect(exactlyOnce.WriteDataIdempotently).toBeUndefined();
  });

  test('pooled transactions also read the topic to find those left open, on Kafka 3.0 or later', () => {
    const guarantee = DeliveryGuarantee.EXACTLY_ONCE;
    const transactionNaming = TransactionNaming.POOLING;
    expect(permissions(bind(sink({ topic: iamTopic, guarantee, transactionNaming }))).ReadData).toBe(`${arn('topic')}/orders`);
    const cluster = (kafkaVersion: string) =>
      KafkaCluster.msk({ clusterArn: iamCluster._msk!.clusterArn, bootstrapServers: ['b-1:9098'], kafkaVersion });
    expect(() => sink({ topic: topic('orders', { cluster: cluster('2.8.2') }), guarantee, transactionNaming })).toThrow(
      /POOLING needs Kafka 3.0 or later, got kafkaVersion '2.8.2'/,
    );
    expect(() => sink({ topic: topic('orders', { cluster: cluster('3.10.0') }), guarantee, transactionNaming })).not.toThrow();
  });

  test('a cluster without IAM costs no permission', () => {
    expect(permissions(bind(source()))).toEqual({});
    expect(permissions(bind(sink()))).toEqual({});
  });
});

describe('client', () => {
  const password = SecretRef.kubernetes('kafka-user', 'password');
  const scram = KafkaCluster.selfManaged({
    bootstrapServers: ['b:9093'],
    authentication: KafkaAuthentication.scram({ username: 'flink', password }),
  });

  test('the SQL jar takes login modules by their relocated names, passwords by reference', () => {
    for (const binding of [
      bind(source({ topic: topic('orders', { cluster: scram }) })),
      bind(sink({ topic: topic('orders', { cluster: scram }) })),
    ]) {
      expect(binding.options).toMatchObject({
        'properties.security.protocol': 'SASL_SSL',
        'properties.sasl.jaas.config': `org.apache.flink.kafka.shaded.org.apache.kafka.common.security.scram.ScramLoginModule required username="flink" password="${password}";`,
      });
      expect(binding.secrets).toEqual([password]);
    }
    expect(() =>
      bind(sink({ topic: topic('orders', { cluster: scram }), options: { 'properties.sasl.jaas.config': `${password}` } })),
    ).toThrow(/use cluster of the topic instead/);
  });

  test('names that are tokens are passed on', () => {
    const topicName = Token.asString({ Ref: 'Topic' });
    expect(bind(source({ topic: topic(topicName) })).options.topic).toBe(topicName);
  });

  test('the job waits for a topic that is created with it', () => {
    const created = new KafkaTopic(new Stack(), 'Topic', { cluster: iamCluster, topicName: 'orders', partitions: 3 });
    expect(bind(source({ topic: created })).dependsOn).toEqual([created]);
    expect(bind(sink({ topic: created })).dependsOn).toEqual([created]);
    expect(bind(source({ topic: topic('orders', { cluster: plainCluster }) })).dependsOn).toEqual([]);
  });
});
