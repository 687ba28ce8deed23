import type { FoundProgram } from '../../../lib/planner/find-programs';
import { planPrograms } from '../../../lib/planner/plan-programs';
import { PreparedPlanner } from '../../../lib/planner/prepared-planner';

jest.setTimeout(300_000);

const NOBODYS = 'org.apache.flink:flink-sql-nobody:2.2.1';

function program(format: string, parts: Partial<Pick<FoundProgram, 'coordinates' | 'jarFiles'>> = {}): FoundProgram {
  const script = `CREATE TABLE s (id STRING) WITH ('connector' = 'datagen');
CREATE TABLE t (id STRING) WITH ('connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'b:9092', 'format' = '${format}');
INSERT INTO t SELECT id FROM s;`;
  return {
    directoryName: 'Stack.j',
    jobName: 'j',
    flinkVersion: '2.2.1',
    script,
    configuration: {},
    coordinates: [],
    jarFiles: [],
    tables: [],
    inserts: [],
    ...parts,
  };
}

test('a format whose jar the image has and the planner has not is not judged', () => {
  const [unfetched, notGiven, given, nowhere] = planPrograms(
    [
      program('nobody', { coordinates: [NOBODYS] }),
      program('nobody', { jarFiles: ['formats.jar'] }),
      program('nobody', { jarFiles: ['mine.jar'] }),
      program('nobody'),
    ],
    new PreparedPlanner(['/somewhere/mine.jar'], () => {}),
  );
  expect(unfetched!.report).toBeUndefined();
  expect(unfetched!.error).toMatch(/^not judged: .*'nobody'.*; the image holds org\.apache\.flink:flink-sql-nobody:2\.2\.1, .*--jar PATH/);
  expect(notGiven!.error).toContain('the image holds formats.jar');
  for (const judged of [given, nowhere]) {
    expect(judged!.error).toBeUndefined();
    expect(judged!.report!.statements.flatMap(({ errors }) => errors)[0]).toContain("'nobody'");
  }
});

test('the report stands where every other statement is right, whatever the planner lacks', () => {
  const [plan] = planPrograms([program('json', { coordinates: [NOBODYS], jarFiles: ['formats.jar'] })], new PreparedPlanner([], () => {}));
  expect(plan).toMatchObject({ report: { ok: true } });
});
