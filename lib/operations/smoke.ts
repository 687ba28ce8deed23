import { quoteString } from '../sql/identifier';
import type { ScriptTable } from '../sql/sql-script';
import { CHANGE_FORMAT, chooseSource, isOfChanges, isOneTopic, READING_OPTION } from './choose-source';
import { columnsWithRoom, unlimitedTexts } from './columns-with-room';
import { consumerGroupBeside, type JobScript, namespaceOf, type PhysicalColumn } from './job-script';
import { writeNeed } from './needs';
import { type RowUses, rowUses } from './row-uses';
import { keyLimit, smokeKey } from './smoke-key';
import { madeValue, type SmokeValue, statedValue, textOrNumber } from './smoke-values';
import { createTable, scriptText, statementSet } from './statements';
import { isText, wholeDigits } from './type-kinds';

/** The steps of the check, in their order. */
export const SMOKE_STEPS = ['insert', 'update', 'delete'] as const;
export type SmokeStep = (typeof SMOKE_STEPS)[number];

const KEYED = { 'key.format': 'raw', 'key.fields': 'record_key', 'value.fields-include': 'EXCEPT_KEY' };

/** What to send. */
export interface SmokeOptions {
  /** Which change. */
  readonly step: SmokeStep;
  /** Source to write into. @default - the only one */
  readonly table?: string;
  /** Key of the row. @default - one that no row should have */
  readonly keyValue?: string;
  /** Values of columns, each `column=value`. @default - what fits the type */
  readonly set?: string[];
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
  const uses = rowUses(script, source);
  const smoke = smokeRows(script, source, options, uses);
  const sent = { connector: 'kafka', topic: source.options.topic!, ...Object.fromEntries(client), 'value.format': 'raw' };
  const key = recordKey(source, smoke);
  const line = quoteString(change(source, step, smoke));
  const namespace = namespaceOf(script);
  return scriptText(
    script,
    [
      `Sends the ${step} of one row of ${source.name} through job ${jobName}. Run each step as a job of its own, with the image of the job:`,
      '1. watch what comes out, in client.properties how a client of the cluster logs in that may read the topic in this consumer group:',
      ...watchCommands(script),
      `2. --step insert: the row appears with its first values${uses.conditions.length === 0 ? '' : ', where it meets the conditions below'}`,
      updateStep(smoke),
      `4. restart the job: kubectl -n ${namespace} patch flinkdeployment ${jobName} --type merge -p '{"spec":{"restartNonce":1}}'`,
      '   (a number that is not there yet); once it runs again nothing of the steps before may be missing or come twice',
      '5. --step delete: the key appears deleted, with no value, or the row is gone; a row that stays means that deletes are lost',
      ...conditionNote(source, uses),
      ...rowNote(smoke),
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
  return isOneTopic(source) && isOfChanges(source) && source.options['key.format'] === undefined;
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

/** Values by column. */
type SmokeRow = ReadonlyMap<string, SmokeValue>;

/** The row, and what the update makes of it. */
interface SmokeRows {
  readonly columns: PhysicalColumn[];
  /** Those that tell which row it is. */
  readonly keys: PhysicalColumn[];
  readonly first: SmokeRow;
  readonly second: SmokeRow;
}

/** Keys stay, and what else makes another row of it; figures change, where there are none whatever may. */
function smokeRows(script: JobScript, source: ScriptTable, { keyValue, set = [] }: SmokeOptions, { fixed }: RowUses): SmokeRows {
  const columns = columnsWithRoom(script, source);
  const keys = columns.filter(({ name }) => source.primaryKey.includes(name) || /(^|_)id$/.test(name));
  const iso = source.options[`${changeFormat(source)}.timestamp-format.standard`] === 'ISO-8601';
  const stated = statedTexts(source, columns, set);
  const made = (version: 1 | 2) =>
    new Map(
      columns.map((column): [string, SmokeValue] => {
        const text = stated.get(column.name);
        if (text !== undefined) {
          return [column.name, statedValue(source.name, column, text, iso)];
        }
        const key = keys.includes(column) ? smokeKey(source.name, column, keyValue) : undefined;
        return [column.name, key === undefined ? madeValue(source.name, column, version, iso) : textOrNumber(key)];
      }),
    );
  const [first, other] = [made(1), made(2)];
  const free = columns.filter((column) => !keys.includes(column) && !fixed.has(column.name));
  const changing = free.filter(({ name }) => first.get(name)!.json !== other.get(name)!.json);
  const figures = changing.filter(({ type }) => wholeDigits(type) !== undefined);
  const second = (figures.length > 0 ? figures : changing).map(({ name }): [string, SmokeValue] => [name, other.get(name)!]);
  return { columns, keys, first, second: new Map([...first, ...second]) };
}

/** What is stated by column. */
function statedTexts({ name: table }: ScriptTable, columns: PhysicalColumn[], set: string[]): Map<string, string> {
  const stated = new Map<string, string>();
  for (const text of set) {
    const [, column, value] = /^([^=]+)=([\s\S]*)$/.exec(text) ?? [];
    if (column === undefined) {
      throw new Error(`--set must be column=value, got '${text}'`);
    }
    if (!columns.some(({ name }) => name === column)) {
      throw new Error(
        `--set: '${column}' is no column of table '${table}' that its records have; there are ${columns.map(({ name }) => name).join(', ')}`,
      );
    }
    if (stated.has(column)) {
      throw new Error(`--set gives column '${column}' twice`);
    }
    stated.set(column, value!);
  }
  return stated;
}

function updateStep({ columns, first, second }: SmokeRows): string {
  const changed = columns.filter(({ name }) => first.get(name) !== second.get(name));
  return changed.length > 0
    ? `3. --step update: the row appears again, with what comes of ${listed(changed, second)}; where a query adds up, its key may appear deleted in between`
    : '3. --step update: changes nothing, and nothing need come out: each column is of the key, or one that the queries group, join or filter by, or given by --set';
}

function listed(columns: PhysicalColumn[], row: SmokeRow): string {
  return columns.map(({ name }) => `${name} ${row.get(name)!.text}`).join(', ');
}

const MOST_CONDITIONS = 10;

function conditionNote(source: ScriptTable, { conditions, unread }: RowUses): string[] {
  const more = conditions.length - MOST_CONDITIONS;
  return [
    ...(conditions.length === 0
      ? []
      : [
          `The queries over ${source.name} leave a row out that does not meet these, and nothing comes out then, although the job loses nothing.`,
          'Give the row what they ask for, the same in each step, by --set column=value; where they name another table it must have a partner there:',
          ...conditions.slice(0, MOST_CONDITIONS).map((condition) => `   ${condition}`),
          ...(more > 0 ? [`   and ${more} more`] : []),
        ]),
    ...(unread === undefined
      ? []
      : [
          `Not all that the queries over ${source.name} ask of a row could be read (${unread}): see to it that the row meets it, by --set column=value.`,
        ]),
  ];
}

function rowNote({ columns, keys, first }: SmokeRows): string[] {
  const others = columns.filter((column) => !keys.includes(column));
  const texts = unlimitedTexts(keys);
  const longest = Math.max(...texts.map((name) => first.get(name)!.text.length));
  const limits = keys.flatMap(({ name, type }) => (keyLimit(type) === undefined ? [] : [`${name} ${keyLimit(type)}`]));
  return [
    ...(keys.length === 0
      ? ['Every reader of the topic gets the row too.']
      : [
          `The row: ${listed(keys, first)}`,
          'A row that already has this key is replaced and then deleted, in the job and for every reader. Make sure that none has it, or choose',
          `another by --key-value, the same in each step${limits.length === 0 ? '' : `: ${limits.join(', ')}`}; by --set for one column alone.`,
        ]),
    ...(others.length === 0 ? [] : [`${keys.length === 0 ? 'The row' : 'Beside its key'}: ${listed(others, first)}`]),
    ...(keys.some(({ name, type }) => !isText(type) && first.get(name)!.text.startsWith('-'))
      ? [
          'A sink column that takes no negative numbers (UNSIGNED) refuses the row, and the job fails at it again and again: choose another key then.',
        ]
      : []),
    ...(texts.length === 0
      ? []
      : [
          `A database column with room for less than ${longest} characters refuses ${texts.join(', ')}, and the job fails at the row again and again: choose a shorter key then.`,
        ]),
  ];
}

/** As Debezium writes it: the steps are in one partition and keep their order, and a compacted topic takes them. */
function recordKey(source: ScriptTable, { keys, first }: SmokeRows): string | undefined {
  const names = source.primaryKey.length > 0 ? source.primaryKey : keys.map(({ name }) => name);
  return names.length === 0 ? undefined : inSchema(source, jsonObject(names.map((name) => [name, first.get(name)!.json])));
}

function change(source: ScriptTable, step: SmokeStep, rows: SmokeRows): string {
  const [first, second] = [rows.first, rows.second].map((row) => jsonObject([...row].map(([name, { json }]) => [name, json])));
  const { before, after, op } = {
    insert: { before: 'null', after: first!, op: '"c"' },
    update: { before: first!, after: second!, op: '"u"' },
    delete: { before: second!, after: 'null', op: '"d"' },
  }[step];
  return inSchema(source, jsonObject(Object.entries({ before, after, op })));
}

function inSchema(source: ScriptTable, payload: string): string {
  const isIncluded = source.options[`${changeFormat(source)}.schema-include`] === 'true';
  return isIncluded ? jsonObject(Object.entries({ schema: 'null', payload })) : payload;
}

function changeFormat({ options }: ScriptTable): string {
  return options['value.format'] === undefined ? CHANGE_FORMAT : `value.${CHANGE_FORMAT}`;
}

/** Members that are JSON themselves. */
function jsonObject(members: [name: string, json: string][]): string {
  return `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
}
