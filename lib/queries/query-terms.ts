import type { SqlToken } from '../sql/sql-scanner';
import { depthsOf, enclosed, isName, isSymbol, isWord } from '../sql/sql-tokens';

/** One of the queries between UNION, INTERSECT and EXCEPT. */
export interface QueryTerm {
  /** The word before it, empty for the first. */
  readonly operation: string;
  /** Whether that is UNION ALL. */
  readonly all: boolean;
  readonly term: SqlToken[];
}

/** The queries of which a query is a union, an intersection or a difference. */
export function queryTerms(tokens: SqlToken[]): QueryTerm[] {
  const depths = depthsOf(tokens);
  const terms: { operation: string; all: boolean; term: SqlToken[] }[] = [{ operation: '', all: false, term: [] }];
  tokens.forEach((token, index) => {
    const before = tokens[index - 1];
    if (depths[index] === 0 && isSetOperation(token)) {
      terms.push({ operation: token.text.toUpperCase(), all: isWord(tokens[index + 1], 'ALL'), term: [] });
    } else if (!(depths[index] === 0 && isWord(token, 'ALL', 'DISTINCT') && isSetOperation(before))) {
      terms.at(-1)!.term.push(token);
    }
  });
  return terms;
}

function isSetOperation(token: SqlToken | undefined): boolean {
  return isWord(token, 'UNION', 'INTERSECT', 'EXCEPT', 'MINUS');
}

/** Whether what stands in parentheses after FROM is a query, not a join. */
export function isQuery(tokens: SqlToken[]): boolean {
  if (!isSymbol(tokens[0], '(')) {
    return isWord(tokens[0], 'SELECT', 'WITH', 'VALUES', 'TABLE');
  }
  const inner = enclosed(tokens)[0]!;
  return (queryTerms(tokens).length > 1 || inner.length === tokens.length - 2) && isQuery(inner);
}

/** A query in parentheses of a clause. */
export interface Subquery {
  readonly tokens: SqlToken[];
  /** Whether it only leaves rows out: IN, EXISTS, ANY, of which nothing else depends. */
  readonly isTest: boolean;
  /** Whether it leaves out those that it has. */
  readonly isNot: boolean;
}

/**
 * The queries in parentheses of a clause, without those in their parentheses.
 *
 * @param clause a clause of a SELECT
 * @param around what stands around it
 */
export function subqueriesOf(clause: SqlToken[], around = { isValue: isWord(clause[0], 'SELECT'), isNot: false }): Subquery[] {
  const depths = depthsOf(clause);
  const isValue = around.isValue || clause.some((token, index) => depths[index] === 0 && isWord(token, 'OR', 'CASE'));
  const found: Subquery[] = [];
  for (let index = 0; index < clause.length; index++) {
    if (isSymbol(clause[index], '(')) {
      const tokens = enclosed(clause.slice(index))[0]!;
      const [not, test] = [clause[index - 2], clause[index - 1]];
      const isTest = !isValue && isWord(test, 'IN', 'EXISTS', 'ANY', 'SOME', 'ALL');
      found.push(
        ...(isWord(tokens[0], 'SELECT', 'WITH')
          ? [{ tokens, isTest, isNot: around.isNot !== (isWord(not, 'NOT') || isWord(test, 'ALL')) }]
          : subqueriesOf(tokens, { isValue, isNot: around.isNot !== isWord(test, 'NOT') })),
      );
      index += tokens.length + 1;
    }
  }
  return found;
}

/** Whether an aggregate over the rows before keeps something of each key for ever: its rows are counted, or begin with the first. */
export function isEndlessOver(tokens: SqlToken[]): boolean {
  return tokens.some((token, index) => {
    const before = tokens[index - 1];
    const isRanking = isWord(before, 'OVER') && isWord(tokens[index - 4], 'ROW_NUMBER', 'RANK', 'DENSE_RANK');
    // OVER ( … ), WINDOW w AS ( … )
    const frame = isSymbol(token, '(') && isWord(before, 'OVER', 'AS') && !isRanking ? (enclosed(tokens.slice(index))[0] ?? []) : [];
    const has = (word: string) => frame.some((one) => isWord(one, word));
    return has('PARTITION') && (has('UNBOUNDED') || !has('RANGE'));
  });
}

/** `(k, v)` */
export function namesIn(tokens: SqlToken[]): string[] {
  return (enclosed(tokens)[0] ?? []).filter(isName).map(({ text }) => text);
}

/** The names of columns behind the name of a table: `AS t (k, v)`, `(…) t (k, v)`. */
export function columnAliases(table: SqlToken[]): string[] {
  const names = enclosed(table).at(-1) ?? [];
  const start = table.length - names.length - 2;
  const isNamed = isName(table[start - 1]) && (isWord(table[start - 2], 'AS') || isSymbol(table[start - 2], ')'));
  return isSymbol(table.at(-1), ')') && isNamed ? names.filter(isName).map(({ text }) => text) : [];
}

/** The calls of aggregates that make one row of many, with the word DISTINCT where it stands in them. */
export function aggregateCalls(tokens: SqlToken[]): ('ALL' | 'DISTINCT')[] {
  const calls: ('ALL' | 'DISTINCT')[] = [];
  for (let index = 0; index < tokens.length; index++) {
    if (isSymbol(tokens[index], '(') && isWord(tokens[index + 1], 'SELECT', 'WITH')) {
      index = after(tokens, index) - 1;
    } else if (isAggregate(tokens[index]) && isSymbol(tokens[index + 1], '(') && !isOver(tokens, after(tokens, index + 1))) {
      calls.push(isWord(tokens[index + 2], 'DISTINCT') ? 'DISTINCT' : 'ALL');
    }
  }
  return calls;
}

const AGGREGATES =
  /^(COUNT|SUM|AVG|MIN|MAX|STDDEV(_POP|_SAMP)?|VAR(IANCE|_POP|_SAMP)|COLLECT|LISTAGG|ARRAY_AGG|FIRST_VALUE|LAST_VALUE|PERCENTILE|APPROX_COUNT_DISTINCT|JSON_OBJECTAGG|JSON_ARRAYAGG)$/;

function isAggregate(token: SqlToken | undefined): boolean {
  return token?.kind === 'word' && AGGREGATES.test(token.text.toUpperCase());
}

/** Whether an aggregate is one over the rows before: `COUNT(*) FILTER (WHERE …) OVER w`. */
function isOver(tokens: SqlToken[], index: number): boolean {
  return isWord(tokens[index], 'FILTER') ? isOver(tokens, after(tokens, index + 1)) : isWord(tokens[index], 'OVER');
}

/** Where what a parenthesis opens is over. */
function after(tokens: SqlToken[], open: number): number {
  return open + (enclosed(tokens.slice(open))[0] ?? []).length + 2;
}
