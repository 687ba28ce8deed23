import type { SqlToken } from '../sql/sql-scanner';
import { wordsOf } from './words-of';

/** Words that bound a join in time: an interval join, a window join. */
const TIME_BOUNDS = /^(BETWEEN|INTERVAL|WINDOW_START|WINDOW_END)$/;
/** What a group is named by that ends: the columns of a window function, and the functions of earlier Flink versions. */
const WINDOWS = /^(WINDOW_START|WINDOW_END|WINDOW_TIME|TUMBLE|HOP|CUMULATE|SESSION)$/;
/** What ends the list after GROUP BY. */
const GROUP_ENDS = /^(HAVING|WINDOW|QUALIFY|ORDER|LIMIT|UNION|INTERSECT|EXCEPT|MINUS)$/;

/**
 * What in a query keeps state for each key it has ever seen, in words. It reads no more of SQL than it needs for a warning.
 *
 * @param tokens a scanned query
 */
export function endlessOperations(tokens: SqlToken[]): string[] {
  const words = wordsOf(tokens);
  const operations: string[] = [];
  if (groupsWithoutWindow(tokens)) {
    operations.push('a GROUP BY without a window');
  }
  if (words.some((word, index) => word === 'SELECT' && words[index + 1] === 'DISTINCT')) {
    operations.push('a SELECT DISTINCT');
  }
  if (joinsWithoutBound(tokens)) {
    operations.push('a JOIN without a bound in time');
  }
  return operations;
}

/**
 * Whether a query has a join that keeps both its sides: neither a lookup nor bounded in time.
 *
 * @param tokens a scanned query
 */
export function joinsWithoutBound(tokens: SqlToken[]): boolean {
  const words = wordsOf(tokens);
  const joins = words.filter((word, index) => word === 'JOIN' && !/^(UNNEST|LATERAL)$/.test(words[index + 1] ?? ''));
  const temporal = words.filter((word, index) => word === 'FOR' && words[index + 1] === 'SYSTEM_TIME');
  return joins.length > temporal.length && !words.some((word) => TIME_BOUNDS.test(word));
}

/**
 * Whether a query has a GROUP BY that no window ends.
 *
 * @param tokens a scanned query
 */
export function groupsWithoutWindow(tokens: SqlToken[]): boolean {
  const words = wordsOf(tokens);
  return words.some((word, index) => word === 'GROUP' && words[index + 1] === 'BY' && !groupsByWindow(words, index + 2));
}

function groupsByWindow(words: string[], start: number): boolean {
  let depth = 0;
  for (const word of words.slice(start)) {
    depth += word === '(' ? 1 : word === ')' ? -1 : 0;
    if (depth < 0 || (depth === 0 && GROUP_ENDS.test(word))) {
      return false;
    }
    if (WINDOWS.test(word)) {
      return true;
    }
  }
  return false;
}
