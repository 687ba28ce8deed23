import { type App, Duration, Size, Stack, Validations } from 'aws-cdk-lib';
import {
  CheckpointStorage,
  Column,
  DataType,
  DeliveryGuarantee,
  DeploymentTarget,
  FlinkJob,
  Format,
  KafkaAuthentication,
  KafkaCluster,
  KafkaSource,
  KafkaStart,
  KafkaTopic,
  MalformedRecords,
  SecretRef,
  SqlProgram,
  StateBackend,
  UpsertKafkaSink,
} from '../../../lib';
import { newApp } from '../../fixtures/assembly';
import { KAFKA_REASONS, type Reasons } from './differences';
import { CHANGES, ITEMS, LOGIN, readJob, type SynthesizedJob, TOTALS } from './order-items';

/** Slots of the one task manager of the job, and its parallelism. */
const PARALLELISM = 2;

/** What differs between the versions of the job `order-totals`. */
export interface OrderTotals {
  /** Which changes count. */
  readonly condition?: string;
  /** Partitions of the topic of changes. */
  readonly partitions?: number;
  /** A query whose rows go to a second topic. */
  readonly second?: string;
  /** Whether the INSERT of the second topic stands before the other. */
  readonly secondIsFirst?: boolean;
  readonly survivableOutage?: Duration;
}

/** Why `order-totals` differs here from what is deployed. */
export const ORDER_TOTALS_REASONS: Reasons = {
  ...KAFKA_REASONS,
  'a broker elsewhere, without certificates':
    /^table (order_changes|dwd_order_item|order_item_totals) with(out)?: 'properties\.(bootstrap\.servers|security\.protocol)' =/,
};

/** A job that adds up each order item exactly once: small enough to be deployed over and over. */
export function synthesizeTotals(version: OrderTotals = {}): SynthesizedJob {
  const app = newApp();
  define(app, version);
  return readJob(app.synth().directory, 'OrderTotals', 'order-totals');
}

function define(app: App, version: OrderTotals): void {
  const stack = new Stack(app, 'OrderTotals', { env: { account: '111122223333', region: 'eu-central-1' } });
  const job = new FlinkJob(stack, 'Job', {
    jobName: 'order-totals',
    program: orderTotals(version),
    target: DeploymentTarget.manifests({ namespace: 'streaming', clusterName: 'streaming' }),
    checkpointing: {
      storage: CheckpointStorage.location('s3p://flink-state/order-totals'),
      interval: Duration.seconds(30),
      minPause: Duration.seconds(10),
      timeout: Duration.seconds(60),
    },
    parallelism: PARALLELISM,
    stateBackend: StateBackend.rocksDb({ localStorage: Size.gibibytes(20) }),
    survivableOutage: version.survivableOutage,
    taskSlots: PARALLELISM,
  });
  Validations.of(job).acknowledge({ id: 'cdk-flink-pipeline:EndlessState', reason: 'a sum must not start anew' });
}

function orderTotals({ condition = "order_status <> 'CANCELLED'", partitions = 6, second, secondIsFirst }: OrderTotals): SqlProgram {
  const cluster = KafkaCluster.selfManaged({
    bootstrapServers: ['b-1.shop:9092'],
    authentication: KafkaAuthentication.plain({
      username: LOGIN.user,
      password: SecretRef.kubernetes('kafka', 'password'),
    }),
  });
  const topic = (topicName: string, count: number) => KafkaTopic.fromTopicAttributes({ cluster, topicName, partitions: count });
  const program = new SqlProgram();
  const changes = program.addTable('order_changes', {
    connector: new KafkaSource({
      topic: topic(CHANGES, partitions),
      start: KafkaStart.earliest(),
      format: Format.debeziumJson({ schemaInclude: false, malformedRecords: MalformedRecords.FAIL }),
    }),
    columns: [
      Column.physical('order_id', DataType.STRING),
      Column.physical('item_id', DataType.STRING),
      Column.physical('change_id', DataType.BIGINT),
      Column.physical('quantity', DataType.INT),
      Column.physical('order_status', DataType.STRING),
    ],
    primaryKey: ['change_id'],
  });
  const primaryKey = ['order_id', 'item_id'];
  const sink = (name: string, count: number) =>
    program.addTable(name, {
      connector: new UpsertKafkaSink({
        topic: topic(name, count),
        keyFormat: Format.json(),
        valueFormat: Format.json(),
        guarantee: DeliveryGuarantee.EXACTLY_ONCE,
      }),
      columns: [
        Column.physical('order_id', DataType.STRING),
        Column.physical('item_id', DataType.STRING),
        Column.physical('quantity', DataType.BIGINT),
      ],
      primaryKey,
    });
  const sums = () =>
    program.addInsert(
      sink(ITEMS, 6),
      `SELECT order_id, item_id, SUM(quantity)\nFROM ${changes}\nWHERE ${condition}\nGROUP BY order_id, item_id`,
    );
  const others = () => second !== undefined && program.addInsert(sink(TOTALS, 1), second);
  for (const add of secondIsFirst ? [others, sums] : [sums, others]) {
    add();
  }
  return program;
}
