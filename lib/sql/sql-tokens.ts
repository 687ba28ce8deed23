import type { SqlToken } from './sql-scanner';

/** Whether a token is one of these words of SQL, and no quoted name. */
export function isWord(token: SqlToken | undefined, ...words: string[]): boolean {
  return token?.kind === 'word' && words.includes(token.text.toUpperCase());
}

/** Whether a token is this symbol. */
export function isSymbol(token: SqlToken | undefined, text: string): boolean {
  return token?.kind === 'symbol' && token.text === text;
}

/** Whether a token may name a table or a column. */
export function isName(token: SqlToken | undefined): boolean {
  return token?.kind === 'identifier' || (token?.kind === 'word' && !/^\d/.test(token.text));
}

/** How deep each token stands in parentheses; a parenthesis itself as deep as what it encloses. */
export function depthsOf(tokens: SqlToken[]): number[] {
  let depth = 0;
  return tokens.map((token) => {
    if (isSymbol(token, '(')) {
      depth += 1;
      return depth;
    }
    return isSymbol(token, ')') ? depth-- : depth;
  });
}

/** What stands in each of the outermost pairs of parentheses. */
export function enclosed(tokens: SqlToken[]): SqlToken[][] {
  const depths = depthsOf(tokens);
  const groups: SqlToken[][] = [];
  tokens.forEach((token, index) => {
    if (depths[index] === 1 && isSymbol(token, '(')) {
      groups.push([]);
    } else if (depths[index]! > 0 && !(depths[index] === 1 && isSymbol(token, ')'))) {
      groups.at(-1)!.push(token);
    }
  });
  return groups;
}

/** The pieces between separators that stand in no parentheses. */
export function split(tokens: SqlToken[], separates: (token: SqlToken, index: number) => boolean): SqlToken[][] {
  const depths = depthsOf(tokens);
  const pieces: SqlToken[][] = [[]];
  tokens.forEach((token, index) => {
    if (depths[index] === 0 && separates(token, index)) {
      pieces.push([]);
    } else {
      pieces.at(-1)!.push(token);
    }
  });
  return pieces;
}
