import type { SqlToken } from '../sql/sql-scanner';
import { depthsOf, enclosed, isSymbol, isWord, split } from '../sql/sql-tokens';

/** One SELECT, cut at its clauses. What stands in parentheses stays in the clause around it. */
export interface SelectPart {
  /** All of it. */
  readonly tokens: SqlToken[];
  readonly select: SqlToken[];
  readonly from: SqlToken[];
  readonly where: SqlToken[];
  readonly groupBy: SqlToken[];
  /** HAVING and what follows it. */
  readonly rest: SqlToken[];
}

type Clause = Exclude<keyof SelectPart, 'tokens'>;

/**
 * The SELECTs of a query that stand in no parentheses: more than one where it is a union.
 *
 * @param tokens a scanned query, or a piece of one
 */
export function outerSelects(tokens: SqlToken[]): SelectPart[] {
  const depths = depthsOf(tokens);
  const parts: SelectPart[] = [];
  let open = false;
  let clause: Clause = 'select';
  tokens.forEach((token, index) => {
    if (depths[index] === 0) {
      if (isWord(token, 'UNION', 'INTERSECT', 'EXCEPT', 'MINUS')) {
        open = false;
      } else if (isWord(token, 'SELECT')) {
        parts.push({ tokens: [], select: [], from: [], where: [], groupBy: [], rest: [] });
        open = true;
        clause = 'select';
      } else {
        clause = clauseAt(tokens, index) ?? clause;
      }
    }
    if (open) {
      parts.at(-1)!.tokens.push(token);
      parts.at(-1)![clause].push(token);
    }
  });
  return parts;
}

/**
 * All SELECTs of a query, those in parentheses, too.
 *
 * @param tokens a scanned query, or a piece of one
 */
export function allSelects(tokens: SqlToken[]): SelectPart[] {
  return [...outerSelects(tokens), ...enclosed(tokens).flatMap(allSelects)];
}

/** The pieces between SELECT and FROM. */
export function selectItems({ select }: SelectPart): SqlToken[][] {
  return split(select.slice(isWord(select[1], 'DISTINCT', 'ALL') ? 2 : 1), (token) => isSymbol(token, ','));
}

function clauseAt(tokens: SqlToken[], index: number): Clause | undefined {
  const [previous, token, next] = [tokens[index - 1], tokens[index], tokens[index + 1]];
  if (isSymbol(previous, '.')) {
    return undefined;
  }
  if (isWord(token, 'FROM')) {
    // IS DISTINCT FROM
    return isWord(previous, 'DISTINCT') ? undefined : 'from';
  }
  if (isWord(token, 'WHERE')) {
    return 'where';
  }
  if (isWord(token, 'GROUP') && isWord(next, 'BY')) {
    return 'groupBy';
  }
  const ends = isWord(token, 'HAVING', 'WINDOW', 'QUALIFY', 'LIMIT', 'OFFSET', 'FETCH') || (isWord(token, 'ORDER') && isWord(next, 'BY'));
  return ends ? 'rest' : undefined;
}
