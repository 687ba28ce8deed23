import { oneOf, requireProps } from '../sql/required-props';
import { checkWholeNumber } from '../sql/whole-number';

/** Where a consumer group begins in a partition for which it has no committed offset, or a deleted one. */
export enum OffsetReset {
  /** At the oldest record. */
  EARLIEST = 'earliest',
  /** After the newest record. */
  LATEST = 'latest',
  /** The job fails. */
  NONE = 'none',
}

/** How to read on from the offsets of the consumer group. */
export interface GroupOffsetsOptions {
  /**
   * What to do in a partition without a committed offset. It has no default: the connector's own, `none`, fails the job on
   * its very first start.
   */
  readonly resetStrategy: OffsetReset;
}

/**
 * Where a Kafka source begins when the job starts without state. A job that is restored goes on from the offsets in its
 * checkpoint or savepoint, whatever stands here.
 */
export class KafkaStart {
  /** At the oldest record that the topic still holds. */
  public static earliest(): KafkaStart {
    return new KafkaStart({ 'scan.startup.mode': 'earliest-offset' });
  }

  /** After the newest record. What arrives between two starts without state is skipped. */
  public static latest(): KafkaStart {
    return new KafkaStart({ 'scan.startup.mode': 'latest-offset' });
  }

  /**
   * At the offsets that the consumer group has committed, as when a job takes over from another consumer.
   *
   * @param options what to do where the group has committed nothing
   */
  public static groupOffsets(options: GroupOffsetsOptions): KafkaStart {
    requireProps('KafkaStart.groupOffsets', options, { resetStrategy: oneOf('OffsetReset', OffsetReset) });
    return new KafkaStart({ 'scan.startup.mode': 'group-offsets', 'properties.auto.offset.reset': options.resetStrategy });
  }

  /**
   * At the first record whose timestamp is at or after a point in time.
   *
   * @param time the point in time
   */
  public static timestamp(time: Date): KafkaStart {
    const millis = time.getTime();
    if (Number.isNaN(millis) || millis < 0) {
      throw new Error(`the start timestamp of a Kafka source must be a valid date from 1970 on, got ${time}`);
    }
    return new KafkaStart({ 'scan.startup.mode': 'timestamp', 'scan.startup.timestamp-millis': String(millis) });
  }

  /**
   * At a stated offset in each partition. Name every partition: whether another one begins at the offset that the group has
   * committed or at its oldest record depends on the version of the connector.
   *
   * @param offsets offset by partition number: `{ '0': 42, '1': 300 }`
   */
  public static specificOffsets(offsets: { [partition: string]: number }): KafkaStart {
    const partitions = Object.keys(offsets);
    if (partitions.length === 0) {
      throw new Error(
        'specificOffsets must name one partition at least, got none; use KafkaStart.earliest() to begin everywhere at the start',
      );
    }
    for (const partition of partitions) {
      if (!/^(0|[1-9]\d*)$/.test(partition)) {
        throw new Error(`specificOffsets must be given by partition number, got '${partition}'`);
      }
      checkWholeNumber(`the start offset of partition ${partition}`, offsets[partition], 0, Number.MAX_SAFE_INTEGER);
    }
    const numbers = partitions.map(Number).sort((a, b) => a - b);
    return new KafkaStart(
      {
        'scan.startup.mode': 'specific-offsets',
        'scan.startup.specific-offsets': numbers.map((partition) => `partition:${partition},offset:${offsets[partition]}`).join(';'),
      },
      numbers[numbers.length - 1],
    );
  }

  private constructor(
    /** @internal */
    public readonly _options: { [key: string]: string },
    /**
     * The highest partition that the start names.
     *
     * @internal
     */
    public readonly _highestPartition?: number,
  ) {}
}
