import type { SqlQuery, SqlView } from '../sql/sql-program';
import type { SqlToken } from '../sql/sql-scanner';
import { wordsOf } from './words-of';

/** A column of a query that is null where an outer join finds no row, and its place in the SELECT. */
export interface OuterColumn {
  readonly position: number;
  /** As the query names it: `u.amount`. */
  readonly name: string;
}

/** What a query gives in one place: its name, and whether an outer join may have no row for it. */
interface Output {
  readonly name?: string;
  /** The column as it was taken, unset where it is computed. */
  readonly taken?: string;
  readonly outer: boolean;
}

/** What follows the table of a join where it has no other name. */
const NO_ALIAS = /^(ON|USING|JOIN|LEFT|RIGHT|FULL|INNER|CROSS|NATURAL|WHERE|GROUP|HAVING|ORDER|LIMIT|UNION|INTERSECT|EXCEPT)$/;
/** What may follow a view that is all that a query reads. */
const AFTER_SOURCE = /^(WHERE|GROUP|HAVING|ORDER|LIMIT)$/;

/**
 * Columns that the SELECT of a query takes as they are from the side of an outer join that may have no row, in itself or in the view that it
 * reads. It reads no more of SQL than it needs for a warning.
 *
 * @param query a query with its views
 */
export function outerColumns(query: SqlQuery): OuterColumn[] {
  return outputs(query).flatMap(({ outer, taken }, position) => (outer && taken !== undefined ? [{ position, name: taken }] : []));
}

/** None where not all places are known. */
function outputs(query: SqlQuery): Output[] {
  const { tokens } = query;
  const optional = optionalSides(tokens);
  const source = onlyView(query);
  const behind = source === undefined ? [] : outputs(source.view._query);
  const all: Output[] = [];
  for (const item of selectItems(tokens)) {
    if (item.at(-1)?.text === '*' && item.at(-1)?.kind === 'symbol') {
      if (item.length > 1 || behind.length === 0) {
        return [];
      }
      all.push(...behind.map(({ name, outer }) => ({ name, taken: name, outer: outer && !isFiltered(tokens, name) })));
      continue;
    }
    const { side, column, name, taken } = columnOf(item);
    const ofSource = side === undefined || side === source?.alias ? behind : [];
    const outer =
      column !== undefined &&
      !isFiltered(tokens, column) &&
      ((side !== undefined && optional.has(side)) || ofSource.some((output) => output.outer && output.name === column));
    all.push({ name, taken, outer });
  }
  return all;
}

/** `u.amount AS a`: side U, column amount, name a, taken as u.amount. */
function columnOf(item: SqlToken[]): { side?: string; column?: string; name?: string; taken?: string } {
  const named = item.length > 2 && isWord(item.at(-2), 'AS');
  const value = named ? item.slice(0, -2) : item;
  const name = named ? item.at(-1)!.text : undefined;
  const isName = (token?: SqlToken) => token?.kind === 'word' || token?.kind === 'identifier';
  const [first, dot, last] = value;
  if (value.length === 1 && isName(first)) {
    return { column: first!.text, name: name ?? first!.text, taken: first!.text };
  }
  if (value.length === 3 && isName(first) && dot!.text === '.' && isName(last)) {
    return { side: first!.text.toUpperCase(), column: last!.text, name: name ?? last!.text, taken: `${first!.text}.${last!.text}` };
  }
  return { name };
}

/** `WHERE u.amount IS NOT NULL` leaves out what found no row. */
function isFiltered(tokens: SqlToken[], column: string | undefined): boolean {
  const words = wordsOf(tokens);
  return tokens.some(({ text }, index) => text === column && words.slice(index + 1, index + 4).join(' ') === 'IS NOT NULL');
}

/** The view that is all that a query reads. */
function onlyView({ tokens, views }: SqlQuery): { view: SqlView; alias: string } | undefined {
  const words = wordsOf(tokens);
  const from = words.indexOf('FROM');
  const view = [...views].find(({ name }) => name === tokens[from + 1]?.text);
  if (from < 0 || view === undefined) {
    return undefined;
  }
  let next = from + 2 + (words[from + 2] === 'AS' ? 1 : 0);
  const aliased = words[next] !== undefined && !AFTER_SOURCE.test(words[next]!) && tokens[next]!.kind !== 'symbol';
  const alias = aliased ? words[next]! : view.name.toUpperCase();
  next += aliased ? 1 : 0;
  return words[next] === undefined || AFTER_SOURCE.test(words[next]!) ? { view, alias } : undefined;
}

/** Names of the tables that may have no row: the right one of a LEFT JOIN, all before a RIGHT JOIN, both of a FULL JOIN. */
function optionalSides(tokens: SqlToken[]): Set<string> {
  const words = wordsOf(tokens);
  const before: string[] = [];
  const optional = new Set<string>();
  words.forEach((word, index) => {
    if (word !== 'FROM' && word !== 'JOIN') {
      return;
    }
    const name = nameOfTable(words, index + 1);
    const kind = words[index - 1] === 'OUTER' ? words[index - 2] : words[index - 1];
    const own = name === undefined ? [] : [name];
    if (word === 'JOIN') {
      const without = kind === 'LEFT' ? own : kind === 'RIGHT' ? before : kind === 'FULL' ? [...before, ...own] : [];
      for (const side of without) {
        optional.add(side);
      }
    }
    before.push(...own);
  });
  return optional;
}

/** What a table of a join is called: `b` for `a AS b`, `(SELECT …) b` and `a FOR SYSTEM_TIME AS OF l.t AS b`. */
function nameOfTable(words: string[], start: number): string | undefined {
  let next = start;
  if (words[start] === '(') {
    for (let depth = 0; next < words.length; next++) {
      depth += words[next] === '(' ? 1 : words[next] === ')' ? -1 : 0;
      if (depth === 0) {
        break;
      }
    }
  }
  next += 1;
  if (words[next] === 'FOR') {
    // FOR SYSTEM_TIME AS OF left . column
    next += 7;
  }
  next += words[next] === 'AS' ? 1 : 0;
  const named = words[next] !== undefined && /^\w/.test(words[next]!) && !NO_ALIAS.test(words[next]!);
  return named ? words[next] : words[start] === '(' ? undefined : words[start];
}

/** The pieces between SELECT and FROM of the query itself; none where it is a union, or begins otherwise. */
function selectItems(tokens: SqlToken[]): SqlToken[][] {
  if (!isWord(tokens[0], 'SELECT')) {
    return [];
  }
  const items: SqlToken[][] = [[]];
  let depth = 0;
  for (const token of tokens.slice(1)) {
    depth += token.kind === 'symbol' ? (token.text === '(' ? 1 : token.text === ')' ? -1 : 0) : 0;
    if (depth === 0 && isWord(token, 'FROM')) {
      break;
    }
    if (depth === 0 && token.kind === 'symbol' && token.text === ',') {
      items.push([]);
    } else {
      items.at(-1)!.push(token);
    }
  }
  return items;
}

function isWord(token: SqlToken | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text.toUpperCase() === word;
}
