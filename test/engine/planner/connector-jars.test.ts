import { mkdtempSync, readdirSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { connectorJars } from '../../../lib/planner/connector-jars';
import { findJava } from '../../../lib/planner/java-home';
import type { PlannerProcess } from '../../../lib/planner/planner-process';
import { startPlanner } from './planner';

jest.setTimeout(300_000);

let planner: PlannerProcess;
beforeAll(() => {
  planner = startPlanner();
});
afterAll(() => planner.close());

const cache = mkdtempSync(join(tmpdir(), 'jars-'));
afterAll(() => rmSync(cache, { recursive: true }));

const CORE = 'org.apache.flink:flink-connector-jdbc-core:4.0.0-2.0';
const POSTGRES = 'org.apache.flink:flink-connector-jdbc-postgres:4.0.0-2.0';
const NOBODYS = 'org.apache.flink:flink-connector-jdbc-nobody:4.0.0-2.0';

test('the real factory plans where Maven has its jars, all of them, and a stand-in elsewhere', async () => {
  const { directory } = findJava();
  const said: string[] = [];
  const fetch = (...coordinates: string[]) => connectorJars(coordinates, directory, (message) => said.push(message), cache).paths;
  expect(fetch('com.mysql:mysql-connector-j:9.7.0', 'org.apache.flink:flink-sql-connector-kafka:5.0.0-2.2')).toEqual([]);
  expect(said).toEqual([]);
  const jars = fetch(CORE, POSTGRES);
  expect(jars).toEqual([
    join(cache, 'jars/flink-connector-jdbc-core-4.0.0-2.0.jar'),
    join(cache, 'jars/flink-connector-jdbc-postgres-4.0.0-2.0.jar'),
  ]);
  expect(fetch(CORE, POSTGRES, NOBODYS)).toEqual([]);
  expect(said).toHaveLength(3);
  // What is there, or known not to be, is not asked for again.
  expect([fetch(CORE, POSTGRES), fetch(CORE, NOBODYS)]).toEqual([jars, []]);
  expect(said).toHaveLength(3);
  expect(readdirSync(join(cache, 'jars')).sort()).toEqual([
    'flink-connector-jdbc-core-4.0.0-2.0.jar',
    'flink-connector-jdbc-nobody-4.0.0-2.0.absent',
    'flink-connector-jdbc-postgres-4.0.0-2.0.jar',
  ]);

  const script = (url: string) => `CREATE TABLE s (id STRING) WITH ('connector' = 'datagen');
CREATE TABLE t (id STRING, n BIGINT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'jdbc', 'url' = '${url}', 'table-name' = 't');
INSERT INTO t SELECT id, COUNT(*) FROM s GROUP BY id;`;
  const real = await planner.plan({ script: script('jdbc:postgresql://h/d'), jars });
  expect(real).toMatchObject({ ok: true, plan: { sinks: [{ table: 't', changes: ['+I', '+U'], materializer: false }] } });
  expect(real.connectors[1]).toEqual({ identifier: 'jdbc', factory: expect.stringMatching(/^org\.apache\.flink\.connector\.jdbc\./) });
  const refused = await planner.plan({ script: script('jdbc:mysql://h/d'), jars });
  expect(refused.statements.flatMap(({ errors }) => errors)[0]).toContain('Could not find any jdbc');
  const standIn = await planner.plan({ script: script('jdbc:mysql://h/d') });
  expect(standIn).toMatchObject({ ok: true });
  expect(standIn.connectors[1]).toEqual({ identifier: 'jdbc' });
  expect(standIn.plan).toEqual(real.plan);
});
