import { SqlQueries } from '../../../lib/operations/sql-queries';
import type { PlannerProcess } from '../../../lib/planner/planner-process';
import { statementErrors } from '../../../lib/planner/report-text';
import type { GivenToTable } from '../../../lib/planner/run-request';
import { type Row, record, row } from '../../../lib/testing/given';
import { startPlanner } from '../planner/planner';

jest.setTimeout(300_000);

let planner: PlannerProcess;
beforeAll(() => {
  planner = startPlanner();
});
afterAll(() => planner.close());

const kafka = (format: string) =>
  `'connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'b:9092', 'properties.group.id' = 'g', 'scan.startup.mode' = 'earliest-offset', 'format' = '${format}'`;

const DEFINITIONS = `CREATE TABLE events (
  id STRING, user_id STRING, amount INT, event_time TIMESTAMP(3), WATERMARK FOR event_time AS event_time - INTERVAL '5' SECOND
) WITH (${kafka('json')});
CREATE TABLE changing (id STRING, user_id STRING, amount INT, event_time TIMESTAMP(3)) WITH (${kafka('debezium-json')});
CREATE TABLE captured (\`before\` ROW<id STRING, amount INT>, \`after\` ROW<id STRING, amount INT>, op STRING) WITH (${kafka('json')});
CREATE TABLE users (user_id STRING, level STRING, PRIMARY KEY (user_id) NOT ENFORCED) WITH (
  'connector' = 'dynamodb-lookup', 'table-name' = 'users', 'aws.region' = 'eu-central-1'
);`;
const from = { sqlName: '`events`' };
const changing = { sqlName: '`changing`' };

const programOf = (query: string, columns: string) => ({
  script: `${DEFINITIONS}
CREATE TABLE answer (${columns}) WITH ('connector' = 'print');
INSERT INTO answer ${query};`,
});

/** What a query gives: the changes of each phase, and the rows that they leave. */
async function answer(query: string, columns: string, tables: { [table: string]: GivenToTable[] }) {
  const program = programOf(query, columns);
  const report = await planner.plan(program);
  expect(statementErrors(report)).toEqual([]);
  const { sinks } = await planner.run({ program, tables });
  return { operators: report.plan!.operators, changes: sinks.answer!.changes, rows: sinks.answer!.rows };
}

const event = (id: string, user: string, second: number, amount = 1, phase = 1) =>
  row({ id, user_id: user, amount, event_time: `2026-01-01T00:00:${String(second).padStart(2, '0')}` }, { phase });

describe('latestByKey', () => {
  const props = { key: ['user_id'], eventTime: 'event_time', columns: ['user_id', 'id'] };
  const columns = 'user_id STRING, id STRING';

  test('a late row and a repeated one do not replace a later one', async () => {
    const { rows, changes } = await answer(SqlQueries.latestByKey({ from, ...props }), columns, {
      events: [event('e1', 'u1', 20), event('e0', 'u1', 10), event('e2', 'u2', 5), event('e1', 'u1', 20), event('e3', 'u2', 6, 1, 2)],
    });
    expect(rows).toEqual([
      { user_id: 'u1', id: 'e1' },
      { user_id: 'u2', id: 'e3' },
    ]);
    expect(changes.filter(({ phase }) => phase === 2).map(({ op, row: { id } }) => [op, id])).toEqual([
      ['-U', 'e2'],
      ['+U', 'e3'],
    ]);
  });

  test('after the latest row is deleted, the one before it is the latest', async () => {
    const later: Row = { id: 'e2', user_id: 'u1', amount: 1, event_time: '2026-01-01T00:00:20' };
    const { rows } = await answer(SqlQueries.latestByKey({ from: changing, ...props }), columns, {
      changing: [event('e1', 'u1', 10), row(later), row(later, { op: '-D', phase: 2 })],
    });
    expect(rows).toEqual([{ user_id: 'u1', id: 'e1' }]);
  });
});

test('deduplicated: what is repeated counts once, in whatever order it comes, once the watermark has passed it; a late row is dropped', async () => {
  const once = SqlQueries.deduplicated({ from, key: ['id'], eventTime: 'event_time', columns: ['id', 'user_id', 'amount'] });
  const { operators, rows } = await answer(
    `SELECT user_id, COUNT(*), SUM(amount) FROM (${once}) GROUP BY user_id`,
    'user_id STRING, number BIGINT, amount INT',
    {
      events: [
        event('e1', 'u1', 20, 5),
        event('e2', 'u1', 17, 7),
        event('e1', 'u1', 20, 5),
        // The watermark has passed it before it came.
        event('late', 'u1', 14, 1000),
        // A first row is known once the watermark has passed it.
        event('later', 'u2', 59),
        event('e1', 'u1', 20, 5, 2),
      ],
    },
  );
  expect(operators.find(({ type }) => type === 'Deduplicate')?.changes).toEqual(['+I']);
  expect(rows).toEqual([{ user_id: 'u1', number: 2, amount: 12 }]);
});

test('withOperation: each change is a row with a value, a delete too', async () => {
  const query = SqlQueries.withOperation({ from: { sqlName: '`captured`' }, columns: ['id', 'amount'] });
  const change = (op: string, before: object | null, after: object | null) => record(JSON.stringify({ before, after, op }));
  const { changes } = await answer(query, 'op STRING, id STRING, amount INT', {
    captured: [
      change('r', null, { id: 'a', amount: 1 }),
      change('c', null, { id: 'b', amount: 2 }),
      change('u', { id: 'b', amount: 2 }, { id: 'b', amount: null }),
      change('d', { id: 'b', amount: null }, null),
      change('t', null, null),
    ],
  });
  expect(changes.map(({ op, row: columns }) => [op, ...Object.values(columns)])).toEqual([
    ['+I', 'INSERT', 'a', 1],
    ['+I', 'INSERT', 'b', 2],
    ['+I', 'UPDATE', 'b', null],
    ['+I', 'DELETE', 'b', null],
  ]);
});

test('minuteTotals: one row for each key and minute asks the dimension, late rows within the watermark included', async () => {
  const totals = SqlQueries.minuteTotals({
    from,
    key: ['user_id'],
    eventTime: 'event_time',
    totals: { amount: 'SUM(amount)', events: 'COUNT(*)' },
  });
  const { operators, changes } = await answer(
    `SELECT t.user_id, t.window_start, t.amount, t.events, u.level FROM (${totals}) AS t
LEFT JOIN users FOR SYSTEM_TIME AS OF t.proc_time AS u ON t.user_id = u.user_id`,
    'user_id STRING, minute_start TIMESTAMP(3), amount INT, events BIGINT, level STRING',
    {
      events: [
        event('e1', 'u1', 50, 5),
        event('e2', 'u1', 49, 7),
        event('e3', 'u2', 1, 1),
        row({ id: 'e4', user_id: 'u1', amount: 100, event_time: '2026-01-01T00:01:30' }),
        // The minute has been closed.
        event('e5', 'u1', 55, 1000, 2),
      ],
      users: [row({ user_id: 'u1', level: 'gold' })],
    },
  );
  const order = operators.map(({ type }) => type).filter((type) => /LookupJoin|WindowAggregate$/.test(type));
  expect([order.length > 1, order.at(-1)]).toEqual([true, 'LookupJoin']);
  expect(changes.map(({ op, row: columns }) => [op, ...Object.values(columns)]).sort()).toEqual([
    ['+I', 'u1', '2026-01-01T00:00:00', 12, 2, 'gold'],
    ['+I', 'u2', '2026-01-01T00:00:00', 1, 1, null],
  ]);
});

describe('saltedTotals', () => {
  const props = { key: ['user_id'], salt: 'id', parts: 4, sums: { amount: 'amount', number: '1' } };
  const columns = 'user_id STRING, amount INT, number INT';

  test('the parts of a hot key come together in one row', async () => {
    const { operators, rows } = await answer(SqlQueries.saltedTotals({ from, ...props }), columns, {
      events: Array.from({ length: 60 }, (_, index) => event(`e${index}`, index % 6 === 0 ? 'u2' : 'hot', index % 60, index)),
    });
    expect(operators.filter(({ type }) => type === 'GroupAggregate')).toHaveLength(2);
    expect(rows.map((found) => Object.values(found)).sort()).toEqual([
      ['hot', 1500, 50],
      ['u2', 270, 10],
    ]);
  });

  test('an update and deletes are taken out of the part that they went into; a key without rows goes', async () => {
    const click = (id: string, user: string, amount: number): Row => ({ id, user_id: user, amount });
    const { rows } = await answer(SqlQueries.saltedTotals({ from: changing, ...props }), columns, {
      changing: [
        ...['a', 'b', 'c', 'd', 'e'].map((id) => row(click(id, 'u1', 10))),
        row(click('x', 'u2', 1)),
        row(click('a', 'u1', 10), { op: '-U', phase: 2 }),
        row(click('a', 'u1', 3), { op: '+U', phase: 2 }),
        row(click('b', 'u1', 10), { op: '-D', phase: 2 }),
        row(click('x', 'u2', 1), { op: '-D', phase: 3 }),
      ],
    });
    expect(rows).toEqual([{ user_id: 'u1', amount: 33, number: 4 }]);
  });
});
