import { mkdtempSync, readFileSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { parseAllDocuments } from 'yaml';
import { run } from '../../../lib/cli/run';
import type { PipelineLock } from '../../../lib/planner/lock-file';
import type { JobDetails } from './cluster';
import { expectReasons } from './differences';
import { CHANGES, Deployment, event, ITEMS, type SynthesizedJob, sequences, TOTALS, until } from './order-items';
import { ORDER_TOTALS_REASONS, type OrderTotals, synthesizeTotals } from './order-totals';

jest.setTimeout(600_000);

/** Another condition, more partitions, and a sink with sums of its own behind the others. */
const SECOND: OrderTotals = {
  condition: "order_status NOT IN ('CANCELLED', 'RETURNED')",
  partitions: 12,
  second: "SELECT order_id, item_id, SUM(quantity) FROM `order_changes` WHERE order_status = 'RETURNED' GROUP BY order_id, item_id",
};
const v1 = synthesizeTotals();
const v2 = synthesizeTotals(SECOND);
const broken = synthesizeTotals({ condition: 'no_such_column = 1' });

const locks = mkdtempSync(join(tmpdir(), 'locks-'));
let deployment: Deployment;
let savepoint: string;
let changes = 0;

beforeAll(async () => {
  deployment = await Deployment.create(v1);
});
afterAll(async () => {
  await deployment?.remove();
  rmSync(locks, { recursive: true });
});

/** The command line, as a pipeline of deployments runs it. */
function lock(job: SynthesizedJob, ...args: string[]): { code: number; text: string } {
  let text = '';
  const write = (more: string) => {
    text += more;
  };
  const code = run(['lock', job.assembly, '--directory', locks, ...args], { out: write, error: write });
  return { code, text };
}

/** So many writers of each topic run, as was derived. */
async function expectWriters({ pipeline }: SynthesizedJob, writers: { [topic: string]: number }): Promise<void> {
  const { vertices } = (await deployment.cluster.job<JobDetails>())!;
  for (const [topic, count] of Object.entries(writers)) {
    expect(vertices.find(({ name }) => name.includes(`${topic}[`))).toMatchObject({ parallelism: count });
    expect(pipeline.derivedValues).toContainEqual(
      expect.objectContaining({ name: 'sink.parallelism', table: topic, value: String(count) }),
    );
  }
}

/** What the lock says of another version, without accepting it. */
function checkState(job: SynthesizedJob): { verdict: string; reasons: string[] } {
  const { text } = lock(job, '--check', '--json');
  return JSON.parse(text.slice(text.indexOf('{'))).jobs[0].state;
}

/** Each vertex runs with the parallelism that it has in the lock, and with the id of its first operator there. */
async function expectLockedVertices(): Promise<void> {
  const { vertices } = JSON.parse(readFileSync(join(locks, 'order-totals.lock.json'), 'utf8')) as PipelineLock;
  const running = (await deployment.cluster.job<JobDetails>())!.vertices;
  const found = running.map(({ id, parallelism, maxParallelism }) => [id, parallelism, maxParallelism]);
  expect(found).toHaveLength(vertices.length);
  expect(found).toEqual(
    expect.arrayContaining(vertices.map(({ operators, parallelism, maxParallelism }) => [operators[0]!.id, parallelism, maxParallelism])),
  );
}

const from = (path: string) => ({ 'execution.state-recovery.path': path });
const fromReasons = { ...ORDER_TOTALS_REASONS, 'the operator knows the savepoint': /^setting execution\.state-recovery\.path:/ };

async function start(job: SynthesizedJob, reasons = ORDER_TOTALS_REASONS): Promise<void> {
  const { cluster } = deployment;
  cluster.start(1);
  expectReasons(job, cluster, reasons);
  await until('the job runs', () => cluster.isRunning(), 180_000).catch((error) => {
    throw new Error(`${error.message}\n${cluster.log().slice(-8000)}`);
  });
}

async function deployFrom(path: string, job: SynthesizedJob): Promise<void> {
  await deployment.deploy(job, { configuration: from(path) });
  await start(job, fromReasons);
}

/** Deploys what Flink does not run, and gives what the job manager says. */
async function refusalFrom(path: string, job: SynthesizedJob): Promise<string> {
  await deployment.deploy(job, { configuration: from(path) });
  const { cluster } = deployment;
  cluster.startJobManager();
  expectReasons(job, cluster, fromReasons);
  expect(await cluster.jobManagerExit()).toBeGreaterThan(0);
  return cluster.log();
}

/** Orders a, b … of one item each, with one more change of each status. */
async function write(quantity: number): Promise<void> {
  const records = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].flatMap((order) =>
    ['PAID', 'RETURNED', 'CANCELLED'].map((status, index) =>
      event('c', null, { order, change: ++changes, quantity: quantity * 10 ** index, status }),
    ),
  );
  await deployment.broker.produce(CHANGES, records);
}

/** All eight orders have this total in a topic. */
async function untilTotal(topic: string, total: number): Promise<void> {
  const read = async () => Object.values(sequences(await deployment.broker.consume(topic))).map(({ quantities }) => quantities.at(-1));
  await until(`totals of ${total} in ${topic}`, async () => {
    const found = await read();
    return found.length === 8 && found.every((one) => one === total);
  }).catch(async (error) => {
    throw new Error(`${error.message}; there are ${await read()}`);
  });
}

test('v1 is locked, runs, and stops with a savepoint', async () => {
  expect(lock(v1).code).toBe(0);
  await start(v1);
  await expectLockedVertices();
  await write(1);
  await untilTotal(ITEMS, 11);
  savepoint = await deployment.cluster.stopWithSavepoint();
});

test('a broken v2 does not start; the script of v1 is still there, and goes on from the savepoint', async () => {
  expect(lock(broken, '--check')).toMatchObject({ code: 1, text: expect.stringContaining('no_such_column') });
  const log = await refusalFrom(savepoint, broken);
  expect(log).toContain('no_such_column');

  const scripts = [v1, broken].map(({ manifests }) =>
    parseAllDocuments(manifests)
      .map((document) => document.toJS())
      .find(({ kind, data }) => kind === 'ConfigMap' && data['job.sql'] !== undefined),
  );
  const [first, second] = scripts;
  expect(first.metadata.name).not.toBe(second.metadata.name);
  expect([first.immutable, second.immutable]).toEqual([true, true]);
  await deployFrom(savepoint, { ...v1, script: first.data['job.sql'] });
  await write(2);
  await untilTotal(ITEMS, 33);
  savepoint = await deployment.cluster.stopWithSavepoint();
});

test('an operator less gives other ids to those behind it: refused by the lock and by Flink', async () => {
  const unfiltered = synthesizeTotals({ condition: 'TRUE' });
  expect(checkState(unfiltered)).toMatchObject({
    verdict: 'refused',
    reasons: expect.arrayContaining([expect.stringContaining('GroupAggregate')]),
  });
  expect(await refusalFrom(savepoint, unfiltered)).toMatch(/Cannot map (checkpoint|savepoint).* state/);
});

test('a new INSERT before the others takes their ids and state: the lock says so, and the totals are wrong', async () => {
  const secondIsFirst = synthesizeTotals({ ...SECOND, secondIsFirst: true });
  const { verdict, reasons } = checkState(secondIsFirst);
  expect(verdict).toBe('misplaced');
  expect(reasons).toContainEqual(expect.stringMatching(/^'GroupAggregate\[\d+]' .* takes the aggregates of each group of 'GroupAggregate/));
  await write(4);
  await deployFrom(savepoint, secondIsFirst);
  // What came back, added to the sums of all; and those begin anew.
  await untilTotal(TOTALS, 73);
  await untilTotal(ITEMS, 4);
});

test('v2 has another condition, more partitions and a sink more, behind the others: the lock says that it restores and means something else, and so it does', async () => {
  const { verdict, reasons } = checkState(v2);
  expect(verdict).toBe('restores, meaning changed');
  expect(reasons).toEqual(
    expect.arrayContaining([
      expect.stringContaining("the plan of the INSERT into 'dwd_order_item' changed"),
      "an INSERT into 'order_item_totals' is new",
      expect.stringMatching(/^'GroupAggregate\[\d+]' \(\w+\) is new and starts empty$/),
    ]),
  );
  expect(lock(v2).code).toBe(0);
  await deployment.broker.growTopic(CHANGES, 12);
  await write(8);
  const partitions = (await deployment.broker.consume(CHANGES)).map(({ partition }) => partition);
  expect(partitions.filter((partition) => partition >= 6)).not.toEqual([]);
  await deployFrom(savepoint, v2);
  await expectLockedVertices();
  await expectWriters(v2, { [ITEMS]: 2, [TOTALS]: 1 });
  // What was returned before still counts in the old sums; the new ones begin with what comes now, from old and new partitions.
  await untilTotal(ITEMS, 45);
  await untilTotal(TOTALS, 120);
});
