import type { SqlQuery } from '../../sql/sql-program';
import { readQuery } from './query-reader';

/** A column of a query that is null where an outer join finds no row, and its place in the SELECT. */
export interface OuterColumn {
  readonly position: number;
  /** As the query names it: `u.amount`. */
  readonly name: string;
}

/**
 * Columns that a query takes from the side of an outer join that may have no row, in itself or in what it reads, none where not all places
 * are known.
 *
 * @param query a query with its views
 */
export function outerColumns(query: SqlQuery): OuterColumn[] {
  return (readQuery(query).result.columns ?? []).flatMap(({ outer, taken }, position) =>
    outer !== undefined && taken !== undefined ? [{ position, name: taken }] : [],
  );
}
