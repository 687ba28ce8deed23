import { quoteIdentifier } from '../sql/identifier';
import type { JobScript, ScriptInsert, ScriptTable } from './job-script';
import { alterOptions, comment, printTable, statementSet } from './statements';
import { NUMERIC } from './type-kinds';

/** Connectors whose sinks can be read back through the same table. */
const READABLE = ['kafka', 'upsert-kafka', 'jdbc'];

/**
 * SQL that compares what the sinks of a job hold with what its queries give today: counts, sums, rows by key.
 *
 * @param jobName name of the job
 * @param script its script
 */
export function reconcileSql(jobName: string, script: JobScript): string {
  const tables = new Map(script.tables.map((table) => [table.name, table]));
  const compared = script.inserts.filter(({ table }) => READABLE.includes(tables.get(table)!.options.connector!));
  const skipped = script.inserts.filter((insert) => !compared.includes(insert)).map(({ table }) => table);
  if (compared.length === 0) {
    throw new Error(
      `job '${jobName}' has no sink that can be read back: ${skipped.join(', ') || 'it has no sink at all'}; readable are ${READABLE.join(', ')}`,
    );
  }
  const read = [...new Set([...script.tables.filter(({ role }) => role === 'source'), ...compared.map(({ table }) => tables.get(table)!)])];
  const parts = compared.map((insert, index) => comparison(insert, tables.get(insert.table)!, index + 1));
  return `${[
    comment(
      `Compares what the sinks of job ${jobName} hold with what its queries give, in three levels: counts, sums, rows that differ.`,
      'Run it as a job of its own, with the image of the job. It writes nothing but the log: the last row of each key counts.',
      'A column that depends on the time of processing, or on the order of rows, differs without being wrong.',
      ...unbounded(read),
      ...(skipped.length > 0 ? [`Cannot be read back through Flink, compare them by hand: ${skipped.join(', ')}`] : []),
    ),
    script.definitions,
    // Sums of what the job has forgotten would be wrong.
    "SET 'table.exec.state.ttl' = '0 s';",
    ...read.flatMap((table) => readAll(jobName, table)),
    ...parts.flatMap(({ definitions }) => definitions),
    statementSet(parts.flatMap(({ inserts }) => inserts)),
  ].join('\n\n')}\n`;
}

function unbounded(tables: ScriptTable[]): string[] {
  const streams = tables.filter(({ options }) => options.connector === 'kinesis').map(({ name }) => name);
  return streams.length === 0 ? [] : [`A stream has no end: cancel the job once the figures of ${streams.join(', ')} stand still.`];
}

/** All of a table, up to now, without the consumer group of the job. */
function readAll(jobName: string, { name, options }: ScriptTable): string[] {
  switch (options.connector) {
    case 'kafka':
    case 'upsert-kafka':
      return [
        alterOptions(name, {
          ...(options.connector === 'kafka' ? { 'scan.startup.mode': 'earliest-offset' } : {}),
          'scan.bounded.mode': 'latest-offset',
          'properties.isolation.level': 'read_committed',
          'properties.group.id': `${jobName}-reconcile`,
        }),
      ];
    case 'kinesis':
      return [alterOptions(name, { 'source.init.position': 'TRIM_HORIZON', 'source.reader.type': 'POLLING' })];
    default:
      return [];
  }
}

function comparison(insert: ScriptInsert, table: ScriptTable, number: number): { definitions: string[]; inserts: string[] } {
  const columns = table.columns.filter(({ name }) => insert.columns.length === 0 || insert.columns.includes(name));
  const order = insert.columns.length === 0 ? columns.map(({ name }) => name) : insert.columns;
  const written = quoteIdentifier(table.name);
  const expected = quoteIdentifier(`expected_${number}`);
  const report = (level: string) => `${table.name}_${level}_${number}`;
  const sums = columns
    .filter(({ name, type }) => NUMERIC.test(type) && !table.primaryKey.includes(name))
    .map(({ name }) => quoteIdentifier(name));
  const figures = (side: string, from: string) =>
    `SELECT '${side}', COUNT(*)${sums.map((column) => `, SUM(CAST(${column} AS DECIMAL(38, 6)))`).join('')} FROM ${from} GROUP BY '${side}'`;
  const difference = table.primaryKey.length > 0 ? byKey(table, order, expected) : byRow(order, expected, written);
  return {
    definitions: [
      `CREATE TEMPORARY VIEW ${expected} (${order.map(quoteIdentifier).join(', ')}) AS\n${insert.query};`,
      printTable(report('counts'), ['side STRING', 'row_count BIGINT']),
      ...(sums.length > 0
        ? [printTable(report('sums'), ['side STRING', 'row_count BIGINT', ...sums.map((column) => `${column} DECIMAL(38, 6)`)])]
        : []),
      printTable(report('differences'), ['difference STRING', 'row_text STRING']),
    ],
    inserts: [
      `INSERT INTO ${quoteIdentifier(report('counts'))}\n${['expected', 'written'].map((side) => `SELECT '${side}', COUNT(*) FROM ${side === 'expected' ? expected : written} GROUP BY '${side}'`).join('\nUNION ALL\n')}`,
      ...(sums.length > 0
        ? [`INSERT INTO ${quoteIdentifier(report('sums'))}\n${figures('expected', expected)}\nUNION ALL\n${figures('written', written)}`]
        : []),
      `INSERT INTO ${quoteIdentifier(report('differences'))}\n${difference}`,
    ],
  };
}

function asText(columns: string[]): string {
  return `CONCAT_WS(' | ', ${columns.map((column) => `COALESCE(CAST(${column} AS STRING), 'NULL')`).join(', ')})`;
}

function byKey({ name, primaryKey }: ScriptTable, columns: string[], expected: string): string {
  const on = primaryKey.map((key) => `e.${quoteIdentifier(key)} = w.${quoteIdentifier(key)}`).join(' AND ');
  const [first] = primaryKey.map(quoteIdentifier);
  const differs = columns
    .filter((column) => !primaryKey.includes(column))
    .map((column) => `e.${quoteIdentifier(column)} IS DISTINCT FROM w.${quoteIdentifier(column)}`);
  return `SELECT
  CASE WHEN w.${first} IS NULL THEN 'missing' WHEN e.${first} IS NULL THEN 'not expected' ELSE 'differs' END,
  ${asText(primaryKey.map((key) => `COALESCE(e.${quoteIdentifier(key)}, w.${quoteIdentifier(key)})`))}
FROM ${expected} AS e FULL OUTER JOIN ${quoteIdentifier(name)} AS w ON ${on}
WHERE ${[`e.${first} IS NULL`, `w.${first} IS NULL`, ...differs].join('\n  OR ')}`;
}

/** Without a key a row is told by all of its columns, and may come more than once. */
function byRow(columns: string[], expected: string, written: string): string {
  const list = columns.map(quoteIdentifier).join(', ');
  return `SELECT CASE WHEN SUM(side) > 0 THEN 'missing' ELSE 'not expected' END, ${asText(columns.map(quoteIdentifier))}
FROM (SELECT ${list}, 1 AS side FROM ${expected} UNION ALL SELECT ${list}, -1 AS side FROM ${written})
GROUP BY ${list}
HAVING SUM(side) <> 0`;
}
