import type { SqlToken } from '../sql/sql-scanner';
import { wordsOf } from './words-of';

/** A column of a query that is null where an outer join finds no row, and its place in the SELECT. */
export interface OuterColumn {
  readonly position: number;
  readonly name: string;
}

/** What follows the table of a join where it has no other name. */
const NO_ALIAS = /^(ON|USING|JOIN|LEFT|RIGHT|FULL|INNER|CROSS|WHERE|GROUP)$/;

/**
 * Columns that the SELECT of a query takes as they are from the side of a LEFT JOIN that may have no row. It reads no more of SQL than
 * it needs for a warning.
 *
 * @param tokens a scanned query
 */
export function outerColumns(tokens: SqlToken[]): OuterColumn[] {
  const optional = optionalSides(tokens);
  return selectItems(tokens).flatMap((item, position) => {
    const [alias, dot, column, next] = item;
    const plain =
      dot?.text === '.' && column !== undefined && (next === undefined || (next.kind === 'word' && next.text.toUpperCase() === 'AS'));
    return plain && optional.has(alias!.text.toUpperCase()) ? [{ position, name: `${alias!.text}.${column.text}` }] : [];
  });
}

function optionalSides(tokens: SqlToken[]): Set<string> {
  const words = wordsOf(tokens);
  const sides = new Set<string>();
  for (let index = 0; index < words.length; index++) {
    const join = words[index] !== 'LEFT' ? -1 : words[index + 1] === 'JOIN' ? index + 1 : words[index + 2] === 'JOIN' ? index + 2 : -1;
    if (join > 0 && words[join + 1] !== '(') {
      let alias = join + 2;
      if (words[alias] === 'FOR') {
        // FOR SYSTEM_TIME AS OF left . column
        alias += 7;
      }
      alias += words[alias] === 'AS' ? 1 : 0;
      sides.add(words[alias] === undefined || NO_ALIAS.test(words[alias]!) ? words[join + 1]! : words[alias]!);
    }
  }
  return sides;
}

/** The pieces between SELECT and FROM of the query itself; none where it is a union, or begins otherwise. */
function selectItems(tokens: SqlToken[]): SqlToken[][] {
  const isWord = (token: SqlToken, word: string) => token.kind === 'word' && token.text.toUpperCase() === word;
  if (tokens[0] === undefined || !isWord(tokens[0], 'SELECT')) {
    return [];
  }
  const items: SqlToken[][] = [[]];
  let depth = 0;
  for (const token of tokens.slice(1)) {
    depth += token.kind === 'symbol' ? (token.text === '(' ? 1 : token.text === ')' ? -1 : 0) : 0;
    if (depth === 0 && isWord(token, 'FROM')) {
      break;
    }
    if (depth === 0 && token.kind === 'symbol' && token.text === ',') {
      items.push([]);
    } else {
      items.at(-1)!.push(token);
    }
  }
  return items;
}
