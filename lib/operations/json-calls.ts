import { type JoinedTable, joinedTables, nameOf, tablesInParentheses } from '../rules/queries/joined-tables';
import { outerSelects, type SelectPart, selectItems } from '../rules/queries/select-parts';
import { type SqlToken, scanSql } from '../sql/sql-scanner';
import type { ScriptTable } from '../sql/sql-script';
import { enclosed, isName, isSymbol, isWord, split } from '../sql/sql-tokens';
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
type Holders = ReadonlyMap<string, ReadonlySet<string>>;

/** What stands after FROM: its name in capital letters, and those of its columns that hold the text. */
interface Side {
  readonly name?: string;
  readonly columns: ReadonlySet<string>;
}

const FROM: SqlToken = { kind: 'word', text: 'FROM' };

/**
 * The calls of a job that take something out of the text in a column of a table: in its computed columns, and in the queries that read it,
 * through views, subqueries and WITH. Another table may have a column of the same name.
 */
export function jsonCalls({ definitions, inserts }: JobScript, table: ScriptTable, column: string): JsonCall[] {
  const calls: JsonCall[] = [];
  const holders = new Map<string, ReadonlySet<string>>([[table.name, new Set([column])]]);
  for (const statement of split(scanSql('the script', definitions).tokens, (token) => isSymbol(token, ';'))) {
    const at = statement.findIndex((token) => isWord(token, 'TABLE', 'VIEW'));
    const name = statement[at + 1]?.text;
    if (isWord(statement[at], 'TABLE') && name === table.name) {
      const [list = []] = enclosed(statement.slice(at));
      holders.set(name, readColumns(list, new Set([column]), calls));
    } else if (isWord(statement[at], 'VIEW') && name !== undefined) {
      holders.set(name, readQuery(statement.slice(at + 3), holders, [], calls));
    }
  }
  for (const { query } of inserts) {
    readQuery(scanSql('a query', query).tokens, holders, [], calls);
  }
  return calls;
}

/** The calls of an expression on some columns. */
export function jsonCallsIn(sql: string, columns: ReadonlySet<string>): JsonCall[] {
  return callsIn(scanSql('an expression', sql).tokens, [{ columns }]);
}

/** Columns of a CREATE TABLE: `name AS expression` holds the text, too, where the expression does. */
function readColumns(list: SqlToken[], given: ReadonlySet<string>, calls: JsonCall[]): ReadonlySet<string> {
  const columns = new Set(given);
  for (const [name, as, ...expression] of split(list, (token) => isSymbol(token, ','))) {
    if (isWord(as, 'AS')) {
      const sides = [{ columns }];
      calls.push(...callsIn(expression, sides));
      if (holdsText(expression, sides)) {
        columns.add(name!.text);
      }
    }
  }
  return columns;
}

/** @returns those of the columns of a query that hold the text */
function readQuery(tokens: SqlToken[], holders: Holders, around: Side[], calls: JsonCall[]): ReadonlySet<string> {
  if (isWord(tokens[0], 'WITH')) {
    return readWith(tokens, holders, around, calls);
  }
  const parts = outerSelects(tokens);
  const read = new Set(parts.flatMap((part) => part.tokens));
  return new Set([
    ...parts.flatMap((part) => [...readSelect(part, holders, around, calls)]),
    ...enclosed(tokens.filter((token) => !read.has(token))).flatMap((query) => [...readQuery(query, holders, around, calls)]),
  ]);
}

/** `WITH a AS (…), b (x, y) AS (…) SELECT …`; what is none is the planner's to refuse. */
function readWith(tokens: SqlToken[], holders: Holders, around: Side[], calls: JsonCall[]): ReadonlySet<string> {
  const known = new Map(holders);
  let position = 0;
  do {
    const name = tokens[position + 1]?.text ?? '';
    const as = tokens.findIndex((token, index) => index > position && isWord(token, 'AS') && isSymbol(tokens[index + 1], '('));
    if (as < 0) {
      return new Set();
    }
    const [query = []] = enclosed(tokens.slice(as));
    const renamed = as > position + 2 ? tokens.slice(position + 3, as - 1).map(({ text }) => text) : [];
    const columns = readQuery(query, known, around, calls);
    known.set(name, columns.size > 0 && renamed.length > 0 ? new Set(renamed) : columns);
    position = as + query.length + 3;
  } while (isSymbol(tokens[position], ','));
  return readQuery(tokens.slice(position), known, around, calls);
}

function readSelect(part: SelectPart, holders: Holders, around: Side[], calls: JsonCall[]): ReadonlySet<string> {
  const sides = joinedTables(part).flatMap((table) => sidesOf(table, holders, around, calls));
  const all = [...sides, ...around];
  const { own, queries } = withoutQueries(part.tokens);
  calls.push(...callsIn(own, all));
  for (const query of queries) {
    readQuery(query, holders, all, calls);
  }
  return new Set(selectItems(part).flatMap((item) => textNames(item, sides)));
}

function sidesOf(table: JoinedTable, holders: Holders, around: Side[], calls: JsonCall[]): Side[] {
  const joined = tablesInParentheses(table);
  if (joined.length > 0) {
    return joined.flatMap((one) => sidesOf(one, holders, around, calls));
  }
  const columns = isSymbol(table.table[0], '(')
    ? readQuery(enclosed(table.table)[0]!, holders, around, calls)
    : new Set(tableReferences([FROM, ...table.table]).flatMap(({ name }) => [...(holders.get(name) ?? [])]));
  return [{ name: nameOf(table), columns }];
}

/** Names that a piece of a SELECT gives to the text. */
function textNames(item: SqlToken[], sides: Side[]): string[] {
  const last = item.at(-1);
  if (isSymbol(last, '*')) {
    const side = item[0]!.text.toUpperCase();
    return sides.filter(({ name }) => item.length === 1 || name === side).flatMap(({ columns }) => [...columns]);
  }
  const isPath = item.length === 1 || isSymbol(item.at(-2), '.');
  const value = isPath ? item : item.slice(0, isWord(item.at(-2), 'AS') ? -2 : -1);
  return isName(last) && holdsText(value, sides) ? [last!.text] : [];
}

function holdsText(expression: SqlToken[], sides: Side[]): boolean {
  return (
    !expression.some((token) => token.kind === 'word' && /^JSON_/i.test(token.text)) &&
    expression.some((_, index) => isText(expression, index, sides))
  );
}

function callsIn(tokens: SqlToken[], sides: Side[]): JsonCall[] {
  return tokens.flatMap((token, index) => {
    if (!isWord(token, 'JSON_VALUE', 'JSON_QUERY', 'JSON_EXISTS')) {
      return [];
    }
    const end = endOfArgument(tokens, index + 2);
    const [, path, ...after] = tokens.slice(end);
    const argument = tokens.slice(index + 2, end);
    return path?.kind === 'string' && argument.some((_, place) => isText(argument, place, sides))
      ? [{ name: token.text.toUpperCase(), path: path.text, after }]
      : [];
  });
}

/** A side that is not known by that name is one of MATCH_RECOGNIZE, which reads the same table. */
function isText(tokens: SqlToken[], index: number, sides: Side[]): boolean {
  const token = tokens[index]!;
  if (!isName(token) || isSymbol(tokens[index + 1], '.')) {
    return false;
  }
  const side = isSymbol(tokens[index - 1], '.') ? tokens[index - 2]?.text.toUpperCase() : undefined;
  const named = sides.filter(({ name }) => side !== undefined && name === side);
  return (named.length > 0 ? named.slice(0, 1) : sides).some(({ columns }) => columns.has(token.text));
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
