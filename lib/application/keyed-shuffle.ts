import { Changes } from '../sql/connector';
import type { SqlProgram, SqlQuery } from '../sql/sql-program';

/** Words by which a query groups rows by a key of its own: its rows then reach the sink in the order of that key. */
const REGROUPS = new Set(['GROUP', 'OVER', 'DISTINCT', 'INTERSECT', 'EXCEPT', 'MATCH_RECOGNIZE']);

/**
 * Sinks whose rows of one key could be written by two writers at once: a keyed sink with several writers, fed row by row from
 * sources that only append. Flink leaves such rows where they were read.
 *
 * @param program the program
 * @param writers writers of each sink
 */
export function racingSinks(program: SqlProgram, writers: { [table: string]: number }): string[] {
  const known = new Map<SqlQuery, boolean>();
  const regroups = (query: SqlQuery) => {
    const result = known.get(query) ?? query.tokens.some((token) => token.kind === 'word' && REGROUPS.has(token.text.toUpperCase()));
    known.set(query, result);
    return result;
  };
  const racing = program._inserts().filter((insert) => {
    const keyed = insert.table.primaryKey.length > 0 && insert.table.binding.sink?.changes !== Changes.INSERT_ONLY;
    if (!keyed || (writers[insert.table.name] ?? 1) <= 1) {
      return false;
    }
    const appends = program
      ._sources(insert)
      .every((source) => (source.binding.source?.changes ?? Changes.INSERT_ONLY) === Changes.INSERT_ONLY);
    return appends && !program._queries(insert).some(regroups);
  });
  return [...new Set(racing.map((insert) => insert.table.name))];
}
