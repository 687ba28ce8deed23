import type { SqlQuery, SqlView } from '../../sql/sql-program';
import type { SqlToken } from '../../sql/sql-scanner';
import { isName, isSymbol, isWord } from '../../sql/sql-tokens';
import { columnsNotNull, conjuncts } from './conditions';
import { type JoinedTable, joinedTables, nameOf, readName } from './joined-tables';
import { outerSides } from './outer-sides';
import { outerSelects, type SelectPart, selectItems } from './select-parts';

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
  /** The table of the outer join that may have no row. */
  readonly outer?: string;
}

/**
 * Columns that the SELECT of a query takes as they are from the side of an outer join that may have no row, in itself or in the view that it
 * reads. It reads no more of SQL than it needs for a warning.
 *
 * @param query a query with its views
 */
export function outerColumns(query: SqlQuery): OuterColumn[] {
  return outputs(query).flatMap(({ outer, taken }, position) =>
    outer !== undefined && taken !== undefined ? [{ position, name: taken }] : [],
  );
}

/** None where not all places are known. Those of a union may have no row where one of its SELECTs has none. */
function outputs(query: SqlQuery): Output[] {
  if (!isWord(query.tokens[0], 'SELECT')) {
    return [];
  }
  const [first, ...others] = outerSelects(query.tokens).map((part) => outputsOf(part, query));
  return first!.map(({ name, ...own }, position) => {
    const found = [own, ...others.map((other) => other[position])].find((output) => output?.outer !== undefined);
    return { name, ...(found ?? own), outer: found?.outer };
  });
}

function outputsOf(part: SelectPart, query: SqlQuery): Output[] {
  const tables = joinedTables(part);
  const sides = outerSides(part, (table) => columnsOf(table, query));
  const source = tables.length === 1 ? viewOf(tables[0]!, query) : undefined;
  const behind = source === undefined ? [] : withRow(outputs(source._query), part);
  const all: Output[] = [];
  for (const item of selectItems(part)) {
    if (isSymbol(item.at(-1), '*')) {
      if (item.length > 1 || behind.length === 0) {
        return [];
      }
      all.push(...behind.map(({ name, outer }) => ({ name, taken: name, outer })));
      continue;
    }
    const { side, column, name, taken } = columnOf(item);
    const ofSource = source !== undefined && (side === undefined || side === nameOf(tables[0]!)) ? behind : [];
    const ofJoin = side !== undefined && sides.has(side) ? side : undefined;
    all.push({
      name,
      taken,
      outer: column === undefined ? undefined : (ofJoin ?? ofSource.find((output) => output.name === column)?.outer),
    });
  }
  return all;
}

/** `u.amount AS a`: side U, column amount, name a, taken as u.amount. */
function columnOf(item: SqlToken[]): { side?: string; column?: string; name?: string; taken?: string } {
  const named = item.length > 2 && isWord(item.at(-2), 'AS');
  const value = named ? item.slice(0, -2) : item;
  const name = named ? item.at(-1)!.text : undefined;
  const [first, dot, last] = value;
  if (value.length === 1 && isName(first)) {
    return { column: first!.text, name: name ?? first!.text, taken: first!.text };
  }
  if (value.length === 3 && isName(first) && isSymbol(dot, '.') && isName(last)) {
    return { side: first!.text.toUpperCase(), column: last!.text, name: name ?? last!.text, taken: `${first!.text}.${last!.text}` };
  }
  return { name };
}

/** A comparison of one column of a view leaves out the rows for which its side of the join has none, and so all columns of that side. */
function withRow(behind: Output[], { where }: SelectPart): Output[] {
  const compared = conjuncts(where)
    .flatMap(columnsNotNull)
    .map(({ column }) => behind.find(({ name }) => name === column)?.outer);
  return behind.map(({ outer, ...output }) => ({ ...output, outer: compared.includes(outer) ? undefined : outer }));
}

/** Names of the columns of a table or view, undefined where they are not known. */
function columnsOf(table: JoinedTable, query: SqlQuery): string[] | undefined {
  const read = readName(table);
  const found = [...query.tables].find(({ name }) => name === read);
  if (found !== undefined) {
    return found.columns.map(({ name }) => name);
  }
  const view = viewOf(table, query);
  const names = view === undefined ? [] : outputs(view._query).flatMap(({ name }) => name ?? []);
  return names.length > 0 ? names : undefined;
}

function viewOf(table: JoinedTable, { views }: SqlQuery): SqlView | undefined {
  const read = readName(table);
  return [...views].find(({ name }) => name === read);
}
