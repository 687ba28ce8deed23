import { SqlProgram } from '../sql/sql-program';
import { stateExpires } from './keeps-state-for-ever';
import { readQuery } from './queries/query-reader';
import { named, together } from './queries/query-result';
import type { Rule } from './rule';

/** A retraction takes from a sum what an insert gave: it must find the sum that the insert went into. */
export const expiringAggregate: Rule = {
  name: 'ExpiringAggregate',
  level: 'warning',
  looksAt: '`stateTtl`, the queries that group without a window, and the sources under them',
  description: 'A query groups or ranks rows that are updated or deleted later, and its state expires.',
  why: 'Once the state of a group is gone its sum begins at zero again, and a ranking is empty. An update of an old row then takes away what is no longer in it: sums are too small or negative, and groups are deleted that have rows; no error tells.',
  cure: 'Leave `stateTtl` out, and bound what else keeps state by the hint `STATE_TTL`. Acknowledge it where no row changes that much later. `npx cdk-flink-pipeline plan` refuses a sum as `aggregate-ttl`.',
  check: (application) => {
    const { jobName, program } = application;
    if (!(program instanceof SqlProgram) || !stateExpires(application)) {
      return [];
    }
    return program._inserts().flatMap(({ table, query }) => {
      const groups = readQuery(query).operations.filter(({ kind, hinted }) => (kind === 'group' || kind === 'rank') && !hinted);
      // What is computed anew changes only while its own state lives, and that above it was written with it.
      const sources = together(...groups.map(({ changes }) => changes)).filter(({ kind }) => kind === 'source');
      const verb = groups.some(({ kind }) => kind === 'group') ? 'groups' : 'ranks';
      return sources.length > 0
        ? [
            {
              table: table.name,
              message: `the query into '${table.name}' of job '${jobName}' ${verb} rows of ${named(sources)}, which are updated or deleted later, and its state expires: an update of an old row is taken from a sum that began at zero again, which is wrong from then on; leave stateTtl out, and bound other queries by a STATE_TTL hint`,
            },
          ]
        : [];
    });
  },
};
