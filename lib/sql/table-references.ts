import type { SqlToken } from './sql-scanner';
import { isSymbol } from './sql-tokens';

/** Words that take FROM without naming a table: `EXTRACT(DAY FROM t)`, `TRIM(BOTH ' ' FROM s)`. */
const FUNCTIONS_WITH_FROM = new Set(['EXTRACT', 'TRIM', 'SUBSTRING', 'OVERLAY']);
/** Words that end the list of tables after FROM. */
const FROM_ENDS = new Set([
  'WHERE',
  'GROUP',
  'HAVING',
  'WINDOW',
  'QUALIFY',
  'ORDER',
  'LIMIT',
  'OFFSET',
  'FETCH',
  'UNION',
  'INTERSECT',
  'EXCEPT',
  'MINUS',
  'SELECT',
]);
/** Words that stand where a table name may stand and are none. */
const NO_TABLE = new Set(['SELECT', 'WITH', 'VALUES', 'TABLE', 'LATERAL', 'UNNEST']);
/** Paths at which Flink looks for a table that is named without one; the tables of a program stand there. */
const DEFAULT_PATHS = new Set(['', 'default_database', 'default_catalog.default_database']);

/** One level of parentheses. */
interface Level {
  /** The word in front of the parenthesis. */
  readonly opener: string;
  /** Names that a WITH clause of this level has defined so far. */
  readonly defined: Set<string>;
  /** Between FROM and the end of its list of tables. */
  inFrom: boolean;
  /** Between WITH and the query that it belongs to. */
  inWith: boolean;
  /** Name whose definition is being read: it is visible from its end on. */
  definition?: string;
}

/** How a query reads a table. */
export interface TableReference {
  /** Plain name of the table or view. */
  readonly name: string;
  /** Whether it is probed at a point in time (`FOR SYSTEM_TIME AS OF`). */
  readonly temporal: boolean;
}

/**
 * The tables and views that a query names: after FROM, JOIN, TABLE and in the list after FROM, without those that a WITH
 * clause defines where it holds.
 *
 * Names within another catalogue or database are left out: they are not ours.
 *
 * @param tokens the scanned query, with parentheses that match
 */
export function tableReferences(tokens: SqlToken[]): TableReference[] {
  const references: TableReference[] = [];
  const levels: Level[] = [open('')];
  let expectsTable = false;
  tokens.forEach((token, index) => {
    const previous = tokens[index - 1];
    const level = levels[levels.length - 1]!;
    if (token.kind === 'symbol') {
      if (token.text === '(') {
        // FROM (`a` JOIN `b` …): a table may still follow
        levels.push(open(word(previous)));
        return;
      }
      if (token.text === ')') {
        levels.pop();
        endDefinition(levels[levels.length - 1]!, tokens[index + 1]);
      }
      expectsTable = token.text === ',' && level.inFrom;
      return;
    }
    const keyword = word(token);
    if (level.inWith && (word(previous) === 'WITH' || isSymbol(previous, ','))) {
      level.definition = token.text;
    } else if (keyword === 'WITH' && (previous === undefined || isSymbol(previous, '('))) {
      level.inWith = true;
    } else if (keyword === 'FROM' && !FUNCTIONS_WITH_FROM.has(level.opener) && word(previous) !== 'DISTINCT') {
      level.inFrom = true;
      expectsTable = true;
      return;
    } else if (keyword === 'JOIN' || (keyword === 'TABLE' && !isSymbol(tokens[index + 1], '('))) {
      level.inWith = false;
      expectsTable = true;
      return;
    } else if (FROM_ENDS.has(keyword)) {
      level.inFrom = false;
      level.inWith = false;
    } else if (expectsTable && token.kind !== 'string' && !NO_TABLE.has(keyword)) {
      const reference = tableReference(tokens, index);
      if (reference && !(isPlain(tokens, index) && levels.some(({ defined }) => defined.has(reference.name)))) {
        references.push(reference);
      }
    }
    expectsTable = false;
  });
  return references;
}

function open(opener: string): Level {
  return { opener, defined: new Set(), inFrom: false, inWith: false };
}

function endDefinition(level: Level, next: SqlToken | undefined): void {
  const endsColumnList = word(next) === 'AS';
  if (level.inWith && level.definition !== undefined && !endsColumnList) {
    level.defined.add(level.definition);
  }
}

/** The table at the end of a path, undefined for a table of another catalogue and for a function. */
function tableReference(tokens: SqlToken[], start: number): TableReference | undefined {
  const path = [tokens[start]!.text];
  let end = start + 1;
  while (isSymbol(tokens[end], '.') && tokens[end + 1] !== undefined) {
    path.push(tokens[end + 1]!.text);
    end += 2;
  }
  const name = path.pop()!;
  const temporal = word(tokens[end]) === 'FOR' && word(tokens[end + 1]) === 'SYSTEM_TIME';
  return DEFAULT_PATHS.has(path.join('.')) && !isSymbol(tokens[end], '(') ? { name, temporal } : undefined;
}

function isPlain(tokens: SqlToken[], start: number): boolean {
  return !isSymbol(tokens[start + 1], '.');
}

function word(token: SqlToken | undefined): string {
  return token?.kind === 'word' ? token.text.toUpperCase() : '';
}
