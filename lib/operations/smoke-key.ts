import { checkNoVariable } from '../sql/identifier';
import type { PhysicalColumn } from './job-script';
import { isText, typeParts, wholeDigits } from './type-kinds';

const KEY = 'smoke-check';

/** Lowest whole number of each type that is counted in bits; FLOAT and DOUBLE: the lowest that is exact. */
const LOWEST: { readonly [name: string]: bigint } = {
  TINYINT: -(2n ** 7n),
  SMALLINT: -(2n ** 15n),
  INT: -(2n ** 31n),
  BIGINT: -(2n ** 63n),
  FLOAT: 1n - 2n ** 24n,
  DOUBLE: 1n - 2n ** 53n,
};

/**
 * Key of a row that no real row should have: such a row would be replaced and deleted.
 *
 * @param table name of the table, for messages
 * @param column a column of its key
 * @param wanted the stated key
 * @returns undefined where the type is neither text nor a number
 */
export function smokeKey(table: string, { name: column, type }: PhysicalColumn, wanted: string | undefined): string | bigint | undefined {
  const { name, length } = typeParts(type);
  const refuse = (what: string): never => {
    throw new Error(`--key-value must be ${what} for column '${column}' of table '${table}', which is ${type}, got '${wanted}'`);
  };
  if (wanted !== undefined) {
    checkNoVariable('--key-value', wanted);
  }
  if (isText(type)) {
    if (wanted !== undefined && wanted.length > (length ?? Number.POSITIVE_INFINITY)) {
      refuse(`at most ${length} characters`);
    }
    return wanted ?? KEY.slice(0, length);
  }
  const digits = wholeDigits(type);
  if (digits === undefined) {
    return undefined;
  }
  const lowest = LOWEST[name] ?? 1n - 10n ** BigInt(digits);
  if (wanted === undefined) {
    return lowest;
  }
  const most = name === 'FLOAT' || name === 'DOUBLE' || name === 'DECIMAL' ? -lowest : -lowest - 1n;
  const number = /^-?\d+$/.test(wanted) ? BigInt(wanted) : undefined;
  return number !== undefined && number >= lowest && number <= most ? number : refuse(`a whole number from ${lowest} to ${most}`);
}
