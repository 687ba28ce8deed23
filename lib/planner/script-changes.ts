import { scriptStatements } from '../sql/script-statements';
import type { SqlToken } from '../sql/sql-scanner';
import { changedPlaces, changedPlacesText } from './changed-places';

/** A statement of a script. */
interface Statement {
  /** What it is about, as a message calls it; one for each statement. */
  readonly name: string;
  /** The same for all statements about one thing, such as INSERTs into one table. */
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
  const pairs = pairsOf(old, now);
  const changes = [
    ...old.filter((statement) => ![...pairs.values()].includes(statement)).map(({ name }) => `${name} is gone`),
    ...now.flatMap((statement) => {
      const same = pairs.get(statement);
      return same === undefined ? [`${statement.name} is new`] : statementChanges(same, statement);
    }),
  ];
  const moved = changedPlaces(
    old.map(({ name }) => name),
    now.map((statement) => pairs.get(statement)?.name ?? ''),
  );
  const inserts = moved.filter((name) => name.startsWith('INSERT '));
  if (inserts.length > 1 && inserts.length === moved.length) {
    return [...changes, changedPlacesText(inserts)];
  }
  return changes.length === 0 && moved.length > 0 ? ['statements have another order'] : changes;
}

/** By statement of the second script, the one of the first about the same: the one that says the same, or else the first that is left. */
function pairsOf(before: Statement[], after: Statement[]): Map<Statement, Statement> {
  const pairs = new Map<Statement, Statement>();
  const left = new Set(before);
  const pair = (isPair: (old: Statement, now: Statement) => boolean) => {
    for (const now of after.filter((statement) => !pairs.has(statement))) {
      const old = [...left].find((statement) => isPair(statement, now));
      if (old !== undefined) {
        pairs.set(now, old);
        left.delete(old);
      }
    }
  };
  pair((old, now) => old.subject === now.subject && statementChanges(old, now).length === 0);
  pair((old, now) => old.subject === now.subject);
  return pairs;
}

function statementChanges(before: Statement, after: Statement): string[] {
  const names = [...new Set([...Object.keys(before.options), ...Object.keys(after.options)])];
  const changed = names.filter((name) => before.options[name] !== after.options[name]);
  return [
    ...changed.map(
      (name) => `${after.name}: option '${name}' changed from ${before.options[name] ?? 'unset'} to ${after.options[name] ?? 'unset'}`,
    ),
    ...(before.rest === after.rest ? [] : [`${after.name} is written otherwise`]),
  ];
}

function statementsOf(script: string): Statement[] {
  const statements: Statement[] = [];
  for (const tokens of scriptStatements(script)) {
    const subject = subjectOf(tokens);
    const equal = statements.filter((other) => other.subject === subject).length;
    statements.push({ subject, name: equal === 0 ? subject : `${subject} #${equal + 1}`, ...partsOf(tokens) });
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
