import { Duration } from 'aws-cdk-lib';
import { DEFAULT_OUTAGE } from '../application/checkpoint-spacing';
import { longestRestartDelay } from '../application/restart-delay';
import type { Rule } from './rule';

/** Transactions outlive an outage of a stated length, and the delay before a restart is a part of it. */
export const slowRestart: Rule = {
  name: 'SlowRestart',
  level: 'warning',
  looksAt: 'the delays of the restart strategy, and `survivableOutage` of a job with exactly-once Kafka sinks',
  description: 'The job may wait for `survivableOutage` or longer before it restarts.',
  why: 'What the last checkpoint holds is committed after the restart. By then the brokers may have aborted its transactions, and the rows are lost.',
  cure: 'Raise `survivableOutage` above the delay, or shorten the delay.',
  check: (application) => {
    const { jobName, flinkConfiguration, settings } = application;
    const delay = longestRestartDelay(flinkConfiguration);
    const { survivableOutage = DEFAULT_OUTAGE } = settings;
    const transactional = application._bindings().some(({ binding }) => binding.sink?.transactions !== undefined);
    return transactional && delay !== undefined && delay.milliseconds >= survivableOutage.toMilliseconds()
      ? [
          {
            message: `job '${jobName}' may wait ${Duration.millis(delay.milliseconds).toHumanString()} before it restarts ('${delay.option}'), and its transactions outlive an outage of ${survivableOutage.toHumanString()}: the brokers abort what the last checkpoint holds, and the rows are lost; raise survivableOutage, or shorten the delay of restartStrategy`,
          },
        ]
      : [];
  },
};
