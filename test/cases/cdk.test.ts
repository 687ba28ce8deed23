import { type App, CfnParameter, Stack, Token } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { CfnAddon, Cluster } from 'aws-cdk-lib/aws-eks';
import { Cluster as ClusterV2 } from 'aws-cdk-lib/aws-eks-v2';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import {
  ArchiveDeliveryStream,
  CheckpointStorage,
  DeploymentTarget,
  DimensionTable,
  EventStream,
  KafkaCluster,
  KafkaTopic,
} from '../../lib';
import { newApp } from '../fixtures/assembly';
import { ENVIRONMENT, eksCluster, externalStream, job, MANIFEST, manifest, newStack, printed, resources } from '../fixtures/stacks';

/** Two stacks of one environment, each without a resource. */
function twoStacks(app: App = newApp()): { app: App; first: Stack; second: Stack } {
  return { app, first: new Stack(app, 'First', { env: ENVIRONMENT }), second: new Stack(app, 'Second', { env: ENVIRONMENT }) };
}

/** A topic of Amazon MSK. */
function topic(scope: Construct, topicName: string, id = 'Topic'): KafkaTopic {
  const cluster = KafkaCluster.msk({
    clusterArn: 'arn:aws:kafka:eu-central-1:111122223333:cluster/shop/11111111-2222-3333-4444-555555555555-2',
    bootstrapServers: ['b-1.shop:9098'],
  });
  return new KafkaTopic(scope, id, { cluster, topicName, partitions: 6 });
}

describe('CD-01 names that are known only at deployment', () => {
  const cases: [string, string, (stack: Stack, name: string) => void][] = [
    ['a stream', 'a b', (stack, streamName) => void new EventStream(stack, 'Events', { streamName, shardCount: 1 })],
    ['a table', 'x', (stack, tableName) => void new DimensionTable(stack, 'Users', { tableName, partitionKey: 'id' })],
    ['a delivery stream', 'a b', (stack, deliveryStreamName) => void new ArchiveDeliveryStream(stack, 'Archive', { deliveryStreamName })],
    ['a topic', 'a b', (stack, topicName) => void topic(stack, topicName)],
    ['a namespace', 'A_b', (stack, namespace) => void job(stack, { target: DeploymentTarget.eks(eksCluster(stack), { namespace }) })],
    [
      'a checkpoint prefix',
      '//',
      (stack, prefix) => void job(stack, { checkpointing: { storage: CheckpointStorage.s3(new Bucket(stack, 'Bucket'), prefix) } }),
    ],
  ];

  test.each(cases)('of %s pass', (_, __, create) => {
    const stack = newStack();
    create(stack, `${Token.asString({ Ref: 'AWS::Region' })}-orders-${new CfnParameter(stack, 'Name').valueAsString}`);
    expect(() => Template.fromStack(stack)).not.toThrow();
  });

  test.each(cases)('of %s are refused where they are wrong and known', (_, name, create) => {
    expect(() => create(newStack(), name)).toThrow(/must/);
  });
});

test('CD-03 no construct id is made of a name', () => {
  const stack = newStack();
  const name = (id: string) => new CfnParameter(stack, id).valueAsString;
  const streamArn = `arn:aws:kinesis:eu-central-1:111122223333:stream/${name('Stream')}`;
  job(stack, {
    program: printed(EventStream.fromStreamAttributes(stack, 'Events', { streamArn, shardCount: 4 })),
    target: DeploymentTarget.eks(eksCluster(stack, name('ClusterName')), { namespace: name('Namespace') }),
  });
  topic(stack, name('TopicName'));
  const ids = stack.node.findAll().map(({ node }) => node.id);
  expect(ids.filter((id) => Token.isUnresolved(id) || id.includes('Token'))).toEqual([]);
  expect(() => Template.fromStack(stack)).not.toThrow();
});

describe('CD-04 a job in another stack than its stream', () => {
  const templates = (streamName?: string) => {
    const { first, second } = twoStacks();
    job(second, { program: printed(new EventStream(first, 'Events', { streamName, shardCount: 4 })) });
    return [first, second].map((stack) => JSON.stringify(Template.fromStack(stack).toJSON()));
  };

  test('names it, where its name is known: nothing is exported, so the stacks stay apart', () => {
    const [first, second] = templates('clicks');
    expect(first).not.toContain('"Export"');
    expect(second).not.toContain('Fn::ImportValue');
    expect(second).toContain('stream/clicks');
  });

  test('imports it where CloudFormation makes up the name', () => {
    const [first, second] = templates();
    expect(first).toContain('"Export"');
    expect(second).toContain('Fn::ImportValue');
  });
});

describe('CD-05 stacks that depend on each other', () => {
  test('a key of one stack and the role of a job in another', () => {
    const { app, first, second } = twoStacks();
    const encryptionKey = new Key(first, 'Key');
    const events = new EventStream(first, 'Events', { streamName: 'clicks', shardCount: 4, encryptionKey });
    const state = new Bucket(first, 'State', { encryptionKey });
    job(second, { program: printed(events), checkpointing: { storage: CheckpointStorage.s3(state, 'clicks') } });
    expect(() => app.synth()).not.toThrow();
    expect(second.dependencies).toContain(first);
    const policy = JSON.stringify(resources(second, 'AWS::IAM::Policy'));
    expect(policy).toContain('kms:Decrypt');
  });

  test('a cluster of one stack and the manifests of a job in another', () => {
    const { app, first, second } = twoStacks();
    const cluster = eksCluster(first);
    job(second, { target: DeploymentTarget.eks(cluster, { namespace: 'streaming' }) });
    expect(() => app.synth()).not.toThrow();
    expect(first.dependencies).not.toContain(second);
    expect(Object.keys(resources(second, MANIFEST))).toHaveLength(3);
    expect(resources(first, MANIFEST)).toEqual({});
  });
});

test('CD-06 names are made up by CloudFormation unless they are given, and an existing stream can be taken', () => {
  const stack = newStack();
  new EventStream(stack, 'Events', { shardCount: 4 });
  new DimensionTable(stack, 'Users', { partitionKey: 'id' });
  for (const type of ['AWS::Kinesis::Stream', 'AWS::DynamoDB::GlobalTable', 'AWS::DynamoDB::Table']) {
    for (const { Properties } of Object.values(resources(stack, type))) {
      expect(Object.keys(Properties).filter((key) => /^(Name|TableName)$/.test(key))).toEqual([]);
    }
  }
  expect(externalStream().streamName).toBe('clicks');
});

test('CD-07 what holds data stays when its construct is moved or its stack deleted', () => {
  const stack = newStack();
  new EventStream(stack, 'Events', { shardCount: 4 });
  new DimensionTable(stack, 'Users', { partitionKey: 'id' });
  new ArchiveDeliveryStream(stack, 'Archive', {});
  topic(stack, 'orders');
  const template = Template.fromStack(stack).toJSON();
  const kept = Object.values<{ Type: string; DeletionPolicy?: string }>(template.Resources).filter(({ Type }) =>
    /^AWS::(Kinesis::Stream|DynamoDB::(Global)?Table|S3::Bucket|MSK::Topic)$/.test(Type),
  );
  expect(kept).toHaveLength(4);
  expect(kept.map(({ DeletionPolicy }) => DeletionPolicy)).toEqual(Array(4).fill('Retain'));
});

test('CD-07 a job that is moved in the construct tree keeps its objects, its role and its identity', () => {
  const ids = (scope: (stack: Stack) => Construct) => {
    const stack = newStack();
    const target = DeploymentTarget.eks(eksCluster(stack), { namespace: 'streaming' });
    const storage = CheckpointStorage.s3(Bucket.fromBucketName(stack, 'State', 'state'), 'clicks');
    job(scope(stack), { target, checkpointing: { storage } });
    return Object.keys(Template.fromStack(stack).toJSON().Resources).sort();
  };
  const before = ids((stack) => stack);
  expect(before.length).toBeGreaterThan(4);
  expect(ids((stack) => new Construct(stack, 'Team'))).toEqual(before);
});

test('CD-08 a job takes at most 8 resources, so that 40 of them fit into one stack', () => {
  const stack = newStack();
  const target = DeploymentTarget.eks(eksCluster(stack), { namespace: 'streaming' });
  const state = Bucket.fromBucketName(stack, 'State', 'state');
  const count = 40;
  for (let index = 0; index < count; index += 1) {
    const jobName = `clicks-${index}`;
    const streamArn = `arn:aws:kinesis:eu-central-1:111122223333:stream/${jobName}`;
    const program = printed(EventStream.external({ streamArn, shardCount: 4 }));
    job(stack, { jobName, program, target, checkpointing: { storage: CheckpointStorage.s3(state, jobName) } }, `Job${index}`);
  }
  const { length } = Object.keys(Template.fromStack(stack).toJSON().Resources);
  expect(length).toBeGreaterThan(count);
  expect(length).toBeLessThanOrEqual(8 * count);
});

describe('CD-09 manifests that are too large for the handler', () => {
  test('the objects of a job are spread over several manifests, one after another', () => {
    const stack = newStack();
    job(stack);
    const [access, script, deployment] = ['Role', 'ConfigMap', 'FlinkDeployment'].map((kind) => manifest(stack, kind));
    expect(new Set([access!.id, script!.id, deployment!.id]).size).toBe(3);
    expect(deployment!.resource.DependsOn).toEqual(expect.arrayContaining([access!.id, script!.id]));
  });

  test('one object above the limit is refused, one below it passes', () => {
    const synth = (length: number) => {
      const stack = newStack();
      const created = job(stack);
      created.flinkDeployment.metadata.addAnnotation('note', 'x'.repeat(length));
      return () => Template.fromStack(stack);
    };
    expect(synth(262_144)).toThrow(/FlinkDeployment 'clicks' takes \d+ bytes as kubectl applies it, more than 262144/);
    expect(synth(100_000)).not.toThrow();
  });
});

describe('CD-10 an imported cluster without a way to run kubectl', () => {
  test('of aws-eks is refused', () => {
    const cluster = Cluster.fromClusterAttributes(newStack(), 'Cluster', { clusterName: 'main' });
    expect(() => DeploymentTarget.eks(cluster, { namespace: 'streaming' })).toThrow(
      "cluster 'Stack/Cluster' has no way to run kubectl: give Cluster.fromClusterAttributes a kubectlProvider",
    );
  });

  test('of aws-eks-v2 is refused', () => {
    const cluster = ClusterV2.fromClusterAttributes(newStack(), 'Cluster', { clusterName: 'main' });
    expect(() => DeploymentTarget.eksV2(cluster, { namespace: 'streaming' })).toThrow("cluster 'Stack/Cluster' has no way to run kubectl");
  });

  test('with one it passes, whatever its name becomes', () => {
    const stack = newStack();
    expect(() => DeploymentTarget.eks(eksCluster(stack, Token.asString({ Ref: 'Name' })), { namespace: 'streaming' })).not.toThrow();
  });
});

describe('CD-11 the operator and the namespace come first', () => {
  test('a dependency of the job reaches every manifest', () => {
    const stack = newStack();
    const operator = new CfnAddon(stack, 'Operator', { addonName: 'operator', clusterName: 'main' });
    job(stack).node.addDependency(operator);
    const manifests = Object.values(resources(stack, MANIFEST));
    expect(manifests).toHaveLength(3);
    for (const { DependsOn } of manifests) {
      expect(DependsOn).toContain('Operator');
    }
  });

  test('so do the streams and the bucket of the job, whose literal names make no dependency', () => {
    const stack = newStack();
    job(stack, { program: printed(new EventStream(stack, 'Events', { streamName: 'clicks', shardCount: 4 })) });
    const [stream] = Object.keys(resources(stack, 'AWS::Kinesis::Stream'));
    const [bucket] = Object.keys(resources(stack, 'AWS::S3::Bucket'));
    expect(manifest(stack, 'FlinkDeployment').resource.DependsOn).toEqual(expect.arrayContaining([stream, bucket]));
  });

  test('without one the job depends on what it needs alone', () => {
    const stack = newStack();
    job(stack);
    expect(JSON.stringify(resources(stack, MANIFEST))).not.toContain('Operator');
  });
});
