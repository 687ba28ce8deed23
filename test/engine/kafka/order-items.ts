import { createHash } from 'crypto';
import { mkdtempSync, readFileSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { OrderItemsStack } from '../../../bin/order-items-stack';
import { newApp } from '../../fixtures/assembly';
import { Broker, type KafkaRecord } from './broker';
import { Cluster } from './cluster';
import { KAFKA_REASONS, type Reasons } from './differences';
import { freePorts } from './free-ports';

export const CHANGES = 'mysql.shop.order_item';
export const ITEMS = 'dwd_order_item';
export const TOTALS = 'order_item_totals';
export const TRANSACTION_PREFIX = 'streaming.order-items.dwd_order_item';

/** What nobody may find anywhere. */
export const CANARY = "canary-7'f3$b1";
export const LOGIN = { user: 'order-items', password: CANARY };

/** Why `order-items` differs here from what is deployed. */
export const ORDER_ITEMS_REASONS: Reasons = {
  ...KAFKA_REASONS,
  'no MSK: a broker that knows a password':
    /^table (orders_cdc|dwd_order_item|dwd_order_item_written) with(out)?: 'properties\.(bootstrap\.servers|security\.protocol|sasl\.\S+)' =/,
  'no MySQL: a second topic':
    /^table order_item_totals with(out)?: '(connector|url|table-name|username|password|topic|(key|value)\.format|properties\.(bootstrap\.servers|security\.protocol|sasl\.\S+))' =/,
  'no MSK and no MySQL': /^jar without: (aws-msk-iam-auth|flink-connector-jdbc-|mysql-connector-j|openlineage-)/,
};

interface Pipeline {
  readonly parallelism: number;
  readonly image: { readonly coordinates: string[] };
  readonly derivedValues: { readonly name: string; readonly value: string; readonly table?: string }[];
  readonly flinkConfiguration: { [key: string]: string };
  readonly environment: { readonly name: string }[];
}

/** The job `order-items` as it is synthesized. */
export interface SynthesizedJob {
  /** Directory of the cloud assembly. */
  readonly assembly: string;
  readonly pipeline: Pipeline;
  readonly script: string;
  readonly manifests: string;
  /** All files that we emit for it. */
  readonly emitted: string;
}

export function synthesize(): SynthesizedJob {
  const app = newApp();
  new OrderItemsStack(app, 'OrderItems', { env: { account: '111122223333', region: 'eu-central-1' } });
  return readJob(app.synth().directory, 'OrderItems', 'order-items');
}

/** What a cloud assembly holds of a job. */
export function readJob(assembly: string, stack: string, job: string): SynthesizedJob {
  const read = (path: string) => readFileSync(join(assembly, path), 'utf8');
  const files = ['pipeline.json', 'job.sql', 'manifests.yaml'].map((name) => read(`${stack}.${job}/${name}`));
  return {
    assembly,
    pipeline: JSON.parse(files[0]!),
    script: files[1]!,
    manifests: files[2]!,
    emitted: [...files, read(`${stack}.template.json`)].join('\n'),
  };
}

export interface DeployOptions {
  readonly transactionVersion?: number;
  /** Another script than the synthesized one. */
  readonly changeScript?: (script: string) => string;
  readonly configuration?: { [key: string]: string };
  /** Whether the topic of order items keeps each value of a key. */
  readonly keepsAllValues?: boolean;
  /** What the job logs in with, by default what the broker knows. */
  readonly password?: string;
}

/** A broker with the topics of the job, and the cluster that runs it. */
export class Deployment {
  public static async create(job: SynthesizedJob, options: DeployOptions = {}): Promise<Deployment> {
    const directory = mkdtempSync(join(tmpdir(), 'kafka-'));
    const broker = await Broker.start(join(directory, 'broker'), LOGIN, options.transactionVersion);
    await broker.createTopic(CHANGES, 6);
    const compaction = { 'cleanup.policy': 'compact', 'min.cleanable.dirty.ratio': '0.01', 'segment.ms': '1000' };
    await broker.createTopic(ITEMS, 6, options.keepsAllValues ? {} : compaction);
    await broker.createTopic(TOTALS, 1, { 'cleanup.policy': 'compact' });
    const deployment = new Deployment(directory, broker);
    try {
      await deployment.deploy(job, options);
    } catch (error) {
      await broker.close();
      throw error;
    }
    return deployment;
  }

  /** What runs by now. */
  public cluster!: Cluster;
  /** Settings that are not as they are deployed. */
  public changedSettings: { [key: string]: string } = {};
  private versions = 0;

  private constructor(
    readonly directory: string,
    readonly broker: Broker,
  ) {}

  /** A script of the job, with what stands here for AWS and MySQL. */
  public adapted(job: SynthesizedJob, script: string): string {
    return changes(job, this.directory, this.broker, 0).script(script);
  }

  /** Put a job in the place of the one before, in a cluster that is yet to start. */
  public async deploy(job: SynthesizedJob, options: DeployOptions = {}): Promise<void> {
    await this.cluster?.stop();
    const directory = join(this.directory, String(++this.versions));
    const [restPort] = await freePorts(1);
    const changed = changes(job, this.directory, this.broker, restPort!);
    const script = changed.script(job.script);
    this.changedSettings = {
      ...changed.configuration,
      'state.backend.rocksdb.localdir': join(directory, 'flink', 'local', 'rocksdb'),
      'high-availability.cluster-id': `/order-items/${this.versions}`,
      ...options.configuration,
    };
    this.cluster = new Cluster({
      directory,
      coordinates: job.pipeline.image.coordinates.filter((coordinate) => /:(flink-(sql-)?connector-kafka|kafka-clients):/.test(coordinate)),
      script: options.changeScript?.(script) ?? script,
      configuration: { ...job.pipeline.flinkConfiguration, ...this.changedSettings },
      parallelism: job.pipeline.parallelism,
      environment: logins(job, options.password),
      restPort: restPort!,
      jobId: createHash('md5').update(directory).digest('hex'),
    });
  }

  public async remove(): Promise<void> {
    await this.cluster.stop();
    await this.broker.close();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** The variables of the job manager: what the job logs in with. */
export function logins(job: SynthesizedJob, password = LOGIN.password): { [name: string]: string } {
  return Object.fromEntries(job.pipeline.environment.map(({ name }) => [name, name.includes('PASSWORD') ? password : LOGIN.user]));
}

/** The only differences from what is deployed: no AWS, no Kubernetes and no MySQL here, and a shorter interval. */
function changes(job: SynthesizedJob, directory: string, broker: Broker, restPort: number) {
  const configuration: { [key: string]: string } = {};
  for (const [key, value] of Object.entries(job.pipeline.flinkConfiguration)) {
    if (value.startsWith('s3p://')) {
      configuration[key] = value.replace('s3p://', `file://${directory}/`);
    }
  }
  Object.assign(configuration, {
    'high-availability.type': 'zookeeper',
    'high-availability.zookeeper.quorum': `127.0.0.1:${broker.zooKeeperPort}`,
    'high-availability.zookeeper.client.session-timeout': '5 s',
    // What the operator adds: a native cluster has the address from Kubernetes.
    'parallelism.default': String(job.pipeline.parallelism),
    'rest.address': '127.0.0.1',
    'rest.bind-port': String(restPort),
    'rest.port': String(restPort),
    'jobmanager.rpc.address': '127.0.0.1',
    'taskmanager.host': '127.0.0.1',
    'execution.checkpointing.interval': '2 s',
    'execution.checkpointing.min-pause': '100 ms',
    'heartbeat.interval': '1 s',
    'heartbeat.timeout': '8 s',
  });
  const [user, password] = ['USERNAME', 'PASSWORD'].map(
    (part) => job.pipeline.environment.find(({ name }) => name.includes(part))?.name,
  ) as [string, string];
  const login =
    `'properties.security.protocol' = 'SASL_PLAINTEXT',\n  'properties.sasl.mechanism' = 'PLAIN',\n` +
    `  'properties.sasl.jaas.config' = 'org.apache.kafka.common.security.plain.PlainLoginModule required username="\${env:${user}}" password="\${env:${password}}";'`;
  const script = (text: string) =>
    text
      .replace(
        /'connector' = 'jdbc',[^)]*/,
        `'connector' = 'upsert-kafka',\n  'topic' = '${TOTALS}',\n  'properties.bootstrap.servers' = '${broker.bootstrapServers}',\n  ${login},\n  'key.format' = 'json',\n  'value.format' = 'json'\n`,
      )
      .replace(/b-1\.shop[^']*/g, broker.bootstrapServers)
      .replace(/'properties\.security\.protocol' = 'SASL_SSL',[\s\S]*?IAMClientCallbackHandler'/g, login)
      .replaceAll('SASL_SSL', 'SASL_PLAINTEXT');
  return { configuration, script };
}

/** A row of the table `order_item`, as Debezium captures it. */
export interface Change {
  readonly order: string;
  readonly change: number;
  readonly quantity: number;
  /** As the quantity unless stated. */
  readonly amount?: number;
  readonly status?: string;
}

function row({ order, change, quantity, amount = quantity, status = 'PAID' }: Change) {
  return {
    order_id: order,
    item_id: '1',
    change_id: change,
    user_id: 'u',
    sku_id: 's',
    quantity,
    amount,
    order_status: status,
    update_time: '2026-01-01 00:00:00',
  };
}

/** A change event; all of one order in one partition, as the connector writes them. */
export function event(op: 'c' | 'u' | 'd', before: Change | null, after: Change | null): KafkaRecord {
  return {
    key: (after ?? before)!.order,
    value: JSON.stringify({ before: before && row(before), after: after && row(after), op }),
  };
}

/** The values of each order item in the order of its one partition: quantities, and null for a tombstone. */
export function sequences(records: { readonly partition: number; readonly key: string; readonly value: string | null }[]) {
  const found: { [order: string]: { partitions: Set<number>; quantities: (number | null)[] } } = {};
  for (const { partition, key, value } of records) {
    const order = JSON.parse(key).order_id;
    const entry = found[order] ?? { partitions: new Set(), quantities: [] };
    found[order] = entry;
    entry.partitions.add(partition);
    entry.quantities.push(value === null ? null : JSON.parse(value).quantity);
  }
  return found;
}

/** Wait until something is so. */
export async function until<T>(what: string, look: () => Promise<T | undefined | false>, patience = 180_000): Promise<T> {
  const end = Date.now() + patience;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) {
      return found;
    }
    if (Date.now() > end) {
      throw new Error(`waited ${patience / 1000} s in vain: ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
