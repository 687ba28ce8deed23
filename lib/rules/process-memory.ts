import { Size } from 'aws-cdk-lib';
import type { Rule } from './rule';

const MEBIBYTE = 1024 * 1024;

/**
 * Least memory of a process under Flink's defaults, found by trying Flink 2.2.1: metaspace, overhead, off-heap, and on a TaskManager network
 * and managed memory too, must fit in. One mebibyte less fails when the job is deployed.
 */
const LEAST = { jobManager: Size.mebibytes(577), taskManager: Size.mebibytes(982) };

/** Flink divides the memory of a process by rules of its own, and does not start where they do not add up. */
export const processMemory: Rule = {
  name: 'ProcessMemory',
  level: 'error',
  description: "The memory of a process is less than what Flink's own budget takes: the deployment fails.",
  check: ({ jobName, settings }) =>
    (['jobManager', 'taskManager'] as const).flatMap((process) => {
      const memory = settings[process]?.memory;
      const prefix = `${process.toLowerCase()}.memory.`;
      const budgeted = Object.keys(settings.flinkConfiguration ?? {}).some((key) => key.startsWith(prefix));
      if (memory === undefined || memory.isUnresolved() || budgeted || memory.toBytes() >= LEAST[process].toBytes()) {
        return [];
      }
      return [
        {
          message:
            `${process}.memory of job '${jobName}' must be at least ${LEAST[process].toMebibytes()} MiB with Flink's default budget, got ${memory.toBytes() / MEBIBYTE} MiB: ` +
            `the process would not start; raise it, or divide it by ${prefix}* in flinkConfiguration`,
        },
      ];
    }),
};
