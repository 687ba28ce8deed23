import type { PlannerProcess } from '../../../lib/planner/planner-process';
import { OPTION_PROBES, type OptionProbe, probedOptions } from '../../fixtures/option-probes';
import { startPlanner } from './planner';

jest.setTimeout(300_000);

let planner: PlannerProcess;
beforeAll(() => {
  planner = startPlanner();
});
afterAll(() => planner.close());

const COLUMNS = 'id STRING, cnt BIGINT, name STRING, ts TIMESTAMP(3)';

/** The least program that opens the table as the probe did: a table with a key is given updates. */
function script(probe: OptionProbe): string {
  const options = { connector: probe.connector, ...probedOptions(probe) };
  const key = probe.pk ? ', PRIMARY KEY (id) NOT ENFORCED' : '';
  const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;
  const table = `CREATE TABLE t (${COLUMNS}${key}) WITH (${Object.entries(options)
    .map(([option, value]) => `${literal(option)} = ${literal(value)}`)
    .join(', ')});`;
  const rows = `CREATE TABLE r (${COLUMNS}, proc_time AS PROCTIME()) WITH ('connector' = 'datagen');`;
  const sink = `CREATE TABLE s (${COLUMNS}) WITH ('connector' = 'blackhole');`;
  switch (probe.side) {
    case 'sink':
      return probe.pk
        ? `${table} ${rows} INSERT INTO t SELECT id, COUNT(*), MAX(name), MAX(ts) FROM r GROUP BY id;`
        : `${table} ${rows} INSERT INTO t SELECT id, cnt, name, ts FROM r;`;
    case 'source':
      return `${table} ${sink} INSERT INTO s SELECT * FROM t;`;
    case 'lookup':
      return `${table} ${rows} ${sink} INSERT INTO s SELECT r.id, t.cnt, t.name, t.ts FROM r LEFT JOIN t FOR SYSTEM_TIME AS OF r.proc_time ON r.id = t.id;`;
  }
}

/** Taken by the factory, which was all that a probe asked, and refused by Flink at the next step. */
const REFUSED_LATER: { [probe: string]: string } = {
  'elasticsearch-7 sink.parallelism=0': 'Invalid configured parallelism 0',
  'mongodb sink.parallelism=0': 'Invalid configured parallelism 0',
};

/** Where the planner is asked, the real factory is not even reached with what the probe did by hand. */
const OTHER_WORDS: { [probe: string]: string } = {
  'elasticsearch-7 ': 'Flink finds no plan',
};

/** The beginning of what the real factory said, or undefined where it said nothing. */
function expectedError(probe: OptionProbe): string | undefined {
  const name = `${probe.connector} ${probe.delta}`;
  return probe.ok
    ? REFUSED_LATER[name]
    : (OTHER_WORDS[name] ?? probe.error!.replace(/^\w+: /, '').slice(0, 'Could not parse value '.length));
}

test('there are 158 probes', () => {
  expect(OPTION_PROBES).toHaveLength(158);
});

describe('a stand-in takes and refuses what the real factory does', () => {
  test.each(
    OPTION_PROBES.map((probe): [string, OptionProbe] => [
      `${probe.ok ? 'takes' : 'refuses'} ${probe.connector} ${probe.side}${probe.pk ? ' with a key' : ''}: ${probe.delta || 'as it is'}`,
      probe,
    ]),
  )('%s', async (_, probe) => {
    const { statements } = await planner.plan({ script: script(probe) });
    const [error] = statements.flatMap((statement) => statement.errors);
    const expected = expectedError(probe);
    if (expected === undefined) {
      expect(error).toBeUndefined();
    } else {
      expect(error).toContain(expected);
    }
  });
});
