import { Fn, Stack, Token } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { EventStream } from '../../lib/aws/event-stream';
import { JarProgram, type JarProgramProps } from '../../lib/connectors/jar-program';
import { Artifact } from '../../lib/sql/artifact';
import { TableRole } from '../../lib/sql/connector';
import { SecretRef } from '../../lib/sql/secret-ref';
import { iamCluster, topic } from './kafka-fixtures';

const clicks = EventStream.external({ streamArn: 'arn:aws-cn:kinesis:cn-north-1:123456789012:stream/clicks', shardCount: 12 });

function program(changed: Partial<JarProgramProps> = {}): JarProgram {
  return new JarProgram({ jarUri: 'local:///opt/flink/usrlib/my-job.jar', ...changed });
}

test('keeps jar, class and arguments', () => {
  const job = program({ entryClass: 'com.example.MyJob', args: ['--since', '2026-01-31'] });
  expect(job).toMatchObject({
    jarUri: 'local:///opt/flink/usrlib/my-job.jar',
    entryClass: 'com.example.MyJob',
    args: ['--since', '2026-01-31'],
  });
  expect(program().args).toEqual([]);
  expect(program()._bindings()).toEqual([]);
  expect(program()._artifacts()).toEqual([]);
});

test('an argument added afterwards to the list of the caller is not an argument of the program', () => {
  const args = ['a'];
  const job = program({ args });
  args.push('b');
  expect(job.args).toEqual(['a']);
});

test('its inputs are sources with their splits', () => {
  const job = program({ eventStreams: [clicks], kafkaTopics: [topic('orders')], consumerGroup: 'billing' });
  expect(job._bindings()).toMatchObject([
    {
      name: 'stream clicks',
      binding: { identifier: 'kinesis', role: TableRole.SOURCE, source: { splits: { unit: 'shard', of: 'stream clicks', count: 12 } } },
    },
    {
      name: 'topic orders',
      binding: {
        identifier: 'kafka',
        role: TableRole.SOURCE,
        source: { splits: { unit: 'partition', of: 'topic orders', count: 6 }, consumerGroup: { name: 'billing' } },
      },
    },
  ]);
});

test('the job may read its inputs, and needs no jar for them', () => {
  const stack = new Stack();
  const role = new Role(stack, 'Role', { assumedBy: new ServicePrincipal('pods.eks.amazonaws.com') });
  const job = program({ eventStreams: [clicks], kafkaTopics: [topic('orders', { cluster: iamCluster })], consumerGroup: 'billing' });
  for (const { binding } of job._bindings()) {
    expect(binding.artifacts).toBeUndefined();
    binding.access?.forEach((access) => {
      access.grantTo(role, { consumerGroup: 'not-this-one' });
    });
  }
  const text = JSON.stringify(Template.fromStack(stack).toJSON());
  expect(text).toContain('kinesis:GetRecords');
  expect(text).toContain('stream/clicks');
  expect(text).toContain('kafka-cluster:ReadData');
  expect(text).toMatch(/:group\/orders\/[^"]*\/billing/);
  expect(text).not.toContain('not-this-one');
});

test('a stream or topic whose splits nobody knows says why', () => {
  const unknown = EventStream.external({ streamArn: 'arn:aws:kinesis:us-east-1:123456789012:stream/clicks' });
  const [binding] = program({ eventStreams: [unknown] })._bindings();
  expect(binding?.binding.source?.splits).toMatchObject({ unknownBecause: expect.stringContaining('shardCount') });
});

test('jars beside its own', () => {
  const jar = Artifact.maven('com.example:udfs:1.0.0');
  expect(program({ artifacts: [jar] })._artifacts()).toEqual([jar]);
});

test.each([
  '/opt/flink/usrlib/my-job.jar',
  's3://bucket/my-job.jar',
  'local:///opt/flink/usrlib/',
  'local:///opt/flink/usrlib/.jar/',
  'local://my-job.jar',
])('refuses the jar %j', (jarUri) => {
  expect(() => program({ jarUri })).toThrow(`got '${jarUri}': the Kubernetes operator starts jobs from the image`);
});

test.each(['my-job', 'com..MyJob', 'com.example.MyJob.class ', ''])('refuses the entry class %j', (entryClass) => {
  expect(() => program({ entryClass })).toThrow(/entryClass must be a Java class name/);
});

test('takes tokens', () => {
  expect(() =>
    program({ jarUri: Fn.importValue('Jar'), entryClass: Token.asString({ Ref: 'Class' }), args: [Fn.ref('Table')] }),
  ).not.toThrow();
});

test('refuses a secret as an argument', () => {
  expect(() => program({ args: ['--password', `${SecretRef.kubernetes('db', 'password')}`] })).toThrow(/args must not hold secrets/);
});

test('topics and consumer group come together', () => {
  expect(() => program({ kafkaTopics: [topic('orders')] })).toThrow(/consumerGroup must be given with kafkaTopics/);
  expect(() => program({ consumerGroup: 'billing' })).toThrow(/consumerGroup is for kafkaTopics, got 'billing' and no topic/);
  expect(() => program({ kafkaTopics: [topic('orders')], consumerGroup: '' })).toThrow(/consumerGroup must not be empty/);
});

test('refuses an input twice, takes one name on two clusters', () => {
  expect(() => program({ eventStreams: [clicks, clicks] })).toThrow(/eventStreams must name each input once/);
  expect(() => program({ kafkaTopics: [topic('orders'), topic('orders')], consumerGroup: 'g' })).toThrow(
    /kafkaTopics must name each input once/,
  );
  const twoClusters = program({ kafkaTopics: [topic('orders'), topic('orders', { cluster: iamCluster })], consumerGroup: 'g' });
  expect(new Set(twoClusters._bindings().map(({ name }) => name)).size).toBe(2);
});

describe('a jar file', () => {
  test('is copied into the image and started there', () => {
    const fromFile = new JarProgram({ jarFile: 'build/libs/my-job.jar' });
    expect(fromFile.jarUri).toBe('local:///opt/flink/usrlib/my-job.jar');
    expect(fromFile._programJar()).toBe('build/libs/my-job.jar');
    expect(program({})._programJar()).toBeUndefined();
  });

  test('or a jar in the image, not both and not neither', () => {
    expect(() => program({ jarFile: 'my-job.jar' })).toThrow(
      'either jarFile, to be copied into the image, or jarUri, in the image already; got both',
    );
    expect(() => new JarProgram({})).toThrow('got neither');
    expect(() => new JarProgram({ jarFile: 'build/my-job.zip' })).toThrow("library's own is, got 'build/my-job.zip'");
    expect(() => new JarProgram({ jarFile: 'build/sql-runner.jar' })).toThrow("library's own is, got 'build/sql-runner.jar'");
  });
});
