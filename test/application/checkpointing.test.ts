import { Duration, Lazy, Stack, Token } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { CheckpointStorage } from '../../lib/application/checkpoint-storage';
import { type Checkpointing, checkCheckpointing } from '../../lib/application/checkpointing';
import { bucketEndpoint } from '../../lib/aws/bucket-prefix';

const storage = CheckpointStorage.location('s3p://state/orders');
const token = Duration.seconds(Token.asNumber({ Ref: 'Seconds' }));

function check(changed: Partial<Checkpointing>): () => void {
  return () => checkCheckpointing({ storage, ...changed });
}

describe('checkpointing', () => {
  test.each([
    ['interval', Duration.millis(9), 'checkpointing.interval must be at least 10 ms, got 9 ms'],
    ['timeout', Duration.millis(9), 'checkpointing.timeout must be at least 10 ms, got 9 ms'],
    ['tolerableFailures', -1, 'checkpointing.tolerableFailures must be a whole number of at least 0, got -1'],
    ['tolerableFailures', 0.5, 'checkpointing.tolerableFailures must be a whole number of at least 0, got 0.5'],
    ['retained', 0, 'checkpointing.retained must be a whole number of at least 1, got 0'],
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
  ])('takes %s %s', (prop, value) => {
    expect(check({ [prop]: value })).not.toThrow();
  });

  test.each(['interval', 'minPause', 'timeout'])('refuses a token as %s by name: sums are made of it', (prop) => {
    expect(check({ [prop]: token })).toThrow(`checkpointing.${prop} must be known at synth`);
  });

  test.each(['tolerableFailures', 'retained'])('refuses a token as %s by name', (prop) => {
    expect(check({ [prop]: Token.asNumber({ Ref: 'Count' }) })).toThrow(`checkpointing.${prop} must be known at synth`);
  });
});

describe('checkpoint storage', () => {
  const bucket = Bucket.fromBucketName(new Stack(), 'State', 'state');

  test.each(['/orders', 'orders/', 'a//b', '', 'orders?', 'ä', 'a b'])("refuses the prefix '%s'", (prefix) => {
    expect(() => CheckpointStorage.s3(bucket, prefix)).toThrow(`without a slash at either end, got '${prefix}'`);
  });

  test.each(['orders', 'team/orders', "a!_.*'()-1"])("takes the prefix '%s'", (prefix) => {
    expect(CheckpointStorage.s3(bucket, prefix).uri).toBe(`s3p://state/${prefix}`);
  });

  test.each(['state/orders', 's3p://state/orders/', 's3p://', 'S3://state', 's3p://a b', ''])("refuses the location '%s'", (uri) => {
    expect(() => CheckpointStorage.location(uri)).toThrow(
      `checkpoint location must be a URI with a scheme and without a slash at the end, such as 's3p://bucket/job', got '${uri}'`,
    );
  });

  test.each(['s3p://state/orders', 's3a://state', 'file:///tmp/state', 'abfss://c@a.dfs.core.windows.net/orders'])(
    "takes the location '%s'",
    (uri) => {
      expect(CheckpointStorage.location(uri)).toMatchObject({ uri, bucket: undefined, prefix: undefined });
    },
  );

  test('takes tokens', () => {
    const late = Lazy.string({ produce: () => 'late/' });
    expect(() => CheckpointStorage.s3(bucket, late)).not.toThrow();
    expect(() => CheckpointStorage.location(late)).not.toThrow();
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
