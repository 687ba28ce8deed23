import { checkpointSpacing } from '../application/checkpoint-spacing';
import type { Rule } from './rule';

/** Flink waits for the longer of the two. */
export const checkpointPause: Rule = {
  name: 'CheckpointPause',
  level: 'warning',
  looksAt: 'interval and least pause of the checkpoints',
  description: '`checkpointing.minPause` is longer than `checkpointing.interval`.',
  why: 'The interval has no effect: a checkpoint is made once in a pause at most. A restart reads and writes more again than the interval says, and what exactly-once sinks write is seen later.',
  cure: 'Lower the pause, or raise the interval to it.',
  check: (application) => {
    const { interval, minPause } = checkpointSpacing(application.settings.checkpointing);
    return minPause.toMilliseconds() > interval.toMilliseconds()
      ? [
          {
            message: `checkpointing.minPause (${minPause.toHumanString()}) of job '${application.jobName}' is longer than checkpointing.interval (${interval.toHumanString()}), which has no effect then: lower the pause, or raise the interval to it`,
          },
        ]
      : [];
  },
};
