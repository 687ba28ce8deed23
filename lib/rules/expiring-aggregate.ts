import { changesOfForgotten } from '../queries/outdated-state';
import { readQuery } from '../queries/query-reader';
import { named } from '../queries/query-result';
import { SqlProgram } from '../sql/sql-program';
import { stateExpires } from './keeps-state-for-ever';
import type { Rule } from './rule';

/** A retraction takes from a sum what an insert gave: it must find the sum that the insert went into. */
export const expiringAggregate: Rule = {
  name: 'ExpiringAggregate',
  level: 'warning',
  looksAt: '`stateTtl`, the queries that group without a window, and what they read',
  description:
    'A query groups rows that are updated or deleted later, such as changes of a database, the sums of another GROUP BY, the rows of an outer join or the last row of each key, or ranks such changes, and its state expires.',
  why: 'Once the state of a group is gone its sum begins at zero again, and a ranking is empty. An update of an old row then takes away what is no longer in it: sums are too small or negative, and groups are deleted that have rows; no error tells. So it is where the rows come from another sum or ranking, whose state expires, too: it gives a key that comes back as a new one, which is counted twice.',
  cure: 'Leave `stateTtl` out, and bound what else keeps state by the hint `STATE_TTL`. Acknowledge it where no row changes that much later. `npx cdk-flink-pipeline plan` refuses a sum as `aggregate-ttl`.',
  check: (application) => {
    const { jobName, program } = application;
    if (!(program instanceof SqlProgram) || !stateExpires(application)) {
      return [];
    }
    return program._inserts().flatMap(({ table, query }) => {
      const { operations } = readQuery(query);
      const changes = changesOfForgotten(operations, 'group', 'rank');
      const verb = changesOfForgotten(operations, 'group').length > 0 ? 'groups' : 'ranks';
      return changes.length > 0
        ? [
            {
              table: table.name,
              message: `the query into '${table.name}' of job '${jobName}' ${verb} rows of ${named(changes)}, which are updated or deleted later, and its state expires: an update of an old row is taken from a sum that began at zero again, which is wrong from then on; leave stateTtl out, and bound other queries by a STATE_TTL hint`,
            },
          ]
        : [];
    });
  },
};
