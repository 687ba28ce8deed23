import type { Duration } from 'aws-cdk-lib';
import { knownMillis } from '../sql/duration-in';
import { LONGEST_FLINK_MILLIS } from '../sql/flink-notation';
import { DURATION, FLAG, NUMBER, oneOf, requireProps } from '../sql/required-props';
import { checkKnownWhole } from '../sql/whole-number';
import type { CheckpointStorage } from './checkpoint-storage';

/** What a restore guarantees for state. */
export enum CheckpointingMode {
  /** Each row counts once in the state. */
  EXACTLY_ONCE = 'EXACTLY_ONCE',
  /** A row may count again after a restore; barriers are not aligned. */
  AT_LEAST_ONCE = 'AT_LEAST_ONCE',
}

/** What happens to the last checkpoint when the job is cancelled. */
export enum CheckpointRetention {
  /** Kept: a cancelled job can be started again from it. */
  RETAIN_ON_CANCELLATION = 'RETAIN_ON_CANCELLATION',
  /** Deleted. */
  DELETE_ON_CANCELLATION = 'DELETE_ON_CANCELLATION',
}

/** When and where a job saves its state. */
export interface Checkpointing {
  /** Where checkpoints, savepoints and high-availability data lie. */
  readonly storage: CheckpointStorage;
  /** Time from the start of one checkpoint to the start of the next. @default - 1 minute */
  readonly interval?: Duration;
  /** Least time between the end of a checkpoint and the start of the next. @default - none */
  readonly minPause?: Duration;
  /**
   * Time after which a checkpoint that is not complete fails. A savepoint on an upgrade has as long.
   * @default - 10 minutes; 2 minutes with an exactly-once Kafka sink, whose transaction must outlive it
   */
  readonly timeout?: Duration;
  /** What a restore guarantees. @default CheckpointingMode.EXACTLY_ONCE */
  readonly mode?: CheckpointingMode;
  /** Barriers overtake the rows in flight: fast under back-pressure, for larger checkpoints. For EXACTLY_ONCE only. @default false */
  readonly unaligned?: boolean;
  /**
   * Checkpoints in a row that may fail before the job restarts.
   * @default - 3; fewer with an exactly-once Kafka sink, where 3 do not fit into the broker's transaction maximum
   */
  readonly tolerableFailures?: number;
  /** What happens to the last checkpoint when the job is cancelled. @default CheckpointRetention.RETAIN_ON_CANCELLATION */
  readonly retention?: CheckpointRetention;
  /** Completed checkpoints to keep. @default - 1, as in Flink */
  readonly retained?: number;
}

/** Refuses durations and counts that contradict each other. */
export function checkCheckpointing(checkpointing: Checkpointing): void {
  requireProps('checkpointing', checkpointing, {
    'interval?': DURATION,
    'minPause?': DURATION,
    'timeout?': DURATION,
    'mode?': oneOf('CheckpointingMode', CheckpointingMode),
    'unaligned?': FLAG,
    'tolerableFailures?': NUMBER,
    'retention?': oneOf('CheckpointRetention', CheckpointRetention),
    'retained?': NUMBER,
  });
  checkAtLeast('checkpointing.interval', checkpointing.interval, 10);
  checkAtLeast('checkpointing.minPause', checkpointing.minPause, 0);
  checkAtLeast('checkpointing.timeout', checkpointing.timeout, 10);
  if (checkpointing.unaligned && checkpointing.mode === CheckpointingMode.AT_LEAST_ONCE) {
    throw new Error(
      'checkpointing.unaligned needs checkpointing.mode EXACTLY_ONCE, got AT_LEAST_ONCE, which Flink aligns nothing for and switches it off in silence; leave one of them out',
    );
  }
  checkKnownWhole('checkpointing.tolerableFailures', checkpointing.tolerableFailures, 0);
  checkKnownWhole('checkpointing.retained', checkpointing.retained, 1);
}

function checkAtLeast(name: string, duration: Duration | undefined, milliseconds: number): void {
  if (duration !== undefined) {
    knownMillis(name, duration, milliseconds, LONGEST_FLINK_MILLIS);
  }
}
