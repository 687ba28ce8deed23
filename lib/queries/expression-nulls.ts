import type { SqlToken } from '../sql/sql-scanner';
import { depthsOf, enclosed, isName, isSymbol, isWord, split } from '../sql/sql-tokens';
import { columnsIn } from './conditions';

/** Whether a value is null: `believed` not to be for a NOT NULL that nobody has checked. */
export type Nulls = 'never' | 'believed' | 'may';

/** What is known of a column, by its path: `['payload', 'at']`. A name that is none of a column, such as HOUR, is never null. */
type Columns = (path: string[]) => Nulls;

/** Functions that make null of what they cannot read. */
const MAY_FAIL =
  /^(TRY_CAST|TO_TIMESTAMP|TO_TIMESTAMP_LTZ|TO_DATE|JSON_VALUE|JSON_QUERY|REGEXP_EXTRACT|SPLIT_INDEX|STR_TO_MAP|ELEMENT|NULLIF)$/;

/**
 * Whether an expression can be null, as the planner judges by types, without the exactness of a type: what is not understood is never null.
 *
 * @param tokens a scanned expression
 */
export function nullsOf(tokens: SqlToken[], columns: Columns): Nulls {
  const [inner] = enclosed(tokens);
  if (isSymbol(tokens[0], '(') && inner!.length === tokens.length - 2) {
    return nullsOf(inner!, columns);
  }
  const operands = outsideOfCase(tokens, (token) => /^[-+*/%|]$/.test(token.text) && token.kind === 'symbol');
  if (operands.length > 1) {
    return worst(operands.map((operand) => nullsOf(operand, columns)));
  }
  if (isWord(tokens[0], 'CASE')) {
    return ofCase(tokens, columns);
  }
  if (isWord(tokens[0], 'NULL') || tokens.some((token) => isSymbol(token, '['))) {
    return 'may';
  }
  if (isName(tokens[0]) && isSymbol(tokens[1], '(') && inner!.length === tokens.length - 3) {
    return ofCall(tokens[0]!.text.toUpperCase(), inner!, columns);
  }
  const isPath = tokens.every((token, index) => (index % 2 === 0 ? isName(token) : isSymbol(token, '.')));
  return isPath ? columns(tokens.filter((_, index) => index % 2 === 0).map(({ text }) => text)) : 'never';
}

function ofCall(name: string, inner: SqlToken[], columns: Columns): Nulls {
  if (MAY_FAIL.test(name)) {
    return 'may';
  }
  const given = split(inner, (token) => isSymbol(token, ','));
  const nulls = given.map((argument) => nullsOf(split(argument, (token) => isWord(token, 'AS'))[0]!, columns));
  switch (name) {
    case 'COALESCE':
    case 'IFNULL':
      // The planner leaves out all that follows a value that it believes in.
      return nulls.find((one) => one !== 'may') ?? 'may';
    case 'IF':
      return worst(given.slice(1).map((value, index) => (isGuarded(value, [given[0]!]) ? 'never' : nulls[index + 1]!)));
    default:
      return worst(nulls);
  }
}

function ofCase(tokens: SqlToken[], columns: Columns): Nulls {
  const pieces = insideOfCase(tokens);
  const values = pieces.filter(({ word }) => word === 'THEN' || word === 'ELSE').map(({ piece }) => piece);
  const conditions = pieces.filter(({ word }) => word === 'CASE' || word === 'WHEN').map(({ piece }) => piece);
  if (!pieces.some(({ word }) => word === 'ELSE')) {
    return 'may';
  }
  return worst(values.map((value) => (isGuarded(value, conditions) ? 'never' : nullsOf(value, columns))));
}

/** Whether a value is made of what conditions have looked at before: whoever wrote it has thought of nulls. */
function isGuarded(value: SqlToken[], conditions: SqlToken[][]): boolean {
  const asked = conditions.flatMap(columnsIn).map(({ column }) => column);
  const used = columnsIn(value);
  return used.length > 0 && used.every(({ column }) => asked.includes(column));
}

/** The pieces between separators that stand neither in parentheses nor in a CASE. */
function outsideOfCase(tokens: SqlToken[], separates: (token: SqlToken) => boolean): SqlToken[][] {
  let cases = 0;
  return split(tokens, (token) => {
    cases += isWord(token, 'CASE') ? 1 : isWord(token, 'END') ? -1 : 0;
    return cases === 0 && separates(token);
  });
}

/** What follows CASE, WHEN, THEN and ELSE of a CASE, without those within it. */
function insideOfCase(tokens: SqlToken[]): { word: string; piece: SqlToken[] }[] {
  const depths = depthsOf(tokens);
  const pieces: { word: string; piece: SqlToken[] }[] = [];
  let cases = 0;
  tokens.forEach((token, index) => {
    const outside = depths[index] === 0;
    cases += outside && isWord(token, 'CASE') ? 1 : 0;
    if (outside && cases === 1 && isWord(token, 'CASE', 'WHEN', 'THEN', 'ELSE')) {
      pieces.push({ word: token.text.toUpperCase(), piece: [] });
    } else if (!(outside && cases === 1 && isWord(token, 'END'))) {
      pieces.at(-1)!.piece.push(token);
    }
    cases -= outside && isWord(token, 'END') ? 1 : 0;
  });
  return pieces;
}

function worst(nulls: Nulls[]): Nulls {
  return nulls.includes('may') ? 'may' : nulls.includes('believed') ? 'believed' : 'never';
}
