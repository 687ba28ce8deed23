import { quoteIdentifier, quoteString } from '../sql/identifier';
import type { ScriptTable } from '../sql/sql-script';
import { isWord } from '../sql/sql-tokens';
import { roomInSinks } from './columns-with-room';
import type { JobScript } from './job-script';
import { type JsonCall, jsonCalls, jsonCallsIn } from './json-calls';
import { castTo, KEY_NUMBER, KEY_TEXT, loadNotes, TIME_TEXT } from './load-values';

/** A field that a script takes out of JSON text. */
interface JsonField {
  /** Names of the objects around it, and its own. */
  readonly path: string[];
  /** Type that it is taken as. @default - text */
  readonly returning?: string;
  /** Text that a query asks for: other lines would be left out. */
  readonly compared?: string;
  /** Characters that the sinks have room for in a column of its name. */
  readonly room?: number;
  /** Whether the event time is read from it. */
  readonly isTime?: boolean;
}

/** A field at the end of its path, or an object of fields. */
type JsonTree = Map<string, JsonField | JsonTree>;

/** The lines of a table as objects of JSON. */
export interface JsonLines {
  /** Field that the skew is in. */
  readonly key: string;
  /** A line as an expression. */
  readonly expression: string;
  /** The fields of a line as columns of a table whose format is JSON, and their values. */
  readonly columns: { readonly name: string; readonly type: string; readonly expression: string }[];
  /** Fields with texts as long as they were asked for. */
  readonly texts: string[];
  readonly notes: string[];
}

/**
 * JSON objects with the fields that the queries of a job take out of a column.
 *
 * @param script the job
 * @param table the table
 * @param column the column with the text
 * @param wanted fields that the skew is in, the first of them that there is and those of its name. Default: an id, else the first
 */
export function jsonLines(script: JobScript, table: ScriptTable, column: string, wanted: { key?: string; also: string[] }): JsonLines {
  const { fields, others } = jsonFields(jsonCalls(script, table, column));
  if (fields.length === 0) {
    throw new Error(
      `no query takes a field out of '${column}' of table '${table.name}' by JSON_VALUE: nobody knows what its lines look like; write them yourself`,
    );
  }
  const names = fields.map(nameOf);
  const free = fields.filter(({ compared }) => compared === undefined).map(nameOf);
  const key =
    wanted.key ?? wanted.also.find((name) => free.includes(name)) ?? free.find((name) => /(^|[_.])id$/.test(name)) ?? free[0] ?? names[0]!;
  if (!names.includes(key)) {
    throw new Error(`'${key}' is no JSON field of table '${table.name}'; known: ${names.join(', ')}`);
  }
  const timed = new Set(jsonFields(jsonCallsIn(table.eventTime ?? '', new Set([column]))).fields.map(nameOf));
  const numbers = fields.filter(isNumber).map(nameOf);
  const marked = fields.map((field) => ({ ...field, isTime: timed.has(nameOf(field)), room: roomInSinks(script, field.path.at(-1)!) }));
  const tree = treeOf(marked);
  return {
    key,
    expression: jsonObject(tree, key),
    columns: [...tree].map(([name, part]) => ({ name, type: typeOf(part), expression: columnValue(part, key) })),
    texts: marked.filter((field) => fieldValue(field, key) === 'filler').map(nameOf),
    notes: [
      `Each line has the fields ${names.join(', ')}.`,
      ...(others.length === 0 ? [] : [`The queries also ask for ${others.join(', ')}, which no line has: put them in below.`]),
      ...loadNotes(
        { keys: numbers.includes(key), others: numbers.some((name) => name !== key) },
        marked.filter(({ isTime }) => isTime).map((field) => ({ name: nameOf(field), kind: isNumber(field) ? 'number' : 'text' })),
      ),
    ],
  };
}

/** What the queries take out of JSON text. */
interface JsonFields {
  /** Each path once. */
  readonly fields: JsonField[];
  /** Paths that are no plain names, such as elements of arrays. */
  readonly others: string[];
}

/** Every `JSON_VALUE(…column…, '$.a.b')` and its like. */
function jsonFields(calls: JsonCall[]): JsonFields {
  const fields = new Map<string, JsonField>();
  const others = new Set<string>();
  for (const call of calls) {
    const path = call.path.replace(/^\s*(lax|strict)\s+/i, '');
    if (call.name !== 'JSON_VALUE' || !/^\$(\.\w+)+$/.test(path)) {
      others.add(path);
      continue;
    }
    const isReturning = isWord(call.after[0], 'RETURNING');
    const [close, equals, literal] = isReturning ? call.after.slice(2) : call.after;
    const compared = close?.text === ')' && equals?.text === '=' && literal?.kind === 'string' ? literal.text : undefined;
    const known = fields.get(path);
    fields.set(path, {
      path: path.split('.').slice(1),
      returning: known?.returning ?? (isReturning ? call.after[1]?.text.toUpperCase() : undefined),
      compared: known?.compared ?? compared,
    });
  }
  return { fields: [...fields.values()], others: [...others].filter((path) => !fields.has(path)) };
}

function treeOf(fields: JsonField[]): JsonTree {
  const tree: JsonTree = new Map();
  for (const field of fields) {
    let branch = tree;
    for (const name of field.path.slice(0, -1)) {
      const next = branch.get(name);
      const inner: JsonTree = next instanceof Map ? next : new Map();
      branch.set(name, inner);
      branch = inner;
    }
    const name = field.path.at(-1)!;
    if (!branch.has(name)) {
      branch.set(name, field);
    }
  }
  return tree;
}

function jsonObject(tree: JsonTree, key: string): string {
  const members = [...tree].map(
    ([name, part]) => `KEY ${quoteString(name)} VALUE ${part instanceof Map ? jsonObject(part, key) : fieldValue(part, key)}`,
  );
  return `JSON_OBJECT(${members.join(', ')})`;
}

function typeOf(part: JsonField | JsonTree): string {
  if (part instanceof Map) {
    return `ROW<${[...part].map(([name, member]) => `${quoteIdentifier(name)} ${typeOf(member)}`).join(', ')}>`;
  }
  return isNumber(part) || part.returning === 'BOOLEAN' ? part.returning! : 'STRING';
}

function columnValue(part: JsonField | JsonTree, key: string): string {
  const value =
    part instanceof Map ? `ROW(${[...part.values()].map((member) => columnValue(member, key)).join(', ')})` : fieldValue(part, key);
  return castTo(typeOf(part), value);
}

function nameOf({ path }: JsonField): string {
  return path.join('.');
}

function isNumber({ returning = 'STRING' }: JsonField): boolean {
  return /^(INT|INTEGER|BIGINT|DOUBLE)$/.test(returning);
}

function fieldValue(field: JsonField, key: string): string {
  if (nameOf(field) === key) {
    return isNumber(field) ? KEY_NUMBER : KEY_TEXT;
  }
  if (isNumber(field)) {
    return 'number';
  }
  if (field.compared !== undefined) {
    return quoteString(field.compared);
  }
  if (field.returning === 'BOOLEAN') {
    return 'number < 500';
  }
  if (field.isTime || /(^|_)(time|at|timestamp)$/.test(field.path.at(-1)!)) {
    return TIME_TEXT;
  }
  return Number.isFinite(field.room) ? castTo(`VARCHAR(${field.room})`, 'filler') : 'filler';
}
