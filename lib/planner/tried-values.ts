import { namesNoColumn } from '../queries/conditions';
import { isJsonFunction } from '../sql/json-functions';
import { scriptStatements } from '../sql/script-statements';
import type { SqlToken } from '../sql/sql-scanner';
import { depthsOf, enclosed, isName, isSymbol, isWord, split } from '../sql/sql-tokens';

/** What the queries of a script compare a column with, or a field of the JSON in it. */
export interface TriedValues {
  /** Those that let most conditions hold come first. */
  readonly values: Set<string | number | null>;
  /** What it is cast to, where it is text. */
  as?: 'number' | 'time';
}

/** A column that a query names. */
export interface TriedColumn extends TriedValues {
  /** Fields of the JSON in it, by path. */
  readonly fields: Map<string, TriedValues>;
}

/** A column, or a field of the JSON in it. */
interface Term {
  readonly column: string;
  readonly path?: string;
}

/** Where one condition or one item of a SELECT ends and another begins. */
const SEPARATORS = 'SELECT DISTINCT FROM WHERE ON HAVING GROUP ORDER BY AND OR CASE WHEN THEN ELSE END UNION JOIN'.split(' ');
const NUMBER = /^(TINYINT|SMALLINT|INT|INTEGER|BIGINT|DECIMAL|NUMERIC|FLOAT|DOUBLE)$/i;
const TIME = /^(TIMESTAMP|TIMESTAMP_LTZ|DATE|TIME)$/i;
const SIZED = /^(CHAR|VARCHAR|BINARY|VARBINARY|DECIMAL|NUMERIC|TIMESTAMP|TIMESTAMP_LTZ|TIME)$/i;
/** Units of time that Flink takes for names of columns, too. */
const UNIT = /^(WEEK|QUARTER|(SECOND|MINUTE|HOUR|DAY|MONTH|YEAR)S)$/i;
/** How many names on top of each other are looked through. */
const VIEWS = 5;
const DAY = 86_400_000;

/** By name of a column: what is tried in its place, so that conditions of views, INSERTs and computed columns let rows through. */
export function triedValues(script: string): Map<string, TriedColumn> {
  return new ScriptReader(script).tried;
}

class ScriptReader {
  public readonly tried = new Map<string, TriedColumn>();

  /** Expressions by the names that they are given. */
  private readonly named = new Map<string, SqlToken[][]>();

  constructor(script: string) {
    const expressions = scriptStatements(script).flatMap((statement) => this.expressionsOf(statement));
    for (const expression of expressions) {
      this.note(expression);
    }
  }

  /** Computed columns of a table; conditions and what is selected of a query. */
  private expressionsOf(statement: SqlToken[]): SqlToken[][] {
    const kind = statement.findIndex((token) => isWord(token, 'TABLE', 'VIEW', 'INSERT'));
    if (isWord(statement[0], 'CREATE') && isWord(statement[kind], 'TABLE')) {
      return split(enclosed(statement)[0] ?? [], (token) => isSymbol(token, ','))
        .filter((column) => isWord(column[1], 'AS'))
        .map((column) => this.name(column[0]!.text, column.slice(2)));
    }
    // What stands before the first SELECT names what is made or written.
    const [, ...ofQuery] = kind < 0 ? [] : pieces(statement.slice(kind));
    return ofQuery.map((piece) => (isWord(piece.at(-2), 'AS') ? this.name(piece.at(-1)!.text, piece.slice(0, -2)) : piece));
  }

  private name(name: string, expression: SqlToken[]): SqlToken[] {
    this.named.set(name, [...(this.named.get(name) ?? []), expression]);
    return expression;
  }

  private note(expression: SqlToken[]): void {
    const [values, cast] = [comparedWith(expression), castOf(expression)];
    for (const term of this.terms(expression, [])) {
      const tried = this.of(term);
      tried.as ??= cast;
      for (const value of values) {
        tried.values.add(value);
      }
    }
  }

  private of({ column, path }: Term): TriedValues {
    const known = this.tried.get(column) ?? { values: new Set(), fields: new Map() };
    this.tried.set(column, known);
    if (path === undefined) {
      return known;
    }
    const field = known.fields.get(path) ?? { values: new Set() };
    known.fields.set(path, field);
    return field;
  }

  /**
   * Columns and fields that an expression names, and those that their own expressions name.
   *
   * @param through names whose expressions led here
   */
  private terms(tokens: SqlToken[], through: string[]): Term[] {
    const terms: Term[] = [];
    let start = 0;
    while (start < tokens.length) {
      const call = jsonCall(tokens, start);
      if (call !== undefined) {
        terms.push(...this.terms(call.of, through).map(({ column, path }) => ({ column, path: (path ?? '$') + call.path })));
        start = call.end;
        continue;
      }
      const token = tokens[start]!;
      const { text } = token;
      start += 1;
      const isWordOfSql = namesNoColumn(token) && !UNIT.test(text);
      if (isName(token) && !isWordOfSql && !isSymbol(tokens[start], '.') && !isSymbol(tokens[start], '(')) {
        const behind = through.includes(text) || through.length === VIEWS ? [] : (this.named.get(text) ?? []);
        terms.push({ column: text }, ...behind.flatMap((expression) => this.terms(expression, [...through, text])));
      }
    }
    return terms;
  }
}

/** The conditions and the items of SELECTs of a query, each on its own. What BETWEEN and the calls of JSON hold together stays so. */
function pieces(tokens: SqlToken[]): SqlToken[][] {
  const depths = depthsOf(tokens);
  const result: SqlToken[][] = [[]];
  let depth = 0;
  let ofBetween = false;
  tokens.forEach((token, index) => {
    const isWithin = (ofBetween && isWord(token, 'AND')) || isWord(tokens[index + 1], 'EMPTY', 'ERROR');
    ofBetween = isWord(token, 'BETWEEN') || (ofBetween && !isWord(token, 'AND'));
    if ((isWord(token, ...SEPARATORS) && !isWithin) || (isSymbol(token, ',') && depths[index]! <= depth)) {
      depth = depths[index]!;
      result.push([]);
    } else {
      result.at(-1)!.push(token);
    }
  });
  return result;
}

/** `JSON_VALUE(line, '$.type' …)` at a place: of what, the path behind its `$`, and where the call ends. */
function jsonCall(tokens: SqlToken[], start: number): { of: SqlToken[]; path: string; end: number } | undefined {
  if (!isJsonFunction(tokens[start]) || !isSymbol(tokens[start + 1], '(')) {
    return undefined;
  }
  const [inner = []] = enclosed(tokens.slice(start + 1));
  const [of, path] = split(inner, (token) => isSymbol(token, ','));
  return { of: of!, path: (path?.[0]?.text ?? '$').replace(/^.*?\$/, ''), end: start + inner.length + 3 };
}

/** What an expression makes of text. */
function castOf(expression: SqlToken[]): TriedValues['as'] {
  const types = expression.filter((_, index) => isWord(expression[index - 1], 'AS', 'RETURNING')).map(({ text }) => text);
  return types.some((type) => TIME.test(type)) || expression.some((token) => isWord(token, 'TO_TIMESTAMP', 'TO_DATE'))
    ? 'time'
    : types.some((type) => NUMBER.test(type))
      ? 'number'
      : undefined;
}

/** Values with which a condition holds, or does not: none of an expression that is none. */
function comparedWith(expression: SqlToken[]): (string | number | null)[] {
  const signs = expression.filter(({ kind, text }) => kind === 'symbol' && /^[<>=]$/.test(text)).map(({ text }) => text);
  const isNull = expression.some((token, index) => isWord(token, 'IS') && isWord(expression[index + 1], 'NULL'));
  if (signs.length === 0 && !expression.some((token) => isWord(token, 'IN', 'LIKE', 'BETWEEN'))) {
    return isNull ? [null] : [];
  }
  const steps = !/[<>]/.test(signs.join('')) ? [0] : signs[0] === '<' ? [-1, 1] : [1, -1];
  const values = expression.flatMap((token, index): (string | number)[] => {
    const previous = expression[index - 1];
    if (token.kind === 'string') {
      return isWord(previous, 'INTERVAL') || /^\s*((lax|strict) )?\$/.test(token.text) ? [] : textsNear(token.text, steps, previous);
    }
    if (isWord(token, 'CURRENT_TIMESTAMP', 'CURRENT_ROW_TIMESTAMP', 'LOCALTIMESTAMP', 'NOW', 'CURRENT_DATE')) {
      return [sqlTime(Date.now() - 1_000)];
    }
    const isFraction = isSymbol(previous, '.') && /^\d/.test(expression[index - 2]?.text ?? '');
    const isSize = [expression[index - 2], expression[index - 4]].some((of) => of?.kind === 'word' && SIZED.test(of.text));
    if (token.kind !== 'word' || !/^\d/.test(token.text) || isFraction || isSize) {
      return [];
    }
    const fraction = isSymbol(expression[index + 1], '.') ? `.${expression[index + 2]?.text}` : '';
    const number = Number(token.text + fraction);
    return (isSymbol(previous, '-') ? [-number, number] : [number]).flatMap((one) => steps.map((step) => one + step));
  });
  return [...values, ...(isNull ? [null] : [])];
}

/** A text, or those about it where it is a moment or a day and order matters. */
function textsNear(text: string, steps: number[], previous: SqlToken | undefined): string[] {
  if (isWord(previous, 'LIKE')) {
    return [text.replaceAll('%', '').replaceAll('_', 'a')];
  }
  const [, day, time] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d(?:\.\d{1,3})?))?Z?$/.exec(text) ?? [];
  if (day === undefined) {
    return [text];
  }
  const moment = Date.parse(`${day}T${time ?? '00:00:00'}Z`);
  return steps.map((step) => (time === undefined ? sqlTime(moment + step * DAY).slice(0, 10) : sqlTime(moment + step * 1_000)));
}

function sqlTime(moment: number): string {
  return new Date(moment).toISOString().slice(0, 19).replace('T', ' ');
}
