import { quoteString } from '../sql/identifier';
import type { JobScript, ScriptColumn, ScriptTable } from './job-script';
import { comment, statementSet } from './statements';
import { NUMERIC, TEXT } from './type-kinds';

/** The steps of the check, in their order. */
export const SMOKE_STEPS = ['insert', 'update', 'delete'] as const;
export type SmokeStep = (typeof SMOKE_STEPS)[number];

const KEY = 'smoke-check';
const CHANGES = 'debezium-json';

/**
 * SQL that sends one change of a row through a job: insert, update, restart, delete, and the command that shows what comes out.
 *
 * @param jobName name of the job
 * @param script its script
 * @param step which change
 * @param wanted the source to write into, where there are several
 */
export function smokeSql(jobName: string, script: JobScript, step: SmokeStep, wanted?: string): string {
  const source = changeSource(jobName, script, wanted);
  const client = Object.entries(source.options).filter(
    ([option]) => option.startsWith('properties.') && !/^properties\.(group\.id|isolation\.level|transaction\.)/.test(option),
  );
  const options = { connector: 'kafka', topic: source.options.topic!, ...Object.fromEntries(client), format: 'raw' };
  return `${[
    comment(
      `Sends the ${step} of one row of ${source.name} through job ${jobName}. Run each step as a job of its own, with the image of the job:`,
      '1. watch what comes out:',
      ...watchCommands(script),
      '2. --step insert: the row appears with its first figures',
      '3. --step update: the row appears again with the second ones',
      `4. restart the job: kubectl -n NAMESPACE patch flinkdeployment ${jobName} --type merge -p '{"spec":{"restartNonce":1}}'`,
      '   (a number that is not there yet); once it runs again nothing of the steps before may be missing or come twice',
      '5. --step delete: the key appears with no value (null), or the row is gone; a row that stays means that deletes are lost',
      `The row is that of key ${KEY} (numbers: 1). Readers of the topic get it too.`,
    ),
    `CREATE TABLE smoke_changes (\n  \`line\` STRING\n) WITH (\n${Object.entries(options)
      .map(([key, value]) => `  ${quoteString(key)} = ${quoteString(value)}`)
      .join(',\n')}\n);`,
    statementSet([`INSERT INTO smoke_changes VALUES (${quoteString(JSON.stringify(change(source, step)))})`]),
  ].join('\n\n')}\n`;
}

function changeSource(jobName: string, script: JobScript, wanted?: string): ScriptTable {
  const sources = script.tables.filter(
    ({ role, options }) => role === 'source' && options.connector === 'kafka' && (options.format ?? options['value.format']) === CHANGES,
  );
  const found = sources.filter(({ name }) => wanted === undefined || name === wanted);
  if (found.length !== 1) {
    throw new Error(
      `job '${jobName}' has ${found.length} Kafka sources of changes (${CHANGES})${wanted === undefined ? '' : ` called '${wanted}'`}; ` +
        (sources.length > 0 ? `name one by --table: ${sources.map(({ name }) => name).join(', ')}` : 'only they can say update and delete'),
    );
  }
  return found[0]!;
}

function watchCommands({ tables }: JobScript): string[] {
  const topics = tables.filter(({ role, options }) => role === 'sink' && /kafka$/.test(options.connector!));
  return topics.length === 0
    ? ['   look into the sinks of the job: none of them is a topic']
    : topics.map(
        ({ options }) =>
          `   kafka-console-consumer.sh --bootstrap-server ${options['properties.bootstrap.servers']!.split(',')[0]} --topic ${options.topic} ` +
          "--consumer.config client.properties --isolation-level read_committed --property print.key=true --property null.literal='(deleted)'",
      );
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
function row({ columns, primaryKey }: ScriptTable, version: number, iso: boolean): { [column: string]: unknown } {
  const numbered = ({ name }: ScriptColumn) => (primaryKey.includes(name) || /(^|_)id$/.test(name) ? 1 : version);
  return Object.fromEntries(columns.map((column) => [column.name, value(column, numbered(column), iso)]));
}

function value({ type }: ScriptColumn, version: number, iso: boolean): unknown {
  if (TEXT.test(type)) {
    return version === 1 ? KEY : `${KEY}-${version}`;
  }
  if (NUMERIC.test(type)) {
    return version;
  }
  if (type.startsWith('TIMESTAMP')) {
    const at = `2026-01-01${iso ? 'T' : ' '}00:00:0${version}`;
    return type.startsWith('TIMESTAMP_LTZ') ? `${at}Z` : at;
  }
  if (type === 'DATE') {
    return '2026-01-01';
  }
  return type === 'BOOLEAN' ? version === 1 : null;
}
