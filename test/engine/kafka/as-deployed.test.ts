import type { JobDetails } from './cluster';
import { CANARY, CHANGES, Deployment, event, ITEMS, sequences, synthesize, until } from './order-items';

jest.setTimeout(300_000);

const job = synthesize();
let deployment: Deployment;

beforeAll(async () => {
  deployment = await Deployment.create(job);
  console.log(`changed for the test: ${JSON.stringify(deployment.changedSettings, null, 2)}`);
  deployment.cluster.start(3);
  await until('the job runs', () => deployment.cluster.isRunning(), 60_000).catch((error) => {
    throw new Error(`${error.message}\n${deployment.cluster.log().slice(-8000)}`);
  });
});
afterAll(() => deployment?.remove());

const derived = (name: string, table?: string) =>
  job.pipeline.derivedValues.find((value) => value.name === name && value.table === table)!.value;

test('each vertex has the parallelism that was derived', async () => {
  const { vertices } = (await deployment.cluster.job<JobDetails>())!;
  expect(vertices.length).toBeGreaterThan(2);
  const writers = vertices.filter(({ name }) => name.includes('dwd_order_item['));
  expect(writers.map(({ parallelism }) => String(parallelism))).toContain(derived('sink.parallelism', 'dwd_order_item'));
  for (const { parallelism, maxParallelism } of vertices) {
    expect([parallelism, maxParallelism]).toEqual([Number(derived('job.parallelism')), Number(derived('pipeline.max-parallelism'))]);
  }
});

test('checkpoints are set as they were derived', async () => {
  const settings = await deployment.cluster.job<object>('/checkpoints/config');
  expect(settings).toMatchObject({
    mode: 'exactly_once',
    interval: 2000,
    min_pause: 100,
    timeout: 60_000,
    max_concurrent: 1,
    externalization: { enabled: true, delete_on_cancellation: false },
    state_backend: 'EmbeddedRocksDBStateBackend',
    unaligned_checkpoints: false,
    tolerable_failed_checkpoints: Number(derived('execution.checkpointing.tolerable-failed-checkpoints')),
  });
});

test('insert, update and delete arrive as values and a tombstone in one partition, and compaction leaves the last', async () => {
  const { broker } = deployment;
  const read = async () => sequences(await broker.consume(ITEMS)).o1;
  const first = { order: 'o1', change: 1, quantity: 10 };
  const second = { order: 'o1', change: 2, quantity: 5 };
  const partitions = new Set<number>();
  // The cleaner is at work meanwhile: each value is looked for as the last one.
  for (const [change, value] of [
    [event('c', null, first), 10],
    [event('c', null, second), 15],
    [event('d', second, null), 10],
    [event('d', first, null), null],
  ] as const) {
    await broker.produce(CHANGES, [change]);
    const found = await until(`the value ${value}`, async () => {
      const items = await read();
      return items?.quantities.at(-1) === value && items;
    });
    for (const partition of found.partitions) {
      partitions.add(partition);
    }
  }
  expect(partitions.size).toBe(1);

  // A segment is compacted once another one has begun.
  let change = 100;
  await until('compaction', async () => {
    const others = Array.from({ length: 20 }, (_, index) => event('c', null, { order: `other${index}`, change: change++, quantity: 1 }));
    await broker.produce(CHANGES, others);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    return (await read())!.quantities.length === 1;
  });
  expect((await read())!.quantities).toEqual([null]);
});

test('the secret is in no log, answer or emitted file, and it is what the job logged in with', async () => {
  const { cluster } = deployment;
  const paths = ['', '/config', '/plan', '/checkpoints', '/checkpoints/config', '/exceptions', '/jobmanager/config'];
  const answers = await Promise.all(paths.map((path) => cluster.job(path)));
  const everything = [cluster.log(), job.emitted, JSON.stringify(answers)].join('\n');
  expect(everything).toContain('sasl.jaas.config = [hidden]');
  for (const part of [CANARY, 'canary-7', JSON.stringify(CANARY).slice(1, -1)]) {
    expect(everything).not.toContain(part);
  }
});
