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

/** The whole numbers of a type; undefined for what is no number. */
export function keyRange(type: string): { readonly least: bigint; readonly most: bigint } | undefined {
  const { name } = typeParts(type);
  const digits = wholeDigits(type);
  if (digits === undefined) {
    return undefined;
  }
  const least = LOWEST[name] ?? 1n - 10n ** BigInt(digits);
  return { least, most: name === 'FLOAT' || name === 'DOUBLE' || name === 'DECIMAL' ? -least : -least - 1n };
}

/** What a key of a type may be; undefined where it has no key of its own, or any will do. */
export function keyLimit(type: string): string | undefined {
  const range = keyRange(type);
  const { length } = typeParts(type);
  return range !== undefined
    ? `a whole number from ${range.least} to ${range.most}`
    : isText(type) && length !== undefined
      ? `at most ${length} characters`
      : undefined;
}

/**
 * Key of a row that no real row should have: such a row would be replaced and deleted.
 *
 * @param table name of the table, for messages
 * @param column a column of its key
 * @param wanted the stated key
 * @returns undefined where the type is neither text nor a number
 */
export function smokeKey(table: string, { name: column, type }: PhysicalColumn, wanted: string | undefined): string | bigint | undefined {
  const range = keyRange(type);
  if (range === undefined && !isText(type)) {
    return undefined;
  }
  const { length } = typeParts(type);
  if (wanted === undefined) {
    return range?.least ?? KEY.slice(0, length);
  }
  checkNoVariable('--key-value', wanted);
  const number = /^-?\d+$/.test(wanted) ? BigInt(wanted) : undefined;
  const fits =
    range === undefined
      ? wanted.length <= (length ?? Number.POSITIVE_INFINITY)
      : number !== undefined && number >= range.least && number <= range.most;
  if (!fits) {
    throw new Error(
      `--key-value must be ${keyLimit(type)} for column '${column}' of table '${table}', which is ${type}${range === undefined ? ' here or in a sink' : ''}, got '${wanted}'`,
    );
  }
  return range === undefined ? wanted : number;
}
