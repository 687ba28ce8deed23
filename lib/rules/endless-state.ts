import { SqlProgram } from '../sql/sql-program';
import { keepsStateForEver } from './keeps-state-for-ever';
import { endlessOperations } from './queries/endless-operations';
import type { Rule } from './rule';

/** A regular join keeps both sides, an aggregate a row for each group: without a time to live, for ever. */
export const endlessState: Rule = {
  name: 'EndlessState',
  level: 'warning',
  looksAt: '`stateTtl`, and the queries of the program with their views',
  description: 'A query joins or groups without a window, and state never expires.',
  why: 'A join keeps both its sides and an aggregate a row for each group, for ever. State grows with each new key until disk or memory is full, and checkpoints get slower.',
  cure: 'Give `stateTtl`; mind that a sum starts anew where its state was dropped. Acknowledge it where the number of keys is bounded, or no state may be forgotten.',
  check: (application) => {
    const { jobName, program } = application;
    if (!(program instanceof SqlProgram) || !keepsStateForEver(application)) {
      return [];
    }
    const found = new Map(
      program
        ._inserts()
        .filter(({ query }) => query.tables.size > 0)
        .map(({ table, query }) => {
          const texts = [query, ...[...query.views].map((view) => view._query)];
          return [table.name, [...new Set(texts.flatMap(({ tokens }) => endlessOperations(tokens)))]] as const;
        })
        .filter(([, operations]) => operations.length > 0),
    );
    return [...found].map(([table, operations]) => ({
      table,
      message: `the query into '${table}' of job '${jobName}' has ${operations.join(' and ')}, and its state never expires: it grows with each new key until disk or memory is full; give stateTtl, or acknowledge this where the number of keys is bounded or no state may be forgotten`,
    }));
  },
};
