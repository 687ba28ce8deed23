import type { App } from 'aws-cdk-lib';
import { type Given, record, row, SqlTest, SqlTestResult } from '../../lib/testing';
import { job, newStack } from '../fixtures/stacks';

const stack = newStack();
job(stack);
const { directory } = (stack.node.root as App).synth();

test('a job that is not there is told with those that are', () => {
  expect(() => SqlTest.ofAssembly(directory, 'nobody')).toThrow("holds no SQL job 'nobody'; there are clicks (Stack.clicks)");
});

test('a run that fails points to the line of the test, with the whole message', async () => {
  const clicks = SqlTest.ofAssembly(directory, 'clicks');
  const bare = {} as unknown as Given;
  const line = Number(/:(\d+):\d+\)?$/.exec(new Error().stack!.split('\n')[1]!)![1]) + 1;
  const failure: Error = await clicks.run({ events: [bare] }).catch((error) => error);
  expect(failure.message).toBe("table 'events', row 1: give row({ … }) or record('…'), one of the two");
  const [first, second] = failure.stack!.slice(`Error: ${failure.message}\n`.length).split('\n');
  expect(failure.stack).toMatch(/^Error: table 'events', row 1: give/);
  expect(first).toContain(`${__filename}:${line}:`);
  expect(second).not.toContain('sql-test.ts');
});

test.each([
  [[{ line: 'a' }], "row 1: give row({ … }) or record('…'); there is no key 'line', there are row, record, op, phase"],
  [['a'], 'row 1: give row({ … }) or record(\'…\'), got "a"'],
  [[row({}), { ...row({}), ...record('a') }], "row 2: give row({ … }) or record('…'), one of the two"],
  [[row({}, { op: 'insert' as '+I' })], 'row 1: op must be one of +I, -U, +U, -D, got "insert"'],
  [[row({}, { phase: 3_000_000_000 })], 'row 1: phase must be a whole number from 1 to 2147483647, got 3000000000'],
  [[{ ...record('a'), op: '-D' }], 'row 1: a record has no op'],
  [[record({ line: 'a' } as unknown as string)], 'row 1: record must be a text, got {"line":"a"}'],
])('%j is no row: told with its table, before an engine runs', async (rows, message) => {
  await expect(SqlTest.ofAssembly(directory, 'clicks').run({ events: rows as Given[] })).rejects.toThrow(`table 'events', ${message}`);
});

test('rows that are no list', async () => {
  const one = row({ line: 'a' }) as unknown as Given[];
  await expect(SqlTest.ofAssembly(directory, 'clicks').run({ events: one })).rejects.toThrow("table 'events': must be a list of rows");
});

test('records of a table that writes rows are refused, of one that wrote none are none', () => {
  const change = { op: '+I' as const, phase: 1, row: { id: 1 } };
  const result = new SqlTestResult('clicks', {
    documents: { records: false, changes: [change], rows: [change.row] },
    lines: {
      records: true,
      changes: [
        { ...change, record: '{"id":1}' },
        { ...change, tombstone: true },
      ],
      rows: [],
    },
    nothing: { records: true, changes: [], rows: [] },
  });
  expect(() => result.records('documents')).toThrow(
    "table 'documents' has no records of text: its connector takes rows, or its format is binary; ask for rows('documents') or changes('documents')",
  );
  expect(result.records('lines')).toEqual(['{"id":1}', undefined]);
  expect(result.records('nothing')).toEqual([]);
});
