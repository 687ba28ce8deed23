import { quoteString } from '../sql/identifier';
import type { ScriptTable } from '../sql/sql-script';
import { chooseSource, isOneTopic, READING_OPTION } from './choose-source';
import { type JobScript, type PhysicalColumn, physicalColumns } from './job-script';
import { createTable, scriptText, statementSet } from './statements';
import { isText, typeParts, wholeDigits } from './type-kinds';

/** The steps of the check, in their order. */
export const SMOKE_STEPS = ['insert', 'update', 'delete'] as const;
export type SmokeStep = (typeof SMOKE_STEPS)[number];

const KEY = 'smoke-check';
const CHANGES = 'debezium-json';

/**
 * SQL that sends one change of a row through a job: insert, update, restart, delete, and the command that shows what comes out.
 *
 * @param script the job
 * @param step which change
 * @param wanted the source to write into, where there are several
 */
export function smokeSql(script: JobScript, step: SmokeStep, wanted?: string): string {
  const { jobName } = script;
  const source = chooseSource(script, wanted, `that is one Kafka topic of changes (${CHANGES}) without record keys`, isOneTopicOfChanges);
  const client = Object.entries(source.options).filter(([option]) => option.startsWith('properties.') && !READING_OPTION.test(option));
  const options = { connector: 'kafka', topic: source.options.topic!, ...Object.fromEntries(client), format: 'raw' };
  return scriptText(
    jobName,
    [
      `Sends the ${step} of one row of ${source.name} through job ${jobName}. Run each step as a job of its own, with the image of the job:`,
      '1. watch what comes out, in client.properties how a client of the cluster logs in:',
      ...watchCommands(script),
      '2. --step insert: the row appears with its first figures',
      '3. --step update: the row appears again with the second ones; where a query adds up, its key may appear deleted in between',
      `4. restart the job: kubectl -n NAMESPACE patch flinkdeployment ${jobName} --type merge -p '{"spec":{"restartNonce":1}}'`,
      '   (a number that is not there yet); once it runs again nothing of the steps before may be missing or come twice',
      '5. --step delete: the key appears deleted, with no value, or the row is gone; a row that stays means that deletes are lost',
      `The row is that of key ${KEY} (numbers: 1). Readers of the topic get it too.`,
    ],
    [
      createTable('smoke_changes', ['`line` STRING'], options),
      statementSet([`INSERT INTO smoke_changes VALUES (${quoteString(JSON.stringify(change(source, step)))})`]),
    ],
  );
}

function isOneTopicOfChanges(source: ScriptTable): boolean {
  const { options } = source;
  return isOneTopic(source) && (options.format ?? options['value.format']) === CHANGES && options['key.format'] === undefined;
}

function watchCommands({ tables }: JobScript): string[] {
  const topics = tables.filter(({ role, connector }) => role === 'sink' && /kafka$/.test(connector));
  return topics.length === 0
    ? ['   look into the sinks of the job: none of them is a topic']
    : topics.map(
        ({ options }) =>
          `   kafka-console-consumer.sh --bootstrap-server ${inShell(options['properties.bootstrap.servers']!.split(',')[0]!)} --topic ${inShell(options.topic!)} ` +
          "--consumer.config client.properties --isolation-level read_committed --property print.key=true --property null.literal='(deleted)'",
      );
}

/** A value that only the deployment knows is a variable of the shell here. */
function inShell(text: string): string {
  return text.includes('${env:') ? `"${text.replaceAll('${env:', () => '${')}"` : text;
}

function change(source: ScriptTable, step: SmokeStep): object {
  const format = source.options['value.format'] === undefined ? CHANGES : `value.${CHANGES}`;
  const iso = source.options[`${format}.timestamp-format.standard`] === 'ISO-8601';
  const first = row(source, 1, iso);
  const second = row(source, 2, iso);
  const payload = {
    insert: { before: null, after: first, op: 'c' },
    update: { before: first, after: second, op: 'u' },
    delete: { before: second, after: null, op: 'd' },
  }[step];
  return source.options[`${format}.schema-include`] === 'true' ? { schema: null, payload } : payload;
}

/** Keys stay, figures change. */
function row(table: ScriptTable, version: number, iso: boolean): { [column: string]: unknown } {
  const numbered = ({ name }: PhysicalColumn) => (table.primaryKey.includes(name) || /(^|_)id$/.test(name) ? 1 : version);
  return Object.fromEntries(physicalColumns(table).map((column) => [column.name, value(table, column, numbered(column), iso)]));
}

/** A value as Debezium writes it, that fits the type, whatever its size. */
function value({ name: table }: ScriptTable, { name: column, type, nullable }: PhysicalColumn, version: number, iso: boolean): unknown {
  const { name, length, scale } = typeParts(type);
  const digits = wholeDigits(type);
  if (digits !== undefined) {
    return digits === 0 ? version / 10 ** scale! : version;
  }
  const text = (version === 1 ? KEY : `${version}-${KEY}`).slice(0, length);
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
