import { OrderItemsStack } from '../../../bin/order-items-stack';
import {
  CleanupPolicy,
  Column,
  DataType,
  Format,
  KafkaSink,
  KafkaSource,
  KafkaStart,
  MalformedRecords,
  SqlProgram,
  UpsertKafkaSink,
} from '../../../lib';
import { operationsSql } from '../../../lib/cli/sql-command';
import type { PlannerProcess } from '../../../lib/planner/planner-process';
import type { GivenToTable, RunResult } from '../../../lib/planner/run-request';
import { record, row } from '../../../lib/testing/given';
import { topic } from '../../connectors/kafka-fixtures';
import { newApp } from '../../fixtures/assembly';
import { assemblyOf, copies } from '../../fixtures/operations';
import { startPlanner } from '../planner/planner';
import { jarsOf } from './jars-of';

jest.setTimeout(300_000);

let planner: PlannerProcess;
beforeAll(() => {
  planner = startPlanner();
});
afterAll(() => planner.close());

async function printed(assembly: string, job: string, tables: { [table: string]: GivenToTable[] }): Promise<RunResult['sinks']> {
  const script = operationsSql({ kind: 'reconcile', assembly, job });
  return (await planner.run({ program: { script, jars: jarsOf(assembly, job) }, tables, endOfInput: true })).sinks;
}

/** What is left of the changes, as the head of the script says that its log is read. */
async function reconcile(assembly: string, job: string, tables: { [table: string]: GivenToTable[] }) {
  const sinks = await printed(assembly, job, tables);
  return (report: string) => [...sinks[report]!.rows].map((found) => Object.values(found)).sort();
}

describe('order items, by key', () => {
  const app = newApp();
  new OrderItemsStack(app, 'OrderItems', { env: { account: '111122223333', region: 'eu-central-1' } });
  const { directory: assembly } = app.synth();

  const change = (changeId: number, order: string, quantity: number) => ({
    order_id: order,
    item_id: 'i1',
    change_id: changeId,
    quantity,
    amount: `${quantity}.50`,
    order_status: 'NEW',
  });
  const event = (before: object | null, after: object | null) =>
    record(JSON.stringify({ before, after, op: before === null ? 'c' : after === null ? 'd' : 'u' }));
  const source = [
    event(null, change(1, 'o1', 2)),
    event(null, change(2, 'o1', 3)),
    event(change(2, 'o1', 3), change(2, 'o1', 5)),
    event(null, change(3, 'o2', 4)),
    event(null, change(4, 'o3', 9)),
    event(change(4, 'o3', 9), null),
  ];
  const item = (order: string, quantity: number, amount: string, status = 'NEW') =>
    row({ order_id: order, item_id: 'i1', quantity, amount, order_status: status }, { op: '+U' });
  const gone = (order: string) => row({ order_id: order, item_id: 'i1' }, { op: '-D' });
  const total = (items: number, quantity: number, amount: string) => row({ topic: 'dwd_order_item', items, quantity, amount });

  test('a sink that holds what the query gives: equal counts, equal sums, no difference', async () => {
    const written = [item('o1', 2, '2.50'), item('o1', 7, '8.00'), item('o2', 4, '4.50'), item('o3', 9, '9.50'), gone('o3')];
    const report = await reconcile(assembly, 'order-items', {
      orders_cdc: source,
      dwd_order_item: written,
      dwd_order_item_written: written,
      order_item_totals: [total(2, 11, '12.50')],
    });
    expect(report('dwd_order_item_counts')).toEqual([
      ['expected', 2],
      ['written', 2],
    ]);
    expect(report('dwd_order_item_sums')).toEqual([
      ['expected', 11, 12.5],
      ['written', 11, 12.5],
    ]);
    expect(report('dwd_order_item_differences')).toEqual([]);
    expect(report('order_item_totals_sums')).toEqual([
      ['expected', 2, 11, 12.5],
      ['written', 2, 11, 12.5],
    ]);
    expect(report('order_item_totals_differences')).toEqual([]);
  });

  test('a row that is missing, one too many and one that differs: each level tells what it can', async () => {
    const report = await reconcile(assembly, 'order-items', {
      orders_cdc: source,
      dwd_order_item: [item('o1', 7, '8.00', 'PAID'), item('o3', 9, '9.50')],
    });
    // As many rows, so that a count alone is blind to it.
    expect(report('dwd_order_item_counts')).toEqual([
      ['expected', 2],
      ['written', 2],
    ]);
    expect(report('dwd_order_item_sums')).toEqual([
      ['expected', 11, 12.5],
      ['written', 16, 17.5],
    ]);
    expect(report('dwd_order_item_differences')).toEqual([
      ['differs', 'o1 | i1'],
      ['missing', 'o2 | i1'],
      ['not expected', 'o3 | i1'],
    ]);
  });

  test('many rows are few changes in the log', async () => {
    const orders = Array.from({ length: 300 }, (_, index) => `o${index}`);
    const sinks = await printed(assembly, 'order-items', {
      orders_cdc: orders.map((order, index) => event(null, change(index, order, 1))),
      dwd_order_item: orders.map((order) => item(order, 1, '1.50')),
    });
    const { changes, rows } = sinks.dwd_order_item_counts!;
    expect(rows.map((found) => Object.values(found)).sort()).toEqual([
      ['expected', 300],
      ['written', 300],
    ]);
    expect(changes.length).toBeLessThan(20);
    expect(sinks.dwd_order_item_differences!.rows).toEqual([]);
  });

  test('columns that differ alone are found by the third level alone', async () => {
    const report = await reconcile(assembly, 'order-items', {
      orders_cdc: source,
      dwd_order_item: [item('o1', 7, '8.00', 'PAID'), item('o2', 4, '4.50')],
    });
    const [expected, written] = report('dwd_order_item_sums');
    expect(expected!.slice(1)).toEqual(written!.slice(1));
    expect(report('dwd_order_item_differences')).toEqual([['differs', 'o1 | i1']]);
  });
});

describe('copies without a key, of two INSERTs, with metadata and a map', () => {
  const assembly = assemblyOf(copies());
  const clicks = [
    row({ id: 'c1', amount: '1.00', labels: { b: '2' }, offset: 0 }),
    row({ id: 'c2', amount: '20.00', labels: { a: '1' }, offset: 1 }),
    row({ id: 'c2', amount: '20.00', labels: { a: '1' }, offset: 2 }),
  ];
  const copy = (id: string, amount: string, labels?: object) => row({ id, amount, labels, sent_at: '2026-01-01T00:00:00Z' });

  test('what both queries give is there', async () => {
    const report = await reconcile(assembly, 'clicks', {
      clicks,
      copies: [copy('c2', '20.00', { a: '1' }), copy('c1', '1.00'), copy('c2', '20.00', { a: '1' })],
    });
    expect(report('copies_counts')).toEqual([
      ['expected', 3],
      ['written', 3],
    ]);
    expect(report('copies_sums')).toEqual([
      ['expected', 41],
      ['written', 41],
    ]);
    expect(report('copies_differences')).toEqual([]);
  });

  test('one copy too few, and one with another map', async () => {
    const report = await reconcile(assembly, 'clicks', {
      clicks,
      copies: [copy('c2', '20.00', { a: '1' }), copy('c1', '1.00', { b: '2' })],
    });
    expect(report('copies_counts')).toEqual([
      ['expected', 3],
      ['written', 2],
    ]);
    expect(report('copies_sums')).toEqual([
      ['expected', 41],
      ['written', 21],
    ]);
    expect(report('copies_differences')).toEqual([
      ['missing', 'c1 | 1.00 | NULL'],
      ['missing', 'c2 | 20.00 | {"a":"1"}'],
      ['not expected', 'c1 | 1.00 | {"b":"2"}'],
    ]);
  });
});

describe('names and keys that a report could take for its own', () => {
  const trades = (primaryKey?: string[]) => {
    const program = new SqlProgram();
    const columns = [Column.physical('id', DataType.STRING), Column.physical('side', DataType.INT)];
    const format = Format.json({ malformedRecords: MalformedRecords.FAIL });
    const events = program.addTable('events', {
      connector: new KafkaSource({ topic: topic('events'), format, start: KafkaStart.earliest() }),
      columns,
    });
    const connector = primaryKey
      ? new UpsertKafkaSink({ topic: topic('trades', { cleanupPolicy: CleanupPolicy.COMPACT }), keyFormat: format, valueFormat: format })
      : new KafkaSink({ topic: topic('trades'), format });
    program.addInsert(program.addTable('trades', { connector, columns, primaryKey }), `SELECT id, side FROM ${events}`);
    return assemblyOf(program);
  };
  const trade = (id: string, side: number, op?: string) => row({ id, side }, op === undefined ? undefined : { op: op as '+U' });

  test('a column called side', async () => {
    const events = [trade('t1', 1), trade('t2', -1)];
    const assembly = trades();
    const right = await reconcile(assembly, 'clicks', { events, trades: events });
    expect(right('trades_sums')).toEqual([
      ['expected', 0],
      ['written', 0],
    ]);
    expect(right('trades_differences')).toEqual([]);
    const wrong = await reconcile(assembly, 'clicks', { events, trades: [trade('t1', 1), trade('t2', 1)] });
    expect(wrong('trades_differences')).toEqual([
      ['missing', 't2 | -1'],
      ['not expected', 't2 | 1'],
    ]);
  });

  test('several rows of one key, of which the sink keeps one', async () => {
    const events = [trade('t1', 1), trade('t1', 2), trade('t2', 3), trade('t3', 4)];
    const written = [trade('t1', 2, '+U'), trade('t2', 9, '+U'), trade('t4', 1, '+U')];
    const report = await reconcile(trades(['id']), 'clicks', { events, trades: written });
    expect(report('trades_differences')).toEqual([
      ['differs', 't2'],
      ['missing', 't3'],
      ['not expected', 't4'],
    ]);
  });
});
