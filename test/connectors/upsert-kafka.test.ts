import { Duration, Lazy, Token } from 'aws-cdk-lib';
import { Format, MalformedRecords } from '../../lib/connectors/format';
import { IsolationLevel } from '../../lib/connectors/isolation-level';
import { UpsertKafkaSink, type UpsertKafkaSinkProps } from '../../lib/connectors/upsert-kafka-sink';
import { UpsertKafkaSource, type UpsertKafkaSourceProps } from '../../lib/connectors/upsert-kafka-source';
import { CleanupPolicy } from '../../lib/kafka/topic-configuration';
import { Column } from '../../lib/sql/column';
import { Changes, DeliveryGuarantee, TableRole } from '../../lib/sql/connector';
import { DataType } from '../../lib/sql/data-type';
import { SqlProgram } from '../../lib/sql/sql-program';
import { bind, topic } from './kafka-fixtures';

const readJson = Format.json({ malformedRecords: MalformedRecords.FAIL });
const writeJson = Format.json();
const compacted = topic('dwd_order_item', { cleanupPolicy: CleanupPolicy.COMPACT });
const keyed = { primaryKey: ['id'] };
const prefixed = {
  columns: [Column.physical('k_id', DataType.STRING), Column.physical('id', DataType.STRING)],
  primaryKey: ['k_id'],
};

function source(changed: Partial<UpsertKafkaSourceProps> = {}): UpsertKafkaSource {
  return new UpsertKafkaSource({ topic: compacted, keyFormat: readJson, valueFormat: readJson, ...changed });
}

function sink(changed: Partial<UpsertKafkaSinkProps> = {}): UpsertKafkaSink {
  return new UpsertKafkaSink({ topic: compacted, keyFormat: writeJson, valueFormat: writeJson, ...changed });
}

describe('UpsertKafkaSource', () => {
  test('reads the latest row of each key', () => {
    const binding = bind(source(), keyed);
    expect(binding).toMatchObject({
      identifier: 'upsert-kafka',
      role: TableRole.SOURCE,
      source: {
        changes: Changes.UPSERT,
        splits: { unit: 'partition', of: 'topic dwd_order_item', count: 6 },
        parallelismOption: 'scan.parallelism',
        consumerGroup: { option: 'properties.group.id' },
      },
    });
    expect(Object.entries(binding.options)).toEqual([
      ['topic', 'dwd_order_item'],
      ['properties.bootstrap.servers', 'b:9092'],
      ['properties.security.protocol', 'PLAINTEXT'],
      ['properties.isolation.level', 'read_committed'],
      ['key.format', 'json'],
      ['value.format', 'json'],
    ]);
  });

  test('takes group, isolation level and key prefix', () => {
    const binding = bind(
      source({ consumerGroup: 'reconciliation', isolationLevel: IsolationLevel.READ_UNCOMMITTED, keyFieldsPrefix: 'k_' }),
      prefixed,
    );
    expect(binding.source?.consumerGroup?.name).toBe('reconciliation');
    expect(binding.options).toMatchObject({
      'properties.isolation.level': 'read_uncommitted',
      'key.fields-prefix': 'k_',
      'value.fields-include': 'EXCEPT_KEY',
    });
  });

  test('both formats must say what they do with malformed records', () => {
    expect(() => bind(source({ keyFormat: writeJson }), keyed)).toThrow(/malformedRecords/);
    expect(() => bind(source({ valueFormat: writeJson }), keyed)).toThrow(/malformedRecords/);
  });

  test('has no start: it always begins at the oldest record', () => {
    expect(() => bind(source({ options: { 'scan.startup.mode': 'latest-offset' } }), keyed)).toThrow(/scan.startup.mode/);
  });

  test('reads metadata of Kafka only', () => {
    const columns = (from: string) => [Column.physical('id', DataType.STRING), Column.metadata('m', DataType.STRING, { from })];
    expect(() => bind(source(), { ...keyed, columns: columns('offset') })).not.toThrow();
    expect(() => bind(source(), { ...keyed, columns: columns('value.source.table') })).toThrow(/must come from one of/);
  });
});

describe('UpsertKafkaSink', () => {
  test('writes the latest row of each key at least once', () => {
    const binding = bind(sink(), keyed);
    expect(binding.sink).toMatchObject({
      changes: Changes.UPSERT,
      guarantee: DeliveryGuarantee.AT_LEAST_ONCE,
      parallelismOption: 'sink.parallelism',
      splits: { unit: 'partition', count: 6 },
      transactions: undefined,
    });
    expect(Object.entries(binding.options)).toEqual([
      ['topic', 'dwd_order_item'],
      ['properties.bootstrap.servers', 'b:9092'],
      ['properties.security.protocol', 'PLAINTEXT'],
      ['key.format', 'json'],
      ['value.format', 'json'],
      ['sink.delivery-guarantee', 'at-least-once'],
    ]);
  });

  test('an exactly-once sink asks the job for prefix and timeout', () => {
    const binding = bind(sink({ guarantee: DeliveryGuarantee.EXACTLY_ONCE, transactionalIdPrefix: 'shop.items', writers: 6 }), keyed);
    expect(binding.sink).toMatchObject({
      guarantee: DeliveryGuarantee.EXACTLY_ONCE,
      writers: 6,
      transactions: { prefixOption: 'sink.transactional-id-prefix', prefix: 'shop.items', brokerMaximumMillis: 900_000 },
    });
    expect(() => sink({ transactionalIdPrefix: 'shop.items' })).toThrow(/is for exactly-once sinks/);
    expect(() => sink({ guarantee: DeliveryGuarantee.EXACTLY_ONCE, transactionalIdPrefix: '' })).toThrow(/must not be empty/);
  });

  test('its contract names the key in order and what a tombstone means', () => {
    const program = new SqlProgram();
    program.addTable('dwd_order_item', {
      connector: sink(),
      columns: [
        Column.physical('item_id', DataType.STRING),
        Column.physical('order_id', DataType.STRING),
        Column.physical('quantity', DataType.BIGINT),
      ],
      primaryKey: ['order_id', 'item_id'],
    });
    for (const line of [
      'partitions: 6',
      'record key: order_id, item_id',
      'key format: json, SQL timestamps',
      'tombstone: a record without a value deletes the row of its key',
      'cleanup policy: compact',
      'guarantee: at-least-once',
    ]) {
      expect(program.toSql()).toContain(`--   ${line}\n`);
    }
  });

  test('a prefix takes the key out of the value, and stands before every key column', () => {
    expect(bind(sink({ keyFieldsPrefix: 'k_' }), prefixed).options).toMatchObject({
      'key.fields-prefix': 'k_',
      'value.fields-include': 'EXCEPT_KEY',
    });
    expect(bind(sink({ keyFieldsPrefix: 'k_' }), prefixed).contract).toContain('record key: id');
    expect(() => bind(sink({ keyFieldsPrefix: 'k_' }), keyed)).toThrow(
      /keyFieldsPrefix 'k_' must begin the name of every key column, got the key column 'id'/,
    );
    expect(() => bind(sink({ keyFieldsPrefix: '' }), keyed)).toThrow(/keyFieldsPrefix must not be empty/);
  });

  test('each format sees only its own columns', () => {
    expect(() => bind(sink({ keyFormat: Format.raw() }), keyed)).not.toThrow();
    expect(() => bind(sink({ valueFormat: Format.raw() }), keyed)).toThrow(/must have one physical column, got id, amount/);
    expect(() => bind(sink({ keyFieldsPrefix: 'k_', valueFormat: Format.raw() }), prefixed)).not.toThrow();
  });

  test('buffering has both bounds or none', () => {
    const flush = (maxRows: number, interval: Duration) => sink({ bufferFlush: { maxRows, interval } });
    expect(bind(flush(1000, Duration.seconds(5)), keyed).options).toMatchObject({
      'sink.buffer-flush.max-rows': '1000',
      'sink.buffer-flush.interval': '5 s',
    });
    expect(bind(flush(0, Duration.seconds(0)), keyed).options['sink.buffer-flush.max-rows']).toBe('0');
    expect(() => flush(1000, Duration.seconds(0))).toThrow(/both above zero, or both zero for off, got maxRows 1000 and interval 0 s/);
    expect(() => flush(0, Duration.seconds(5))).toThrow(/got maxRows 0 and interval 5 s/);
    expect(() => flush(1.5, Duration.seconds(5))).toThrow(/maxRows of bufferFlush must be a whole number of at least 0, got 1.5/);
    expect(() => flush(Token.asNumber({ Ref: 'Rows' }), Duration.seconds(5))).not.toThrow();
    expect(() => flush(1000, Duration.seconds(Lazy.number({ produce: () => 5 })))).not.toThrow();
  });

  test.each(['format', 'key.fields', 'key.format', 'value.fields-include', 'sink.buffer-flush.interval', 'sink.parallelism'])(
    'refuses the raw option %s',
    (option) => {
      expect(() => bind(sink({ options: { [option]: '1' } }), keyed)).toThrow(new RegExp(`'${option}' is written by the library`));
    },
  );
});

describe.each([
  ['source', source],
  ['sink', sink],
])('an upsert %s', (_, create) => {
  test('needs a primary key', () => {
    expect(() => bind(create())).toThrow("table 'orders' must have a primary key: it is the key of the Kafka records; give primaryKey");
  });

  test('takes formats of plain rows only', () => {
    const changes = Format.debeziumJson({ schemaInclude: false, malformedRecords: MalformedRecords.FAIL });
    expect(() => create({ valueFormat: changes })).toThrow(/valueFormat must hold plain rows.*got 'debezium-json'/);
    expect(() => create({ keyFormat: changes })).toThrow(/keyFormat must hold plain rows.*got 'debezium-json'/);
  });
});
