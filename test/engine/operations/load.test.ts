import { UserEventsStack } from '../../../bin/user-events-stack';
import { operationsSql, type SqlCommandOptions } from '../../../lib/cli/sql-command';
import type { PlannerProcess } from '../../../lib/planner/planner-process';
import { row } from '../../../lib/testing/given';
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
