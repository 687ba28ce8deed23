import { readQuery } from '../queries/query-reader';
import type { Change } from '../queries/query-result';
import { Changes } from '../sql/connector';
import { SqlProgram, type SqlQuery } from '../sql/sql-program';
import type { SqlTable } from '../sql/sql-table';
import { onlyAppends } from './only-appends';
import type { Rule } from './rule';
import { inBatch } from './runs-to-end';

/** What the name of a window, or a column of one, begins with; under another name it came through a view. */
const WINDOW = /^(WINDOW|TUMBLE|HOP|CUMULATE|SESSION)/;

/** Connectors that take updates without a key, too, as new documents, and fail at the first delete: no planner refuses them. */
const TAKES_UPDATES = /^(elasticsearch|opensearch)/;

/** A sum per key changes with each row; a sink that only appends cannot take that back. */
export const updatesIntoAppendOnlySink: Rule = {
  name: 'UpdatesIntoAppendOnlySink',
  level: 'error',
  looksAt: 'each query with its views, the sources under it, and what its sink takes',
  description:
    'A query reads rows that are updated or deleted later, groups without a window, takes distinct or the best rows, or rows without others, and its sink only appends.',
  why: 'Each row changes the row of its group. Flink refuses the job when it starts, or it fails at the first change; a JDBC table, an Elasticsearch index and a MongoDB collection only append as long as they have no primary key.',
  cure: 'Give the sink the `primaryKey` of the groups, or write by `UpsertKafkaSink`; or aggregate over a window, such as TUMBLE. The planner finds what else updates: `npx cdk-flink-pipeline plan`. It refuses no index of Elasticsearch or OpenSearch without a key, which takes updates as new documents: there look at the changes of the sink, which it shows.',
  check: (application) => {
    const { jobName, program } = application;
    if (!(program instanceof SqlProgram) || inBatch(application)) {
      return [];
    }
    return program._inserts().flatMap(({ table, query }) => {
      const change = onlyAppends(table) ? updatedBy(query, TAKES_UPDATES.test(table.binding.identifier)) : undefined;
      return change === undefined
        ? []
        : [
            {
              table: table.name,
              message: `the query into '${table.name}' of job '${jobName}' ${inWords(change)}, and the ${table.binding.identifier} table only appends${isKeyless(table) ? ' without a primary key' : ''}: the job fails; ${advice(table)}${change.kind === 'group' ? ', or aggregate over a window' : ''}`,
            },
          ];
    });
  },
};

function inWords({ kind, what }: Change): string {
  return kind === 'source' ? `reads ${what}, whose rows are updated or deleted later` : `has ${what}, whose rows Flink updates`;
}

/** Whether a connector would take changes, were there a key. */
function isKeyless({ binding }: SqlTable): boolean {
  return binding.sink?.changes === Changes.UPSERT || /^(jdbc|mongodb|elasticsearch|opensearch)/.test(binding.identifier);
}

function advice(table: SqlTable): string {
  return isKeyless(table) ? 'give the table a primaryKey' : 'write to a table with a key, such as UpsertKafkaSink with a primaryKey';
}

/**
 * What in a query updates its rows for sure.
 *
 * @param alone whether no planner judges after this
 */
function updatedBy(query: SqlQuery, alone: boolean): Change | undefined {
  const { result, operations } = readQuery(query);
  const windowed = [query.tokens, ...[...query.views].map((view) => view._query.tokens)].some((tokens) =>
    tokens.some(({ kind, text }) => kind !== 'string' && WINDOW.test(text.toUpperCase())),
  );
  // Where a window is in sight, what seems to group or rank without one may well do so by it.
  const unsure = windowed && operations.some(({ kind }) => kind === 'group' || kind === 'rank');
  // The planner may find that an outer join is none, and lets the first row of an order pass.
  return result.changes.find(({ kind }) =>
    kind === 'source' ? !unsure : !windowed && (alone || kind === 'group' || kind === 'result' || kind === 'again'),
  );
}
