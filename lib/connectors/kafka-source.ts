import { Changes, type ConnectorBinding, type IConnector, type TableDefinition } from '../sql/connector';
import { instance, requireProps } from '../sql/required-props';
import type { Format } from './format';
import { partitionsContract } from './kafka-client';
import { checkKafkaKey, isKeyInValue, type KafkaKey, kafkaKeyOptions, keyColumns, keyContract, valueColumns } from './kafka-key';
import { checkKafkaReadMetadata } from './kafka-metadata';
import { bindReader, checkConsumerGroup, type KafkaReaderProps } from './kafka-reader';
import type { KafkaStart } from './kafka-start';
import { FORMAT, KAFKA_TOPIC } from './prop-kinds';

/** Props of a `KafkaSource`. */
export interface KafkaSourceProps extends KafkaReaderProps {
  /** Format of the record, or of its value where the table has a key. */
  readonly format: Format;

  /** Where the source begins when the job starts without state. */
  readonly start: KafkaStart;

  /**
   * The key of the records, where columns of the table stand in it.
   *
   * @default - the key is not read
   */
  readonly key?: KafkaKey;
}

/**
 * The records of a Kafka topic as rows.
 *
 * A format of plain rows makes each record an insert; a primary key is refused then, since nothing makes the key unique: read a
 * topic that holds the latest row of each key by `UpsertKafkaSource`. A format of changes (Debezium) makes inserts, updates and
 * deletes. With a primary key the job drops the events that Debezium repeats after a restart, and the source can have a
 * parallelism of its own.
 *
 * Metadata columns: `topic`, `partition`, `headers`, `leader-epoch`, `offset`, `timestamp`, `timestamp-type`, and with Debezium
 * `value.schema`, `value.ingestion-timestamp`, `value.source.timestamp`, `value.source.database`, `value.source.schema`,
 * `value.source.table`, `value.source.properties`.
 */
export class KafkaSource implements IConnector {
  constructor(private readonly props: KafkaSourceProps) {
    requireProps('KafkaSource', props, {
      topic: KAFKA_TOPIC,
      start: instance('a KafkaStart, such as KafkaStart.earliest()', '_options'),
      format: FORMAT,
    });
    checkConsumerGroup(props.consumerGroup);
    if (props.key) {
      checkKafkaKey(props.key);
    }
    const partitions = props.topic.partitions;
    const highest = props.start._highestPartition;
    if (partitions !== undefined && highest !== undefined && highest >= partitions) {
      throw new Error(
        `specificOffsets must name partitions of topic '${props.topic.topicName}', which are 0 to ${partitions - 1}, got ${highest}`,
      );
    }
  }

  public bind(table: TableDefinition): ConnectorBinding {
    const { format, key, start } = this.props;
    const hasKey = table.primaryKey.length > 0;
    const insertOnly = format.changes === Changes.INSERT_ONLY;
    if (hasKey && insertOnly) {
      throw new Error(
        `table '${table.name}' must not have a primary key: a Kafka source with format '${format.identifier}' cannot keep it unique; leave primaryKey out, or read the latest row of each key with UpsertKafkaSource`,
      );
    }
    key?.format._checkRead(table, keyColumns(table, key.fields));
    format._checkRead(table, valueColumns(table, key?.fields ?? [], isKeyInValue(key)));
    checkKafkaReadMetadata(table.name, table.columns, format.identifier);
    return bindReader({
      identifier: 'kafka',
      props: this.props,
      options: { ...start._options, ...kafkaKeyOptions(key), ...format._options('value.') },
      typed: {
        'scan.startup.mode': 'start',
        'scan.startup.timestamp-millis': 'start',
        'scan.startup.specific-offsets': 'start',
        'properties.auto.offset.reset': 'start',
        'key.format': 'key',
        'key.fields': 'key',
        'key.fields-prefix': 'key',
        'value.fields-include': 'key',
        format: 'format',
      },
      keyFormat: key?.format,
      valueFormat: format,
      source: {
        changes: format.changes,
        // Flink refuses a parallelism of its own for a source of changes without a key: they could overtake each other.
        parallelismOption: insertOnly || hasKey ? 'scan.parallelism' : undefined,
        repeatsEvents: format.repeatsEvents && hasKey,
      },
      contract: [
        partitionsContract(this.props.topic),
        ...(key ? [keyContract(key.fields, key.fieldsPrefix), key.format._contract('key format')] : []),
        format._contract(key ? 'value format' : 'format'),
      ],
    });
  }
}
