import { createHash } from 'crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { UserEventsStack } from '../../../bin/user-events-stack';
import { newApp } from '../../fixtures/assembly';
import { Cluster } from '../kafka/cluster';
import type { Reasons } from '../kafka/differences';
import { freePorts } from '../kafka/free-ports';
import { readJob, type SynthesizedJob } from '../kafka/order-items';
import { Amazon } from './amazon';
import { Postgres } from './postgres';
import { ZooKeeper } from './zoo-keeper';

export const ACCOUNT = '111122223333';
export const REGION = 'cn-north-1';
export const USERS = 'user-dim';
/** The prefix that the job may write, and nothing beside it. */
export const STATE = { bucket: `flink-state-${ACCOUNT}-${REGION}`, prefix: 'user-events/' };
/** How long a missing user is remembered here; long enough to be seen, and much less than a known one's half an hour. */
const MISSING_USER_EXPIRY = 5_000;

/** What each end is in this test. */
export const ENDS = {
  kinesis_source: 'stand-in: files of lines that appear while the job runs',
  dim_users: 'real lookup, against an emulator of DynamoDB',
  jdbc_sink: 'real connector, against a real PostgreSQL in the place of MySQL',
  es_sink: 'stand-in: upserts of the JDBC connector into PostgreSQL; the key of the table is the document id',
  mongo_sink: 'stand-in: upserts of the JDBC connector into PostgreSQL; the key of the table is the _id',
  firehose_sink: 'stand-in: files, in which lines are as they were delivered',
  'checkpoints, savepoints, high availability': 'real S3 file system of Flink, 2.2.0 as the last one in Maven, against an emulator of S3',
  'election of the job manager': 'stand-in: ZooKeeper in the place of Kubernetes',
};

const LOOKUP_JAR = join(__dirname, '..', '..', '..', 'runtime', 'dynamodb-lookup', 'target', 'dynamodb-lookup.jar');
/** The releases that Maven has: of the connector for MySQL and of the file system's patch version there is none. */
const JDBC = ['org.apache.flink:flink-connector-jdbc-core:4.0.0-2.0', 'org.apache.flink:flink-connector-jdbc-postgres:4.0.0-2.0'];
const DRIVER = 'org.postgresql:postgresql:42.7.8';
const S3_FILE_SYSTEM = { 's3-fs-presto': 'org.apache.flink:flink-s3-fs-presto:2.2.0' };
const LOGIN = { user: 'flink', password: "password-7'f3$b1" };

const TABLES = `
CREATE TABLE documents (user_id TEXT, event_time TIMESTAMP(3), level TEXT, event_type TEXT, PRIMARY KEY (user_id, event_time));
CREATE TABLE user_last_events (user_id TEXT PRIMARY KEY, event_type TEXT, event_time TIMESTAMP(3));
CREATE TABLE user_event_count (user_id TEXT, window_time TIMESTAMP(3), event_count BIGINT, PRIMARY KEY (user_id, window_time));`;

/** Why `user-events` differs here from what is deployed. */
export const USER_EVENTS_REASONS: Reasons = {
  'no Kubernetes: ZooKeeper keeps what a ConfigMap would': /^setting high-availability\.(type|cluster-id|zookeeper\.quorum):/,
  'no Kubernetes: all processes on one host': /^setting (rest\.(address|port|bind-port)|jobmanager\.rpc\.address|taskmanager\.host):/,
  'a small machine': /^setting (kubernetes\.\w+\.cpu\.amount|(job|task)manager\.memory\.\S+|taskmanager\.cpu\.cores):/,
  'a killed process is to be missed sooner than after a minute': /^setting heartbeat\.(interval|timeout):/,
  'no S3: an emulator': /^(setting s3\.(endpoint|path\.style\.access)|environment of (the job|a task) manager ENABLE_BUILT_IN_PLUGINS):/,
  'no Pod Identity: a key': /^environment of (the job|a task) manager AWS_(ACCESS_KEY_ID|SECRET_ACCESS_KEY): unset/,
  'no Kinesis: files':
    /^table kinesis_source with(out)?: '(connector|stream\.arn|aws\.region|source\.init\.position|path|source\.monitor-interval)' =/,
  'no DynamoDB: an emulator': /^table dim_users with: 'aws\.endpoint' =/,
  'a test does not wait so long': /^table dim_users with: 'lookup\.partial-cache\.missing-key\.expire-after-write' =/,
  'no Elasticsearch: PostgreSQL':
    /^table es_sink with(out)?: '(connector|hosts|index|document-id\.key-delimiter|format|sink\.bulk-flush\.\S+|url|table-name|username|password|sink\.buffer-flush\.interval)' =/,
  'no MongoDB: PostgreSQL':
    /^table mongo_sink with(out)?: '(connector|uri|database|collection|url|table-name|username|password|sink\.buffer-flush\.interval)' =/,
  'no MySQL: PostgreSQL': /^table jdbc_sink with(out)?: 'url' =/,
  'no Firehose: files':
    /^table firehose_sink with(out)?: '(connector|delivery-stream|aws\.region|path|sink\.rolling-policy\.(rollover|check)-interval)' =/,
  'other ends have other connectors':
    /^jar (without: (flink-connector-jdbc-(core|mysql)|flink-sql-connector-(aws-kinesis-(firehose|streams)|elasticsearch7)|mysql-connector-j)|with: (flink-connector-jdbc-(core|postgres)|postgresql))-\d/,
  'a jar of this repository': /^jar with: dynamodb-lookup\.jar$/,
  'set by the image': /^environment of (the job|a task) manager (PATH|HOME|FLINK_LIB_DIR|FLINK_PLUGINS_DIR):/,
  'set by the image, and a small machine': /^java option with:/,
};

type Options = { [option: string]: string };

/** The job `user-events` as it is synthesized. */
export function synthesize(): SynthesizedJob {
  const app = newApp();
  new UserEventsStack(app, 'UserEvents', { env: { account: ACCOUNT, region: REGION } });
  return readJob(app.synth().directory, 'UserEvents', 'user-events');
}

/** The ends of the job, and the cluster that runs it. */
export class Deployment {
  public static async create(job: SynthesizedJob): Promise<Deployment> {
    const directory = mkdtempSync(join(tmpdir(), 'user-events-'));
    // The server of PostgreSQL is another user's process.
    chmodSync(directory, 0o755);
    for (const path of ['lines', 'archive']) {
      mkdirSync(join(directory, path));
    }
    const [amazon, postgres, zooKeeper] = await Promise.all([
      Amazon.start(join(directory, 'amazon.log'), ACCOUNT, REGION),
      Postgres.start(join(directory, 'postgres'), LOGIN.user, LOGIN.password),
      ZooKeeper.start(join(directory, 'zookeeper')),
    ]);
    await postgres.execute(TABLES);
    await amazon.createTable(USERS, 'user_id');
    await amazon.createBucket(STATE.bucket);
    const deployment = new Deployment(job, directory, amazon, postgres, zooKeeper);
    await deployment.deploy();
    return deployment;
  }

  /** What runs by now. */
  public cluster!: Cluster;
  /** Settings of Flink that are not as they are deployed. */
  public changedSettings: Options = {};
  private versions = 0;
  private files = 0;

  private constructor(
    private readonly job: SynthesizedJob,
    private readonly directory: string,
    readonly amazon: Amazon,
    readonly postgres: Postgres,
    private readonly zooKeeper: ZooKeeper,
  ) {}

  /** Put the job, with other settings, in the place of the one before, in a cluster that is yet to start. */
  public async deploy(configuration: Options = {}): Promise<void> {
    await this.cluster?.stop();
    const { job, amazon, zooKeeper } = this;
    const directory = join(this.directory, String(++this.versions));
    const [restPort] = await freePorts(1);
    this.changedSettings = {
      's3.endpoint': amazon.endpoint,
      's3.path.style.access': 'true',
      'high-availability.type': 'zookeeper',
      'high-availability.zookeeper.quorum': zooKeeper.quorum,
      'high-availability.cluster-id': `/user-events/${this.versions}`,
      // What the operator adds: a native cluster has the addresses from Kubernetes.
      'parallelism.default': String(job.pipeline.parallelism),
      'rest.address': '127.0.0.1',
      'rest.bind-port': String(restPort),
      'rest.port': String(restPort),
      'jobmanager.rpc.address': '127.0.0.1',
      'taskmanager.host': '127.0.0.1',
      // A killed process is to be missed sooner than after a minute.
      'heartbeat.interval': '1 s',
      'heartbeat.timeout': '8 s',
      ...configuration,
    };
    this.cluster = new Cluster({
      directory,
      coordinates: [...JDBC, DRIVER, ...job.pipeline.image.coordinates.filter((coordinate) => coordinate.startsWith('io.openlineage:'))],
      jars: [LOOKUP_JAR],
      fileSystems: S3_FILE_SYSTEM,
      script: this.changeScript(),
      configuration: { ...job.pipeline.flinkConfiguration, ...this.changedSettings },
      parallelism: job.pipeline.parallelism,
      environment: Object.fromEntries(job.pipeline.environment.map(({ name }) => [name, LOGIN.password])),
      podEnvironment: amazon.credentials,
      restPort: restPort!,
      jobId: createHash('md5').update(directory).digest('hex'),
    });
  }

  /** Put lines into the stream: each list is a file, which appears whole. */
  public write(...files: string[][]): void {
    for (const lines of files) {
      const name = `lines-${++this.files}`;
      const hidden = join(this.directory, 'lines', `.${name}`);
      writeFileSync(hidden, lines.map((line) => `${line}\n`).join(''));
      renameSync(hidden, join(this.directory, 'lines', name));
    }
  }

  /** The lines that were delivered, in no order; what a checkpoint is yet to complete is not. */
  public archive(): string[] {
    const directory = join(this.directory, 'archive');
    return readdirSync(directory)
      .filter((name) => !name.startsWith('.'))
      .flatMap((name) => readFileSync(join(directory, name), 'utf8').split('\n').slice(0, -1));
  }

  public async remove(): Promise<void> {
    await this.cluster.stop();
    await Promise.all([this.amazon.close(), this.postgres.close(), this.zooKeeper.close()]);
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** The synthesized script with other ends. */
  private changeScript(): string {
    const { job } = this;
    const { url } = this.postgres;
    const password = `\${env:${job.pipeline.environment[0]!.name}}`;
    const upserts = (table: string, interval: string): Options => ({
      connector: 'jdbc',
      url,
      'table-name': table,
      username: LOGIN.user,
      password,
      'sink.buffer-flush.interval': interval,
    });
    const changes: { [table: string]: (options: Options) => Options } = {
      kinesis_source: ({ format }) => ({
        connector: 'filesystem',
        path: `file://${this.directory}/lines`,
        'source.monitor-interval': '500 ms',
        format: format!,
      }),
      dim_users: (options) => ({
        ...options,
        'aws.endpoint': this.amazon.endpoint,
        'lookup.partial-cache.missing-key.expire-after-write': `${MISSING_USER_EXPIRY} ms`,
      }),
      es_sink: (options) => upserts('documents', options['sink.bulk-flush.interval']!),
      mongo_sink: () => upserts('user_last_events', '1 s'),
      jdbc_sink: (options) => ({ ...options, url }),
      firehose_sink: ({ format }) => ({
        connector: 'filesystem',
        path: `file://${this.directory}/archive`,
        format: format!,
        // A file is whole with the next checkpoint, however small it is.
        'sink.rolling-policy.rollover-interval': '1 ms',
        'sink.rolling-policy.check-interval': '500 ms',
      }),
    };
    return Object.entries(changes).reduce((text, [table, change]) => changeTable(text, table, change), job.script);
  }
}

/** The script with other options for a table. */
function changeTable(script: string, table: string, change: (options: Options) => Options): string {
  const clause = new RegExp(`(CREATE TABLE \`${table}\` \\([\\s\\S]*?\\n\\) WITH \\(\\n)([\\s\\S]*?)(\\n\\);)`).exec(script)!;
  const before = Object.fromEntries([...clause[2]!.matchAll(/'([^']*)' = '([^']*)'/g)].map(([, key, value]) => [key!, value!]));
  const options = Object.entries(change(before)).map(([key, value]) => `  '${key}' = '${value}'`);
  return replaceOnce(script, clause[0], `${clause[1]}${options.join(',\n')}${clause[3]}`);
}

function replaceOnce(text: string, part: string, other: string): string {
  if (text.split(part).length !== 2) {
    throw new Error(`not once in the script: ${part}`);
  }
  return text.replace(part, () => other);
}
