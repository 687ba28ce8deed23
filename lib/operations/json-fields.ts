import { quoteString } from '../sql/identifier';
import { type SqlToken, scanSql } from '../sql/sql-scanner';
import { renderScript, type ScriptTable } from '../sql/sql-script';
import type { JobScript } from './job-script';
import { KEY_NUMBER, loadNotes, TIME_TEXT } from './load-values';

/** A field that a script takes out of JSON text. */
interface JsonField {
  /** Names of the objects around it, and its own. */
  readonly path: string[];
  /** Type that it is taken as. @default - text */
  readonly returning?: string;
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
  const fields = jsonFields(scanSql('the script', renderScript(script)).tokens, column);
  if (fields.length === 0) {
    throw new Error(
      `no query takes a field out of '${column}' of table '${table.name}' by JSON_VALUE: nobody knows what its lines look like; write them yourself`,
    );
  }
  const names = fields.map(nameOf);
  const key = wanted ?? names.find((name) => /(^|[_.])id$/.test(name)) ?? names[0]!;
  if (!names.includes(key)) {
    throw new Error(`'${key}' is no JSON field of table '${table.name}'; known: ${names.join(', ')}`);
  }
  const timed = new Set(jsonFields(scanSql('the script', table.eventTime ?? '').tokens, column).map(nameOf));
  const numbers = fields.filter(isNumber).map(nameOf);
  const marked = fields.map((field) => ({ ...field, isTime: timed.has(nameOf(field)) }));
  return {
    key,
    expression: jsonObject(treeOf(marked), key),
    notes: loadNotes(
      { keys: numbers.includes(key), others: numbers.some((name) => name !== key) },
      marked.filter(({ isTime }) => isTime).map((field) => ({ name: nameOf(field), kind: isNumber(field) ? 'number' : 'text' })),
    ),
  };
}

/** Every `JSON_VALUE(column, '$.a.b')`, each path once; elements of arrays are left out. */
function jsonFields(tokens: SqlToken[], column: string): JsonField[] {
  const fields = new Map<string, JsonField>();
  tokens.forEach((token, index) => {
    if (!isWord(token, 'JSON_VALUE')) {
      return;
    }
    // The column alone, or behind the name of its table and a point.
    const comma = tokens.slice(index, index + 6).findIndex(({ kind, text }) => kind === 'symbol' && text === ',');
    const [argument, , path, returning, type] = tokens.slice(index + comma - 1);
    if (comma > 0 && argument?.text === column && path?.kind === 'string' && /^\$(\.\w+)+$/.test(path.text)) {
      fields.set(path.text, {
        path: path.text.split('.').slice(1),
        returning: isWord(returning, 'RETURNING') ? type?.text.toUpperCase() : undefined,
      });
    }
  });
  return [...fields.values()];
}

function isWord(token: SqlToken | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text.toUpperCase() === word;
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
  if (field.returning === 'BOOLEAN') {
    return 'number < 500';
  }
  return field.isTime || /(^|_)(time|at|timestamp)$/.test(field.path.at(-1)!) ? TIME_TEXT : 'filler';
}
