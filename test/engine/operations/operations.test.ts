import { OrderItemsStack } from '../../../bin/order-items-stack';
import { UserEventsStack } from '../../../bin/user-events-stack';
import { operationsSql } from '../../../lib/cli/sql-command';
import type { PlannerProcess } from '../../../lib/planner/planner-process';
import { statementErrors } from '../../../lib/planner/report-text';
import { newApp } from '../../fixtures/assembly';
import { startPlanner } from '../planner/planner';
import { jarsOf } from './jars-of';

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
  const report = await planner.plan({ script, configuration: { 'parallelism.default': '2' }, jars: jarsOf(assembly, job) });
  expect([...statementErrors(report), ...report.problems.filter(({ severity }) => severity === 'error')]).toEqual([]);
  expect(report.ok).toBe(true);
});
