import { type Stack, Token } from 'aws-cdk-lib';
import { CfnCluster } from 'aws-cdk-lib/aws-msk';
import { parse } from 'yaml';
import {
  CleanupPolicy,
  CompactedTopic,
  DeploymentTarget,
  KafkaCluster,
  KafkaTopic,
  type KafkaTopicProps,
  type MskClusterProps,
  MskClusterType,
  type StrimziClusterProps,
} from '../../lib';
import { synthesize } from '../fixtures/assembly';
import type { Json } from '../fixtures/json';
import { ENVIRONMENT, newStack, only } from '../fixtures/stacks';

const CLUSTER_ARN = 'arn:aws:kafka:eu-central-1:111122223333:cluster/shop/11111111-2222-3333-4444-555555555555-2';
const SERVERLESS = ['boot-a1b2c3d4.c1.kafka-serverless.eu-central-1.amazonaws.com:9098'];

const msk = (changed: Partial<MskClusterProps> = {}) =>
  KafkaCluster.msk({ clusterArn: CLUSTER_ARN, bootstrapServers: ['b-1.shop:9098'], ...changed });

const strimzi = (changed: Partial<StrimziClusterProps> = {}) =>
  KafkaCluster.strimzi({
    name: 'shop',
    namespace: 'kafka',
    bootstrapServers: ['shop-kafka-bootstrap.kafka:9092'],
    target: DeploymentTarget.manifests({ namespace: 'kafka' }),
    ...changed,
  });

/** A topic in a stack of its own. */
function topic(changed: Partial<KafkaTopicProps> = {}, stack: Stack = newStack()): Stack {
  new KafkaTopic(stack, `Topic${stack.node.children.length}`, { cluster: msk(), topicName: 'orders', partitions: 6, ...changed });
  return stack;
}

/** The KafkaTopics of Strimzi topics, as they stand in the manifest files. */
function kafkaTopics(...all: Partial<KafkaTopicProps>[]): Json[] {
  const files = synthesize((app) => {
    const stack = newStack({ env: ENVIRONMENT }, app);
    for (const changed of all) {
      topic({ cluster: strimzi(), ...changed }, stack);
    }
  });
  return Object.keys(files)
    .filter((path) => path.endsWith('manifests.yaml'))
    .map((path) => parse(files[path]!));
}

describe('MT-02 where CloudFormation can manage topics', () => {
  test.each<[string, Partial<MskClusterProps>, string]>([
    ['a serverless cluster', { bootstrapServers: SERVERLESS }, 'topics of a serverless MSK cluster cannot be managed by CloudFormation'],
    ['one that says so', { clusterType: MskClusterType.SERVERLESS }, 'topics of a serverless MSK cluster'],
    ['Kafka 2.8.1', { kafkaVersion: '2.8.1' }, "from Kafka 3.6.0, got kafkaVersion '2.8.1'"],
    ['Kafka 3.5.1', { kafkaVersion: '3.5.1' }, "from Kafka 3.6.0, got kafkaVersion '3.5.1'"],
  ])('%s is refused', (_, cluster, message) => {
    expect(() => topic({ cluster: msk(cluster) })).toThrow(message);
    expect(() => topic({ cluster: msk(cluster) })).toThrow('use KafkaTopic.fromTopicAttributes');
  });

  test.each(['3.6.0', '3.10.0', '3.9.x', '4.0.x.kraft', Token.asString({ Ref: 'Version' }), undefined])('%s passes', (kafkaVersion) => {
    expect(() => topic({ cluster: msk({ kafkaVersion }) })).not.toThrow();
  });

  test('the topic is made after a cluster of the same stack', () => {
    const stack = newStack();
    const cluster = new CfnCluster(stack, 'Cluster', {
      clusterName: 'shop',
      kafkaVersion: '3.8.x',
      numberOfBrokerNodes: 3,
      brokerNodeGroupInfo: { clientSubnets: ['a'], instanceType: 'kafka.m7g.large' },
    });
    topic({ cluster: msk({ clusterArn: cluster.attrArn }) }, stack);
    expect(only(stack, 'AWS::MSK::Topic').resource.Properties.ClusterArn).toEqual({ 'Fn::GetAtt': ['Cluster', 'Arn'] });
  });
});

describe('MT-03 compaction on MSK Serverless', () => {
  test('is refused as a topic of ours, and an existing topic passes', () => {
    const cluster = msk({ bootstrapServers: SERVERLESS });
    expect(() => new CompactedTopic(newStack(), 'Topic', { cluster, topicName: 'orders', partitions: 6 })).toThrow(
      'topics of a serverless MSK cluster cannot be managed',
    );
    const existing = KafkaTopic.fromTopicAttributes({ cluster, topicName: 'orders', partitions: 6, cleanupPolicy: CleanupPolicy.COMPACT });
    expect(existing.compacted).toBe(true);
  });

  test('on Express brokers what they fix is left out', () => {
    const stack = topic({ cluster: msk({ clusterType: MskClusterType.EXPRESS }) });
    const { Configs } = only(stack, 'AWS::MSK::Topic').resource.Properties;
    expect(JSON.parse(Buffer.from(Configs, 'base64').toString())).toEqual({ 'cleanup.policy': 'delete' });
  });
});

describe('MT-05 more copies than brokers', () => {
  test.each([
    ['Strimzi', strimzi({ brokerCount: 1 }), 3],
    ['Amazon MSK', msk({ brokerCount: 2 }), 3],
  ])('are refused on %s', (_, cluster, replicationFactor) => {
    expect(() => topic({ cluster, replicationFactor })).toThrow(/^replicationFactor must be at most the number of brokers, \d, got 3$/);
  });

  test('the default counts too', () => {
    expect(() => topic({ cluster: msk({ brokerCount: 2 }) })).toThrow('replicationFactor must be at most the number of brokers, 2, got 3');
  });

  test('as many as brokers pass, and what is known only at deployment', () => {
    expect(() => topic({ cluster: msk({ brokerCount: 3 }) })).not.toThrow();
    expect(() => topic({ cluster: msk({ brokerCount: Token.asNumber({ Ref: 'Brokers' }) }) })).not.toThrow();
    expect(() => topic({ cluster: msk({ brokerCount: 2 }), replicationFactor: Token.asNumber({ Ref: 'Copies' }) })).not.toThrow();
  });
});

test('MT-06 a topic has three copies from the start: they cannot be changed later', () => {
  expect(only(topic(), 'AWS::MSK::Topic').resource.Properties.ReplicationFactor).toBe(3);
  expect(kafkaTopics({})[0].spec.replicas).toBe(3);
});

describe('MT-07 names of topics that Kubernetes does not take', () => {
  test('are written beside a name that it takes', () => {
    expect(kafkaTopics({ topicName: 'Orders_v1.Enriched' })).toEqual([
      expect.objectContaining({
        metadata: expect.objectContaining({ name: 'orders-v1.enriched' }),
        spec: expect.objectContaining({ topicName: 'Orders_v1.Enriched' }),
      }),
    ]);
    expect(kafkaTopics({ topicName: 'orders' })[0].spec).not.toHaveProperty('topicName');
  });

  test('two that become one name are refused, two that do not pass', () => {
    expect(() => kafkaTopics({ topicName: 'orders_v1' }, { topicName: 'Orders_v1' })).toThrow(
      'the Kubernetes names of their KafkaTopics would be the same',
    );
    expect(kafkaTopics({ topicName: 'orders_v1' }, { topicName: 'orders-v2' })).toHaveLength(2);
  });

  test.each(['.', '..', 'a'.repeat(250), 'orders/v1', ''])("'%s' is refused", (topicName) => {
    expect(() => topic({ topicName })).toThrow('topicName must');
  });

  test('249 characters pass, and a token', () => {
    expect(() => topic({ topicName: 'a'.repeat(249) })).not.toThrow();
    expect(() => topic({ topicName: Token.asString({ Ref: 'Name' }) })).not.toThrow();
  });
});

describe('MT-08 what the topic operator looks for', () => {
  test('stands on every KafkaTopic', () => {
    expect(kafkaTopics({})[0].metadata).toMatchObject({ namespace: 'kafka', labels: { 'strimzi.io/cluster': 'shop' } });
  });

  test.each(['name', 'namespace'] as const)('%s of the cluster has no default', (prop) => {
    expect(() => strimzi({ [prop]: undefined })).toThrow(prop);
    expect(() => strimzi({ [prop]: '' })).toThrow(prop);
  });

  test('a token passes where a deployment resolves it', () => {
    expect(() => strimzi({ name: Token.asString({ Ref: 'Kafka' }) })).not.toThrow();
  });
});
