import { SqlQueries } from '../../lib';

const from = { sqlName: '`events`' };

test('names stand in backticks, whatever they are', () => {
  const query = SqlQueries.latestByKey({ from, key: ['order'], eventTime: 'at', columns: ['order', 'a`b'] });
  expect(query).toContain('PARTITION BY `order` ORDER BY `at` DESC');
  expect(query).toMatch(/^SELECT `order`, `a``b`\n/);
});

test('a comment of a figure ends with its line', () => {
  const query = SqlQueries.minuteTotals({ from, key: ['id'], eventTime: 'at', totals: { total: 'SUM(amount) -- all of it' } });
  expect(query).toContain('SUM(amount) -- all of it\n AS `total`');
});

test.each<[string, () => string, string]>([
  [
    'no key',
    () => SqlQueries.deduplicated({ from, key: [], eventTime: 'at', columns: ['id'] }),
    'SqlQueries.deduplicated: key must name one column at least, got an empty list',
  ],
  [
    'a field called op',
    () => SqlQueries.withOperation({ from, columns: ['id', 'op'] }),
    "SqlQueries.withOperation: columns must not hold 'op', which is the kind of the change; rename that field before",
  ],
  [
    'no figure',
    () => SqlQueries.minuteTotals({ from, key: ['id'], eventTime: 'at', totals: {} }),
    'SqlQueries.minuteTotals: totals must name one figure at least',
  ],
  [
    'a column twice',
    () => SqlQueries.latestByKey({ from, key: ['id'], eventTime: 'at', columns: ['id', 'id'] }),
    "SqlQueries.latestByKey: columns must name each column once, got 'id' twice",
  ],
  [
    'a text in the place of a list',
    () => SqlQueries.latestByKey({ from, key: 'id' as unknown as string[], eventTime: 'at', columns: ['id'] }),
    'key of SqlQueries.latestByKey must be a list, each element text',
  ],
  [
    'a figure that ends the query',
    () => SqlQueries.minuteTotals({ from, key: ['id'], eventTime: 'at', totals: { total: 'SUM(amount); DROP TABLE x' } }),
    "SqlQueries.minuteTotals: 'total' of totals must be one piece of SQL without ';'",
  ],
  [
    'a figure with a variable',
    () => SqlQueries.saltedTotals({ from, key: ['id'], salt: 'event', parts: 2, sums: { total: "'${env:X}'" } }),
    "'total' of sums must not hold '${env:'",
  ],
  [
    'a figure in the place of a key',
    () => SqlQueries.saltedTotals({ from, key: ['id'], salt: 'event', parts: 2, sums: { id: '1' } }),
    "SqlQueries.saltedTotals: sums must not hold 'id', which is a column of the key",
  ],
  [
    'a name that the window has',
    () => SqlQueries.minuteTotals({ from, key: ['id'], eventTime: 'at', totals: { window_end: 'MAX(at)' } }),
    "SqlQueries.minuteTotals: key and totals must not hold 'window_end', which it gives itself",
  ],
  [
    'distinct values in parts',
    () => SqlQueries.saltedTotals({ from, key: ['id'], salt: 'event', parts: 2, sums: { users: ' distinct user_id' } }),
    "SqlQueries.saltedTotals: sums must not be of DISTINCT values, got ' distinct user_id' for 'users'",
  ],
  [
    'one part',
    () => SqlQueries.saltedTotals({ from, key: ['id'], salt: 'event', parts: 1, sums: { number: '1' } }),
    'parts must be a whole number from 2 to 32768, got 1',
  ],
])('refuses %s', (_what, query, message) => {
  expect(query).toThrow(message);
});
