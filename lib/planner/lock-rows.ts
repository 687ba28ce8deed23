import { existsSync, readFileSync } from 'fs';
import type { ChangeKind, GivenToTable } from './run-request';

const KINDS: ChangeKind[] = ['+I', '-U', '+U', '-D'];

/** What a row may say, and whether a value of it is one. */
const PARTS: { readonly [part: string]: { readonly allowed: string; fits(value: unknown): boolean } } = {
  row: { allowed: 'an object of columns', fits: isObject },
  record: { allowed: 'a text', fits: (value) => typeof value === 'string' },
  op: { allowed: `one of ${KINDS.join(', ')}`, fits: (value) => KINDS.some((kind) => kind === value) },
  phase: { allowed: 'a whole number', fits: Number.isInteger },
};

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
  if (!isObject(tables)) {
    throw new Error(`'${path}' must hold rows by table: { "TABLE": [{ "row": { … } }] }`);
  }
  const checkedTables = Object.entries(tables).map(([table, rows]) => {
    if (!Array.isArray(rows)) {
      throw new Error(`'${path}', table '${table}': must be a list of rows, got ${JSON.stringify(rows)}`);
    }
    return [table, rows.map((row, index) => checked(row, `'${path}', table '${table}', row ${index + 1}`))] as const;
  });
  return { path, tables: Object.fromEntries(checkedTables) };
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

function checked(given: unknown, place: string): GivenToTable {
  if (!isObject(given)) {
    throw new Error(`${place}: must be { "row": { … } } or { "record": "…" }, got ${JSON.stringify(given)}`);
  }
  for (const [name, value] of Object.entries(given)) {
    const part = Object.hasOwn(PARTS, name) ? PARTS[name]! : undefined;
    if (part === undefined) {
      throw new Error(`${place}: there is no key '${name}'; there are ${Object.keys(PARTS).join(', ')}`);
    }
    if (!part.fits(value)) {
      throw new Error(`${place}: ${name} must be ${part.allowed}, got ${JSON.stringify(value)}`);
    }
  }
  if ((given.row === undefined) === (given.record === undefined)) {
    throw new Error(`${place}: must have either a row or a record`);
  }
  if (given.record !== undefined && given.op !== undefined) {
    throw new Error(`${place}: a record has no op: its format says what kind of change it is`);
  }
  return { phase: 1, ...given };
}

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
