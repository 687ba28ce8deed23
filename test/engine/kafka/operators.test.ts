import { type ChildProcess, execFileSync } from 'child_process';
import { readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import { run } from '../../../lib/cli/run';
import type { ReadRecord } from './broker';
import type { JobDetails } from './cluster';
import { documentedCommands, KafkaTools, rowsOf } from './kafka-tools';
import { CHANGES, Deployment, event, ITEMS, LOGIN, logins, sequences, synthesize, TOTALS, TRANSACTION_PREFIX, until } from './order-items';
import { ScriptProcess } from './script-process';

jest.setTimeout(300_000);

const MINUTE = 60_000;
const ORDERS = ['o1', 'o2', 'o3', 'o4'];
/** One task manager, where three are deployed: this is about what runs beside the job. */
const SMALL = { 'taskmanager.numberOfTaskSlots': '6' };

const job = synthesize();
const commands = documentedCommands(['exactly-once.md', 'kafka.md', 'operations.md']);
const ran = new Set<string>();
let deployment: Deployment;
let tools: KafkaTools;
let changes = 0;

beforeAll(async () => {
  deployment = await Deployment.create(job, { configuration: SMALL, keepsAllValues: true });
  const { broker, cluster, directory } = deployment;
  cluster.start(1);
  tools = new KafkaTools(join(directory, 'operator'), {
    'security.protocol': 'SASL_PLAINTEXT',
    'sasl.mechanism': 'PLAIN',
    'sasl.jaas.config': `org.apache.kafka.common.security.plain.PlainLoginModule required username="${LOGIN.user}" password="${LOGIN.password}";`,
  });
  for (const [index, order] of ORDERS.entries()) {
    await write(order, index + 1);
  }
  await runs();
  const readBack = async () => (await broker.consume(TOTALS)).at(-1)?.value?.includes(`"items":${ORDERS.length}`);
  await until('the orders, and what is read back of them', readBack);
});
afterAll(() => deployment?.remove());

async function write(order: string, quantity: number): Promise<void> {
  await deployment.broker.produce(CHANGES, [event('c', null, { order, change: ++changes, quantity })]);
}

function runs(): Promise<true> {
  const { cluster } = deployment;
  const isRunning = async () => (await cluster.isRunning()) || undefined;
  return until('the job runs', isRunning, 120_000).catch((error) => {
    throw new Error(`${error.message}\n${cluster.log().slice(-8000)}`);
  });
}

/** The last record of an order that readers of committed ones see. */
async function lastOf(order: string): Promise<ReadRecord> {
  return (await deployment.broker.consume(ITEMS)).filter(({ key }) => JSON.parse(key).order_id === order).at(-1)!;
}

/** The SQL that the command line writes. */
function sql(...args: string[]): string {
  const texts = { out: '', error: '' };
  const writer = (name: 'out' | 'error') => (text: string) => {
    texts[name] += text;
  };
  expect(run(['sql', ...args, job.assembly, '--job', 'order-items'], { out: writer('out'), error: writer('error') })).toBe(0);
  expect(texts.error).toBe('');
  return texts.out;
}

function start(script: string): ScriptProcess {
  return new ScriptProcess({
    directory: join(deployment.directory, `script-${Date.now()}`),
    home: deployment.cluster.home,
    script: deployment.adapted(job, script),
    configuration: {
      ...Object.fromEntries(Object.entries(job.pipeline.flinkConfiguration).filter(([key]) => key.startsWith('table.'))),
      'parallelism.default': '2',
    },
    environment: logins(job),
  });
}

/** A command of a page, with values in the place of what it leaves open. */
async function documented(part: string, values: { [open: string]: string | number } = {}): Promise<string> {
  const found = commands.filter(({ text }) => text.includes(part));
  expect(found.map(({ text }) => text)).toEqual([expect.any(String)]);
  const { text } = found[0]!;
  ran.add(text);
  const filled: { [open: string]: string | number } = { B: deployment.broker.bootstrapServers, ...values };
  const words = text.replace(' … ', ' --bootstrap-server B --command-config client.properties ').split(/(?<=[\s:'])|(?=[\s:'])/);
  const command = words.map((word) => filled[word] ?? word).join('');
  const { code, output, errors } = await tools.run(command);
  expect({ command, code, errors: code === 0 ? '' : errors }).toEqual({ command, code: 0, errors: '' });
  return output;
}

describe('sql smoke', () => {
  let watch: ChildProcess;
  let printed = '';
  beforeAll(async () => {
    const [, command] = /^-- +(kafka-console-consumer\.sh .*)$/m.exec(sql('smoke'))!;
    watch = tools.start(command!.replace(/b-1\.shop\S*/, deployment.broker.bootstrapServers));
    for (const stream of [watch.stdout!, watch.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
      });
    }
    await until('the consumer', async () => (await deployment.broker.asked()).includes('READ GROUP streaming.order-items.smoke'));
  });
  afterAll(() => watch?.kill());

  /** Keys and values as they are printed. */
  const lines = () => [...printed.matchAll(/^(\{.*\})\t(.*)$/gm)].map(([, key, value]) => [key!, value!] as const);

  async function step(name: string, sees: (value: string) => boolean): Promise<void> {
    await start(sql('smoke', '--step', name)).finished();
    await until(name, async () => lines().length > 0 && sees(lines().at(-1)![1])).catch((error) => {
      throw new Error(`${error.message}, seen:\n${printed}`);
    });
  }

  test('insert, update, restart from a savepoint, delete: the command of the head shows what the head says', async () => {
    await step('insert', (value) => value.includes('"quantity":1'));
    await step('update', (value) => value.includes('"quantity":2'));
    const savepoint = await deployment.cluster.stopWithSavepoint();
    await deployment.deploy(job, { configuration: { ...SMALL, 'execution.state-recovery.path': savepoint } });
    deployment.cluster.start(1);
    await runs();
    await step('delete', (value) => value === '(deleted)');
    const key = { order_id: 'smoke-check', item_id: 'smoke-check' };
    const row = (figure: number, status: string) => ({ ...key, quantity: figure, amount: figure, order_status: status });
    expect(await deployment.broker.asked()).toContain(`WRITE TOPIC ${CHANGES}`);
    expect(new Set(lines().map(([found]) => found))).toEqual(new Set([JSON.stringify(key)]));
    expect(lines().map(([, value]) => (value === '(deleted)' ? null : JSON.parse(value)))).toEqual([row(1, '1'), null, row(2, '1'), null]);
  });
});

describe('sql reconcile', () => {
  /** MySQL, which the totals are in, has an end: so has the topic in its place. */
  const script = () =>
    sql('reconcile').replace(
      'EXECUTE STATEMENT SET',
      `ALTER TABLE \`${TOTALS}\` SET ('scan.bounded.mode' = 'latest-offset', 'properties.isolation.level' = 'read_committed');\n\n$&`,
    );

  /** What the command of the page makes of the logs of the pods. */
  function left(log: string): string[] {
    const page = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'operations.md'), 'utf8');
    const command = /^ *```sh\n( *awk [\s\S]*?)^ *```$/m.exec(page)![1]!;
    const prefixed = log.replaceAll(/^/gm, '[pod/order-items-reconcile-taskmanager-1-1/flink-main-container] ');
    writeFileSync(join(deployment.directory, 'reconcile.log'), prefixed);
    const options = { cwd: deployment.directory, encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } } as const;
    return execFileSync('bash', ['-c', command], options).trimEnd().split('\n').map(plainNumbers);
  }

  const plainNumbers = (line: string) => line.replaceAll(/\.0+\b/g, '');

  const agreeing = [
    `${ITEMS}_counts: [expected, 4]`,
    `${ITEMS}_counts: [written, 4]`,
    `${ITEMS}_sums: [expected, 10, 10]`,
    `${ITEMS}_sums: [written, 10, 10]`,
    `${TOTALS}_counts: [expected, 1]`,
    `${TOTALS}_counts: [written, 1]`,
    `${TOTALS}_sums: [expected, 4, 10, 10]`,
    `${TOTALS}_sums: [written, 4, 10, 10]`,
  ];

  test('what the job has written agrees, in all levels', async () => {
    expect(left(await start(script()).finished())).toEqual(agreeing);
  });

  test('a record that another producer overwrote: the third level alone tells its key, by equal counts and sums', async () => {
    const { broker } = deployment;
    const written = await lastOf('o2');
    await broker.produce(ITEMS, [{ key: written.key, value: written.value!.replace('PAID', 'LOST') }]);
    expect(await lastOf('o2')).toEqual({ ...written, value: expect.stringContaining('LOST') });
    const found = left(await start(script()).finished());
    expect(found).toEqual([...agreeing, `${ITEMS}_differences: [differs, o2 | 1]`].sort());
  });
});

test('what the pages tell to look at in the UI is what the job manager answers it', async () => {
  const { cluster } = deployment;
  const id = await until('a checkpoint', () => cluster.checkpoint());
  const { vertices } = (await cluster.job<JobDetails>())!;
  const sink = vertices.find(({ name }) => name.includes(`${ITEMS}[`))!;
  // Red and grey: the first answer has no figures yet.
  const pressure = () => cluster.job<{ readonly status: string }>(`/vertices/${sink.id}/backpressure`);
  const measured = async () => ((await pressure())?.status === 'ok' ? pressure() : undefined);
  expect(await until('the figures of each subtask', measured)).toMatchObject({
    subtasks: Array(6).fill(expect.objectContaining({ busyRatio: expect.any(Number), ratio: expect.any(Number) })),
  });
  expect(await cluster.job(`/vertices/${sink.id}/watermarks`)).toEqual(expect.any(Array));
  expect(await cluster.job('/exceptions')).toMatchObject({ exceptionHistory: { entries: [] } });
  // The subtask that acknowledges last, its alignment and its own duration; the size by operator.
  expect(await cluster.job(`/checkpoints/details/${id}/subtasks/${sink.id}`)).toMatchObject({
    latest_ack_timestamp: expect.any(Number),
    subtasks: Array(6).fill(
      expect.objectContaining({
        ack_timestamp: expect.any(Number),
        checkpoint: { sync: expect.any(Number), async: expect.any(Number) },
        alignment: expect.objectContaining({ duration: expect.any(Number) }),
      }),
    ),
  });
  expect(await cluster.job(`/checkpoints/details/${id}`)).toMatchObject({
    status: 'COMPLETED',
    tasks: { [sink.id]: { checkpointed_size: expect.any(Number), state_size: expect.any(Number) } },
  });
});

describe('the commands of Kafka on the pages', () => {
  /** Where the order stands that the tests hold a transaction of. */
  let partition: number;
  /** Id of a transaction that was aborted by hand while the coordinator knows it. */
  let aborted: string;
  /** What a reader of committed records sees of that order last. */
  const seen = async () => sequences(await deployment.broker.consume(ITEMS)).o1!.quantities.at(-1);
  const inPartition = () => ({ T: ITEMS, P: partition });
  const open = async () => {
    const producers = rowsOf(await documented('describe-producers', inPartition()));
    return producers.filter(({ CurrentTransactionStartOffset: offset }) => offset !== 'None');
  };
  const endOfPartition = async () => Number((await documented('--topic-partitions', inPartition())).trim().split(':').pop());

  /** Write a quantity more of the order, and wait until its transaction has it. */
  async function writeUncommitted(quantity: number, sum: number): Promise<void> {
    await write('o1', quantity);
    const last = async () => sequences(await deployment.broker.consume(ITEMS, 'read_uncommitted')).o1!.quantities.at(-1);
    await until(`the sum ${sum}`, async () => (await last()) === sum);
  }

  /** A record of another producer behind what is open: readers see it once nothing is. */
  async function writeBehind(quantity: number): Promise<void> {
    const { key, value } = await lastOf('o1');
    await deployment.broker.produce(ITEMS, [{ key, value: JSON.stringify({ ...JSON.parse(value!), quantity }) }]);
  }

  beforeAll(async () => {
    partition = (await lastOf('o1')).partition;
  });

  test('of a job at work', async () => {
    const lines = (output: string) => output.trim().split('\n').sort();
    const everyPartition = [0, 1, 2, 3, 4, 5];
    const [ends, beginnings, features] = await Promise.all(
      ['client.properties --topic dwd_order_item', '--time earliest', 'kafka-features.sh'].map((part) => documented(part)),
    );
    expect(lines(ends!)).toEqual(everyPartition.map((number) => expect.stringMatching(`^${ITEMS}:${number}:\\d+$`)));
    expect(lines(beginnings!)).toEqual(everyPartition.map((number) => `${CHANGES}:${number}:0`));
    expect(features).toMatch(/^Feature: transaction\.version\b.*\bFinalizedVersionLevel: 2\b/m);

    expect(await documented('--add-config retention.ms', { T: CHANGES })).toContain(`Completed updating config for topic ${CHANGES}.`);

    await until('a checkpoint', () => deployment.cluster.checkpoint());
    const lags = await until('the offsets of what was read back', async () => {
      const found = rowsOf(await documented('--describe --group'));
      return found.some(({ TOPIC }) => TOPIC === ITEMS) && found;
    });
    const lagsOf = (topic: string) => lags.filter(({ TOPIC }) => TOPIC === topic).map(({ LAG }) => Number(LAG));
    expect(new Set(lagsOf(CHANGES))).toEqual(new Set([0]));
    // Behind its last record stand the marks of the commits, one for each writer, which no offset of the job passes.
    expect(Math.max(...lagsOf(ITEMS))).toBeGreaterThan(0);
    expect(Math.max(...lagsOf(ITEMS))).toBeLessThanOrEqual(6);

    const { broker } = deployment;
    broker.gate.hold(TRANSACTION_PREFIX);
    await writeUncommitted(10, 11);
    const [before] = await open();
    broker.gate.open();
    await until('the commit', async () => (await seen()) === 11);
    broker.gate.hold(TRANSACTION_PREFIX);
    await writeUncommitted(10, 21);
    const [now] = await open();
    expect(Number(now!.CurrentTransactionStartOffset)).toBeGreaterThan(Number(before!.CurrentTransactionStartOffset));
  });

  test('of a job that is gone for good, and holds its readers back', async () => {
    const { broker, cluster } = deployment;
    await until('a checkpoint, of which the commit is held', async () => broker.gate.heldRequests > 0);
    // A commit whose sender is gone must not pass once the gate is open: its connection ends a little later than the process.
    const gone = broker.gate.watchConnected();
    await cluster.stop();
    await until('the end of its connections', async () => gone());
    broker.gate.open();
    await writeBehind(100);
    expect(await seen()).toBe(11);

    const producers = await open();
    expect(producers).toEqual([expect.objectContaining({ ProducerId: expect.stringMatching(/^\d+$/) })]);
    const { ProducerId: producer, CurrentTransactionStartOffset: offset } = producers[0]!;
    expect(await endOfPartition()).toBe(Number(offset) + 2);
    const listed = await documented('… list', { PRODUCER: producer! });
    expect(listed).toMatch(new RegExp(`^${TRANSACTION_PREFIX}-\\d+-\\d+\\s+1\\s+${producer}\\s+Ongoing\\s*$`));
    aborted = listed.split(/\s/)[0]!;
    const described = async () => rowsOf(await documented('--transactional-id', { [`${TRANSACTION_PREFIX}-0-5`]: aborted }))[0]!;
    expect(await described()).toMatchObject({ TransactionState: 'Ongoing', TransactionTimeoutMs: '640000' });
    // It would end by itself.
    expect(rowsOf(await documented('find-hanging', { T: ITEMS, MINUTES: 15 }))).toEqual([]);

    await documented('abort', { ...inPartition(), O: offset! });
    expect(await seen()).toBe(100);
    expect(await described()).toMatchObject({ TransactionState: 'Ongoing' });
  });

  test('of a transaction that no timeout ends', async () => {
    const { broker } = deployment;
    await broker.hang(`${TRANSACTION_PREFIX}-6-1`, ITEMS, partition, Date.now() - 16 * MINUTE);
    await writeBehind(200);
    expect(await seen()).toBe(100);
    const hanging = rowsOf(await documented('find-hanging', { T: ITEMS, MINUTES: 15 }));
    expect(hanging).toMatchObject([{ Topic: ITEMS, Partition: `${partition}`, 'Duration(min)': expect.stringMatching(/^1[67]$/) }]);
    await documented('abort', { ...inPartition(), O: hanging[0]!.StartOffset! });
    expect(await seen()).toBe(200);
    expect(await open()).toEqual([]);
  });

  test('after an abort by hand a job that comes back commits what is gone: the broker says committed, no log warns', async () => {
    const { broker, cluster } = deployment;
    cluster.start(1);
    await runs();
    const state = async () => (await broker.transactions(aborted))[aborted]!.state;
    await until('the commit', async () => (await state()) === 'CompleteCommit');
    expect(cluster.log()).not.toContain('data loss');
    await cluster.stop();
    const { quantities } = sequences(await broker.consume(ITEMS)).o1!;
    expect(quantities).toEqual([1, 11, 100, 200]);
  });

  test('are all of them', () => {
    expect(commands.map(({ text }) => text).filter((text) => !ran.has(text))).toEqual([]);
  });
});

describe('sql load', () => {
  const RATE = 500;

  test('no more records come than the stated rate, and the stated share of them is in the partition of the hot key', async () => {
    const { broker } = deployment;
    // The records of the load have the key that Debezium gives, with numbers that the others do not have.
    const read = async () => (await broker.consume(CHANGES)).filter(({ key }) => /^\{"change_id":-\d{1,4}\}$/.test(key));
    const began = Date.now();
    const load = start(
      sql('load', '--rows-per-second', `${RATE}`, '--size', '10', '--keys', '1000', '--hot-keys', '1', '--hot-share', '80'),
    );
    try {
      await until('enough records', async () => (await read()).length >= 4 * RATE);
      expect((await read()).length).toBeLessThan((RATE * (Date.now() - began)) / 1000);
    } finally {
      await load.kill();
    }
    const records = await read();
    const share = (count: number) => count / records.length;
    const count = (of: (record: (typeof records)[number]) => string) => {
      const counts = new Map<string, number>();
      for (const record of records) {
        counts.set(of(record), (counts.get(of(record)) ?? 0) + 1);
      }
      return [...counts.values()].sort((one, other) => other - one);
    };
    const keys = count(({ key }) => key);
    // Six standard deviations of so many throws.
    expect(Math.abs(share(keys[0]!) - 0.8)).toBeLessThan(6 * Math.sqrt((0.8 * 0.2) / records.length));
    expect(share(keys[1]!)).toBeLessThan(0.01);
    const partitions = count(({ partition }) => `${partition}`);
    expect(partitions).toHaveLength(6);
    expect(share(partitions[0]!)).toBeGreaterThan(0.75);
  });
});
