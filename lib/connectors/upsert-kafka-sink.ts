import type { Duration } from 'aws-cdk-lib';
import { Changes, type ConnectorBinding, type IConnector, type TableDefinition } from '../sql/connector';
import { flinkDuration, flinkInteger } from '../sql/flink-notation';
import { requireProps } from '../sql/required-props';
import type { Format } from './format';
import { partitionsContract } from './kafka-client';
import { keyColumns, keyPlaceOptions, valueColumns } from './kafka-key';
import { checkKafkaWriteMetadata } from './kafka-metadata';
import { bindWriter, checkWriter, type KafkaWriterProps } from './kafka-writer';
import { FORMAT, KAFKA_TOPIC } from './prop-kinds';
import { checkUpsertFormats, checkUpsertKey, forgetsKeys, UPSERT_KEY_TYPED, upsertContract } from './upsert-kafka-key';

/**
 * How long rows wait so that several updates of one key become one record. Both bounds are above zero, or both are zero, which
 * switches waiting off.
 */
export interface UpsertBufferFlush {
  /** Rows that wait at the most. */
  readonly maxRows: number;

  /** Time that a row waits at the most; a checkpoint writes all rows. */
  readonly interval: Duration;
}

/** Props of an `UpsertKafkaSink`. */
export interface UpsertKafkaSinkProps extends KafkaWriterProps {
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

  /**
   * Whether rows wait so that several updates of one key become one record.
   *
   * @default - each update is a record
   */
  readonly bufferFlush?: UpsertBufferFlush;
}

/**
 * The latest row of each key as records of a Kafka topic: a row is written under its key, a deleted row as a record without a
 * value (a tombstone). The primary key of the table is the key of the records, in its order.
 *
 * The topic should be compacted (`CompactedTopic`): where records expire by time, rows that were not updated for long vanish.
 * At-least-once is enough where readers want the latest row of each key, since a row that is written again is the same row;
 * choose EXACTLY_ONCE where they must not see a row go back to an older state for a moment after a restore.
 *
 * Keep columns outside the key nullable: a delete carries the key only.
 */
export class UpsertKafkaSink implements IConnector {
  private readonly bufferOptions: { [option: string]: string };

  constructor(private readonly props: UpsertKafkaSinkProps) {
    requireProps('UpsertKafkaSink', props, { topic: KAFKA_TOPIC, keyFormat: FORMAT, valueFormat: FORMAT });
    checkWriter(props);
    checkUpsertFormats(props.keyFormat, props.valueFormat);
    this.bufferOptions = bufferOptions(props.bufferFlush);
  }

  public bind(table: TableDefinition): ConnectorBinding {
    const { keyFormat, valueFormat, keyFieldsPrefix, topic } = this.props;
    checkUpsertKey(table, keyFieldsPrefix);
    const keyInValue = keyFieldsPrefix === undefined;
    keyFormat._checkWrite(table, keyColumns(table, table.primaryKey));
    valueFormat._checkWrite(table, valueColumns(table, table.primaryKey, keyInValue));
    checkKafkaWriteMetadata(table.name, table.columns, valueFormat.identifier);
    const binding = bindWriter({
      identifier: 'upsert-kafka',
      props: this.props,
      options: {
        ...keyFormat._options('key.'),
        ...keyPlaceOptions(keyFieldsPrefix, keyInValue),
        ...valueFormat._options('value.'),
        ...this.bufferOptions,
      },
      typed: { ...UPSERT_KEY_TYPED, 'sink.buffer-flush.max-rows': 'bufferFlush', 'sink.buffer-flush.interval': 'bufferFlush' },
      keyFormat,
      valueFormat,
      sink: { changes: Changes.UPSERT, parallelismOption: 'sink.parallelism' },
      contract: [partitionsContract(topic), ...upsertContract(table, keyFormat, valueFormat, keyFieldsPrefix)],
    });
    return { ...binding, forgets: forgetsKeys(topic) };
  }
}

function bufferOptions(flush: UpsertBufferFlush | undefined): { [option: string]: string } {
  if (!flush) {
    return {};
  }
  const options = {
    'sink.buffer-flush.max-rows': flinkInteger('maxRows of bufferFlush', flush.maxRows, 0),
    'sink.buffer-flush.interval': flinkDuration(flush.interval),
  };
  const off = [flush.maxRows === 0, !flush.interval.isUnresolved() && flush.interval.toMilliseconds({ integral: false }) === 0];
  if (off[0] !== off[1]) {
    throw new Error(
      `bufferFlush must have maxRows and interval both above zero, or both zero for off, got maxRows ${flush.maxRows} and interval ${options['sink.buffer-flush.interval']}`,
    );
  }
  return options;
}
