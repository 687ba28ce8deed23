import { SqlProgram } from '../sql/sql-program';
import type { Rule } from './rule';

const AUTOSCALER = 'job.autoscaler.enabled';
const SCALING = 'job.autoscaler.scaling.enabled';
const IN_PLACE = 'kubernetes.operator.job.upgrade.inplace-scaling.enabled';
const SCHEDULER = 'jobmanager.scheduler';

/** The operator tells a job its new parallelisms at a restart, and Flink does not listen for SQL. */
export const ineffectiveAutoscaler: Rule = {
  name: 'IneffectiveAutoscaler',
  level: 'warning',
  looksAt: `\`${AUTOSCALER}\`, \`${SCHEDULER}\` and \`${IN_PLACE}\` in \`flinkConfiguration\` of a SQL job`,
  description: 'The autoscaler of the operator is on, and the scheduler of the job is not the adaptive one, which is rescaled as it runs.',
  why: 'The operator restarts the job with `pipeline.jobvertex-parallelism-overrides`, which Flink 2.2.1 ignores for SQL (FLINK-38770): each decision costs a restart and changes nothing, so that the next one follows.',
  cure: `Set \`${SCHEDULER}\` to \`adaptive\`, or leave the autoscaler out: the parallelism follows from shards and partitions. With \`${SCALING}\` = \`false\` it only measures.`,
  check: ({ jobName, program, settings }) => {
    const option = (key: string) => settings.flinkConfiguration?.[key]?.toLowerCase();
    const rescaled = option(SCHEDULER) === 'adaptive' && option(IN_PLACE) !== 'false';
    return program instanceof SqlProgram && option(AUTOSCALER) === 'true' && option(SCALING) !== 'false' && !rescaled
      ? [
          {
            message: `'${AUTOSCALER}' of job '${jobName}' restarts it for each new parallelism, which Flink 2.2.1 ignores for SQL (FLINK-38770): nothing changes, again and again; set '${SCHEDULER}' to 'adaptive'${option(IN_PLACE) === 'false' ? ` and leave '${IN_PLACE}' out` : ''}, or leave the autoscaler out`,
          },
        ]
      : [];
  },
};
