import type { App } from 'aws-cdk-lib';
import { type Given, SqlTest, SqlTestResult } from '../../lib/testing';
import { job, newStack } from '../fixtures/stacks';

const stack = newStack();
job(stack);
const { directory } = (stack.node.root as App).synth();

test('a job that is not there is told with those that are', () => {
  expect(() => SqlTest.ofAssembly(directory, 'nobody')).toThrow("holds no SQL job 'nobody'; there are clicks (Stack.clicks)");
});

test('a run that fails points to the line of the test, with the whole message', async () => {
  const clicks = SqlTest.ofAssembly(directory, 'clicks');
  const bare = { line: 'a' } as unknown as Given;
  const line = Number(/:(\d+):\d+\)?$/.exec(new Error().stack!.split('\n')[1]!)![1]) + 1;
  const failure: Error = await clicks.run({ events: [bare] }).catch((error) => error);
  expect(failure.message).toBe("table 'events', row 1: give row({ … }) or record('…')");
  const [first, second] = failure.stack!.slice(`Error: ${failure.message}\n`.length).split('\n');
  expect(failure.stack).toMatch(/^Error: table 'events', row 1: give/);
  expect(first).toContain(`${__filename}:${line}:`);
  expect(second).not.toContain('sql-test.ts');
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
    "table 'documents' has no format that writes records: its connector takes rows; ask for rows('documents') or changes('documents')",
  );
  expect(result.records('lines')).toEqual(['{"id":1}', undefined]);
  expect(result.records('nothing')).toEqual([]);
});
