import type { Rule } from './rule';

/** Numbers that a pipeline counts up: nobody counts by hand beyond nine. */
const NUMBERED = /(?<![A-Za-z0-9])(build|release|deploy|deployment|revision|rev|v)[-_.]?\d{2,}(?![A-Za-z0-9])/i;

/** A date, a version with points, a time and a hash are refused where the prefix is given. */
export const numberedPrefix: Rule = {
  name: 'NumberedPrefix',
  level: 'warning',
  looksAt: '`transactionalIdPrefix` of exactly-once Kafka sinks',
  description:
    'A prefix holds the number of a build, a release or a revision, such as `build-8841`, or a version, such as `v14`, of two digits or more.',
  why: 'Where it changes with a deployment, the job does not find the transactions that it left open under the former one: readers see nothing newer until the broker ends them.',
  cure: 'Leave `transactionalIdPrefix` out. Acknowledge it where the number stays the same over deployments.',
  check: (application) =>
    application._bindings().flatMap(({ name, binding }) => {
      const prefix = binding.sink?.transactions?.prefix;
      const number = NUMBERED.exec(prefix ?? '')?.[0];
      return number === undefined
        ? []
        : [
            {
              table: name,
              message: `transactionalIdPrefix '${prefix}' of table '${name}' of job '${application.jobName}' holds '${number}': if it changes with a deployment, transactions under the former prefix stay open, and readers see nothing newer; leave it out, or acknowledge this where it stays the same`,
            },
          ];
    }),
};
