import { quoteString } from '../sql/identifier';
import { type SqlToken, scanSql } from '../sql/sql-scanner';
import { renderScript, type ScriptTable } from '../sql/sql-script';
import { isSymbol, isWord } from '../sql/sql-tokens';
import type { JobScript } from './job-script';
import { KEY_NUMBER, loadNotes, TIME_TEXT } from './load-values';

/** A field that a script takes out of JSON text. */
interface JsonField {
  /** Names of the objects around it, and its own. */
  readonly path: string[];
  /** Type that it is taken as. @default - text */
  readonly returning?: string;
  /** Text that a query asks for: other lines would be left out. */
  readonly compared?: string;
  /** Whether the event time is read from it. */
  readonly isTime?: boolean;
}

/** A field at the end of its path, or an object of fields. */
type JsonTree = Map<string, JsonField | JsonTree>;

const KEY = "CONCAT('key-', CAST(key_number AS STRING))";

/**
 * A JSON object with the fields that the queries of a job take out of a column.
 *
 * @param script the job
 * @param table the table
 * @param column the column with the text
 * @param wanted field that the skew is in. Default: an id, else the first
 */
export function jsonValues(
  script: JobScript,
  table: ScriptTable,
  column: string,
  wanted?: string,
): { key: string; expression: string; notes: string[] } {
  const { fields, others } = jsonFields(scanSql('the script', renderScript(script)).tokens, column);
  if (fields.length === 0) {
    throw new Error(
      `no query takes a field out of '${column}' of table '${table.name}' by JSON_VALUE: nobody knows what its lines look like; write them yourself`,
    );
  }
  const names = fields.map(nameOf);
  const free = fields.filter(({ compared }) => compared === undefined).map(nameOf);
  const key = wanted ?? free.find((name) => /(^|[_.])id$/.test(name)) ?? free[0] ?? names[0]!;
  if (!names.includes(key)) {
    throw new Error(`'${key}' is no JSON field of table '${table.name}'; known: ${names.join(', ')}`);
  }
  const timed = new Set(jsonFields(scanSql('the script', table.eventTime ?? '').tokens, column).fields.map(nameOf));
  const numbers = fields.filter(isNumber).map(nameOf);
  const marked = fields.map((field) => ({ ...field, isTime: timed.has(nameOf(field)) }));
  return {
    key,
    expression: jsonObject(treeOf(marked), key),
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
function jsonFields(tokens: SqlToken[], column: string): JsonFields {
  const fields = new Map<string, JsonField>();
  const others = new Set<string>();
  tokens.forEach((token, index) => {
    if (!isWord(token, 'JSON_VALUE') && !isWord(token, 'JSON_QUERY') && !isWord(token, 'JSON_EXISTS')) {
      return;
    }
    const comma = endOfArgument(tokens, index + 2);
    const [, given, returning, type, afterType] = tokens.slice(comma);
    if (given?.kind !== 'string' || !tokens.slice(index + 2, comma).some(({ kind, text }) => kind !== 'string' && text === column)) {
      return;
    }
    const path = given.text.replace(/^\s*(lax|strict)\s+/i, '');
    if (!isWord(token, 'JSON_VALUE') || !/^\$(\.\w+)+$/.test(path)) {
      others.add(path);
      return;
    }
    const isReturning = isWord(returning, 'RETURNING');
    const [close, equals, literal] = isReturning ? [afterType, ...tokens.slice(comma + 5)] : tokens.slice(comma + 2);
    const compared = close?.text === ')' && equals?.text === '=' && literal?.kind === 'string' ? literal.text : undefined;
    const known = fields.get(path);
    fields.set(path, {
      path: path.split('.').slice(1),
      returning: known?.returning ?? (isReturning ? type?.text.toUpperCase() : undefined),
      compared: known?.compared ?? compared,
    });
  });
  return { fields: [...fields.values()], others: [...others].filter((path) => !fields.has(path)) };
}

/** Where the first argument of a function ends: at its comma, not at those of what stands in it. */
function endOfArgument(tokens: SqlToken[], start: number): number {
  let depth = 0;
  const end = tokens.slice(start).findIndex((token) => {
    depth += isSymbol(token, '(') ? 1 : isSymbol(token, ')') ? -1 : 0;
    return depth < 0 || (depth === 0 && isSymbol(token, ','));
  });
  return end < 0 ? tokens.length : start + end;
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

function nameOf({ path }: JsonField): string {
  return path.join('.');
}

function isNumber({ returning = 'STRING' }: JsonField): boolean {
  return /^(INT|INTEGER|BIGINT|DOUBLE)$/.test(returning);
}

function fieldValue(field: JsonField, key: string): string {
  if (nameOf(field) === key) {
    return isNumber(field) ? KEY_NUMBER : KEY;
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
  return field.isTime || /(^|_)(time|at|timestamp)$/.test(field.path.at(-1)!) ? TIME_TEXT : 'filler';
}
