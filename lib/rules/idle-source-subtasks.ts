import { splitSources } from '../application/parallelism';
import type { Rule } from './rule';

/** More subtasks than shards: the surplus has nothing to read. */
export const idleSourceSubtasks: Rule = {
  name: 'IdleSourceSubtasks',
  level: 'warning',
  looksAt: 'the parallelism and the shards or partitions of each source',
  description: 'The parallelism is above the shards or partitions of a source that cannot have a parallelism of its own.',
  why: 'The surplus subtasks have nothing to read, and cost slots.',
  cure: 'Lower `parallelism`. Acknowledge it where a reshard is planned, or later operators need the parallelism.',
  check: (application) =>
    splitSources(application._bindings())
      .filter(({ source, splits }) => !source.parallelismOption && splits.count !== undefined && splits.count < application.parallelism)
      .map(({ name, splits }) => ({
        table: name,
        message: `${application.parallelism - splits.count!} of the ${application.parallelism} source subtasks of '${name}' idle: ${splits.of} has ${splits.count} ${splits.unit}s; lower parallelism, or acknowledge this where a reshard is planned`,
      })),
};
