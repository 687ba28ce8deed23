import { createHash } from 'crypto';
import { mkdtempSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { operationsSql } from '../../../lib/cli/sql-command';
import { assemblyOf, DEBEZIUM, EVERY_TYPE, read } from '../../fixtures/operations';
import { Cluster } from '../kafka/cluster';
import { freePorts } from '../kafka/free-ports';
import { until } from '../kafka/order-items';

jest.setTimeout(300_000);

const RATE = 2000;
const ROWS = 20_000;

let directory: string;
let cluster: Cluster;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'load-'));
  const script = operationsSql({
    kind: 'load',
    // The record key, since no other is named.
    assembly: assemblyOf(read(EVERY_TYPE, { format: DEBEZIUM }, ['a_string'])),
    rowsPerSecond: `${RATE}`,
    size: '7',
    keys: '1000',
    hotKeys: '10',
    hotShare: '80',
  });
  const [restPort, rpcPort] = await freePorts(2);
  cluster = new Cluster({
    directory,
    coordinates: [],
    // The rows end in the log, since there is no topic here.
    script: script.replace(/'connector' = 'kafka',[^;]*\)/, "'connector' = 'print')"),
    configuration: {
      'parallelism.default': '1',
      'taskmanager.numberOfTaskSlots': '1',
      'jobmanager.rpc.address': '127.0.0.1',
      'jobmanager.rpc.port': String(rpcPort),
      'taskmanager.host': '127.0.0.1',
      'rest.address': '127.0.0.1',
      'rest.bind-port': String(restPort),
      'rest.port': String(restPort),
    },
    parallelism: 1,
    environment: {},
    restPort: restPort!,
    jobId: createHash('md5').update(directory).digest('hex'),
  });
  cluster.start(1);
});
afterAll(async () => {
  await cluster?.stop();
  rmSync(directory, { recursive: true, force: true });
});

test('rows come at the stated rate, with the stated share on the stated number of keys', async () => {
  const rows = () => [...cluster.log().matchAll(/^\+I\[(.*)\]$/gm)].map(([, columns]) => columns!.split(', '));
  await until('the first rows', async () => rows().length > 0, 150_000).catch((error) => {
    throw new Error(`${error.message}\n${cluster.log().slice(-8000)}`);
  });
  const [before, start] = [rows().length, Date.now()];
  await until('enough rows', async () => rows().length > ROWS, 90_000);
  const made = rows();
  const perSecond = ((made.length - before) * 1000) / (Date.now() - start);
  expect(perSecond).toBeGreaterThan(RATE * 0.5);
  expect(perSecond).toBeLessThan(RATE * 1.2);

  const at = EVERY_TYPE.findIndex(({ name }) => name === 'a_string');
  const keys = made.map((columns) => Number(columns[at]!.replace('key-', '')));
  const hot = keys.filter((key) => key < 10);
  // Six standard deviations of so many throws.
  expect(hot.length / keys.length).toBeCloseTo(0.8, 1);
  expect(Math.abs(hot.length / keys.length - 0.8)).toBeLessThan(6 * Math.sqrt((0.8 * 0.2) / keys.length));
  expect(new Set(hot).size).toBe(10);
  expect(Math.max(...keys)).toBeLessThan(1000);
  expect(new Set(keys).size).toBeGreaterThan(900);
});
