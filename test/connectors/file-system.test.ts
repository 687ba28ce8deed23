import { App, Duration, Size, Stack, Token } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Bucket, type BucketProps, type IBucket } from 'aws-cdk-lib/aws-s3';
import { FileSystemSink, type FileSystemSinkProps, PartitionCommitTrigger } from '../../lib/connectors/file-system-sink';
import { Format } from '../../lib/connectors/format';
import { Column } from '../../lib/sql/column';
import { Changes, DeliveryGuarantee } from '../../lib/sql/connector';
import { DataType } from '../../lib/sql/data-type';
import { SqlProgram } from '../../lib/sql/sql-program';
import type { SqlTable, SqlTableProps } from '../../lib/sql/sql-table';

const CHINA = { account: '123456789012', region: 'cn-north-1' };
const COLUMNS = [
  Column.physical('user_id', DataType.STRING),
  Column.physical('day', DataType.STRING),
  Column.physical('hour', DataType.STRING),
];
const LITERAL = Bucket.fromBucketName(new Stack(), 'Bucket', 'events');

function sink(props: Partial<FileSystemSinkProps> = {}): FileSystemSink {
  return new FileSystemSink({ bucket: LITERAL, prefix: 'raw/events', format: Format.json(), ...props });
}

function table(props: Partial<FileSystemSinkProps> = {}, tableProps: Partial<SqlTableProps> = {}): SqlTable {
  return new SqlProgram().addTable('files', { connector: sink(props), columns: COLUMNS, ...tableProps });
}

describe('options', () => {
  test('the least', () => {
    const { binding } = table();

    expect(binding.options).toEqual({ path: 's3a://events/raw/events', format: 'json' });
    expect(binding).toMatchObject({ identifier: 'filesystem', fileSystems: ['s3-fs-hadoop'], dependsOn: [LITERAL] });
    expect(binding.sink).toEqual({
      changes: Changes.INSERT_ONLY,
      guarantee: DeliveryGuarantee.EXACTLY_ONCE,
      parallelismOption: 'sink.parallelism',
      writers: undefined,
    });
    expect(binding.contract?.join()).toContain('files become visible when a checkpoint completes');
  });

  test("tell the endpoint of the bucket's region", () => {
    const bucket = new Bucket(new Stack(new App(), 'Files', { env: CHINA }), 'Bucket');
    expect(table({ bucket }).binding.s3Endpoint).toBe('https://s3.cn-north-1.amazonaws.com.cn');
  });

  test('all', () => {
    const { binding } = table(
      {
        format: Format.parquet(),
        rolling: {
          fileSize: Size.mebibytes(64),
          rolloverInterval: Duration.minutes(10),
          inactivityInterval: Duration.minutes(5),
          checkInterval: Duration.seconds(30),
        },
        partitionCommit: {
          trigger: PartitionCommitTrigger.PARTITION_TIME,
          delay: Duration.hours(1),
          timestampPattern: '$day $hour:00:00',
          watermarkTimeZone: 'Asia/Shanghai',
        },
        compaction: { fileSize: Size.mebibytes(128) },
        writers: 4,
        options: { 'partition.default-name': 'none' },
      },
      { partitionedBy: ['day', 'hour'] },
    );

    expect(binding.options).toEqual({
      path: 's3a://events/raw/events',
      format: 'parquet',
      'sink.rolling-policy.file-size': '64 mb',
      'sink.rolling-policy.rollover-interval': '10 min',
      'sink.rolling-policy.inactivity-interval': '5 min',
      'sink.rolling-policy.check-interval': '30 s',
      'sink.partition-commit.trigger': 'partition-time',
      'sink.partition-commit.delay': '1 h',
      'sink.partition-commit.policy.kind': 'success-file',
      'sink.partition-commit.watermark-time-zone': 'Asia/Shanghai',
      'partition.time-extractor.timestamp-pattern': '$day $hour:00:00',
      'auto-compaction': 'true',
      'compaction.file-size': '128 mb',
      'partition.default-name': 'none',
    });
    expect(binding.artifacts).toEqual(Format.parquet().artifacts);
    expect(binding.sink?.writers).toBe(4);
  });

  test('without a prefix', () => {
    expect(table({ prefix: undefined }).binding.options.path).toBe('s3a://events/');
  });

  test('tokens pass', () => {
    const prefix = Token.asString({ Ref: 'Prefix' });

    expect(table({ prefix }).binding.options.path).toBe(`s3a://events/${prefix}`);
  });

  test.each<[string, Partial<FileSystemSinkProps>, string]>([
    ['prefix of a pattern', { prefix: 'raw/*' }, "got 'raw/*'"],
    ['prefix that leads elsewhere', { prefix: 'raw/../state' }, "got 'raw/../state'"],
    [
      'prefix with a slash before it',
      { prefix: '/raw' },
      "prefix must be path segments of letters, digits and !_.'()=-, none of them '.' or '..', without a slash at either end, got '/raw'",
    ],
    ['prefix with a slash behind it', { prefix: 'raw/' }, "got 'raw/'"],
    ['empty prefix', { prefix: '' }, "got ''"],
    ['format of changes', { format: Format.debeziumJson({ schemaInclude: false }) }, "got 'debezium-json'"],
    ['files of no size', { rolling: { fileSize: Size.bytes(0) } }, 'fileSize of rolling must be at least 1 byte, got 0 bytes'],
    ['no interval', { rolling: { rolloverInterval: Duration.millis(0) } }, 'rolloverInterval of rolling must be at least 1 ms'],
    ['merged files of no size', { compaction: { fileSize: Size.bytes(0) } }, 'fileSize of compaction'],
    [
      'pattern without its clock',
      { partitionCommit: { timestampPattern: '$day' } },
      'must come with the trigger PartitionCommitTrigger.PARTITION_TIME',
    ],
    ['no writers', { writers: 0 }, 'writers must be a whole number'],
    ['raw option of a property', { options: { path: 's3://x' } }, 'use bucket'],
    ['source option', { options: { 'source.monitor-interval': '1 s' } }, 'source.monitor-interval'],
  ])('%s is refused', (_, props, message) => {
    expect(() => sink(props)).toThrow(message);
  });

  test('nearest valid', () => {
    expect(() => sink({ prefix: 'raw/day=1', rolling: { fileSize: Size.bytes(1), checkInterval: Duration.millis(1) } })).not.toThrow();
    expect(() => sink({ partitionCommit: { delay: Duration.millis(0) } })).not.toThrow();
  });
});

describe('table', () => {
  test('a commit needs partitions', () => {
    const props = { partitionCommit: {} };

    expect(() => table(props)).toThrow("table 'files' must have partitionedBy for a partitionCommit");
    expect(table(props, { partitionedBy: ['day'] }).binding.options['sink.partition-commit.policy.kind']).toBe('success-file');
  });

  test('a column must be left for the files', () => {
    expect(() => table({}, { partitionedBy: ['user_id', 'day', 'hour'] })).toThrow('must have a column beside those of partitionedBy');
  });

  test('raw text is one column beside the partitions', () => {
    expect(() => table({ format: Format.raw() })).toThrow('must have one physical column, got user_id, day, hour');
    expect(() => table({ format: Format.raw() }, { partitionedBy: ['day', 'hour'] })).not.toThrow();
  });

  test('a key is refused, since files are only appended', () => {
    expect(() => table({}, { primaryKey: ['user_id'] })).toThrow("table 'files' must not have a primary key, got user_id");
  });
});

describe('permissions', () => {
  function templateFor(env: { account: string; region: string } | undefined, props: BucketProps, prefix?: string): [Template, SqlTable] {
    const stack = new Stack(new App(), 'Stack', { env });
    const bucket: IBucket = new Bucket(stack, 'Bucket', props);
    const role = new Role(stack, 'Role', { assumedBy: new ServicePrincipal('pods.eks.amazonaws.com') });
    const added = table({ bucket, prefix });
    for (const access of added.binding.access ?? []) {
      access.grantTo(role, {});
    }
    return [Template.fromStack(stack), added];
  }

  test('the prefix and nothing else, by a literal ARN where the name is literal', () => {
    const [template, { binding }] = templateFor(CHINA, { bucketName: 'my-events' }, 'raw');

    expect(binding.options.path).toBe('s3a://my-events/raw');
    template.hasResourceProperties('AWS::IAM::Policy', {
      PolicyDocument: {
        Statement: [
          {
            Action: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload'],
            Effect: 'Allow',
            Resource: 'arn:aws-cn:s3:::my-events/raw/*',
          },
          {
            Action: 's3:ListBucket',
            Condition: { StringLike: { 's3:prefix': ['raw', 'raw/*'] } },
            Effect: 'Allow',
            Resource: 'arn:aws-cn:s3:::my-events',
          },
        ],
      },
    });
  });

  test('the whole bucket without a prefix, by its attribute where the name is not known', () => {
    const [template, { binding }] = templateFor(undefined, {});

    expect(Token.isUnresolved(binding.options.path)).toBe(true);
    template.hasResourceProperties('AWS::IAM::Policy', {
      PolicyDocument: {
        Statement: [
          Match.objectLike({ Resource: { 'Fn::Join': ['', [{ 'Fn::GetAtt': [Match.stringLikeRegexp('Bucket'), 'Arn'] }, '/*']] } }),
          {
            Action: 's3:ListBucket',
            Condition: Match.absent(),
            Effect: 'Allow',
            Resource: { 'Fn::GetAtt': [Match.stringLikeRegexp('Bucket'), 'Arn'] },
          },
        ],
      },
    });
  });

  test('the key of the bucket', () => {
    const stack = new Stack();
    const bucket = new Bucket(stack, 'Bucket', { encryptionKey: new Key(stack, 'Key') });
    const role = new Role(stack, 'Role', { assumedBy: new ServicePrincipal('pods.eks.amazonaws.com') });
    table({ bucket }).binding.access?.[0]?.grantTo(role, {});

    Template.fromStack(stack).hasResourceProperties('AWS::IAM::Policy', {
      PolicyDocument: { Statement: Match.arrayWith([Match.objectLike({ Action: ['kms:Decrypt', 'kms:GenerateDataKey'] })]) },
    });
  });
});
