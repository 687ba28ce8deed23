import { mkdtempSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { parseAllDocuments } from 'yaml';
import { run } from '../../../lib/cli/run';
import { CHANGES, Deployment, type DeployOptions, event, ITEMS, sequences, until } from './order-items';
import { type SynthesizedTotals, synthesizeTotals } from './order-totals';

jest.setTimeout(600_000);

const STRICTER = "order_status NOT IN ('CANCELLED', 'RETURNED')";
const v1 = synthesizeTotals();
const v2 = synthesizeTotals({ condition: STRICTER, partitions: 12 });
const v3 = synthesizeTotals({
  condition: STRICTER,
  partitions: 12,
  second: `SELECT order_id, item_id, SUM(quantity) FROM \`order_changes\` WHERE ${STRICTER} GROUP BY order_id, item_id`,
});
/** Nothing is filtered: an operator less in front of the sums. */
const unfiltered = synthesizeTotals({ condition: 'TRUE', partitions: 12 });
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
function lock(job: SynthesizedTotals, ...args: string[]): { code: number; text: string } {
  let text = '';
  const write = (more: string) => {
    text += more;
  };
  const code = run(['lock', job.assembly, '--directory', locks, ...args], { out: write, error: write });
  return { code, text };
}

function stateVerdict(job: SynthesizedTotals): { verdict: string; reasons: string[] } {
  const { text } = lock(job, '--check', '--json');
  return JSON.parse(text.slice(text.indexOf('{'))).jobs[0].state;
}

const from = (path: string) => ({ 'execution.state-recovery.path': path });

async function start(): Promise<void> {
  const { cluster } = deployment;
  cluster.start(1);
  await until('the job runs', () => cluster.isRunning(), 180_000).catch((error) => {
    throw new Error(`${error.message}\n${cluster.log().slice(-8000)}`);
  });
}

async function deploy(job: SynthesizedTotals, options?: DeployOptions): Promise<void> {
  await deployment.deploy(job, options);
  await start();
}

/** Deploys what Flink does not run, and gives what the job manager says. */
async function refusal(job: SynthesizedTotals, configuration: { [key: string]: string }): Promise<string> {
  await deployment.deploy(job, { configuration });
  const { cluster } = deployment;
  cluster.startJobManager();
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

async function totals() {
  const found = sequences(await deployment.broker.consume(ITEMS));
  return [...new Set(Object.values(found).map(({ quantities }) => quantities.at(-1)))];
}

/** All eight orders have this total. */
const untilTotal = (total: number) =>
  until(`totals of ${total}`, async () => {
    const found = await totals();
    return found.length === 1 && found[0] === total;
  }).catch(async (error) => {
    throw new Error(`${error.message}; there are ${await totals()}`);
  });

test('v1 is locked, runs, and stops with a savepoint', async () => {
  expect(lock(v1).code).toBe(0);
  await start();
  await write(1);
  await untilTotal(11);
  savepoint = await deployment.cluster.stopWithSavepoint();
});

test('a broken v2 does not start; the script of v1 is still there, and goes on from the savepoint', async () => {
  expect(lock(broken, '--check')).toMatchObject({ code: 1, text: expect.stringContaining('has no plan to lock') });
  const log = await refusal(broken, from(savepoint));
  expect(log).toContain('no_such_column');

  const scripts = [v1, broken].map(({ manifests }) =>
    parseAllDocuments(manifests)
      .map((document) => document.toJS())
      .find(({ kind, data }) => kind === 'ConfigMap' && data['job.sql'] !== undefined),
  );
  const [first, second] = scripts;
  expect(first.metadata.name).not.toBe(second.metadata.name);
  expect([first.immutable, second.immutable]).toEqual([true, true]);
  await deploy({ ...v1, script: first.data['job.sql'] }, { configuration: from(savepoint) });
  await write(2);
  await untilTotal(33);
  savepoint = await deployment.cluster.stopWithSavepoint();
});

test('v2 with another condition and more partitions: the lock says that the meaning changed, and so it does', async () => {
  expect(stateVerdict(v2).verdict).toBe('restores, meaning changed');
  await deployment.broker.growTopic(CHANGES, 12);
  await deploy(v2, { configuration: from(savepoint) });
  await write(4);
  // What was returned before still counts.
  await untilTotal(37);
  savepoint = await deployment.cluster.stopWithSavepoint();
});

test('a version whose operators have other ids: refused by the lock and by Flink', async () => {
  expect(stateVerdict(unfiltered)).toMatchObject({
    verdict: 'refused',
    reasons: expect.arrayContaining([expect.stringContaining('GroupAggregate')]),
  });
  expect(await refusal(unfiltered, from(savepoint))).toMatch(/Cannot map (checkpoint|savepoint).* state/);
});

test('a sink more moves the ids of the first: Flink refuses where its connector kept anything, says the lock, and Flink does', async () => {
  expect(lock(v2).code).toBe(0);
  const { verdict, reasons } = stateVerdict(v3);
  expect(verdict).toBe('unknown');
  expect(reasons[0]).toContain("'dwd_order_item[7]: Writer'");
  expect(await refusal(v3, from(savepoint))).toMatch(/Cannot map (checkpoint|savepoint).* state/);
});
