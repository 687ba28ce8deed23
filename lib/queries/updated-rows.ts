import type { SqlQuery } from '../sql/sql-program';
import { readQuery } from './query-reader';

/**
 * Whether a query may update or delete rows that it has given: it reads changes, or it groups, ranks or joins without a bound in time.
 *
 * @param query a query with its views
 */
export function updatesRows(query: SqlQuery): boolean {
  return readQuery(query).result.changes.some(({ kind }) => kind !== 'again');
}
