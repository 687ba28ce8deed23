import type { SqlQuery } from '../sql/sql-program';
import { readQuery } from './query-reader';
import type { NullableColumn } from './query-result';

/** A column of a query that may be null, and its place in the SELECT. */
export interface NullColumn {
  readonly position: number;
  /** As the query names it: `u.amount`. */
  readonly name: string;
  /** The column of a table that it is. @default - an outer join leaves it null where it finds no row */
  readonly of?: NullableColumn;
}

/**
 * Columns that a query takes from the side of an outer join that may have no row, or as they are from a table that may have nulls in them, in
 * itself or in what it reads; none where not all places are known.
 *
 * @param query a query with its views
 */
export function nullColumns(query: SqlQuery): NullColumn[] {
  return (readQuery(query).result.columns ?? []).flatMap(({ outer, taken, nullable }, position) =>
    taken === undefined || (outer ?? nullable) === undefined
      ? []
      : [{ position, name: taken, of: outer === undefined ? nullable : undefined }],
  );
}
