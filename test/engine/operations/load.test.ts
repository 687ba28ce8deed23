import { UserEventsStack } from '../../../bin/user-events-stack';
import {
  Column,
  DataType,
  EventStream,
  Format,
  KafkaSource,
  KafkaStart,
  KinesisSource,
  MalformedRecords,
  PrintSink,
  SqlProgram,
  StartPosition,
} from '../../../lib';
import { operationsSql, type SqlCommandOptions } from '../../../lib/cli/sql-command';
import { findPrograms } from '../../../lib/planner/find-programs';
import type { PlannerProcess } from '../../../lib/planner/planner-process';
import { statementErrors } from '../../../lib/planner/report-text';
import { row } from '../../../lib/testing/given';
import { topic } from '../../connectors/kafka-fixtures';
import { newApp } from '../../fixtures/assembly';
import { assemblyOf, DEBEZIUM, EVERY_TYPE, read } from '../../fixtures/operations';
import { startPlanner } from '../planner/planner';
import { jarsOf } from './jars-of';

jest.setTimeout(300_000);

let planner: PlannerProcess;
beforeAll(() => {
  planner = startPlanner();
});
afterAll(() => planner.close());

/** One generated row for each percent, with the largest numbers that there are. */
const GENERATED = Array.from({ length: 100 }, (_, share) =>
  row({ share, spread: Number.MAX_SAFE_INTEGER - share, part: Number.MAX_SAFE_INTEGER - 2 * share, number: 999 - share, filler: 'filler' }),
);

async function load(assembly: string, job: string, table: string, options: Partial<SqlCommandOptions>) {
  const script = operationsSql({ kind: 'load', assembly, keys: '100', hotKeys: '5', ...options });
  const { sinks } = await planner.run({ program: { script, jars: jarsOf(assembly, job) }, tables: { load_rows: GENERATED } });
  return sinks[table]!;
}

test.each([
  ['a_string', '90', 90],
  ['a_tinyint', '25', 25],
  ['an_int', '100', 100],
  ['a_string', '0', 0],
])('the keys of %s have the share that was stated: %s percent', async (key, hotShare, count) => {
  const { rows } = await load(assemblyOf(read(EVERY_TYPE)), 'clicks', 'rows', { key, hotShare });
  const numbers = rows
    .map((found) => found[key])
    .map((value) => (typeof value === 'number' ? -1 - value : Number(`${value}`.replace('key-', ''))));
  expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
  const hot = numbers.filter((number) => number < 5);
  expect([rows.length, hot.length]).toEqual([100, count]);
});

test('every type gets a value that fits, in NOT NULL columns too', async () => {
  const { rows } = await load(assemblyOf(read(EVERY_TYPE)), 'clicks', 'rows', { key: 'a_string' });
  expect(Object.keys(rows[0]!)).toEqual(EVERY_TYPE.map(({ name }) => name));
  expect(rows[0]).toMatchObject({
    a_char: 'fil',
    a_varchar: 'fill',
    a_string: 'key-1',
    a_boolean: false,
    a_binary: Buffer.from('fi').toString('base64'),
    a_varbinary: Buffer.from('fi').toString('base64'),
    a_bytes: Buffer.from('filler').toString('base64'),
    a_tinyint: 99,
    a_smallint: 999,
    an_int: 999,
    a_bigint: 999,
    a_float: 999,
    a_double: 999,
    a_digit: 9,
    a_fraction: 0,
    a_decimal: 999,
    a_date: expect.stringMatching(/^20\d\d-\d\d-\d\d$/),
    a_time: expect.stringMatching(/^\d\d:\d\d:\d\d/),
    a_timestamp: expect.stringMatching(/^20\d\d-/),
    an_instant: expect.stringMatching(/^20\d\d-.*Z$/),
  });
  expect(rows.flatMap((found) => Object.values(found)).filter((value) => value === null)).toEqual([]);
});

test('a primary key that is not the stated key differs from row to row, or a source of changes would drop the rows', async () => {
  const changes = read(EVERY_TYPE, { format: DEBEZIUM }, ['a_bigint', 'a_string']);
  const { rows } = await load(assemblyOf(changes), 'clicks', 'rows', { key: 'an_int' });
  expect(new Set(rows.map(({ a_bigint }) => a_bigint)).size).toBe(100);
  expect(rows.filter(({ a_bigint }) => Number(a_bigint) >= 0)).toEqual([]);
  expect(new Set(rows.map(({ a_string }) => a_string)).size).toBe(100);
});

test('what fills the rest of a primary key does not follow from the key', async () => {
  const changes = read(EVERY_TYPE, { format: DEBEZIUM }, ['a_bigint', 'a_tinyint']);
  const { rows } = await load(assemblyOf(changes), 'clicks', 'rows', { key: 'a_bigint', keys: '100', hotKeys: '99', hotShare: '100' });
  // 99 hot keys and as many values of a TINYINT: from one random number they would always be the same two.
  expect(rows.filter((found) => found.a_bigint === found.a_tinyint).length).toBeLessThan(10);
});

/** How many rows each record key has, the most frequent first. */
function perKey(changes: readonly { readonly key?: string }[]): [key: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { key } of changes) {
    counts.set(key!, (counts.get(key!) ?? 0) + 1);
  }
  return [...counts].sort(([, left], [, right]) => right - left);
}

test('records of changes have the key that Debezium gives them, with the stated skew', async () => {
  const changes = assemblyOf(read(EVERY_TYPE, { format: DEBEZIUM }, ['a_string', 'a_tinyint', 'a_binary', 'a_date', 'a_timestamp']));
  const whole = perKey((await load(changes, 'clicks', 'rows', { hotShare: '80' })).changes);
  const hot = whole.slice(0, 5);
  expect(hot.reduce((sum, [, count]) => sum + count, 0)).toBe(80);
  expect(hot.map(([key]) => JSON.parse(key)).sort((left, right) => right.a_tinyint - left.a_tinyint)).toEqual(
    [0, 1, 2, 3, 4].map((number) => ({
      a_string: `key-${number}`,
      a_tinyint: -1 - number,
      a_binary: Buffer.from('ke').toString('base64'),
      a_date: '2026-01-01',
      a_timestamp: '2026-01-01 00:00:00',
    })),
  );
  // A part of the key alone: the other parts are other rows.
  const part = perKey((await load(changes, 'clicks', 'rows', { hotShare: '80', key: 'a_string' })).changes);
  expect(Math.max(...part.map(([, count]) => count))).toBeLessThan(5);
});

test.each(EVERY_TYPE.filter(({ name }) => !/fraction|boolean|digit/.test(name)).map(({ name }) => [name]))(
  'a primary key of %s alone is a record key',
  async (name) => {
    const assembly = assemblyOf(read(EVERY_TYPE, { format: DEBEZIUM }, [name]));
    const { changes, rows } = await load(assembly, 'clicks', 'rows', { keys: '2', hotKeys: '1', hotShare: '75' }).catch((error) => {
      if (/--keys must be at most 1 /.test(error.message)) {
        return { changes: [], rows: [] };
      }
      throw error;
    });
    expect(rows.flatMap((found) => Object.values(found)).filter((value) => value === null)).toEqual([]);
    expect(changes.map(({ key }) => Object.keys(JSON.parse(key!)))).toEqual(changes.map(() => [name]));
  },
);

test('the key that a job reads has the skew, beside a line of JSON too', async () => {
  const program = new SqlProgram();
  const lines = program.addTable('lines', {
    connector: new KafkaSource({
      topic: topic('lines'),
      format: Format.raw(),
      key: { format: Format.json({ malformedRecords: MalformedRecords.FAIL }), fields: ['k_user', 'k_shop'], fieldsPrefix: 'k_' },
      start: KafkaStart.earliest(),
    }),
    columns: [
      Column.physical('k_user', DataType.STRING),
      Column.physical('line', DataType.STRING),
      Column.physical('k_shop', DataType.INT),
    ],
  });
  program.addInsert(
    program.addTable('printed', { connector: new PrintSink(), columns: [Column.physical('t', DataType.STRING)] }),
    `SELECT JSON_VALUE(line, '$.page') || JSON_VALUE(line, '$.user') FROM ${lines}`,
  );
  const { changes } = await load(assemblyOf(program), 'clicks', 'lines', { hotShare: '60' });
  const hot = perKey(changes).slice(0, 5);
  expect(hot.reduce((sum, [, count]) => sum + count, 0)).toBe(60);
  // The columns of the key have a prefix in the table alone, which is the connector's to take away.
  expect(JSON.parse(changes[0]!.record!)).toEqual({ page: 'filler', user: changes[0]!.row.k_user });
});

describe('streams', () => {
  const stream = EventStream.external({ streamArn: 'arn:aws:kinesis:eu-central-1:111122223333:stream/events', shardCount: 2 });
  const json = Format.json({ malformedRecords: MalformedRecords.FAIL });
  const events = (format: Format, columns: Column[], partitionedBy?: string[]) => {
    const program = new SqlProgram();
    const table = program.addTable('events', {
      connector: new KinesisSource({ stream, start: StartPosition.trimHorizon(), format }),
      columns,
      partitionedBy,
    });
    program.addInsert(
      program.addTable('printed', { connector: new PrintSink(), columns: [Column.physical('t', DataType.STRING)] }),
      `SELECT ${format.identifier === 'raw' ? "JSON_VALUE(line, '$.user.id') || JSON_VALUE(line, '$.cart.total' RETURNING STRING)" : 'CAST(id AS STRING)'} FROM ${table}`,
    );
    return assemblyOf(program);
  };
  const id = (type: DataType) => [Column.physical('shop', DataType.INT), Column.physical('id', type)];

  test.each<[string, string, RegExp, object]>([
    ['the column of the skew', events(json, id(DataType.STRING)), /PARTITIONED BY \(`id`\)/, { shop: 999, id: 'key-1' }],
    [
      'what the table tells',
      events(json, id(DataType.STRING), ['shop', 'id']),
      /PARTITIONED BY \(`shop`, `id`\)/,
      { shop: -2, id: 'key-1' },
    ],
    [
      'a type without a text',
      events(json, id(DataType.decimal(10, 0))),
      /^(?![\s\S]*PARTITIONED BY)[\s\S]*no shard is hot/,
      { shop: 999, id: -2 },
    ],
    [
      'a field within an object',
      events(Format.raw(), [Column.physical('line', DataType.STRING)]),
      /^(?![\s\S]*PARTITIONED BY)[\s\S]*No partition key can be made of user.id/,
      { user: { id: 'key-1' }, cart: { total: 'filler' } },
    ],
  ])('partitioned by %s', async (_what, assembly, text, first) => {
    expect(operationsSql({ kind: 'load', assembly })).toMatch(text);
    const { changes } = await load(assembly, 'clicks', 'events', {});
    expect(JSON.parse(changes[0]!.record!)).toEqual(first);
  });

  test('a source may tell the partition key of its records: Flink takes it', async () => {
    const assembly = events(json, id(DataType.STRING), ['shop', 'id']);
    const { script, configuration } = findPrograms(assembly)[0]!;
    expect(script).toContain(') PARTITIONED BY (`shop`, `id`) WITH (');
    const report = await planner.plan({ script, configuration, jars: jarsOf(assembly, 'clicks') });
    expect([...statementErrors(report), ...report.problems.filter(({ severity }) => severity === 'error')]).toEqual([]);
  });

  test('lines are objects within objects, beside a key of their own', async () => {
    const program = new SqlProgram();
    const table = program.addTable('events', {
      connector: new KinesisSource({ stream, start: StartPosition.trimHorizon(), format: Format.raw({ charset: 'UTF-8' }) }),
      columns: [Column.physical('line', DataType.STRING)],
    });
    program.addInsert(
      program.addTable('printed', { connector: new PrintSink(), columns: [Column.physical('t', DataType.INT)] }),
      `SELECT JSON_VALUE(line, '$.user_id' RETURNING INT) + JSON_VALUE(line, '$.cart.size' RETURNING INT) FROM ${table}
WHERE JSON_VALUE(line, '$.cart.kind') = 'it''s' AND JSON_VALUE(line, '$.cart.paid' RETURNING BOOLEAN)`,
    );
    const { changes } = await load(assemblyOf(program), 'clicks', 'events', {});
    expect(JSON.parse(changes[0]!.record!)).toEqual({ user_id: -2, cart: { size: 999, kind: "it's", paid: false } });
  });
});

test('lines of JSON that the job takes for events', async () => {
  const app = newApp();
  new UserEventsStack(app, 'UserEvents', { env: { account: '111122223333', region: 'cn-north-1' } });
  const { changes } = await load(app.synth().directory, 'user-events', 'kinesis_source', {});
  expect(JSON.parse(changes[7]!.record!)).toEqual({
    user_id: 'key-4',
    event_type: 'filler',
    page_url: 'filler',
    event_time: expect.stringMatching(/^20\d\d-\d\d-\d\d \d\d:\d\d:\d\d/),
  });
});
