import { App, Aws, CfnParameter, Duration, Lazy, RemovalPolicy, Size, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { ShardLevelMetrics, Stream, StreamMode } from 'aws-cdk-lib/aws-kinesis';
import { Key } from 'aws-cdk-lib/aws-kms';
import { EventStream, type EventStreamProps } from '../../lib/aws/event-stream';
import { streamCapacity } from '../../lib/aws/stream-capacity';

const CHINA = { account: '123456789012', region: 'cn-north-1' };

function synthesize(props: EventStreamProps): Template {
  const stack = new Stack();
  new EventStream(stack, 'Events', props);
  return Template.fromStack(stack);
}

function create(props: EventStreamProps): EventStream {
  return new EventStream(new Stack(), 'Events', props);
}

function roleIn(stack: Stack): Role {
  return new Role(stack, 'Role', { assumedBy: new ServicePrincipal('pods.eks.amazonaws.com') });
}

/** Statements of all policies of a stack. */
function statements(stack: Stack): unknown[] {
  const policies = Template.fromStack(stack).findResources('AWS::IAM::Policy');
  return Object.values(policies).flatMap((policy) => policy.Properties.PolicyDocument.Statement);
}

describe('the stream', () => {
  test('says everything outright', () => {
    const template = synthesize({ streamName: 'user-events', shardCount: 12 });

    template.hasResource('AWS::Kinesis::Stream', {
      Properties: {
        Name: 'user-events',
        ShardCount: 12,
        StreamModeDetails: { StreamMode: 'PROVISIONED' },
        RetentionPeriodHours: 24,
        StreamEncryption: { EncryptionType: 'KMS', KeyId: 'alias/aws/kinesis' },
      },
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
    });
    expect(template.toJSON().Conditions).toBeUndefined();
  });

  test('takes a key, a retention, metrics by shard and a removal policy', () => {
    const stack = new Stack();
    const encryptionKey = new Key(stack, 'Key');
    new EventStream(stack, 'Events', {
      shardCount: 1,
      encryptionKey,
      retentionPeriod: Duration.days(7),
      shardLevelMetrics: [ShardLevelMetrics.INCOMING_BYTES],
      removalPolicy: RemovalPolicy.DESTROY,
    });

    Template.fromStack(stack).hasResource('AWS::Kinesis::Stream', {
      Properties: {
        RetentionPeriodHours: 168,
        StreamEncryption: { EncryptionType: 'KMS', KeyId: stack.resolve(encryptionKey.keyArn) },
        DesiredShardLevelMetrics: ['IncomingBytes'],
      },
      DeletionPolicy: 'Delete',
    });
  });

  test('works twice in one stack', () => {
    const stack = new Stack();
    new EventStream(stack, 'One', { shardCount: 1 });
    new EventStream(stack, 'Two', { shardCount: 2 });

    Template.fromStack(stack).resourceCountIs('AWS::Kinesis::Stream', 2);
  });

  test.each(['', 'a b', 'a/b', 'x'.repeat(129)])('refuses the name %p', (streamName) => {
    expect(() => create({ streamName, shardCount: 1 })).toThrow(
      `streamName must have 1 to 128 characters out of letters, digits, '_', '.' and '-', got '${streamName}'`,
    );
  });

  test.each(['x'.repeat(128), 'A_b.c-9', `${Aws.STACK_NAME} a/b`])('takes the name %p', (streamName) => {
    expect(() => synthesize({ streamName, shardCount: 1 })).not.toThrow();
  });

  test.each([
    [Duration.hours(23), '23 hours'],
    [Duration.hours(8761), '365 days 1 hour'],
    [Duration.minutes(1470), '1 day 30 minutes'],
  ])('refuses the retention %s', (retentionPeriod, got) => {
    expect(() => create({ shardCount: 1, retentionPeriod })).toThrow(
      `retentionPeriod must be a whole number of hours between 24 and 8760, got ${got}`,
    );
  });

  test.each([Duration.hours(24), Duration.days(365), Duration.hours(Lazy.number({ produce: () => 48 }))])(
    'takes the retention %#',
    (retentionPeriod) => {
      expect(() => synthesize({ shardCount: 1, retentionPeriod })).not.toThrow();
    },
  );
});

describe('capacity', () => {
  test('is stated exactly once', () => {
    const load = { writtenPerSecond: Size.mebibytes(1), recordsPerSecond: 1 };

    expect(() => create({})).toThrow('an event stream takes exactly one of shardCount, load and onDemand, got none of them');
    expect(() => create({ onDemand: false })).toThrow('got none of them');
    expect(() => create({ shardCount: 4, onDemand: true })).toThrow('got shardCount and onDemand');
    expect(() => create({ shardCount: 4, load })).toThrow('got shardCount and load');
    expect(() => create({ load, onDemand: true })).toThrow('got load and onDemand');
    expect(() => create({ shardCount: 4, onDemand: false })).not.toThrow();
  });

  test.each([0, -1, 1.5, Number.NaN])('refuses %p shards', (shardCount) => {
    expect(() => create({ shardCount })).toThrow(`shardCount must be a whole number of at least 1, got ${shardCount}`);
  });

  test('passes a token on, and names it where a number is needed', () => {
    const stack = new Stack(new App(), 'Pipeline');
    const parameter = new CfnParameter(stack, 'Shards', { type: 'Number' });
    const stream = new EventStream(stack, 'Events', { shardCount: parameter.valueAsNumber });

    expect(stream.shardCount).toBeUndefined();
    expect(stream.shardCountReason).toBeUndefined();
    expect(stream.shardCountUnknownBecause).toBe('shardCount is a token (Ref of Pipeline/Shards); state it as a number');
    Template.fromStack(stack).hasResourceProperties('AWS::Kinesis::Stream', { ShardCount: { Ref: 'Shards' } });

    const lazy = create({ shardCount: Lazy.number({ produce: () => 3 }) });
    expect(lazy.shardCountUnknownBecause).toBe('shardCount is a token (a value computed later); state it as a number');
  });

  test('of an on-demand stream is never in the template', () => {
    const template = synthesize({ onDemand: true, expectedShardCount: 8 });

    template.hasResourceProperties('AWS::Kinesis::Stream', {
      StreamModeDetails: { StreamMode: 'ON_DEMAND' },
      ShardCount: Match.absent(),
    });
  });

  test('of an on-demand stream is what one expects', () => {
    const expected = create({ onDemand: true, expectedShardCount: 8 });
    expect(expected.shardCount).toBe(8);
    expect(expected.shardCountReason).toBe('stated as expectedShardCount of an on-demand stream');
    expect(expected.shardCountUnknownBecause).toBeUndefined();

    const unknown = create({ onDemand: true });
    expect(unknown.shardCount).toBeUndefined();
    expect(unknown.shardCountUnknownBecause).toBe('the stream is on-demand, its shards follow the load; state expectedShardCount');
  });

  test('expected is for on-demand streams, and known', () => {
    expect(() => create({ shardCount: 2, expectedShardCount: 2 })).toThrow(
      'expectedShardCount is for an on-demand stream only, got it with shardCount; remove it',
    );
    expect(() => create({ onDemand: true, expectedShardCount: 0 })).toThrow(
      'expectedShardCount must be a whole number of at least 1, got 0',
    );
    expect(() => create({ onDemand: true, expectedShardCount: Lazy.number({ produce: () => 3 }) })).toThrow(
      'expectedShardCount must be a number known at synth, got a token',
    );
  });

  test.each([
    ['bytes', 11.2, 500, 1, 12, '11.2 MiB/s written, 1 MiB/s per shard'],
    ['records', 1, 4001, 1, 5, '4001 records/s written, 1,000 records/s per shard'],
    ['exactly full shards', 3, 3000, 2, 3, '3 MiB/s written, 1 MiB/s per shard'],
    ['polling consumers', 4, 100, 3, 6, '4 MiB/s read by each of 3 polling consumers, 2 MiB/s per shard'],
    ['next to nothing', 0.001, 0.1, undefined, 1, '0.001 MiB/s written, 1 MiB/s per shard'],
  ])('is derived from the load: %s', (_, mebibytes, recordsPerSecond, pollingConsumers, shardCount, reason) => {
    const load = { writtenPerSecond: Size.kibibytes(mebibytes * 1024), recordsPerSecond, pollingConsumers };

    expect(streamCapacity({ load })).toEqual({ shardCount, provisionedShardCount: shardCount, shardCountReason: reason });
  });

  test('derived from the load is in the template', () => {
    const load = { writtenPerSecond: Size.mebibytes(4), recordsPerSecond: 100, pollingConsumers: 3 };

    synthesize({ load }).hasResourceProperties('AWS::Kinesis::Stream', { ShardCount: 6 });
    expect(create({ load }).shardCount).toBe(6);
  });

  test('refuses a load that is none', () => {
    const one = Size.mebibytes(1);
    const token = Lazy.number({ produce: () => 1 });

    expect(() => create({ load: { writtenPerSecond: Size.mebibytes(0), recordsPerSecond: 1 } })).toThrow(
      'load.writtenPerSecond must be greater than 0, got 0 bytes',
    );
    expect(() => create({ load: { writtenPerSecond: one, recordsPerSecond: 0 } })).toThrow(
      'load.recordsPerSecond must be greater than 0, got 0',
    );
    expect(() => create({ load: { writtenPerSecond: one, recordsPerSecond: 1, pollingConsumers: 0 } })).toThrow(
      'load.pollingConsumers must be a whole number of at least 1, got 0',
    );
    for (const load of [
      { writtenPerSecond: Size.mebibytes(token), recordsPerSecond: 1 },
      { writtenPerSecond: one, recordsPerSecond: token },
      { writtenPerSecond: one, recordsPerSecond: 1, pollingConsumers: token },
    ]) {
      expect(() => create({ load })).toThrow('load must be made of numbers known at synth, got a token');
    }
  });
});

describe('the address', () => {
  test.each([
    ['us-east-1', 'aws'],
    ['cn-north-1', 'aws-cn'],
    ['us-gov-west-1', 'aws-us-gov'],
  ])('is literal in %s where name and environment are', (region, partition) => {
    const stack = new Stack(new App(), 'Pipeline', { env: { account: '123456789012', region } });
    const stream = new EventStream(stack, 'Events', { streamName: 'user-events', shardCount: 1 });

    expect(stream.streamArn).toBe(`arn:${partition}:kinesis:${region}:123456789012:stream/user-events`);
    expect(stream.streamName).toBe('user-events');
    expect(stream.region).toBe(region);
    expect(stream.dependable).toBe(stream);
  });

  test.each([
    ['the name is made up', CHINA, undefined],
    ['the name is one', CHINA, `${Aws.STACK_NAME}-events`],
    ['the region is one', { account: '123456789012' }, 'user-events'],
    ['the account is one', { region: 'cn-north-1' }, 'user-events'],
  ])('is a token where %s', (_, env, streamName) => {
    const stack = new Stack(new App(), 'Pipeline', { env });
    const stream = new EventStream(stack, 'Events', { streamName, shardCount: 1 });

    expect(stack.resolve(stream.streamArn)).toEqual({ 'Fn::GetAtt': [expect.stringMatching(/^EventsStream/), 'Arn'] });
  });

  test('of a region that the CDK does not know yet is a token', () => {
    const stack = new Stack(new App(), 'Pipeline', { env: { account: '123456789012', region: 'xx-new-1' } });
    const stream = new EventStream(stack, 'Events', { streamName: 'user-events', shardCount: 1 });

    expect(stack.resolve(stream.streamArn)).toEqual({ 'Fn::GetAtt': [expect.any(String), 'Arn'] });
  });

  test('used in another stack makes no export where it is literal, and one where it is not', () => {
    const app = new App();
    const producer = new Stack(app, 'Producer', { env: CHINA });
    const consumer = new Stack(app, 'Consumer', { env: CHINA });
    const role = roleIn(consumer);
    new EventStream(producer, 'Named', { streamName: 'user-events', shardCount: 1 }).grantRead(role);

    expect(Template.fromStack(producer).findOutputs('*')).toEqual({});
    Template.fromStack(consumer).hasResourceProperties('AWS::IAM::Policy', {
      PolicyDocument: {
        Statement: [Match.objectLike({ Resource: 'arn:aws-cn:kinesis:cn-north-1:123456789012:stream/user-events' })],
      },
    });

    const other = new App();
    const otherProducer = new Stack(other, 'Producer');
    const otherConsumer = new Stack(other, 'Consumer');
    const key = new Key(otherProducer, 'Key');
    new EventStream(otherProducer, 'Unnamed', { shardCount: 1, encryptionKey: key }).grantRead(roleIn(otherConsumer));

    expect(Object.keys(Template.fromStack(otherProducer).findOutputs('*'))).toHaveLength(2);
    expect(statements(otherConsumer)).toHaveLength(2);
  });
});

describe('grants', () => {
  const stack = new Stack(new App(), 'Pipeline', { env: CHINA });
  const arn = 'arn:aws-cn:kinesis:cn-north-1:123456789012:stream/user-events';

  function granted(grant: (stream: EventStream, role: Role) => void, encrypted: boolean): unknown[] {
    const own = new Stack(new App(), 'Pipeline', { env: CHINA });
    const encryptionKey = encrypted ? Key.fromKeyArn(own, 'Key', 'arn:aws-cn:kms:cn-north-1:123456789012:key/k') : undefined;
    grant(new EventStream(own, 'Events', { streamName: 'user-events', shardCount: 1, encryptionKey }), roleIn(own));
    return statements(own);
  }

  function decrypt(action: string) {
    return { Effect: 'Allow', Action: action, Resource: 'arn:aws-cn:kms:cn-north-1:123456789012:key/k' };
  }

  test('reading is what the connector calls', () => {
    const read = {
      Effect: 'Allow',
      Action: ['kinesis:DescribeStreamSummary', 'kinesis:GetRecords', 'kinesis:GetShardIterator', 'kinesis:ListShards'],
      Resource: arn,
    };
    const sorted = (all: unknown[]) =>
      all.map((one) => ({ ...(one as object), Action: [(one as { Action: string }).Action].flat().sort() }));

    expect(sorted(granted((stream, role) => stream.grantRead(role), false))).toEqual([read]);
    expect(sorted(granted((stream, role) => stream.grantRead(role), true))).toEqual([read, { ...decrypt(''), Action: ['kms:Decrypt'] }]);
  });

  test('enhanced fan-out takes in the consumers of the stream, but no polling', () => {
    expect(granted((stream, role) => stream.grantReadWithEnhancedFanOut(role), true)).toEqual([
      { Effect: 'Allow', Action: ['kinesis:DescribeStreamSummary', 'kinesis:ListShards'], Resource: arn },
      decrypt('kms:Decrypt'),
      {
        Effect: 'Allow',
        Action: ['kinesis:DescribeStreamConsumer', 'kinesis:SubscribeToShard'],
        Resource: [arn, `${arn}/consumer/*`],
      },
    ]);
  });

  test('managing consumers is to register and deregister them, and needs no key', () => {
    expect(granted((stream, role) => stream.grantManageConsumers(role), true)).toEqual([
      {
        Effect: 'Allow',
        Action: ['kinesis:DeregisterStreamConsumer', 'kinesis:RegisterStreamConsumer'],
        Resource: [arn, `${arn}/consumer/*`],
      },
    ]);
  });

  test('writing is what the connector calls', () => {
    const write = { Effect: 'Allow', Action: 'kinesis:PutRecords', Resource: arn };

    expect(granted((stream, role) => stream.grantWrite(role), false)).toEqual([write]);
    expect(granted((stream, role) => stream.grantWrite(role), true)).toEqual([write, decrypt('kms:GenerateDataKey')]);
  });

  test('say whether they could be given', () => {
    const stream = new EventStream(stack, 'Events', { streamName: 'user-events', shardCount: 1 });

    expect(stream.grantRead(roleIn(stack)).success).toBe(true);
    expect(stream.grantRead({ grantPrincipal: new ServicePrincipal('firehose.amazonaws.com') }).success).toBe(false);
  });
});

test('metrics are of the stream, where it lives', () => {
  const stack = new Stack(new App(), 'Pipeline', { env: CHINA });
  const stream = new EventStream(stack, 'Events', { streamName: 'user-events', shardCount: 1 });
  const seen = [
    stream.metric('PutRecords.Latency'),
    stream.metricIteratorAge(),
    stream.metricIncomingBytes(),
    stream.metricIncomingRecords(),
    stream.metricWriteThroughputExceeded(),
    stream.metricReadThroughputExceeded(),
  ].map((metric) => [metric.namespace, metric.metricName, metric.statistic, metric.dimensions?.StreamName, metric.region]);

  expect(seen).toEqual([
    ['AWS/Kinesis', 'PutRecords.Latency', 'Average', 'user-events', 'cn-north-1'],
    ['AWS/Kinesis', 'GetRecords.IteratorAgeMilliseconds', 'Maximum', 'user-events', 'cn-north-1'],
    ['AWS/Kinesis', 'IncomingBytes', 'Sum', 'user-events', 'cn-north-1'],
    ['AWS/Kinesis', 'IncomingRecords', 'Sum', 'user-events', 'cn-north-1'],
    ['AWS/Kinesis', 'WriteProvisionedThroughputExceeded', 'Sum', 'user-events', 'cn-north-1'],
    ['AWS/Kinesis', 'ReadProvisionedThroughputExceeded', 'Sum', 'user-events', 'cn-north-1'],
  ]);
  expect(stream.metricIteratorAge({ period: Duration.minutes(1), statistic: 'p99' })).toMatchObject({
    period: Duration.minutes(1),
    statistic: 'p99',
  });

  const anywhere = new EventStream(new Stack(), 'Events', { shardCount: 1 });
  expect(anywhere.metricIteratorAge().region).toBeUndefined();
});

describe('an existing stream', () => {
  const streamArn = 'arn:aws-us-gov:kinesis:us-gov-west-1:210987654321:stream/clicks';

  test('of this program is read: shards, retention, key', () => {
    const stack = new Stack();
    const encryptionKey = new Key(stack, 'Key');
    const l2 = new Stream(stack, 'L2', { shardCount: 5, retentionPeriod: Duration.days(2), encryptionKey });
    const stream = EventStream.fromStream(l2);

    expect(stream).toMatchObject({ shardCount: 5, shardCountReason: 'shardCount of the stream', streamArn: l2.streamArn, encryptionKey });
    expect(stream.retentionPeriod?.toHours()).toBe(48);
    expect(stream.dependable).toBe(l2);
    expect(stream.region).toBe(stack.region);
  });

  test('of this program may be told what it is, not something else', () => {
    const stack = new Stack();
    const l2 = new Stream(stack, 'L2', { shardCount: 5 });
    const onDemand = new Stream(stack, 'OnDemand', { streamMode: StreamMode.ON_DEMAND });

    expect(EventStream.fromStream(l2, { shardCount: 5 }).shardCount).toBe(5);
    expect(() => EventStream.fromStream(l2, { shardCount: 6 })).toThrow(
      'shardCount must be the one of the stream, 5, got 6; leave it out, it is read from the stream',
    );
    expect(EventStream.fromStream(onDemand, { shardCount: 6 }).shardCount).toBe(6);
    expect(EventStream.fromStream(onDemand).shardCountUnknownBecause).toBe('nothing states it; give shardCount to EventStream.fromStream');
    expect(
      EventStream.fromStream(new Stream(stack, 'Token', { shardCount: new CfnParameter(stack, 'N', { type: 'Number' }).valueAsNumber })),
    ).toMatchObject({ shardCount: undefined, shardCountReason: undefined, shardCountUnknownBecause: expect.stringContaining('/N') });
  });

  test('of another program is known by its attributes', () => {
    const stack = new Stack(new App(), 'Pipeline', { env: CHINA });
    const encryptionKey = Key.fromKeyArn(stack, 'Key', 'arn:aws-us-gov:kms:us-gov-west-1:210987654321:key/k');
    const stream = EventStream.fromStreamAttributes(stack, 'Clicks', { streamArn, shardCount: 3, encryptionKey });
    stream.grantRead(roleIn(stack));

    expect(stream).toMatchObject({ streamArn, streamName: 'clicks', region: 'us-gov-west-1', shardCount: 3, dependable: undefined });
    expect(stream.metricIteratorAge()).toMatchObject({ region: 'us-gov-west-1', account: '210987654321' });
    expect(statements(stack)).toEqual([
      expect.objectContaining({ Resource: streamArn }),
      expect.objectContaining({ Action: 'kms:Decrypt', Resource: encryptionKey.keyArn }),
    ]);
    expect(EventStream.fromStreamAttributes(stack, 'Unsized', { streamArn }).shardCountUnknownBecause).toBe(
      'nothing states it; give shardCount to EventStream.fromStreamAttributes',
    );
  });

  test('may have an ARN that is a token', () => {
    const stack = new Stack();
    const parameter = new CfnParameter(stack, 'Arn');
    const stream = EventStream.fromStreamAttributes(stack, 'Clicks', { streamArn: parameter.valueAsString });

    expect(stack.resolve(stream.streamArn)).toEqual({ Ref: 'Arn' });
    expect(stack.resolve(stream.streamName)).toEqual({
      'Fn::Select': [1, { 'Fn::Split': ['/', { 'Fn::Select': [5, expect.anything()] }] }],
    });
    expect(stack.resolve(stream.region)).toEqual({ 'Fn::Select': [3, { 'Fn::Split': [':', { Ref: 'Arn' }] }] });
  });

  test('needs no stack when it is external', () => {
    const stream = EventStream.external({ streamArn, shardCount: 3, retentionPeriod: Duration.days(1) });

    expect(stream).toMatchObject({ streamArn, streamName: 'clicks', region: 'us-gov-west-1', shardCount: 3, dependable: undefined });
    expect(EventStream.external({ streamArn }).shardCountUnknownBecause).toBe('nothing states it; give shardCount to EventStream.external');
    expect(() => EventStream.external({ streamArn, shardCount: 0 })).toThrow('shardCount must be a whole number of at least 1, got 0');

    const stack = new Stack();
    stream.grantWrite(roleIn(stack));
    expect(statements(stack)).toEqual([{ Effect: 'Allow', Action: 'kinesis:PutRecords', Resource: streamArn }]);
  });

  test('that is external has a literal ARN', () => {
    expect(() => EventStream.external({ streamArn: `arn:${Aws.PARTITION}:kinesis:cn-north-1:123456789012:stream/clicks` })).toThrow(
      'streamArn of an external resource must be a literal ARN, got a token; use EventStream.fromStreamAttributes',
    );
  });

  test.each([
    'clicks',
    'arn:aws:kinesis:us-east-1:123456789012:clicks',
    'arn:aws:firehose:us-east-1:123456789012:deliverystream/clicks',
    'arn:aws:kinesis:us-east-1:12345:stream/clicks',
    `${streamArn}/consumer/flink:1`,
  ])('is refused with the ARN %s', (wrong) => {
    const message = `streamArn must look like 'arn:<partition>:kinesis:<region>:<account>:stream/<name>', got '${wrong}'`;

    expect(() => EventStream.external({ streamArn: wrong })).toThrow(message);
    expect(() => EventStream.fromStreamAttributes(new Stack(), 'Clicks', { streamArn: wrong })).toThrow(message);
  });
});
