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
    return item === undefined ? isNamedAnew(name, query, [name]) : isAnew(item, query, []);
  });
}

function isAnew(item: SqlToken[], query: SqlQuery, seen: string[]): boolean {
  return (
    item.some((_, index) => isClock(item, index)) ||
    columnsIn(item).some(({ column }) => !seen.includes(column) && isNamedAnew(column, query, [...seen, column]))
  );
}

/** Whether a column of that name is computed so in a table, a view or a subquery of a query. */
function isNamedAnew(name: string, query: SqlQuery, seen: string[]): boolean {
  const computed = [...query.tables]
    .flatMap(({ columns }) => columns)
    .filter((column) => column.kind === ColumnKind.COMPUTED && column.name === name)
    .map((column) => scanSql(`column '${name}'`, column._toSql(false)).tokens);
  const selected = [query, ...[...query.views].map((view) => view._query)]
    .flatMap(({ tokens }) => allSelects(tokens))
    .flatMap(selectItems)
    .filter((item) => item.length > 1 && item.at(-1)!.text === name);
  return [...computed, ...selected].some((item) => isAnew(item, query, seen));
}

function isClock(tokens: SqlToken[], index: number): boolean {
  const isCall = isSymbol(tokens[index + 1], '(');
  const hasNoArguments = isCall && isSymbol(tokens[index + 2], ')');
  return (
    isWord(tokens[index], ...CLOCKS) ||
    (isCall && isWord(tokens[index], ...RANDOM)) ||
    (hasNoArguments && isWord(tokens[index], 'NOW', 'PROCTIME', 'UNIX_TIMESTAMP'))
  );
}
