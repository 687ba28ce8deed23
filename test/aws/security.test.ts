import { App, Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnStream } from 'aws-cdk-lib/aws-kinesis';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { AwsSolutionsChecks } from 'cdk-nag';
import { ArchiveDeliveryStream } from '../../lib/aws/archive-delivery-stream';
import { DimensionTable } from '../../lib/aws/dimension-table';
import { EventStream } from '../../lib/aws/event-stream';

function check(build: (stack: Stack) => void): () => void {
  const app = new App();
  build(new Stack(app, 'Pipeline', { env: { region: 'cn-north-1' } }));
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return () => app.synth();
}

test('a wildcard that the archive did not ask for is still found', () => {
  const widened = check((stack) =>
    new ArchiveDeliveryStream(stack, 'Archive').role.addToPolicy(new PolicyStatement({ actions: ['s3:GetObject'], resources: ['*'] })),
  );

  expect(widened).toThrow('AwsSolutions-IAM5[Resource::*]');
});

describe('AWS Solutions checks', () => {
  test('are on', () => {
    expect(check((stack) => new CfnStream(stack, 'Plain', { shardCount: 1 }))).toThrow('AwsSolutions-KDS1');
    expect(check((stack) => new Bucket(stack, 'Plain'))).toThrow('AwsSolutions-S1');
  });

  test.each([
    ['a stream', (stack: Stack) => new EventStream(stack, 'Events', { shardCount: 1 })],
    ['a stream with a key', (stack: Stack) => new EventStream(stack, 'Events', { shardCount: 1, encryptionKey: keyIn(stack) })],
    ['a table', (stack: Stack) => new DimensionTable(stack, 'Users', { partitionKey: 'user_id' })],
    ['a table with a key', (stack: Stack) => new DimensionTable(stack, 'Users', { partitionKey: 'id', encryptionKey: keyIn(stack) })],
    ['an archive', (stack: Stack) => new ArchiveDeliveryStream(stack, 'Archive')],
    ['an archive below prefixes', (stack: Stack) => new ArchiveDeliveryStream(stack, 'Archive', { prefix: 'raw/' })],
    [
      'an archive in an existing bucket',
      (stack: Stack) => new ArchiveDeliveryStream(stack, 'Archive', { bucket: Bucket.fromBucketName(stack, 'Given', 'archive') }),
    ],
    ['an archive with a key', (stack: Stack) => new ArchiveDeliveryStream(stack, 'Archive', { encryptionKey: keyIn(stack) })],
  ])('find nothing in %s', (_, build) => {
    expect(check(build)).not.toThrow();
  });
});

function keyIn(stack: Stack): Key {
  return new Key(stack, 'Key', { enableKeyRotation: true });
}
