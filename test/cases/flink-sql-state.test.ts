import { Duration } from 'aws-cdk-lib';
import {
  CheckpointStorage,
  Column,
  DataType,
  Format,
  JdbcSink,
  KafkaCluster,
  KafkaSource,
  KafkaStart,
  KafkaTopic,
  MalformedRecords,
  SqlProgram,
  UpgradeMode,
  UpsertMaterialize,
  Watermark,
} from '../../lib';
import type { FlinkApplicationProps } from '../../lib/application/flink-application';
import { applicationWarnings } from '../../lib/rules/application-rules';
import { Changes, TableRole } from '../../lib/sql/connector';
import { application, programOf, sink, source, stream } from '../fixtures/programs';
import { externalStream, printed } from '../fixtures/stacks';
import { FixedConnector } from '../sql/fixed-connector';
import { into } from './findings';
import { objects, shownWarnings } from './job-fixtures';

const STORAGE = CheckpointStorage.location('s3p://state/orders');

/** Names of the rules that warn of a job. */
function warnings(changed: Partial<FlinkApplicationProps> = {}): string[] {
  return applicationWarnings(application(changed)).map(({ id }) => id.replace('cdk-flink-pipeline:', ''));
}

/** Clicks and users, which come as streams, and a dimension that is probed. */
function programWith(query: string, set: { [key: string]: string } = {}): SqlProgram {
  const program = new SqlProgram();
  const columns = [
    Column.physical('id', DataType.STRING),
    Column.physical('at', DataType.timestamp(3)),
    Column.computed('proc', 'PROCTIME()'),
  ];
  const watermark = Watermark.ascending('at');
  program.addTable('clicks', { columns, watermark, ...stream('clicks', 4) });
  program.addTable('users', { columns, watermark, ...source() });
  program.addTable('dimension', {
    columns: columns.slice(0, 2),
    connector: new FixedConnector({
      identifier: 'test',
      role: TableRole.LOOKUP,
      options: {},
      source: { changes: Changes.INSERT_ONLY },
    }),
  });
  const totals = program.addTable('totals', { columns: columns.slice(0, 2), ...sink(), primaryKey: ['id'] });
  for (const [key, value] of Object.entries(set)) {
    program.set(key, value);
  }
  program.addInsert(totals, query);
  return program;
}

/** Events into a table of a database that has a key. */
function keyed(): SqlProgram {
  return into(new JdbcSink({ url: 'jdbc:postgresql://db/shop', tableName: 'totals' }), { primaryKey: ['id'] });
}

describe('ST-01 SinkUpsertMaterializer off', () => {
  test('is a warning, by the prop and by the program', () => {
    expect(warnings({ program: keyed(), upsertMaterialize: UpsertMaterialize.NONE })).toEqual(['UpsertMaterializeOff']);
    const program = programWith('SELECT id, at FROM clicks', { 'table.exec.sink.upsert-materialize': 'none' });
    expect(warnings({ program, parallelism: 4 })).toContain('UpsertMaterializeOff');
  });

  test('AUTO is the default, and passes', () => {
    const program = () => programOf({ events: stream('clicks', 4), printed: sink() });
    expect(application({ program: program() }).script).not.toContain('upsert-materialize');
    expect(warnings({ program: program(), upsertMaterialize: UpsertMaterialize.AUTO })).toEqual([]);
    expect(warnings({ program: program(), upsertMaterialize: UpsertMaterialize.FORCE, stateTtl: Duration.days(7) })).toEqual([]);
  });

  test('acknowledged it is silent', () => {
    const changed = () => ({ program: keyed(), upsertMaterialize: UpsertMaterialize.NONE });
    expect(shownWarnings(changed())).toEqual(['cdk-flink-pipeline:UpsertMaterializeOff']);
    expect(shownWarnings(changed(), ['cdk-flink-pipeline:UpsertMaterializeOff'])).toEqual([]);
  });
});

describe('ST-02 SinkUpsertMaterializer without a time to live', () => {
  /** Rows of a database, changed under one key, in a table of another that has a key of its own. */
  const mirror = (primaryKey: string[]) => {
    const program = new SqlProgram();
    const columns = ['id', 'code'].map((name) => Column.physical(name, DataType.STRING));
    const topic = KafkaTopic.fromTopicAttributes({
      cluster: KafkaCluster.selfManaged({ bootstrapServers: ['b:9092'] }),
      topicName: 'items',
      partitions: 4,
    });
    const format = Format.debeziumJson({ schemaInclude: false, malformedRecords: MalformedRecords.FAIL });
    const connector = new KafkaSource({ topic, format, start: KafkaStart.earliest() });
    const items = program.addTable('items', { connector, columns, primaryKey: ['id'] });
    const jdbc = new JdbcSink({ url: 'jdbc:postgresql://db/shop', tableName: 'items' });
    program.addInsert(program.addTable('out', { connector: jdbc, columns, primaryKey }), `SELECT * FROM ${items} WHERE code IS NOT NULL`);
    return program;
  };

  test('is a warning where the key of the sink is not that of its changes; equal keys and a time to live pass', () => {
    const changed = () => ({ program: mirror(['code']) });
    expect(shownWarnings(changed())).toEqual(['cdk-flink-pipeline:EndlessMaterializer']);
    expect(shownWarnings(changed(), ['cdk-flink-pipeline:EndlessMaterializer'])).toEqual([]);
    expect(warnings({ program: mirror(['id']) })).toEqual([]);
    expect(warnings({ ...changed(), stateTtl: Duration.days(30) })).toEqual([]);
  });

  test('is a warning where it is forced, silent once acknowledged', () => {
    const changed = () => ({ program: keyed(), upsertMaterialize: UpsertMaterialize.FORCE });
    expect(shownWarnings(changed())).toEqual(['cdk-flink-pipeline:EndlessMaterializer']);
    expect(shownWarnings(changed(), ['cdk-flink-pipeline:EndlessMaterializer'])).toEqual([]);
  });

  /** Changes of a table with the key `id`, written to a table with another. */
  const rekeyed =
    (primaryKey: string[], query: string, sourceKey: string[] | undefined = ['id']) =>
    () => {
      const program = new SqlProgram();
      const columns = [Column.physical('id', DataType.STRING), Column.physical('k2', DataType.STRING.notNull())];
      program.addTable('users', { ...stream('users', 4, { changes: Changes.ALL }), columns, primaryKey: sourceKey });
      program.addInsert(program.addTable('out', { ...sink(), columns, primaryKey }), query);
      return { program };
    };
  const MIRROR = 'SELECT id, k2 FROM users';

  test.each([
    ['another key', rekeyed(['k2'], MIRROR)],
    ['another key, by a star of a subquery', rekeyed(['k2'], 'SELECT * FROM (SELECT * FROM users) WHERE id IS NOT NULL')],
    ['columns in another place', rekeyed(['id'], 'SELECT k2 AS id, id AS k2 FROM users')],
    ['a key of two columns, of which one is kept', rekeyed(['k2'], MIRROR, ['id', 'k2'])],
  ])('is a warning where Flink puts one there by itself: %s', (_, changed) => {
    expect(warnings(changed())).toEqual(['EndlessMaterializer']);
    expect(warnings({ ...changed(), upsertMaterialize: UpsertMaterialize.NONE })).not.toContain('EndlessMaterializer');
    expect(warnings({ ...changed(), stateTtl: Duration.days(7) })).toEqual([]);
  });

  test.each([
    ['one key', rekeyed(['id'], MIRROR)],
    ['a key that holds that of the source', rekeyed(['id', 'k2'], MIRROR)],
    ['a key that may be within a value', rekeyed(['id'], 'SELECT CAST(id AS STRING), k2 FROM users')],
    ['rows that are only added', () => ({ program: into(sink().connector, { primaryKey: ['amount'] }) })],
  ])('is silent for %s', (_, changed) => {
    expect(warnings(changed())).not.toContain('EndlessMaterializer');
  });

  test('passes with one, by the prop, by the program and known only at deployment', () => {
    const force = { upsertMaterialize: UpsertMaterialize.FORCE, parallelism: 4 };
    expect(warnings({ ...force, stateTtl: Duration.days(7) })).toEqual([]);
    for (const ttl of ['7 d', '0']) {
      const program = programWith('SELECT id, at FROM clicks', { 'table.exec.state.ttl': ttl });
      expect(warnings({ ...force, program })).not.toContain('EndlessMaterializer');
    }
  });
});

describe('ST-03 state without a time to live', () => {
  const endless = (query: string, changed: Partial<FlinkApplicationProps> = {}) =>
    warnings({ program: programWith(query), parallelism: 4, ...changed }).filter((name) => name === 'EndlessState');

  test.each([
    'SELECT id, MAX(at) FROM clicks GROUP BY id',
    'SELECT DISTINCT id, at FROM clicks',
    'SELECT id, at FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY at DESC) AS n FROM clicks) WHERE n = 1',
    'SELECT id, at FROM clicks UNION SELECT id, at FROM users',
    'SELECT id, MAX(at) OVER (PARTITION BY id ORDER BY proc) FROM clicks',
    'SELECT window_start, MAX(at) FROM (SELECT id AS window_start, MAX(at) AS at FROM clicks GROUP BY id) GROUP BY window_start',
    'SELECT c.id, u.at FROM clicks AS c JOIN users AS u ON c.id = u.id',
    'SELECT c.id, u.at FROM clicks AS c, users AS u WHERE c.id = u.id',
    'SELECT id, at FROM clicks WHERE id IN (SELECT id FROM users)',
    "SELECT c.id, u.at FROM clicks AS c JOIN users AS u ON c.id = u.id AND c.at > u.at - INTERVAL '1' HOUR",
    'SELECT c.id, MAX(u.at) FROM clicks AS c LEFT JOIN users AS u ON c.id = u.id GROUP BY c.id',
    "SELECT id, at FROM (SELECT 'TUMBLE' AS id, MAX(at) AS at FROM clicks GROUP BY id HAVING COUNT(*) > 1)",
    'SELECT c.id, u.at FROM clicks AS c JOIN dimension FOR SYSTEM_TIME AS OF c.proc AS d ON c.id = d.id JOIN users AS u ON c.id = u.id',
  ])('fires for %s', (query) => {
    expect(endless(query)).toEqual(['EndlessState']);
    expect(endless(query, { stateTtl: Duration.days(7) })).toEqual([]);
  });

  test.each([
    'SELECT id, at FROM clicks',
    "SELECT id, MAX(at) FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(at), INTERVAL '1' MINUTE)) GROUP BY id, window_start, window_end",
    "SELECT id, MAX(at) FROM clicks GROUP BY id, TUMBLE(at, INTERVAL '1' MINUTE)",
    'SELECT c.id, d.at FROM clicks AS c LEFT JOIN dimension FOR SYSTEM_TIME AS OF c.proc AS d ON c.id = d.id',
    "SELECT c.id, u.at FROM clicks AS c JOIN users AS u ON c.id = u.id AND u.at BETWEEN c.at AND c.at + INTERVAL '1' HOUR",
    "SELECT id, TIMESTAMP '2026-01-01 00:00:00' FROM clicks CROSS JOIN UNNEST(ARRAY['GROUP BY']) AS t(x)",
    "SELECT 'a', TIMESTAMP '2026-01-01 00:00:00'",
  ])('passes for %s', (query) => {
    expect(endless(query)).toEqual([]);
  });

  test('is seen behind a view, and tells the table and what it found', () => {
    const program = programOf({ clicks: stream('clicks', 4), printed: sink() });
    const [, sinkTable] = program._tables();
    const view = program.addView('latest', 'SELECT id, MAX(at) AS at FROM clicks GROUP BY id');
    program.addInsert(sinkTable!, `SELECT id, at FROM ${view}`);
    expect(applicationWarnings(application({ program }))).toEqual([
      expect.objectContaining({
        id: 'cdk-flink-pipeline:EndlessState',
        table: 'printed',
        message: expect.stringMatching(
          /^the query into 'printed' of job 'orders' has a GROUP BY without a window, and its state never expires.*; give stateTtl, or acknowledge this/,
        ),
      }),
    ]);
  });

  test('a time to live is written, and what keeps state for ever must be said', () => {
    expect(application({ stateTtl: Duration.days(7) }).script).toContain("SET 'table.exec.state.ttl' = '7 d';");
    expect(() => application({ stateTtl: Duration.days(0) })).toThrow('stateTtl must be longer than 0');
    const query = 'SELECT id, MAX(at) FROM clicks GROUP BY id';
    expect(endless(query, { program: programWith(query, { 'table.exec.state.ttl': '0' }) })).toEqual([]);
  });

  test('acknowledged it is silent', () => {
    const changed = () => {
      const program = printed(externalStream());
      program.addInsert(program._tables()[1]!, 'SELECT DISTINCT line FROM events');
      return { program };
    };
    expect(shownWarnings(changed())).toEqual(['cdk-flink-pipeline:EndlessState']);
    expect(shownWarnings(changed(), ['cdk-flink-pipeline:EndlessState'])).toEqual([]);
  });
});

describe('ST-04 other statements under the state of the job', () => {
  const deployment = (query: string) => objects({ program: programWith(query), parallelism: 4 });

  test('change the spec, so that the operator sees them, and leave the upgrade mode at savepoint', () => {
    const [one, other] = [deployment('SELECT id, at FROM clicks'), deployment("SELECT id, at FROM clicks WHERE id <> ''")];
    const spec = (all: typeof one) => all.FlinkDeployment.spec;
    expect(spec(one!)).not.toEqual(spec(other!));
    expect(one!.ConfigMap.metadata.name).not.toBe(other!.ConfigMap.metadata.name);
    expect([one!, other!].map((all) => spec(all).job.upgradeMode)).toEqual(['savepoint', 'savepoint']);
    expect(spec(one!).jobManager.podTemplate.spec.volumes[0].configMap.name).toBe(one!.ConfigMap.metadata.name);
  });

  test('state that may be dropped needs a savepoint: with last-state it is a warning, silent once acknowledged', () => {
    const changed = (upgradeMode?: UpgradeMode) => ({ program: printed(externalStream()), allowNonRestoredState: true, upgradeMode });
    expect(shownWarnings(changed(UpgradeMode.LAST_STATE))).toEqual(['cdk-flink-pipeline:UnclaimedState']);
    expect(shownWarnings(changed(UpgradeMode.LAST_STATE), ['cdk-flink-pipeline:UnclaimedState'])).toEqual([]);
    expect(shownWarnings(changed())).toEqual([]);
    expect(shownWarnings({ program: printed(externalStream()), upgradeMode: UpgradeMode.LAST_STATE })).toEqual([]);
  });
});

test('ST-06 all INSERTs stand in one statement set, one alone too', () => {
  for (const sinks of [['a'], ['a', 'b', 'c']]) {
    const tables = Object.fromEntries(sinks.map((name) => [name, sink()]));
    const { script } = application({ program: programOf({ clicks: stream('clicks', 4), ...tables }) });
    expect(script!.match(/EXECUTE STATEMENT SET BEGIN\n(INSERT INTO `\w` *\n[^;]+;\n)+END;\n$/)).not.toBeNull();
    expect(script!.match(/\bEXECUTE\b/g)).toHaveLength(1);
    expect(script!.match(/^INSERT INTO/gm)).toHaveLength(sinks.length);
  }
});

describe('ST-07 checkpoints under back-pressure', () => {
  const warned = (interval: Duration, timeout?: Duration) => warnings({ checkpointing: { storage: STORAGE, interval, timeout } });

  test('a timeout below the interval is a warning, one at the interval passes', () => {
    expect(warned(Duration.minutes(5), Duration.minutes(3))).toEqual(['CheckpointTimeout']);
    expect(warned(Duration.minutes(5), Duration.minutes(5))).toEqual([]);
  });

  test('the default is 10 minutes or the interval, and three failures do not restart the job', () => {
    const options = (interval: Duration) => application({ checkpointing: { storage: STORAGE, interval } }).flinkConfiguration;
    expect(options(Duration.minutes(1))['execution.checkpointing.timeout']).toBe('10 min');
    expect(options(Duration.minutes(30))['execution.checkpointing.timeout']).toBe('30 min');
    expect(options(Duration.minutes(1))['execution.checkpointing.tolerable-failed-checkpoints']).toBe('3');
    expect(application({ checkpointing: { storage: STORAGE, unaligned: true } }).flinkConfiguration).toMatchObject({
      'execution.checkpointing.unaligned.enabled': 'true',
    });
  });
});

describe('ST-08 columns of a primary key', () => {
  test('that come from the side of a LEFT JOIN that may have no row are a warning, silent once acknowledged', () => {
    const program = (key: string) => programWith(`SELECT ${key}, c.at FROM clicks AS c LEFT JOIN users AS u ON c.id = u.id`);
    const ofKey = (names: string[]) => names.filter((name) => name.endsWith('NullIntoNotNull'));
    const found = (key: string) => ofKey(warnings({ program: program(key), parallelism: 4 }));
    expect(found('u.id')).toEqual(['NullIntoNotNull']);
    expect(found('c.id')).toEqual([]);
    expect(found("COALESCE(u.id, '')")).toEqual([]);
    const shown = (acknowledged: string[]) => ofKey(shownWarnings({ program: program('u.id'), parallelism: 4 }, acknowledged));
    expect(shown([])).toEqual(['cdk-flink-pipeline:NullIntoNotNull']);
    expect(shown(['cdk-flink-pipeline:NullIntoNotNull'])).toEqual([]);
  });

  test('are written NOT NULL, whatever they were declared as, and the others are left', () => {
    const program = programWith('SELECT c.id, u.at FROM clicks AS c LEFT JOIN users AS u ON c.id = u.id');
    const { script } = application({ program, parallelism: 4 });
    expect(script).toMatch(
      /CREATE TABLE `totals` \(\n {2}`id` STRING NOT NULL,\n {2}`at` TIMESTAMP\(3\),\n {2}PRIMARY KEY \(`id`\) NOT ENFORCED/,
    );
  });
});
