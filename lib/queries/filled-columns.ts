import { ColumnKind } from '../sql/column';
import type { SqlTable } from '../sql/sql-table';

/**
 * Names of the columns that an INSERT fills, in the order of its query.
 *
 * @param table the sink
 * @param given the columns that the INSERT names, empty for all
 */
export function filledColumns({ columns }: SqlTable, given: string[]): string[] {
  return given.length > 0 ? given : columns.filter(({ kind, virtual }) => kind !== ColumnKind.COMPUTED && !virtual).map(({ name }) => name);
}
