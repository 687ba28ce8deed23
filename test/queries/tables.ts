import { CustomConnector } from '../../lib/connectors/custom-connector';
import { Format, MalformedRecords } from '../../lib/connectors/format';
import { JdbcLookup } from '../../lib/connectors/jdbc-lookup';
import { KafkaSource } from '../../lib/connectors/kafka-source';
import { KafkaStart } from '../../lib/connectors/kafka-start';
import { LookupCache } from '../../lib/connectors/lookup-cache';
import { UpsertKafkaSink } from '../../lib/connectors/upsert-kafka-sink';
import { UpsertKafkaSource } from '../../lib/connectors/upsert-kafka-source';
import { KafkaCluster } from '../../lib/kafka/kafka-cluster';
import { KafkaTopic } from '../../lib/kafka/kafka-topic';
import { CleanupPolicy } from '../../lib/kafka/topic-configuration';
import { Column } from '../../lib/sql/column';
import { Changes, TableRole } from '../../lib/sql/connector';
import { DataType } from '../../lib/sql/data-type';
import { SqlProgram } from '../../lib/sql/sql-program';
import type { SqlTableProps } from '../../lib/sql/sql-table';
import { Watermark } from '../../lib/sql/watermark';

const JSON_RECORDS = Format.json({ malformedRecords: MalformedRecords.FAIL });
const CHANGES = Format.debeziumJson({ schemaInclude: false, malformedRecords: MalformedRecords.FAIL });
const CLUSTER = KafkaCluster.selfManaged({ bootstrapServers: ['b:9092'] });

const topic = (cleanupPolicy: CleanupPolicy) =>
  KafkaTopic.fromTopicAttributes({ cluster: CLUSTER, topicName: 'records', partitions: 4, cleanupPolicy });
const records = (format: Format) => new KafkaSource({ topic: topic(CleanupPolicy.DELETE), start: KafkaStart.earliest(), format });

/** None of them is ever null, so that a null in a result was made by the query; but for those of `payments`. */
const COLUMNS = [
  Column.physical('id', DataType.STRING.notNull()),
  Column.physical('amount', DataType.BIGINT.notNull()),
  Column.physical('name', DataType.STRING.notNull()),
  Column.physical('items', DataType.array(DataType.STRING.notNull()).notNull()),
  Column.physical('seen', DataType.timestamp(3).notNull()),
  Column.physical('at', DataType.timestamp(3).notNull()),
  Column.computed('proc_time', 'PROCTIME()'),
];

const TIMES = DataType.row({ name: 'seen', type: DataType.timestamp(3) }, { name: 'known', type: DataType.timestamp(3).notNull() });

/** What event times are computed from. */
export const RAWS: SqlTableProps = {
  connector: records(JSON_RECORDS),
  columns: [
    Column.physical('line', DataType.STRING),
    Column.physical('ms', DataType.BIGINT),
    Column.physical('seen', DataType.timestamp(3)),
    Column.physical('known', DataType.timestamp(3).notNull()),
    Column.physical('tags', DataType.map(DataType.STRING, DataType.STRING)),
    Column.physical('payload', TIMES),
    Column.physical('strict', TIMES.notNull()),
  ],
};

const rows: SqlTableProps = {
  connector: records(JSON_RECORDS),
  columns: COLUMNS,
  watermark: Watermark.ascending('at'),
};

/** Rows that are only added, changes of a database, the latest row of each key, a dimension, and rows that come to an end. */
const TABLES: { [name: string]: SqlTableProps } = {
  clicks: rows,
  shows: rows,
  orders: {
    connector: records(CHANGES),
    columns: COLUMNS,
    primaryKey: ['id'],
  },
  payments: {
    connector: records(CHANGES),
    columns: [Column.physical('id', DataType.STRING), Column.physical('amount', DataType.BIGINT), Column.physical('name', DataType.STRING)],
    primaryKey: ['id'],
  },
  prices: {
    connector: new UpsertKafkaSource({ topic: topic(CleanupPolicy.COMPACT), keyFormat: JSON_RECORDS, valueFormat: JSON_RECORDS }),
    columns: COLUMNS,
    primaryKey: ['id'],
    watermark: Watermark.ascending('at'),
  },
  users: {
    connector: new JdbcLookup({ url: 'jdbc:postgresql://db/shop', tableName: 'users', cache: LookupCache.none() }),
    columns: COLUMNS.slice(0, 3),
  },
  users_by_id: {
    connector: new JdbcLookup({ url: 'jdbc:postgresql://db/shop', tableName: 'users', cache: LookupCache.none() }),
    columns: COLUMNS.slice(0, 3),
    primaryKey: ['id'],
  },
  raws: RAWS,
  ended: {
    connector: new CustomConnector({
      identifier: 'datagen',
      role: TableRole.SOURCE,
      changes: Changes.INSERT_ONLY,
      options: { 'number-of-rows': '100' },
    }),
    columns: COLUMNS,
  },
};

/** What is planned as one INSERT. */
export interface Query {
  readonly query: string;
  readonly views?: { readonly [name: string]: string };
}

/** Columns that each query fills. They may be null. */
export const TARGETS = ['id', 'amount'];

/**
 * A job that writes each query into a table of its own: `out_0`, `out_1`, …
 *
 * @param taken what these tables take
 */
export function programOf(queries: Query[], taken = Changes.ALL): SqlProgram {
  const program = new SqlProgram();
  for (const [name, table] of Object.entries(TABLES)) {
    program.addTable(name, table);
  }
  for (const name of ['clicks', 'shows']) {
    program.addView(`${name}_by_minute`, `SELECT * FROM TABLE(TUMBLE(TABLE ${name}, DESCRIPTOR(\`at\`), INTERVAL '1' MINUTE))`);
  }
  const sink = new CustomConnector({ identifier: 'print', role: TableRole.SINK, changes: taken, options: {} });
  queries.forEach(({ query, views }, index) => {
    for (const [name, view] of Object.entries(views ?? {})) {
      program.addView(name, view);
    }
    const columns = [Column.physical('id', DataType.STRING), Column.physical('amount', DataType.BIGINT)];
    program.addInsert(program.addTable(`out_${index}`, { connector: sink, columns }), query);
  });
  return program;
}

/** A job that writes each query into a table with a key: `out_0`, `out_1`, … */
export function mirrored(mirrors: { readonly query: string; readonly primaryKey: string[] }[]): SqlProgram {
  const program = programOf([]);
  const connector = new UpsertKafkaSink({ topic: topic(CleanupPolicy.COMPACT), keyFormat: JSON_RECORDS, valueFormat: JSON_RECORDS });
  const columns = ['id', 'other'].map((name) => Column.physical(name, DataType.STRING.notNull()));
  mirrors.forEach(({ query, primaryKey }, index) => {
    program.addInsert(program.addTable(`out_${index}`, { connector, columns, primaryKey }), query);
  });
  return program;
}
