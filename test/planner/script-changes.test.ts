import { scriptChanges } from '../../lib/planner/script-changes';

const USERS = (expiry: string) =>
  `CREATE TABLE \`users\` (\`id\` STRING) WITH ('connector' = 'dynamodb-lookup', 'lookup.partial-cache.expire-after-write' = '${expiry}');\n`;
const TOTALS = "CREATE TEMPORARY TABLE totals (n BIGINT) WITH ('connector' = 'print');\n";
const INSERT = "INSERT INTO totals SELECT COUNT(*) FROM users WHERE id <> 'a;b -- c';\n";
const SCRIPT = USERS('30 min') + TOTALS + INSERT;

test('comments, white space and line breaks are no change', () => {
  expect(scriptChanges(SCRIPT, SCRIPT)).toEqual([]);
  expect(scriptChanges(SCRIPT, `-- why\n${SCRIPT.replaceAll(' (', '\n  ( /* here; */ ')}-- the end`)).toEqual([]);
});

test.each<[string, string, string[]]>([
  [
    'an option',
    USERS('30 d') + TOTALS + INSERT,
    ["table 'users': option 'lookup.partial-cache.expire-after-write' changed from 30 min to 30 d"],
  ],
  [
    'an option more',
    SCRIPT.replace("'print'", "'print', 'sink.parallelism' = '1'"),
    ["table 'totals': option 'sink.parallelism' changed from unset to 1"],
  ],
  ['a column', SCRIPT.replace('n BIGINT', 'm BIGINT'), ["table 'totals' is written otherwise"]],
  ['a text that holds what would be a comment', SCRIPT.replace('-- c', '-- d'), ["INSERT into 'totals' is written otherwise"]],
  ['a setting', `SET 'a' = 'b';\n${SCRIPT}`, ["setting 'a' is new"]],
  ['an INSERT less', USERS('30 min') + TOTALS, ["INSERT into 'totals' is gone"]],
  ['one INSERT of two', SCRIPT + INSERT.replace('*', 'id'), ["INSERT into 'totals' #2 is new"]],
  ['another order', TOTALS + USERS('30 min') + INSERT, ['statements have another order']],
  [
    'a statement set',
    `${USERS('30 min')}${TOTALS}EXECUTE STATEMENT SET BEGIN\n${INSERT}END;`,
    ['EXECUTE STATEMENT SET is new', 'END is new'],
  ],
])('%s is named', (_, after, changes) => {
  expect(scriptChanges(SCRIPT, after)).toEqual(changes);
});

describe('INSERTs of a statement set', () => {
  const copy = (table: string, from = 'users') => `INSERT INTO ${table} SELECT * FROM ${from};\n`;
  const set = (...inserts: string[]) => `${USERS('30 min')}EXECUTE STATEMENT SET BEGIN\n${inserts.join('')}END;`;

  test.each<[string, string, string, string[]]>([
    ['change places', set(copy('a'), copy('b')), set(copy('b'), copy('a')), ["INSERT into 'a' and INSERT into 'b' changed places"]],
    [
      'into one table change places',
      set(copy('a'), copy('a', 'others')),
      set(copy('a', 'others'), copy('a')),
      ["INSERT into 'a' and INSERT into 'a' #2 changed places"],
    ],
    [
      'come round',
      set(copy('a'), copy('b'), copy('c')),
      set(copy('c'), copy('a'), copy('b')),
      ["INSERT into 'a', INSERT into 'b' and INSERT into 'c' changed places"],
    ],
    [
      'change places, and one is another',
      set(copy('a'), copy('b')),
      set(copy('b', 'others'), copy('a')),
      ["INSERT into 'b' is written otherwise", "INSERT into 'a' and INSERT into 'b' changed places"],
    ],
    ['get one in front', set(copy('a'), copy('b')), set(copy('c'), copy('a'), copy('b')), ["INSERT into 'c' is new"]],
    ['lose the first of one table', set(copy('a'), copy('a', 'others')), set(copy('a', 'others')), ["INSERT into 'a' is gone"]],
  ])('%s', (_, before, after, changes) => {
    expect(scriptChanges(before, after)).toEqual(changes);
  });
});
