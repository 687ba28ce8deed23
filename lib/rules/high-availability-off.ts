import type { Rule } from './rule';

/** Without high availability a restarted job manager has forgotten the checkpoints. */
export const highAvailabilityOff: Rule = {
  name: 'HighAvailabilityOff',
  level: 'warning',
  description: 'High availability is off: a job manager that restarts starts the job from its last savepoint, or from nothing.',
  check: (application) =>
    application.settings.highAvailability === false
      ? [
          {
            message: `high availability of job '${application.jobName}' is off: when its job manager restarts, the job goes back to the last savepoint, or to an empty state; leave highAvailability out`,
          },
        ]
      : [],
};
