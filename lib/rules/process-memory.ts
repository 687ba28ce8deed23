import { LEAST_MEMORY, tooLittleMemory } from '../application/process-resources';
import type { Rule } from './rule';

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
      if (memory === undefined || memory.isUnresolved() || budgeted || memory.toBytes() >= LEAST_MEMORY[process].toBytes()) {
        return [];
      }
      return [{ message: tooLittleMemory(process, memory, ` of job '${jobName}'`) }];
    }),
};
