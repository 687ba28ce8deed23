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

test('TombstoneRetention sees the setting of a topic with both policies', () => {
  const found = (config: { [key: string]: string }) => warnings({ config: { 'cleanup.policy': 'compact,delete', ...config } });
  expect(found({ 'delete.retention.ms': '3600000' })).toEqual([
    expect.stringContaining(
      "forgets deleted keys after 3600000 ms: a reader that is away for longer keeps them for ever; raise 'delete.retention.ms'",
    ),
  ]);
  expect(found({ 'delete.retention.ms': '86400000' })).toEqual([]);
  expect(found({ 'delete.retention.ms': Token.asString({ Ref: 'Retention' }) })).toEqual([]);
  expect(found({})).toEqual([]);
  expect(warnings({ config: { 'delete.retention.ms': '3600000' } })).toEqual([]);
});

test('TopicReplication tells what one copy means', () => {
  expect(warnings({ replicationFactor: 1 })).toEqual([
    expect.stringContaining("topic 'orders' has one copy: while its broker restarts nobody writes or reads it"),
  ]);
  expect(warnings({ replicationFactor: 2, minInSyncReplicas: 2 })).toEqual([expect.stringContaining('needs all its 2 copies')]);
  expect(warnings({ replicationFactor: 1 }, ['cdk-flink-pipeline:TopicReplication'])).toEqual([]);
  expect(warnings({ replicationFactor: Token.asNumber({ Ref: 'Copies' }) })).toEqual([]);
});

test('compaction has a least lag of at most the longest', () => {
  const lag = (least: string, most?: string) => () =>
    compacted({ config: { 'min.compaction.lag.ms': least, ...(most !== undefined && { 'max.compaction.lag.ms': most }) } });
  expect(lag('172800000')).toThrow(
    "'min.compaction.lag.ms' of a topic must be at most its 'max.compaction.lag.ms', 86400000 here, got 172800000",
  );
  expect(lag('172800000', '172800000')).not.toThrow();
  expect(lag('86400000')).not.toThrow();
  expect(lag(Token.asString({ Ref: 'Lag' }))).not.toThrow();
});

test('settings that are numbers hold numbers', () => {
  const topic = (config: { [key: string]: string }) => () => warnings({ config });
  expect(topic({ 'retention.ms': '7 days' })).toThrow("config must hold a whole number for 'retention.ms', got '7 days'");
  expect(topic({ 'min.cleanable.dirty.ratio': '50' })).toThrow(
    "config must hold a number from 0 to 1 for 'min.cleanable.dirty.ratio', got '50'",
  );
  expect(topic({ 'retention.ms': '-1', 'min.cleanable.dirty.ratio': '0.5', 'compression.type': 'zstd' })).not.toThrow();
  expect(topic({ 'retention.ms': Token.asString({ Ref: 'Retention' }), 'max.message.bytes': '2097152' })).not.toThrow();
});
