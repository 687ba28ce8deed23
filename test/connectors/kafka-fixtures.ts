import { KafkaCluster } from '../../lib/kafka/kafka-cluster';
import { type IKafkaTopic, KafkaTopic, type KafkaTopicAttributes } from '../../lib/kafka/kafka-topic';
import { CleanupPolicy } from '../../lib/kafka/topic-configuration';
import { Column } from '../../lib/sql/column';
import type { ConnectorBinding, IConnector } from '../../lib/sql/connector';
import { DataType } from '../../lib/sql/data-type';
import { SqlProgram } from '../../lib/sql/sql-program';
import type { SqlTableProps } from '../../lib/sql/sql-table';

export const plainCluster = KafkaCluster.selfManaged({ bootstrapServers: ['b:9092'] });

export const iamCluster = KafkaCluster.msk({
  clusterArn: 'arn:aws-cn:kafka:cn-north-1:123456789012:cluster/orders/0f5a1b2c-1111-2222-3333-444455556666-1',
  bootstrapServers: ['b-1:9098'],
});

export function topic(name: string, changed: Partial<KafkaTopicAttributes> = {}): IKafkaTopic {
  return KafkaTopic.fromTopicAttributes({
    cluster: plainCluster,
    topicName: name,
    partitions: 6,
    cleanupPolicy: CleanupPolicy.DELETE,
    ...changed,
  });
}

/** Binds the connector to a table of one text and one number column, added to a program as a user would. */
export function bind(connector: IConnector, changed: Partial<SqlTableProps> = {}): ConnectorBinding {
  return new SqlProgram().addTable('orders', {
    connector,
    columns: [Column.physical('id', DataType.STRING), Column.physical('amount', DataType.INT)],
    ...changed,
  }).binding;
}
