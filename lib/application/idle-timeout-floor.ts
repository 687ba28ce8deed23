import type { Duration } from 'aws-cdk-lib';
import { checkpointSpacing } from './checkpoint-spacing';
import type { Checkpointing } from './checkpointing';

/**
 * The shortest time after which a source subtask without rows may be left out of the watermark: a checkpoint must come first, even after one
 * that took an interval.
 *
 * A window is counted in each source subtask, which gives its part out when its own watermark passes the end or at a checkpoint. Once it is
 * idle the others close the window without it, and its part is dropped as late (seen on Flink 2.2.1: with less, nearly all counts were lost
 * without an error).
 */
export function idleTimeoutFloor(checkpointing: Checkpointing): Duration {
  const { interval, rhythm } = checkpointSpacing(checkpointing);
  return interval.plus(rhythm);
}
