import type { Rule } from './rule';

const ROLLBACK = 'kubernetes.operator.deployment.rollback.enabled';

/** A rollback starts the earlier spec from the metadata of high availability. */
export const rollbackWithoutHighAvailability: Rule = {
  name: 'RollbackWithoutHighAvailability',
  level: 'error',
  looksAt: '`highAvailability`, and `kubernetes.operator.deployment.rollback.enabled` in `flinkConfiguration`',
  description: 'Failed upgrades are to be rolled back, and `highAvailability` is false.',
  why: 'The operator goes back by the metadata of high availability, and refuses the deployment without it.',
  cure: 'Leave `highAvailability` out, or the rollback.',
  check: ({ jobName, settings }) =>
    settings.highAvailability === false && settings.flinkConfiguration?.[ROLLBACK]?.toLowerCase() === 'true'
      ? [
          {
            message: `flinkConfiguration of job '${jobName}' sets '${ROLLBACK}' while highAvailability is false: the operator refuses it; leave highAvailability out, or the rollback`,
          },
        ]
      : [],
};
