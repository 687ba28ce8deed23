import { OrderItemsStack } from '../../../bin/order-items-stack';
import { UserEventsStack } from '../../../bin/user-events-stack';
import { operationsSql, type SqlCommandOptions } from '../../../lib/cli/sql-command';
import type { PlannerProcess } from '../../../lib/planner/planner-process';
import { statementErrors } from '../../../lib/planner/report-text';
import { newApp } from '../../fixtures/assembly';
import { assemblyOf, hostile } from '../../fixtures/operations';
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

async function plans(kind: string, ofAssembly: string, job: string, options: Partial<SqlCommandOptions>): Promise<void> {
  const script = operationsSql({ kind, assembly: ofAssembly, job, ...options });
  const report = await planner.plan({ script, configuration: { 'parallelism.default': '2' }, jars: jarsOf(ofAssembly, job) });
  expect([...statementErrors(report), ...report.problems.filter(({ severity }) => severity === 'error')]).toEqual([]);
  expect(report.ok).toBe(true);
}

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
] as const)('%s of %s is SQL that Flink takes: %p', (kind, job, options) => plans(kind, assembly, job, options));

test.each(['reconcile', 'smoke', 'load'])('%s of tables with names that SQL makes something of is SQL that Flink takes', (kind) =>
  plans(kind, assemblyOf(hostile()), 'clicks', {}),
);
