import { splitSources } from '../application/parallelism';
import type { Rule } from './rule';

/** Fewer subtasks than shards: one subtask reads several, at different speeds. */
export const crowdedSourceSubtasks: Rule = {
  name: 'CrowdedSourceSubtasks',
  level: 'warning',
  description:
    'The job has a lower parallelism than a Kinesis source has shards: a subtask that reads several shards drops late rows while it catches up.',
  check: (application) =>
    splitSources(application._bindings())
      .filter(({ splits }) => splits.unit === 'shard' && splits.count !== undefined && splits.count > application.parallelism)
      .map(({ name, splits }) => ({
        table: name,
        message: `the ${application.parallelism} source subtasks of '${name}' share the ${splits.count} shards of ${splits.of}: a subtask that catches up reads one shard ahead of another, and rows of the slower one come late; raise parallelism to ${splits.count}, or acknowledge this where lateness is allowed for`,
      })),
};
