import type { ConnectorBinding } from '../sql/connector';
import { SqlProgram } from '../sql/sql-program';
import type { Rule } from './rule';
import { topicPlace } from './topic-place';

/** A job reads and writes at one place. */
const HERE = { environment: '', kubernetesCluster: '' };

/** Stream or topic of a table. */
function placeOf(binding: ConnectorBinding): string | undefined {
  return topicPlace(HERE, binding) ?? binding.options['stream.arn'];
}

/** What a query writes into its own source is read once more. */
export const feedbackLoop: Rule = {
  name: 'FeedbackLoop',
  level: 'warning',
  looksAt: 'the topic or stream of each sink, and those of the sources of its query',
  description: 'A query writes into a topic or a stream that it reads.',
  why: 'Each row that it writes is read, and written once more, for ever: the topic grows as fast as the job can write. It ends only where the query keeps its own rows out.',
  cure: 'Write to another topic or stream. Acknowledge it where a condition keeps the rows out that the query has written.',
  check: ({ jobName, program }) =>
    program instanceof SqlProgram
      ? program._inserts().flatMap(({ table, query }) => {
          const place = placeOf(table.binding);
          const source = [...query.tables].find(({ binding }) => binding.source !== undefined && placeOf(binding) === place);
          return place !== undefined && source !== undefined
            ? [
                {
                  table: table.name,
                  message: `the query into table '${table.name}' of job '${jobName}' reads table '${source.name}', which is on the same ${table.binding.options.topic === undefined ? 'stream' : 'topic'}: each row that it writes is read and written once more, for ever; write elsewhere, or acknowledge this where a condition keeps its own rows out`,
                },
              ]
            : [];
        })
      : [],
};
