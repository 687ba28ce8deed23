import { Duration } from 'aws-cdk-lib';
import { checkpointSpacing, DEFAULT_OUTAGE } from '../application/checkpoint-spacing';
import type { Rule } from './rule';

/** A job that was away reads on where its last checkpoint stands. */
export const shortRetention: Rule = {
  name: 'ShortRetention',
  level: 'warning',
  looksAt: 'the retention of the stream or topic of each source, interval and pause of the checkpoints, and `survivableOutage`',
  description: 'A source keeps records for less than the time between two checkpoints and `survivableOutage` (5 minutes) together.',
  why: 'After such an outage the job goes back to its last checkpoint, and the records since then are gone. It goes on with the oldest that are left, and no error tells.',
  cure: 'Raise the retention, or shorten `checkpointing.interval`, `minPause` and `survivableOutage`. A retention that is not known passes.',
  check: (application) => {
    const { checkpointing, survivableOutage = DEFAULT_OUTAGE } = application.settings;
    const { rhythm } = checkpointSpacing(checkpointing);
    const reach = Duration.millis(rhythm.toMilliseconds() + survivableOutage.toMilliseconds());
    return application._bindings().flatMap(({ name, binding: { source } }) => {
      const kept = source?.retentionPeriod;
      return kept !== undefined && !kept.isUnresolved() && kept.toMilliseconds() < reach.toMilliseconds()
        ? [
            {
              table: name,
              message: `records of table '${name}' of job '${application.jobName}' are kept for ${kept.toHumanString()}, and after an outage of ${survivableOutage.toHumanString()} (survivableOutage) the job goes back to a checkpoint that is up to ${reach.toHumanString()} old: what is gone by then is skipped without an error; raise the retention, or shorten checkpointing.interval or survivableOutage`,
            },
          ]
        : [];
    });
  },
};
