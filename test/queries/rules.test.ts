import { Duration } from 'aws-cdk-lib';
import { applicationErrors, applicationWarnings } from '../../lib/rules/application-rules';
import { Column } from '../../lib/sql/column';
import { Changes } from '../../lib/sql/connector';
import { DataType } from '../../lib/sql/data-type';
import { SqlProgram } from '../../lib/sql/sql-program';
import type { SqlTableProps } from '../../lib/sql/sql-table';
import { COLUMNS, into } from '../cases/findings';
import { application, sink, stream } from '../fixtures/programs';
import { programOf } from './tables';

const TOTALS = 'SELECT id, SUM(amount) AS total FROM shows GROUP BY id';

/** What the rules say of a query whose state expires. */
function expiring(query: string): string[] {
  return applicationWarnings(application({ program: programOf([{ query }]), parallelism: 4, stateTtl: Duration.days(1) }))
    .filter(({ table }) => table === 'out_0')
    .map(({ message }) => message);
}

test.each([
  [
    'a sum',
    `SELECT c.id, t.total FROM clicks AS c JOIN (${TOTALS}) AS t ON c.id = t.id`,
    /joins rows of a GROUP BY without a window, which/,
  ],
  [
    'a sum and changes',
    `SELECT o.id, t.total FROM orders AS o JOIN (${TOTALS}) AS t ON o.id = t.id`,
    /joins rows of 'orders', which are updated/,
  ],
  ['distinct changes', 'SELECT DISTINCT name, amount FROM orders', /groups rows of 'orders', which are updated/],
  ['a sum of all changes', "SELECT 'all', SUM(amount) FROM orders", /groups rows of 'orders', which are updated/],
  [
    'the best changes',
    'SELECT id, amount FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY name ORDER BY amount DESC) AS n FROM orders) WHERE n = 1',
    /ranks rows of 'orders', which are updated/,
  ],
])('what expires under %s is named', (_, query, message) => {
  expect(expiring(query)).toEqual([expect.stringMatching(message)]);
});

test('a lookup for rows of an outer join is named', () => {
  const query =
    'SELECT c.id, u.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id JOIN users FOR SYSTEM_TIME AS OF c.proc_time AS u ON c.id = u.id';
  expect(expiring(query)).toEqual([expect.stringMatching(/looks up 'users' for rows of an outer join, which are updated/)]);
});

test('a lookup for sums is named, unless the key of a sink replaces them', () => {
  const sums = 'SELECT id, SUM(amount) AS total, PROCTIME() AS t FROM clicks GROUP BY id';
  const query = `SELECT s.id, s.total FROM (${sums}) AS s LEFT JOIN users FOR SYSTEM_TIME AS OF s.t AS u ON s.id = u.id`;
  const told = (table: Partial<SqlTableProps>) => {
    const program = programOf([]);
    program.addInsert(program.addTable('out', { ...sink({}, table), columns: COLUMNS }), query);
    return applicationWarnings(application({ program, parallelism: 4, stateTtl: Duration.days(1) })).map(({ id }) => id);
  };
  expect(told({})).toContain('cdk-flink-pipeline:LookupOverChanges');
  expect(told({ primaryKey: ['id'] })).not.toContain('cdk-flink-pipeline:LookupOverChanges');
});

const ENRICHED = 'SELECT o.id, u.amount FROM orders AS o LEFT JOIN users_by_id FOR SYSTEM_TIME AS OF o.proc_time AS u ON u.id = o.id';

describe('a lookup by the key of its table, for changes of a source', () => {
  const told = (query: string, primaryKey = ['id'], columns?: string[]) => {
    const program = programOf([]);
    program.addView('recent_orders', 'SELECT id AS order_id, proc_time, name FROM orders WHERE amount > 5');
    const out = { ...sink({ changes: Changes.UPSERT }), columns: COLUMNS, primaryKey: primaryKey.length > 0 ? primaryKey : undefined };
    program.addInsert(program.addTable('out', out), query, { columns });
    return applicationWarnings(application({ program, parallelism: 4, stateTtl: Duration.days(1) })).filter(({ id }) =>
      id.endsWith(':LookupOverChanges'),
    );
  };

  test.each([
    ['as it is', ENRICHED],
    ['of a condition on the source', `${ENRICHED} WHERE o.amount > 5`],
    ['by another column', ENRICHED.replace('= o.id', '= o.name')],
    ['of more than the key', `${ENRICHED} AND u.amount > 5`],
    ['of two', ENRICHED.replace(' LEFT', ' LEFT JOIN users_by_id FOR SYSTEM_TIME AS OF o.proc_time AS v ON o.name = v.id LEFT')],
    ['of a view', ENRICHED.replace('orders', 'recent_orders').replaceAll('o.id', 'o.order_id')],
  ])('is not named for a sink with the key of the source: %s', (_, query) => {
    expect(told(query)).toEqual([]);
  });

  test.each([
    ['of an inner join', ENRICHED.replace('LEFT ', '')],
    ['by no key', ENRICHED.replace('users_by_id', 'users')],
    ['by another column of the table', ENRICHED.replace('u.id', 'u.name')],
    ['by part of a condition', ENRICHED.replace('u.id = o.id', "u.id = o.id OR u.name = 'a'")],
    ['by a bound', ENRICHED.replace('u.id =', 'u.id <=')],
    ['of a condition on what is looked up', `${ENRICHED} WHERE u.amount > 5`],
    ['of sums', ENRICHED.replace('u.amount', 'SUM(u.amount)').concat(' GROUP BY o.id')],
    ['of a union', `${ENRICHED} UNION ALL SELECT id, amount FROM clicks`],
    ['whose value is the key', ENRICHED.replace('o.id, u.amount', 'u.name, o.amount')],
    ['behind a subquery', `SELECT * FROM (${ENRICHED}) WHERE amount > 5`],
    ['of distinct rows', ENRICHED.replace('SELECT', 'SELECT DISTINCT')],
  ])('is named %s', (_, query) => {
    expect(told(query)).toEqual([expect.objectContaining({ table: 'out' })]);
  });

  test('is named for a sink with another key or none, and goes by the columns of the INSERT', () => {
    expect(told(ENRICHED, ['amount'])).toHaveLength(1);
    expect(told(ENRICHED, ['id', 'amount'])).toHaveLength(1);
    expect(told(ENRICHED, [])).toHaveLength(1);
    expect(told(ENRICHED.replace('o.id, u.amount', 'u.amount, o.id'), ['id'], ['amount', 'id'])).toEqual([]);
  });
});

test.each([
  ['SELECT DISTINCT id, amount FROM events', 'a SELECT DISTINCT, whose'],
  ['SELECT id, amount FROM events UNION SELECT id, amount FROM events', 'a UNION without ALL, whose'],
  ["SELECT 'all', SUM(amount) FROM events", 'an aggregate without a window, whose'],
  ['SELECT id, t FROM (SELECT id, SUM(amount) AS t FROM events GROUP BY id)', 'a GROUP BY without a window, whose'],
  ['SELECT id, amount FROM events ORDER BY amount LIMIT 3', 'a LIMIT, whose'],
])('a sink that only appends is refused %s', (query, what) => {
  const program = into(sink({ changes: Changes.INSERT_ONLY }).connector, {}, query);
  const errors = applicationErrors(application({ program }));
  expect(errors).toEqual([expect.stringContaining(`has ${what} rows Flink updates, and the test table`)]);
  // Only groups have a window to end them.
  expect(errors[0]!.includes(', or aggregate over a window')).toBe(/aggregate|GROUP BY/.test(what));
});

test.each([
  ['in the order of the table', undefined, 'amount'],
  ['in an order of its own', ['amount', 'id'], undefined],
])('NullIntoNotNull goes by the columns of the INSERT, %s', (_, columns, target) => {
  const program = new SqlProgram();
  const strict = [Column.physical('id', DataType.STRING), Column.physical('amount', DataType.BIGINT.notNull())];
  program.addTable('events', { ...stream('clicks', 4), columns: strict });
  const query = 'SELECT e.amount, u.id FROM events AS e LEFT JOIN events AS u ON e.id = u.id';
  const given = columns === undefined ? query.replace('e.amount, u.id', 'e.id, u.amount') : query;
  program.addInsert(program.addTable('out', { ...sink(), columns: strict }), given, { columns });
  const found = applicationWarnings(application({ program, stateTtl: Duration.days(1) })).map(
    ({ message }) => / into (\w+), which must/.exec(message)?.[1],
  );
  expect(found).toEqual(target === undefined ? [] : [target]);
});
