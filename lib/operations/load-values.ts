import { namesIn, type ScriptTable } from '../sql/sql-script';
import { unlimitedTexts } from './columns-with-room';
import type { PhysicalColumn } from './job-script';
import { isBytes, isText, typeParts, wholeDigits } from './type-kinds';

/** What the columns of a load get. */
export interface LoadValues {
  /** Columns or field that the skew is in. */
  readonly key: string[];
  /** By column: an expression over `key_number`, `part`, `number` and `filler`. */
  readonly values: ColumnValue[];
  /** Columns or fields with texts as long as they were asked for: nothing here has a limit for them. */
  readonly texts: string[];
  /** What must be known of them. */
  readonly notes: string[];
}

/** What a column gets. */
export interface ColumnValue {
  readonly column: string;
  readonly expression: string;
}

/** The time of writing as text. */
export const TIME_TEXT = 'CAST(LOCALTIMESTAMP AS STRING)';

/** Keys that are texts. */
export const KEY_TEXT = "CONCAT('key-', CAST(key_number AS STRING))";

/** Keys that are numbers, from -1 down: real rows count from 1 up. */
export const KEY_NUMBER = '-1 - key_number';

/**
 * What must be known of numbers and of the event time.
 *
 * @param numbers whether a key is a number, and whether anything else is
 * @param times columns or fields that the event time is read from
 */
export function loadNotes(
  { keys, others }: { readonly keys: boolean; readonly others: boolean },
  times: { readonly name: string; readonly kind: 'text' | 'number' | 'time' }[],
): string[] {
  const named = (kind: string) =>
    times
      .filter((time) => time.kind === kind)
      .map(({ name }) => name)
      .join(', ');
  const [texts, numbers] = [named('text'), named('number')];
  return [
    ...(keys
      ? [
          'Keys that are numbers are below 0, where real rows should have none; a database column without such numbers (UNSIGNED) refuses them.',
        ]
      : []),
    ...(others
      ? ['Other numbers are 0 to 999, and meet those of real rows: what a job adds up by them is no longer that of real rows alone.']
      : []),
    ...(texts === ''
      ? []
      : [`${texts}: the time of writing, as 2026-01-01 10:00:00.123. Where the event time is read from another form, change it below.`]),
    ...(texts === '' && named('time') === '' && numbers !== ''
      ? [`${numbers}: no time, although the event time is read from it: windows give out nothing. Put in such as UNIX_TIMESTAMP() below.`]
      : []),
  ];
}

/** Digits of the random numbers that choose the key, and of those that fill the other parts of a primary key. */
export const SPREAD_DIGITS = 18;

/**
 * A value for each physical column of a table.
 *
 * @param table the table
 * @param columns its physical columns, with types that the sinks have room for
 * @param keys how many different keys there are
 * @param recordKey columns of the record key, as far as they are known
 * @param wanted column that the keys stand in. Default: the record key as a whole, else the primary key, else an id, else the first that
 *   has room for them
 */
export function columnValues(
  table: ScriptTable,
  columns: PhysicalColumn[],
  keys: number,
  recordKey: string[],
  wanted?: string,
): LoadValues {
  const suitable = columns.filter(({ type }) => holdsKeys(type));
  const ofRecordKey = suitable.filter(({ name }) => recordKey.includes(name));
  const together = wanted === undefined && ofRecordKey.length > 0 ? recordKey : [];
  const candidates =
    together.length > 0 ? ofRecordKey : suitable.filter(({ name, type }) => !isBytes(type) || table.primaryKey.includes(name));
  const roomy = candidates.filter((column) => room(column) >= keys);
  const key =
    wanted === undefined ? likeliestKey(table, roomy.length > 0 ? roomy : candidates) : suitable.find(({ name }) => name === wanted);
  if (key === undefined) {
    throw new Error(
      `${wanted === undefined ? 'no column' : `'${wanted}' is no column`} of table '${table.name}' that keys can stand in, which text, bytes and numbers can; ` +
        `there are ${suitable.map(({ name }) => name).join(', ') || 'none'}`,
    );
  }
  checkRoom(key, keys);
  const timeNames = namesIn(table.eventTime ?? '');
  const inKey = (column: PhysicalColumn) => column === key || together.includes(column.name);
  const times = columns.filter((column) => timeNames.has(column.name) && !inKey(column));
  const isNumber = ({ type }: PhysicalColumn) => wholeDigits(type) !== undefined;
  const isOwn = (column: PhysicalColumn) => inKey(column) || table.primaryKey.includes(column.name);
  const numbers = columns.filter(isNumber);
  const values = columns.map((column) => ({
    column: column.name,
    expression: inKey(column)
      ? keyValue(table, column, keys)
      : table.primaryKey.includes(column.name)
        ? distinctValue(table, column)
        : times.includes(column) && isText(column.type)
          ? castTo(column.type, TIME_TEXT)
          : value(table, column),
  }));
  return {
    key: together.length > 0 ? together : [key.name],
    notes: loadNotes(
      { keys: numbers.some(isOwn), others: !numbers.every(isOwn) },
      times.map((column) => ({ name: column.name, kind: isText(column.type) ? 'text' : isNumber(column) ? 'number' : 'time' })),
    ),
    values,
    texts: longTexts(columns, values),
  };
}

/** Columns with texts as long as they were asked for. */
export function longTexts(columns: PhysicalColumn[], values: ColumnValue[]): string[] {
  const unlimited = unlimitedTexts(columns);
  return values.filter(({ column, expression }) => unlimited.includes(column) && expression.includes('filler')).map(({ column }) => column);
}

/**
 * A value for each of some columns that stand beside a line.
 *
 * @param skewed those that the keys stand in
 */
export function partValues(table: ScriptTable, columns: PhysicalColumn[], skewed: PhysicalColumn[], keys: number): ColumnValue[] {
  const roomiest = skewed.find((column) => room(column) >= keys) ?? skewed[0];
  if (roomiest !== undefined) {
    checkRoom(roomiest, keys);
  }
  return columns.map((column) => ({
    column: column.name,
    expression: skewed.includes(column) ? keyValue(table, column, keys) : value(table, column),
  }));
}

function likeliestKey({ primaryKey }: ScriptTable, columns: PhysicalColumn[]): PhysicalColumn | undefined {
  return columns.find(({ name }) => primaryKey.includes(name)) ?? columns.find(({ name }) => /(^|_)id$/.test(name)) ?? columns[0];
}

function holdsKeys(type: string): boolean {
  return isText(type) || isBytes(type) || wholeDigits(type) !== undefined;
}

/** How many keys a column can tell from each other: those that are cut off are no longer different. */
function room({ type }: PhysicalColumn): number {
  const digits = wholeDigits(type);
  if (digits !== undefined) {
    // The lowest key of a DECIMAL would be a digit longer.
    return typeParts(type).name === 'DECIMAL' ? 10 ** digits - 1 : 10 ** digits;
  }
  const { length = Number.POSITIVE_INFINITY } = typeParts(type);
  return 10 ** Math.max(length - 'key-'.length, 0);
}

function checkRoom(column: PhysicalColumn, keys: number): void {
  if (keys > room(column)) {
    throw new Error(
      `--keys must be at most ${room(column)} for column '${column.name}', which is ${column.type}${isText(column.type) ? ' here or in a sink' : ''}, got ${keys}; or give another --key`,
    );
  }
}

/** The value of a key, or of a part of one: what has no room for all of them tells as many from each other as it can. */
function keyValue(table: ScriptTable, column: PhysicalColumn, keys: number): string {
  const { type } = column;
  const places = room(column);
  const number = places < keys ? `MOD(key_number, ${Math.max(places, 1)})` : 'key_number';
  const digits = wholeDigits(type);
  if (digits === 0) {
    return castTo(type, '0');
  }
  if (digits !== undefined) {
    return castTo(type, `-1 - ${number}`);
  }
  if (isText(type) || isBytes(type)) {
    return castTo(type, `CONCAT('key-', CAST(${number} AS STRING))`);
  }
  switch (typeParts(type).name) {
    case 'BOOLEAN':
      return 'MOD(key_number, 2) = 0';
    case 'DATE':
      return castTo(type, "'2026-01-01'");
    case 'TIME':
      return castTo(type, "'00:00:00'");
    case 'TIMESTAMP':
    case 'TIMESTAMP_LTZ':
      return castTo(type, "'2026-01-01 00:00:00'");
    default:
      return value(table, column);
  }
}

/** A source with a primary key drops rows that it has seen: a part of the key that is not the stated one differs from row to row. */
function distinctValue(table: ScriptTable, column: PhysicalColumn): string {
  const digits = wholeDigits(column.type);
  if (digits !== undefined && digits > 0) {
    return castTo(column.type, `-1 - MOD(part, ${10n ** BigInt(Math.min(digits, SPREAD_DIGITS)) - 1n})`);
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
