import type { IDimensionTable } from '../aws/dimension-table';
import { ColumnKind } from '../sql/column';
import type { TableDefinition } from '../sql/connector';
import { DataTypeRoot } from '../sql/data-type';

/** Families of types that a key attribute can have: DynamoDB knows strings, numbers and binaries there. */
const KEY_TYPES = [DataTypeRoot.CHARACTER_STRING, DataTypeRoot.NUMERIC, DataTypeRoot.BINARY_STRING];

/**
 * The key attributes of a DynamoDB table, the partition key first.
 *
 * @param dimension the DynamoDB table
 */
export function keyOf(dimension: IDimensionTable): string[] {
  return dimension.sortKey === undefined ? [dimension.partitionKey] : [dimension.partitionKey, dimension.sortKey];
}

/**
 * Refuses a table that does not hold the key of the DynamoDB table as columns, or whose primary key is another.
 *
 * @param table the table
 * @param dimension the DynamoDB table
 */
export function checkKey(table: TableDefinition, dimension: IDimensionTable): void {
  const key = keyOf(dimension);
  for (const attribute of key) {
    const column = table.columns.find((candidate) => candidate.name === attribute && candidate.kind === ColumnKind.PHYSICAL);
    if (!column) {
      throw new Error(`table '${table.name}' must have a physical column '${attribute}', which is part of the key of the DynamoDB table`);
    }
    if (!KEY_TYPES.includes(column.type!.root)) {
      throw new Error(
        `key column '${attribute}' of table '${table.name}' must be of text, a number or bytes, as DynamoDB keys are, got ${column.type}`,
      );
    }
  }
  if ([...table.primaryKey].sort().join('\n') !== [...key].sort().join('\n')) {
    throw new Error(
      `primaryKey of table '${table.name}' must be the key of the DynamoDB table, ${key.join(', ')}, got ${table.primaryKey.join(', ') || 'none'}`,
    );
  }
}
