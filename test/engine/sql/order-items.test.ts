import { OrderItemsStack } from '../../../bin/order-items-stack';
import { record, row, SqlTest } from '../../../lib/testing';
import { newApp } from '../../fixtures/assembly';

jest.setTimeout(120_000);

const app = newApp();
new OrderItemsStack(app, 'OrderItems', { env: { account: '111122223333', region: 'eu-central-1' } });
const { directory } = app.synth();
const orderItems = SqlTest.ofAssembly(directory, 'order-items');
const orderStatus = SqlTest.ofAssembly(directory, 'order-status');

interface Change {
  readonly order_id: string;
  readonly item_id: string | null;
  readonly change_id: number;
  readonly quantity: number;
  readonly amount: string;
  readonly order_status: string;
}

const change = (changeId: number, quantity: number, status = 'NEW'): Change => ({
  order_id: 'o1',
  item_id: 'i1',
  change_id: changeId,
  quantity,
  amount: `${quantity * 10}.50`,
  order_status: status,
});

/** Events of Debezium, without schemas. */
const created = (after: object) => JSON.stringify({ before: null, after, op: 'c', ts_ms: 1 });
const updated = (before: object, after: object) => JSON.stringify({ before, after, op: 'u', ts_ms: 2 });
const deleted = (before: object) => JSON.stringify({ before, after: null, op: 'd', ts_ms: 3 });

const KEY = '{"order_id":"o1","item_id":"i1"}';

test('update and delete of an order item: values and a tombstone under one key', async () => {
  const result = await orderItems.run({
    orders_cdc: [
      record(created(change(1, 2))),
      record(created(change(2, 3, 'PAID')), { phase: 2 }),
      record(updated(change(2, 3, 'PAID'), change(2, 5, 'SENT')), { phase: 3 }),
      record(deleted(change(1, 2)), { phase: 4 }),
      record(deleted(change(2, 5, 'SENT')), { phase: 5 }),
    ],
  });
  const changes = result.changes('dwd_order_item');
  expect(changes.map(({ key, tombstone }) => ({ key, tombstone }))).toEqual(
    [false, false, false, false, false, true].map((tombstone) => ({ key: KEY, tombstone })),
  );
  const value = (quantity: number, amount: number, status: string) =>
    `{"order_id":"o1","item_id":"i1","quantity":${quantity},"amount":${amount},"order_status":"${status}"}`;
  expect(changes.map(({ phase, record: written }) => [phase, written])).toEqual([
    [1, value(2, 20.5, 'NEW')],
    [2, value(5, 51, 'PAID')],
    // An update is a retraction and an addition: readers of committed records can see both.
    [3, value(2, 20.5, 'NEW')],
    [3, value(7, 71, 'SENT')],
    [4, value(5, 50.5, 'SENT')],
    [5, undefined],
  ]);
  expect(result.rows('dwd_order_item')).toEqual([]);
});

test('repeated Debezium event: a restart of the connector counts nothing twice', async () => {
  const once = record(created(change(1, 2)));
  const result = await orderItems.run({ orders_cdc: [once, record(created(change(2, 3))), once] });
  expect(result.rows('dwd_order_item')).toEqual([{ order_id: 'o1', item_id: 'i1', quantity: 5, amount: 51, order_status: 'NEW' }]);
});

test('null key part: the job fails, and says which column', async () => {
  const orphan = record(created({ ...change(1, 2), item_id: null }));
  await expect(orderItems.run({ orders_cdc: [orphan] })).rejects.toThrow(/'item_id' is NOT NULL, however, a null value/);
});

test('reconciliation: the sums of what readers of the topic see', async () => {
  const item = (id: string, quantity: number, amount: string) => ({ order_id: 'o1', item_id: id, quantity, amount, order_status: 'NEW' });
  const result = await orderItems.run({
    dwd_order_item_written: [
      row(item('i1', 2, '20.50'), { op: '+U' }),
      row(item('i2', 3, '30.50'), { op: '+U' }),
      row(item('i1', 4, '40.50'), { op: '+U', phase: 2 }),
      row({ order_id: 'o1', item_id: 'i2' }, { op: '-D', phase: 3 }),
    ],
  });
  expect(result.rows('order_item_totals')).toEqual([{ topic: 'dwd_order_item', items: 1, quantity: 4, amount: 40.5 }]);
});

test('order status: the last change of an order stays, a deleted order goes', async () => {
  const order = (status: string) => ({ order_id: 'o1', order_status: status, update_time: '2026-01-01 00:00:00.000' });
  const events = [created(order('NEW')), updated(order('NEW'), order('PAID'))];
  const kept = await orderStatus.run({ orders_cdc: events.map((event) => record(event)) });
  expect(kept.rows('analytic_orders')).toEqual([{ order_id: 'o1', order_status: 'PAID', update_time: '2026-01-01T00:00:00' }]);
  const gone = await orderStatus.run({ orders_cdc: [...events, deleted(order('PAID'))].map((event) => record(event)) });
  expect(gone.rows('analytic_orders')).toEqual([]);
  expect(gone.changes('analytic_orders').at(-1)).toMatchObject({ op: '-D', row: { order_id: 'o1' } });
});

test.each([
  [
    'a table that is not read',
    { nobody: [row({ a: 1 })] },
    /table 'nobody', which the program does not read; it reads \[dwd_order_item_written, orders_cdc\]/,
  ],
  [
    'a column that is not there',
    { orders_cdc: [record(created(change(1, 1))), row({ order: 1 })] },
    /table 'orders_cdc', row 2: there is no column 'order'/,
  ],
  [
    'a value of another type',
    { orders_cdc: [row({ order_id: 'o', item_id: 'i', change_id: 'x' })] },
    /table 'orders_cdc', row 1: .*change_id/,
  ],
  ['a NOT NULL column left out', { orders_cdc: [row({ order_id: 'o', item_id: 'i' })] }, /row 1: column 'change_id' is NOT NULL/],
  [
    'a kind that the source has not',
    { dwd_order_item_written: [row({ order_id: 'o', item_id: 'i' })] },
    /row 1: the table is read as \[\+U, -D\] and has no \+I/,
  ],
  ['a record that the format refuses', { orders_cdc: [record('no JSON')] }, /table 'orders_cdc', row 1: .*'no JSON'/s],
  ['a record without its key', { dwd_order_item_written: [record('{}')] }, /give rows, a tombstone as op -D/],
])('%s: the error names the table and the row', async (_what, tables, message) => {
  await expect(orderItems.run(tables)).rejects.toThrow(message);
});

test('a row without row() is told from a row, before Flink is asked', async () => {
  const bare = { order_id: 'o1' } as unknown as ReturnType<typeof row>;
  await expect(orderItems.run({ orders_cdc: [bare] })).rejects.toThrow("table 'orders_cdc', row 1: give row({ … }) or record('…')");
});

test('a sink and a job that are not there', async () => {
  expect(() => SqlTest.ofAssembly(directory, 'nobody')).toThrow("no SQL job 'nobody'; there are order-items (OrderItems.order-items)");
  const result = await orderItems.run({});
  expect(() => result.rows('nobody')).toThrow("writes no table 'nobody'; it writes 'dwd_order_item', 'order_item_totals'");
  expect(result.rows('dwd_order_item')).toEqual([]);
  expect(result.records('dwd_order_item')).toEqual([]);
  expect(() => result.records('order_item_totals')).toThrow("table 'order_item_totals' has no records of text");
});

test('a failure that the engine tells points to the line of the test', async () => {
  const failure: Error = await orderItems.run({ nobody: [row({ a: 1 })] }).catch((error) => error);
  expect(failure.stack!.split('\n')[1]).toContain(__filename);
});
