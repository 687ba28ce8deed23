import { Duration, Size, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { Cluster, KubectlProvider } from 'aws-cdk-lib/aws-eks-v2';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import {
  CheckpointStorage,
  Column,
  CompactedTopic,
  Credentials,
  DataType,
  DeliveryGuarantee,
  DeploymentTarget,
  ExternalSecretStore,
  FlinkJob,
  Format,
  type IKafkaTopic,
  JdbcSink,
  KafkaCluster,
  KafkaSource,
  KafkaStart,
  KafkaTopic,
  MalformedRecords,
  SecretRef,
  SqlProgram,
  StateBackend,
  UpsertKafkaSink,
  UpsertKafkaSource,
  UpsertMaterialize,
} from '../lib';

const ANALYTICS_URL = 'jdbc:mysql://mysql-host:3306/analytics';

/**
 * Two jobs over order changes that Debezium captures from MySQL: `order-items` adds up each order item exactly once into the compacted
 * topic `dwd_order_item` and reads it back for reconciliation, `order-status` mirrors the order status into MySQL.
 */
export class OrderItemsStack extends Stack {
  public readonly orderItems: FlinkJob;
  public readonly orderStatus: FlinkJob;

  constructor(scope: Construct, id: string, props: StackProps) {
    super(scope, id, props);
    const kafka = this.importKafka();
    const items = new CompactedTopic(this, 'OrderItems', {
      cluster: kafka,
      topicName: 'dwd_order_item',
      partitions: 6,
      replicationFactor: 3,
      minInSyncReplicas: 2,
      slowestReaderAbsence: Duration.days(2),
    });
    const itemChanges = KafkaTopic.fromTopicAttributes({ cluster: kafka, topicName: 'mysql.shop.order_item', partitions: 6 });
    const orderChanges = KafkaTopic.fromTopicAttributes({ cluster: kafka, topicName: 'mysql.shop.orders', partitions: 3 });

    const target = DeploymentTarget.eksV2(this.importCluster(), { namespace: 'streaming' });
    const externalSecretStore = ExternalSecretStore.cluster('aws-secrets-manager');
    const analytics = this.analyticsCredentials();
    const state = this.createStateBucket();

    this.orderItems = new FlinkJob(this, 'OrderItemsJob', {
      jobName: 'order-items',
      program: orderItems(itemChanges, items, analytics),
      target,
      externalSecretStore,
      checkpointing: {
        storage: CheckpointStorage.s3(state, 'order-items'),
        interval: Duration.seconds(30),
        minPause: Duration.seconds(10),
        timeout: Duration.seconds(60),
      },
      stateBackend: StateBackend.rocksDb({ localStorage: Size.gibibytes(20) }),
      taskSlots: 2,
      taskManager: { memory: Size.gibibytes(4), cpu: 2 },
    });
    Validations.of(this.orderItems).acknowledge({
      id: 'cdk-flink-pipeline:EndlessState',
      reason: 'a sum must not start anew: state grows with the order items, on disk',
    });
    Validations.of(this.orderItems).acknowledge({
      id: 'cdk-flink-pipeline:NullIntoNotNull',
      reason: 'both key columns are NOT NULL in the database: a null is to stop the job, not to be left out',
    });
    this.orderStatus = new FlinkJob(this, 'OrderStatusJob', {
      jobName: 'order-status',
      program: orderStatus(orderChanges, analytics),
      target,
      externalSecretStore,
      checkpointing: { storage: CheckpointStorage.s3(state, 'order-status'), interval: Duration.minutes(1) },
      stateBackend: StateBackend.rocksDb({ localStorage: Size.gibibytes(20) }),
      stateTtl: Duration.days(7),
      upsertMaterialize: UpsertMaterialize.FORCE,
    });
  }

  private importKafka(): KafkaCluster {
    const host = (broker: number) => `b-${broker}.shop.abc123.c2.kafka.${this.region}.amazonaws.com:9098`;
    return KafkaCluster.msk({
      clusterArn: `arn:aws:kafka:${this.region}:${this.account}:cluster/shop/11111111-2222-3333-4444-555555555555-2`,
      bootstrapServers: [host(1), host(2), host(3)],
      kafkaVersion: '3.8.1',
      brokerCount: 3,
    });
  }

  private importCluster() {
    return Cluster.fromClusterAttributes(this, 'Cluster', {
      clusterName: 'streaming',
      kubectlProvider: KubectlProvider.fromKubectlProviderAttributes(this, 'Kubectl', {
        serviceToken: `arn:aws:lambda:${this.region}:${this.account}:function:kubectl-handler`,
      }),
    });
  }

  private analyticsCredentials(): Credentials {
    const secret = Secret.fromSecretNameV2(this, 'Analytics', 'analytics/mysql');
    return Credentials.fromSecrets(SecretRef.secretsManager(secret, 'username'), SecretRef.secretsManager(secret, 'password'));
  }

  private createStateBucket(): Bucket {
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

function orderItems(changes: IKafkaTopic, items: IKafkaTopic, analytics: Credentials): SqlProgram {
  const program = new SqlProgram();
  const source = program.addTable('orders_cdc', {
    connector: new KafkaSource({
      topic: changes,
      start: KafkaStart.earliest(),
      format: Format.debeziumJson({ schemaInclude: false, malformedRecords: MalformedRecords.FAIL }),
    }),
    columns: [
      // Not NOT NULL: Flink would read a null of the event as an empty text, and the sink could not refuse it.
      Column.physical('order_id', DataType.STRING),
      Column.physical('item_id', DataType.STRING),
      Column.physical('change_id', DataType.BIGINT),
      Column.physical('user_id', DataType.STRING),
      Column.physical('sku_id', DataType.STRING),
      Column.physical('quantity', DataType.INT),
      Column.physical('amount', DataType.decimal(18, 2)),
      Column.physical('order_status', DataType.STRING),
      Column.physical('update_time', DataType.timestamp(3)),
    ],
    primaryKey: ['change_id'],
  });
  const columns = [
    Column.physical('order_id', DataType.STRING),
    Column.physical('item_id', DataType.STRING),
    Column.physical('quantity', DataType.BIGINT),
    Column.physical('amount', DataType.decimal(38, 2)),
    Column.physical('order_status', DataType.STRING),
  ];
  const primaryKey = ['order_id', 'item_id'];
  const sink = program.addTable('dwd_order_item', {
    connector: new UpsertKafkaSink({
      topic: items,
      keyFormat: Format.json(),
      valueFormat: Format.json(),
      guarantee: DeliveryGuarantee.EXACTLY_ONCE,
    }),
    columns,
    primaryKey,
  });
  program.addInsert(
    sink,
    `SELECT order_id, item_id, SUM(quantity), SUM(amount), LAST_VALUE(order_status)
FROM ${source}
GROUP BY order_id, item_id`,
  );

  const written = program.addTable('dwd_order_item_written', {
    connector: new UpsertKafkaSource({
      topic: items,
      keyFormat: Format.json({ malformedRecords: MalformedRecords.FAIL }),
      valueFormat: Format.json({ malformedRecords: MalformedRecords.FAIL }),
    }),
    columns,
    primaryKey,
  });
  const totals = program.addTable('order_item_totals', {
    connector: new JdbcSink({ url: ANALYTICS_URL, tableName: 'order_item_totals', credentials: analytics }),
    columns: [
      Column.physical('topic', DataType.STRING),
      Column.physical('items', DataType.BIGINT),
      Column.physical('quantity', DataType.BIGINT),
      Column.physical('amount', DataType.decimal(38, 2)),
    ],
    primaryKey: ['topic'],
    comment: 'what readers of dwd_order_item see, to be compared with the same sums over the table order_item',
  });
  program.addInsert(
    totals,
    `SELECT topic, COUNT(*), SUM(quantity), SUM(amount)
FROM (SELECT 'dwd_order_item' AS topic, quantity, amount FROM ${written})
GROUP BY topic`,
  );
  return program;
}

function orderStatus(changes: IKafkaTopic, analytics: Credentials): SqlProgram {
  const program = new SqlProgram();
  const columns = [
    Column.physical('order_id', DataType.STRING),
    Column.physical('order_status', DataType.STRING),
    Column.physical('update_time', DataType.timestamp(3)),
  ];
  const source = program.addTable('orders_cdc', {
    connector: new KafkaSource({
      topic: changes,
      start: KafkaStart.earliest(),
      format: Format.debeziumJson({ schemaInclude: false, malformedRecords: MalformedRecords.FAIL }),
    }),
    columns,
    primaryKey: ['order_id'],
  });
  const mirror = program.addTable('analytic_orders', {
    connector: new JdbcSink({ url: ANALYTICS_URL, tableName: 'orders', credentials: analytics }),
    columns,
    primaryKey: ['order_id'],
  });
  program.addInsert(mirror, `SELECT order_id, order_status, update_time FROM ${source}`);
  return program;
}
