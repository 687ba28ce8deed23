import { Duration } from 'aws-cdk-lib';
import type { FlinkApplicationProps } from '../../lib/application/flink-application';
import { UpsertMaterialize } from '../../lib/application/upgrade';
import { Format, MalformedRecords } from '../../lib/connectors/format';
import { KafkaSource } from '../../lib/connectors/kafka-source';
import { KafkaStart } from '../../lib/connectors/kafka-start';
import { UpsertKafkaSource } from '../../lib/connectors/upsert-kafka-source';
import { KafkaCluster } from '../../lib/kafka/kafka-cluster';
import { KafkaTopic } from '../../lib/kafka/kafka-topic';
import { CleanupPolicy } from '../../lib/kafka/topic-configuration';
import { Column } from '../../lib/sql/column';
import type { IConnector } from '../../lib/sql/connector';
import { DataType } from '../../lib/sql/data-type';
import { SqlProgram } from '../../lib/sql/sql-program';
import { stream } from '../fixtures/programs';
import { CHANGES, mySql } from './source-programs';
import { warnings } from './warnings';

const COLUMNS = ['id', 'code', 'name'].map((name) => Column.physical(name, DataType.STRING));
const TOPIC = KafkaTopic.fromTopicAttributes({
  cluster: KafkaCluster.selfManaged({ bootstrapServers: ['b:9092'] }),
  topicName: 'items',
  partitions: 4,
  cleanupPolicy: CleanupPolicy.COMPACT,
});
const CHANGING = new KafkaSource({ topic: TOPIC, format: CHANGES, start: KafkaStart.earliest() });

interface Mirror {
  readonly from?: IConnector;
  readonly key?: string[];
  readonly query?: string;
  readonly primaryKey?: string[];
  readonly view?: string;
  readonly set?: { [option: string]: string };
}

/** Changes that are handed on to a table of a database. */
function mirror({
  from = CHANGING,
  key = ['id'],
  query = 'SELECT * FROM items',
  primaryKey = ['code'],
  view,
  set = {},
}: Mirror): SqlProgram {
  const program = new SqlProgram();
  program.addTable('items', { connector: from, columns: COLUMNS, ...(key.length > 0 && { primaryKey: key }) });
  for (const [option, value] of Object.entries(set)) {
    program.set(option, value);
  }
  if (view !== undefined) {
    program.addView('some', view);
  }
  program.addInsert(program.addTable('out', { connector: mySql(''), columns: COLUMNS, primaryKey }), query);
  return program;
}

function found(given: Mirror, changed: Partial<FlinkApplicationProps> = {}): string[] {
  return warnings({ program: mirror(given), ...changed }).filter((text) => text.includes('EndlessMaterializer'));
}

test('fires for changes that are mirrored under another key', () => {
  expect(found({})).toEqual([
    expect.stringContaining(
      "cdk-flink-pipeline:EndlessMaterializer out: table 'out' of job 'orders' keeps rows of 'items' by code, which does not hold the key by which they change",
    ),
  ]);
});

test.each<[string, Mirror]>([
  ['columns that changed places', { primaryKey: ['id'], query: 'SELECT code, id, name FROM items' }],
  ['a condition', { query: "SELECT * FROM items WHERE name <> 'x'" }],
  ['a part of the key', { key: ['id', 'code'], primaryKey: ['id'] }],
  [
    'upserts',
    {
      from: new UpsertKafkaSource({
        topic: TOPIC,
        keyFormat: Format.json({ malformedRecords: MalformedRecords.FAIL }),
        valueFormat: Format.json({ malformedRecords: MalformedRecords.FAIL }),
      }),
    },
  ],
])('fires for %s', (_, given) => {
  expect(found(given)).toHaveLength(1);
});

test.each<[string, Mirror]>([
  ['the same key', { primaryKey: ['id'] }],
  ['the same key under another name', { query: 'SELECT name, i.id, code FROM items AS i' }],
  ['the same key in another order', { key: ['id', 'code'], primaryKey: ['code', 'id'] }],
  ['a key with more columns, which the planner judges', { primaryKey: ['id', 'code'] }],
  ['rows that are only added', { from: stream('clicks', 4).connector, key: [] }],
  ['groups', { query: 'SELECT MAX(id), code, MAX(name) FROM items GROUP BY code' }],
  [
    'a subquery, in which columns may have other names',
    { query: 'SELECT id, code, name FROM (SELECT code AS id, id AS code, name FROM items)' },
  ],
  ['a view in which they do, too', { query: 'SELECT * FROM some', view: 'SELECT code AS id, id AS code, name FROM items' }],
])('passes for %s', (_, given) => {
  expect(found(given)).toEqual([]);
});

test('passes where state expires, where somebody said that it never does, and where nothing is materialized', () => {
  expect(found({}, { stateTtl: Duration.days(30) })).toEqual([]);
  expect(found({}, { upsertMaterialize: UpsertMaterialize.NONE })).toEqual([]);
  expect(found({ set: { 'table.exec.state.ttl': '0' } })).toEqual([]);
  expect(found({ set: { 'table.exec.sink.upsert-materialize': 'none' } })).toEqual([]);
});

test('is told once where it is forced', () => {
  expect(found({}, { upsertMaterialize: UpsertMaterialize.FORCE })).toEqual([expect.stringContaining('is FORCE without stateTtl')]);
});
