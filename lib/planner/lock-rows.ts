import { existsSync, readFileSync } from 'fs';
import { checkedTables } from './check-given';
import type { GivenToTable } from './run-request';

/** Rows of the user's own for the probe of a lock. */
export interface LockRows {
  /** The file that they stand in. */
  readonly path: string;
  readonly tables: { readonly [table: string]: GivenToTable[] };
}

/**
 * Read rows for the probe of a lock: `{ "clicks": [{ "record": "…" }, { "op": "+U", "row": { "id": 1 } }] }`.
 *
 * @returns no rows where there is no such file
 * @throws an error with the path and the place in the file
 */
export function readLockRows(path: string): LockRows {
  if (!existsSync(path)) {
    return { path, tables: {} };
  }
  let tables: unknown;
  try {
    tables = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`'${path}' is no JSON: ${(error as Error).message}`);
  }
  if (typeof tables !== 'object' || tables === null || Array.isArray(tables)) {
    throw new Error(`'${path}' must hold rows by table: { "TABLE": [{ "row": { … } }] }`);
  }
  return { path, tables: checkedTables({ ...tables }, '{ "row": { … } } or { "record": "…" }', path) };
}

/**
 * Check that rows are given to tables that are read.
 *
 * @param read tables that the programs read
 * @throws an error with the path and the table
 */
export function checkTablesOfRows({ path, tables }: LockRows, read: string[]): void {
  const unknown = Object.keys(tables).find((table) => !read.includes(table));
  if (unknown !== undefined) {
    throw new Error(`'${path}': no program reads a table '${unknown}'; read are ${[...new Set(read)].sort().join(', ')}`);
  }
}
