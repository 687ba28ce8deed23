import { parseFlinkDuration } from '../sql/option-value';

/** The option of the longest delay before a restart, by the strategy. */
const DELAYS: { readonly [strategy: string]: string } = {
  'exponential-delay': 'restart-strategy.exponential-delay.max-backoff',
  'failure-rate': 'restart-strategy.failure-rate.delay',
  'fixed-delay': 'restart-strategy.fixed-delay.delay',
};
/** Flink's own choice for a job with checkpoints. */
const DEFAULT_STRATEGY = 'exponential-delay';

/** A delay, and where it is stated. */
export interface RestartDelay {
  readonly option: string;
  readonly milliseconds: number;
}

/**
 * The longest time for which a job waits before it restarts; undefined where nothing states it, or only the deployment knows.
 *
 * @param flinkConfiguration options of the job
 */
export function longestRestartDelay(flinkConfiguration: { [option: string]: string }): RestartDelay | undefined {
  const option = DELAYS[flinkConfiguration['restart-strategy.type'] ?? DEFAULT_STRATEGY];
  const milliseconds = option === undefined ? undefined : parseFlinkDuration(flinkConfiguration[option] ?? '');
  return option === undefined || milliseconds === undefined ? undefined : { option, milliseconds };
}
