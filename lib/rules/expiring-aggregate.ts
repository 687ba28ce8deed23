import { SqlProgram, type SqlQuery } from '../sql/sql-program';
import { stateExpires } from './keeps-state-for-ever';
import { changingSourcesUnder } from './queries/changing-sources';
import { groupsWithoutWindow } from './queries/endless-operations';
import type { Rule } from './rule';

const TTL_HINT = /\bSTATE_TTL\s*\(/i;

/** Whoever bounds the state of a query by a hint has thought of it. It holds within its query or view only. */
export function hasTtlHint({ sql }: SqlQuery): boolean {
  return TTL_HINT.test(sql);
}

/** A retraction takes from a sum what an insert gave: it must find the sum that the insert went into. */
export const expiringAggregate: Rule = {
  name: 'ExpiringAggregate',
  level: 'warning',
  looksAt: '`stateTtl`, the queries that group without a window, and the sources under them',
  description: 'A query groups rows that are updated or deleted later, and its state expires.',
  why: 'Once the state of a group is gone its sum begins at zero again. An update of an old row then takes away what is no longer in it: sums are too small or negative, and groups are deleted that have rows; no error tells.',
  cure: 'Leave `stateTtl` out, and bound what else keeps state by the hint `STATE_TTL`. Acknowledge it where no row changes that much later. `npx cdk-flink-pipeline plan` refuses it as `aggregate-ttl`.',
  check: (application) => {
    const { jobName, program } = application;
    if (!(program instanceof SqlProgram) || !stateExpires(application)) {
      return [];
    }
    return program._inserts().flatMap(({ table, query }) => {
      const sources = changingSourcesUnder(query, groupsWithoutWindow, hasTtlHint);
      return sources.length > 0
        ? [
            {
              table: table.name,
              message: `the query into '${table.name}' of job '${jobName}' groups rows of ${sources.map(({ name }) => `'${name}'`).join(' and ')}, which are updated or deleted later, and its state expires: an update of an old row is taken from a sum that began at zero again, which is wrong from then on; leave stateTtl out, and bound other queries by a STATE_TTL hint`,
            },
          ]
        : [];
    });
  },
};
