import { Duration } from 'aws-cdk-lib';
import { CHECKPOINTS_ON_REQUEST } from './cluster';
import { expectReasons, type Reasons } from './differences';
import { CHANGES, Deployment, type DeployOptions, event, ITEMS, sequences, until } from './order-items';
import { ORDER_TOTALS_REASONS, synthesizeTotals } from './order-totals';

jest.setTimeout(600_000);

const TRANSACTION_PREFIX = 'streaming.order-totals.dwd_order_item';
const DERIVED = 640_000;
/** Long enough for a slow machine to commit, and short enough to wait for. */
const SHORT = 20_000;

const job = synthesizeTotals();
let deployment: Deployment;
afterEach(() => deployment?.remove());

const TIMEOUT_REASONS: Reasons = {
  ...ORDER_TOTALS_REASONS,
  'the timeout that is tested': /^table dwd_order_item with(out)?: 'properties\.transaction\.timeout\.ms' =/,
};
const withTimeout = (milliseconds: number) => (script: string) =>
  script.replace(`'properties.transaction.timeout.ms' = '${DERIVED}'`, `'properties.transaction.timeout.ms' = '${milliseconds}'`);

async function deploy(options: DeployOptions, reasons: Reasons): Promise<void> {
  deployment = await Deployment.create(job, { ...options, configuration: CHECKPOINTS_ON_REQUEST });
  deployment.cluster.start(1);
  expectReasons(job, deployment.cluster, reasons);
}

const order = (name: string, change: number) => event('c', null, { order: name, change, quantity: 1 });
const orders = async (isolation?: 'read_uncommitted') => Object.keys(sequences(await deployment.broker.consume(ITEMS, isolation))).sort();
const run = () => until('the job runs', () => deployment.cluster.isRunning(), 150_000);

test('a timeout above the maximum of the broker is refused at synthesis, and by the broker where it got past', async () => {
  expect(() => synthesizeTotals({ survivableOutage: Duration.minutes(30) })).toThrow(
    /exactly-once sink 'dwd_order_item' must stay open for .* above the broker's transaction\.max\.timeout\.ms of 900 s/,
  );

  await deploy({ changeScript: withTimeout(900_001) }, TIMEOUT_REASONS);
  const { broker, cluster } = deployment;
  await broker.produce(CHANGES, [order('a', 1)]);
  await until(
    'the refusal',
    async () => /InvalidTxnTimeoutException|transaction timeout is larger than the maximum/.test(cluster.log()),
    150_000,
  );
  expect(cluster.log()).toContain('InitProducerId');
  expect(await orders()).toEqual([]);
});

/** An order that is written, and in a completed checkpoint. */
async function write(name: string, change: number): Promise<void> {
  const { broker, cluster } = deployment;
  await broker.produce(CHANGES, [order(name, change)]);
  await until(`the order ${name}`, async () => (await orders('read_uncommitted')).includes(name));
  await until('a completed checkpoint', () => cluster.checkpoint());
}

const committed = (name: string) => until(`the commit of ${name}`, async () => (await orders()).includes(name));

/** Ends all processes between a completed checkpoint and its commit. */
async function outage(): Promise<void> {
  const { broker, cluster } = deployment;
  await run();
  await write('before', 1);
  await committed('before');
  broker.gate.hold(TRANSACTION_PREFIX);
  await write('meanwhile', 2);
  await until('a commit that is held', async () => broker.gate.heldRequests > 0);
  await cluster.stop();
}

async function recover(): Promise<void> {
  const { broker, cluster } = deployment;
  broker.gate.open();
  cluster.start(1);
  await run();
  await write('after', 3);
  await committed('after');
}

test.each([2, 1])(
  'an outage longer than the timeout loses the transaction, and the job says so, version %d',
  async (transactionVersion) => {
    await deploy({ transactionVersion, changeScript: withTimeout(SHORT) }, TIMEOUT_REASONS);
    const { broker, cluster } = deployment;
    await outage();
    const aborted = await until('the broker to abort', async () =>
      Object.entries(await broker.transactions(TRANSACTION_PREFIX)).find(([_id, { state }]) => state === 'CompleteAbort'),
    );
    expect(cluster.log()).not.toContain('data loss');

    await recover();
    expect(await orders()).toEqual(['after', 'before']);
    const losses = cluster.log().match(/ ERROR KafkaCommitter .*/g)!;
    expect(losses.length).toBe(1);
    expect(losses[0]).toContain(`transactionalId='${aborted[0]}'`);
    expect(losses[0]).toContain("recovery took longer than 'transaction.timeout.ms' (20000ms)");
    expect(losses[0]).toContain('this most likely signals data loss');
    // What tells a loss from the same words about a transaction that was committed before.
    expect((await broker.transactions(aborted[0]))[aborted[0]]!.state).toBe('CompleteAbort');
  },
);

test('the same outage within the derived timeout loses nothing', async () => {
  await deploy({}, ORDER_TOTALS_REASONS);
  await outage();
  await recover();
  expect(await orders()).toEqual(['after', 'before', 'meanwhile']);
});
