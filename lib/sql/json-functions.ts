import type { SqlToken } from './sql-scanner';
import { isWord } from './sql-tokens';

/** Whether a token is a function that takes something out of JSON text, at a path. */
export function isJsonFunction(token: SqlToken | undefined): boolean {
  return isWord(token, 'JSON_VALUE', 'JSON_QUERY', 'JSON_EXISTS');
}
