import { DataTypeRoot } from '../sql/data-type';
import type { SqlTable } from '../sql/sql-table';

/** The key of the records that a table writes. */
export interface RecordKey {
  /** Columns, by the names that they have in the record, in their order. */
  readonly columns: string[];
  /** Identifier of its format: `json`. */
  readonly format: string;
  /** How the format writes each column, in the same order. */
  readonly kinds: string[];
}

/** What a format writes as a text, or what is not known. */
const TEXT = 'text';
const TIMESTAMP_FORMAT = 'key.json.timestamp-format.standard';

/**
 * The key of the records of a Kafka table, as its options and its primary key say: typed connectors and `CustomConnector` alike.
 *
 * @returns undefined where records have no key
 */
export function recordKey({ binding: { identifier, options }, columns, primaryKey }: SqlTable): RecordKey | undefined {
  const fields = identifier === 'upsert-kafka' ? primaryKey : (options['key.fields'] ?? '').split(';').map((field) => field.trim());
  const format = options['key.format'];
  if (!/^(upsert-)?kafka$/.test(identifier) || format === undefined || fields.join('') === '') {
    return undefined;
  }
  const roots = fields.map((field) => columns.find(({ name }) => name === field)?.type?.root);
  return {
    columns: fields.map((field) => field.slice(options['key.fields-prefix']?.length ?? 0)),
    format,
    kinds: roots.map((root) => kindOf(root, options[TIMESTAMP_FORMAT] ?? 'SQL')),
  };
}

function kindOf(root: DataTypeRoot | undefined, timestampFormat: string): string {
  switch (root) {
    case DataTypeRoot.NUMERIC:
      return 'number';
    case DataTypeRoot.BOOLEAN:
      return 'boolean';
    case DataTypeRoot.TIMESTAMP:
    case DataTypeRoot.TIMESTAMP_LTZ:
      return `${timestampFormat} timestamp`;
    default:
      return TEXT;
  }
}

/** Formats whose records hold values in their order, and no names. */
const NAMELESS = /^(raw|csv|avro)$/;

/** Whether one row has the same key in both, as far as names and types tell. */
export function isSameKey(left: RecordKey, right: RecordKey): boolean {
  if (left.format !== right.format || left.columns.length !== right.columns.length) {
    return false;
  }
  const inOrder = left.columns.every((column, index) => column === right.columns[index]);
  const reordered = left.columns.every((column) => right.columns.includes(column));
  return (
    (inOrder || (NAMELESS.test(left.format) && !reordered)) &&
    // A line of csv is text, whatever it was.
    (left.format === 'csv' || left.kinds.every((kind, index) => mayBeWrittenAlike(kind, right.kinds[index]!)))
  );
}

function mayBeWrittenAlike(left: string, right: string): boolean {
  return left === right || (![left, right].some((kind) => /^(number|boolean)$/.test(kind)) && [left, right].includes(TEXT));
}

/** The key as a message tells it, with the kinds of its columns where the two differ in them alone. */
export function keyInWords({ columns, format, kinds }: RecordKey, other: RecordKey): string {
  const alike = format === other.format && columns.join() === other.columns.join();
  const told = columns.map((column, index) => (alike && kinds[index] !== other.kinds[index] ? `${column} as a ${kinds[index]}` : column));
  return `record key: ${told.join(', ')}, key format: ${format}`;
}
