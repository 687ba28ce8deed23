import { ColumnKind } from '../../sql/column';
import type { SqlQuery } from '../../sql/sql-program';
import type { SqlToken } from '../../sql/sql-scanner';
import { enclosed, isSymbol, isWord } from '../../sql/sql-tokens';
import { changingSources } from './changing-sources';
import { conjuncts } from './conditions';
import { groupsWithoutWindow, joinsWithoutBound } from './endless-operations';
import { allSelects } from './select-parts';
import { wordsOf } from './words-of';

/**
 * Whether a query may update or delete rows that it has given: it reads changes, or it groups, ranks or joins without a bound in time. It
 * reads no more of SQL than it needs for a warning.
 *
 * @param query a query with its views
 */
export function updatesRows(query: SqlQuery): boolean {
  const texts = [query, ...[...query.views].map((view) => view._query)].map(({ tokens }) => tokens);
  const times = timesOf(query);
  return (
    changingSources(query).length > 0 ||
    texts.some((tokens) => ranks(tokens, times) || allSelects(tokens).some((part) => groupsWithoutWindow(part) || joinsWithoutBound(part)))
  );
}

/** Event times and processing times: what comes later has a greater one. */
function timesOf({ tables }: SqlQuery): string[] {
  return [...tables].flatMap(({ columns, watermark }) => [
    ...(watermark === undefined ? [] : [watermark.column]),
    ...columns
      .filter((column) => column.kind === ColumnKind.COMPUTED && /\bPROCTIME\b/i.test(column._toSql(false)))
      .map(({ name }) => name),
  ]);
}

/** Whether rows leave a result when better ones come: the last row of each key, the first ten, all but some. */
function ranks(tokens: SqlToken[], times: string[]): boolean {
  return tokens.some((token, index) => {
    const isCall = isWord(token, 'ROW_NUMBER', 'RANK', 'DENSE_RANK') && isSymbol(tokens[index + 1], '(');
    return isWord(token, 'LIMIT', 'FETCH', 'EXCEPT', 'MINUS') || (isCall && !givesRowsOnce(tokens, index, times));
  });
}

/** A window gives its best rows when it ends, and the first row of a key stays the first. */
function givesRowsOnce(tokens: SqlToken[], start: number, times: string[]): boolean {
  // ROW_NUMBER ( ) OVER (
  const over = enclosed(tokens.slice(start + 3))[0] ?? [];
  if (wordsOf(over).includes('WINDOW_START')) {
    return true;
  }
  const order = wordsOf(over).lastIndexOf('ORDER');
  const [by, column, direction, ...more] = over.slice(order + 1);
  const [as, rank] = tokens.slice(start + 6 + over.length);
  const byTime = order >= 0 && isWord(by, 'BY') && times.includes(column?.text ?? '') && more.length === 0;
  return byTime && (direction === undefined || isWord(direction, 'ASC')) && isWord(as, 'AS') && takesFirst(tokens, rank?.text ?? '');
}

function takesFirst(tokens: SqlToken[], rank: string): boolean {
  return allSelects(tokens)
    .flatMap(({ where }) => conjuncts(where))
    .some(([column, equals, one, ...more]) => column?.text === rank && isSymbol(equals, '=') && one?.text === '1' && more.length === 0);
}
