import { SqlQueries } from '../../lib';

const from = { sqlName: '`events`' };

test('names stand in backticks, whatever they are', () => {
  const query = SqlQueries.latestByKey({ from, key: ['order'], eventTime: 'at', columns: ['order', 'a`b'] });
  expect(query).toContain('PARTITION BY `order` ORDER BY `at` DESC');
  expect(query).toMatch(/^SELECT `order`, `a``b`\n/);
});

test.each<[string, () => string, string]>([
  [
    'no key',
    () => SqlQueries.deduplicated({ from, key: [], eventTime: 'at', columns: ['id'] }),
    'a list of columns must name one at least, got an empty list',
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
    'one part',
    () => SqlQueries.saltedTotals({ from, key: ['id'], salt: 'event', parts: 1, sums: { number: '1' } }),
    'parts must be a whole number from 2 to 32768, got 1',
  ],
])('refuses %s', (_what, query, message) => {
  expect(query).toThrow(message);
});
