import { Stack, Stage } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import type { KafkaCluster } from './kafka-cluster';

const topicsOfStage = new WeakMap<IConstruct, Map<string, IConstruct>>();

/**
 * Refuses two constructs for one name in a cluster: the second deployment would fail, or both would fight over one object.
 *
 * @param topic the construct
 * @param cluster its cluster
 * @param name what must be unique in the cluster
 * @param advice what to do
 */
export function claimName(topic: IConstruct, cluster: KafkaCluster, name: string, advice: string): void {
  const stage = Stage.of(topic) ?? topic.node.root;
  const topics = topicsOfStage.get(stage) ?? new Map<string, IConstruct>();
  topicsOfStage.set(stage, topics);
  // The same names mean another cluster in another region.
  const key = JSON.stringify([cluster.id, Stack.of(topic).environment, name]);
  const other = topics.get(key);
  if (other) {
    throw new Error(`'${other.node.path}' and '${topic.node.path}' are both '${name}' in one Kafka cluster: ${advice}`);
  }
  topics.set(key, topic);
}
