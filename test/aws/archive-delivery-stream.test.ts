import { App, Aws, CfnParameter, Duration, Lazy, RemovalPolicy, Size, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Compression } from 'aws-cdk-lib/aws-kinesisfirehose';
import { Key } from 'aws-cdk-lib/aws-kms';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { ArchiveDeliveryStream, type ArchiveDeliveryStreamProps } from '../../lib/aws/archive-delivery-stream';

const CHINA = { account: '123456789012', region: 'cn-north-1' };
const token = Lazy.number({ produce: () => 60 });

function create(props: ArchiveDeliveryStreamProps = {}): ArchiveDeliveryStream {
  return new ArchiveDeliveryStream(new Stack(), 'Archive', props);
}

function synthesize(props: ArchiveDeliveryStreamProps = {}): Template {
  return Template.fromStack(Stack.of(create(props)));
}

function roleIn(stack: Stack): Role {
  return new Role(stack, 'Role', { assumedBy: new ServicePrincipal('pods.eks.amazonaws.com') });
}

function statements(stack: Stack): unknown[] {
  const policies = Template.fromStack(stack).findResources('AWS::IAM::Policy');
  return Object.values(policies).flatMap((policy) => policy.Properties.PolicyDocument.Statement);
}

/** What the role of the delivery stream may do with objects. */
function objectResources(props: ArchiveDeliveryStreamProps): unknown[] {
  const role = Object.values(synthesize(props).findResources('AWS::IAM::Role'))[0];
  const statement = role.Properties.Policies[0].PolicyDocument.Statement.find((one: { Action: string[] }) =>
    one.Action.includes('s3:PutObject'),
  );
  return [statement.Resource].flat().map((resource) => resource['Fn::Join'][1].slice(1).join(''));
}

describe('the delivery stream', () => {
  test('puts 4 MiB or 300 s into a compressed object, a record a line', () => {
    const template = synthesize({ deliveryStreamName: 'raw-logs-archive' });
    const { Properties } = Object.values(template.findResources('AWS::KinesisFirehose::DeliveryStream'))[0];

    expect(Properties).toEqual({
      DeliveryStreamName: 'raw-logs-archive',
      DeliveryStreamType: 'DirectPut',
      DeliveryStreamEncryptionConfigurationInput: { KeyType: 'AWS_OWNED_CMK' },
      ExtendedS3DestinationConfiguration: {
        BucketARN: expect.anything(),
        RoleARN: expect.anything(),
        BufferingHints: { IntervalInSeconds: 300, SizeInMBs: 4 },
        CompressionFormat: 'GZIP',
        ErrorOutputPrefix: 'errors/!{firehose:error-output-type}/!{timestamp:yyyy/MM/dd}/',
        ProcessingConfiguration: {
          Enabled: true,
          Processors: [
            {
              Type: 'AppendDelimiterToRecord',
              Parameters: [{ ParameterName: 'Delimiter', ParameterValue: '\\n' }],
            },
          ],
        },
        CloudWatchLoggingOptions: { Enabled: true, LogGroupName: expect.anything(), LogStreamName: expect.anything() },
      },
    });
    // The CDK's own L2 adds a mapping that nothing uses.
    expect(template.toJSON().Mappings).toBeUndefined();
  });

  test('takes all else', () => {
    const template = synthesize({
      bufferingInterval: Duration.minutes(1),
      bufferingSize: Size.mebibytes(64),
      compression: Compression.UNCOMPRESSED,
      prefix: 'raw/!{timestamp:yyyy}/',
      errorPrefix: 'failed/',
      expiration: Duration.days(365),
      infrequentAccessAfter: Duration.days(30),
      logRetention: RetentionDays.ONE_WEEK,
      removalPolicy: RemovalPolicy.DESTROY,
    });

    template.hasResourceProperties('AWS::KinesisFirehose::DeliveryStream', {
      ExtendedS3DestinationConfiguration: Match.objectLike({
        BufferingHints: { IntervalInSeconds: 60, SizeInMBs: 64 },
        CompressionFormat: 'UNCOMPRESSED',
        Prefix: 'raw/!{timestamp:yyyy}/',
        ErrorOutputPrefix: 'failed/',
      }),
    });
    template.hasResource('AWS::S3::Bucket', {
      Properties: {
        LifecycleConfiguration: {
          Rules: [
            {
              Id: 'archive',
              Status: 'Enabled',
              AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 },
              ExpirationInDays: 365,
              Transitions: [{ StorageClass: 'STANDARD_IA', TransitionInDays: 30 }],
            },
          ],
        },
      },
      DeletionPolicy: 'Delete',
    });
    template.hasResource('AWS::Logs::LogGroup', { Properties: { RetentionInDays: 7 }, DeletionPolicy: 'Delete' });
  });

  test('works twice in one stack', () => {
    const stack = new Stack();
    new ArchiveDeliveryStream(stack, 'One');
    new ArchiveDeliveryStream(stack, 'Two');

    Template.fromStack(stack).resourceCountIs('AWS::KinesisFirehose::DeliveryStream', 2);
  });

  test.each(['', 'a b', 'x'.repeat(65)])('refuses the name %p', (deliveryStreamName) => {
    expect(() => create({ deliveryStreamName })).toThrow('deliveryStreamName must have 1 to 64 characters');
  });

  test.each(['x'.repeat(64), `${Aws.STACK_NAME} a/b`])('takes the name %p', (deliveryStreamName) => {
    expect(() => synthesize({ deliveryStreamName })).not.toThrow();
  });

  test.each([
    [Duration.seconds(901), '15 minutes 1 second'],
    [Duration.minutes(20), '20 minutes'],
    [Duration.millis(1500), '1 second 500 millis'],
  ])('refuses the interval %#', (bufferingInterval, got) => {
    expect(() => create({ bufferingInterval })).toThrow(`bufferingInterval must be a whole number of seconds from 0 to 900, got ${got}`);
  });

  test('refuses tokens in another unit than Firehose and S3 take, by name', () => {
    expect(() => create({ bufferingInterval: Duration.minutes(token) })).toThrow(
      'bufferingInterval must be a literal, or a token of seconds (Duration.seconds): CloudFormation cannot convert minutes',
    );
    expect(() => create({ bufferingSize: Size.gibibytes(token) })).toThrow(
      'bufferingSize must be a literal, or a token of mebibytes (Size.mebibytes)',
    );
    expect(() => create({ expiration: Duration.hours(token) })).toThrow('expiration must be a literal, or a token of days (Duration.days)');
    expect(() => synthesize({ expiration: Duration.days(token) })).not.toThrow();
    expect(() => create({ expiration: Duration.days(2 ** 31) })).toThrow('expiration must be a whole number of days from 1 to 2147483647');
    expect(() => ArchiveDeliveryStream.external({ deliveryStreamArn: 5 as never })).toThrow(
      'deliveryStreamArn of ArchiveDeliveryStream.external must be text; got a number',
    );
  });

  test.each([
    [{ bufferingInterval: 60 }, 'bufferingInterval of an archive delivery stream must be a Duration'],
    [{ bufferingSize: 4 }, 'bufferingSize of an archive delivery stream must be a Size'],
    [{ expiration: 30 }, 'expiration of an archive delivery stream must be a Duration'],
    [{ prefix: 7 }, 'prefix of an archive delivery stream must be text; got a number'],
  ])('refuses %j, which no compiler has seen', (props, message) => {
    expect(() => create(props as never)).toThrow(message);
  });

  test.each([Duration.seconds(0), Duration.minutes(15), Duration.seconds(token)])('takes the interval %#', (interval) => {
    expect(() => synthesize({ bufferingInterval: interval })).not.toThrow();
  });

  test.each([
    [Size.mebibytes(129), 129],
    [Size.kibibytes(512), 0.5],
    [Size.mebibytes(0), 0],
  ])('refuses the size %#', (bufferingSize, got) => {
    expect(() => create({ bufferingSize })).toThrow(`bufferingSize must be a whole number of MiB from 1 to 128, got ${got} MiB`);
  });

  test.each([Size.mebibytes(1), Size.mebibytes(128), Size.mebibytes(token)])('takes the size %#', (bufferingSize) => {
    expect(() => synthesize({ bufferingSize })).not.toThrow();
  });
});

describe('prefixes', () => {
  test.each([
    [{ prefix: 'x'.repeat(1025) }, 'prefix must have at most 1024 characters, got 1025'],
    [{ prefix: '!{firehose:error-output-type}/' }, 'prefix must not hold !{firehose:error-output-type}, which is for errorPrefix'],
    [{ prefix: '!{partitionKeyFromQuery:tenant}/' }, 'prefix must not use partition keys'],
    [{ prefix: '!{time:yyyy}/' }, "prefix must write expressions as '!{firehose:…}' or '!{timestamp:…}', got '!{time:yyyy}/'"],
    [{ prefix: 'raw/!{timestamp:yyyy' }, 'prefix must write expressions as'],
    [{ prefix: 'raw*/' }, "prefix must not hold '*', '?' or '${', got 'raw*/'"],
    [{ errorPrefix: 'errors/!{timestamp:yyyy}/' }, 'errorPrefix with expressions must hold !{firehose:error-output-type}'],
  ])('%p are refused', (prefixes, message) => {
    expect(() => create(prefixes)).toThrow(message);
  });

  test.each([
    { prefix: 'x'.repeat(1024) },
    { prefix: 'raw/!{timestamp:yyyy/MM}/!{firehose:random-string}/' },
    { prefix: Aws.STACK_NAME, errorPrefix: `${Aws.STACK_NAME}/!{timestamp:yyyy}/` },
    { errorPrefix: 'errors/' },
  ])('%p are taken', (prefixes) => {
    expect(() => synthesize(prefixes)).not.toThrow();
  });

  test('narrow the role to what is the same for all objects', () => {
    expect(objectResources({})).toEqual(['/*']);
    expect(objectResources({ prefix: 'raw/!{timestamp:yyyy}/' })).toEqual(['/raw/*', '/errors/*']);
    expect(objectResources({ prefix: 'all/', errorPrefix: 'all/' })).toEqual(['/all/*']);
    expect(objectResources({ prefix: Aws.STACK_NAME })).toEqual(['/*']);
  });
});

describe('the bucket', () => {
  test('is private, encrypted, retained, takes only TLS, and drops abandoned uploads', () => {
    const template = synthesize();

    template.hasResource('AWS::S3::Bucket', {
      Properties: {
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
        BucketEncryption: {
          ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
        },
        LifecycleConfiguration: {
          Rules: [{ Id: 'archive', Status: 'Enabled', AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 } }],
        },
      },
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
    });
    template.hasResourceProperties('AWS::S3::BucketPolicy', {
      PolicyDocument: {
        Statement: [Match.objectLike({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } })],
      },
    });
    template.hasResource('AWS::Logs::LogGroup', { Properties: { RetentionInDays: 30 }, DeletionPolicy: 'Retain' });
  });

  test('may be a given one, whose key the delivery stream may use before it exists', () => {
    const stack = new Stack();
    const bucket = new Bucket(stack, 'Given', { encryption: BucketEncryption.KMS });
    const archive = new ArchiveDeliveryStream(stack, 'Archive', { bucket });
    const template = Template.fromStack(stack);

    template.resourceCountIs('AWS::S3::Bucket', 1);
    expect(archive.bucket).toBe(bucket);
    expect(statements(stack)).toEqual([
      {
        Effect: 'Allow',
        Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
        Resource: stack.resolve(bucket.encryptionKey?.keyArn),
      },
    ]);
    template.hasResource('AWS::KinesisFirehose::DeliveryStream', {
      DependsOn: Object.keys(template.findResources('AWS::IAM::Policy')),
    });
  });

  test('that is given has a life cycle of its own', () => {
    const stack = new Stack();
    const bucket = Bucket.fromBucketName(stack, 'Given', 'archive');

    expect(() => new ArchiveDeliveryStream(stack, 'One', { bucket, expiration: Duration.days(1) })).toThrow(
      'expiration is for the bucket that the construct creates, got it with bucket',
    );
    expect(() => new ArchiveDeliveryStream(stack, 'Two', { bucket, infrequentAccessAfter: Duration.days(30) })).toThrow(
      'infrequentAccessAfter is for the bucket that the construct creates, got it with bucket',
    );
  });

  test('refuses ages that S3 refuses', () => {
    const days = (count: number) => Duration.days(count);

    expect(() => create({ expiration: Duration.hours(12) })).toThrow(
      'expiration must be a whole number of days of at least 1, got 12 hours',
    );
    expect(() => create({ infrequentAccessAfter: days(29) })).toThrow(
      'infrequentAccessAfter must be a whole number of days of at least 30, got 29 days',
    );
    expect(() => create({ infrequentAccessAfter: days(30), expiration: days(30) })).toThrow(
      'expiration must be later than infrequentAccessAfter, 30 days, got 30 days',
    );
    expect(() => synthesize({ infrequentAccessAfter: days(30), expiration: days(31) })).not.toThrow();
    expect(() => synthesize({ infrequentAccessAfter: days(token), expiration: days(1) })).not.toThrow();
  });
});

test('the role has its permissions from the first moment, and no more of them than Firehose needs', () => {
  const template = synthesize({ prefix: 'raw/' });
  const role = Object.values(template.findResources('AWS::IAM::Role'))[0].Properties;

  expect(role.AssumeRolePolicyDocument.Statement).toEqual([
    { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'firehose.amazonaws.com' } },
  ]);
  expect(role.Policies[0].PolicyDocument.Statement.map((one: { Action: unknown }) => one.Action)).toEqual([
    ['s3:GetBucketLocation', 's3:ListBucket', 's3:ListBucketMultipartUploads'],
    ['s3:AbortMultipartUpload', 's3:GetObject', 's3:PutObject'],
    'logs:PutLogEvents',
  ]);
  template.resourceCountIs('AWS::IAM::Policy', 0);
});

test('a customer key encrypts the waiting records and the bucket', () => {
  const stack = new Stack();
  const encryptionKey = new Key(stack, 'Key');
  const archive = new ArchiveDeliveryStream(stack, 'Archive', { encryptionKey });
  archive.grantPut(roleIn(stack));
  const keyArn = stack.resolve(encryptionKey.keyArn);
  const template = Template.fromStack(stack);

  template.hasResourceProperties('AWS::KinesisFirehose::DeliveryStream', {
    DeliveryStreamEncryptionConfigurationInput: { KeyType: 'CUSTOMER_MANAGED_CMK', KeyARN: keyArn },
  });
  template.hasResourceProperties('AWS::S3::Bucket', {
    BucketEncryption: {
      ServerSideEncryptionConfiguration: [
        { BucketKeyEnabled: true, ServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms', KMSMasterKeyID: keyArn } },
      ],
    },
  });
  const useOfKey = { Effect: 'Allow', Action: ['kms:Decrypt', 'kms:GenerateDataKey'], Resource: keyArn };
  expect(statements(stack)).toEqual([
    useOfKey,
    { Effect: 'Allow', Action: 'firehose:PutRecordBatch', Resource: stack.resolve(archive.deliveryStreamArn) },
    useOfKey,
  ]);
});

test.each([
  ['us-east-1', 'aws'],
  ['cn-north-1', 'aws-cn'],
  ['us-gov-west-1', 'aws-us-gov'],
])('the address is literal in %s where name and environment are', (region, partition) => {
  const stack = new Stack(new App(), 'Pipeline', { env: { account: '123456789012', region } });
  const archive = new ArchiveDeliveryStream(stack, 'Archive', { deliveryStreamName: 'raw-logs-archive' });
  const deliveryStreamArn = `arn:${partition}:firehose:${region}:123456789012:deliverystream/raw-logs-archive`;
  archive.grantPut(roleIn(stack));

  expect(archive).toMatchObject({ deliveryStreamArn, deliveryStreamName: 'raw-logs-archive', region });
  expect(archive.dependable).toBe(archive);
  expect(statements(stack)).toEqual([{ Effect: 'Allow', Action: 'firehose:PutRecordBatch', Resource: deliveryStreamArn }]);
  expect(JSON.stringify(Template.fromStack(stack).toJSON())).not.toContain(partition === 'aws' ? 'arn:aws-' : 'arn:aws:');
});

test('a grant in another stack is the one reference between the two', () => {
  const app = new App();
  const producer = new Stack(app, 'Producer');
  const archive = new ArchiveDeliveryStream(producer, 'Archive');
  const user = new Stack(app, 'User');
  archive.grantPut(roleIn(user));

  expect(() => app.synth()).not.toThrow();
  expect(producer.dependencies).toEqual([]);
  expect(Object.keys(Template.fromStack(producer).findOutputs('*'))).toHaveLength(1);
});

test('metrics are of the delivery stream, where it lives', () => {
  const stack = new Stack(new App(), 'Pipeline', { env: CHINA });
  const archive = new ArchiveDeliveryStream(stack, 'Archive', { deliveryStreamName: 'raw-logs-archive' });
  const seen = [
    archive.metric('BytesPerSecondLimit'),
    archive.metricDataFreshness(),
    archive.metricDeliverySuccess(),
    archive.metricThrottledRecords(),
    archive.metricIncomingRecords(),
  ].map((metric) => [metric.namespace, metric.metricName, metric.statistic, metric.dimensions?.DeliveryStreamName, metric.region]);

  expect(seen).toEqual([
    ['AWS/Firehose', 'BytesPerSecondLimit', 'Average', 'raw-logs-archive', 'cn-north-1'],
    ['AWS/Firehose', 'DeliveryToS3.DataFreshness', 'Maximum', 'raw-logs-archive', 'cn-north-1'],
    ['AWS/Firehose', 'DeliveryToS3.Success', 'Average', 'raw-logs-archive', 'cn-north-1'],
    ['AWS/Firehose', 'ThrottledRecords', 'Sum', 'raw-logs-archive', 'cn-north-1'],
    ['AWS/Firehose', 'IncomingRecords', 'Sum', 'raw-logs-archive', 'cn-north-1'],
  ]);
});

describe('an existing delivery stream', () => {
  const deliveryStreamArn = 'arn:aws-us-gov:firehose:us-gov-west-1:210987654321:deliverystream/archive';

  test('of another program', () => {
    const stack = new Stack(new App(), 'Pipeline', { env: CHINA });
    const encryptionKey = Key.fromKeyArn(stack, 'Key', 'arn:aws-us-gov:kms:us-gov-west-1:210987654321:key/k');
    const archive = ArchiveDeliveryStream.fromDeliveryStreamAttributes(stack, 'Archive', {
      deliveryStreamArn,
      encryptionKey,
      bufferingInterval: Duration.minutes(1),
    });
    archive.grantPut(roleIn(stack));

    expect(archive).toMatchObject({ deliveryStreamArn, deliveryStreamName: 'archive', region: 'us-gov-west-1' });
    expect(archive.dependable).toBeUndefined();
    expect(archive.bufferingInterval?.toSeconds()).toBe(60);
    expect(statements(stack)).toEqual([
      expect.objectContaining({ Action: 'firehose:PutRecordBatch', Resource: deliveryStreamArn }),
      expect.objectContaining({ Action: ['kms:Decrypt', 'kms:GenerateDataKey'], Resource: encryptionKey.keyArn }),
    ]);
  });

  test('may have an ARN that is a token', () => {
    const stack = new Stack();
    const parameter = new CfnParameter(stack, 'Arn');
    const archive = ArchiveDeliveryStream.fromDeliveryStreamAttributes(stack, 'Archive', {
      deliveryStreamArn: parameter.valueAsString,
    });

    expect(stack.resolve(archive.deliveryStreamArn)).toEqual({ Ref: 'Arn' });
    expect(stack.resolve(archive.region)).toEqual({ 'Fn::Select': [3, { 'Fn::Split': [':', { Ref: 'Arn' }] }] });
  });

  test('needs no stack when it is external, but a literal ARN', () => {
    expect(ArchiveDeliveryStream.external({ deliveryStreamArn })).toMatchObject({
      deliveryStreamArn,
      deliveryStreamName: 'archive',
      region: 'us-gov-west-1',
    });
    expect(() => ArchiveDeliveryStream.external({ deliveryStreamArn: Aws.STACK_ID })).toThrow(
      'deliveryStreamArn of an external resource must be a literal ARN, got a token; use ArchiveDeliveryStream.fromDeliveryStreamAttributes',
    );
    expect(() => ArchiveDeliveryStream.external({ deliveryStreamArn: 'archive' })).toThrow(
      "deliveryStreamArn must look like 'arn:<partition>:firehose:<region>:<account>:deliverystream/<name>', got 'archive'",
    );
  });
});
