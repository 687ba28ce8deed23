import { mkdtempSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { pathToFileURL } from 'url';
import { OrderItemsStack } from '../../../bin/order-items-stack';
import { operationsSql } from '../../../lib/cli/sql-command';
import { findPrograms } from '../../../lib/planner/find-programs';
import type { PlannerProcess } from '../../../lib/planner/planner-process';
import type { GivenToTable, RunRequest } from '../../../lib/planner/run-request';
import { record } from '../../../lib/testing/given';
import { newApp } from '../../fixtures/assembly';
import { assemblyOf, DEBEZIUM, EVERY_TYPE, read, settledPayments } from '../../fixtures/operations';
import { startPlanner } from '../planner/planner';
import { jarsOf } from './jars-of';

jest.setTimeout(300_000);

let planner: PlannerProcess;
beforeAll(() => {
  planner = startPlanner();
});
afterAll(() => planner.close());

/** The record that the SQL of a step writes, as the source of the job gets it. */
async function sent(assembly: string, job: string, step: string, set?: string[]): Promise<GivenToTable> {
  const { sinks } = await planner.run({
    program: { script: operationsSql({ kind: 'smoke', assembly, job, step, set }), jars: jarsOf(assembly, job) },
    endOfInput: true,
  });
  const { changes } = sinks.smoke_changes!;
  expect(changes).toHaveLength(1);
  return record(changes[0]!.record!);
}

test('insert, update, restart, delete: what the head of the script says comes out of the job', async () => {
  const app = newApp();
  new OrderItemsStack(app, 'OrderItems', { env: { account: '111122223333', region: 'eu-central-1' } });
  const { directory: assembly } = app.synth();
  const { script, configuration } = findPrograms(assembly).find(({ jobName }) => jobName === 'order-items')!;
  const savepoints = mkdtempSync(join(tmpdir(), 'smoke-'));
  const after = async (steps: string[], rest: Partial<RunRequest>) => {
    const given = await Promise.all(steps.map((step) => sent(assembly, 'order-items', step)));
    const { sinks } = await planner.run({
      program: { script, configuration, jars: jarsOf(assembly, 'order-items') },
      tables: { orders_cdc: given },
      ...rest,
    });
    return sinks.dwd_order_item!.changes;
  };

  const before = await after(['insert', 'update'], { savepointDirectory: pathToFileURL(savepoints).href });
  expect(new Set([...before].map(({ key }) => key))).toEqual(new Set(['{"order_id":"smoke-check","item_id":"smoke-check"}']));
  expect(
    before.map(({ tombstone, row: { quantity, amount, order_status } }) => (tombstone ? null : [quantity, amount, order_status])),
  ).toEqual([[1, 1, '1'], null, [2, 2, '1']]);
  const afterwards = await after(['delete'], { restoreFrom: pathToFileURL(savepoints).href });
  expect(afterwards.map(({ key, tombstone }) => [key, tombstone])).toEqual([['{"order_id":"smoke-check","item_id":"smoke-check"}', true]]);
  rmSync(savepoints, { recursive: true });
});

test('the lowest number of each type is read as it is', async () => {
  const numbers = EVERY_TYPE.filter(({ name }) => /int|float|double|decimal|digit/.test(name));
  const assembly = assemblyOf(
    read(
      numbers,
      { format: DEBEZIUM },
      numbers.map(({ name }) => name),
    ),
  );
  const types = numbers.map(({ name, type }) => `\`${name}\` ${type}`).join(', ');
  const texts = numbers.map(({ name }) => `CAST(\`${name}\` AS STRING)`).join(', ');
  const { sinks } = await planner.run({
    program: {
      script: `CREATE TABLE \`rows\` (${types}) WITH ('connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'b:9092', 'properties.group.id' = 'g', 'format' = 'debezium-json');
CREATE TABLE seen (numbers STRING) WITH ('connector' = 'print');
INSERT INTO seen SELECT CONCAT_WS(' ', ${texts}) FROM \`rows\`;`,
      jars: jarsOf(assembly, 'clicks'),
    },
    tables: { rows: [await sent(assembly, 'clicks', 'insert')] },
  });
  expect(sinks.seen!.rows).toEqual([
    {
      numbers: `-128 -32768 -2147483648 -9223372036854775808 -1.6777215E7 -9.007199254740991E15 -9.00 -${'9'.repeat(38)}`,
    },
  ]);
});

test('a job that asks for more than a row has: nothing comes out, as the head says, until --set gives it', async () => {
  const assembly = assemblyOf(settledPayments());
  const { script, configuration } = findPrograms(assembly)[0]!;
  const jars = jarsOf(assembly, 'clicks');
  const totals = async (...set: string[]) => {
    const payments = [await sent(assembly, 'clicks', 'insert', set), await sent(assembly, 'clicks', 'update', set)];
    const { sinks } = await planner.run({ program: { script, configuration, jars }, tables: { payments } });
    return sinks.totals!.changes.map(({ tombstone, row: found }) => (tombstone ? null : found));
  };

  expect(operationsSql({ kind: 'smoke', assembly })).toContain("--    WHERE p.state = 'SETTLED'\n--    WHERE deleted_at IS NULL\n");
  expect(await totals()).toEqual([]);
  expect(await totals('state=SETTLED', 'level=3')).toEqual([]);
  const settled = ['state=SETTLED', 'deleted_at=NULL', 'level=3'];
  const row = (amount: number) => ({ region: '1', currency: '1', amount });
  // The sum is taken back before it comes again.
  expect(await totals(...settled)).toEqual([row(1), null, row(2)]);
  expect(await totals(...settled, 'amount=12.50')).toEqual([row(12.5)]);
});

test.each([
  ['numbers', EVERY_TYPE, /int|float|double|decimal|digit|fraction/],
  ['everything, where there are no numbers', EVERY_TYPE.filter(({ name }) => !/int|float|double|decimal|digit|fraction/.test(name)), /./],
])('every type gets a value that its format reads; the update changes %s', async (_what, given, changing) => {
  const assembly = assemblyOf(read(given, { format: DEBEZIUM }));
  const columns = given.map(({ name }) => `\`${name}\``).join(', ');
  const types = given.map(({ name, type }) => `\`${name}\` ${type}`).join(', ');
  const { sinks } = await planner.run({
    program: {
      script: `CREATE TABLE \`rows\` (${types}) WITH ('connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'b:9092', 'properties.group.id' = 'g', 'format' = 'debezium-json');
CREATE TABLE seen (${types}) WITH ('connector' = 'kafka', 'topic' = 's', 'properties.bootstrap.servers' = 'b:9092', 'format' = 'debezium-json');
INSERT INTO seen SELECT ${columns} FROM \`rows\`;`,
      jars: jarsOf(assembly, 'clicks'),
    },
    tables: { rows: [await sent(assembly, 'clicks', 'insert'), await sent(assembly, 'clicks', 'update')] },
  });
  const { changes } = sinks.seen!;
  expect(changes.map(({ op }) => op)).toEqual(['+I', '-U', '+U']);
  const [first, , second] = changes.map(({ row: found }) => found);
  expect(Object.values(first!)).not.toContain(null);
  expect(first).toMatchObject({ a_char: '1', a_binary: Buffer.from('11').toString('base64'), a_date: '2026-01-01' });
  expect(Object.keys(first!).filter((column) => `${first![column]}` !== `${second![column]}`)).toEqual(
    given.map(({ name }) => name).filter((name) => changing.test(name)),
  );
});
