import type { KafkaCluster } from '../kafka/kafka-cluster';
import type { IKafkaTopic } from '../kafka/kafka-topic';
import { Artifact } from '../sql/artifact';
import type { Splits } from '../sql/connector';

/**
 * Jars of the Kafka connector for a cluster.
 *
 * The SQL jar relocates the Kafka client, so that a login module from another jar does not implement the interfaces that it
 * looks for (aws-msk-iam-auth, issue 190): a cluster with MSK IAM takes the thin connector and the client beside it.
 */
export function kafkaArtifacts(cluster: KafkaCluster): Artifact[] {
  return cluster.usesIam
    ? [Artifact.released('org.apache.flink:flink-connector-kafka'), Artifact.released('software.amazon.msk:aws-msk-iam-auth')]
    : [Artifact.released('org.apache.flink:flink-sql-connector-kafka')];
}

/** Options that find the topic and log in to its cluster. */
export function kafkaClientOptions(topic: IKafkaTopic): { [option: string]: string } {
  const options: { [option: string]: string } = {
    topic: topic.topicName,
    'properties.bootstrap.servers': topic.cluster.bootstrapServers,
  };
  for (const [property, value] of Object.entries(topic.cluster.clientProperties(!topic.cluster.usesIam))) {
    options[`properties.${property}`] = value;
  }
  return options;
}

/** Partitions of a topic as the splits of a table. */
export function kafkaSplits(topic: IKafkaTopic): Splits {
  return {
    unit: 'partition',
    of: `topic ${topic.topicName}`,
    count: topic.partitions,
    unknownBecause: topic.partitions === undefined ? topic.partitionsUnknownBecause : undefined,
  };
}

/** Contract line about the partitions, which hold the order of the records of one key. */
export function partitionsContract(topic: IKafkaTopic): string {
  return `partitions: ${topic.partitions ?? 'not known here'}`;
}
