import type { FlinkApplication } from '../application/flink-application';
import { Changes } from '../sql/connector';
import { SqlProgram, type SqlQuery } from '../sql/sql-program';
import type { SqlToken } from '../sql/sql-scanner';
import type { Rule } from './rule';

/** What the name of a window, or a column of one, begins with; under another name it came through a view. */
const WINDOW = /^(WINDOW|TUMBLE|HOP|CUMULATE|SESSION)/;
const RUNTIME_MODE = 'execution.runtime-mode';

/** A sum per key changes with each row; a sink that only appends cannot take that back. */
export const updatesIntoAppendOnlySink: Rule = {
  name: 'UpdatesIntoAppendOnlySink',
  level: 'error',
  looksAt: 'the outermost GROUP BY of each query, and what its sink takes',
  description: 'A query groups without a window, and its sink only appends.',
  why: 'Each row changes the row of its group. Flink refuses the job when it starts, or it fails at the first change; a JDBC table, an Elasticsearch index and a MongoDB collection only append as long as they have no primary key.',
  cure: 'Give the sink the `primaryKey` of the groups, or write by `UpsertKafkaSink`; or aggregate over a window, such as TUMBLE. The planner finds what else updates: `npx cdk-flink-pipeline plan`.',
  check: (application) => {
    const { jobName, program } = application;
    if (!(program instanceof SqlProgram) || inBatch(application)) {
      return [];
    }
    return program
      ._inserts()
      .filter(({ table, query }) => table.binding.sink?.changes === Changes.INSERT_ONLY && updates(query))
      .map(({ table }) => ({
        table: table.name,
        message: `the query into '${table.name}' of job '${jobName}' has a GROUP BY without a window, so that its rows change, and the ${table.binding.identifier} table only appends: the job fails; ${advice(table.binding.identifier)}, or aggregate over a window`,
      }));
  },
};

/** A mode that is known only at deployment may well be a batch. */
function inBatch({ settings }: FlinkApplication): boolean {
  const mode = settings.flinkConfiguration?.[RUNTIME_MODE];
  return mode !== undefined && mode.toUpperCase() !== 'STREAMING';
}

function advice(identifier: string): string {
  return /^(jdbc|mongodb|elasticsearch|opensearch)/.test(identifier)
    ? 'give the table a primaryKey'
    : 'write to a table with a key, such as UpsertKafkaSink with a primaryKey';
}

/** Sure is only what the query itself groups by, with no window in sight. */
function updates(query: SqlQuery): boolean {
  const windowed = [query.tokens, ...[...query.views].map((view) => view._query.tokens)].some((tokens) =>
    tokens.some(({ kind, text }) => kind !== 'string' && WINDOW.test(text.toUpperCase())),
  );
  return !windowed && groupsAtTop(query.tokens);
}

function groupsAtTop(tokens: SqlToken[]): boolean {
  let depth = 0;
  return tokens.some(({ kind, text }, index) => {
    depth += kind === 'symbol' ? (text === '(' ? 1 : text === ')' ? -1 : 0) : 0;
    const next = tokens[index + 1];
    return depth === 0 && kind === 'word' && text.toUpperCase() === 'GROUP' && next?.kind === 'word' && next.text.toUpperCase() === 'BY';
  });
}
