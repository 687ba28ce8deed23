import { checkLiteral, checkName, commentClause, quoteIdentifier, quoteString } from '../../lib/sql/identifier';

test.each([
  ['orders', '`orders`'],
  ['select', '`select`'],
  ['a.b c', '`a.b c`'],
  ['a`b', '`a``b`'],
  ['``', '``````'],
  ["it's", "`it's`"],
])('identifier %s', (name, quoted) => {
  expect(quoteIdentifier(name)).toBe(quoted);
});

test.each([
  ['plain', "'plain'"],
  ['', "''"],
  ["it's", "'it''s'"],
  ["''", "''''''"],
  ['a\\n', "'a\\n'"],
  ['two\nlines', "'two\nlines'"],
  ['`', "'`'"],
])('string %j', (text, quoted) => {
  expect(quoteString(text)).toBe(quoted);
});

test('a comment clause is there only with a comment, even an empty one', () => {
  expect(commentClause(undefined)).toBe('');
  expect(commentClause('')).toBe(" COMMENT ''");
  expect(commentClause("it's")).toBe(" COMMENT 'it''s'");
});

test.each([
  ['', "name must not be empty, got ''"],
  [' \u00a0', "name must not be empty, got ' \u00a0'"],
  [undefined as unknown as string, "name must not be empty, got 'undefined'"],
  ['a\nb', 'name must not hold control characters, got "a\\nb"'],
  ['a\u0000', 'name must not hold control characters, got "a\\u0000"'],
  ['\u007f', 'name must not hold control characters'],
  ['${Token[TOKEN.7]}', 'name must be known at synth, got an unresolved token'],
  ['x#{Token[TOKEN.7]}', 'name must be known at synth, got an unresolved token'],
  ['c-1.8881545897087503e+289', 'name must be known at synth, got an unresolved token'],
  ['n'.repeat(257), 'name must have at most 256 characters, got 257'],
  ['${env:PASSWORD}', "name must not hold '${env:'"],
])('refuses the name %j', (name, message) => {
  expect(() => checkName('name', name)).toThrow(message);
});

test.each(['a', 'select', ' a', 'a b', '${x}', 'a;b', '--', '*/', '表', '🦩', '\u0080'])('takes the name %j', (name) => {
  expect(() => checkName('name', name)).not.toThrow();
});

test('literal text may be empty and of many lines', () => {
  expect(() => checkLiteral('comment', '')).not.toThrow();
  expect(() => checkLiteral('comment', "line\r\n';-- ${x} env: Token[")).not.toThrow();
  expect(() => checkLiteral('comment', 'of ${Token[A.1]}')).toThrow('comment must be known at synth');
  expect(() => checkLiteral('comment', '${env:X}')).toThrow("comment must not hold '${env:'");
});
