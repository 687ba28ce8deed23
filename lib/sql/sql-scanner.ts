import { checkNoVariable } from './identifier';

/** What a piece of SQL text is. */
export type SqlTokenKind = 'word' | 'identifier' | 'string' | 'symbol';

/** A piece of SQL text. */
export interface SqlToken {
  readonly kind: SqlTokenKind;
  /** A word as written, an identifier or string without its quotes, or one symbol character. */
  readonly text: string;
  /** Where it begins in the text that was scanned, and where it ends; its quotes are within. */
  readonly start: number;
  readonly end: number;
}

/** SQL text and its pieces. */
export interface ScannedSql {
  /** The text, closed so that whatever follows it is read as SQL. */
  readonly sql: string;
  readonly tokens: SqlToken[];
}

/** What Flink's lexer passes over; it refuses every other space of Unicode. */
const SPACE = /[ \t\n\r\f]+/y;
const OTHER_SPACE = /[\s\u0085]/;
const WORD = /[\p{L}\p{N}_$]+/uy;
const LINE_END = /[\r\n]/g;

/**
 * Splits SQL text into words, quoted identifiers, string literals and symbols, past comments.
 *
 * It is no parser: it knows just enough to tell code from quoted text. The planner judges the rest.
 *
 * @param what what the text is, as the message should call it
 * @param sql SQL text
 */
export function scanSql(what: string, sql: string): ScannedSql {
  const tokens: SqlToken[] = [];
  let openLineComment = false;
  let position = 0;
  while (position < sql.length) {
    const character = sql[position]!;
    const space = lengthOf(SPACE, sql, position);
    if (space > 0) {
      position += space;
    } else if (OTHER_SPACE.test(character)) {
      throw new Error(
        `${what} has the space ${JSON.stringify(character)} (U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}), which Flink SQL does not take: ${excerpt(sql, position)}; write a plain space`,
      );
    } else if (sql.startsWith('--', position) || sql.startsWith('//', position)) {
      LINE_END.lastIndex = position;
      const end = LINE_END.exec(sql);
      openLineComment = end === null;
      position = end?.index ?? sql.length;
    } else if (sql.startsWith('/*', position)) {
      const end = sql.indexOf('*/', position + 2);
      if (end === -1) {
        throw new Error(`${what} has a comment '/*' that is not closed: ${excerpt(sql, position)}`);
      }
      position = end + 2;
    } else if (character === '"') {
      throw new Error(
        `${what} has a double quote, which Flink SQL does not know; put names into backticks and text into single quotes: ${excerpt(sql, position)}`,
      );
    } else if (character === "'" || character === '`') {
      const [text, end] = scanQuoted(what, sql, position);
      tokens.push({ kind: character === "'" ? 'string' : 'identifier', text, start: position, end });
      position = end;
    } else {
      const word = lengthOf(WORD, sql, position);
      const end = position + Math.max(word, 1);
      tokens.push({ kind: word > 0 ? 'word' : 'symbol', text: sql.slice(position, end), start: position, end });
      position = end;
    }
  }
  return { sql: openLineComment ? `${sql}\n` : sql, tokens };
}

function scanQuoted(what: string, sql: string, start: number): [string, number] {
  const quote = sql[start]!;
  let text = '';
  let position = start + 1;
  for (let end = sql.indexOf(quote, position); end !== -1; end = sql.indexOf(quote, position)) {
    text += sql.slice(position, end);
    if (sql[end + 1] !== quote) {
      return [text, end + 1];
    }
    text += quote;
    position = end + 2;
  }
  throw new Error(`${what} has a quote ${quote} that is not closed: ${excerpt(sql, start)}`);
}

/** Length of what a sticky expression matches at a position. */
function lengthOf(expression: RegExp, sql: string, position: number): number {
  expression.lastIndex = position;
  return expression.test(sql) ? expression.lastIndex - position : 0;
}

function excerpt(sql: string, position: number): string {
  return JSON.stringify(sql.slice(position, position + 40));
}

/**
 * Refuses text that cannot be one SQL expression or query, whatever it means.
 *
 * @param what what the text is, as the message should call it
 * @param sql SQL text
 */
export function checkExpression(what: string, sql: string): ScannedSql {
  if (typeof sql !== 'string' || sql.trim() === '') {
    throw new Error(`${what} must not be empty`);
  }
  if (/\[object \w+\]|object at 0x/.test(sql)) {
    throw new Error(
      `${what} holds a printed object, got ${JSON.stringify(sql.slice(0, 80))}; put a table, view or function of the program there (its sqlName)`,
    );
  }
  checkNoVariable(what, sql);
  const scanned = scanSql(what, sql);
  checkTokens(what, sql, scanned.tokens);
  let depth = 0;
  for (const token of scanned.tokens) {
    if (token.kind !== 'symbol') {
      continue;
    }
    if (token.text === ';') {
      throw new Error(`${what} must be one piece of SQL without ';', got ${JSON.stringify(sql.slice(0, 80))}`);
    }
    depth += token.text === '(' ? 1 : token.text === ')' ? -1 : 0;
    if (depth < 0) {
      break;
    }
  }
  if (depth !== 0) {
    throw new Error(`${what} has parentheses that do not match, got ${JSON.stringify(sql.slice(0, 80))}`);
  }
  return scanned;
}

/** A value that only the deployment knows is put in as text of a string literal, where its quotes can be escaped; anywhere else it would be code. */
function checkTokens(what: string, sql: string, tokens: SqlToken[]): void {
  const count = (text: string) => text.split('${Token[').length - 1;
  const inStrings = tokens.reduce((sum, token) => sum + (token.kind === 'string' ? count(token.text) : 0), 0);
  if (count(sql) > inStrings) {
    throw new Error(
      `${what} may hold tokens in string literals only, got one elsewhere in ${JSON.stringify(sql.slice(0, 80))}; put it between single quotes, or give literal text`,
    );
  }
}
