import { Changes } from '../sql/connector';
import { SqlProgram, type SqlQuery } from '../sql/sql-program';
import { A_ROW_NUMBER, readQuery } from './queries/query-reader';
import type { Rule } from './rule';
import { inBatch } from './runs-to-end';

/** What the name of a window, or a column of one, begins with; under another name it came through a view. */
const WINDOW = /^(WINDOW|TUMBLE|HOP|CUMULATE|SESSION)/;

/** A sum per key changes with each row; a sink that only appends cannot take that back. */
export const updatesIntoAppendOnlySink: Rule = {
  name: 'UpdatesIntoAppendOnlySink',
  level: 'error',
  looksAt: 'each query with its views, and what its sink takes',
  description: 'A query groups without a window, takes distinct or the best rows, or rows without others, and its sink only appends.',
  why: 'Each row changes the row of its group. Flink refuses the job when it starts, or it fails at the first change; a JDBC table, an Elasticsearch index and a MongoDB collection only append as long as they have no primary key.',
  cure: 'Give the sink the `primaryKey` of the groups, or write by `UpsertKafkaSink`; or aggregate over a window, such as TUMBLE. The planner finds what else updates: `npx cdk-flink-pipeline plan`.',
  check: (application) => {
    const { jobName, program } = application;
    if (!(program instanceof SqlProgram) || inBatch(application)) {
      return [];
    }
    return program._inserts().flatMap(({ table, query }) => {
      const what = table.binding.sink?.changes === Changes.INSERT_ONLY ? updatedBy(query) : undefined;
      const { identifier } = table.binding;
      return what === undefined
        ? []
        : [
            {
              table: table.name,
              message: `the query into '${table.name}' of job '${jobName}' has ${what}, whose rows Flink updates, and the ${identifier} table only appends: the job fails; ${advice(identifier)}${what.endsWith('window') ? ', or aggregate over a window' : ''}`,
            },
          ];
    });
  },
};

function advice(identifier: string): string {
  return /^(jdbc|mongodb|elasticsearch|opensearch)/.test(identifier)
    ? 'give the table a primaryKey'
    : 'write to a table with a key, such as UpsertKafkaSink with a primaryKey';
}

/** What in a query updates its rows for sure, with no window in sight. */
function updatedBy(query: SqlQuery): string | undefined {
  const windowed = [query.tokens, ...[...query.views].map((view) => view._query.tokens)].some((tokens) =>
    tokens.some(({ kind, text }) => kind !== 'string' && WINDOW.test(text.toUpperCase())),
  );
  // The planner may find that an outer join is none, and lets the first row of an order pass. Of changing sources it tells itself.
  const changes = windowed ? [] : readQuery(query).result.changes;
  return changes.find(({ kind, what }) => (kind === 'result' && what !== A_ROW_NUMBER) || kind === 'again')?.what;
}
