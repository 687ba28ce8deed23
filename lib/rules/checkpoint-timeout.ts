import { checkpointSpacing } from '../application/checkpoint-spacing';
import type { Rule } from './rule';

/** A checkpoint may take less time than there is between two of them. */
export const checkpointTimeout: Rule = {
  name: 'CheckpointTimeout',
  level: 'warning',
  looksAt: 'interval and timeout of the checkpoints',
  description: '`checkpointing.timeout` is below `checkpointing.interval`.',
  why: 'Under back-pressure checkpoints are slow. They fail although the next one is not due, and a backlog can restart the job for ever.',
  cure: 'Raise the timeout to the interval at least.',
  check: (application) => {
    const { checkpointing } = application.settings;
    const [{ interval }, { timeout }] = [checkpointSpacing(checkpointing), checkpointing];
    return timeout !== undefined && timeout.toMilliseconds() < interval.toMilliseconds()
      ? [
          {
            message: `checkpointing.timeout (${timeout.toHumanString()}) of job '${application.jobName}' is below checkpointing.interval (${interval.toHumanString()}): a slow checkpoint fails although the next one is not due, and a backlog can restart the job for ever; raise the timeout to the interval at least`,
          },
        ]
      : [];
  },
};
