import { App, Stack, Stage } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import {
  CheckpointStorage,
  Column,
  DataGenSource,
  DataType,
  DeploymentTarget,
  FileSystemSink,
  FlinkImage,
  FlinkJob,
  Format,
  PrintSink,
  SqlProgram,
} from '../../lib';

function job(stack: Stack, jobName: string, storage: CheckpointStorage, files?: { bucket: Bucket; prefix?: string }): FlinkJob {
  const program = new SqlProgram();
  const columns = [Column.physical('id', DataType.STRING)];
  const source = program.addTable('source', { connector: new DataGenSource({}), columns });
  const connector = files ? new FileSystemSink({ ...files, format: Format.json() }) : new PrintSink({});
  program.addInsert(program.addTable('out', { connector, columns }), `SELECT id FROM ${source}`);
  return new FlinkJob(stack, jobName, {
    jobName,
    program,
    target: DeploymentTarget.manifests({ namespace: 'streaming', clusterName: 'cluster' }),
    image: FlinkImage.named('registry/job:1'),
    parallelism: 1,
    checkpointing: { storage },
  });
}

describe('a checkpoint directory', () => {
  test.each([
    ['the same prefix', 'a', 'a'],
    ['a prefix within', 'a', 'a/b'],
    ['a prefix around', 'a/b', 'a'],
  ])('belongs to one job: %s', (_, one, other) => {
    const stack = new Stack();
    const bucket = new Bucket(stack, 'State');
    job(stack, 'one', CheckpointStorage.s3(bucket, one));
    expect(() => job(stack, 'other', CheckpointStorage.s3(bucket, other))).toThrow(
      /^the checkpoints of 'Default\/other' at 's3p:\/\/\$\{State.*\}\/.*' and the checkpoints of 'Default\/one' at .* share a directory: .*; give each job a prefix of its own$/,
    );
  });

  test('is told as it was given', () => {
    const stack = new Stack();
    job(stack, 'one', CheckpointStorage.location('s3p://acme/j'));
    expect(() => job(stack, 'other', CheckpointStorage.location('s3p://acme/j/k'))).toThrow(
      "the checkpoints of 'Default/other' at 's3p://acme/j/k' and the checkpoints of 'Default/one' at 's3p://acme/j' share a directory",
    );
  });

  test('of another bucket or beside it is another', () => {
    const stack = new Stack();
    const [state, second] = [new Bucket(stack, 'State'), new Bucket(stack, 'Second')];
    job(stack, 'one', CheckpointStorage.s3(state, 'a'));
    expect(() => job(stack, 'two', CheckpointStorage.s3(state, 'ab'))).not.toThrow();
    expect(() => job(stack, 'three', CheckpointStorage.s3(second, 'a'))).not.toThrow();
  });

  test('is found across stacks and file systems', () => {
    const app = new App();
    const [one, other] = [new Stack(app, 'One'), new Stack(app, 'Other')];
    job(one, 'one', CheckpointStorage.location('s3p://state/a'));
    expect(() => job(other, 'other', CheckpointStorage.location('s3a://state/a/b'))).toThrow(
      "at 's3a://state/a/b' and the checkpoints of 'One/one'",
    );
  });

  test('may be the same in another stage, and in another environment where it is not in S3', () => {
    const app = new App();
    const stack = (scope: App | Stage, id: string, region: string) => new Stack(scope, id, { env: { account: '111122223333', region } });
    job(stack(new Stage(app, 'Test'), 'S', 'eu-central-1'), 'one', CheckpointStorage.location('s3p://state/a'));
    job(stack(new Stage(app, 'Prod'), 'S', 'eu-central-1'), 'one', CheckpointStorage.location('s3p://state/a'));
    job(stack(app, 'Eu', 'eu-central-1'), 'one', CheckpointStorage.location('hdfs://names/a'));
    expect(() => job(stack(app, 'Us', 'us-east-1'), 'one', CheckpointStorage.location('hdfs://names/a'))).not.toThrow();
    expect(() => job(stack(app, 'Us2', 'us-east-1'), 'two', CheckpointStorage.location('hdfs://names/a'))).toThrow('share a directory');
  });

  test('is kept from file sinks of other jobs, which may share theirs', () => {
    const stack = new Stack();
    const bucket = new Bucket(stack, 'State');
    job(stack, 'one', CheckpointStorage.s3(bucket, 'one'), { bucket, prefix: 'files' });
    job(stack, 'two', CheckpointStorage.s3(bucket, 'two'), { bucket, prefix: 'files' });
    expect(() => job(stack, 'three', CheckpointStorage.s3(bucket, 'three'), { bucket, prefix: 'one/out' })).toThrow(
      "table 'out' of 'Default/three'",
    );
    expect(() => job(stack, 'four', CheckpointStorage.s3(bucket, 'files'))).toThrow("and table 'out' of 'Default/one'");
  });
});
