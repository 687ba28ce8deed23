import { splitSources } from '../application/parallelism';
import type { Rule } from './rule';

/** More subtasks than shards: the surplus has nothing to read. */
export const idleSourceSubtasks: Rule = {
  name: 'IdleSourceSubtasks',
  level: 'warning',
  description: 'The job has a higher parallelism than a Kinesis source has shards: the surplus source subtasks idle, and cost slots.',
  check: (application) =>
    splitSources(application._bindings())
      .filter(({ source, splits }) => !source.parallelismOption && splits.count !== undefined && splits.count < application.parallelism)
      .map(({ name, splits }) => ({
        table: name,
        message: `${application.parallelism - splits.count!} of the ${application.parallelism} source subtasks of '${name}' idle: ${splits.of} has ${splits.count} ${splits.unit}s; lower parallelism, or acknowledge this where a reshard is planned`,
      })),
};
