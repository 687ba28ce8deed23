import { type SqlToken, scanSql } from '../sql/sql-scanner';

/** A statement of a script. */
interface Statement {
  /** What it is about, as a message calls it; one for each statement. */
  readonly subject: string;
  /** Its options, where it creates a table. */
  readonly options: { readonly [option: string]: string };
  /** All of it but options, as one text. */
  readonly rest: string;
}

/** Words between CREATE and what it creates. */
const MODIFIERS = /^(OR|REPLACE|ALTER|TEMPORARY|SYSTEM|CATALOG|IF|NOT|EXISTS)$/i;

/** What two scripts say otherwise, by statement: nothing where comments, white space and line breaks are all that differs. */
export function scriptChanges(before: string, after: string): string[] {
  const [old, now] = [statementsOf(before), statementsOf(after)];
  const subjects = (statements: Map<string, Statement>) => [...statements.keys()];
  const changes = [
    ...subjects(old)
      .filter((subject) => !now.has(subject))
      .map((subject) => `${subject} is gone`),
    ...[...now.values()].flatMap((statement) => {
      const same = old.get(statement.subject);
      return same === undefined ? [`${statement.subject} is new`] : statementChanges(same, statement);
    }),
  ];
  return changes.length === 0 && subjects(old).join() !== subjects(now).join() ? ['statements have another order'] : changes;
}

function statementChanges(before: Statement, after: Statement): string[] {
  const names = [...new Set([...Object.keys(before.options), ...Object.keys(after.options)])];
  const changed = names.filter((name) => before.options[name] !== after.options[name]);
  return [
    ...changed.map(
      (name) => `${after.subject}: option '${name}' changed from ${before.options[name] ?? 'unset'} to ${after.options[name] ?? 'unset'}`,
    ),
    ...(before.rest === after.rest ? [] : [`${after.subject} is written otherwise`]),
  ];
}

function statementsOf(script: string): Map<string, Statement> {
  const statements = new Map<string, Statement>();
  let tokens: SqlToken[] = [];
  for (const token of [...scanSql('the script', script).tokens, { kind: 'symbol', text: ';' } as const]) {
    if (token.kind !== 'symbol' || token.text !== ';') {
      tokens.push(token);
    } else if (tokens.length > 0) {
      const subject = subjectOf(tokens);
      const equal = [...statements.keys()].filter((other) => other === subject || other.startsWith(`${subject} #`)).length;
      const unique = equal === 0 ? subject : `${subject} #${equal + 1}`;
      statements.set(unique, { subject: unique, ...partsOf(tokens) });
      tokens = [];
    }
  }
  return statements;
}

/** `table 'clicks'`, `INSERT into 'totals'`, `setting 'table.exec.state.ttl'`; the first words of any other statement. */
function subjectOf(tokens: SqlToken[]): string {
  const insert = tokens.findIndex(({ text }) => /^INSERT$/i.test(text));
  const word = tokens[0]!.text.toUpperCase();
  if (word === 'SET') {
    return `setting '${tokens[1]?.text}'`;
  }
  if (word === 'CREATE') {
    const [kind, ...name] = tokens.slice(1).filter(({ kind: of, text }) => of !== 'word' || !MODIFIERS.test(text));
    return `${kind?.text.toLowerCase()} '${name[0]?.text}'`;
  }
  return insert < 0
    ? tokens
        .slice(0, 3)
        .map(({ text }) => text)
        .join(' ')
    : `INSERT into '${tokens[insert + 2]?.text}'`;
}

/** A table ends with its options: WITH, and pairs of strings between parentheses. */
function partsOf(tokens: SqlToken[]): { options: { [option: string]: string }; rest: string } {
  const start = tokens.findIndex(
    ({ kind, text }, index) =>
      kind === 'word' && /^WITH$/i.test(text) && tokens[index + 1]?.text === '(' && tokens[index + 2]?.kind === 'string',
  );
  const isTable = /^CREATE$/i.test(tokens[0]!.text) && start >= 0;
  const options = isTable ? tokens.slice(start).filter(({ kind }) => kind === 'string') : [];
  return {
    options: Object.fromEntries(options.flatMap(({ text }, index) => (index % 2 === 0 ? [[text, options[index + 1]?.text ?? '']] : []))),
    rest: JSON.stringify((isTable ? tokens.slice(0, start) : tokens).map(({ kind, text }) => [kind, text])),
  };
}
