import { Duration, Size } from 'aws-cdk-lib';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import {
  Artifact,
  BackOff,
  BlackholeSink,
  Changes,
  Column,
  Credentials,
  CustomConnector,
  DataGenField,
  DataGenSource,
  DataType,
  DynamoDbLookup,
  DynamoDbSink,
  ElasticsearchSink,
  FileSystemSink,
  FirehoseSink,
  Format,
  type IArchiveDeliveryStream,
  type IDimensionTable,
  type IEventStream,
  type IKafkaTopic,
  JdbcLookup,
  JdbcSink,
  KafkaSink,
  KafkaSource,
  KafkaStart,
  KinesisSink,
  KinesisSource,
  LookupCache,
  MalformedRecords,
  MongoDbSink,
  MongoDbUri,
  PartitionCommitTrigger,
  PrintSink,
  SecretRef,
  SqlProgram,
  StartPosition,
  TableRole,
} from '../lib';

export interface Systems {
  readonly events: IEventStream;
  readonly users: IDimensionTable;
  readonly archive: IArchiveDeliveryStream;
  readonly orders: IKafkaTopic;
  readonly bucket: IBucket;
}

const PAGE_VIEW = [
  Column.physical('user_id', DataType.STRING),
  Column.physical('page', DataType.STRING),
  Column.physical('day', DataType.STRING),
];

export function connectors({ events, users, archive, orders, bucket }: Systems): SqlProgram {
  const program = new SqlProgram();
  program.addTable('kinesis_views', {
    connector: new KinesisSource({
      stream: events,
      start: StartPosition.trimHorizon(),
      format: Format.json({ malformedRecords: MalformedRecords.SKIP }),
    }),
    columns: PAGE_VIEW,
  });
  program.addTable('kinesis_out', {
    connector: new KinesisSink({ stream: events, format: Format.json() }),
    columns: PAGE_VIEW,
    partitionedBy: ['user_id'],
  });
  program.addTable('dim_users', {
    connector: new DynamoDbLookup({
      table: users,
      cache: LookupCache.partial({ maxRows: 10_000, expireAfterWrite: Duration.minutes(30) }),
      missingKeyExpiry: Duration.minutes(1),
    }),
    columns: [Column.physical('user_id', DataType.STRING), Column.physical('level', DataType.STRING)],
    primaryKey: ['user_id'],
  });
  program.addTable('last_pages', {
    connector: new DynamoDbSink({ table: users, ignoreNulls: true }),
    columns: PAGE_VIEW,
    primaryKey: ['user_id'],
  });
  program.addTable('archived', {
    connector: new FirehoseSink({ deliveryStream: archive, format: Format.raw() }),
    columns: [Column.physical('line', DataType.STRING)],
  });
  program.addTable('kafka_orders', {
    connector: new KafkaSource({
      topic: orders,
      start: KafkaStart.earliest(),
      format: Format.avroConfluent({ url: 'https://registry:8081' }),
    }),
    columns: PAGE_VIEW,
  });
  program.addTable('kafka_views', {
    connector: new KafkaSink({
      topic: orders,
      format: Format.json(),
      key: { format: Format.json(), fields: ['user_id'] },
    }),
    columns: PAGE_VIEW,
  });
  program.addTable('es_views', {
    connector: new ElasticsearchSink({
      hosts: ['https://es-1:9200', 'https://es-2:9200'],
      index: 'page-views',
      credentials: Credentials.of('flink', SecretRef.kubernetes('elasticsearch', 'password')),
      bulkFlush: { maxActions: 1000, maxSize: Size.mebibytes(5), interval: Duration.seconds(2) },
      backOff: BackOff.exponential(),
    }),
    columns: PAGE_VIEW,
    primaryKey: ['user_id', 'page'],
  });
  program.addTable('mongo_views', {
    connector: new MongoDbSink({
      uri: MongoDbUri.seedList({ hosts: ['mongo-1:27017', 'mongo-2:27017'], replicaSet: 'rs', writeConcern: 'majority' }),
      database: 'analytics',
      collection: 'last_page_views',
      artifact: Artifact.file('jars/flink-sql-connector-mongodb-own-build.jar'),
    }),
    columns: PAGE_VIEW,
    primaryKey: ['user_id'],
  });
  program.addTable('mysql_views', {
    connector: new JdbcSink({
      url: 'jdbc:mysql://mysql:3306/analytics',
      tableName: 'page_views',
      credentials: Credentials.of('flink', SecretRef.kubernetes('mysql', 'password')),
      flush: { maxRows: 1000, interval: Duration.seconds(5) },
      maxRetries: 3,
    }),
    columns: PAGE_VIEW,
    primaryKey: ['user_id', 'page'],
  });
  program.addTable('dim_pages', {
    connector: new JdbcLookup({
      url: 'jdbc:postgresql://postgres:5432/shop',
      tableName: 'pages',
      credentials: Credentials.of('flink', SecretRef.kubernetes('postgres', 'password')),
      cache: LookupCache.partial({ maxRows: 10_000, expireAfterWrite: Duration.minutes(30) }),
    }),
    columns: [Column.physical('page', DataType.STRING), Column.physical('title', DataType.STRING)],
    primaryKey: ['page'],
  });
  program.addTable('lake_views', {
    connector: new FileSystemSink({
      bucket,
      prefix: 'page-views',
      format: Format.parquet(),
      partitionCommit: { trigger: PartitionCommitTrigger.PROCESS_TIME, delay: Duration.hours(1) },
    }),
    columns: PAGE_VIEW,
    partitionedBy: ['day'],
  });
  program.addTable('generated', {
    connector: new DataGenSource({ rowsPerSecond: 100, fields: { id: DataGenField.sequence(1, 1_000_000) } }),
    columns: [Column.physical('id', DataType.BIGINT), Column.physical('name', DataType.STRING)],
  });
  program.addTable('printed', { connector: new PrintSink({ identifier: 'views' }), columns: PAGE_VIEW });
  program.addTable('dropped', { connector: new BlackholeSink(), columns: PAGE_VIEW });
  return program;
}

export function customConnectors(): CustomConnector[] {
  const openSearch = new CustomConnector({
    identifier: 'opensearch-2',
    role: TableRole.SINK,
    options: { hosts: 'https://search.example.com:443', index: 'user-events', username: 'flink' },
    secretOptions: { password: SecretRef.kubernetes('opensearch', 'password') },
    artifacts: [Artifact.file('jars/flink-sql-connector-opensearch2.jar')],
    changes: Changes.UPSERT,
    parallelismOption: 'sink.parallelism',
  });
  const clickHouse = new CustomConnector({
    identifier: 'clickhouse',
    role: TableRole.SINK,
    options: { url: 'clickhouse://clickhouse:8123', 'database-name': 'analytics', 'table-name': 'page_views', username: 'flink' },
    secretOptions: { password: SecretRef.kubernetes('clickhouse', 'password') },
    artifacts: [Artifact.file('jars/flink-connector-clickhouse.jar')],
    changes: Changes.INSERT_ONLY,
  });
  const mysqlCdc = new CustomConnector({
    identifier: 'mysql-cdc',
    role: TableRole.SOURCE,
    options: { hostname: 'mysql', 'database-name': 'shop', 'table-name': 'orders', username: 'flink', 'server-id': '5400-5403' },
    secretOptions: { password: SecretRef.kubernetes('mysql', 'password') },
    artifacts: [Artifact.file('jars/flink-sql-connector-mysql-cdc.jar')],
    changes: Changes.ALL,
  });
  return [openSearch, clickHouse, mysqlCdc];
}
