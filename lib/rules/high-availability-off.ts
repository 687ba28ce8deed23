import type { Rule } from './rule';

/** Without high availability a restarted job manager has forgotten the checkpoints. */
export const highAvailabilityOff: Rule = {
  name: 'HighAvailabilityOff',
  level: 'warning',
  looksAt: 'the setting `highAvailability`',
  description: '`highAvailability` is false.',
  why: 'When the job manager restarts, the job goes back to the last savepoint, or to an empty state.',
  cure: 'Leave `highAvailability` out.',
  check: (application) =>
    application.settings.highAvailability === false
      ? [
          {
            message: `high availability of job '${application.jobName}' is off: when its job manager restarts, the job goes back to the last savepoint, or to an empty state; leave highAvailability out`,
          },
        ]
      : [],
};
