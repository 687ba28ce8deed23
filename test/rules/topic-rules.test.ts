import { Duration, type Stack, Token, Validations } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import type { IConstruct } from 'constructs';
import { CompactedTopic, type CompactedTopicProps, KafkaCluster, KafkaTopic, type KafkaTopicProps } from '../../lib';
import { newStack } from '../fixtures/stacks';

const CLUSTER = KafkaCluster.msk({
  clusterArn: 'arn:aws:kafka:eu-central-1:111122223333:cluster/shop/11111111-2222-3333-4444-555555555555-2',
  bootstrapServers: ['b-1.shop:9098'],
});
const UNCLEAN = 'unclean.leader.election.enable';

const COMMON = { cluster: CLUSTER, topicName: 'orders', partitions: 6 };

/** Warnings of a topic, once some are acknowledged. */
function warnings(props: Partial<KafkaTopicProps>, acknowledged: string[] = []): string[] {
  return warningsOf((stack) => new KafkaTopic(stack, 'Topic', { ...COMMON, ...props }), acknowledged);
}

/** The same of a compacted topic. */
function compacted(props: Partial<CompactedTopicProps>, acknowledged: string[] = []): string[] {
  return warningsOf((stack) => new CompactedTopic(stack, 'Topic', { ...COMMON, ...props }), acknowledged);
}

function warningsOf(create: (stack: Stack) => IConstruct, acknowledged: string[]): string[] {
  const stack = newStack();
  const topic = create(stack);
  for (const id of acknowledged) {
    Validations.of(topic).acknowledge({ id, reason: 'meant' });
  }
  return Annotations.fromStack(stack)
    .findWarning('*', Match.anyValue())
    .map(({ entry }) => String(entry.data));
}

test.each<[Partial<KafkaTopicProps>, string]>([
  [
    { minInSyncReplicas: 1 },
    "topic 'orders' may confirm a write that only one of its 3 copies has, once the others have fallen behind: when that broker fails the record is gone; leave minInSyncReplicas out",
  ],
  [{ minInSyncReplicas: 1, replicationFactor: 5 }, "topic 'orders' may confirm a write that only one of its 5 copies has"],
  [
    { replicationFactor: 2 },
    'only one of its 2 copies has, once the others have fallen behind: when that broker fails the record is gone; give replicationFactor: 3',
  ],
  [{ replicationFactor: 2, minInSyncReplicas: 1 }, 'only one of its 2 copies has'],
  [{ config: { [UNCLEAN]: 'true' } }, "topic 'orders' may be led by a copy that lacks confirmed records"],
])('TopicDurability fires for %j, and is silent once acknowledged', (props, message) => {
  expect(warnings(props)).toEqual([expect.stringContaining(message)]);
  expect(warnings(props, ['cdk-flink-pipeline:TopicDurability'])).toEqual([]);
});

test.each<[string, Partial<KafkaTopicProps>]>([
  ['two in-sync copies', { minInSyncReplicas: 2 }],
  ['the default', {}],
  ['a clean election', { config: { [UNCLEAN]: 'false' } }],
  ['a token', { minInSyncReplicas: Token.asNumber({ Ref: 'Copies' }), config: { [UNCLEAN]: Token.asString({ Ref: 'Unclean' }) } }],
])('TopicDurability passes for %s', (_, props) => {
  expect(warnings(props)).toEqual([]);
});

test('TombstoneRetention fires below a day, passes from a day on, and is silent once acknowledged', () => {
  const hours = (count: number, acknowledged?: string[]) => compacted({ tombstoneRetention: Duration.hours(count) }, acknowledged);
  expect(hours(23)).toEqual([expect.stringContaining('forgets deleted keys after')]);
  expect(hours(24)).toEqual([]);
  expect(hours(23, ['cdk-flink-pipeline:TombstoneRetention'])).toEqual([]);
});
