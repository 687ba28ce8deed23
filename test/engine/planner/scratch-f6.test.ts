import type { PlannerProcess } from '../../../lib/planner/planner-process';
import { startPlanner } from './planner';
jest.setTimeout(600_000);
let planner: PlannerProcess;
beforeAll(() => { planner = startPlanner(); });
afterAll(() => planner.close());
test('x', async () => {
  const k = "'connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'b:9092', 'scan.startup.mode' = 'earliest-offset', 'format' = 'debezium-json'";
  const u = "'connector' = 'upsert-kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'b:9092', 'key.format' = 'json', 'value.format' = 'json'";
  const { plan, statements } = await planner.plan({ script: `CREATE TABLE s (id STRING, v STRING) WITH (${k});
CREATE TABLE o (id STRING, v STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (${u});
INSERT INTO o SELECT id, v FROM s;` });
  process.stdout.write(JSON.stringify(plan?.sinks ?? statements) + '\n');
});
