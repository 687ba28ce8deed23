import { quoteString } from '../sql/identifier';
import type { ScriptTable } from '../sql/sql-script';
import { chooseSource, isOneTopic, READING_OPTION } from './choose-source';
import { consumerGroupBeside, type JobScript, type PhysicalColumn, physicalColumns } from './job-script';
import { writeNeed } from './needs';
import { CHANGE_FORMAT } from './record-key';
import { smokeKey } from './smoke-key';
import { createTable, scriptText, statementSet } from './statements';
import { isText, typeParts, wholeDigits } from './type-kinds';

/** The steps of the check, in their order. */
export const SMOKE_STEPS = ['insert', 'update', 'delete'] as const;
export type SmokeStep = (typeof SMOKE_STEPS)[number];

const TEXT = 'smoke-check';

const KEYED = { 'key.format': 'raw', 'key.fields': 'record_key', 'value.fields-include': 'EXCEPT_KEY' };

/** What to send. */
export interface SmokeOptions {
  /** Which change. */
  readonly step: SmokeStep;
  /** Source to write into. @default - the only one */
  readonly table?: string;
  /** Key of the row. @default - one that no row should have */
  readonly keyValue?: string;
}

/**
 * SQL that sends one change of a row through a job: insert, update, restart, delete, and the command that shows what comes out.
 *
 * @param script the job
 * @param options which change of which row
 */
export function smokeSql(script: JobScript, options: SmokeOptions): string {
  const { jobName } = script;
  const { step } = options;
  const source = chooseSource(
    script,
    options.table,
    `that is one Kafka topic of changes (${CHANGE_FORMAT}) whose record keys the job does not read`,
    isOneTopicOfChanges,
  );
  const client = Object.entries(source.options).filter(([option]) => option.startsWith('properties.') && !READING_OPTION.test(option));
  const rows = [1, 2].map((version) => row(source, version, options.keyValue)) as [SmokeRow, SmokeRow];
  const sent = { connector: 'kafka', topic: source.options.topic!, ...Object.fromEntries(client), 'value.format': 'raw' };
  const key = recordKey(source, rows[0]);
  const line = quoteString(jsonText(change(source, step, rows)));
  return scriptText(
    jobName,
    [
      `Sends the ${step} of one row of ${source.name} through job ${jobName}. Run each step as a job of its own, with the image of the job:`,
      '1. watch what comes out, in client.properties how a client of the cluster logs in that may read the topic in this consumer group:',
      ...watchCommands(script),
      '2. --step insert: the row appears with its first figures',
      '3. --step update: the row appears again with the second ones; where a query adds up, its key may appear deleted in between',
      `4. restart the job: kubectl -n NAMESPACE patch flinkdeployment ${jobName} --type merge -p '{"spec":{"restartNonce":1}}'`,
      '   (a number that is not there yet); once it runs again nothing of the steps before may be missing or come twice',
      '5. --step delete: the key appears deleted, with no value, or the row is gone; a row that stays means that deletes are lost',
      ...keyNote(source, rows[0]),
      writeNeed(source),
    ],
    [
      ...(key === undefined
        ? [createTable('smoke_changes', ['`line` STRING'], sent), statementSet([`INSERT INTO smoke_changes VALUES (${line})`])]
        : [
            createTable('smoke_changes', ['`record_key` STRING', '`line` STRING'], { ...sent, ...KEYED }),
            statementSet([`INSERT INTO smoke_changes VALUES (${quoteString(key)}, ${line})`]),
          ]),
    ],
  );
}

function isOneTopicOfChanges(source: ScriptTable): boolean {
  const { options } = source;
  return isOneTopic(source) && (options.format ?? options['value.format']) === CHANGE_FORMAT && options['key.format'] === undefined;
}

/** Its group has a name that a permission can be given for, and keeps no offsets: it always begins with what comes next. */
function watchCommands(script: JobScript): string[] {
  const group = consumerGroupBeside(script, 'smoke');
  const topics = script.tables.filter(({ role, connector }) => role === 'sink' && /kafka$/.test(connector));
  return topics.length === 0
    ? ['   look into the sinks of the job: none of them is a topic']
    : topics.map(
        ({ options }) =>
          `   kafka-console-consumer.sh --bootstrap-server ${inShell(options['properties.bootstrap.servers']!.split(',')[0]!)} --topic ${inShell(options.topic!)} ` +
          `--consumer.config client.properties --group ${group} --consumer-property enable.auto.commit=false ` +
          "--isolation-level read_committed --property print.key=true --property null.literal='(deleted)'",
      );
}

/** A value that only the deployment knows is a variable of the shell here. */
function inShell(text: string): string {
  return text.includes('${env:') ? `"${text.replaceAll('${env:', () => '${')}"` : text;
}

/** A row before it is JSON: a BIGINT may have more digits than a number of JavaScript. */
type SmokeRow = { readonly [column: string]: unknown };

function keyColumns(table: ScriptTable): PhysicalColumn[] {
  return physicalColumns(table).filter(({ name }) => table.primaryKey.includes(name) || /(^|_)id$/.test(name));
}

function keyNote(source: ScriptTable, first: SmokeRow): string[] {
  const columns = keyColumns(source);
  if (columns.length === 0) {
    return ['Every reader of the topic gets the row too.'];
  }
  const key = columns.map(({ name }) => `${name} ${first[name]}`).join(', ');
  return [
    `The row: ${key}`,
    'A row that already has this key is replaced and then deleted, in the job and for every reader. Make sure that none has it, or choose',
    'another by --key-value, the same in each step.',
    ...(columns.some(({ name, type }) => !isText(type) && `${first[name]}`.startsWith('-'))
      ? [
          'A sink column that takes no negative numbers (UNSIGNED) refuses the row, and the job fails at it again and again: choose another key then.',
        ]
      : []),
  ];
}

/** As Debezium writes it: the steps are in one partition and keep their order, and a compacted topic takes them. */
function recordKey(source: ScriptTable, first: SmokeRow): string | undefined {
  const columns = keyColumns(source);
  if (columns.length === 0) {
    return undefined;
  }
  const names = source.primaryKey.length > 0 ? source.primaryKey : columns.map(({ name }) => name);
  const payload = Object.fromEntries(names.map((name) => [name, first[name]]));
  return jsonText(source.options[`${changeFormat(source)}.schema-include`] === 'true' ? { schema: null, payload } : payload);
}

function change(source: ScriptTable, step: SmokeStep, [first, second]: [SmokeRow, SmokeRow]): object {
  const format = changeFormat(source);
  const payload = {
    insert: { before: null, after: first, op: 'c' },
    update: { before: first, after: second, op: 'u' },
    delete: { before: second, after: null, op: 'd' },
  }[step];
  return source.options[`${format}.schema-include`] === 'true' ? { schema: null, payload } : payload;
}

function changeFormat({ options }: ScriptTable): string {
  return options['value.format'] === undefined ? CHANGE_FORMAT : `value.${CHANGE_FORMAT}`;
}

/** Keys stay, figures change. */
function row(table: ScriptTable, version: number, keyValue: string | undefined): SmokeRow {
  const keys = keyColumns(table);
  const iso = table.options[`${changeFormat(table)}.timestamp-format.standard`] === 'ISO-8601';
  return Object.fromEntries(
    physicalColumns(table).map((column) => [
      column.name,
      keys.includes(column) ? (smokeKey(table.name, column, keyValue) ?? value(table, column, 1, iso)) : value(table, column, version, iso),
    ]),
  );
}

/** JSON.stringify knows no bigint. */
function jsonText(value: unknown): string {
  if (typeof value === 'bigint') {
    return `${value}`;
  }
  if (typeof value !== 'object' || value === null) {
    return JSON.stringify(value);
  }
  return `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}:${jsonText(member)}`)
    .join(',')}}`;
}

/** A value as Debezium writes it, that fits the type, whatever its size. */
function value({ name: table }: ScriptTable, { name: column, type, nullable }: PhysicalColumn, version: number, iso: boolean): unknown {
  const { name, length, scale } = typeParts(type);
  const digits = wholeDigits(type);
  if (digits !== undefined) {
    return digits === 0 ? version / 10 ** scale! : version;
  }
  const text = (version === 1 ? TEXT : `${version}-${TEXT}`).slice(0, length);
  if (isText(type)) {
    return text;
  }
  switch (name) {
    case 'BOOLEAN':
      return version === 1;
    case 'BINARY':
    case 'VARBINARY':
    case 'BYTES':
      return Buffer.from(text).toString('base64');
    case 'DATE':
      return `2026-01-0${version}`;
    case 'TIME':
      return `00:00:0${version}`;
    case 'TIMESTAMP':
      return `2026-01-01${iso ? 'T' : ' '}00:00:0${version}`;
    case 'TIMESTAMP_LTZ':
      return `2026-01-01${iso ? 'T' : ' '}00:00:0${version}Z`;
    default:
      if (!nullable) {
        throw new Error(
          `no value is made for column '${column}' of table '${table}', which is ${type} NOT NULL: send a change of your own`,
        );
      }
      return null;
  }
}
