import { type SqlToken, scanSql } from './sql-scanner';
import { enclosed, isSymbol, isWord, split } from './sql-tokens';

/** The statements of a script without their `;`. What begins a statement set is one of its own, as is its END. */
export function scriptStatements(script: string): SqlToken[][] {
  return split(scanSql('the script', script).tokens, (token) => isSymbol(token, ';'))
    .flatMap((tokens) => (isWord(tokens[0], 'EXECUTE') && isWord(tokens[3], 'BEGIN') ? [tokens.slice(0, 4), tokens.slice(4)] : [tokens]))
    .filter((tokens) => tokens.length > 0);
}

/** A table or a view that a script creates. */
export interface ScriptDefinition {
  readonly kind: 'TABLE' | 'VIEW';
  readonly name: string;
  /** Of a table its columns and options, of a view its query. */
  readonly body: SqlToken[];
}

/** The tables and views that a script creates, in their order. */
export function scriptDefinitions(script: string): ScriptDefinition[] {
  return scriptStatements(script).flatMap((statement): ScriptDefinition[] => {
    const at = statement.findIndex((token) => isWord(token, 'TABLE', 'VIEW'));
    const name = statement[at + 1]?.text;
    if (!isWord(statement[0], 'CREATE') || at < 0 || name === undefined) {
      return [];
    }
    return isWord(statement[at], 'TABLE')
      ? [{ kind: 'TABLE', name, body: statement.slice(at + 2) }]
      : [{ kind: 'VIEW', name, body: statement.slice(at + 3) }];
  });
}

/** A name and what it stands for. */
export interface NamedExpression {
  readonly name: string;
  readonly expression: SqlToken[];
}

/** The computed columns of a table (`name AS expression`), in their order. */
export function computedColumns({ body }: ScriptDefinition): NamedExpression[] {
  const [columns = []] = enclosed(body);
  return split(columns, (token) => isSymbol(token, ',')).flatMap(([name, as, ...expression]) =>
    name !== undefined && isWord(as, 'AS') ? [{ name: name.text, expression }] : [],
  );
}
