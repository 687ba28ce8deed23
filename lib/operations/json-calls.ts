import { type JoinedTable, joinedTables, nameOf, tablesInParentheses } from '../queries/joined-tables';
import { outerSelects, type SelectPart, selectItems } from '../queries/select-parts';
import { isJsonFunction } from '../sql/json-functions';
import { computedColumns, type ScriptDefinition, scriptDefinitions } from '../sql/script-statements';
import { type SqlToken, scanSql } from '../sql/sql-scanner';
import type { ScriptTable } from '../sql/sql-script';
import { enclosed, isName, isSymbol, isWord } from '../sql/sql-tokens';
import { tableReferences } from '../sql/table-references';
import type { JobScript } from './job-script';

/** A call that takes something out of JSON text. */
export interface JsonCall {
  /** `JSON_VALUE`, or one that gives no single value. */
  readonly name: string;
  readonly path: string;
  /** What follows the path, past the end of the call. */
  readonly after: SqlToken[];
}

/** Tables, views and names of WITH, each with those of its columns that hold the text. */
type TextColumns = ReadonlyMap<string, ReadonlySet<string>>;

/** What stands after FROM: its name in capital letters, and those of its columns that hold the text. */
interface Holder {
  readonly name?: string;
  readonly columns: ReadonlySet<string>;
}

const FROM = scanSql('a clause', 'FROM').tokens;

/**
 * The calls of a job that take something out of the text in a column of a table: in its computed columns, and in the queries that read it,
 * through views, subqueries and WITH. Another table may have a column of the same name.
 */
export function jsonCalls({ definitions, inserts }: JobScript, table: ScriptTable, column: string): JsonCall[] {
  const calls: JsonCall[] = [];
  const known = new Map<string, ReadonlySet<string>>([[table.name, new Set([column])]]);
  for (const definition of scriptDefinitions(definitions)) {
    const { kind, name, body } = definition;
    if (kind === 'VIEW') {
      known.set(name, columnsOfQuery(body, known, [], calls));
    } else if (name === table.name) {
      known.set(name, columnsOfTable(definition, column, calls));
    }
  }
  for (const { query } of inserts) {
    columnsOfQuery(scanSql('a query', query).tokens, known, [], calls);
  }
  return calls;
}

/** The calls of an expression on some columns. */
export function jsonCallsIn(sql: string, columns: ReadonlySet<string>): JsonCall[] {
  return callsIn(scanSql('an expression', sql).tokens, [{ columns }]);
}

/** Columns of a table that hold the text: the one that is given, and computed ones whose expression does. */
function columnsOfTable(definition: ScriptDefinition, given: string, calls: JsonCall[]): ReadonlySet<string> {
  const columns = new Set([given]);
  const holders = [{ columns }];
  for (const { name, expression } of computedColumns(definition)) {
    calls.push(...callsIn(expression, holders));
    if (holdsText(expression, holders)) {
      columns.add(name);
    }
  }
  return columns;
}

/** @returns those of the columns of a query that hold the text */
function columnsOfQuery(tokens: SqlToken[], known: TextColumns, around: Holder[], calls: JsonCall[]): ReadonlySet<string> {
  if (isWord(tokens[0], 'WITH')) {
    return columnsOfWith(tokens, known, around, calls);
  }
  const parts = outerSelects(tokens);
  const read = new Set(parts.flatMap((part) => part.tokens));
  return new Set([
    ...parts.flatMap((part) => [...columnsOfSelect(part, known, around, calls)]),
    ...enclosed(tokens.filter((token) => !read.has(token))).flatMap((query) => [...columnsOfQuery(query, known, around, calls)]),
  ]);
}

/** `WITH a AS (…), b (x, y) AS (…) SELECT …`; what is none is the planner's to refuse. */
function columnsOfWith(tokens: SqlToken[], known: TextColumns, around: Holder[], calls: JsonCall[]): ReadonlySet<string> {
  const names = new Map(known);
  let position = 0;
  do {
    const name = tokens[position + 1]?.text ?? '';
    const as = tokens.findIndex((token, index) => index > position && isWord(token, 'AS') && isSymbol(tokens[index + 1], '('));
    if (as < 0) {
      return new Set();
    }
    const [query = []] = enclosed(tokens.slice(as));
    const renamed = as > position + 2 ? tokens.slice(position + 3, as - 1).map(({ text }) => text) : [];
    const columns = columnsOfQuery(query, names, around, calls);
    names.set(name, columns.size > 0 && renamed.length > 0 ? new Set(renamed) : columns);
    position = as + query.length + 3;
  } while (isSymbol(tokens[position], ','));
  return columnsOfQuery(tokens.slice(position), names, around, calls);
}

function columnsOfSelect(part: SelectPart, known: TextColumns, around: Holder[], calls: JsonCall[]): ReadonlySet<string> {
  const holders = joinedTables(part).flatMap((table) => holdersOf(table, known, around, calls));
  const all = [...holders, ...around];
  const { own, queries } = withoutQueries(part.tokens);
  calls.push(...callsIn(own, all));
  for (const query of queries) {
    columnsOfQuery(query, known, all, calls);
  }
  return new Set(selectItems(part).flatMap((item) => textNames(item, holders)));
}

function holdersOf(table: JoinedTable, known: TextColumns, around: Holder[], calls: JsonCall[]): Holder[] {
  const joined = tablesInParentheses(table);
  if (joined.length > 0) {
    return joined.flatMap((one) => holdersOf(one, known, around, calls));
  }
  const columns = isSymbol(table.table[0], '(')
    ? columnsOfQuery(enclosed(table.table)[0]!, known, around, calls)
    : new Set(tableReferences([...FROM, ...table.table]).flatMap(({ name }) => [...(known.get(name) ?? [])]));
  return [{ name: nameOf(table), columns }];
}

/** Names that a piece of a SELECT gives to the text. */
function textNames(item: SqlToken[], holders: Holder[]): string[] {
  const last = item.at(-1);
  if (isSymbol(last, '*')) {
    const qualifier = item[0]!.text.toUpperCase();
    return holders.filter(({ name }) => item.length === 1 || name === qualifier).flatMap(({ columns }) => [...columns]);
  }
  const isPath = item.length === 1 || isSymbol(item.at(-2), '.');
  const value = isPath ? item : item.slice(0, isWord(item.at(-2), 'AS') ? -2 : -1);
  return isName(last) && holdsText(value, holders) ? [last!.text] : [];
}

function holdsText(expression: SqlToken[], holders: Holder[]): boolean {
  return (
    !expression.some((token) => token.kind === 'word' && /^JSON_/i.test(token.text)) &&
    expression.some((_, index) => isText(expression, index, holders))
  );
}

function callsIn(tokens: SqlToken[], holders: Holder[]): JsonCall[] {
  return tokens.flatMap((token, index) => {
    if (!isJsonFunction(token)) {
      return [];
    }
    const end = endOfArgument(tokens, index + 2);
    const [, path, ...after] = tokens.slice(end);
    const argument = tokens.slice(index + 2, end);
    return path?.kind === 'string' && argument.some((_, place) => isText(argument, place, holders))
      ? [{ name: token.text.toUpperCase(), path: path.text, after }]
      : [];
  });
}

/** A qualifier that no holder has for its name is one of MATCH_RECOGNIZE, which reads the same table. */
function isText(tokens: SqlToken[], index: number, holders: Holder[]): boolean {
  const token = tokens[index]!;
  if (!isName(token) || isSymbol(tokens[index + 1], '.')) {
    return false;
  }
  const qualifier = isSymbol(tokens[index - 1], '.') ? tokens[index - 2]?.text.toUpperCase() : undefined;
  const named = holders.filter(({ name }) => qualifier !== undefined && name === qualifier);
  return (named.length > 0 ? named.slice(0, 1) : holders).some(({ columns }) => columns.has(token.text));
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

/** Tokens without the queries in parentheses among them. */
function withoutQueries(tokens: SqlToken[]): { own: SqlToken[]; queries: SqlToken[][] } {
  const queries = queriesIn(tokens);
  const inQueries = new Set(queries.flat());
  return { own: tokens.filter((token) => !inQueries.has(token)), queries };
}

function queriesIn(tokens: SqlToken[]): SqlToken[][] {
  return enclosed(tokens).flatMap((inner) => (isWord(inner[0], 'SELECT', 'WITH') ? [inner] : queriesIn(inner)));
}
