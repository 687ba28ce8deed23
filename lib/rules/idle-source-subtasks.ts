import { splitSources } from '../application/parallelism';
import { SqlProgram } from '../sql/sql-program';
import type { Rule } from './rule';

/** More subtasks than shards: the surplus has nothing to read. */
export const idleSourceSubtasks: Rule = {
  name: 'IdleSourceSubtasks',
  level: 'warning',
  looksAt: 'the parallelism and the shards or partitions of each source of a SQL program',
  description:
    'The parallelism is above the shards or partitions of every source, and there is one that cannot have a parallelism of its own.',
  why: 'The surplus subtasks have nothing to read, and cost slots.',
  cure: 'Lower `parallelism`. Acknowledge it where a reshard is planned, or later operators need the parallelism.',
  check: (application) => {
    const { parallelism, program } = application;
    // A JAR gives its sources what parallelism it likes.
    const sources = splitSources(program instanceof SqlProgram ? application._bindings() : []);
    // What the largest source needs, the others have anyway.
    const needed = sources.some(({ splits }) => splits.count === undefined || splits.count >= parallelism);
    return needed
      ? []
      : sources
          .filter(({ source }) => !source.parallelismOption)
          .map(({ name, splits }) => ({
            table: name,
            message: `${parallelism - splits.count!} of the ${parallelism} source subtasks of '${name}' idle: ${splits.of} has ${splits.count} ${splits.unit}s; lower parallelism, or acknowledge this where a reshard is planned`,
          }));
  },
};
