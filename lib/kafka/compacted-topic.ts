import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { knownMillis } from '../sql/duration-in';
import { DURATION, requireProps } from '../sql/required-props';
import { type KafkaTopicBaseProps, TopicBase } from './topic-base';
import { CleanupPolicy } from './topic-configuration';

/** A topic that keeps the last record of each key. */
export interface CompactedTopicProps extends KafkaTopicBaseProps {
  /**
   * How long the record that says that a key is gone (a tombstone) stays after compaction. A reader that starts over needs to
   * meet it, else the key stays in what it builds: longer than any reader is away or takes to read the topic.
   * @default - 24 hours, and `slowestReaderAbsence` more where that is given
   */
  readonly tombstoneRetention?: Duration;
  /** The longest time that a reader may be stopped, or take to read the topic from the start. @default - not known */
  readonly slowestReaderAbsence?: Duration;
}

const DAY = Duration.days(1);

/** Compaction runs on closed segments only: with the default of 7 days a quiet topic would keep every old value for a week. */
const COMPACTION = {
  'segment.ms': String(Duration.hours(1).toMilliseconds()),
  // However little a topic changes, a day later its old values are gone.
  'max.compaction.lag.ms': String(DAY.toMilliseconds()),
  // Cleaning at a tenth instead of half: whoever reads the table back reads about 11 % too much, not 100 %.
  'min.cleanable.dirty.ratio': '0.1',
};

/** Settings that a prop or the kind of the topic owns. */
const OWNED: { [key: string]: string } = {
  'cleanup.policy': 'KafkaTopic for another policy',
  'delete.retention.ms': 'tombstoneRetention',
};

/**
 * A topic that holds a table: the last record of each key is kept for ever, and a record without a value deletes its key.
 *
 * `config` may replace the compaction settings: `segment.ms` 1 hour, `max.compaction.lag.ms` 24 hours,
 * `min.cleanable.dirty.ratio` 0.1.
 */
export class CompactedTopic extends TopicBase {
  constructor(scope: Construct, id: string, props: CompactedTopicProps) {
    requireProps('a compacted topic', props, { 'tombstoneRetention?': DURATION, 'slowestReaderAbsence?': DURATION });
    for (const key of Object.keys(props.config ?? {})) {
      if (OWNED[key]) {
        throw new Error(`config of a compacted topic must not hold '${key}': use ${OWNED[key]}`);
      }
    }
    const absence = literalMillis('slowestReaderAbsence', props.slowestReaderAbsence) ?? 0;
    const tombstones = literalMillis('tombstoneRetention', props.tombstoneRetention) ?? DAY.toMilliseconds() + absence;
    if (tombstones <= absence) {
      throw new Error(
        `tombstoneRetention must be longer than slowestReaderAbsence, ${absence} ms, got ${tombstones} ms: a reader would not learn that keys are gone`,
      );
    }
    super(scope, id, props, {
      'cleanup.policy': CleanupPolicy.COMPACT,
      ...COMPACTION,
      'delete.retention.ms': String(tombstones),
    });
  }
}

function literalMillis(prop: string, duration: Duration | undefined): number | undefined {
  return duration && knownMillis(prop, duration, 1);
}
