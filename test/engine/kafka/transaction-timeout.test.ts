import { Duration } from 'aws-cdk-lib';
import { CHANGES, Deployment, event, ITEMS, sequences, until } from './order-items';
import { synthesizeTotals } from './order-totals';

jest.setTimeout(400_000);

const TRANSACTION_PREFIX = 'streaming.order-totals.dwd_order_item';
const DERIVED = 640_000;

const job = synthesizeTotals();
let deployment: Deployment;
afterEach(() => deployment?.remove());

const withTimeout = (milliseconds: number) => (script: string) => {
  const changed = script.replace(
    `'properties.transaction.timeout.ms' = '${DERIVED}'`,
    `'properties.transaction.timeout.ms' = '${milliseconds}'`,
  );
  console.log(`changed for the test: a transaction timeout of ${milliseconds} ms, not ${DERIVED} ms`);
  return changed;
};

const order = (name: string, change: number) => event('c', null, { order: name, change, quantity: 1 });
const orders = async () => Object.keys(sequences(await deployment.broker.consume(ITEMS))).sort();
const run = () => until('the job runs', () => deployment.cluster.isRunning(), 150_000);

test('a timeout above the maximum of the broker is refused at synthesis, and by the broker where it got past', async () => {
  expect(() => synthesizeTotals({ survivableOutage: Duration.minutes(30) })).toThrow(
    /exactly-once sink 'dwd_order_item' must stay open for .* above the broker's transaction\.max\.timeout\.ms of 900 s/,
  );

  deployment = await Deployment.create(job, { changeScript: withTimeout(900_001) });
  const { broker, cluster } = deployment;
  await broker.produce(CHANGES, [order('a', 1)]);
  cluster.start(1);
  await until(
    'the refusal',
    async () => /InvalidTxnTimeoutException|transaction timeout is larger than the maximum/.test(cluster.log()),
    150_000,
  );
  expect(cluster.log()).toContain('InitProducerId');
  expect(await orders()).toEqual([]);
});

/** Ends all processes between a completed checkpoint and its commit. */
async function outage(): Promise<void> {
  const { broker, cluster } = deployment;
  cluster.start(1);
  await run();
  await broker.produce(CHANGES, [order('before', 1)]);
  await until('the first order', async () => (await orders()).includes('before'));
  broker.gate.hold(TRANSACTION_PREFIX);
  await broker.produce(CHANGES, [order('meanwhile', 2)]);
  await until('a commit that is held', async () => broker.gate.heldRequests > 0);
  await cluster.stop();
}

async function recover(): Promise<void> {
  const { broker, cluster } = deployment;
  broker.gate.open();
  cluster.start(1);
  await run();
  await broker.produce(CHANGES, [order('after', 3)]);
  await until('the last order', async () => (await orders()).includes('after'));
}

test.each([2, 1])(
  'an outage longer than the timeout loses the transaction, and the job says so, version %d',
  async (transactionVersion) => {
    deployment = await Deployment.create(job, { transactionVersion, changeScript: withTimeout(4000) });
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
    expect(losses[0]).toContain("recovery took longer than 'transaction.timeout.ms' (4000ms)");
    expect(losses[0]).toContain('this most likely signals data loss');
    // What tells a loss from the same words about a transaction that was committed before.
    expect((await broker.transactions(aborted[0]))[aborted[0]]!.state).toBe('CompleteAbort');
  },
);

test('the same outage within the derived timeout loses nothing', async () => {
  deployment = await Deployment.create(job);
  await outage();
  await recover();
  expect(await orders()).toEqual(['after', 'before', 'meanwhile']);
});
