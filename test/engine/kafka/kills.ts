import { CHECKPOINTS_ON_REQUEST } from './cluster';
import { expectReasons, type Reasons } from './differences';
import { Deployment, ORDER_ITEMS_REASONS, synthesize, TOTALS, TRANSACTION_PREFIX, until } from './order-items';
import { ORDERS, PATIENCE, Runs, type Seen, type Sequences } from './runs';

// Each wait has a limit of its own that says what it waited for.
jest.setTimeout(900_000);

const JOB_PREFIX = 'streaming.order-items.';
const TASK_MANAGERS = 3;

const PROCESSES = ['task manager', 'job manager'] as const;
type Process = (typeof PROCESSES)[number];

/** A change of the script. */
interface Change {
  readonly reasons: Reasons;
  readonly changeScript: (script: string) => string;
}

const exactlyOnceTotals: Change = {
  reasons: {
    'a database needs no transactions for the totals; here they tell how often each row was read back':
      /^table order_item_totals with: '(sink\.(delivery-guarantee|transactional-id-prefix)|properties\.transaction\.timeout\.ms)' =/,
  },
  changeScript: (script) =>
    script.replace(
      `'topic' = '${TOTALS}',`,
      `$&\n  'sink.delivery-guarantee' = 'exactly-once',\n  'sink.transactional-id-prefix' = '${JOB_PREFIX}${TOTALS}',\n  'properties.transaction.timeout.ms' = '640000',`,
    ),
};

const atLeastOnceItems: Change = {
  reasons: { 'to see what at least once is': /^table dwd_order_item with(out)?: 'sink\.delivery-guarantee' =/ },
  changeScript: (script) => script.replace("'sink.delivery-guarantee' = 'exactly-once'", "'sink.delivery-guarantee' = 'at-least-once'"),
};

const job = synthesize();
let deployment: Deployment | undefined;
let runs: Runs;
let withoutFailure: Seen;
/** By how much the commits of a batch raised the epochs of their producers. */
let epochsPerCommit: number[];
const secondsUntilBack: { [process: string]: number[] } = {};

async function deploy(transactionVersion: number, { reasons, changeScript }: Change): Promise<void> {
  deployment = await Deployment.create(job, {
    transactionVersion,
    changeScript,
    keepsAllValues: true,
    configuration: CHECKPOINTS_ON_REQUEST,
  });
  runs = new Runs(deployment);
  const { cluster } = deployment;
  startWhatIsDead();
  expectReasons(job, cluster, { ...ORDER_ITEMS_REASONS, ...reasons });
  await until('the job runs', () => cluster.isRunning(), PATIENCE).catch((error) => {
    throw new Error(`${error.message}\n${cluster.log().slice(-8000)}`);
  });
}

async function remove(): Promise<void> {
  await deployment?.remove();
  deployment = undefined;
}

afterAll(() => console.log(`seconds from a kill until all tasks run again: ${JSON.stringify(secondsUntilBack)}`));

async function runWithoutFailure(): Promise<void> {
  const run = 'calm';
  await runs.begin(run);
  await runs.write(run, 0);
  await runs.commit(run, 0);
  await runs.write(run, 1);
  const open = await idsOf('Ongoing');
  const epochs = await epochsOf(open);
  await runs.commit(run, 1);
  epochsPerCommit = (await epochsOf(open)).map((epoch, index) => epoch - epochs[index]!);
  await runs.finish(run);
  withoutFailure = await runs.seen(run);
  expect(Object.values(withoutFailure.sums)).toEqual(ORDERS.map(() => [1, 3, 7]));
  expect(Object.values(withoutFailure.parts)).toEqual(ORDERS.map(() => [0, 1, 0, 3, 0, 7]));
}

const transactions = () => deployment!.broker.transactions(JOB_PREFIX);

/** Ids of the transactions of the order items in that state. */
async function idsOf(state: string): Promise<string[]> {
  const found = await transactions();
  return Object.keys(found)
    .filter((id) => id.startsWith(TRANSACTION_PREFIX) && found[id]!.state === state)
    .sort();
}

async function statesOf(ids: string[]): Promise<string[]> {
  const found = await transactions();
  return [...new Set(ids.map((id) => found[id]?.state ?? 'unknown'))];
}

async function epochsOf(ids: string[]): Promise<number[]> {
  const found = await transactions();
  return ids.map((id) => found[id]!.producerEpoch);
}

/** SIGKILL, and another process in its place; wait until what the job had asked of the broker is gone with its tasks. */
async function kill(process: Process): Promise<number> {
  const { cluster, broker } = deployment!;
  const isGone = broker.gate.watchConnected();
  const since = Date.now();
  await (process === 'job manager' ? cluster.killJobManager() : cluster.killTaskManager(0));
  startWhatIsDead();
  await until('no task that ran asks for a commit', async () => isGone(), PATIENCE);
  return since;
}

function startWhatIsDead(): void {
  deployment!.cluster.start(TASK_MANAGERS);
}

/** @returns the id of the checkpoint that the job was restored from since the kill. */
async function restored(process: Process, since: number): Promise<number> {
  const id = await until(
    'a restored job',
    async () => {
      const latest = (await runs.checkpoints())?.latest.restored;
      return latest != null && latest.restore_timestamp >= since && latest.id;
    },
    PATIENCE,
  );
  await until('the job runs again', () => deployment!.cluster.isRunning(), PATIENCE);
  secondsUntilBack[process] = [...(secondsUntilBack[process] ?? []), Math.round((Date.now() - since) / 100) / 10];
  return id;
}

/** The first batch is committed, the second one is written: what happens to it is the window. */
async function writeTwo(run: string): Promise<number> {
  await runs.begin(run);
  await runs.write(run, 0);
  const before = await runs.commit(run, 0);
  await runs.write(run, 1);
  return before;
}

const moreThan = (one: Sequences, other: Sequences) => ORDERS.every((order) => one[order]!.length > other[order]!.length);

/** Neither readers nor the job itself, which counts what it reads back, have seen the second batch. */
async function expectOnlyFirstBatch(run: string): Promise<void> {
  expect(Object.values(await runs.sumsOf(run))).toEqual(ORDERS.map(() => [1]));
  const { parts } = await runs.seen(run, 'read_uncommitted');
  expect(new Set(Object.values(parts).flat())).toEqual(new Set([0, 1]));
}

async function killedBeforePreCommit(run: string, process: Process): Promise<void> {
  const before = await writeTwo(run);
  const open = await idsOf('Ongoing');
  expect(open.length).toBeGreaterThan(1);
  const { history, counts } = (await runs.checkpoints())!;
  expect([history[0], counts.in_progress]).toMatchObject([{ id: before, status: 'COMPLETED' }, 0]);
  const writtenOnce = await runs.sumsOf(run, 'read_uncommitted');

  const since = await kill(process);
  expect(await statesOf(open)).not.toContain('CompleteCommit');
  expect(await restored(process, since)).toBe(before);
  // Written again, since the first time was aborted: who reads uncommitted values sees both.
  const again = async () => moreThan(await runs.sumsOf(run, 'read_uncommitted'), writtenOnce);
  await until('the batch is written again', again, PATIENCE);
  await expectOnlyFirstBatch(run);
  await runs.finish(run);
  expect(await runs.seen(run)).toEqual(withoutFailure);
  const uncommitted = await runs.seen(run, 'read_uncommitted');
  expect(moreThan(uncommitted.sums, withoutFailure.sums)).toBe(true);
  expect(uncommitted.parts).not.toEqual(withoutFailure.parts);
}

/** A completed checkpoint of which so many transactions are committed, and the others held. */
async function completeButHold(run: string, committed: number) {
  const { gate } = deployment!.broker;
  const before = await writeTwo(run);
  const open = await idsOf('Ongoing');
  gate.hold(TRANSACTION_PREFIX, committed);
  const completed = await runs.checkpoint();
  expect(completed).toBeGreaterThan(before);
  expect((await runs.checkpoints())!.history[0]).toMatchObject({ id: completed, status: 'COMPLETED' });
  await until('the commits are held', async () => gate.heldRequests === open.length - committed, PATIENCE);
  const held = gate.heldTransactions;
  expect(held.length).toBeGreaterThan(1);
  const others = open.filter((id) => !held.includes(id));
  expect(others).toHaveLength(committed);
  await until('the others are committed', async () => committed === 0 || (await statesOf(others)).join() === 'CompleteCommit');
  expect(await idsOf('Ongoing')).toEqual(held);
  // Readers see nothing of what is held, nor what was committed behind it in the same partition.
  expect(Object.values(await runs.sumsOf(run))).toContainEqual([1]);
  if (committed === 0) {
    await expectOnlyFirstBatch(run);
  }
  return { completed, held };
}

async function expectCommittedByRestore(run: string, process: Process, since: number, completed: number, held: string[]): Promise<void> {
  expect(await statesOf(held)).toEqual(['Ongoing']);
  deployment!.broker.gate.open();
  expect(await restored(process, since)).toBe(completed);
  expect(await statesOf(held)).toEqual(['CompleteCommit']);
  await runs.finish(run);
  expect(await runs.seen(run)).toEqual(withoutFailure);
}

async function killedUncommitted(run: string, process: Process, committed: number): Promise<void> {
  const { completed, held } = await completeButHold(run, committed);
  const since = await kill(process);
  await expectCommittedByRestore(run, process, since, completed, held);
}

async function killedInRecovery(run: string, process: Process): Promise<void> {
  const { gate } = deployment!.broker;
  const { completed, held } = await completeButHold(run, 0);
  await kill(process);
  // The restored job asks again for what the checkpoint holds, and dies of it.
  await until('the restored job commits', async () => gate.heldRequests === held.length, PATIENCE);
  expect(gate.heldTransactions).toEqual(held);
  expect((await runs.checkpoints())!.latest.restored!.id).toBe(completed);
  expect(await deployment!.cluster.isRunning()).toBe(false);
  const since = await kill(process);
  await expectCommittedByRestore(run, process, since, completed, held);
}

const WINDOWS: { [window: string]: (run: string, process: Process) => Promise<void> } = {
  'before the pre-commit': killedBeforePreCommit,
  'completed but uncommitted': (run, process) => killedUncommitted(run, process, 0),
  'partly committed': (run, process) => killedUncommitted(run, process, 2),
  'during recovery': killedInRecovery,
};

/** Kills in every window, where the broker works with that version of transactions. */
export function testKillsInVersion(version: 1 | 2): void {
  describe(`transaction version ${version}`, () => {
    beforeAll(async () => {
      await deploy(version, exactlyOnceTotals);
      await runWithoutFailure();
    });
    afterAll(remove);
    // What one test left must not disturb the next one.
    afterEach(() => {
      deployment!.broker.gate.open();
      startWhatIsDead();
    });

    test('is what the broker and the producers work with', async () => {
      expect(await deployment!.broker.featureLevel('transaction.version')).toBe(version);
      // Version 2 gives a producer another epoch with each commit.
      expect(new Set(epochsPerCommit)).toEqual(new Set([version === 2 ? 1 : 0]));
    });

    describe.each(Object.entries(WINDOWS))('%s', (window, killedThere) => {
      test.each(PROCESSES)('%s', (process) => killedThere(`${window}, ${process}`, process));
    });

    test('the log warns of a loss in version 2 alone, and each transaction that it names was committed', async () => {
      const warnings = deployment!.cluster.log().match(/ ERROR KafkaCommitter .*most likely signals data loss/g) ?? [];
      // A restored job commits again what its checkpoint holds. In version 2 the first commit has ended the epoch of that producer.
      expect(warnings.length > 0).toBe(version === 2);
      const ids = warnings.map((warning) => /transactionalId='([^']*)'/.exec(warning)![1]!);
      expect(await statesOf(ids)).toEqual(version === 2 ? ['CompleteCommit'] : []);
    });
  });
}

/** What the kills of the other tests would do to a job that is not exactly once. */
export function testKillsAtLeastOnce(): void {
  describe('at least once', () => {
    beforeAll(async () => {
      await deploy(2, atLeastOnceItems);
      await runWithoutFailure();
    });
    afterAll(remove);

    test.each(PROCESSES)('the same kill writes twice, %s', async (process) => {
      const run = `twice, ${process}`;
      const before = await writeTwo(run);
      await runs.readBack(run, 1);
      const since = await kill(process);
      expect(await restored(process, since)).toBe(before);
      await runs.finish(run);
      const { sums, parts } = await runs.seen(run);
      expect(moreThan(sums, withoutFailure.sums)).toBe(true);
      expect(parts).not.toEqual(withoutFailure.parts);
    });
  });
}
