import type { SqlToken } from '../../sql/sql-scanner';
import { enclosed, isWord } from '../../sql/sql-tokens';
import { boundInTime, conjuncts } from './conditions';
import { isOfEachRow, isTemporal, type JoinedTable, joinedTables, tablesInParentheses } from './joined-tables';
import { allSelects, type SelectPart } from './select-parts';
import { wordsOf } from './words-of';

/** What a group is named by that ends: the columns of a window function, and the functions of earlier Flink versions. */
const WINDOWS = /^(WINDOW_START|WINDOW_END|WINDOW_TIME|TUMBLE|HOP|CUMULATE|SESSION)$/;

/**
 * What in a query keeps state for each key it has ever seen, in words. It reads no more of SQL than it needs for a warning.
 *
 * @param tokens a scanned query
 */
export function endlessOperations(tokens: SqlToken[]): string[] {
  const words = wordsOf(tokens);
  const selects = allSelects(tokens);
  const operations: string[] = [];
  if (selects.some(groupsWithoutWindow)) {
    operations.push('a GROUP BY without a window');
  }
  if (words.some((word, index) => word === 'SELECT' && words[index + 1] === 'DISTINCT')) {
    operations.push('a SELECT DISTINCT');
  }
  if (selects.some(joinsWithoutBound)) {
    operations.push('a JOIN without a bound in time');
  }
  return operations;
}

/**
 * Whether a SELECT has a join that keeps both its sides, neither a lookup nor bounded in time. A comma joins, too, and so does a subquery in
 * a condition: IN, EXISTS.
 *
 * @param part one SELECT, without those in its parentheses
 */
export function joinsWithoutBound(part: SelectPart): boolean {
  const where = conjuncts(part.where);
  const tables = joinedTables(part);
  const conditions = tables.flatMap(({ condition }) => condition);
  return (
    keepBothSides(tables, where) ||
    [part.select, conditions, part.where, part.rest].flatMap(subqueries).some((subquery) => isEndless(subquery, where))
  );
}

function keepBothSides(tables: JoinedTable[], where: SqlToken[][]): boolean {
  const [, ...joined] = tables;
  return (
    joined.some((table) => !isOfEachRow(table) && !isTemporal(table) && !isBounded(table.condition, where)) ||
    tables.some((table) => keepBothSides(tablesInParentheses(table), where))
  );
}

/** Both sides of a window join stand in USING under one name. */
function isBounded(condition: SqlToken[], where: SqlToken[][]): boolean {
  const byWindow = isWord(condition[0], 'USING') && wordsOf(condition).includes('WINDOW_START');
  return byWindow || boundInTime([...conjuncts(condition), ...where]);
}

/** The queries in parentheses of a clause, without those in their parentheses. */
function subqueries(clause: SqlToken[]): SqlToken[][] {
  return enclosed(clause).flatMap((inner) => (isWord(inner[0], 'SELECT', 'WITH') ? [inner] : subqueries(inner)));
}

/** A subquery in a condition is joined, and names its bound in its own WHERE, or in the one around it. Without FROM it is a value. */
function isEndless(subquery: SqlToken[], where: SqlToken[][]): boolean {
  const parts = allSelects(subquery);
  return parts.some(({ from }) => from.length > 0) && !boundInTime([...parts.flatMap((part) => conjuncts(part.where)), ...where]);
}

/**
 * Whether a SELECT has a GROUP BY that no window ends.
 *
 * @param part one SELECT, without those in its parentheses
 */
export function groupsWithoutWindow({ groupBy }: SelectPart): boolean {
  return groupBy.length > 0 && !wordsOf(groupBy).some((word) => WINDOWS.test(word));
}
