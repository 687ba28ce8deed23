import { type Column, ColumnKind } from '../sql/column';
import type { TableDefinition } from '../sql/connector';
import type { DataType } from '../sql/data-type';

/**
 * The physical columns of a table, in their order.
 *
 * @param table the table
 */
export function physicalColumns(table: TableDefinition): Column[] {
  return table.columns.filter((column) => column.kind === ColumnKind.PHYSICAL);
}

/**
 * Refuses physical columns of a type that the connector does not take; some connectors find out only when the job starts.
 *
 * @param table the table
 * @param columns names of the columns to look at
 * @param what what the columns are, for the message
 * @param allowed whether the connector takes a type
 * @param taken the types that it takes, for the message
 */
export function checkColumnTypes(
  table: TableDefinition,
  columns: string[],
  what: string,
  allowed: (type: DataType) => boolean,
  taken: string,
): void {
  for (const column of physicalColumns(table)) {
    if (columns.includes(column.name) && column.type && !allowed(column.type)) {
      throw new Error(`${what} '${column.name}' of table '${table.name}' must be ${taken}, got ${column.type}`);
    }
  }
}
