import { Token } from 'aws-cdk-lib';
import type { Rule } from './rule';

const AUTOSCALER = 'job.autoscaler.enabled';
const SCALING = 'job.autoscaler.scaling.enabled';
const IN_PLACE = 'kubernetes.operator.job.upgrade.inplace-scaling.enabled';
const SCHEDULER = 'jobmanager.scheduler';

/**
 * The operator tells a job its new parallelisms at a restart. In application mode Flink 2 submits each program as a stream graph, and listens
 * for job graphs alone.
 */
export const ineffectiveAutoscaler: Rule = {
  name: 'IneffectiveAutoscaler',
  level: 'warning',
  looksAt: `\`${AUTOSCALER}\`, \`${SCALING}\`, \`${SCHEDULER}\` and \`${IN_PLACE}\` in \`flinkConfiguration\``,
  description: 'The autoscaler of the operator is on, and the scheduler of the job is not the adaptive one, which is rescaled as it runs.',
  why: 'The operator restarts the job with `pipeline.jobvertex-parallelism-overrides`, which Flink 2.2.1 ignores in application mode (FLINK-38770), for SQL and JARs alike: each decision costs a restart and changes nothing, so that the next one follows.',
  cure: `Set \`${SCHEDULER}\` to \`adaptive\`, or leave the autoscaler out: the parallelism follows from shards and partitions. With \`${SCALING}\` = \`false\` it only measures.`,
  check: ({ jobName, settings: { flinkConfiguration = {} } }) => {
    const option = (key: string) => flinkConfiguration[key]?.toLowerCase();
    const isKnown = [SCALING, SCHEDULER, IN_PLACE].every((key) => !Token.isUnresolved(flinkConfiguration[key]));
    const isRescaled = option(SCHEDULER) === 'adaptive' && option(IN_PLACE) !== 'false';
    return option(AUTOSCALER) === 'true' && isKnown && option(SCALING) !== 'false' && !isRescaled
      ? [
          {
            message: `'${AUTOSCALER}' of job '${jobName}' restarts it for each new parallelism, which Flink 2.2.1 ignores in application mode (FLINK-38770): nothing changes, again and again; set '${SCHEDULER}' to 'adaptive'${option(IN_PLACE) === 'false' ? ` and leave '${IN_PLACE}' out` : ''}, or leave the autoscaler out`,
          },
        ]
      : [];
  },
};
