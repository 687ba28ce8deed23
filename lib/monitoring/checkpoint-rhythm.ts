import type { FlinkApplication } from '../application/flink-application';

/** How a job saves its state, in seconds. */
export interface CheckpointRhythm {
  /** From the start of one checkpoint to the start of the next, where it does not take longer. */
  readonly interval: number;
  /** Least time between two. */
  readonly minPause: number;
  /** Time after which a checkpoint fails. */
  readonly timeout: number;
}

/**
 * The times of a job's checkpoints, out of its configuration.
 *
 * @param application the job
 */
export function checkpointRhythm({ flinkConfiguration }: FlinkApplication): CheckpointRhythm {
  const seconds = (option: string) => flinkSeconds(flinkConfiguration[`execution.checkpointing.${option}`]!);
  return { interval: seconds('interval'), minPause: seconds('min-pause'), timeout: seconds('timeout') };
}

const SECONDS: { [unit: string]: number } = { ms: 0.001, s: 1, min: 60, h: 3600, d: 86_400 };

/** The library writes these options itself: a whole number and a unit. */
function flinkSeconds(text: string): number {
  const [amount, unit] = text.split(' ');
  const seconds = Number(amount) * (SECONDS[unit!] ?? Number.NaN);
  if (Number.isNaN(seconds)) {
    throw new Error(`a duration of the Flink configuration must be a number and one of ${Object.keys(SECONDS).join(', ')}, got '${text}'`);
  }
  return seconds;
}
