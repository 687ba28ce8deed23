import type { Plan, PlannedColumn, PlannedTable } from './plan-report';
import type { ChangeKind, GivenToTable } from './run-request';
import { type TriedColumn, type TriedValues, triedValues } from './tried-values';

/** Combinations of values of one table that are tried: more only where one column has more values. */
const COMBINATIONS = 100;
/** Rows of a table with a key that rows of other tables find. */
const FOUND = 20;

/** A column, or a field of the JSON in it, and the values that are tried in its place: undefined for one that no condition names. */
interface Part {
  readonly column: PlannedColumn;
  readonly path?: (string | number)[];
  readonly as?: TriedValues['as'];
  readonly values: unknown[];
}

/** A row: a value for each part. */
type Combination = (readonly [Part, unknown])[];

/**
 * Rows for each table that a program reads, so that its operators have something to keep. Values of the script's conditions are tried in
 * all combinations, since several may have to hold in one row. Where no condition names a value, equal types have equal ones, so that joins
 * find their rows; rows of a table with a key have one each, so that none replaces another.
 */
export function generateRows(script: string, plan: Plan, tables: PlannedTable[]): { [table: string]: GivenToTable[] } {
  const tried = triedValues(script);
  const read = readTables(plan).flatMap(({ name, changes }) => {
    const table = tables.find((candidate) => candidate.name === name);
    const op = (changes.includes('+I') ? '+I' : '+U') as ChangeKind;
    return table === undefined ? [] : [{ table, op, combinations: combine(table.columns.flatMap((column) => partsOf(column, tried))) }];
  });
  const keyed = read.filter(({ table }) => table.primaryKey.length > 0).map(({ combinations }) => combinations.length);
  const keys = read.length === 1 ? 1 : Math.min(FOUND, Math.max(1, ...keyed));
  return Object.fromEntries(
    read.map(({ table, op, combinations }) => {
      const rows = Array.from({ length: keys }, (_, key) => combinations.map((combination) => ({ key, combination }))).flat();
      return [table.name, rows.map(({ key, combination }, place) => ({ phase: 1, op, row: rowOf(table, combination, key, place) }))];
    }),
  );
}

/** The tables that a program reads, as streams or by lookups, and the kinds of their rows. */
export function readTables(plan: Plan): { readonly name: string; readonly changes: readonly string[] }[] {
  const scans = plan.operators.flatMap(({ type, table, changes = ['+I'] }) =>
    type === 'TableSourceScan' && table !== undefined ? [{ name: table, changes }] : [],
  );
  return [...scans, ...plan.lookups.map(({ table }) => ({ name: table, changes: ['+I'] }))];
}

function partsOf(column: PlannedColumn, tried: Map<string, TriedColumn>): Part[] {
  const known = tried.get(column.name);
  const fields = kindOf(column.type) === 'text' ? fieldsOf(known) : [];
  return fields.length > 0
    ? fields.map(([path, field]) => ({ column, path, as: field.as, values: valuesOf(column.type, field) }))
    : [{ column, as: known?.as, values: valuesOf(column.type, known) }];
}

/** Fields by their paths, without those that hold others. */
function fieldsOf(column: TriedColumn | undefined): [(string | number)[], TriedValues][] {
  const fields = [...(column?.fields ?? [])];
  return fields
    .filter(([path]) => !fields.some(([other]) => other.startsWith(`${path}.`) || other.startsWith(`${path}[`)))
    .map(([path, field]) => [
      [...path.matchAll(/\.([^.[]+)|\[['"](.*?)['"]]|\[(?:\d+|\*)]/g)].map(([, name, quoted]) => name?.trim() ?? quoted ?? 0),
      field,
    ]);
}

/** One for each combination of values, the first values of all first; where there are too many, each value, then some from all over. */
function combine(parts: Part[]): Combination[] {
  const all = parts.reduce((product, { values }) => product * BigInt(values.length), 1n);
  const longest = Math.max(1, ...parts.map(({ values }) => values.length));
  const numbers = new Set(Array.from({ length: longest }, (_, index) => numberOf(parts, index)));
  const step = spreadingStep(all);
  for (let number = 0n; numbers.size < Math.max(COMBINATIONS, longest) && numbers.size < all; number += step) {
    numbers.add(number % all);
  }
  return [...numbers].map((number) => combinationOf(parts, number));
}

/** The number of the combination that has the value of this index of each part, begun anew behind its last one. */
function numberOf(parts: Part[], index: number): bigint {
  return parts.reduceRight((number, { values }) => number * BigInt(values.length) + BigInt(index % values.length), 0n);
}

/** The combination of a number: its digits are the indexes of the values, the lowest that of the first part. */
function combinationOf(parts: Part[], number: bigint): Combination {
  let rest = number;
  return parts.map((part) => {
    const length = BigInt(part.values.length);
    const value = part.values[Number(rest % length)];
    rest /= length;
    return [part, value] as const;
  });
}

/** Steps of the golden section spread evenly, and one without a factor in common comes to every number. */
function spreadingStep(all: bigint): bigint {
  let step = (all * 618n) / 1000n;
  while (greatestDivisor(step, all) !== 1n) {
    step += 1n;
  }
  return step;
}

function greatestDivisor(left: bigint, right: bigint): bigint {
  return right === 0n ? left : greatestDivisor(right, left % right);
}

function rowOf({ primaryKey }: PlannedTable, combination: Combination, key: number, place: number): { [column: string]: unknown } {
  const row: { [column: string]: unknown } = {};
  const documents: { [column: string]: { [field: string]: unknown } } = {};
  for (const [{ column, path, as }, chosen] of combination) {
    const value = chosen === undefined ? exampleOf(column.type, as, primaryKey.includes(column.name) ? place : key) : chosen;
    if (path !== undefined) {
      documents[column.name] ??= {};
      put(documents[column.name]!, path, value);
    } else if (value !== undefined) {
      row[column.name] = kindOf(column.type) === 'text' && value !== null ? String(value) : value;
    }
  }
  for (const [column, document] of Object.entries(documents)) {
    row[column] = JSON.stringify(document);
  }
  return row;
}

function put(document: { [field: string]: unknown }, [name, ...path]: (string | number)[], value: unknown): void {
  if (name === undefined) {
    return;
  }
  if (path.length === 0) {
    document[name] = value;
    return;
  }
  document[name] ??= typeof path[0] === 'number' ? [] : {};
  put(document[name] as { [field: string]: unknown }, path, value);
}

/** Values for a type out of those that conditions name, with the one that stands for all others. */
function valuesOf(type: string, tried: TriedValues | undefined): unknown[] {
  if (tried === undefined) {
    return [undefined];
  }
  const kind = kindOf(type);
  const of = kind === 'text' ? tried.as : kind;
  const values = [...tried.values].flatMap((value): unknown[] => {
    if (value === null) {
      return [];
    }
    const text = String(value);
    switch (of) {
      case undefined:
        return kind === 'text' ? [text] : [];
      case 'integer':
        return text.trim() === '' || !(Math.abs(Number(text)) < largest(type)) ? [] : [Math.ceil(Number(text))];
      case 'number':
        return text.trim() === '' || Number.isNaN(Number(text)) ? [] : [Number(text)];
      case 'time':
        return /^\d{4}-\d\d-\d\d/.test(text) ? [text] : [];
      case 'moment':
        return /^\d{4}-\d\d-\d\d/.test(text) ? [moment(text, type)] : [];
      case 'day':
        return /^\d{4}-\d\d-\d\d/.test(text) ? [text.slice(0, 10)] : [];
      default:
        return [];
    }
  });
  const isTime = of === 'time' || of === 'moment' || of === 'day';
  return [
    ...new Set(values),
    ...(kind === 'boolean' ? [true, false] : isTime && values.length > 0 ? [] : [undefined]),
    ...(tried.values.has(null) && !type.endsWith(' NOT NULL') ? [null] : []),
  ];
}

/** Bound of the integers of a type, as far as JSON has them. */
function largest(type: string): number {
  return { TINYINT: 2 ** 7, SMALLINT: 2 ** 15, INT: 2 ** 31 - 1 }[nameOf(type)] ?? Number.MAX_SAFE_INTEGER;
}

/** A day, or a moment as SQL writes it, as ISO 8601 does. */
function moment(text: string, type: string): string {
  const zone = /LOCAL TIME ZONE|_LTZ/.test(type) ? 'Z' : '';
  return (text.length === 10 ? `${text}T00:00:00` : text.replace(' ', 'T').replace(/Z$/, '')) + zone;
}

function nameOf(type: string): string {
  return /^[A-Z_]+/.exec(type)?.[0] ?? '';
}

/** What values of a type are; undefined for one that is made of others. */
function kindOf(type: string): 'text' | 'boolean' | 'integer' | 'number' | 'day' | 'clock' | 'moment' | 'bytes' | undefined {
  switch (nameOf(type)) {
    case 'CHAR':
    case 'VARCHAR':
    case 'STRING':
      return 'text';
    case 'BOOLEAN':
      return 'boolean';
    case 'TINYINT':
    case 'SMALLINT':
    case 'INT':
    case 'BIGINT':
      return 'integer';
    case 'DECIMAL':
    case 'FLOAT':
    case 'DOUBLE':
      return 'number';
    case 'DATE':
      return 'day';
    case 'TIME':
      return 'clock';
    case 'TIMESTAMP':
    case 'TIMESTAMP_LTZ':
      return 'moment';
    case 'BINARY':
    case 'VARBINARY':
    case 'BYTES':
      return 'bytes';
    default:
      return undefined;
  }
}

/**
 * A value that no condition names; undefined for a type that is made of others, which stays null.
 *
 * @param number equal numbers have equal values
 */
function exampleOf(type: string, as: TriedValues['as'], number: number): unknown {
  const text = number === 0 ? 'a' : `a${number}`;
  switch (kindOf(type)) {
    case 'text':
      return as === 'time' ? '2026-01-01 00:00:00' : as === 'number' ? number + 1 : text;
    case 'boolean':
      return true;
    case 'integer':
      return (number % 100) + 1;
    case 'number':
      return 1;
    case 'day':
      return '2026-01-01';
    case 'clock':
      return '00:00:00';
    case 'moment':
      return moment('2026-01-01', type);
    case 'bytes':
      return Buffer.from(text).toString('base64');
    default:
      return undefined;
  }
}
