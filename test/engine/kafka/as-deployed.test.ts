import connectorCalls from '../../deploy/connector-calls.json';
import type { JobDetails } from './cluster';
import { expectReasons } from './differences';
import { CHANGES, Deployment, event, ITEMS, ORDER_ITEMS_REASONS, sequences, synthesize, TOTALS, until } from './order-items';
import { answers, filesBelow, holdsSecret } from './secret-search';

jest.setTimeout(300_000);

const MILLISECONDS: { [unit: string]: number } = { ms: 1, s: 1000, min: 60_000 };

/** What Amazon MSK calls the operations of Kafka. */
const ACTIONS: { [operation: string]: string } = {
  'DESCRIBE TOPIC': 'DescribeTopic',
  'READ TOPIC': 'ReadData',
  'WRITE TOPIC': 'WriteData',
  'DESCRIBE GROUP': 'DescribeGroup',
  'READ GROUP': 'AlterGroup',
  'DESCRIBE TRANSACTIONAL_ID': 'DescribeTransactionalId',
  'WRITE TRANSACTIONAL_ID': 'AlterTransactionalId',
};

const job = synthesize();
let deployment: Deployment;

beforeAll(async () => {
  deployment = await Deployment.create(job);
  deployment.cluster.start(Number(derived('task managers')));
  await until('the job runs', () => deployment.cluster.isRunning(), 120_000).catch((error) => {
    throw new Error(`${error.message}\n${deployment.cluster.log().slice(-8000)}`);
  });
});
afterAll(() => deployment?.remove());

function derived(name: string, table?: string): string {
  return job.pipeline.derivedValues.find((value) => value.name === name && value.table === table)!.value;
}

test('each difference from what is deployed is printed, and has its reason', () => {
  expectReasons(job, deployment.cluster, ORDER_ITEMS_REASONS);
});

test('each vertex has the parallelism that was derived, and all slots are taken', async () => {
  const { vertices } = (await deployment.cluster.job<JobDetails>())!;
  expect(vertices.length).toBeGreaterThan(2);
  const writers = vertices.filter(({ name }) => name.includes('dwd_order_item['));
  expect(writers.map(({ parallelism }) => String(parallelism))).toContain(derived('sink.parallelism', 'dwd_order_item'));
  for (const { parallelism, maxParallelism } of vertices) {
    expect([parallelism, maxParallelism]).toEqual([Number(derived('job.parallelism')), Number(derived('pipeline.max-parallelism'))]);
  }
  const overview = JSON.parse((await deployment.cluster.get('/overview')).text);
  expect(overview).toMatchObject({ 'slots-total': Number(derived('slots')), 'slots-available': 0 });
});

test('checkpoints are set as they were derived, and so is all else', async () => {
  const configuration = { ...job.pipeline.flinkConfiguration, ...deployment.changedSettings };
  const reported = JSON.parse((await deployment.cluster.get('/jobmanager/config')).text) as { key: string; value: string }[];
  expect(Object.fromEntries(reported.map(({ key, value }) => [key, value]))).toMatchObject(configuration);

  const checkpointing = (name: string) => configuration[`execution.checkpointing.${name}`]!;
  const milliseconds = (name: string) => {
    const [count, unit] = checkpointing(name).split(' ') as [string, string];
    return Number(count) * MILLISECONDS[unit]!;
  };
  expect(await deployment.cluster.job<object>('/checkpoints/config')).toMatchObject({
    mode: checkpointing('mode').toLowerCase(),
    interval: milliseconds('interval'),
    min_pause: milliseconds('min-pause'),
    timeout: milliseconds('timeout'),
    max_concurrent: Number(checkpointing('max-concurrent-checkpoints')),
    externalization: { enabled: true, delete_on_cancellation: false },
    state_backend: 'EmbeddedRocksDBStateBackend',
    unaligned_checkpoints: checkpointing('unaligned.enabled') === 'true',
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

test('a job manager that restarts by itself goes on with the secret of before', async () => {
  const { broker, cluster } = deployment;
  await cluster.killJobManager();
  const { environment } = cluster.started.find(({ name }) => name === 'jobmanager')!;
  const changed = Object.entries(environment).map(([name, value]) => [name, name.includes('PASSWORD') ? 'of tomorrow' : value]);
  cluster.startJobManager(Object.fromEntries(changed));
  await until('the job runs again', () => cluster.isRunning());
  await broker.produce(CHANGES, [event('c', null, { order: 'o2', change: 3, quantity: 7 })]);
  await until('its next value', async () => sequences(await broker.consume(ITEMS)).o2?.quantities.at(-1) === 7);
});

test('the job asks the broker for each call that its role is checked for, and for no other', async () => {
  const asked = (await deployment.broker.asked())
    .map((question) => question.split(' ') as [string, string, string])
    // MySQL is where it is deployed.
    .filter(([, , name]) => name !== TOTALS)
    .map(([operation, type, name]) => {
      const action = ACTIONS[`${operation} ${type}`] ?? operation;
      return `${action} ${type.toLowerCase().replace('_', '-')}/${name.replace(/-\d+-\d+$/, '')}`;
    });
  const listed = connectorCalls
    .filter((call) => call.job === 'order-items' && /^kafka:[^:]*:\d+:(topic|group|transactional-id)\//.test(call.resource ?? ''))
    .flatMap(({ actions, resource }) => {
      const [type, , , name] = resource!.split(':').pop()!.split('/') as [string, string, string, string];
      return actions.map((action) => `${action.replace('kafka-cluster:', '')} ${type}/${name.replace(/-\d+-\d+$/, '')}`);
    });
  expect([...new Set(asked)].sort()).toEqual(listed.sort());
});

test('the secret that the job logged in with is in no answer, log or emitted file', async () => {
  const { cluster } = deployment;
  const places = { ...(await answers(cluster)), 'what the processes wrote': cluster.log(), 'what we emit': job.emitted };
  expect(Object.entries(places).flatMap(([place, text]) => (text.length > 1 ? [] : [place]))).toEqual([]);
  expect(Object.entries(places).flatMap(([place, text]) => (holdsSecret(text) ? [place] : []))).toEqual([]);
  expect(places['what the processes wrote']).toContain('sasl.jaas.config = [hidden]');
});

test('nor is it in the exceptions of a job that fails', async () => {
  const { broker, cluster } = deployment;
  await broker.produce(CHANGES, [{ key: 'o1', value: 'no change' }]);
  const text = await until('an exception', async () => {
    const { text } = await cluster.get(`${cluster.jobPath}/exceptions`);
    return text.includes('no change') && text;
  });
  expect(holdsSecret(text + cluster.log())).toBe(false);
});

test('of all files only the job graph that high availability stores holds the secret', async () => {
  await deployment.cluster.stop();
  const files = filesBelow(deployment.directory);
  const kinds = [
    'flink/conf/config.yaml',
    'flink/sql/job.sql',
    'flink/log/',
    'flink/local/',
    'flink/tmp/',
    '/ha/',
    '/checkpoints/',
    '/_metadata',
    'broker/zookeeper/',
  ];
  expect(kinds.filter((kind) => !Object.entries(files).some(([path, { length }]) => length > 0 && path.includes(kind)))).toEqual([]);
  // What ZooKeeper keeps would be in ConfigMaps. The logs of Kafka are the broker's, which knows the password.
  const holding = Object.keys(files).filter((path) => !path.startsWith('broker/kafka/') && holdsSecret(files[path]!));
  expect(holding).toEqual([expect.stringMatching(/^flink-state-[\w-]+\/order-items\/ha\/order-items\/1\/submittedExecutionPlan\w+$/)]);
});
