import { scanSql } from '../../lib/sql/sql-scanner';

test('each piece of SQL text tells where it stands, with its quotes', () => {
  const sql = "SELECT `a``b`, 'it''s' -- a comment\n  FROM t/* another */WHERE größe>=1.5";
  const { tokens } = scanSql('a query', sql);
  expect(tokens.map(({ start, end }) => sql.slice(start, end))).toEqual([
    'SELECT',
    '`a``b`',
    ',',
    "'it''s'",
    'FROM',
    't',
    'WHERE',
    'größe',
    '>',
    '=',
    '1',
    '.',
    '5',
  ]);
  expect(tokens.slice(1, 4).map(({ text }) => text)).toEqual(['a`b', ',', "it's"]);
});
