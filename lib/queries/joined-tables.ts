import type { SqlToken } from '../sql/sql-scanner';
import { depthsOf, isName, isSymbol, isWord } from '../sql/sql-tokens';
import type { SelectPart } from './select-parts';

/** A table after FROM, and how it is joined to those before it. */
export interface JoinedTable {
  /** `INNER` for a comma and a CROSS JOIN, too, and for the first table, which is joined to nothing. */
  readonly kind: 'INNER' | 'LEFT' | 'RIGHT' | 'FULL';
  /** The table with its name, without the condition. */
  readonly table: SqlToken[];
  /** From ON or USING on, empty where there is none. */
  readonly condition: SqlToken[];
}

const KINDS = ['NATURAL', 'INNER', 'LEFT', 'RIGHT', 'FULL', 'CROSS', 'OUTER'];

/** The tables after FROM in their order. */
export function joinedTables({ from }: SelectPart): JoinedTable[] {
  return tablesOf(from.slice(1));
}

/** The tables of `(a JOIN b …)`, none where the table is no join in parentheses. */
export function tablesInParentheses({ table }: JoinedTable): JoinedTable[] {
  const depths = depthsOf(table);
  const end = table.findIndex((token, index) => depths[index] === 1 && isSymbol(token, ')'));
  return isSymbol(table[0], '(') && !isWord(table[1], 'SELECT', 'VALUES', 'WITH', 'TABLE') ? tablesOf(table.slice(1, end)) : [];
}

function tablesOf(tokens: SqlToken[]): JoinedTable[] {
  const depths = depthsOf(tokens);
  const tables: JoinedTable[] = [{ kind: 'INNER', table: [], condition: [] }];
  let kind: JoinedTable['kind'] = 'INNER';
  let inCondition = false;
  tokens.forEach((token, index) => {
    const outside = depths[index] === 0;
    if (outside && beginsJoin(tokens, index)) {
      kind = isWord(token, 'LEFT', 'RIGHT', 'FULL') ? (token.text.toUpperCase() as JoinedTable['kind']) : kind;
    } else if (outside && (isWord(token, 'JOIN') || isSymbol(token, ','))) {
      tables.push({ kind, table: [], condition: [] });
      kind = 'INNER';
      inCondition = false;
    } else {
      inCondition ||= outside && isWord(token, 'ON', 'USING');
      tables.at(-1)![inCondition ? 'condition' : 'table'].push(token);
    }
  });
  return tables;
}

/** Whether a word is one of those before JOIN: `LEFT(name, 2)` is none. */
function beginsJoin(tokens: SqlToken[], index: number): boolean {
  const next = tokens[index + 1];
  return isWord(tokens[index], ...KINDS) && (isWord(next, 'JOIN') || (isWord(next, ...KINDS) && beginsJoin(tokens, index + 1)));
}

/** Whether a table is read as it was at a moment: a lookup, or a versioned table. */
export function isTemporal({ table }: JoinedTable): boolean {
  const depths = depthsOf(table);
  return table.some((token, index) => depths[index] === 0 && isWord(token, 'FOR') && isWord(table[index + 1], 'SYSTEM_TIME'));
}

/** Whether a table is what a function makes of each row: it keeps nothing. */
export function isOfEachRow({ table }: JoinedTable): boolean {
  return isWord(table[0], 'UNNEST') || (isWord(table[0], 'LATERAL') && !isSymbol(table[1], '('));
}

/** What a table is called, in capital letters: `B` for `a AS b`, `(SELECT …) b` and `a FOR SYSTEM_TIME AS OF l.t AS b`. */
export function nameOf({ table }: JoinedTable): string | undefined {
  const depths = depthsOf(table);
  const named = table.findIndex((token, index) => depths[index] === 0 && isWord(token, 'AS') && !isWord(table[index + 1], 'OF'));
  if (named >= 0) {
    return table[named + 1]?.text.toUpperCase();
  }
  const moment = table.findIndex((token, index) => depths[index] === 0 && isWord(token, 'OF'));
  const own = pathEnd(table, 0);
  const end = moment >= 0 ? pathEnd(table, moment + 1) : own;
  if (isName(table[end])) {
    return table[end]!.text.toUpperCase();
  }
  return isName(table[own - 1]) ? table[own - 1]!.text.toUpperCase() : undefined;
}

/** The plain name of the table or view that is read, undefined for a query or a function. */
export function readName({ table }: JoinedTable): string | undefined {
  const end = pathEnd(table, 0);
  return isName(table[0]) && !isWord(table[0], 'TABLE', 'LATERAL', 'UNNEST') && !isSymbol(table[end], '(')
    ? table[end - 1]!.text
    : undefined;
}

/** Where `a`, `a.b` or `(…)` ends. */
function pathEnd(tokens: SqlToken[], start: number): number {
  if (isSymbol(tokens[start], '(')) {
    const depths = depthsOf(tokens);
    return tokens.findIndex((token, index) => index > start && depths[index] === depths[start] && isSymbol(token, ')')) + 1;
  }
  let end = start + 1;
  while (isSymbol(tokens[end], '.')) {
    end += 2;
  }
  return end;
}
