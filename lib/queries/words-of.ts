import type { SqlToken } from '../sql/sql-scanner';

/** The tokens of a query in capital letters, an empty one for each string, so that no text of a value is taken for SQL. */
export function wordsOf(tokens: SqlToken[]): string[] {
  return tokens.map(({ kind, text }) => (kind === 'string' ? '' : text.toUpperCase()));
}
