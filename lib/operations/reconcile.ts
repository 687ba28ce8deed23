import { quoteIdentifier, quoteString } from '../sql/identifier';
import type { ScriptInsert, ScriptTable } from '../sql/sql-script';
import { consumerGroupBeside, freeNames, insertedColumns, type JobScript, type PhysicalColumn, physicalColumns } from './job-script';
import { castTo } from './load-values';
import { readNeeds } from './needs';
import { alterOptions, printTable, scriptText, statementSet } from './statements';
import { isBytes, isComposite, typeParts, wholeDigits } from './type-kinds';

/** Connectors whose sinks can be read back through the same table. */
const READABLE = ['kafka', 'upsert-kafka', 'jdbc'];

/** Types within others that JSON_STRING does not take. */
const NO_JSON = /\b(MULTISET|RAW|VARIANT)\b|MAP<(?!(STRING|VARCHAR|CHAR)\b)/;

/** Digits after the point in sums of FLOAT and DOUBLE. */
const FLOAT_DIGITS = 12;

/** A sink and all that is written into it. */
interface Compared {
  readonly table: ScriptTable;
  readonly inserts: ScriptInsert[];
}

/** Statements of a comparison. */
interface Comparison {
  readonly definitions: string[];
  readonly inserts: string[];
}

/**
 * SQL that compares what the sinks of a job hold with what its queries give today: counts, sums, rows by key.
 *
 * @param script the job
 */
export function reconcileSql(script: JobScript): string {
  const { jobName, tables, inserts } = script;
  const written = tables
    .map((table) => ({ table, inserts: inserts.filter((insert) => insert.table === table.name) }))
    .filter((sink) => sink.inserts.length > 0);
  const compared = written.filter(({ table }) => READABLE.includes(table.connector));
  const skipped = written.filter((sink) => !compared.includes(sink)).map(({ table }) => table.name);
  if (compared.length === 0) {
    throw new Error(
      `job '${jobName}' has no sink that can be read back: ${skipped.join(', ') || 'it has no sink at all'}; readable are ${READABLE.join(', ')}`,
    );
  }
  const read = [...tables.filter(({ role }) => role === 'source'), ...compared.map(({ table }) => table)];
  const free = freeNames(script.definitions);
  const parts = compared.map((sink) => comparison(sink, free));
  const consumerGroup = consumerGroupBeside(script, 'reconcile');
  return scriptText(
    script,
    [
      `Compares what the sinks of job ${jobName} hold with what its queries give, in three levels: counts, sums, rows that differ.`,
      'Run it as a job of its own, with the image of the job. It writes nothing but the log of its TaskManagers, in changes: what is taken',
      'back (-U, -D) is void, what is left counts. docs/operations.md, "SQL for operators", has the commands. A side without a row prints none.',
      'A column that depends on the time of processing, or on the order of rows, differs without being wrong. Where a query only adds rows and',
      'gives several of one key, counts and sums differ without being wrong; the third level takes any of them for right.',
      'Windows that are still open in the job are closed here at the end of the input, and told as missing; so is what the job has dropped late.',
      'A row that another writer has put into the sink is told as not expected.',
      'A sum is NULL where no row has a number, or where it has more than 38 digits: then it tells nothing.',
      ...floatNote(compared),
      ...readNeeds(read, consumerGroup),
      ...unbounded(read),
      ...startedLater(read),
      ...uncompared(compared),
      ...(skipped.length > 0 ? [`Cannot be read back through Flink, compare them by hand: ${skipped.join(', ')}`] : []),
    ],
    [
      script.definitions,
      // Sums of what the job has forgotten would be wrong.
      "SET 'table.exec.state.ttl' = '0 s';",
      // Without it each row that is read is a change or two in the log.
      "SET 'table.exec.mini-batch.enabled' = 'true';\nSET 'table.exec.mini-batch.allow-latency' = '5 s';\nSET 'table.exec.mini-batch.size' = '50000';",
      ...read.flatMap((table) => readAll(consumerGroup, table)),
      ...parts.flatMap(({ definitions }) => definitions),
      statementSet(parts.flatMap((part) => part.inserts)),
    ],
  );
}

function floatNote(compared: Compared[]): string[] {
  const floats = compared.flatMap(({ table }) => physicalColumns(table).filter(({ type }) => isFloat(type)));
  return floats.length === 0
    ? []
    : [`Sums of FLOAT and DOUBLE have ${FLOAT_DIGITS} digits after the point, without NaN and what is beyond 26 digits before it.`];
}

/** Kafka and JDBC are read up to now; what made-up rows gave does not come again. */
function unbounded(tables: ScriptTable[]): string[] {
  const streams = tables.filter(({ role, connector }) => role === 'source' && !/kafka$/.test(connector));
  const madeUp = streams.filter(({ connector }) => connector === 'datagen').map(({ name }) => name);
  return [
    ...(streams.length === 0
      ? []
      : [`A stream has no end: cancel the job once the figures of ${streams.map(({ name }) => name).join(', ')} stand still.`]),
    ...(madeUp.length === 0 ? [] : [`The rows of ${madeUp.join(', ')} are made up anew: what comes of them cannot agree.`]),
  ];
}

const LATER = /^(latest|timestamp|specific|group|at_timestamp)/i;

/** The queries are asked of all that a source still has. */
function startedLater(tables: ScriptTable[]): string[] {
  const later = tables
    .filter(({ role, options }) => role === 'source' && LATER.test(options['scan.startup.mode'] ?? options['source.init.position'] ?? ''))
    .map(({ name }) => name);
  return later.length === 0
    ? []
    : [`The job did not start at the oldest record of ${later.join(', ')}: what it has skipped there is told as missing.`];
}

/** What is written beside a row, such as the time of a record, is often made by the system that keeps it. */
function uncompared(compared: Compared[]): string[] {
  const beside = compared.flatMap(({ table }) =>
    table.columns.filter(({ writable, metadataKey }) => writable && metadataKey !== undefined).map(({ name }) => `${table.name}.${name}`),
  );
  return beside.length === 0 ? [] : [`Metadata is not compared: ${beside.join(', ')}`];
}

/** All of a table, up to now, without the consumer group of the job. */
function readAll(consumerGroup: string, { name, connector }: ScriptTable): string[] {
  switch (connector) {
    case 'kafka':
    case 'upsert-kafka':
      return [
        alterOptions(name, {
          ...(connector === 'kafka' ? { 'scan.startup.mode': 'earliest-offset' } : {}),
          'scan.bounded.mode': 'latest-offset',
          'properties.isolation.level': 'read_committed',
          'properties.group.id': consumerGroup,
        }),
      ];
    case 'kinesis':
      return [alterOptions(name, { 'source.init.position': 'TRIM_HORIZON', 'source.reader.type': 'POLLING' })];
    default:
      return [];
  }
}

function comparison({ table, inserts }: Compared, free: (wanted: string) => string): Comparison {
  const nameOf = (suffix: string) => free(`${table.name}_${suffix}`);
  const filled = new Set(inserts.flatMap((insert) => insertedColumns(insert, table)));
  const columns = physicalColumns(table).filter(({ name }) => filled.has(name));
  const queries = inserts.map((insert, index) => ({
    name: nameOf(inserts.length === 1 ? 'query' : `query_${index + 1}`),
    columns: insertedColumns(insert, table),
    query: insert.query,
  }));
  const expected = nameOf('expected');
  const sideColumn = quoteIdentifier(freeColumn('side', columns));
  const sums = columns.filter(({ name, type }) => wholeDigits(type) !== undefined && !table.primaryKey.includes(name));
  const sides = [
    ['expected', expected],
    ['written', table.name],
  ].map(([side, from]) => ({ side: quoteString(side!), from: quoteIdentifier(from!) }));
  const reports = [
    {
      name: nameOf('counts'),
      columns: [`${sideColumn} STRING`, 'row_count BIGINT'],
      query: sides.map(({ side, from }) => `SELECT ${side}, COUNT(*) FROM ${from} GROUP BY ${side}`).join('\nUNION ALL\n'),
    },
    ...(sums.length === 0
      ? []
      : [
          {
            name: nameOf('sums'),
            columns: [`${sideColumn} STRING`, ...sums.map(({ name, type }) => `${quoteIdentifier(name)} ${sumType(type)}`)],
            query: sides
              .map(
                ({ side, from }) =>
                  `SELECT ${side}, ${sums.map(({ name, type }) => sum(quoteIdentifier(name), type)).join(', ')} FROM ${from} GROUP BY ${side}`,
              )
              .join('\nUNION ALL\n'),
          },
        ]),
    {
      name: nameOf('differences'),
      columns: ['difference STRING', 'row_text STRING'],
      query: table.primaryKey.length > 0 ? byKey(table, columns, expected) : byRow(table, columns, expected, sideColumn),
    },
  ];
  return {
    definitions: [
      ...queries.map(
        ({ name, columns: known, query }) =>
          `CREATE TEMPORARY VIEW ${quoteIdentifier(name)} (${known.map(quoteIdentifier).join(', ')}) AS\n${query};`,
      ),
      `CREATE TEMPORARY VIEW ${quoteIdentifier(expected)} AS\n${queries
        .map(
          ({ name, columns: known }) =>
            `SELECT ${columns.map((column) => asInserted(column, known)).join(', ')} FROM ${quoteIdentifier(name)}`,
        )
        .join('\nUNION ALL\n')};`,
      ...reports.map((report) => printTable(report.name, report.columns)),
    ],
    inserts: reports.map(({ name, query }) => `INSERT INTO ${quoteIdentifier(name)}\n${query}`),
  };
}

/** A name that none of the columns has: the side of a trade is a column too. */
function freeColumn(wanted: string, columns: PhysicalColumn[]): string {
  return columns.some(({ name }) => name === wanted) ? freeColumn(`${wanted}_`, columns) : wanted;
}

/** An INSERT casts to the types of its sink, and leaves NULL in what it does not fill. */
function asInserted({ name, type }: PhysicalColumn, known: string[]): string {
  const column = quoteIdentifier(name);
  return `CAST(${known.includes(name) ? column : 'NULL'} AS ${type}) AS ${column}`;
}

/** The widest sum that loses no digit of a column; FLOAT and DOUBLE have no such. */
function sumType(type: string): string {
  return `DECIMAL(38, ${typeParts(type).scale ?? (isFloat(type) ? FLOAT_DIGITS : 0)})`;
}

/** Sums of DOUBLE would differ by the order of rows. A cast of NaN fails. */
function sum(column: string, type: string): string {
  const number = `CAST(${column} AS ${sumType(type)})`;
  return `SUM(${isFloat(type) ? `CASE WHEN ABS(${column}) < 1E${38 - FLOAT_DIGITS} THEN ${number} END` : number})`;
}

function isFloat(type: string): boolean {
  return /^(FLOAT|DOUBLE)$/.test(type);
}

function asText(expressions: string[]): string {
  return `CONCAT_WS(' | ', ${expressions.map((expression) => `COALESCE(${expression}, 'NULL')`).join(', ')})`;
}

/** Of bytes and of what is made of others JSON: as plain text `['a, b']` is `['a', 'b']`, and bytes that are no text are all alike. */
function textOf(type: string, expression: string): string {
  if (isBytes(type)) {
    return `JSON_STRING(${expression})`;
  }
  if (!isComposite(type) || NO_JSON.test(type)) {
    return castTo('STRING', expression);
  }
  const known = withoutDays(type);
  return `JSON_STRING(${known === type ? expression : castTo(known, expression)})`;
}

/** The type with texts for what JSON_STRING does not take: days, and times of day. Names and comments of fields stay. */
function withoutDays(type: string): string {
  return type.replace(/`(?:[^`]|``)*`|'(?:[^']|'')*'|\b(?:DATE|TIME\(\d\))/g, (part) => (/^[`']/.test(part) ? part : 'STRING'));
}

/** A query may give several rows of a key, of which the sink keeps one: it is right if it has one of them. */
function byKey({ name, primaryKey }: ScriptTable, columns: PhysicalColumn[], expected: string): string {
  const keys = primaryKey.map(quoteIdentifier);
  const types = new Map(columns.map((column) => [column.name, column.type]));
  const either = keys.map((key) => `COALESCE(e.${key}, w.${key})`);
  const same = [
    ...[`e.${keys[0]}`, `w.${keys[0]}`].map((key) => `${key} IS NOT NULL`),
    ...columns
      .filter((column) => !primaryKey.includes(column.name))
      .map((column) => `${comparable(column, 'e.')} IS NOT DISTINCT FROM ${comparable(column, 'w.')}`),
  ];
  return `SELECT
  CASE WHEN COUNT(w.${keys[0]}) = 0 THEN 'missing' WHEN COUNT(e.${keys[0]}) = 0 THEN 'not expected' ELSE 'differs' END,
  ${asText(primaryKey.map((key, index) => textOf(types.get(key)!, either[index]!)))}
FROM ${quoteIdentifier(expected)} AS e FULL OUTER JOIN ${quoteIdentifier(name)} AS w ON ${keys.map((key) => `e.${key} = w.${key}`).join(' AND ')}
GROUP BY ${either.join(', ')}
HAVING COUNT(CASE WHEN ${same.join('\n  AND ')} THEN 1 END) = 0`;
}

/** Without a key a row is told by all of its columns, and may come more than once. */
function byRow({ name }: ScriptTable, columns: PhysicalColumn[], expected: string, side: string): string {
  const list = columns.map(({ name: column }) => quoteIdentifier(column)).join(', ');
  const texts = columns.map(({ name: column, type }) =>
    isComposite(type) ? quoteIdentifier(column) : textOf(type, quoteIdentifier(column)),
  );
  const values = columns.map((column) => `${comparable(column)} AS ${quoteIdentifier(column.name)}`).join(', ');
  return `SELECT CASE WHEN SUM(${side}) > 0 THEN 'missing' ELSE 'not expected' END, ${asText(texts)}
FROM (SELECT ${values}, 1 AS ${side} FROM ${quoteIdentifier(expected)} UNION ALL SELECT ${values}, -1 AS ${side} FROM ${quoteIdentifier(name)})
GROUP BY ${list}
HAVING SUM(${side}) <> 0`;
}

/** Flink compares no maps and groups by none. */
function comparable({ name, type }: PhysicalColumn, table = ''): string {
  const column = `${table}${quoteIdentifier(name)}`;
  return isComposite(type) ? textOf(type, column) : column;
}
