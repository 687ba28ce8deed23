/** A token of a script, as Flink's lexer reads it. */
export interface ReadToken {
  readonly kind: 'code' | 'identifier' | 'string';
  /** The text, without quotes. */
  readonly text: string;
}

// As the lexer of Flink 2.2.1 has it: a line comment ends at a carriage return too, and the doubled quote is the only escape.
const TOKEN = /(?:--|\/\/)[^\r\n]*|\/\*[\s\S]*?\*\/|'((?:[^']|'')*)'|`((?:[^`]|``)*)`|([^\s'`;])|(;)|\s/gu;

/**
 * Splits a script into statements. Written for the tests, apart from the scanner of the library, so that one judges the other.
 */
export function readStatements(script: string): ReadToken[][] {
  const statements: ReadToken[][] = [];
  let tokens: ReadToken[] = [];
  let end = 0;
  for (const match of script.matchAll(TOKEN)) {
    if (match.index !== end) {
      throw new Error(`not SQL: ${JSON.stringify(script.slice(end, end + 40))}`);
    }
    end += match[0].length;
    const [, string, identifier, code, semicolon] = match;
    if (string !== undefined) {
      tokens.push({ kind: 'string', text: string.replaceAll("''", "'") });
    } else if (identifier !== undefined) {
      tokens.push({ kind: 'identifier', text: identifier.replaceAll('``', '`') });
    } else if (code !== undefined) {
      tokens.push({ kind: 'code', text: code });
    } else if (semicolon !== undefined) {
      statements.push(tokens);
      tokens = [];
    }
  }
  if (end !== script.length || tokens.length > 0) {
    throw new Error(`the script ends within a statement: ${JSON.stringify(script.slice(-40))}`);
  }
  return statements;
}

/** The strings of tokens, in their order. */
export function stringsOf(tokens: ReadToken[]): string[] {
  return tokens.filter(({ kind }) => kind === 'string').map(({ text }) => text);
}

/** The quoted identifiers of tokens, in their order. */
export function identifiersOf(tokens: ReadToken[]): string[] {
  return tokens.filter(({ kind }) => kind === 'identifier').map(({ text }) => text);
}
