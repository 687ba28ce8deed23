import type { FlinkApplication } from '../application/flink-application';
import { overbookedMemory } from '../application/memory-budget';
import { DEFAULT_MEMORY, LEAST_MEMORY, tooLittleMemory } from '../application/process-resources';
import type { Finding, Rule } from './rule';

function finding(process: keyof typeof LEAST_MEMORY, { jobName, settings }: FlinkApplication): Finding | undefined {
  const memory = settings[process]?.memory ?? DEFAULT_MEMORY;
  if (memory.isUnresolved()) {
    return undefined;
  }
  const { flinkConfiguration = {} } = settings;
  const prefix = `${process.toLowerCase()}.memory.`;
  if (!Object.keys(flinkConfiguration).some((key) => key.startsWith(prefix))) {
    return memory.toBytes() < LEAST_MEMORY[process].toBytes()
      ? { message: tooLittleMemory(process, memory, ` of job '${jobName}'`) }
      : undefined;
  }
  const overbooked = overbookedMemory(process, memory.toBytes(), flinkConfiguration);
  return overbooked === undefined
    ? undefined
    : {
        message: `${process}.memory of job '${jobName}' does not add up with ${prefix}* in flinkConfiguration: ${overbooked}; the process would not start: raise ${process}.memory, or change the options`,
      };
}

/** Flink divides the memory of a process by rules of its own, and does not start where they do not add up. */
export const processMemory: Rule = {
  name: 'ProcessMemory',
  level: 'error',
  looksAt: 'the memory of job manager and TaskManagers, and `jobmanager.memory.*` and `taskmanager.memory.*` in `flinkConfiguration`',
  description:
    'The memory of the job manager is below 577 MiB, or that of a TaskManager below 982 MiB, where `flinkConfiguration` divides it in no other way; or what it divides is more than the whole.',
  why: 'The parts of a process (metaspace, overhead, off-heap, network, managed memory) do not fit in, and the deployment fails.',
  cure: 'Raise `memory`, or state a budget that fits by `jobmanager.memory.*` or `taskmanager.memory.*`.',
  check: (application) => (['jobManager', 'taskManager'] as const).flatMap((process) => finding(process, application) ?? []),
};
