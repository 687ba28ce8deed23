import { Size, Token } from 'aws-cdk-lib';
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

test('a budget of the process itself may fit into less, one of the other does not help', () => {
  const taskManager = { memory: Size.mebibytes(800) };
  expect(errors({ taskManager, flinkConfiguration: { 'taskmanager.memory.managed.fraction': '0.05' } })).toEqual([]);
  expect(errors({ taskManager, flinkConfiguration: { 'jobmanager.memory.off-heap.size': '64m' } })).toHaveLength(1);
});

test.each<[string, 'jobManager' | 'taskManager', number, { [option: string]: string }, string]>([
  ['managed memory', 'taskManager', 2048, { 'managed.size': '1200m' }, 'managed 1200 + network 159 MiB, more than 2048 MiB'],
  ['a share of it', 'taskManager', 2048, { 'managed.fraction': '0.8' }, 'managed 1270 + network 159 MiB, more than 2048 MiB'],
  ['a heap', 'taskManager', 2048, { 'task.heap.size': '1g' }, 'heap 1024 MiB, more than 2048 MiB'],
  ['network memory', 'taskManager', 2048, { 'network.min': '1g' }, 'network 1024 MiB, more than 2048 MiB'],
  [
    'all that is Flink',
    'taskManager',
    2048,
    { 'flink.size': '1800m' },
    'metaspace 256 + overhead 192 + flink.size 1800 MiB, more than 2048 MiB',
  ],
  ['parts of what is Flink', 'taskManager', 2048, { 'flink.size': '1g', 'managed.size': '1g' }, 'network 103 MiB, more than 1024 MiB'],
  ['an overhead that does not help', 'taskManager', 982, { 'jvm-overhead.fraction': '0.5' }, 'more than 982 MiB'],
  [
    'too little of the whole',
    'taskManager',
    4096,
    { 'flink.size': '1g' },
    '2816 MiB left over for jvm-overhead, more than its most, 1024 MiB',
  ],
  ['a heap of the job manager', 'jobManager', 2048, { 'heap.size': '1600m' }, 'off-heap 128 + heap 1600 MiB, more than 2048 MiB'],
  [
    'a least overhead',
    'taskManager',
    8192,
    { 'jvm-overhead.min': '2gb' },
    'jvm-overhead.min 2048 MiB, more than jvm-overhead.max, 1024 MiB',
  ],
  ['a least one of the job manager', 'jobManager', 8192, { 'jvm-overhead.min': '2gb' }, 'jvm-overhead.min 2048 MiB'],
  ['a most overhead', 'taskManager', 4096, { 'jvm-overhead.max': '128m' }, 'jvm-overhead.min 192 MiB, more than jvm-overhead.max, 128 MiB'],
  [
    'bounds of the network',
    'taskManager',
    4096,
    { 'network.min': '512m', 'network.max': '256m' },
    'network.min 512 MiB, more than network.max, 256 MiB',
  ],
  ['what is off its heap', 'jobManager', 1024, { 'off-heap.size': '600m' }, 'off-heap 600 + heap 1 MiB, more than 1024 MiB'],
])('a budget does not fit by %s', (_, process, memory, options, told) => {
  const flinkConfiguration = Object.fromEntries(
    Object.entries(options).map(([key, value]) => [`${process.toLowerCase()}.memory.${key}`, value]),
  );
  const found = errors({ [process]: { memory: Size.mebibytes(memory) }, flinkConfiguration });
  expect(found).toEqual([
    expect.stringContaining(
      `${process}.memory of job 'orders' does not add up with ${process.toLowerCase()}.memory.* in flinkConfiguration: `,
    ),
  ]);
  expect(found[0]).toContain(told);
});

test('a budget fits in the default memory, is known, or passes', () => {
  const managed = (value: string) => errors({ flinkConfiguration: { 'taskmanager.memory.managed.size': value } });
  expect(managed('512m')).toEqual([]);
  expect(managed('2g')).toHaveLength(1);
  expect(managed(Token.asString({ Ref: 'Managed' }))).toEqual([]);
  expect(errors({ flinkConfiguration: { 'taskmanager.memory.flink.size': '1536m' } })).toEqual([]);
  expect(errors({ flinkConfiguration: { 'taskmanager.memory.segment-size': '64kb' } })).toEqual([]);
});

test('bounds that are equal fit, and so do those that a token hides', () => {
  const overhead = (least: string, most: string) =>
    errors({
      taskManager: { memory: Size.gibibytes(8) },
      flinkConfiguration: { 'taskmanager.memory.jvm-overhead.min': least, 'taskmanager.memory.jvm-overhead.max': most },
    });
  expect(overhead('2gb', '2gb')).toEqual([]);
  expect(overhead('2gb', '1gb')).toHaveLength(1);
  expect(overhead('2gb', Token.asString({ Ref: 'Most' }))).toEqual([]);
});

test('the default memory is enough', () => {
  expect(errors({ taskManager: { cpu: 2 } })).toEqual([]);
});
