import type { App } from 'aws-cdk-lib';
import { SqlTest } from '../../lib/testing';
import { job, newStack } from '../fixtures/stacks';

const mockDeath = new Error('the Flink engine of this test run has ended');

jest.mock('../../lib/planner/java-home', () => ({ findJava: () => ({ directory: 'jdk' }) }));
jest.mock('../../lib/planner/connector-jars', () => ({ connectorJars: () => ({ paths: [], absent: [] }) }));
/** As a conversation that ends: all who wait are told the same. */
jest.mock('../../lib/testing/engine', () => ({ findEngine: () => ({ run: () => Promise.reject(mockDeath) }) }));

test('each run that an engine leaves without an answer points to its own line', async () => {
  const stack = newStack();
  job(stack);
  const test = SqlTest.ofAssembly((stack.node.root as App).synth().directory, 'clicks');
  const original = mockDeath.stack;
  const line = Number(/:(\d+):\d+\)?$/.exec(new Error().stack!.split('\n')[1]!)![1]);
  const first = test.run({}).catch((error: Error) => error);
  const second = test.run({}).catch((error: Error) => error);
  const failures = (await Promise.all([first, second])) as Error[];
  for (const [index, failure] of failures.entries()) {
    expect(failure.message).toBe(mockDeath.message);
    expect(failure.cause).toBe(mockDeath);
    expect(failure.stack!.split('\n')[1]).toContain(`${__filename}:${line + 1 + index}:`);
  }
  expect(mockDeath.stack).toBe(original);
});
