import { Duration, type Stack } from 'aws-cdk-lib';
import {
  Column,
  CompactedTopic,
  DataType,
  DeliveryGuarantee,
  type DeploymentTarget,
  Format,
  KafkaAuthentication,
  KafkaCluster,
  KafkaSource,
  KafkaStart,
  KafkaStoreType,
  KafkaTopic,
  MalformedRecords,
  SecretRef,
  SqlProgram,
  UpsertKafkaSink,
  UpsertKafkaSource,
} from '../lib';

export function msk(stack: Stack): KafkaCluster {
  const cluster = KafkaCluster.msk({
    clusterArn: 'arn:aws:kafka:eu-central-1:111122223333:cluster/shop/11111111-2222-3333-4444-555555555555-2',
    bootstrapServers: [
      'b-1.shop.abc123.c2.kafka.eu-central-1.amazonaws.com:9098',
      'b-2.shop.abc123.c2.kafka.eu-central-1.amazonaws.com:9098',
    ],
    kafkaVersion: '3.8.1',
    brokerCount: 3,
  });

  new KafkaTopic(stack, 'Orders', { cluster, topicName: 'orders', partitions: 12, retention: Duration.days(3) });

  new CompactedTopic(stack, 'OrderItems', {
    cluster,
    topicName: 'dwd_order_item',
    partitions: 6,
    slowestReaderAbsence: Duration.days(2),
  });

  KafkaTopic.fromTopicAttributes({ cluster, topicName: 'mysql.shop.orders', partitions: 3 });
  return cluster;
}

export function strimzi(target: DeploymentTarget): KafkaCluster {
  const password = SecretRef.kubernetes('flink-user', 'password');
  const cluster = KafkaCluster.strimzi({
    name: 'shop',
    namespace: 'kafka',
    target,
    bootstrapServers: ['shop-kafka-bootstrap.kafka:9093'],
    authentication: KafkaAuthentication.scram({
      username: 'flink',
      password,
      // Strimzi signs with a certificate authority of its own; here its certificate is a file of the image.
      trustStore: { location: '/opt/flink/certs/kafka-ca.crt', type: KafkaStoreType.PEM },
    }),
  });
  return cluster;
}

export function selfManaged(): KafkaCluster {
  const cluster = KafkaCluster.selfManaged({
    bootstrapServers: ['kafka-1:9094', 'kafka-2:9094'],
    authentication: KafkaAuthentication.tls(),
    transactionMaxTimeout: Duration.minutes(30),
  });
  return cluster;
}

export function tables(cluster: KafkaCluster): SqlProgram {
  const program = new SqlProgram();
  const changes = program.addTable('order_changes', {
    connector: new KafkaSource({
      topic: KafkaTopic.fromTopicAttributes({ cluster, topicName: 'mysql.shop.order_item', partitions: 6 }),
      start: KafkaStart.earliest(),
      format: Format.debeziumJson({ schemaInclude: false, malformedRecords: MalformedRecords.FAIL }),
    }),
    columns: [
      Column.physical('id', DataType.BIGINT),
      Column.physical('order_id', DataType.STRING),
      Column.physical('amount', DataType.decimal(18, 2)),
    ],
    primaryKey: ['id'],
  });

  const totals = KafkaTopic.fromTopicAttributes({ cluster, topicName: 'order_totals', partitions: 6 });
  const columns = [Column.physical('order_id', DataType.STRING), Column.physical('amount', DataType.decimal(38, 2))];
  const sink = program.addTable('order_totals', {
    connector: new UpsertKafkaSink({
      topic: totals,
      keyFormat: Format.json(),
      valueFormat: Format.json(),
      guarantee: DeliveryGuarantee.EXACTLY_ONCE,
    }),
    columns,
    primaryKey: ['order_id'],
  });
  program.addInsert(sink, `SELECT order_id, SUM(amount) FROM ${changes} GROUP BY order_id`);

  // Reading it back is a table of its own: a table is a source or a sink, never both.
  program.addTable('order_totals_written', {
    connector: new UpsertKafkaSource({
      topic: totals,
      keyFormat: Format.json({ malformedRecords: MalformedRecords.FAIL }),
      valueFormat: Format.json({ malformedRecords: MalformedRecords.FAIL }),
    }),
    columns,
    primaryKey: ['order_id'],
  });
  return program;
}
