import { changesOfForgotten } from '../queries/outdated-state';
import { readQuery } from '../queries/query-reader';
import { named } from '../queries/query-result';
import { SqlProgram } from '../sql/sql-program';
import { stateExpires } from './keeps-state-for-ever';
import type { Rule } from './rule';

/** A change looks for its partner in the state of the other side, which nothing but another change keeps there. */
export const expiringJoin: Rule = {
  name: 'ExpiringJoin',
  level: 'warning',
  looksAt: '`stateTtl`, the queries that join without a bound in time, and the sources under them',
  description:
    'A query joins rows that are updated or deleted later, such as changes of a database or the sums of a GROUP BY, and its state expires.',
  why: 'A row that is updated after the other side was forgotten finds no partner any more: a LEFT JOIN writes nulls over what was there, an inner join takes nothing back and adds nothing, so that the old row stays; no error tells.',
  cure: "Leave `stateTtl` out for this job, or give the join a hint of its own, longer than rows are updated: `/*+ STATE_TTL('o' = '90d', 'i' = '90d') */`. Acknowledge it where no row changes that much later.",
  check: (application) => {
    const { jobName, program } = application;
    if (!(program instanceof SqlProgram) || !stateExpires(application)) {
      return [];
    }
    return program._inserts().flatMap(({ table, query }) => {
      const changes = changesOfForgotten(readQuery(query).operations, 'join');
      return changes.length > 0
        ? [
            {
              table: table.name,
              message: `the query into '${table.name}' of job '${jobName}' joins rows of ${named(changes)}, which are updated or deleted later, and its state expires: an update of a row whose partner is forgotten writes nulls, or nothing; leave stateTtl out, or give the join a STATE_TTL hint that is longer than rows are updated`,
            },
          ]
        : [];
    });
  },
};
