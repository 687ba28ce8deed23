import { Token } from 'aws-cdk-lib';
import type { FlinkApplication } from '../application/flink-application';
import { JobState } from '../application/upgrade';
import type { Rule } from './rule';
import { inBatch } from './runs-to-end';

const MOST_SLOTS = 'slotmanager.number-of-slots.max';

/** Whether a job runs with the slots that there are, or does not run at all. A batch frees those of one stage for the next. */
function takesWhatThereIs(application: FlinkApplication): boolean {
  const { flinkConfiguration = {}, state } = application.settings;
  const scheduler = flinkConfiguration['jobmanager.scheduler'];
  const isDefault = scheduler === undefined || (!Token.isUnresolved(scheduler) && scheduler.toLowerCase() === 'default');
  return !isDefault || inBatch(application) || state === JobState.SUSPENDED;
}

/** Each subtask of the widest vertex needs a slot; Flink starts no TaskManager beyond the maximum. */
export const tooFewSlots: Rule = {
  name: 'TooFewSlots',
  level: 'error',
  looksAt: `the parallelism of the widest vertex, and \`${MOST_SLOTS}\` in \`flinkConfiguration\``,
  description: `\`${MOST_SLOTS}\` is below the largest parallelism of a source, a sink or the job.`,
  why: 'The job waits for slots that never come, fails, and begins to wait again.',
  cure: 'Raise it, or leave it out: Flink starts as many TaskManagers as the job needs. The adaptive schedulers and a batch run with fewer slots, and pass.',
  check: (application) => {
    const stated = application.settings.flinkConfiguration?.[MOST_SLOTS];
    const needed = application._largestParallelism();
    return stated !== undefined && !Token.isUnresolved(stated) && Number(stated) < needed && !takesWhatThereIs(application)
      ? [
          {
            message: `flinkConfiguration of job '${application.jobName}' sets '${MOST_SLOTS}' to '${stated}', and its widest vertex needs ${needed} slots: it would wait for them for ever; raise it, or leave it out`,
          },
        ]
      : [];
  },
};
