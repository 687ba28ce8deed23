import { Token } from 'aws-cdk-lib';
import { isComputedAnew } from '../queries/computed-anew';
import { filledColumns } from '../queries/filled-columns';
import { updatesRows } from '../queries/updated-rows';
import { type SqlInsert, SqlProgram } from '../sql/sql-program';
import type { Rule } from './rule';

/** The column that the name of an index holds: `clicks-{at|yyyy-MM-dd}`. */
const COLUMN = /\{([^{}|]+)(?:\|[^{}]*)?\}/;

/** An id is unique within its index only. */
export const movingDocument: Rule = {
  name: 'MovingDocument',
  level: 'warning',
  looksAt: 'the index and the primary key of Elasticsearch and OpenSearch sinks, the queries into them, and the sources under these',
  description:
    'The name of the index holds a column that is not in the primary key, and the query updates rows, or takes that column from the clock.',
  why: 'A row whose column changes is written into another index, and its former document stays where it was, for every search to find; so is one that is written again after a restart, where the column comes from the clock. A delete looks in the index of its own row, and may miss it.',
  cure: 'Put the column into the primary key, where it tells rows apart, take it from the row instead of the clock, or write to one index (an alias with rollover). Acknowledge it where the column of a row never changes.',
  check: ({ jobName, program }) => {
    const inserts = program instanceof SqlProgram ? program._inserts() : [];
    const found = new Map(inserts.flatMap((insert) => moves(insert).map((message) => [insert.table.name, message] as const)));
    return [...found].map(([table, message]) => ({
      table,
      message: `the index of table '${table}' of job '${jobName}' follows from ${message}`,
    }));
  },
};

function moves({ table, query, columns }: SqlInsert): string[] {
  const { binding, primaryKey } = table;
  const { index } = binding.options;
  const indexed = /^(elasticsearch-|opensearch)/.test(binding.identifier) && index !== undefined && !Token.isUnresolved(index);
  const column = indexed ? COLUMN.exec(index)?.[1] : undefined;
  if (column === undefined || primaryKey.length === 0 || primaryKey.includes(column)) {
    return [];
  }
  if (updatesRows(query)) {
    return [
      `column '${column}', which is not in its primary key: a row whose ${column} changes is then in two indices; put the column into the primaryKey, or acknowledge this where it never changes`,
    ];
  }
  return isComputedAnew(query, filledColumns(table, columns).indexOf(column), column)
    ? [
        `column '${column}', which is not in its primary key and comes from the clock or from chance: a row that is written again after a restart may be in two indices; take the column from the row, or put it into the primaryKey`,
      ]
    : [];
}
