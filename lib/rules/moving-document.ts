import { Token } from 'aws-cdk-lib';
import { SqlProgram } from '../sql/sql-program';
import type { Rule } from './rule';

/** The column that the name of an index holds: `clicks-{at|yyyy-MM-dd}`. */
const COLUMN = /\{([^{}|]+)(?:\|[^{}]*)?\}/;

/** An id is unique within its index only. */
export const movingDocument: Rule = {
  name: 'MovingDocument',
  level: 'warning',
  looksAt: 'the index and the primary key of Elasticsearch and OpenSearch sinks',
  description: 'The name of the index holds a column that is not in the primary key.',
  why: 'A row whose column changes is written into another index, and its former document stays where it was, for every search to find. A delete looks in the index of its own row, and may miss it.',
  cure: 'Put the column into the primary key, where it tells rows apart, or write to one index (an alias with rollover). Acknowledge it where the column of a row never changes.',
  check: ({ jobName, program }) =>
    program instanceof SqlProgram
      ? program._usedTables().flatMap(({ name, binding, primaryKey }) => {
          const { index } = binding.options;
          const indexed = /^(elasticsearch-|opensearch)/.test(binding.identifier) && index !== undefined && !Token.isUnresolved(index);
          const column = indexed ? COLUMN.exec(index)?.[1] : undefined;
          return column !== undefined && primaryKey.length > 0 && !primaryKey.includes(column)
            ? [
                {
                  table: name,
                  message: `the index of table '${name}' of job '${jobName}' follows from column '${column}', which is not in its primary key: a row whose ${column} changes is then in two indices; put the column into the primaryKey, or acknowledge this where it never changes`,
                },
              ]
            : [];
        })
      : [],
};
