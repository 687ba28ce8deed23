import type { ScriptTable } from '../sql/sql-script';
import { type PhysicalColumn, physicalColumns } from './job-script';
import { isText, typeParts, wholeDigits } from './type-kinds';

/** What the columns of a load get. */
export interface LoadValues {
  /** Column or field that the skew is in. */
  readonly key: string;
  /** By column: an expression over `key_number`, `spread`, `number` and `filler`. */
  readonly values: { readonly column: string; readonly expression: string }[];
}

/** Digits of the random numbers `spread`, which tell one row from another. */
export const SPREAD_DIGITS = 18;

/**
 * A value for each physical column of a table.
 *
 * @param table the table
 * @param keys how many different keys there are
 * @param wanted column that the keys stand in. Default: the primary key, else an id, else the first that has room for them
 */
export function columnValues(table: ScriptTable, keys: number, wanted?: string): LoadValues {
  const columns = physicalColumns(table);
  const suitable = columns.filter(({ type }) => isText(type) || wholeDigits(type) !== undefined);
  const roomy = suitable.filter((column) => room(column) >= keys);
  const key =
    wanted === undefined ? likeliestKey(table, roomy.length > 0 ? roomy : suitable) : suitable.find(({ name }) => name === wanted);
  if (key === undefined) {
    throw new Error(
      `${wanted === undefined ? 'no column' : `'${wanted}' is no column`} of table '${table.name}' that keys can stand in, which text and numbers can; ` +
        `there are ${suitable.map(({ name }) => name).join(', ') || 'none'}`,
    );
  }
  checkRoom(key, keys);
  return {
    key: key.name,
    values: columns.map((column) => ({
      column: column.name,
      expression:
        column === key ? keyValue(key) : table.primaryKey.includes(column.name) ? distinctValue(table, column) : value(table, column),
    })),
  };
}

function likeliestKey({ primaryKey }: ScriptTable, columns: PhysicalColumn[]): PhysicalColumn | undefined {
  return columns.find(({ name }) => primaryKey.includes(name)) ?? columns.find(({ name }) => /(^|_)id$/.test(name)) ?? columns[0];
}

/** How many keys a column can tell from each other: those that are cut off are no longer different. */
function room({ type }: PhysicalColumn): number {
  const { length = Number.POSITIVE_INFINITY } = typeParts(type);
  return 10 ** (wholeDigits(type) ?? Math.max(length - 'key-'.length, 0));
}

function checkRoom(column: PhysicalColumn, keys: number): void {
  if (keys > room(column)) {
    throw new Error(
      `--keys must be at most ${room(column)} for column '${column.name}', which is ${column.type}, got ${keys}; or give another --key`,
    );
  }
}

function keyValue({ type }: PhysicalColumn): string {
  return castTo(type, isText(type) ? "CONCAT('key-', CAST(key_number AS STRING))" : 'key_number');
}

/** A source with a primary key drops rows that it has seen: a part of the key that is not the stated one differs from row to row. */
function distinctValue(table: ScriptTable, column: PhysicalColumn): string {
  const digits = wholeDigits(column.type);
  if (digits !== undefined) {
    return castTo(column.type, `MOD(spread, ${10 ** Math.min(digits, SPREAD_DIGITS)})`);
  }
  return isText(column.type) ? castTo(column.type, 'UUID()') : value(table, column);
}

/** A value that fits the type, whatever its size. */
function value({ name: table }: ScriptTable, { name: column, type, nullable }: PhysicalColumn): string {
  const digits = wholeDigits(type);
  if (digits !== undefined) {
    return castTo(type, `MOD(number, ${10 ** Math.min(digits, 3)})`);
  }
  switch (typeParts(type).name) {
    case 'CHAR':
    case 'VARCHAR':
    case 'STRING':
    case 'BINARY':
    case 'VARBINARY':
    case 'BYTES':
      return castTo(type, 'filler');
    case 'BOOLEAN':
      return 'number < 500';
    case 'DATE':
      return 'CURRENT_DATE';
    case 'TIME':
      return castTo(type, 'LOCALTIME');
    case 'TIMESTAMP':
      return castTo(type, 'LOCALTIMESTAMP');
    case 'TIMESTAMP_LTZ':
      return castTo(type, 'CURRENT_TIMESTAMP');
    default:
      if (!nullable) {
        throw new Error(
          `no values are made for column '${column}' of table '${table}', which is ${type} NOT NULL: write its rows yourself`,
        );
      }
      return castTo(type, 'NULL');
  }
}

/** An expression as a value of a type. */
export function castTo(type: string, expression: string): string {
  return `CAST(${expression} AS ${type})`;
}
