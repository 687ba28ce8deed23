import { Format, MalformedRecords } from '../../lib/connectors/format';
import { JdbcLookup } from '../../lib/connectors/jdbc-lookup';
import { JdbcSink, type JdbcSinkProps } from '../../lib/connectors/jdbc-sink';
import type { KafkaKey } from '../../lib/connectors/kafka-key';
import { KafkaSource } from '../../lib/connectors/kafka-source';
import { KafkaStart } from '../../lib/connectors/kafka-start';
import { LookupCache } from '../../lib/connectors/lookup-cache';
import { KafkaCluster } from '../../lib/kafka/kafka-cluster';
import { type IKafkaTopic, KafkaTopic } from '../../lib/kafka/kafka-topic';
import { CleanupPolicy } from '../../lib/kafka/topic-configuration';
import { Column } from '../../lib/sql/column';
import { Changes, type IConnector } from '../../lib/sql/connector';
import { DataType } from '../../lib/sql/data-type';
import { SqlProgram } from '../../lib/sql/sql-program';
import type { SqlTableProps } from '../../lib/sql/sql-table';
import { COLUMNS, into } from '../cases/findings';
import { sink, source } from '../fixtures/programs';

/** Changes of a database table, none of which is left out. */
export const CHANGES = Format.debeziumJson({ schemaInclude: false, malformedRecords: MalformedRecords.FAIL });

/** Changes of which those that cannot be read are left out. */
export const SOME_CHANGES = Format.debeziumJson({ schemaInclude: false, malformedRecords: MalformedRecords.SKIP });

/** JSON of which nobody said how timestamps stand in it, read as far as it can be. */
export const SOME_JSON = Format.json({ malformedRecords: MalformedRecords.SKIP });

/** An amount that is never null, as its owner believes. */
export const STRICT = [COLUMNS[0]!, Column.physical('amount', DataType.BIGINT.notNull())];

/** An amount and its time. */
export const TIMED = [...COLUMNS, Column.physical('at', DataType.timestamp(3))];

export const GROUPED = 'SELECT id, SUM(amount) FROM events GROUP BY id';

export const JOINED = 'SELECT e.id, o.amount FROM events AS e LEFT JOIN events AS o ON e.id = o.id';

export const LOOKUP = 'SELECT e.id, u.amount FROM events AS e JOIN users FOR SYSTEM_TIME AS OF e.proc_time AS u ON e.id = u.id';

/** A table of a MySQL database. */
export function mySql(parameters: string, changed: Partial<JdbcSinkProps> = {}): JdbcSink {
  return new JdbcSink({ url: `jdbc:mysql://db:3306/shop${parameters}`, tableName: 'totals', ...changed });
}

/** Counts of minutes, written by a connector. */
export function minutes(connector: IConnector): SqlProgram {
  const columns = [COLUMNS[0]!, Column.physical('window_start', DataType.timestamp(3))];
  return into(connector, { columns, primaryKey: ['id', 'window_start'] }, "SELECT id, TIMESTAMP '2026-01-31 12:13:00.000' FROM events");
}

/** A job that reads the records of a topic in a format. */
export function reading(format: Format, table: Partial<SqlTableProps> = {}, query?: string, key?: KafkaKey): SqlProgram {
  return readingBy(new KafkaSource({ topic: records(), start: KafkaStart.earliest(), format, key }), table, query);
}

/** A job that reads a topic by a connector. */
export function readingBy(connector: IConnector, table: Partial<SqlTableProps>, query = 'SELECT id, amount FROM events'): SqlProgram {
  const program = new SqlProgram();
  program.addTable('events', { connector, columns: [...COLUMNS, Column.computed('proc_time', 'PROCTIME()')], ...table });
  if (query.includes('users')) {
    program.addTable('users', { connector: users(), columns: COLUMNS });
  }
  program.addInsert(program.addTable('out', { ...sink({ changes: Changes.ALL }), columns: COLUMNS }), query);
  return program;
}

/** A job that reads changes as `events`, and rows that are only added as `clicks`, by a query that may read views. */
export function beside(query: string, views: { [name: string]: string } = {}): SqlProgram {
  const program = new SqlProgram();
  const text = [query, ...Object.values(views)].join('\n');
  const events = new KafkaSource({ topic: records(), start: KafkaStart.earliest(), format: CHANGES });
  for (const [name, connector] of Object.entries({ events, clicks: source().connector, users: users() })) {
    if (text.includes(name)) {
      program.addTable(name, { connector, columns: [...COLUMNS, Column.computed('proc_time', 'PROCTIME()')] });
    }
  }
  for (const [name, view] of Object.entries(views)) {
    program.addView(name, view);
  }
  program.addInsert(program.addTable('out', { ...sink({ changes: Changes.ALL }), columns: COLUMNS }), query);
  return program;
}

function users(): JdbcLookup {
  return new JdbcLookup({ url: 'jdbc:postgresql://db/shop', tableName: 'users', cache: LookupCache.none() });
}

/** A topic of four partitions. */
export function records(cleanupPolicy = CleanupPolicy.DELETE): IKafkaTopic {
  return KafkaTopic.fromTopicAttributes({
    cluster: KafkaCluster.selfManaged({ bootstrapServers: ['b:9092'] }),
    topicName: 'events',
    partitions: 4,
    cleanupPolicy,
  });
}
