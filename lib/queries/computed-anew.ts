import { ColumnKind } from '../sql/column';
import type { SqlQuery } from '../sql/sql-program';
import { type SqlToken, scanSql } from '../sql/sql-scanner';
import { isSymbol, isWord } from '../sql/sql-tokens';
import { columnsIn } from './conditions';
import { allSelects, outerSelects, selectItems } from './select-parts';

const CLOCKS = ['CURRENT_TIMESTAMP', 'CURRENT_ROW_TIMESTAMP', 'CURRENT_DATE', 'CURRENT_TIME', 'LOCALTIME', 'LOCALTIMESTAMP'];
const RANDOM = ['RAND', 'RAND_INTEGER', 'UUID'];

/**
 * Whether a query computes a column from the clock or at random: a row that is read again after a restart has another value then. It reads no
 * more of SQL than it needs for a warning.
 *
 * @param query a query with its views
 * @param position place of the column in the SELECT
 * @param name name of the column in the sink, for a place that is not known
 */
export function isComputedAnew(query: SqlQuery, position: number, name: string): boolean {
  return outerSelects(query.tokens).some((part) => {
    const items = selectItems(part);
    const item = items.some((one) => isSymbol(one.at(-1), '*')) ? undefined : items[position];
    return item === undefined ? isNamedAnew(name, query, new Set()) : isAnew(item, query, new Set());
  });
}

/** @param seen names that were looked up before: none is twice, however often it is named */
function isAnew(item: SqlToken[], query: SqlQuery, seen: Set<string>): boolean {
  return item.some((_, index) => isClock(item, index)) || columnsIn(item).some(({ column }) => isNamedAnew(column, query, seen));
}

/** Whether a column of that name is computed so in a table, a view or a subquery of a query. */
function isNamedAnew(name: string, query: SqlQuery, seen: Set<string>): boolean {
  if (seen.has(name)) {
    return false;
  }
  seen.add(name);
  return (expressionsOf(query).get(name) ?? []).some((item) => isAnew(item, query, seen));
}

/** What each name of a query stands for, in its tables, its views and its subqueries. A query never changes. */
function expressionsOf(query: SqlQuery): Map<string, SqlToken[][]> {
  const known = expressions.get(query);
  if (known !== undefined) {
    return known;
  }
  const computed = [...query.tables]
    .flatMap(({ columns }) => columns)
    .filter(({ kind }) => kind === ColumnKind.COMPUTED)
    .map((column): [string, SqlToken[]] => [column.name, scanSql(`column '${column.name}'`, column._toSql(false)).tokens]);
  const selected = [query, ...[...query.views].map((view) => view._query)]
    .flatMap(({ tokens }) => allSelects(tokens))
    .flatMap(selectItems)
    .filter(({ length }) => length > 1)
    .map((item): [string, SqlToken[]] => [item.at(-1)!.text, item]);
  const found = new Map<string, SqlToken[][]>();
  for (const [name, item] of [...computed, ...selected]) {
    const items = found.get(name) ?? [];
    items.push(item);
    found.set(name, items);
  }
  expressions.set(query, found);
  return found;
}

const expressions = new WeakMap<SqlQuery, Map<string, SqlToken[][]>>();

function isClock(tokens: SqlToken[], index: number): boolean {
  const isCall = isSymbol(tokens[index + 1], '(');
  const hasNoArguments = isCall && isSymbol(tokens[index + 2], ')');
  return (
    isWord(tokens[index], ...CLOCKS) ||
    (isCall && isWord(tokens[index], ...RANDOM)) ||
    (hasNoArguments && isWord(tokens[index], 'NOW', 'PROCTIME', 'UNIX_TIMESTAMP'))
  );
}
