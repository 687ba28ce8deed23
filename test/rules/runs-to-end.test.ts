import { FlinkImage } from '../../lib/application/flink-image';
import { CustomConnector } from '../../lib/connectors/custom-connector';
import { applicationErrors, applicationWarnings } from '../../lib/rules/application-rules';
import { Changes, type IConnector, TableRole } from '../../lib/sql/connector';
import { SqlProgram } from '../../lib/sql/sql-program';
import { AGGREGATE, COLUMNS, into } from '../cases/findings';
import { application, sink, stream } from '../fixtures/programs';

const STATE = 'cdk-flink-pipeline:EndlessState';

function custom(identifier: string, options: { [option: string]: string } = {}): IConnector {
  return new CustomConnector({ identifier, role: TableRole.SOURCE, changes: Changes.INSERT_ONLY, options });
}

/** Whether a sum of what a connector gives is told to keep state for ever. */
function isTold(connector: IConnector, beside?: IConnector): boolean {
  const program = new SqlProgram();
  program.addTable('events', { connector, columns: COLUMNS });
  program.addTable('others', { connector: beside ?? connector, columns: COLUMNS });
  const query = beside === undefined ? AGGREGATE : AGGREGATE.replace('events', '(SELECT * FROM events UNION ALL SELECT * FROM others)');
  program.addInsert(program.addTable('out', { ...sink(), columns: COLUMNS }), query);
  return applicationWarnings(application({ program, parallelism: 1, image: FlinkImage.named('registry/orders:1') })).some(
    ({ id }) => id === STATE,
  );
}

const KAFKA = { topic: 'events', 'properties.bootstrap.servers': 'b:9092', 'scan.startup.mode': 'earliest-offset', format: 'json' };

describe('a job that ends', () => {
  test.each<[string, IConnector, boolean]>([
    ['a topic', custom('kafka', KAFKA), true],
    ['a topic up to now', custom('kafka', { ...KAFKA, 'scan.bounded.mode': 'latest-offset' }), false],
    ['a topic that is said to have no end', custom('kafka', { ...KAFKA, 'scan.bounded.mode': 'unbounded' }), true],
    ['rows out of nothing', custom('datagen'), true],
    ['a hundred rows out of nothing', custom('datagen', { 'number-of-rows': '100' }), false],
    ['a sequence', custom('datagen', { 'fields.id.kind': 'sequence', 'fields.id.start': '1', 'fields.id.end': '9' }), false],
    ['a database', custom('jdbc', { url: 'jdbc:postgresql://db/shop', 'table-name': 'events' }), false],
    ['files', custom('filesystem', { path: 's3://b/events', format: 'json' }), false],
    [
      'files that are looked for',
      custom('filesystem', { path: 's3://b/events', format: 'json', 'source.monitor-interval': '1 min' }),
      true,
    ],
  ])('EndlessState of %s', (_, connector, told) => {
    expect(isTold(connector)).toBe(told);
  });

  test('EndlessState is told where one of two sources has no end', () => {
    const ended = custom('datagen', { 'number-of-rows': '100' });
    expect(isTold(ended, custom('datagen'))).toBe(true);
    expect(isTold(ended, ended)).toBe(false);
  });

  test.each([
    ['BATCH', 0],
    ['batch', 0],
    ['STREAMING', 1],
  ])('neither keeps state for ever nor updates rows in the mode %s', (mode, count) => {
    const flinkConfiguration = { 'execution.runtime-mode': mode };
    const updating = into(sink().connector, {}, AGGREGATE);
    expect(applicationWarnings(application({ program: updating, flinkConfiguration })).filter(({ id }) => id === STATE)).toHaveLength(
      count,
    );
    const appending = into(sink({ changes: Changes.INSERT_ONLY }).connector, {}, AGGREGATE);
    expect(applicationErrors(application({ program: appending, flinkConfiguration }))).toHaveLength(count);
  });
});

test('EndlessState passes for a query whose hint says how long state is kept', () => {
  const hinted = AGGREGATE.replace('SELECT', "SELECT /*+ STATE_TTL('events' = '90d') */");
  const program = new SqlProgram();
  program.addTable('events', { ...stream('clicks', 4), columns: COLUMNS });
  program.addInsert(program.addTable('out', { ...sink(), columns: COLUMNS }), hinted);
  expect(applicationWarnings(application({ program }))).toEqual([]);
});
