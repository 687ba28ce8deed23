import { Token } from 'aws-cdk-lib';
import type { Rule } from './rule';

const MOST_SLOTS = 'slotmanager.number-of-slots.max';

/** Each subtask of the widest vertex needs a slot; Flink starts no TaskManager beyond the maximum. */
export const tooFewSlots: Rule = {
  name: 'TooFewSlots',
  level: 'error',
  looksAt: `the parallelism of the widest vertex, and \`${MOST_SLOTS}\` in \`flinkConfiguration\``,
  description: `\`${MOST_SLOTS}\` is below the largest parallelism of a source, a sink or the job.`,
  why: 'The job waits for slots that never come, fails, and begins to wait again.',
  cure: 'Raise it, or leave it out: Flink starts as many TaskManagers as the job needs. The adaptive scheduler runs with fewer slots, and passes.',
  check: (application) => {
    const { [MOST_SLOTS]: stated, 'jobmanager.scheduler': scheduler } = application.settings.flinkConfiguration ?? {};
    const needed = application._largestParallelism();
    return stated !== undefined && !Token.isUnresolved(stated) && Number(stated) < needed && !/^adaptive$/i.test(scheduler ?? '')
      ? [
          {
            message: `flinkConfiguration of job '${application.jobName}' sets '${MOST_SLOTS}' to '${stated}', and its widest vertex needs ${needed} slots: it would wait for them for ever; raise it, or leave it out`,
          },
        ]
      : [];
  },
};
