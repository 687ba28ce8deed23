import { changesOfForgotten } from '../queries/outdated-state';
import { readQuery } from '../queries/query-reader';
import { type Change, named } from '../queries/query-result';
import { SqlProgram } from '../sql/sql-program';
import { keepsStateForEver } from './keeps-state-for-ever';
import type { Rule } from './rule';
import { endsByItself, inBatch } from './runs-to-end';

/** A regular join keeps both sides, an aggregate a row for each group, a ranking rows of each key: without a time to live, for ever. */
export const endlessState: Rule = {
  name: 'EndlessState',
  level: 'warning',
  looksAt: '`stateTtl`, the queries of the program with their views, and whether their sources end',
  description: 'A query joins, groups, ranks or sums over earlier rows without a window, and state never expires.',
  why: 'A join keeps both its sides, an aggregate a row for each group and a ROW_NUMBER the first rows of each key, for ever. State grows with each new key until disk or memory is full, and checkpoints get slower.',
  cure: 'Give `stateTtl`; mind that a sum starts anew where its state was dropped. Give none where the rows are updated or deleted later (`ExpiringAggregate`, `ExpiringJoin` tell): a result that forgets them is wrong. There bound the number of keys, give the state its disk (`StateBackend.rocksDb`), and acknowledge this. Acknowledge it, too, where the number of keys is bounded, or no state may be forgotten.',
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
          const { operations } = readQuery(query);
          const endless = operations.filter(({ endless, hinted }) => endless && !hinted);
          const whats = [...new Set(endless.map(({ what }) => what))];
          return [table.name, { whats, changes: changesOfForgotten(operations, 'group', 'rank', 'join') }] as const;
        })
        .filter(([, { whats }]) => whats.length > 0),
    );
    return [...found].map(([table, { whats, changes }]) => ({
      table,
      message: `the query into '${table}' of job '${jobName}' has ${whats.join(' and ')}, and its state never expires: it grows with each new key until disk or memory is full; ${advice(changes)}`,
    }));
  },
};

/** A time to live is no way out where it would make results wrong. */
function advice(changes: Change[]): string {
  return changes.length > 0
    ? `stateTtl would make it wrong, since rows of ${named(changes)} are updated or deleted later: bound the number of keys, give the state its disk, and acknowledge this`
    : 'give stateTtl, or acknowledge this where the number of keys is bounded or no state may be forgotten';
}
