import { filledColumns } from '../queries/filled-columns';
import { readQuery } from '../queries/query-reader';
import { named, together } from '../queries/query-result';
import { Changes, TableRole } from '../sql/connector';
import { SqlProgram } from '../sql/sql-program';
import type { SqlTable } from '../sql/sql-table';
import type { Rule } from './rule';

const STRATEGY = 'table.optimizer.non-deterministic-update.strategy';

/** A dimension is asked again for each retraction, and may answer otherwise than it did for the insert. */
export const lookupOverChanges: Rule = {
  name: 'LookupOverChanges',
  level: 'warning',
  looksAt: 'the lookup joins of each query, and the sources that it reads beside them',
  description:
    'A lookup join is made for rows that are updated or deleted later: changes of a database, or, for a sink without a primary key, what the query has grouped, ranked or joined before.',
  why: 'A delete asks the dimension again. Where the dimension has changed in between, it no longer takes back what was written: an inner join leaves a row for ever, a sum or a key over a looked-up column is wrong, and no error tells.',
  cure: "Set `program.set('table.optimizer.non-deterministic-update.strategy', 'TRY_RESOLVE')`: Flink then keeps what it has looked up as state where it must, or refuses the query, as it does with `DynamoDbLookup`, which is asynchronous: sum before the lookup then. Or give the lookup table its `primaryKey`, look it up by that in a LEFT JOIN, and give the sink the key of the source: each change then replaces or deletes the row of its key. Without that `primaryKey` Flink puts a materializer before the sink, which drops a delete that is not the row it keeps. Acknowledge it where the looked-up values never change.",
  check: ({ jobName, program, settings }) => {
    if (!(program instanceof SqlProgram)) {
      return [];
    }
    const strategy = program._settings()[STRATEGY] ?? settings.flinkConfiguration?.[STRATEGY];
    if (strategy?.toUpperCase() === 'TRY_RESOLVE') {
      return [];
    }
    return program._inserts().flatMap(({ table, query, columns }) => {
      const dimensions = [...query.tables].filter(({ binding }) => binding.role === TableRole.LOOKUP);
      const { result, operations } = readQuery(query);
      const lookups = operations.filter(({ kind }) => kind === 'lookup');
      // By its key a sink replaces what the query itself computes anew, and nothing is taken back.
      const keyed = table.primaryKey.length > 0;
      const changes = together(...lookups.map((lookup) => lookup.changes)).filter(
        ({ kind }) => kind === 'source' || (kind !== 'again' && !keyed),
      );
      return changes.length > 0 && !replacesRows(table, filledColumns(table, columns), result.enrichedKey)
        ? [
            {
              table: table.name,
              message: `the query into '${table.name}' of job '${jobName}' looks up ${dimensions.map(({ name }) => `'${name}'`).join(' and ')} for rows of ${named(changes)}, which are updated or deleted later: where the dimension has changed, a delete does not take back what was written; set '${STRATEGY}' to 'TRY_RESOLVE', or write what a LEFT JOIN looks up by the primary key of its table to a sink with the key of the source`,
            },
          ]
        : [];
    });
  },
};

/** Whether a sink keeps one row for each of a source, by its key. */
function replacesRows({ binding, primaryKey }: SqlTable, filled: string[], key: number[] | undefined): boolean {
  return (
    binding.sink?.changes === Changes.UPSERT &&
    key?.length === primaryKey.length &&
    key.every((place) => primaryKey.includes(filled[place] ?? ''))
  );
}
