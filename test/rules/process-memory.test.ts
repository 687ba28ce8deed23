import { Size } from 'aws-cdk-lib';
import type { FlinkApplicationProps } from '../../lib/application/flink-application';
import { applicationErrors } from '../../lib/rules/application-rules';
import { application } from '../fixtures/programs';

function errors(changed: Partial<FlinkApplicationProps>): string[] {
  return applicationErrors(application(changed));
}

test.each([
  ['jobManager', 577],
  ['taskManager', 982],
] as const)('the least memory of a %s is %i MiB', (process, least) => {
  expect(errors({ [process]: { memory: Size.mebibytes(least) } })).toEqual([]);
  expect(errors({ [process]: { memory: Size.mebibytes(least - 1) } })).toEqual([
    `${process}.memory of job 'orders' must be at least ${least} MiB with Flink's default budget, got ${least - 1} MiB: the process would not start; ` +
      `raise it, or divide it by ${process.toLowerCase()}.memory.* in flinkConfiguration [cdk-flink-pipeline:ProcessMemory]`,
  ]);
});

test('a budget of the process itself is left alone, one of the other is not', () => {
  const taskManager = { memory: Size.mebibytes(800) };
  expect(errors({ taskManager, flinkConfiguration: { 'taskmanager.memory.managed.fraction': '0.1' } })).toEqual([]);
  expect(errors({ taskManager, flinkConfiguration: { 'jobmanager.memory.off-heap.size': '64m' } })).toHaveLength(1);
});

test('the default memory is enough', () => {
  expect(errors({ taskManager: { cpu: 2 } })).toEqual([]);
});
