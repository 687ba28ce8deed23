import { splitSources } from '../application/parallelism';
import type { Rule } from './rule';

/** Fewer subtasks than shards: one subtask reads several, at different speeds. */
export const crowdedSourceSubtasks: Rule = {
  name: 'CrowdedSourceSubtasks',
  level: 'warning',
  looksAt: 'the parallelism and the shards of each Kinesis source',
  description: 'The parallelism is below the shards of a Kinesis source.',
  why: 'A subtask that reads several shards reads one ahead of another while it catches up; rows of the slower one come late, and a window drops them.',
  cure: 'Raise `parallelism` to the shards, or leave it out. Acknowledge it where no event time is used, or lateness is allowed for.',
  check: (application) =>
    splitSources(application._bindings())
      .filter(({ splits }) => splits.unit === 'shard' && splits.count !== undefined && splits.count > application.parallelism)
      .map(({ name, splits }) => ({
        table: name,
        message: `the ${application.parallelism} source subtasks of '${name}' share the ${splits.count} shards of ${splits.of}: a subtask that catches up reads one shard ahead of another, and rows of the slower one come late; raise parallelism to ${splits.count}, or acknowledge this where lateness is allowed for`,
      })),
};
