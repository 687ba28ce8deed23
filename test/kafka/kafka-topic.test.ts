import { App, CfnParameter, Duration, RemovalPolicy, Stack, Token, Validations } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import * as eks from 'aws-cdk-lib/aws-eks-v2';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as msk from 'aws-cdk-lib/aws-msk';
import { readFileSync } from 'fs';
import { join } from 'path';
import { parse } from 'yaml';
import { CompactedTopic, type CompactedTopicProps } from '../../lib/kafka/compacted-topic';
import { KafkaAuthentication } from '../../lib/kafka/kafka-authentication';
import { KafkaCluster, type MskClusterProps, MskClusterType } from '../../lib/kafka/kafka-cluster';
import { KafkaTopic, type KafkaTopicProps } from '../../lib/kafka/kafka-topic';
import { CleanupPolicy } from '../../lib/kafka/topic-configuration';
import { kubernetesName } from '../../lib/kafka/topic-name';
import { DeploymentTarget } from '../../lib/target/deployment-target';

const MANIFEST = 'Custom::AWSCDK-EKS-KubernetesResource';
const ID = '8a5b2c3d-1111-2222-3333-444455556666-7';
const arn = (partition = 'aws', region = 'us-east-1') => `arn:${partition}:kafka:${region}:123456789012:cluster/orders/${ID}`;

function newStack(env?: { account: string; region: string }) {
  const app = new App();
  return { app, stack: new Stack(app, 'Stack', { env }) };
}

const mskCluster = (props: Partial<MskClusterProps> = {}) =>
  KafkaCluster.msk({ clusterArn: arn(), bootstrapServers: ['b-1.orders:9098'], ...props });

const strimziCluster = (target = DeploymentTarget.manifests({ namespace: 'streaming' }), props: object = {}) =>
  KafkaCluster.strimzi({ name: 'orders', namespace: 'kafka', bootstrapServers: ['orders-kafka-bootstrap.kafka:9092'], target, ...props });

function eksTarget(stack: Stack) {
  const kubectlProvider = eks.KubectlProvider.fromKubectlProviderAttributes(stack, 'Kubectl', {
    serviceToken: 'arn:aws:lambda:us-east-1:123456789012:function:kubectl',
  });
  const cluster = eks.Cluster.fromClusterAttributes(stack, 'Eks', { clusterName: 'main', kubectlProvider });
  return DeploymentTarget.eksV2(cluster, { namespace: 'streaming' });
}

function topic(props: Partial<KafkaTopicProps> = {}) {
  const { app, stack } = newStack();
  return { app, stack, topic: new KafkaTopic(stack, 'Topic', { cluster: mskCluster(), topicName: 'orders', partitions: 6, ...props }) };
}

function compacted(props: Partial<CompactedTopicProps> = {}) {
  const { app, stack } = newStack();
  return { app, stack, topic: new CompactedTopic(stack, 'Topic', { cluster: mskCluster(), topicName: 'orders', partitions: 6, ...props }) };
}

const decoded = (stack: Stack) => {
  const [resource] = Object.values(Template.fromStack(stack).findResources('AWS::MSK::Topic'));
  return JSON.parse(Buffer.from(resource.Properties.Configs, 'base64').toString());
};

describe('Amazon MSK', () => {
  test('a topic is one retained resource', () => {
    const { stack } = topic({ retention: Duration.days(3), config: { 'max.message.bytes': '2000000' } });
    const template = Template.fromStack(stack);
    template.hasResource('AWS::MSK::Topic', {
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: { ClusterArn: arn(), TopicName: 'orders', PartitionCount: 6, ReplicationFactor: 3 },
    });
    expect(Object.keys(template.toJSON().Resources)).toHaveLength(1);
    expect(decoded(stack)).toEqual({
      'cleanup.policy': 'delete',
      'max.message.bytes': '2000000',
      'min.insync.replicas': '2',
      'retention.ms': '259200000',
    });
  });

  test('a compacted topic says everything that compaction needs', () => {
    const { stack, topic: table } = compacted();
    expect(decoded(stack)).toEqual({
      'cleanup.policy': 'compact',
      'delete.retention.ms': '86400000',
      'max.compaction.lag.ms': '86400000',
      'min.cleanable.dirty.ratio': '0.1',
      'min.insync.replicas': '2',
      'segment.ms': '3600000',
    });
    expect(table).toMatchObject({ compacted: true, cleanupPolicy: CleanupPolicy.COMPACT, partitions: 6, dependable: table });
    expect(decoded(compacted({ config: { 'segment.ms': '600000' } }).stack)).toMatchObject({ 'segment.ms': '600000' });
  });

  test('tombstones outlive the slowest reader', () => {
    const retention = (props: Partial<CompactedTopicProps>) => Number(decoded(compacted(props).stack)['delete.retention.ms']) / 3600000;
    expect(retention({ slowestReaderAbsence: Duration.hours(36) })).toBe(60);
    expect(retention({ slowestReaderAbsence: Duration.hours(36), tombstoneRetention: Duration.hours(37) })).toBe(37);
    expect(() => compacted({ slowestReaderAbsence: Duration.hours(36), tombstoneRetention: Duration.hours(36) })).toThrow(
      'tombstoneRetention must be longer than slowestReaderAbsence, 129600000 ms, got 129600000 ms',
    );
    const { stack } = compacted({ tombstoneRetention: Duration.hours(23) });
    Annotations.fromStack(stack).hasWarning('/Stack/Topic', Match.stringLikeRegexp('forgets deleted keys after 82800000 ms'));
    const fine = compacted({ tombstoneRetention: Duration.hours(24) });
    Annotations.fromStack(fine.stack).hasNoWarning('*', Match.anyValue());
    const count = new CfnParameter(stack, 'Hours', { type: 'Number' }).valueAsNumber;
    expect(() => compacted({ tombstoneRetention: Duration.hours(count) })).toThrow(
      'tombstoneRetention must be known at synth, got a token of hours',
    );
  });

  test('tokens reach the template', () => {
    const { stack } = newStack();
    const cluster = new msk.CfnCluster(stack, 'Cluster', {
      clusterName: 'orders',
      kafkaVersion: '3.9.x',
      numberOfBrokerNodes: 3,
      brokerNodeGroupInfo: { clientSubnets: ['a'], instanceType: 'kafka.m7g.large' },
    });
    const name = new CfnParameter(stack, 'Name').valueAsString;
    const number = (id: string) => new CfnParameter(stack, id, { type: 'Number' }).valueAsNumber;
    const created = new KafkaTopic(stack, 'Topic', {
      cluster: mskCluster({ clusterArn: cluster.attrArn }),
      topicName: name,
      partitions: number('Partitions'),
      replicationFactor: number('Replicas'),
      minInSyncReplicas: number('InSync'),
      retention: Duration.millis(number('Retention')),
    });
    expect(created.partitions).toBeUndefined();
    expect(created.partitionsUnknownBecause).toBe('it is a token; state partitions as a number');
    Template.fromStack(stack).hasResourceProperties('AWS::MSK::Topic', {
      ClusterArn: { 'Fn::GetAtt': ['Cluster', 'Arn'] },
      TopicName: { Ref: 'Name' },
      PartitionCount: { Ref: 'Partitions' },
      ReplicationFactor: { Ref: 'Replicas' },
      Configs: {
        'Fn::Base64': {
          'Fn::Join': [
            '',
            ['{"cleanup.policy":"delete","min.insync.replicas":"', { Ref: 'InSync' }, '","retention.ms":"', { Ref: 'Retention' }, '"}'],
          ],
        },
      },
    });
    expect(() => topic({ retention: Duration.hours(number('X')) })).toThrow(
      'retention must be a literal, or a token of milliseconds (Duration.millis): CloudFormation cannot convert hours',
    );
  });

  test.each([
    ['aws', 'us-east-1'],
    ['aws-cn', 'cn-north-1'],
    ['aws-us-gov', 'us-gov-west-1'],
  ])('grants are least, in %s', (partition, region) => {
    const { app, stack } = newStack();
    const other = new Stack(app, 'Roles');
    const role = new iam.Role(other, 'Role', { assumedBy: new iam.AnyPrincipal() });
    const created = new KafkaTopic(stack, 'Topic', {
      cluster: mskCluster({ clusterArn: arn(partition, region) }),
      topicName: 'orders',
      partitions: 6,
    });
    const grants = [created.grantRead(role, 'streaming.job'), created.grantWrite(role, 'streaming.job.orders'), created.grantWrite(role)];
    expect(grants.every((grant) => grant.success)).toBe(true);
    const base = `arn:${partition}:kafka:${region}:123456789012`;
    const allow = (actions: string[], resource: string) => ({
      Effect: 'Allow',
      Action: actions.map((action) => `kafka-cluster:${action}`),
      Resource: `${base}:${resource}`,
    });
    const [policy] = Object.values(Template.fromStack(other).findResources('AWS::IAM::Policy'));
    expect(policy.Properties.PolicyDocument.Statement).toEqual([
      { ...allow([], `cluster/orders/${ID}`), Action: 'kafka-cluster:Connect' },
      allow(['DescribeTopic', 'ReadData'], `topic/orders/${ID}/orders`),
      allow(['AlterGroup', 'DescribeGroup'], `group/orders/${ID}/streaming.job`),
      allow(['DescribeTopic', 'WriteData'], `topic/orders/${ID}/orders`),
      allow(['AlterTransactionalId', 'DescribeTransactionalId'], `transactional-id/orders/${ID}/streaming.job.orders-*`),
      allow(['Connect', 'WriteDataIdempotently'], `cluster/orders/${ID}`),
    ]);
  });

  test('grants and metrics on a cluster whose ARN is a token', () => {
    const { stack } = newStack();
    const clusterArn = new CfnParameter(stack, 'Arn').valueAsString;
    const role = new iam.Role(stack, 'Role', { assumedBy: new iam.AnyPrincipal() });
    const existing = KafkaTopic.fromTopicAttributes({ cluster: mskCluster({ clusterArn }), topicName: 'orders' });
    existing.grantRead(role);
    const split = { 'Fn::Split': [':cluster/', { Ref: 'Arn' }] };
    const topicArn = ['', [{ 'Fn::Select': [0, split] }, ':topic/', { 'Fn::Select': [1, split] }, '/orders']];
    const [policy] = Object.values(Template.fromStack(stack).findResources('AWS::IAM::Policy'));
    const [connect, read] = policy.Properties.PolicyDocument.Statement;
    expect(connect.Resource).toEqual({ Ref: 'Arn' });
    expect(read.Resource).toEqual({ 'Fn::Join': topicArn });
    expect(policy.Properties.PolicyDocument.Statement).toHaveLength(2);
    expect(stack.resolve(existing.metricMaxOffsetLag('g').dimensions!['Cluster Name'])).toEqual({
      'Fn::Select': [1, { 'Fn::Split': ['/', { Ref: 'Arn' }] }],
    });
    expect(existing.metricMaxOffsetLag('g').region).toBeUndefined();
  });

  test('without IAM a grant is dropped', () => {
    const { stack } = newStack();
    const role = new iam.Role(stack, 'Role', { assumedBy: new iam.AnyPrincipal() });
    const tls = mskCluster({ bootstrapServers: ['b-1:9094'], authentication: KafkaAuthentication.tls() });
    for (const cluster of [tls, strimziCluster(), KafkaCluster.selfManaged({ bootstrapServers: ['a:9092'] })]) {
      const existing = KafkaTopic.fromTopicAttributes({ cluster, topicName: 'orders' });
      expect(existing.grantRead(role, 'g').success).toBe(false);
      expect(existing.grantWrite(role, 'p').success).toBe(false);
    }
    Template.fromStack(stack).resourceCountIs('AWS::IAM::Policy', 0);
  });

  test('metrics', () => {
    const { topic: created, stack } = topic({
      cluster: mskCluster({ brokerCount: 2, clusterArn: arn('aws-cn', 'cn-north-1') }),
      replicationFactor: 2,
    });
    expect(created.metricSumOffsetLag('g').toMetricConfig().metricStat).toMatchObject({
      namespace: 'AWS/Kafka',
      metricName: 'SumOffsetLag',
      statistic: 'Maximum',
      region: 'cn-north-1',
      account: '123456789012',
      dimensions: [
        { name: 'Cluster Name', value: 'orders' },
        { name: 'Consumer Group', value: 'g' },
        { name: 'Topic', value: 'orders' },
      ],
    });
    expect(created.metricMaxOffsetLag('g', { statistic: 'p90' }).statistic).toBe('p90');
    const bytes = created.metricBytesInPerSecond();
    expect(bytes.expression).toBe('FILL(broker1, 0) + FILL(broker2, 0)');
    expect(stack.resolve(bytes.usingMetrics.broker2.toMetricConfig().metricStat!.dimensions)).toEqual([
      { name: 'Broker ID', value: '2' },
      { name: 'Cluster Name', value: 'orders' },
      { name: 'Topic', value: 'orders' },
    ]);
    expect(created.metricMessagesInPerSecond({ label: 'in' }).label).toBe('in');
    bytes.createAlarm(new Stack(new App(), 'Alarms', { env: { account: '123456789012', region: 'cn-north-1' } }), 'Alarm', {
      threshold: 1,
      evaluationPeriods: 1,
    });
    expect(() => topic().topic.metricBytesInPerSecond()).toThrow(
      "metrics of topic 'orders' are added up over the brokers: state brokerCount",
    );
    const elsewhere = KafkaTopic.fromTopicAttributes({ cluster: strimziCluster(), topicName: 'orders' });
    expect(() => elsewhere.metricSumOffsetLag('g')).toThrow(
      "topic 'orders' has no CloudWatch metrics: its cluster is not one of Amazon MSK",
    );
  });

  test('topics cannot be managed everywhere', () => {
    const serverless = mskCluster({ bootstrapServers: ['boot-x.c1.kafka-serverless.us-east-1.amazonaws.com:9098'] });
    expect(() => topic({ cluster: serverless })).toThrow('topics of a serverless MSK cluster cannot be managed by CloudFormation');
    expect(KafkaTopic.fromTopicAttributes({ cluster: serverless, topicName: 'a', partitions: 2 }).partitions).toBe(2);
    expect(() => topic({ cluster: mskCluster({ kafkaVersion: '3.5.1' }) })).toThrow("from Kafka 3.6.0, got kafkaVersion '3.5.1'");
    expect(() => topic({ cluster: mskCluster({ kafkaVersion: '3.10.0' }) })).not.toThrow();
    const express = mskCluster({ clusterType: MskClusterType.EXPRESS });
    expect(() => topic({ cluster: express, replicationFactor: 2 })).toThrow('replicationFactor must be 3 on MSK Express, got 2');
    expect(() => topic({ cluster: express, minInSyncReplicas: 1 })).toThrow('minInSyncReplicas must be 2 on MSK Express, got 1');
    expect(decoded(topic({ cluster: express }).stack)).toEqual({ 'cleanup.policy': 'delete' });
  });

  test("a removal policy of one's own", () => {
    Template.fromStack(topic({ removalPolicy: RemovalPolicy.DESTROY }).stack).hasResource('AWS::MSK::Topic', { DeletionPolicy: 'Delete' });
  });

  test('two topics in one stack, one name only once', () => {
    const { app, stack } = newStack();
    const create = (scope: Stack, id: string, topicName: string, clusterArn = arn()) =>
      new KafkaTopic(scope, id, { cluster: mskCluster({ clusterArn }), topicName, partitions: 1 });
    create(stack, 'One', 'a');
    create(stack, 'Two', 'b');
    create(stack, 'OtherCluster', 'a', `${arn()}9`);
    expect(() => create(new Stack(app, 'Second'), 'Three', 'a')).toThrow(
      "'Stack/One' and 'Second/Three' are both 'a' in one Kafka cluster: declare the topic once and share it",
    );
    // The same token is the same value in one stack, and nobody knows it in two.
    const token = new CfnParameter(stack, 'Arn').valueAsString;
    create(stack, 'Token', 'a', token);
    expect(() => create(stack, 'TokenAgain', 'a', token)).toThrow("'Stack/Token' and 'Stack/TokenAgain' are both 'a' in one Kafka cluster");
    create(stack, 'OtherToken', 'a', new CfnParameter(stack, 'OtherArn').valueAsString);
    create(new Stack(app, 'Elsewhere', { env: { account: '123456789012', region: 'eu-west-1' } }), 'Four', 'a');
    Template.fromStack(stack).resourceCountIs('AWS::MSK::Topic', 5);
  });
});

describe('values', () => {
  test.each([
    [{ topicName: '' }, "topicName must have 1 to 249 characters out of letters, digits, '.', '_' and '-', and not be '.' or '..', got ''"],
    [{ topicName: '..' }, "got '..'"],
    [{ topicName: 'a b' }, "got 'a b'"],
    [{ topicName: 'a'.repeat(250) }, '1 to 249 characters'],
    [{ partitions: 0 }, 'partitions must be a whole number of at least 1, got 0'],
    [{ partitions: 2 ** 31 }, 'partitions must be a whole number from 1 to 2147483647, got 2147483648'],
    [{ partitions: '3' as never }, 'partitions of a Kafka topic must be a number; got text'],
    [{ retention: 24 as never }, 'retention of a Kafka topic must be a Duration, such as Duration.minutes(5); got a number'],
    [{ retention: Duration.millis(0.5) }, 'retention must be a whole number of milliseconds of at least 1, got 0.5 millis'],
    [{ retention: Duration.days(1e15) }, 'retention must be a whole number of milliseconds from 1 to 9007199254740991'],
    [{ config: { 'retention.ms': 5 as never } }, "config must have values of text, got a number for 'retention.ms'"],
    [{ config: { 'cleanup.policy': Token.asString({ Ref: 'Policy' }) } }, /^cleanup.policy must be known at synth: .* got a token$/],
    [{ partitions: 1.5 }, 'partitions must be a whole number of at least 1, got 1.5'],
    [{ replicationFactor: 0 }, 'replicationFactor must be a whole number from 1 to 32767, got 0'],
    [{ minInSyncReplicas: 4 }, 'minInSyncReplicas must be at most the replicationFactor, 3, got 4: no write could ever succeed'],
    [
      { replicationFactor: 3, cluster: mskCluster({ brokerCount: 2 }) },
      'replicationFactor must be at most the number of brokers, 2, got 3',
    ],
    [{ retention: Duration.millis(0) }, 'retention must be a whole number of milliseconds of at least 1, got 0 millis'],
    [{ config: { 'min.insync.replicas': '1' } }, "config must not hold 'min.insync.replicas': use minInSyncReplicas"],
    [{ retention: Duration.days(1), config: { 'retention.ms': '1' } }, "config must not hold 'retention.ms' beside retention"],
    [{ config: { 'cleanup.policy': 'compact' } }, "config must not hold 'cleanup.policy' = 'compact': use CompactedTopic"],
    [
      { config: { 'max.mesage.bytes': '1' } },
      "'max.mesage.bytes', which is no setting of a Kafka topic; did you mean 'max.message.bytes'?",
    ],
    [
      { config: { 'num.partitions': '1' } },
      "'num.partitions', which is no setting of a Kafka topic; its settings: https://kafka.apache.org/",
    ],
    [{ config: { 'cleanup.policy': 'keep' } }, "cleanup.policy must be 'delete', 'compact' or 'compact,delete', got 'keep'"],
  ])('%j is refused', (props, message) => {
    expect(() => topic(props)).toThrow(message);
  });

  test.each([
    { topicName: `${'a'.repeat(248)}.` },
    { partitions: 1 },
    { partitions: 2 ** 31 - 1 },
    { replicationFactor: 3, cluster: mskCluster({ brokerCount: 3 }) },
    { config: { 'retention.ms': '-1' } },
  ])('%j passes without a warning', (props) => {
    Annotations.fromStack(topic(props).stack).hasNoWarning('*', Match.anyValue());
  });

  test.each(['*', 'job*', 'job?', '${aws:username}', '', ' '])("grants nothing on the pattern '%s'", (name) => {
    const { topic: created, stack } = topic();
    const role = new iam.Role(stack, 'Job', { assumedBy: new iam.ServicePrincipal('pods.eks.amazonaws.com') });
    expect(() => created.grantRead(role, name)).toThrow(/^consumerGroup must not/);
    expect(() => created.grantWrite(role, name)).toThrow(/^transactionalIdPrefix must not/);
    Template.fromStack(stack).resourceCountIs('AWS::IAM::Policy', 0);
  });

  test('an existing topic that no compiler has seen', () => {
    const attributes = { cluster: mskCluster(), topicName: 'orders' };
    expect(() => KafkaTopic.fromTopicAttributes({ ...attributes, cluster: 'msk' as never })).toThrow(
      'cluster of KafkaTopic.fromTopicAttributes must be a KafkaCluster, such as KafkaCluster.msk(…); got text',
    );
    expect(() => KafkaTopic.fromTopicAttributes({ ...attributes, partitions: '3' as never })).toThrow('must be a number; got text');
    expect(() => KafkaTopic.fromTopicAttributes({ ...attributes, cleanupPolicy: 'keep' as never })).toThrow(
      'must be one of CleanupPolicy.',
    );
    expect(() => KafkaTopic.fromTopicAttributes({ ...attributes, cleanupPolicy: CleanupPolicy.COMPACT })).not.toThrow();
  });

  test('grants on a name that holds a token, unless the rest of it is a pattern', () => {
    const { topic: created, stack } = topic();
    const role = new iam.Role(stack, 'Job', { assumedBy: new iam.ServicePrincipal('pods.eks.amazonaws.com') });
    const namespace = Token.asString({ Ref: 'Namespace' });
    expect(() => created.grantRead(role, `${namespace}.job`)).not.toThrow();
    expect(() => created.grantRead(role, `${namespace}.*`)).toThrow("in a policy, got '<token>.*'");
  });

  test('compaction settings that props own', () => {
    expect(() => compacted({ config: { 'cleanup.policy': 'compact,delete' } })).toThrow(
      "must not hold 'cleanup.policy': use KafkaTopic for another",
    );
    expect(() => compacted({ config: { 'delete.retention.ms': '1' } })).toThrow(
      "must not hold 'delete.retention.ms': use tombstoneRetention",
    );
    expect(topic({ config: { 'cleanup.policy': 'delete, compact' } }).topic).toMatchObject({
      cleanupPolicy: CleanupPolicy.COMPACT_AND_DELETE,
      compacted: true,
    });
    expect(topic().topic).toMatchObject({ cleanupPolicy: CleanupPolicy.DELETE, compacted: false });
  });

  test('all copies needed for a write: a warning that can be acknowledged', () => {
    const { stack } = topic({ minInSyncReplicas: 3 });
    Annotations.fromStack(stack).hasWarning('/Stack/Topic', Match.stringLikeRegexp("topic 'orders' needs all its 3 copies for each write"));
    expect(decoded(topic({ replicationFactor: 2 }).stack)['min.insync.replicas']).toBe('1');
    const acknowledged = topic({ replicationFactor: 1 });
    Validations.of(acknowledged.topic).acknowledge({ id: 'cdk-flink-pipeline:TopicReplication', reason: 'one broker' });
    Annotations.fromStack(acknowledged.stack).hasNoWarning('*', Match.anyValue());
  });

  test('an existing topic tells what it knows', () => {
    const existing = KafkaTopic.fromTopicAttributes({ cluster: mskCluster(), topicName: 'a' });
    expect(existing).toMatchObject({ compacted: false });
    expect([existing.partitions, existing.cleanupPolicy, existing.config, existing.dependable]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(existing.partitionsUnknownBecause).toBe('nobody stated it; state partitions where the topic is declared');
    const known = KafkaTopic.fromTopicAttributes({
      cluster: mskCluster(),
      topicName: 'a',
      partitions: 3,
      cleanupPolicy: CleanupPolicy.COMPACT,
    });
    expect(known).toMatchObject({ compacted: true, partitions: 3 });
    expect(known.partitionsUnknownBecause).toBeUndefined();
    expect(() => KafkaTopic.fromTopicAttributes({ cluster: mskCluster(), topicName: 'a/b' })).toThrow("got 'a/b'");
  });
});

describe('Strimzi', () => {
  test('a topic is a retained manifest of its own', () => {
    const { app, stack } = newStack();
    const cluster = strimziCluster(eksTarget(stack));
    const table = new CompactedTopic(stack, 'Table', { cluster, topicName: 'dwd_order_item', partitions: 6 });
    new KafkaTopic(stack, 'Events', { cluster, topicName: 'events', partitions: 3, removalPolicy: RemovalPolicy.DESTROY });
    const object = {
      apiVersion: 'kafka.strimzi.io/v1',
      kind: 'KafkaTopic',
      metadata: {
        name: 'dwd-order-item',
        namespace: 'kafka',
        labels: { 'strimzi.io/cluster': 'orders' },
        annotations: {
          'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
          'kustomize.toolkit.fluxcd.io/prune': 'disabled',
        },
      },
      spec: {
        topicName: 'dwd_order_item',
        partitions: 6,
        replicas: 3,
        config: {
          'cleanup.policy': 'compact',
          'delete.retention.ms': '86400000',
          'max.compaction.lag.ms': '86400000',
          'min.cleanable.dirty.ratio': '0.1',
          'min.insync.replicas': '2',
          'segment.ms': '3600000',
        },
      },
    };
    const resources = Template.fromStack(stack).findResources(MANIFEST);
    const ids = Object.keys(resources).sort();
    expect(ids).toEqual([
      expect.stringMatching(/^KubernetesStreamingKafkaTopicKafkaOrdersDwdOrderItem[0-9A-F]{12}$/),
      expect.stringMatching(/^KubernetesStreamingKafkaTopicKafkaOrdersEvents[0-9A-F]{12}$/),
    ]);
    expect(resources[ids[0]]).toMatchObject({
      DeletionPolicy: 'Retain',
      Properties: { Manifest: JSON.stringify([object]), Overwrite: true },
    });
    expect(resources[ids[1]].DeletionPolicy).toBe('Delete');
    expect(resources[ids[1]].Properties.Overwrite).toBeUndefined();
    expect(JSON.parse(resources[ids[1]].Properties.Manifest)[0].metadata.annotations).toBeUndefined();
    // A valid Kubernetes name is the topic's name.
    expect(JSON.parse(resources[ids[1]].Properties.Manifest)[0].spec.topicName).toBeUndefined();
    expect(table.dependable).toBe(table);
    const written = readFileSync(join(app.synth().directory, 'Stack.orders.dwd-order-item/manifests.yaml'), 'utf8');
    expect(parse(written)).toEqual(object);
  });

  test('tokens: into the template of an EKS target, refused for files', () => {
    const create = (target: (stack: Stack) => DeploymentTarget) => {
      const { app, stack } = newStack();
      const topicName = new CfnParameter(stack, 'Name').valueAsString;
      const partitions = new CfnParameter(stack, 'Partitions', { type: 'Number' }).valueAsNumber;
      new KafkaTopic(stack, 'Topic', { cluster: strimziCluster(target(stack)), topicName, partitions });
      return { app, stack };
    };
    const [resource] = Object.values(Template.fromStack(create(eksTarget).stack).findResources(MANIFEST));
    const manifest = JSON.stringify(resource.Properties.Manifest);
    expect(resource.Properties.Manifest['Fn::Join'][1]).toEqual(expect.arrayContaining([{ Ref: 'Name' }, { Ref: 'Partitions' }]));
    expect(manifest).toMatch(/\\"metadata\\":\{\\"name\\":\\"[a-z0-9-]+\\"/);
    expect(() => create(() => DeploymentTarget.manifests({ namespace: 'streaming' })).app.synth()).toThrow(
      /KafkaTopic '[a-z0-9-]+' holds reference to 'Stack\/Name', .* in 'spec.topicName'/,
    );
  });

  test('names that become the same Kubernetes name are refused', () => {
    const { stack } = newStack();
    const cluster = strimziCluster();
    const create = (id: string, topicName: string) => new KafkaTopic(stack, id, { cluster, topicName, partitions: 1 });
    create('One', 'orders_v1');
    expect(() => create('Two', 'Orders-v1')).toThrow(
      "'Stack/One' and 'Stack/Two' are both 'orders-v1' in one Kafka cluster: the Kubernetes names",
    );
    create('Three', 'plain-name');
    expect(() => create('Four', 'plain_name')).toThrow("are both 'plain-name' in one Kafka cluster");
    create('Five', 'under_score');
    expect(() => create('Six', 'under-score')).toThrow("are both 'under-score' in one Kafka cluster");
    expect(() => create('Seven', 'orders.v1')).not.toThrow();
  });

  test('the same names in two Kubernetes clusters are two Kafka clusters', () => {
    const { stack } = newStack();
    const create = (id: string, clusterName: string) => {
      // Files of one name in one stack are another error.
      const scope = new Stack(stack.node.root, id);
      const cluster = strimziCluster(DeploymentTarget.manifests({ namespace: 'streaming', clusterName }));
      return new KafkaTopic(scope, 'Topic', { cluster, topicName: 'events', partitions: 1 });
    };
    create('Blue', 'blue');
    expect(() => create('Green', 'green')).not.toThrow();
    expect(() => create('BlueAgain', 'blue')).toThrow("'Blue/Topic' and 'BlueAgain/Topic' are both 'events' in one Kafka cluster");
  });

  test.each([
    ['orders', 'orders'],
    ['Orders_v1.Enriched', 'orders-v1.enriched'],
    ['_a_._b', 'a.b'],
    ['a..b', 'a.b'],
  ])('%s becomes %s', (topicName, expected) => {
    expect(kubernetesName(topicName)).toBe(expected);
  });

  test('a name without any letter still gets a Kubernetes name, one per topic', () => {
    expect(kubernetesName('___')).toMatch(/^topic-[0-9a-f]{8}$/);
    expect(kubernetesName('___')).not.toBe(kubernetesName('__'));
  });

  test('copies are bounded by the brokers', () => {
    const { stack } = newStack();
    const cluster = strimziCluster(undefined, { brokerCount: 1 });
    expect(() => new KafkaTopic(stack, 'Three', { cluster, topicName: 'a', partitions: 1 })).toThrow(
      'at most the number of brokers, 1, got 3',
    );
    expect(() => new KafkaTopic(stack, 'One', { cluster, topicName: 'a', partitions: 1, replicationFactor: 1 })).not.toThrow();
  });
});

test('a topic of a self-managed cluster is only declared', () => {
  const { topic: declared, stack } = topic({ cluster: KafkaCluster.selfManaged({ bootstrapServers: ['a:9092'] }) });
  expect(Template.fromStack(stack).toJSON().Resources).toBeUndefined();
  expect(declared).toMatchObject({ partitions: 6, topicName: 'orders' });
  expect(declared.dependable).toBeUndefined();
});
