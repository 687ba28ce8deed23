import type { SqlToken } from '../sql/sql-scanner';
import { enclosed, isName, isSymbol, isWord, split } from '../sql/sql-tokens';
import { wordsOf } from './words-of';

/** A column as a condition names it. */
export interface ColumnReference {
  /** `U` of `u.amount`, in capital letters. */
  readonly side?: string;
  readonly column: string;
}

/** Words of a condition that name no column. */
const NO_COLUMN =
  /^(AND|OR|NOT|IN|IS|LIKE|SIMILAR|ESCAPE|BETWEEN|SYMMETRIC|ASYMMETRIC|NULL|TRUE|FALSE|UNKNOWN|ON|USING|AS|TO|CASE|WHEN|THEN|ELSE|END|ANY|SOME|ALL|INTERVAL|(SECOND|MINUTE|HOUR|DAY|WEEK|MONTH|QUARTER|YEAR)S?|TIMESTAMP|TIMESTAMP_LTZ|DATE|TIME|CURRENT_TIMESTAMP|CURRENT_ROW_TIMESTAMP|CURRENT_DATE|CURRENT_TIME|LOCALTIME|LOCALTIMESTAMP)$/;
/** What makes of a null something else, or says nothing of one row. */
const KEEPS_NULLS = /^(OR|CASE|ALL|EXISTS)$/;
/** Functions that give null for a null, whichever argument it is. */
const STRICT = ['CAST', 'TRY_CAST', 'CHAR_LENGTH', 'CHARACTER_LENGTH', 'UPPER', 'LOWER', 'TRIM', 'LTRIM', 'RTRIM', 'SUBSTRING', 'ABS'];
/** What makes no null of a null within their arguments. */
const NOT_STRICT = ['IS', 'AND', 'OR', 'CASE'];
const OF_TRIM = ['BOTH', 'LEADING', 'TRAILING', 'FROM', 'FOR'];

/**
 * The conditions of a WHERE or ON that must all hold, without those words.
 *
 * @param clause from WHERE or ON on; after USING there is none
 */
export function conjuncts(clause: SqlToken[]): SqlToken[][] {
  const tokens = isWord(clause[0], 'WHERE', 'ON') ? clause.slice(1) : clause;
  if (tokens.length === 0 || isWord(clause[0], 'USING')) {
    return [];
  }
  const [inner] = enclosed(tokens);
  if (isSymbol(tokens[0], '(') && inner!.length === tokens.length - 2 && !isWord(inner![0], 'SELECT', 'WITH')) {
    return conjuncts(inner!);
  }
  if (split(tokens, (token) => isWord(token, 'OR')).length > 1) {
    return [tokens];
  }
  let ofBetween = false;
  let cases = 0;
  const pieces = split(tokens, (token) => {
    cases += isWord(token, 'CASE') ? 1 : isWord(token, 'END') ? -1 : 0;
    const joins = isWord(token, 'AND') && !ofBetween && cases === 0;
    ofBetween = isWord(token, 'BETWEEN') || (ofBetween && !isWord(token, 'AND'));
    return joins;
  });
  return pieces.length === 1 ? pieces : pieces.flatMap(conjuncts);
}

/** Whether a word is one of SQL, in an expression. */
export function namesNoColumn({ kind, text }: SqlToken): boolean {
  return kind === 'word' && NO_COLUMN.test(text.toUpperCase());
}

/** All columns that a condition names, in parentheses, too. */
export function columnsIn(tokens: SqlToken[]): ColumnReference[] {
  return tokens.flatMap((token, start): ColumnReference[] => {
    const path = [token.text];
    let end = start + 1;
    while (isSymbol(tokens[end], '.') && isName(tokens[end + 1])) {
      path.push(tokens[end + 1]!.text);
      end += 2;
    }
    const isColumn = isName(token) && !isSymbol(tokens[start - 1], '.') && !isSymbol(tokens[end], '(');
    if (!isColumn || (path.length === 1 && namesNoColumn(token))) {
      return [];
    }
    return [path.length > 1 ? { side: path[0]!.toUpperCase(), column: path[1]! } : { column: path[0]! }];
  });
}

/**
 * The conditions of which one must hold, where a condition says so: more than one of an OR.
 *
 * @param condition one of those that `conjuncts` gives
 */
export function disjuncts(condition: SqlToken[]): SqlToken[][] {
  return split(condition, (token) => isWord(token, 'OR'));
}

/** Columns that are not null in a row for which a condition holds: `u.amount > 5`, `u.amount IS NOT NULL`. */
export function columnsNotNull(condition: SqlToken[]): ColumnReference[] {
  const [negated, ...more] = isWord(condition[0], 'NOT') ? conjuncts(condition.slice(1)) : [];
  if (isWord(negated?.at(-2), 'IS') && isWord(negated?.at(-1), 'NULL') && more.length === 0) {
    return columnsNotNull([...negated!.slice(0, -1), condition[0]!, negated!.at(-1)!]);
  }
  const outside = withoutUnknown(condition);
  const words = wordsOf(outside);
  const isNotNull = words[0] !== 'NOT' && words.slice(-3).join(' ') === 'IS NOT NULL';
  const rest = isNotNull ? outside.slice(0, -3) : outside;
  const keepsNulls = words.some((word) => KEEPS_NULLS.test(word)) || wordsOf(rest).includes('IS');
  // NOT IN an empty result holds for a null.
  const notInQuery = words.join(' ').includes('NOT IN (') && enclosed(condition).some(([first]) => isWord(first, 'SELECT', 'WITH'));
  return keepsNulls || notInQuery ? [] : columnsIn(rest);
}

/** A condition without what stands in parentheses, but for the arguments of functions that make null of null: of others that is not known. */
function withoutUnknown(tokens: SqlToken[]): SqlToken[] {
  const open = tokens.findIndex((token) => isSymbol(token, '('));
  if (open < 0) {
    return tokens;
  }
  const inner = enclosed(tokens.slice(open))[0]!;
  const close = open + inner.length + 1;
  const isKnown = isWord(tokens[open - 1], ...STRICT) && !inner.some((token) => isWord(token, ...NOT_STRICT));
  // CAST(id AS BIGINT), TRIM(BOTH ' ' FROM id)
  const given = isKnown ? split(inner, (token) => isWord(token, 'AS'))[0]!.filter((token) => !isWord(token, ...OF_TRIM)) : [];
  return [
    ...tokens.slice(0, open + 1),
    ...withoutUnknown(given),
    ...tokens.slice(close, close + 1),
    ...withoutUnknown(tokens.slice(close + 1)),
  ];
}
