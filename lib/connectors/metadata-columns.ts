import { type Column, ColumnKind } from '../sql/column';
import { quotedAlternatives } from '../sql/nearest-names';

/** A metadata column as a connector sees it. */
export interface MetadataColumn {
  /** Name of the column. */
  readonly name: string;
  /** Metadata key. */
  readonly key: string;
  /** Whether the column is left out of writes. */
  readonly virtual: boolean;
}

/** The metadata columns among columns. */
export function metadataColumns(columns: Column[]): MetadataColumn[] {
  return columns
    .filter((column) => column.kind === ColumnKind.METADATA)
    .map((column) => ({ name: column.name, key: column.metadataKey ?? column.name, virtual: column.virtual }));
}

/**
 * Refuses metadata columns that the planner would refuse at the first query of a source.
 *
 * @param table name of the table, for the message
 * @param columns columns of the table
 * @param readable metadata keys that the connector and its format supply
 */
export function checkReadMetadata(table: string, columns: Column[], readable: readonly string[]): void {
  for (const { name, key } of metadataColumns(columns)) {
    if (!readable.includes(key)) {
      throw unknownKey(table, name, key, readable);
    }
  }
}

/**
 * Refuses metadata columns that the planner would refuse at the first INSERT into a sink.
 *
 * @param table name of the table, for the message
 * @param columns columns of the table
 * @param readable metadata keys that can be read
 * @param writable metadata keys that can be written
 */
export function checkWriteMetadata(table: string, columns: Column[], readable: readonly string[], writable: readonly string[]): void {
  for (const { name, key, virtual } of metadataColumns(columns)) {
    if (!readable.includes(key)) {
      throw unknownKey(table, name, key, readable);
    }
    if (!virtual && !writable.includes(key)) {
      throw new Error(
        `metadata column '${name}' of table '${table}' cannot be written: '${key}' can only be read; set virtual: true or leave the column out (writable: ${quotedAlternatives(writable)})`,
      );
    }
  }
}

function unknownKey(table: string, column: string, key: string, known: readonly string[]): Error {
  return new Error(
    `metadata column '${column}' of table '${table}' must come from one of ${quotedAlternatives(known)}, got '${key}'; name the key with from`,
  );
}
