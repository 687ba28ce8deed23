import { LEAST_MEMORY, tooLittleMemory } from '../application/process-resources';
import type { Rule } from './rule';

/** Flink divides the memory of a process by rules of its own, and does not start where they do not add up. */
export const processMemory: Rule = {
  name: 'ProcessMemory',
  level: 'error',
  looksAt: 'the memory of job manager and TaskManagers',
  description:
    'The memory of the job manager is below 577 MiB, or that of a TaskManager below 982 MiB, and `flinkConfiguration` divides it in no other way.',
  why: "Flink's default budget (metaspace, overhead, off-heap, network, managed memory) does not fit in, and the deployment fails.",
  cure: 'Raise `memory`, or state the budget by `jobmanager.memory.*` or `taskmanager.memory.*` in `flinkConfiguration`.',
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
