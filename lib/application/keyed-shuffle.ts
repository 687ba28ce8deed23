import { Changes } from '../sql/connector';
import type { SqlProgram } from '../sql/sql-program';

/**
 * Sinks whose rows of one key could be written by two writers at once: a keyed sink with several writers, fed from sources that only
 * append. The planner leaves appended rows where they were made, which need not be where other rows of their key are; rows that are
 * updated it sends by key itself.
 *
 * A query that groups by the very key of the sink is named, too: whether it does is known to the planner only, and a needless
 * shuffle costs less than a lost update.
 *
 * @param program the program
 * @param writers writers of each sink
 */
export function racingSinks(program: SqlProgram, writers: { [table: string]: number }): string[] {
  const racing = program._inserts().filter(({ table, query }) => {
    const keyed = table.primaryKey.length > 0 && table.binding.sink?.changes !== Changes.INSERT_ONLY;
    return (
      keyed &&
      (writers[table.name] ?? 1) > 1 &&
      [...query.tables].every(
        (source) => source.binding.source?.changes !== Changes.ALL && source.binding.source?.changes !== Changes.UPSERT,
      )
    );
  });
  return [...new Set(racing.map(({ table }) => table.name))];
}
