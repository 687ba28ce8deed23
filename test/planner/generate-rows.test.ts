import { array, assert, integer, property } from 'fast-check';
import { generateRows } from '../../lib/planner/generate-rows';
import type { Plan, PlannedTable } from '../../lib/planner/plan-report';

const COLUMNS = {
  id: 'BIGINT',
  user_id: 'STRING',
  status: 'STRING',
  currency: 'VARCHAR(3)',
  amount: 'DECIMAL(18, 2)',
  quantity: 'INT',
  is_test: 'BOOLEAN',
  deleted_at: 'TIMESTAMP(3)',
  seen: 'TIMESTAMP(3)',
  day: 'DATE',
  line: 'STRING',
};

function table(name: string, columns: { [name: string]: string } = COLUMNS, primaryKey: string[] = []): PlannedTable {
  return { name, primaryKey, options: {}, columns: Object.entries(columns).map(([column, type]) => ({ name: column, type })) };
}

function plan(...tables: string[]): Plan {
  const operators = tables.map((name, index) => ({ id: index + 1, type: 'TableSourceScan', table: name, description: '', inputs: [] }));
  return { operators, sinks: [], lookups: [], vertices: [] };
}

function rowsOf(script: string, ...tables: PlannedTable[]): { [table: string]: { [column: string]: unknown }[] } {
  const given = generateRows(script, plan(...tables.map(({ name }) => name)), tables);
  return Object.fromEntries(Object.entries(given).map(([name, rows]) => [name, rows.map(({ row }) => row!)]));
}

/** Settings and options that queries say nothing of, more than there is room for. */
const AROUND = `${Array.from({ length: 60 }, (_, index) => `SET 'a.${index}' = 'b${index}';`).join('\n')}
  CREATE TABLE orders (id BIGINT, at AS CAST(line AS STRING)) WITH ('connector' = 'kafka', 'topic' = 'of orders', 'format' = 'json');\n`;
const view = (where: string) =>
  `${AROUND}CREATE TEMPORARY VIEW some AS SELECT user_id, COUNT(*) AS n FROM orders WHERE ${where} GROUP BY user_id;`;

/** Whether any row is such that the condition holds, told by hand. */
test.each<[string, (row: { [column: string]: unknown }) => boolean]>([
  ["status = 'SETTLED'", ({ status }) => status === 'SETTLED'],
  ["status <> 'SETTLED'", ({ status }) => status !== 'SETTLED'],
  ["UPPER(o.`status`) = 'A''B'", ({ status }) => status === "A'B"],
  ["status IN ('A', 'B') AND currency = 'EUR'", ({ status, currency }) => status === 'B' && currency === 'EUR'],
  ["(status = 'A' OR status = 'B') AND amount > 100.5", ({ status, amount }) => status === 'B' && Number(amount) > 100.5],
  ['amount BETWEEN 10 AND 20', ({ amount }) => Number(amount) >= 10 && Number(amount) <= 20],
  ['quantity < -5', ({ quantity }) => Number(quantity) < -5],
  ['quantity >= 18 AND quantity < 20', ({ quantity }) => Number(quantity) >= 18 && Number(quantity) < 20],
  ['COALESCE(amount, 0) > 0', ({ amount }) => Number(amount) > 0],
  ["status LIKE 'PAID%' AND user_id LIKE '%@_.org'", ({ status, user_id }) => status === 'PAID' && user_id === '@a.org'],
  ['NOT is_test', ({ is_test }) => is_test === false],
  ['deleted_at IS NULL', ({ deleted_at }) => deleted_at === null],
  ['deleted_at IS NOT NULL', ({ deleted_at }) => typeof deleted_at === 'string'],
  ["seen > TIMESTAMP '2026-05-01 12:00:00.000'", ({ seen }) => seen === '2026-05-01T12:00:01'],
  ["seen < CAST('2026-05-01 12:00:00' AS TIMESTAMP(3))", ({ seen }) => seen === '2026-05-01T11:59:59'],
  ["seen > CURRENT_TIMESTAMP - INTERVAL '1' HOUR", ({ seen }) => Date.now() - Date.parse(`${seen}Z`) < 600_000],
  ["`day` >= DATE '2026-05-01'", ({ day }) => day === '2026-05-02'],
  ['CAST(line AS INT) > 7', ({ line }) => line === '8'],
  ["JSON_VALUE(line, '$.type') = 'click'", ({ line }) => JSON.parse(String(line)).type === 'click'],
  [
    "JSON_VALUE(line, '$.user.id' RETURNING BIGINT NULL ON ERROR) > 41 AND JSON_VALUE(line, 'lax $.items[0].sku') IN ('a', 'b')",
    ({ line }) => JSON.parse(String(line)).user.id === 42 && JSON.parse(String(line)).items[0].sku === 'b',
  ],
  ["line IS JSON OBJECT AND JSON_VALUE(line, '$.user_id') IS NOT NULL", ({ line }) => JSON.parse(String(line)).user_id === 'a'],
])('a row for which a condition holds: %s', (where, holds) => {
  const inserted = `${AROUND}EXECUTE STATEMENT SET BEGIN INSERT INTO counts SELECT user_id, COUNT(*) FROM orders AS o WHERE ${where} GROUP BY user_id; END;`;
  for (const script of [view(where), inserted]) {
    const { orders } = rowsOf(script, table('orders'));
    expect(orders!.filter(holds)).not.toEqual([]);
    expect(JSON.stringify(orders)).not.toMatch(/of orders|b\d|kafka/);
  }
});

test('a condition on a name that a view or a computed column gives reaches what that is made of', () => {
  const script = `CREATE TABLE lines (line STRING, at AS TO_TIMESTAMP(JSON_VALUE(line, '$.at'))) WITH ('connector' = 'kinesis');
    CREATE TEMPORARY VIEW events AS SELECT JSON_VALUE(line, '$.type') AS event_type, at FROM lines WHERE at > TIMESTAMP '2026-05-01 00:00:00';
    INSERT INTO counts SELECT event_type, COUNT(*) FROM events WHERE event_type = 'click' GROUP BY event_type;`;
  const documents = rowsOf(script, table('lines', { line: 'STRING' })).lines!.map(({ line }) => JSON.parse(String(line)));
  expect(documents).toContainEqual({ at: '2026-05-01 00:00:01', type: 'click' });
});

test('values that do not fit a type are not tried', () => {
  const [first, ...more] = rowsOf(view("quantity = 'x' OR quantity = 3000000000 OR is_test = 'y' OR seen = 'z'"), table('orders')).orders!;
  expect([first, ...more].map(({ quantity, seen }) => [quantity, seen])).toEqual([
    [1, '2026-01-01T00:00:00'],
    [1, '2026-01-01T00:00:00'],
  ]);
});

test('rows of a table with a key replace none another, and rows of other tables find each', () => {
  const dim = table('users', { user_id: 'STRING NOT NULL', status: 'STRING' }, ['user_id']);
  const facts = table('visits', { user_id: 'STRING' });
  const { users, visits } = rowsOf(
    `INSERT INTO t SELECT v.user_id FROM visits AS v JOIN users AS u ON v.user_id = u.user_id
    WHERE u.status IN ('gold', 'silver');`,
    dim,
    facts,
  );
  expect(new Set(users!.map(({ user_id }) => user_id)).size).toBe(users!.length);
  const found = users!.filter(({ user_id }) => visits!.some((visit) => visit.user_id === user_id)).map(({ status }) => status);
  expect(found).toEqual(expect.arrayContaining(['gold', 'silver']));
});

test('too many combinations: no more rows than a probe can take, and first the one in which all hold', () => {
  const names = Array.from({ length: 8 }, (_, index) => `c${index}`);
  const columns = Object.fromEntries(names.map((name) => [name, 'STRING']));
  const script = view(names.map((name) => `${name} IN ('x', 'y', 'z')`).join(' AND '));
  const { orders } = rowsOf(script, table('orders', columns));
  expect(orders).toHaveLength(100);
  expect(orders![0]).toEqual(Object.fromEntries(names.map((name) => [name, 'x'])));
});

test('too many combinations: the values of several conditions come together, whatever factors their numbers share', () => {
  const [region, kind] = ['r', 'k'].map((name) => Array.from({ length: 9 }, (_, index) => `'${name}${index}'`).join());
  const script = view(`status <> 'A' AND region IN (${region}) AND kind IN (${kind})`);
  const { orders } = rowsOf(script, table('orders', { status: 'STRING', region: 'STRING', kind: 'STRING' }));
  expect(orders).toHaveLength(100);
  const reached = orders!.filter(({ status, region, kind }) => status !== 'A' && region !== 'a' && kind !== 'a');
  expect(reached.length).toBeGreaterThan(20);
});

test('each value of each column is tried, none of the combinations twice, and all of them where there is room', () => {
  assert(
    property(array(integer({ min: 1, max: 120 }), { minLength: 1, maxLength: 30 }), (lengths) => {
      const values = lengths.map((length, column) => Array.from({ length }, (_, value) => `c${column}v${value}`));
      const where = values.map((list, column) => `c${column} IN (${list.map((value) => `'${value}'`).join()})`).join(' AND ');
      const { orders } = rowsOf(view(where), table('orders', Object.fromEntries(lengths.map((_, column) => [`c${column}`, 'STRING']))));
      values.forEach((list, column) => {
        expect(new Set(orders!.map((row) => row[`c${column}`]))).toEqual(new Set([...list, 'a']));
      });
      const all = lengths.reduce((product, length) => product * (length + 1), 1);
      expect(new Set(orders!.map((row) => JSON.stringify(row))).size).toBe(orders!.length);
      expect(orders).toHaveLength(Math.min(all, Math.max(100, ...lengths.map((length) => length + 1))));
    }),
  );
});
