import { type SqlToken, scanSql } from '../sql/sql-scanner';
import { isSymbol, isWord, split } from '../sql/sql-tokens';

/** The statements of a script without their `;`. What begins a statement set is one of its own, as is its END. */
export function scriptStatements(script: string): SqlToken[][] {
  return split(scanSql('the script', script).tokens, (token) => isSymbol(token, ';'))
    .flatMap((tokens) => (isWord(tokens[0], 'EXECUTE') && isWord(tokens[3], 'BEGIN') ? [tokens.slice(0, 4), tokens.slice(4)] : [tokens]))
    .filter((tokens) => tokens.length > 0);
}
