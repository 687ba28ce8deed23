import { contractChanges, type TableContract } from '../../lib/planner/lock-contract';

const SINK: TableContract = {
  connector: 'upsert-kafka',
  role: 'sink',
  columns: [
    { name: 'order_id', type: 'BIGINT NOT NULL' },
    { name: 'item_id', type: 'INT NOT NULL' },
    { name: 'amount', type: 'DECIMAL(18, 2)' },
  ],
  primaryKey: ['order_id', 'item_id'],
  options: { topic: 'orders', 'sink.transactional-id-prefix': 'shop.orders' },
  splits: 6,
  promises: { 'record key': 'order_id, item_id', 'key format': 'json', tombstone: 'deletes', guarantee: 'exactly-once; committed' },
};
const SOURCE: TableContract = { ...SINK, role: 'source', options: { topic: 'orders', 'properties.isolation.level': 'read_committed' } };
const STREAM: TableContract = { ...SOURCE, connector: 'kinesis', promises: {} };

function changes(before: TableContract, after: Partial<TableContract>): string[] {
  return contractChanges({ t: before }, { t: { ...before, ...after } }).map(
    ({ message, compatible }) => `${compatible ? 'compatible' : 'incompatible'}: ${message}`,
  );
}

function columns(before: TableContract, index: number, type?: string): Partial<TableContract> {
  const kept = before.columns.filter((_, other) => other !== index);
  return { columns: type === undefined ? kept : [...kept, { name: before.columns[index]!.name, type }] };
}

test('a table that stays as it is changes nothing', () => {
  expect(changes(SINK, {})).toEqual([]);
});

test.each<[string, TableContract, Partial<TableContract>, string]>([
  ['key order', SINK, { primaryKey: ['item_id', 'order_id'] }, 'incompatible: key order changed from (order_id, item_id)'],
  ['key', SINK, { primaryKey: ['order_id'] }, 'incompatible: key changed from (order_id, item_id) to (order_id)'],
  ['key format', SINK, { promises: { ...SINK.promises, 'key format': 'csv' } }, "incompatible: key format changed from 'json' to 'csv'"],
  [
    'prefix',
    SINK,
    { options: { topic: 'orders', 'sink.transactional-id-prefix': 'x' } },
    "incompatible: option 'sink.transactional-id-prefix'",
  ],
  ['partitions of a keyed topic', SINK, { splits: 12 }, 'incompatible: partition count changed from 6 to 12: new records of a key'],
  ['partitions without a key', { ...SINK, promises: {} }, { splits: 12 }, 'compatible: partition count changed from 6 to 12'],
  [
    'fewer partitions',
    { ...SINK, promises: {} },
    { splits: 3 },
    'incompatible: partition count changed from 6 to 3: Kafka cannot take partitions away',
  ],
  ['more than double the shards', STREAM, { splits: 13 }, 'incompatible: shard count changed from 6 to 13: Kinesis takes at most double'],
  ['fewer than half the shards', STREAM, { splits: 2 }, 'incompatible: shard count changed from 6 to 2: Kinesis takes at most double'],
  ['weaker guarantee', SINK, { promises: { ...SINK.promises, guarantee: 'at-least-once' } }, 'incompatible: guarantee changed'],
  [
    'stronger guarantee',
    { ...SINK, promises: { guarantee: 'at-least-once' } },
    { promises: { guarantee: 'exactly-once; committed' } },
    'compatible: guarantee changed',
  ],
  [
    'isolation',
    SOURCE,
    { options: { topic: 'orders' } },
    "incompatible: option 'properties.isolation.level' changed from read_committed to unset",
  ],
  [
    'stricter isolation',
    { ...SOURCE, options: { topic: 'orders' } },
    { options: SOURCE.options },
    "compatible: option 'properties.isolation",
  ],
  ['written column removed', SINK, columns(SINK, 2), "incompatible: column 'amount' removed"],
  ['read column removed', SOURCE, columns(SOURCE, 2), "compatible: column 'amount' removed"],
  ['narrowed', SOURCE, columns(SOURCE, 2, 'DECIMAL(10, 2)'), "incompatible: column 'amount': narrowed type"],
  ['widened where read', SOURCE, columns(SOURCE, 2, 'DECIMAL(20, 2)'), "compatible: column 'amount': widened type"],
  ['widened where written', SINK, columns(SINK, 2, 'DECIMAL(20, 2)'), "incompatible: column 'amount': widened type"],
  ['other scale is no wider', SOURCE, columns(SOURCE, 2, 'DECIMAL(18, 3)'), "incompatible: column 'amount': changed type"],
  ['integers', SOURCE, columns(SOURCE, 1, 'BIGINT NOT NULL'), "compatible: column 'item_id': widened type"],
  ['NOT NULL', SOURCE, columns(SOURCE, 2, 'DECIMAL(18, 2) NOT NULL'), "incompatible: column 'amount': NOT NULL added"],
])('%s', (_, before, after, expected) => {
  expect(changes(before, after)).toEqual([expect.stringContaining(expected)]);
});

test.each([12, 3])('Kinesis takes the way from 6 shards to %d in one update', (splits) => {
  expect(changes(STREAM, { splits })).toEqual([`compatible: shard count changed from 6 to ${splits}`]);
});

test('a sink that is gone breaks its readers, a source that is gone nobody', () => {
  expect(contractChanges({ written: SINK, read: SOURCE }, { fresh: SINK })).toEqual([
    { table: 'fresh', message: 'sink added', compatible: true },
    { table: 'read', message: 'source removed', compatible: true },
    { table: 'written', message: 'sink removed', compatible: false },
  ]);
});

test('a format that knows columns by their place: their order is the contract', () => {
  const csv: TableContract = { ...SINK, options: { ...SINK.options, format: 'csv' } };
  const [first, second, third] = SINK.columns;
  expect(changes(csv, { columns: [second!, first!, third!] })).toEqual([expect.stringContaining('incompatible: column order changed')]);
  expect(changes(csv, { columns: [...SINK.columns, { name: 'note', type: 'STRING' }] })).toEqual(["compatible: column 'note' added"]);
  expect(changes(SINK, { columns: [second!, first!, third!] })).toEqual([]);
});

test('a text without a limit is wider than one with', () => {
  const source = { ...SOURCE, columns: [{ name: 'note', type: 'VARCHAR(10)' }] };
  expect(changes(source, { columns: [{ name: 'note', type: 'STRING' }] })).toEqual([expect.stringMatching(/^compatible: .*widened/)]);
});
