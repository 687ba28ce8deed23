import { quoteIdentifier, quoteString } from '../sql/identifier';
import type { JobScript, ScriptColumn, ScriptTable } from './job-script';
import { comment, resetOptions, statementSet } from './statements';
import { NUMERIC, TEXT } from './type-kinds';

/** What load to make. */
export interface LoadOptions {
  /** Source to write into. @default - the only one */
  readonly table?: string;
  /** Column, or JSON field of a raw line, that the skew is in. @default - the key, else an id, else the first */
  readonly key?: string;
  /** Rows a second, over all writers. */
  readonly rowsPerSecond: number;
  /** Characters in each text that is no key. */
  readonly size: number;
  /** Different keys in all. */
  readonly keys: number;
  /** Keys that have the hot share. */
  readonly hotKeys: number;
  /** Percent of the rows that the hot keys have. */
  readonly hotShare: number;
}

const WRITABLE = ['kafka', 'kinesis'];

/**
 * SQL that writes made-up rows into a source of a job, with a stated skew.
 *
 * @param jobName name of the job
 * @param script its script
 * @param options what load
 */
export function loadSql(jobName: string, script: JobScript, options: LoadOptions): string {
  checkLoad(options);
  const table = writableSource(jobName, script, options.table);
  const line = rawLine(table);
  const fields = line === undefined ? [] : jsonFields(script.definitions, line.name);
  const names = line === undefined ? table.columns.map(({ name }) => name) : fields;
  const key = options.key ?? table.primaryKey[0] ?? names.find((name) => /(^|_)id$/.test(name)) ?? names[0];
  if (key === undefined || !names.includes(key)) {
    throw new Error(
      `'${key ?? ''}' is no ${line === undefined ? 'column' : 'JSON field'} of table '${table.name}'; known: ${names.join(', ')}`,
    );
  }
  const values =
    line === undefined
      ? table.columns.map((column) => `${value(column, column.name === key)} AS ${quoteIdentifier(column.name)}`)
      : [
          `JSON_OBJECT(${fields.map((field) => `KEY ${quoteString(field)} VALUE ${jsonValue(field, field === key)}`).join(', ')}) AS ${quoteIdentifier(line.name)}`,
        ];
  const reading = Object.keys(table.options).filter((option) => /^(source|scan)\./.test(option));
  return `${[
    comment(
      `Writes made-up rows into ${table.name}, the source of job ${jobName}: ${options.rowsPerSecond} rows a second, ${options.hotShare} % of them on`,
      `${options.hotKeys} of ${options.keys} keys (${key}). Whoever reads the source gets them: use a copy of it.`,
      'Run it as a job of its own, with the image of the job and a role that may write; cancel it when there is enough.',
    ),
    script.definitions,
    ...(reading.length > 0 ? [resetOptions(table.name, reading)] : []),
    `CREATE TABLE load_rows (
  share INT,
  hot BIGINT,
  cold BIGINT,
  number INT,
  filler STRING
) WITH (
  'connector' = 'datagen',
  'rows-per-second' = '${options.rowsPerSecond}',
  'fields.share.min' = '0',
  'fields.share.max' = '99',
  'fields.hot.min' = '0',
  'fields.hot.max' = '${options.hotKeys - 1}',
  'fields.cold.min' = '${options.hotKeys}',
  'fields.cold.max' = '${options.keys - 1}',
  'fields.number.min' = '0',
  'fields.number.max' = '999',
  'fields.filler.length' = '${options.size}'
);`,
    `CREATE TEMPORARY VIEW load_keys AS
SELECT CASE WHEN share < ${options.hotShare} THEN hot ELSE cold END AS key_number, number, filler FROM load_rows;`,
    statementSet([
      `INSERT INTO ${quoteIdentifier(table.name)} (${(line === undefined ? table.columns : [line]).map(({ name }) => quoteIdentifier(name)).join(', ')})\nSELECT\n  ${values.join(',\n  ')}\nFROM load_keys`,
    ]),
  ].join('\n\n')}\n`;
}

function checkLoad({ rowsPerSecond, size, keys, hotKeys, hotShare }: LoadOptions): void {
  const check = (name: string, number: number, minimum: number, maximum: number) => {
    if (!Number.isInteger(number) || number < minimum || number > maximum) {
      throw new Error(`${name} must be a whole number from ${minimum} to ${maximum}, got ${number}`);
    }
  };
  check('--rows-per-second', rowsPerSecond, 1, 10_000_000);
  check('--size', size, 1, 1_000_000);
  check('--keys', keys, 2, 1_000_000_000);
  check('--hot-keys', hotKeys, 1, keys - 1);
  check('--hot-share', hotShare, 0, 100);
}

/** The source that a command writes into. */
export function writableSource(jobName: string, script: JobScript, wanted?: string): ScriptTable {
  const sources = script.tables.filter(({ role, options }) => role === 'source' && WRITABLE.includes(options.connector!));
  const found = sources.filter(({ name }) => wanted === undefined || name === wanted);
  if (found.length !== 1) {
    throw new Error(
      `job '${jobName}' has ${found.length} sources ${wanted === undefined ? 'that can be written' : `called '${wanted}'`}; name one by --table: ${sources.map(({ name }) => name).join(', ') || `it has none of ${WRITABLE.join(', ')}`}`,
    );
  }
  return found[0]!;
}

function rawLine({ options, columns }: ScriptTable): ScriptColumn | undefined {
  return (options.format ?? options['value.format']) === 'raw' ? columns[0] : undefined;
}

/** The fields of a line are those that the script takes out of it. */
function jsonFields(definitions: string, column: string): string[] {
  const found = definitions.matchAll(new RegExp(`JSON_VALUE\\(\`?${column}\`?, '\\$\\.(\\w+)'`, 'g'));
  return [...new Set([...found].map(([, field]) => field!))];
}

const KEY = "CONCAT('key-', CAST(key_number AS STRING))";

function value({ type }: ScriptColumn, isKey: boolean): string {
  if (TEXT.test(type)) {
    return `CAST(${isKey ? KEY : 'filler'} AS ${type})`;
  }
  if (NUMERIC.test(type)) {
    return `CAST(${isKey ? 'key_number' : 'number'} AS ${type})`;
  }
  if (/^TIMESTAMP/.test(type)) {
    return `CAST(${type.startsWith('TIMESTAMP_LTZ') ? 'CURRENT_TIMESTAMP' : 'LOCALTIMESTAMP'} AS ${type})`;
  }
  return type === 'BOOLEAN' ? 'number < 500' : `CAST(NULL AS ${type})`;
}

function jsonValue(field: string, isKey: boolean): string {
  if (isKey) {
    return KEY;
  }
  return /(^|_)(time|at|timestamp)$/.test(field) ? 'CAST(LOCALTIMESTAMP AS STRING)' : 'filler';
}
