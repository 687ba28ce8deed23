import type { SqlToken } from '../sql/sql-scanner';

const LONGEST = 160;

/** Tokens as they stand in the text that they come from, in one line. */
export function asWritten(sql: string, tokens: SqlToken[]): string {
  const pieces = tokens.map(({ kind, text }) =>
    kind === 'string' ? quoted(text, "'") : kind === 'identifier' ? quoted(text, '`') : escaped(text),
  );
  const between = '(?:\\s|--.*|//.*|/\\*[\\s\\S]*?\\*/)*';
  const [found = tokens.map(({ text }) => text).join(' ')] = new RegExp(pieces.join(between)).exec(sql) ?? [];
  const line = found.replaceAll(/\s+/g, ' ');
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

function quoted(text: string, quote: string): string {
  return `${quote}${escaped(text.replaceAll(quote, quote + quote))}${quote}`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
