import { splitSources } from '../application/parallelism';
import { SqlProgram } from '../sql/sql-program';
import type { Rule } from './rule';

/** Fewer subtasks than shards: one subtask reads several, at different speeds. */
export const crowdedSourceSubtasks: Rule = {
  name: 'CrowdedSourceSubtasks',
  level: 'warning',
  looksAt: 'the parallelism, and the shards and watermark of each Kinesis source',
  description: 'The parallelism is below the shards of a Kinesis source with a watermark, or of a stream that a JAR reads.',
  why: 'A subtask that reads several shards reads one ahead of another while it catches up; rows of the slower one come late, and a window drops them.',
  cure: 'Raise `parallelism` to the shards, or leave it out. Acknowledge it where no event time is used, or lateness is allowed for.',
  check: (application) => {
    const { parallelism, program } = application;
    const timeless = program instanceof SqlProgram ? program._usedTables().filter(({ watermark }) => watermark === undefined) : [];
    return splitSources(application._bindings())
      .filter(({ splits }) => splits.unit === 'shard' && splits.count !== undefined && splits.count > parallelism)
      .filter(({ name }) => !timeless.some((table) => table.name === name))
      .map(({ name, splits }) => ({
        table: name,
        message: `the ${parallelism} source subtasks of '${name}' share the ${splits.count} shards of ${splits.of}: a subtask that catches up reads one shard ahead of another, and rows of the slower one come late; raise parallelism to ${splits.count}, or acknowledge this where lateness is allowed for`,
      }));
  },
};
