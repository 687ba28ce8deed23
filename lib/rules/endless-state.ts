import { SqlProgram } from '../sql/sql-program';
import { keepsStateForEver } from './keeps-state-for-ever';
import { readQuery } from './queries/query-reader';
import type { Rule } from './rule';
import { endsByItself, inBatch } from './runs-to-end';

/** A regular join keeps both sides, an aggregate a row for each group, a ranking rows of each key: without a time to live, for ever. */
export const endlessState: Rule = {
  name: 'EndlessState',
  level: 'warning',
  looksAt: '`stateTtl`, the queries of the program with their views, and whether their sources end',
  description: 'A query joins, groups, ranks or sums over earlier rows without a window, and state never expires.',
  why: 'A join keeps both its sides, an aggregate a row for each group and a ROW_NUMBER the first rows of each key, for ever. State grows with each new key until disk or memory is full, and checkpoints get slower.',
  cure: 'Give `stateTtl`; mind that a sum starts anew where its state was dropped. Acknowledge it where the number of keys is bounded, or no state may be forgotten.',
  check: (application) => {
    const { jobName, program } = application;
    if (!(program instanceof SqlProgram) || !keepsStateForEver(application) || inBatch(application)) {
      return [];
    }
    const found = new Map(
      program
        ._inserts()
        .filter(({ query }) => ![...query.tables].every(endsByItself))
        .map(({ table, query }) => {
          const endless = readQuery(query).operations.filter(({ endless, hinted }) => endless && !hinted);
          return [table.name, [...new Set(endless.map(({ what }) => what))]] as const;
        })
        .filter(([, operations]) => operations.length > 0),
    );
    return [...found].map(([table, operations]) => ({
      table,
      message: `the query into '${table}' of job '${jobName}' has ${operations.join(' and ')}, and its state never expires: it grows with each new key until disk or memory is full; give stateTtl, or acknowledge this where the number of keys is bounded or no state may be forgotten`,
    }));
  },
};
