import type { SqlToken } from '../sql/sql-scanner';
import { enclosed, isSymbol, isWord, split } from '../sql/sql-tokens';
import { columnsIn } from './conditions';
import type { Ranking } from './query-result';
import { columnOf, type Side, sidesOf } from './sides';
import { namesWindow } from './time-bounds';

/** `= 1` and other ways to say it, without the column. */
const FIRST = ['= 1', '1 =', '< = 1', '1 > =', '< 2', '2 >'];
/** `<= 10`, in either order. */
const BEST = /^(= 1|1 =|< (= )?\d+|\d+ > (= )?)$/;

/** `ROW_NUMBER() OVER (…)`, undefined where an expression is something else. */
export function rankingOf(value: SqlToken[], sides: Side[]): Ranking | undefined {
  const isRanking = isWord(value[0], 'ROW_NUMBER', 'RANK', 'DENSE_RANK') && isSymbol(value[1], '(') && isWord(value[3], 'OVER');
  if (!isRanking) {
    return undefined;
  }
  const over = enclosed(value.slice(4))[0] ?? [];
  const orderAt = over.findIndex((token, index) => isWord(token, 'ORDER') && isWord(over[index + 1], 'BY'));
  const keys = columnsIn(over.slice(isWord(over[0], 'PARTITION') ? 2 : 0, Math.max(orderAt, 0)));
  const [order, ...more] = split(over.slice(orderAt + 2), (token) => isSymbol(token, ','));
  return {
    ofWindow: namesWindow(keys, sides),
    ofKeys: keys.length > 0,
    byTime: orderAt >= 0 && more.length === 0 && isTimeUp(order!, sides),
    stays: more.length > 0 || !isWord(order?.at(-1), 'DESC'),
  };
}

/** `at`, `at ASC`, `PROCTIME()`: what comes later has a greater one. */
function isTimeUp(order: SqlToken[], sides: Side[]): boolean {
  if (isWord(order.at(-1), 'DESC')) {
    return false;
  }
  const [reference, ...more] = columnsIn(order.filter((token) => !isWord(token, 'ASC')));
  if (reference === undefined) {
    return isProctime(order);
  }
  const meanings = sidesOf(reference, sides).map((side) => columnOf(reference, side)?.meaning);
  return more.length === 0 && meanings.some((meaning) => meaning === 'event time' || meaning === 'processing time');
}

export function isProctime([name, open, close]: SqlToken[]): boolean {
  return isWord(name, 'PROCTIME') && isSymbol(open, '(') && isSymbol(close, ')');
}

/** What a condition leaves of a ranking that no window ends. */
export interface Rank {
  readonly ranking: Ranking;
  readonly left: 'first' | 'best';
}

/** `n = 1`, where `n` is a ranking of one of the sides; undefined for any other condition. */
export function rankIn(condition: SqlToken[], sides: Side[]): Rank | undefined {
  const [reference, ...more] = columnsIn(condition);
  if (reference === undefined || more.length > 0) {
    return undefined;
  }
  const [ranking] = sidesOf(reference, sides).flatMap((side) => columnOf(reference, side)?.ranking ?? []);
  const rest = condition.filter(
    (token) => !isSymbol(token, '.') && token.text !== reference.column && token.text.toUpperCase() !== reference.side,
  );
  return rankOf(ranking, rest);
}

/** `ROW_NUMBER() OVER (…) = 1`, undefined for any other condition. */
export function calledIn(condition: SqlToken[], sides: Side[]): Rank | undefined {
  const call = condition.findIndex((token) => isWord(token, 'ROW_NUMBER', 'RANK', 'DENSE_RANK'));
  const ranking = call < 0 ? undefined : rankingOf(condition.slice(call), sides);
  const over = enclosed(condition.slice(call + 4))[0] ?? [];
  return rankOf(ranking, [...condition.slice(0, call), ...condition.slice(call + 6 + over.length)]);
}

/** @param rest the condition without the ranking */
function rankOf(ranking: Ranking | undefined, rest: SqlToken[]): Rank | undefined {
  const left = leaves(rest);
  return ranking === undefined || ranking.ofWindow || left === undefined ? undefined : { ranking, left };
}

/**
 * What a condition leaves of a ranking: the first row, the best rows, or undefined where it does not say how many.
 *
 * @param rest the condition without the ranking
 */
function leaves(rest: SqlToken[]): 'first' | 'best' | undefined {
  const text = rest.map((token) => token.text).join(' ');
  return FIRST.includes(text) ? 'first' : BEST.test(text) ? 'best' : undefined;
}
