import type { ChangeKind, GivenToTable } from './run-request';

const KINDS: ChangeKind[] = ['+I', '-U', '+U', '-D'];

/** The largest number of a phase that the engine can hold. */
const LAST_PHASE = 2 ** 31 - 1;

/** What a row may say, and whether a value of it is one. */
const PARTS: { readonly [part: string]: { readonly allowed: string; fits(value: unknown): boolean } } = {
  row: { allowed: 'an object of columns', fits: isObject },
  record: { allowed: 'a text', fits: (value) => typeof value === 'string' },
  op: { allowed: `one of ${KINDS.join(', ')}`, fits: (value) => KINDS.some((kind) => kind === value) },
  phase: {
    allowed: `a whole number from 1 to ${LAST_PHASE}`,
    fits: (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= LAST_PHASE,
  },
};

/**
 * Rows by table, each with its phase: what does not come from typed code may be anything.
 *
 * @param tables what is given to each
 * @param form how a row is written there
 * @param source where the rows stand: the path of a file. @default - in the code of the caller
 * @throws an error with the place of what is wrong
 */
export function checkedTables(
  tables: { readonly [table: string]: unknown },
  form: string,
  source?: string,
): { readonly [table: string]: GivenToTable[] } {
  const checked = Object.entries(tables).map(([table, rows]) => {
    const place = `${source === undefined ? '' : `'${source}', `}table '${table}'`;
    if (!Array.isArray(rows)) {
      throw new Error(`${place}: must be a list of rows, got ${JSON.stringify(rows)}`);
    }
    return [table, rows.map((row, index) => checkedRow(row, form, `${place}, row ${index + 1}`))] as const;
  });
  return Object.fromEntries(checked);
}

function checkedRow(given: unknown, form: string, place: string): GivenToTable {
  if (!isObject(given)) {
    throw new Error(`${place}: give ${form}, got ${JSON.stringify(given)}`);
  }
  const parts = Object.entries(given).filter(([_name, value]) => value !== undefined);
  for (const [name, value] of parts) {
    const part = Object.hasOwn(PARTS, name) ? PARTS[name]! : undefined;
    if (part === undefined) {
      throw new Error(`${place}: give ${form}; there is no key '${name}', there are ${Object.keys(PARTS).join(', ')}`);
    }
    if (!part.fits(value)) {
      throw new Error(`${place}: ${name} must be ${part.allowed}, got ${JSON.stringify(value)}`);
    }
  }
  if ((given.row === undefined) === (given.record === undefined)) {
    throw new Error(`${place}: give ${form}, one of the two`);
  }
  if (given.record !== undefined && given.op !== undefined) {
    throw new Error(`${place}: a record has no op: its format says what kind of change it is`);
  }
  return { phase: 1, ...Object.fromEntries(parts) };
}

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
