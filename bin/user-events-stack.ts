import { ArnFormat, Duration, Size, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { Cluster, KubectlProvider } from 'aws-cdk-lib/aws-eks';
import { Role } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import {
  ArchiveDeliveryStream,
  BackOff,
  CheckpointStorage,
  Column,
  Credentials,
  DataType,
  DeploymentTarget,
  DimensionTable,
  DynamoDbLookup,
  ElasticsearchSink,
  EventStream,
  FirehoseSink,
  FlinkImage,
  FlinkJob,
  Format,
  JdbcSink,
  KinesisSource,
  LookupCache,
  MongoDbSink,
  MongoDbUri,
  SecretRef,
  SqlProgram,
  StartPosition,
  StateBackend,
  Watermark,
} from '../lib';

/**
 * Kinesis `user-events`, joined with the DynamoDB dimension `user-dim`, fanned out by one job to Elasticsearch, MongoDB, MySQL and, for
 * what is no recognised event, byte for byte to S3.
 */
export class UserEventsStack extends Stack {
  public readonly job: FlinkJob;

  constructor(scope: Construct, id: string, props: StackProps) {
    super(scope, id, props);
    const events = new EventStream(this, 'Events', { streamName: 'user-events', shardCount: 12 });
    const users = new DimensionTable(this, 'Users', { tableName: 'user-dim', partitionKey: 'user_id' });
    const archive = new ArchiveDeliveryStream(this, 'Archive', { deliveryStreamName: 'raw-logs-archive' });

    this.job = new FlinkJob(this, 'Job', {
      jobName: 'user-events',
      program: userEvents(events, users, archive),
      target: DeploymentTarget.eks(this.importCluster(), { namespace: 'streaming' }),
      image: FlinkImage.named(`${this.account}.dkr.ecr.${this.region}.amazonaws.com.cn/user-events:1.0.0`),
      checkpointing: {
        storage: CheckpointStorage.s3(this.createStateBucket(), 'user-events'),
        interval: Duration.seconds(30),
        minPause: Duration.seconds(10),
        timeout: Duration.seconds(60),
      },
      stateBackend: StateBackend.hashMap({ localRecovery: true }),
      taskSlots: 4,
      jobManager: { memory: Size.gibibytes(2), cpu: 1 },
      taskManager: { memory: Size.gibibytes(8), cpu: 4 },
    });
    Validations.of(this.job).acknowledge({
      id: 'cdk-flink-pipeline:EndlessState',
      reason: 'the latest event of each user stays: state grows with the users, not with their events',
    });
  }

  private importCluster() {
    return Cluster.fromClusterAttributes(this, 'Cluster', {
      clusterName: 'streaming',
      kubectlProvider: KubectlProvider.fromKubectlProviderAttributes(this, 'Kubectl', {
        functionArn: this.formatArn({
          service: 'lambda',
          resource: 'function',
          resourceName: 'kubectl-handler',
          arnFormat: ArnFormat.COLON_RESOURCE_NAME,
        }),
        kubectlRoleArn: this.formatArn({ service: 'iam', region: '', resource: 'role', resourceName: 'kubectl' }),
        handlerRole: Role.fromRoleName(this, 'KubectlHandler', 'kubectl-handler'),
      }),
    });
  }

  private createStateBucket() {
    const bucket = new Bucket(this, 'State', {
      bucketName: `flink-state-${this.account}-${this.region}`,
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      // Parts that a killed pod had uploaded: nobody else ever ends such an upload.
      lifecycleRules: [{ abortIncompleteMultipartUploadAfter: Duration.days(7) }],
    });
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'only the jobs read and write their state; a log of each access would be larger than the state',
    });
    return bucket;
  }
}

/** An event is a JSON object with a user, a type and a time; whatever else arrives goes to the archive. */
const IS_EVENT = `\`line\` IS JSON OBJECT
  AND JSON_VALUE(\`line\`, '$.user_id') IS NOT NULL
  AND COALESCE(JSON_VALUE(\`line\`, '$.event_type'), 'raw') <> 'raw'
  AND \`event_time\` > TIMESTAMP '1970-01-01 00:00:00.000'`;

function userEvents(events: EventStream, users: DimensionTable, archive: ArchiveDeliveryStream): SqlProgram {
  const program = new SqlProgram();
  const lines = program.addTable('kinesis_source', {
    connector: new KinesisSource({ stream: events, start: StartPosition.latest(), format: Format.raw() }),
    columns: [
      Column.physical('line', DataType.STRING),
      // A null event time would end the job; the epoch never moves the watermark.
      Column.computed(
        'event_time',
        `COALESCE(
    TRY_CAST(REPLACE(REPLACE(JSON_VALUE(\`line\`, '$.event_time'), 'T', ' '), 'Z', '') AS TIMESTAMP(3)),
    TIMESTAMP '1970-01-01 00:00:00.000'
  )`,
      ),
      Column.computed('proc_time', 'PROCTIME()'),
    ],
    watermark: Watermark.delayed('event_time', Duration.seconds(5)),
  });
  const dimension = program.addTable('dim_users', {
    connector: new DynamoDbLookup({
      table: users,
      cache: LookupCache.partial({ maxRows: 10_000, expireAfterWrite: Duration.minutes(30) }),
    }),
    columns: [
      Column.physical('user_id', DataType.STRING),
      Column.physical('level', DataType.STRING),
      Column.physical('region', DataType.STRING),
      Column.physical('updated_at', DataType.timestamp(3)),
    ],
    primaryKey: ['user_id'],
  });
  const recognised = program.addView(
    'events',
    `SELECT
  JSON_VALUE(\`line\`, '$.user_id') AS user_id,
  JSON_VALUE(\`line\`, '$.event_type') AS event_type,
  JSON_VALUE(\`line\`, '$.page_url') AS page_url,
  event_time,
  proc_time
FROM ${lines}
WHERE ${IS_EVENT}`,
  );
  addSearch(
    program,
    `SELECT e.user_id, e.event_time, u.level, e.event_type
FROM ${recognised} AS e LEFT JOIN ${dimension} FOR SYSTEM_TIME AS OF e.proc_time AS u ON e.user_id = u.user_id`,
  );
  addLatestEvents(
    program,
    `SELECT user_id, event_type, event_time
FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY event_time DESC) AS row_num FROM ${recognised}
)
WHERE row_num = 1`,
  );
  addCounts(
    program,
    `SELECT
  user_id,
  window_start,
  COUNT(DISTINCT CONCAT(CAST(event_time AS STRING), '|', event_type, '|', COALESCE(page_url, '')))
FROM TABLE(TUMBLE(TABLE ${recognised}, DESCRIPTOR(event_time), INTERVAL '1' MINUTE))
GROUP BY user_id, window_start, window_end`,
  );
  const raw = program.addTable('firehose_sink', {
    connector: new FirehoseSink({ deliveryStream: archive, format: Format.raw() }),
    columns: [Column.physical('line', DataType.STRING)],
  });
  program.addInsert(raw, `SELECT \`line\` FROM ${lines} WHERE NOT (${IS_EVENT})`);
  return program;
}

function addSearch(program: SqlProgram, query: string): void {
  const search = program.addTable('es_sink', {
    connector: new ElasticsearchSink({
      hosts: ['http://es-node-1:9200', 'http://es-node-2:9200'],
      index: 'user-events',
      keyDelimiter: '_',
      bulkFlush: { maxActions: 1000, maxSize: Size.mebibytes(5), interval: Duration.seconds(2) },
      backOff: BackOff.exponential(),
    }),
    columns: [
      Column.physical('user_id', DataType.STRING),
      Column.physical('event_time', DataType.timestamp(3)),
      Column.physical('level', DataType.STRING),
      Column.physical('event_type', DataType.STRING),
    ],
    primaryKey: ['user_id', 'event_time'],
  });
  program.addInsert(search, query);
}

function addLatestEvents(program: SqlProgram, query: string): void {
  const latest = program.addTable('mongo_sink', {
    connector: new MongoDbSink({
      uri: MongoDbUri.seedList({ hosts: ['mongo-1:27017', 'mongo-2:27017'], replicaSet: 'rs', writeConcern: '1' }),
      database: 'app_analytics',
      collection: 'user_last_events',
    }),
    columns: [
      Column.physical('user_id', DataType.STRING),
      Column.physical('event_type', DataType.STRING),
      Column.physical('event_time', DataType.timestamp(3)),
    ],
    primaryKey: ['user_id'],
  });
  program.addInsert(latest, query);
}

function addCounts(program: SqlProgram, query: string): void {
  const counts = program.addTable('jdbc_sink', {
    connector: new JdbcSink({
      url: 'jdbc:mysql://mysql-host:3306/analytics',
      tableName: 'user_event_count',
      credentials: Credentials.of('flink', SecretRef.kubernetes('mysql-analytics', 'password')),
      flush: { maxRows: 1000, interval: Duration.seconds(5) },
      maxRetries: 3,
    }),
    columns: [
      Column.physical('user_id', DataType.STRING),
      Column.physical('window_time', DataType.timestamp(3)),
      Column.physical('event_count', DataType.BIGINT),
    ],
    primaryKey: ['user_id', 'window_time'],
  });
  program.addInsert(counts, query);
}
