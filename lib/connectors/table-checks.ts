import { ColumnKind } from '../sql/column';
import { Changes, type TableDefinition } from '../sql/connector';

/**
 * Refuses metadata columns of a connector that supplies none.
 *
 * @param table the table
 * @param because why, and what to do: completes the sentence "must not have the metadata column 'c': …"
 */
export function checkNoMetadata(table: TableDefinition, because: string): void {
  const column = table.columns.find((candidate) => candidate.kind === ColumnKind.METADATA);
  if (column) {
    throw new Error(`table '${table.name}' must not have the metadata column '${column.name}': ${because}`);
  }
}

/**
 * Refuses a primary key that an append-only sink would not look at. A changelog format needs one: rows of a key must stay in order.
 *
 * @param table the table
 * @param changes what the sink takes
 * @param instead what to do instead: completes the sentence "… would not replace rows; …"
 */
export function checkNoIdleKey(table: TableDefinition, changes: Changes, instead: string): void {
  if (changes === Changes.INSERT_ONLY && table.primaryKey.length > 0) {
    throw new Error(
      `table '${table.name}' must not have a primary key, got ${table.primaryKey.join(', ')}: the sink only appends and would not replace rows; ${instead}`,
    );
  }
}
