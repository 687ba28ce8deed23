import { Duration, Lazy, Stack, Token } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { CheckpointStorage } from '../../lib/application/checkpoint-storage';
import { type Checkpointing, CheckpointingMode, CheckpointRetention, checkCheckpointing } from '../../lib/application/checkpointing';
import { bucketEndpoint } from '../../lib/aws/bucket-prefix';

const storage = CheckpointStorage.location('s3p://state/orders');
const token = Duration.seconds(Token.asNumber({ Ref: 'Seconds' }));

function check(changed: Partial<Checkpointing>): () => void {
  return () => checkCheckpointing({ storage, ...changed });
}

describe('checkpointing', () => {
  test.each([
    ['interval', Duration.millis(9), 'checkpointing.interval must be a whole number of milliseconds of at least 10, got 9 millis'],
    ['timeout', Duration.millis(9), 'checkpointing.timeout must be a whole number of milliseconds of at least 10, got 9 millis'],
    ['tolerableFailures', -1, 'checkpointing.tolerableFailures must be a whole number of at least 0, got -1'],
    ['tolerableFailures', 0.5, 'checkpointing.tolerableFailures must be a whole number of at least 0, got 0.5'],
    ['retained', 0, 'checkpointing.retained must be a whole number of at least 1, got 0'],
    ['interval', Duration.millis(100.5), 'checkpointing.interval must be a whole number of milliseconds of at least 10, got 100.5 millis'],
    [
      'timeout',
      Duration.days(106_752),
      'checkpointing.timeout must be a whole number of milliseconds from 10 to 9223372036854, got 106752 days',
    ],
    ['retained', 2 ** 31, 'checkpointing.retained must be a whole number from 1 to 2147483647, got 2147483648'],
    ['tolerableFailures', 1e21, 'checkpointing.tolerableFailures must be a whole number from 0 to 2147483647'],
    ['interval', 5, 'interval of checkpointing must be a Duration, such as Duration.minutes(5); got a number'],
    ['mode', 'exactly-once', 'mode of checkpointing must be one of CheckpointingMode.EXACTLY_ONCE'],
    ['retention', 'keep', 'retention of checkpointing must be one of CheckpointRetention.RETAIN_ON_CANCELLATION'],
    ['unaligned', 'false', 'unaligned of checkpointing must be true or false; got text'],
    ['retained', 1.5, 'checkpointing.retained must be a whole number of at least 1, got 1.5'],
  ])('refuses %s %s', (prop, value, message) => {
    expect(check({ [prop]: value })).toThrow(message);
  });

  test.each([
    ['interval', Duration.millis(10)],
    ['timeout', Duration.millis(10)],
    ['minPause', Duration.millis(0)],
    ['tolerableFailures', 0],
    ['retained', 1],
    ['retained', 2 ** 31 - 1],
    ['timeout', Duration.days(106_751)],
    ['mode', CheckpointingMode.AT_LEAST_ONCE],
    ['retention', CheckpointRetention.DELETE_ON_CANCELLATION],
    ['unaligned', false],
  ])('takes %s %s', (prop, value) => {
    expect(check({ [prop]: value })).not.toThrow();
  });

  test.each(['interval', 'minPause', 'timeout'])('refuses a token as %s by name: sums are made of it', (prop) => {
    expect(check({ [prop]: token })).toThrow(`checkpointing.${prop} must be known at synth, got a token of seconds`);
  });

  test.each(['tolerableFailures', 'retained'])('refuses a token as %s by name', (prop) => {
    expect(check({ [prop]: Token.asNumber({ Ref: 'Count' }) })).toThrow(`checkpointing.${prop} must be known at synth, got a token`);
  });
});

describe('checkpoint storage', () => {
  const bucket = Bucket.fromBucketName(new Stack(), 'State', 'state');

  test.each([
    '/orders',
    'orders/',
    'a//b',
    '',
    'orders?',
    'ä',
    'a b',
    '*',
    'orders/*',
    '${aws:username}',
    '.',
    '../orders',
    'a/./b',
    'a/..',
  ])("refuses the prefix '%s'", (prefix) => {
    expect(() => CheckpointStorage.s3(bucket, prefix)).toThrow(`without a slash at either end, got '${prefix}'`);
  });

  test.each(['orders', 'team/orders', '.orders', 'a..b/...', "a!_.'()-1"])("takes the prefix '%s'", (prefix) => {
    expect(CheckpointStorage.s3(bucket, prefix).uri).toBe(`s3p://state/${prefix}`);
  });

  test.each(['state/orders', 's3p://state/orders/', 's3p://', 'S3://state', 's3p://a b', ''])("refuses the location '%s'", (uri) => {
    expect(() => CheckpointStorage.location(uri)).toThrow(
      `checkpoint location must be a URI with a scheme, without patterns and without a slash at the end, such as 's3p://bucket/job', got '${uri}'`,
    );
  });

  test.each(['s3p://state/orders', 's3a://state', 'file:///data/state', 'abfss://c@a.dfs.core.windows.net/orders'])(
    "takes the location '%s'",
    (uri) => {
      expect(CheckpointStorage.location(uri)).toMatchObject({ uri, bucket: undefined, prefix: undefined });
    },
  );

  test('refuses what is no bucket, no prefix, no location', () => {
    expect(() => CheckpointStorage.s3('state' as never, 'orders')).toThrow(
      'bucket of CheckpointStorage.s3 must be a Bucket of aws-s3; got text',
    );
    expect(() => CheckpointStorage.s3(bucket, 7 as never)).toThrow('prefix of CheckpointStorage.s3 must be text; got a number');
    expect(() => CheckpointStorage.location(7 as never)).toThrow('uri of CheckpointStorage.location must be text; got a number');
  });

  test('takes tokens', () => {
    const late = Lazy.string({ produce: () => 'late/' });
    expect(() => CheckpointStorage.s3(bucket, late)).not.toThrow();
    expect(() => CheckpointStorage.location(late)).not.toThrow();
    expect(CheckpointStorage.s3(bucket, `team/${late}`).prefix).toBe(`team/${late}`);
  });

  test('looks at what is known of a prefix with a token, and shows no token', () => {
    const late = Lazy.string({ produce: () => 'late' });
    expect(() => CheckpointStorage.s3(bucket, `${late}/*`)).toThrow("without a slash at either end, got '<token>/*'");
    expect(() => CheckpointStorage.s3(bucket, `${late}/..`)).toThrow("got '<token>/..'");
  });

  test.each([
    ['eu-central-1', 'https://s3.eu-central-1.amazonaws.com'],
    ['cn-north-1', 'https://s3.cn-north-1.amazonaws.com.cn'],
    ['us-gov-west-1', 'https://s3.us-gov-west-1.amazonaws.com'],
  ])('in %s is reached at %s', (region, endpoint) => {
    const stack = new Stack(undefined, 'Stack', { env: { account: '111122223333', region } });
    expect(bucketEndpoint(new Bucket(stack, 'State'))).toBe(endpoint);
  });

  test('in the region of a deployment is reached at its endpoint', () => {
    const stack = new Stack();
    expect(stack.resolve(bucketEndpoint(new Bucket(stack, 'State')))).toEqual({
      'Fn::Join': ['', ['https://s3.', { Ref: 'AWS::Region' }, '.', { Ref: 'AWS::URLSuffix' }]],
    });
  });

  test('elsewhere grants nothing', () => {
    const stack = new Stack();
    const role = new Role(stack, 'Role', { assumedBy: new ServicePrincipal('pods.eks.amazonaws.com') });
    storage.grantReadWrite(role);
    Template.fromStack(stack).resourceCountIs('AWS::IAM::Policy', 0);
  });
});
