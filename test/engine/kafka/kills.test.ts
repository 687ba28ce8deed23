import { CHANGES, Deployment, event, ITEMS, sequences, synthesize, TRANSACTION_PREFIX, until } from './order-items';

jest.setTimeout(240_000);

/** Orders of a run: enough for each of the six writers to have some. */
const ORDERS = Array.from({ length: 24 }, (_, index) => index);
const BATCHES = 3;
const RUN_WITHOUT_FAILURE = 'calm';
const TASK_MANAGERS = [0, 1, 2];

const PROCESSES = ['task managers', 'job manager'] as const;
type Process = (typeof PROCESSES)[number];

interface Checkpoints {
  readonly latest: {
    readonly completed: { readonly id: number; readonly status: string } | null;
    readonly restored: { readonly id: number; readonly restore_timestamp: number } | null;
  };
}

const job = synthesize();
let deployment: Deployment | undefined;
let changeId = 0;

/** Checkpoints come when a test asks for one: so no window depends on the speed of the machine. */
async function deploy(transactionVersion: number, changeScript?: (script: string) => string): Promise<Deployment> {
  const created = await Deployment.create(job, {
    transactionVersion,
    changeScript,
    keepsAllValues: true,
    configuration: { 'execution.checkpointing.interval': '1 d', 'execution.checkpointing.min-pause': '0 s' },
  });
  deployment = created;
  console.log(`changed for the test: ${JSON.stringify(created.changedSettings, null, 2)}`);
  created.cluster.start(TASK_MANAGERS.length);
  await until('the job runs', () => created.cluster.isRunning(), 150_000).catch((error) => {
    throw new Error(`${error.message}\n${created.cluster.log().slice(-8000)}`);
  });
  return created;
}

afterAll(() => deployment?.remove());

const checkpoints = async () => (await deployment!.cluster.job<Checkpoints>('/checkpoints'))?.latest;

/** The values of each order of a run, as a reader of the isolation level sees them. */
async function valuesOf(run: string, isolation?: 'read_uncommitted'): Promise<{ [order: number]: (number | null)[] }> {
  const found = sequences(await deployment!.broker.consume(ITEMS, isolation));
  return Object.fromEntries(ORDERS.map((order) => [order, found[`${run}-${order}`]?.quantities ?? []]));
}

/** Each input of an order adds another power of two: a value tells which of them are in it, and how often. */
async function produce(run: string, batch: number): Promise<void> {
  const row = (order: number) => ({ order: `${run}-${order}`, change: ++changeId, quantity: 2 ** batch });
  await deployment!.broker.produce(
    CHANGES,
    ORDERS.map((order) => event('c', null, row(order))),
  );
}

/** Wait until the sums with the batch are in the topic, committed or not. */
async function written(run: string, batch: number, isolation?: 'read_uncommitted'): Promise<void> {
  const sum = 2 ** (batch + 1) - 1;
  await until(`batch ${batch} of ${run}`, async () =>
    Object.values(await valuesOf(run, isolation)).every((values) => values.at(-1) === sum),
  );
}

async function write(run: string, batch: number): Promise<void> {
  await produce(run, batch);
  await written(run, batch, 'read_uncommitted');
}

/** @returns the id of the checkpoint that was asked for and completed. */
async function checkpoint(): Promise<number> {
  const before = (await checkpoints())?.completed?.id ?? 0;
  await deployment!.cluster.job('/checkpoints', { method: 'POST', body: '{"checkpointType":"CONFIGURED"}' });
  return until('a completed checkpoint', async () => {
    const completed = (await checkpoints())?.completed;
    return completed?.status === 'COMPLETED' && completed.id > before && completed.id;
  });
}

async function commit(run: string, batch: number): Promise<number> {
  const id = await checkpoint();
  await written(run, batch);
  return id;
}

async function ongoing(): Promise<string[]> {
  const states = await deployment!.broker.transactions(TRANSACTION_PREFIX);
  return Object.keys(states)
    .filter((id) => states[id] === 'Ongoing')
    .sort();
}

async function statesOf(ids: string[]): Promise<string[]> {
  const states = await deployment!.broker.transactions(TRANSACTION_PREFIX);
  return [...new Set(ids.map((id) => states[id] ?? 'unknown'))];
}

/** SIGKILL, and wait until what the job had asked of the broker is gone with its tasks. */
async function kill(process: Process): Promise<number> {
  const { cluster, broker } = deployment!;
  await (process === 'job manager' ? cluster.killJobManager() : cluster.killTaskManagers());
  await until('no task asks for a commit', async () => broker.gate.heldRequests === 0);
  return Date.now();
}

function restart(process: Process): void {
  if (process === 'job manager') {
    deployment!.cluster.startJobManager();
  } else {
    for (const index of TASK_MANAGERS) {
      deployment!.cluster.startTaskManager(index);
    }
  }
}

/** @returns the id of the checkpoint that the job was restored from since then. */
async function restored(since: number): Promise<number> {
  const id = await until('a restored job', async () => {
    const latest = (await checkpoints())?.restored;
    return latest != null && latest.restore_timestamp >= since && latest.id;
  });
  await until('the job runs again', () => deployment!.cluster.isRunning());
  return id;
}

async function runWithoutFailure(): Promise<void> {
  for (let batch = 0; batch < BATCHES; batch++) {
    await write(RUN_WITHOUT_FAILURE, batch);
    await commit(RUN_WITHOUT_FAILURE, batch);
  }
  expect(Object.values(await valuesOf(RUN_WITHOUT_FAILURE))).toEqual(ORDERS.map(() => [1, 3, 7]));
}

/** The first batch is committed, the second one is in the window, the third one follows. */
async function begin(run: string): Promise<number> {
  await write(run, 0);
  const before = await commit(run, 0);
  await write(run, 1);
  return before;
}

async function finish(run: string): Promise<void> {
  await written(run, 1, 'read_uncommitted');
  await write(run, 2);
  await commit(run, 2);
}

async function expectAsWithoutFailure(run: string): Promise<void> {
  expect(await valuesOf(run)).toEqual(await valuesOf(RUN_WITHOUT_FAILURE));
}

async function killedBeforePreCommit(run: string, process: Process): Promise<void> {
  const before = await begin(run);
  const open = await ongoing();
  expect(open.length).toBeGreaterThan(0);
  expect((await checkpoints())!.completed!.id).toBe(before);

  const since = await kill(process);
  restart(process);
  expect(await restored(since)).toBe(before);
  // Written again, since the first time was aborted: who reads uncommitted values sees both.
  const seen = async () => Object.values(await valuesOf(run, 'read_uncommitted'));
  await until('the batch is written again', async () => (await seen()).every((values) => values.length > 2));
  expect(Object.values(await valuesOf(run))).toEqual(ORDERS.map(() => [1]));
  await finish(run);
  await expectAsWithoutFailure(run);
  expect(await seen()).toEqual(ORDERS.map(() => [1, 3, 3, 7]));
}

/** A completed checkpoint of which so many transactions are committed, and the others held. */
async function completeButHold(run: string, committed: number) {
  const { gate } = deployment!.broker;
  const before = await begin(run);
  const open = await ongoing();
  gate.hold(committed);
  const completed = await checkpoint();
  expect(completed).toBeGreaterThan(before);
  await until('the commits are held', async () => gate.heldRequests === open.length - committed);
  const held = gate.heldTransactions;
  expect(held.length).toBeGreaterThan(1);
  expect(await ongoing()).toEqual(held);
  const others = open.filter((id) => !held.includes(id));
  expect(others).toHaveLength(committed);
  expect(await statesOf(others)).toEqual(committed > 0 ? ['CompleteCommit'] : []);
  return { completed, held };
}

async function killedUncommitted(run: string, process: Process, committed = 0): Promise<void> {
  const { completed, held } = await completeButHold(run, committed);
  const since = await kill(process);
  expect(await statesOf(held)).toEqual(['Ongoing']);
  deployment!.broker.gate.open();
  restart(process);
  expect(await restored(since)).toBe(completed);
  expect(await statesOf(held)).toEqual(['CompleteCommit']);
  await finish(run);
  await expectAsWithoutFailure(run);
}

async function killedInRecovery(run: string, process: Process): Promise<void> {
  const { gate } = deployment!.broker;
  const { completed, held } = await completeButHold(run, 0);
  await kill(process);
  restart(process);
  // The restored job asks again for what the checkpoint holds, and dies of it.
  await until('the restored job commits', async () => gate.heldRequests === held.length);
  expect(gate.heldTransactions).toEqual(held);
  expect((await checkpoints())!.restored!.id).toBe(completed);
  expect(await deployment!.cluster.isRunning()).toBe(false);
  const since = await kill(process);
  expect(await statesOf(held)).toEqual(['Ongoing']);
  gate.open();
  restart(process);
  expect(await restored(since)).toBe(completed);
  expect(await statesOf(held)).toEqual(['CompleteCommit']);
  await finish(run);
  await expectAsWithoutFailure(run);
}

const WINDOWS = {
  'before the pre-commit': killedBeforePreCommit,
  'completed but uncommitted': killedUncommitted,
  'partly committed': (run: string, process: Process) => killedUncommitted(run, process, 2),
  'during recovery': killedInRecovery,
};
type Window = keyof typeof WINDOWS;

describe.each<[number, Window[]]>([
  [2, ['before the pre-commit', 'completed but uncommitted', 'partly committed', 'during recovery']],
  [1, ['before the pre-commit', 'completed but uncommitted']],
])('transaction version %d', (version, windows) => {
  beforeAll(async () => {
    await deploy(version);
    await runWithoutFailure();
  });
  afterAll(async () => {
    await deployment!.remove();
    deployment = undefined;
  });
  // What one test left must not hold the next one.
  afterEach(() => deployment!.broker.gate.open());

  test.each(windows.flatMap((window) => PROCESSES.map((process) => [window, process] as const)))('%s, %s', (window, process) =>
    WINDOWS[window](`${window}, ${process}`, process),
  );
});

test('the same kill with at-least-once writes twice', async () => {
  await deploy(2, (script) => script.replace("'sink.delivery-guarantee' = 'exactly-once'", "'sink.delivery-guarantee' = 'at-least-once'"));
  await runWithoutFailure();
  const before = await begin('twice');
  const since = await kill('task managers');
  restart('task managers');
  expect(await restored(since)).toBe(before);
  await finish('twice');
  expect(Object.values(await valuesOf('twice'))).toEqual(ORDERS.map(() => [1, 3, 3, 7]));
});
