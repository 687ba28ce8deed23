import { Changes, type ConnectorBinding, type IConnector, type TableDefinition } from '../sql/connector';
import { requireProps } from '../sql/required-props';
import type { Format } from './format';
import { partitionsContract } from './kafka-client';
import { keyColumns, keyPlaceOptions, valueColumns } from './kafka-key';
import { checkKafkaReadMetadata } from './kafka-metadata';
import { bindReader, checkConsumerGroup, type KafkaReaderProps } from './kafka-reader';
import { FORMAT, KAFKA_TOPIC } from './prop-kinds';
import { checkUpsertFormats, checkUpsertKey, forgetsKeys, UPSERT_KEY_TYPED, upsertContract } from './upsert-kafka-key';

/** Props of an `UpsertKafkaSource`. */
export interface UpsertKafkaSourceProps extends KafkaReaderProps {
  /** Format of the key: one of plain rows. */
  readonly keyFormat: Format;

  /** Format of the value: one of plain rows. */
  readonly valueFormat: Format;

  /**
   * Prefix that the names of the key columns have in the table but not in the record. The value then holds all columns but
   * those of the key.
   *
   * @default - none
   */
  readonly keyFieldsPrefix?: string;
}

/**
 * A Kafka topic as a table of the latest row of each key: a record updates the row of its key, one without a value (a tombstone)
 * deletes it. The primary key of the table is the key of the records, in its order.
 *
 * It always begins at the oldest record, since only then is the table whole. The topic should be compacted: where records expire
 * by time, rows that were not updated for long are missing.
 */
export class UpsertKafkaSource implements IConnector {
  constructor(private readonly props: UpsertKafkaSourceProps) {
    requireProps('UpsertKafkaSource', props, { topic: KAFKA_TOPIC, keyFormat: FORMAT, valueFormat: FORMAT });
    checkConsumerGroup(props.consumerGroup);
    checkUpsertFormats(props.keyFormat, props.valueFormat);
  }

  public bind(table: TableDefinition): ConnectorBinding {
    const { keyFormat, valueFormat, keyFieldsPrefix } = this.props;
    checkUpsertKey(table, keyFieldsPrefix);
    const keyInValue = keyFieldsPrefix === undefined;
    keyFormat._checkRead(table, keyColumns(table, table.primaryKey));
    valueFormat._checkRead(table, valueColumns(table, table.primaryKey, keyInValue));
    checkKafkaReadMetadata(table.name, table.columns, valueFormat.identifier);
    const binding = bindReader({
      identifier: 'upsert-kafka',
      props: this.props,
      options: {
        ...keyFormat._options('key.'),
        ...keyPlaceOptions(keyFieldsPrefix, keyInValue),
        ...valueFormat._options('value.'),
      },
      typed: UPSERT_KEY_TYPED,
      keyFormat,
      valueFormat,
      source: { changes: Changes.UPSERT, parallelismOption: 'scan.parallelism' },
      contract: [partitionsContract(this.props.topic), ...upsertContract(table, keyFormat, valueFormat, keyFieldsPrefix)],
    });
    return { ...binding, forgets: forgetsKeys(this.props.topic) };
  }
}
