import { Duration } from 'aws-cdk-lib';
import type { Checkpointing } from './checkpointing';

/** Longest outage that exactly-once sinks survive where none is stated. */
export const DEFAULT_OUTAGE = Duration.minutes(5);

/** How far the checkpoints of a job are apart. */
export interface CheckpointSpacing {
  readonly interval: Duration;
  readonly minPause: Duration;
  /** From the start of one to the start of the next, where they take no time: Flink waits for the longer of the two. */
  readonly rhythm: Duration;
}

/** As it was stated, or as it is by default. */
export function checkpointSpacing({ interval = Duration.minutes(1), minPause = Duration.millis(0) }: Checkpointing): CheckpointSpacing {
  return { interval, minPause, rhythm: minPause.toMilliseconds() > interval.toMilliseconds() ? minPause : interval };
}
