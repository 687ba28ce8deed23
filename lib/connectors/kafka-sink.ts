import { Changes, type ConnectorBinding, type IConnector, type TableDefinition } from '../sql/connector';
import { requireProps } from '../sql/required-props';
import type { Format } from './format';
import { partitionsContract } from './kafka-client';
import { checkKafkaKey, isKeyInValue, type KafkaKey, kafkaKeyOptions, keyColumns, keyContract, valueColumns } from './kafka-key';
import { checkKafkaWriteMetadata } from './kafka-metadata';
import { KafkaPartitioner } from './kafka-partitioner';
import { bindWriter, checkWriter, type KafkaWriterProps } from './kafka-writer';
import { FORMAT, KAFKA_TOPIC } from './prop-kinds';

/** Props of a `KafkaSink`. */
export interface KafkaSinkProps extends KafkaWriterProps {
  /** Format of the record, or of its value where the table has a key. */
  readonly format: Format;

  /**
   * The key of the records. A compacted topic takes no record without one; records of one key keep their order.
   *
   * @default - records have no key
   */
  readonly key?: KafkaKey;

  /**
   * How records are spread over the partitions.
   *
   * @default - by the hash of the key; without a key the producer fills one partition after the other
   */
  readonly partitioner?: KafkaPartitioner;
}

/**
 * Rows as records of a Kafka topic.
 *
 * With a format of plain rows it takes inserts only: the planner refuses an aggregation, a join that updates its rows, a
 * ranking. Write those by `UpsertKafkaSink`, or as changes by a format of changes (Debezium).
 *
 * Metadata columns: `headers` and `timestamp` are written; the others of a Kafka topic must be virtual.
 */
export class KafkaSink implements IConnector {
  constructor(private readonly props: KafkaSinkProps) {
    requireProps('KafkaSink', props, { topic: KAFKA_TOPIC, format: FORMAT });
    const { key, partitioner, topic } = props;
    checkWriter(props);
    if (key) {
      checkKafkaKey(key);
    }
    if (topic.compacted && !key) {
      throw new Error(
        `a sink of the compacted topic '${topic.topicName}' must have a key, or the broker refuses every record; give key, or use UpsertKafkaSink`,
      );
    }
    if (partitioner === KafkaPartitioner.ROUND_ROBIN && key) {
      throw new Error(
        'partitioner ROUND_ROBIN must not be used with a key: the connector refuses it; leave the partitioner or the key out',
      );
    }
  }

  public bind(table: TableDefinition): ConnectorBinding {
    const { format, key, partitioner, topic, writers } = this.props;
    const hasPrimaryKey = table.primaryKey.length > 0;
    const insertOnly = format.changes === Changes.INSERT_ONLY;
    if (hasPrimaryKey && insertOnly) {
      throw new Error(
        `table '${table.name}' must not have a primary key: a Kafka sink with format '${format.identifier}' cannot keep it unique; leave primaryKey out, or write the latest row of each key with UpsertKafkaSink`,
      );
    }
    // Flink refuses a parallelism of its own for a sink of changes without a key: they could overtake each other.
    const ownParallelism = insertOnly || hasPrimaryKey;
    if (writers !== undefined && !ownParallelism) {
      throw new Error(
        `table '${table.name}' must have a primary key for writers to be set: format '${format.identifier}' writes changes, got writers ${writers} and no key; give primaryKey or leave writers out`,
      );
    }
    key?.format._checkWrite(table, keyColumns(table, key.fields));
    format._checkWrite(table, valueColumns(table, key?.fields ?? [], isKeyInValue(key)));
    checkKafkaWriteMetadata(table.name, table.columns, format.identifier);
    return bindWriter({
      identifier: 'kafka',
      props: this.props,
      options: {
        ...kafkaKeyOptions(key),
        ...format._options('value.'),
        ...(partitioner ? { 'sink.partitioner': partitioner._value } : {}),
      },
      typed: {
        'key.format': 'key',
        'key.fields': 'key',
        'key.fields-prefix': 'key',
        'value.fields-include': 'key',
        format: 'format',
        'sink.partitioner': 'partitioner',
      },
      keyFormat: key?.format,
      valueFormat: format,
      sink: { changes: format.changes, parallelismOption: ownParallelism ? 'sink.parallelism' : undefined },
      artifacts: partitioner?._jar ? [partitioner._jar] : [],
      contract: [
        partitionsContract(topic),
        ...(key ? [keyContract(key.fields, key.fieldsPrefix), key.format._contract('key format')] : ['record key: none']),
        format._contract(key ? 'value format' : 'format'),
      ],
    });
  }
}
