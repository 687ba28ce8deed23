import { OrderItemsStack } from '../../../bin/order-items-stack';
import { UserEventsStack } from '../../../bin/user-events-stack';
import { operationsSql } from '../../../lib/cli/sql-command';
import { SqlQueries } from '../../../lib/operations/sql-queries';
import type { PlannerProcess } from '../../../lib/planner/planner-process';
import { statementErrors } from '../../../lib/planner/report-text';
import { newApp } from '../../fixtures/assembly';
import { startPlanner } from '../planner/planner';

jest.setTimeout(300_000);

let planner: PlannerProcess;
let assembly: string;
beforeAll(() => {
  const app = newApp();
  new OrderItemsStack(app, 'OrderItems', { env: { account: '111122223333', region: 'eu-central-1' } });
  new UserEventsStack(app, 'UserEvents', { env: { account: '111122223333', region: 'cn-north-1' } });
  assembly = app.synth().directory;
  planner = startPlanner();
});
afterAll(() => planner.close());

test.each([
  ['reconcile', 'order-items', {}],
  ['reconcile', 'order-status', {}],
  ['reconcile', 'user-events', {}],
  ['smoke', 'order-items', { step: 'insert' }],
  ['smoke', 'order-items', { step: 'update' }],
  ['smoke', 'order-status', { step: 'delete' }],
  ['load', 'order-items', { key: 'order_id' }],
  ['load', 'order-status', {}],
  ['load', 'user-events', {}],
] as const)('%s of %s is SQL that Flink takes: %p', async (kind, job, options) => {
  const script = operationsSql({ kind, assembly, job, ...options });
  const report = await planner.plan({ script, configuration: { 'parallelism.default': '2' } });
  expect([...statementErrors(report), ...report.problems.filter(({ severity }) => severity === 'error')]).toEqual([]);
  expect(report.ok).toBe(true);
});

describe('queries that are often written wrong', () => {
  const TABLES = `CREATE TABLE orders (
  id STRING, user_id STRING, amount INT, event_time TIMESTAMP(3), WATERMARK FOR event_time AS event_time - INTERVAL '5' SECOND
) WITH ('connector' = 'datagen');
CREATE TABLE changes (\`before\` ROW<id STRING, amount INT>, \`after\` ROW<id STRING, amount INT>, op STRING) WITH ('connector' = 'datagen');
`;
  const from = { sqlName: '`orders`' };
  const key = ['user_id'];

  test.each([
    ['latestByKey', SqlQueries.latestByKey({ from, key, eventTime: 'event_time', columns: ['user_id', 'amount'] }), /Rank|Deduplicate/],
    ['deduplicated', SqlQueries.deduplicated({ from, key: ['id'], eventTime: 'event_time', columns: ['id', 'amount'] }), /Deduplicate/],
    ['withOperation', SqlQueries.withOperation({ from: { sqlName: '`changes`' }, columns: ['id', 'amount'] }), /Calc/],
    ['minuteTotals', SqlQueries.minuteTotals({ from, key, eventTime: 'event_time', totals: { amount: 'SUM(amount)' } }), /WindowAggregate/],
    [
      'saltedTotals',
      SqlQueries.saltedTotals({ from, key, salt: 'id', parts: 8, sums: { amount: 'amount' } }),
      /GroupAggregate[\s\S]*GroupAggregate/,
    ],
  ])('%s is a query that Flink takes', async (_, query, operators) => {
    const report = await planner.plan({
      script: `${TABLES}CREATE TEMPORARY VIEW answer AS
${query};
CREATE TABLE printed (rows_seen STRING) WITH ('connector' = 'print');
INSERT INTO printed SELECT CAST(COUNT(*) AS STRING) FROM answer;`,
    });
    expect(statementErrors(report)).toEqual([]);
    expect(JSON.stringify(report.plan)).toMatch(operators);
  });
});
