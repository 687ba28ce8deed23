import { quoteIdentifier } from '../sql/identifier';
import type { ScriptTable } from '../sql/sql-script';
import { chooseSource, isOneTopic } from './choose-source';
import { freeNames, type JobScript } from './job-script';
import { isLine, loadOfLines } from './load-lines';
import { loadOfRows } from './load-rows';
import { SPREAD_DIGITS } from './load-values';
import { writeNeed } from './needs';
import { createTable, scriptText, statementSet } from './statements';

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

/**
 * SQL that writes made-up rows into a source of a job, with a stated skew.
 *
 * @param script the job
 * @param options what load
 */
export function loadSql(script: JobScript, options: LoadOptions): string {
  checkLoad(options);
  const { jobName } = script;
  const table = chooseSource(
    script,
    options.table,
    'that can be written (kafka with one topic, kinesis)',
    (source) => source.connector === 'kinesis' || isOneTopic(source),
  );
  checkFormat(table);
  const load = isLine(table) ? loadOfLines(script, table, options.keys, options.key) : loadOfRows(script, table, options.keys, options.key);
  const { values } = load;
  const [rows, keys] = ['load_rows', 'load_keys'].map(freeNames(quoteIdentifier(table.name))) as [string, string];
  const address = table.connector === 'kinesis' ? 'stream.arn' : 'topic';
  const empty = values.filter(({ expression }) => expression.startsWith('CAST(NULL')).map(({ column }) => column);
  return scriptText(
    script,
    [
      `Writes made-up rows into ${table.name}, the source of job ${jobName}: ${options.rowsPerSecond} rows a second, ${options.hotShare} % of them on`,
      `${options.hotKeys} of ${options.keys} keys (${load.key.join(', ')}). Whoever reads the source gets them.`,
      `To write into a copy of it, which is better, put its name into '${address}' of CREATE TABLE ${quoteIdentifier(table.name)} below.`,
      ...load.notes,
      ...(load.texts.length === 0
        ? []
        : [
            `Texts of ${options.size} characters: ${load.texts.join(', ')}. A database column with room for less refuses them, and the job fails at such a row`,
            'after each restart: where the job writes them into one, give a smaller --size.',
          ]),
      ...(empty.length === 0 ? [] : [`Always NULL: ${empty.join(', ')}`]),
      writeNeed(table),
      'Run it as a job of its own, with the image of the job; cancel it when there is enough.',
    ],
    [
      createTable(table.name, load.columns, { connector: table.connector, ...load.options }, load.partitionedBy),
      createTable(rows, ['share INT', 'spread BIGINT', 'part BIGINT', 'number INT', 'filler STRING'], {
        connector: 'datagen',
        'rows-per-second': `${options.rowsPerSecond}`,
        ...randomNumbers('share', 0, 99),
        ...randomNumbers('spread', 0, '9'.repeat(SPREAD_DIGITS)),
        ...randomNumbers('part', 0, '9'.repeat(SPREAD_DIGITS)),
        ...randomNumbers('number', 0, 999),
        'fields.filler.length': `${options.size}`,
      }),
      `CREATE TEMPORARY VIEW ${quoteIdentifier(keys)} AS
SELECT
  CASE WHEN share < ${options.hotShare} THEN MOD(spread, ${options.hotKeys}) ELSE ${options.hotKeys} + MOD(spread, ${options.keys - options.hotKeys}) END AS key_number,
  part,
  number,
  filler
FROM ${quoteIdentifier(rows)};`,
      statementSet([
        `INSERT INTO ${quoteIdentifier(table.name)} (${values.map(({ column }) => quoteIdentifier(column)).join(', ')})
SELECT
  ${values.map(({ column, expression }) => `${expression} AS ${quoteIdentifier(column)}`).join(',\n  ')}
FROM ${quoteIdentifier(keys)}`,
      ]),
    ],
  );
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

function checkFormat({ name, options }: ScriptTable): void {
  const included = Object.keys(options).find((option) => option.endsWith('debezium-json.schema-include'));
  if (included !== undefined && options[included] === 'true') {
    throw new Error(
      `Flink writes no schema into Debezium records, and '${name}' is read with one (${included}): change rows in the database that Debezium captures`,
    );
  }
}

function randomNumbers(column: string, min: number | string, max: number | string): { [option: string]: string } {
  return { [`fields.${column}.min`]: `${min}`, [`fields.${column}.max`]: `${max}` };
}
