import { mkdirSync, readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import calls from './connector-calls.json';
import { ACCOUNT, type ClusterEvent, Emulator, ROOT, WORK } from './emulator';
import surplus from './surplus-actions.json';

const CHINA = 'cn-north-1';
const FRANKFURT = 'eu-central-1';
const USER_EVENTS = 'FlinkDeployment/streaming/user-events';

let emulator: Emulator;

beforeAll(async () => {
  emulator = await Emulator.start();
  await emulator.bootstrap(CHINA);
  await emulator.bootstrap(FRANKFURT);
});

afterAll(() => emulator?.stop());

/** The app with a change in its stack, as its owner would make it. */
function edited(name: string, app: string, ...edits: [before: string, after: string][]): string {
  const directory = join(WORK, name);
  mkdirSync(directory);
  for (const file of [`${app}.ts`, `${app}-stack.ts`]) {
    let text = readFileSync(join(ROOT, 'bin', file), 'utf8').replace("'../lib'", "'../../../../lib'");
    if (file.endsWith('-stack.ts')) {
      for (const [before, after] of edits) {
        expect(text.split(before)).toHaveLength(2);
        text = text.replace(before, after);
      }
    }
    writeFileSync(join(directory, file), text);
  }
  return join(directory, `${app}.ts`);
}

/** Deploys an app and says what happened. */
async function deploy(region: string, program: string): Promise<ClusterEvent[]> {
  const before = emulator.state().events.length;
  await emulator.cdk(
    region,
    'deploy',
    '--app',
    `tsx ${program}`,
    '--output',
    join(WORK, 'cdk.out'),
    '--all',
    '--method=direct',
    '--require-approval=never',
  );
  return emulator.state().events.slice(before);
}

async function destroy(region: string, program: string): Promise<ClusterEvent[]> {
  const before = emulator.state().events.length;
  await emulator.cdk(region, 'destroy', '--app', `tsx ${program}`, '--output', join(WORK, 'cdk.out'), '--all', '--force');
  return emulator.state().events.slice(before);
}

/** Objects of the cluster that were touched, in that order. */
function touched(events: ClusterEvent[]): string[] {
  return events.filter(({ what }) => /^[A-Za-z]+\/streaming\//.test(what)).map(({ action, what }) => `${action} ${what}`);
}

async function openShards(): Promise<number> {
  const { StreamDescriptionSummary } = await emulator.call(CHINA, 'kinesis', 'describe_stream_summary', { StreamName: 'user-events' });
  return StreamDescriptionSummary.OpenShardCount;
}

/** What the emulator of IAM decides for the role of the job, for each action and resource. */
async function decisions(
  wanted: { action: string; resource: string }[],
): Promise<{ action: string; resource: string; decision: string }[]> {
  const role = emulator.state().associations['streaming/streaming/user-events']!.RoleArn!;
  const answers = await emulator.calls(
    CHINA,
    wanted.map(({ action, resource }) => [
      'iam',
      'simulate_principal_policy',
      { PolicySourceArn: role, ActionNames: [action], ResourceArns: [`arn:aws-cn:${resource}`] },
    ]),
  );
  return wanted.map((one, index) => ({ ...one, decision: answers[index].EvaluationResults[0].EvalDecision }));
}

describe('user-events', () => {
  test('reaches the cluster in order, with every ARN resolved', async () => {
    const events = await deploy(CHINA, 'bin/user-events.ts');
    expect(touched(events)).toEqual([
      'created ServiceAccount/streaming/user-events',
      'created Role/streaming/user-events',
      'created RoleBinding/streaming/user-events',
      expect.stringMatching(/^created ConfigMap\/streaming\/user-events-sql-[0-9a-f]{10}$/),
      `created ${USER_EVENTS}`,
    ]);
    const order = events.map(({ what }) => what);
    for (const needed of [
      'AWS::Kinesis::Stream',
      'AWS::DynamoDB::GlobalTable',
      'AWS::KinesisFirehose::DeliveryStream',
      'AWS::IAM::Policy',
      'AWS::EKS::PodIdentityAssociation',
    ]) {
      expect(order).toContain(needed);
      expect(order.indexOf(needed)).toBeLessThan(order.indexOf(USER_EVENTS));
    }
    const text = JSON.stringify(emulator.state().objects);
    expect(text).not.toMatch(/Token\[|Fn::|\{"Ref"/);
    expect(text).toContain(`arn:aws-cn:kinesis:${CHINA}:${ACCOUNT}:stream/user-events`);
    expect(emulator.state().objects[USER_EVENTS].spec.job.parallelism).toBe(12);
  });

  test('has 12 open shards, a table on demand, and 4 MB or 300 s', async () => {
    expect(await openShards()).toBe(12);
    const { Table } = await emulator.call(CHINA, 'dynamodb', 'describe_table', { TableName: 'user-dim' });
    expect(Table.BillingModeSummary.BillingMode).toBe('PAY_PER_REQUEST');
    expect(Table.KeySchema).toEqual([{ AttributeName: 'user_id', KeyType: 'HASH' }]);
    const { DeliveryStreamDescription } = await emulator.call(CHINA, 'firehose', 'describe_delivery_stream', {
      DeliveryStreamName: 'raw-logs-archive',
    });
    const [{ ExtendedS3DestinationDescription }] = DeliveryStreamDescription.Destinations;
    expect(ExtendedS3DestinationDescription.BufferingHints).toEqual({ SizeInMBs: 4, IntervalInSeconds: 300 });
  });

  test('the role allows each call of the connectors and of the lookup', async () => {
    const wanted = calls.flatMap(({ actions, resource }) => actions.map((action) => ({ action, resource })));
    expect((await decisions(wanted)).filter(({ decision }) => decision !== 'allowed')).toEqual([]);
  });

  test('the role allows no other call, table, stream or directory', async () => {
    const others = [
      ['dynamodb:Scan', `dynamodb:${CHINA}:${ACCOUNT}:table/user-dim`],
      ['dynamodb:PutItem', `dynamodb:${CHINA}:${ACCOUNT}:table/user-dim`],
      ['dynamodb:GetItem', `dynamodb:${CHINA}:${ACCOUNT}:table/user-dim-2`],
      ['kinesis:PutRecords', `kinesis:${CHINA}:${ACCOUNT}:stream/user-events`],
      ['kinesis:GetRecords', `kinesis:${CHINA}:${ACCOUNT}:stream/other`],
      ['kinesis:UpdateShardCount', `kinesis:${CHINA}:${ACCOUNT}:stream/user-events`],
      ['firehose:DeleteDeliveryStream', `firehose:${CHINA}:${ACCOUNT}:deliverystream/raw-logs-archive`],
      ['s3:GetObject', `s3:::flink-state-${ACCOUNT}-${CHINA}/user-events-2/a`],
      ['s3:DeleteBucket', `s3:::flink-state-${ACCOUNT}-${CHINA}`],
      ['iam:PassRole', `iam::${ACCOUNT}:role/other`],
    ].map(([action, resource]) => ({ action: action!, resource: resource! }));
    expect((await decisions(others)).filter(({ decision }) => decision !== 'implicitDeny')).toEqual([]);
  });

  test('the role allows nothing else, but for what is explained', async () => {
    const RoleName = emulator.state().associations['streaming/streaming/user-events']!.RoleArn!.split('/').pop();
    const { PolicyNames } = await emulator.call(CHINA, 'iam', 'list_role_policies', { RoleName });
    expect(PolicyNames).toHaveLength(1);
    const { PolicyDocument } = await emulator.call(CHINA, 'iam', 'get_role_policy', { RoleName, PolicyName: PolicyNames[0] });
    const allowed = PolicyDocument.Statement.flatMap(({ Action }: { Action: string | string[] }) => Action);
    expect(allowed.sort()).toEqual([...calls.flatMap(({ actions }) => actions), ...Object.keys(surplus)].sort());
  });

  test('24 shards: the stream and the parallelism change, and no other object of the cluster', async () => {
    const before = emulator.state().objects;
    const events = await deploy(CHINA, edited('resharded', 'user-events', ['shardCount: 12', 'shardCount: 24']));
    expect(await openShards()).toBe(24);
    expect(touched(events).filter((event) => !event.startsWith('unchanged '))).toEqual([`configured ${USER_EVENTS}`]);
    const after = emulator.state().objects;
    expect(after[USER_EVENTS].spec.job.parallelism).toBe(24);
    expect(Object.keys(after)).toEqual(Object.keys(before));
  });

  test('another construct id touches nothing', async () => {
    const program = edited(
      'renamed',
      'user-events',
      ['shardCount: 12', 'shardCount: 24'],
      ["new FlinkJob(this, 'Job'", "new FlinkJob(this, 'Pipeline'"],
    );
    expect(await deploy(CHINA, program)).toEqual([]);
  });

  test('destroy: the job goes first, what holds data and scripts stays', async () => {
    const events = await destroy(CHINA, 'bin/user-events.ts');
    expect(touched(events)[0]).toBe(`deleted ${USER_EVENTS}`);
    expect(Object.keys(emulator.state().objects)).toEqual([expect.stringMatching(/^ConfigMap\/streaming\/user-events-sql-/)]);
    expect(emulator.state().associations).toEqual({});
    expect(await openShards()).toBe(24);
    const { TableNames } = await emulator.call(CHINA, 'dynamodb', 'list_tables');
    expect(TableNames).toContain('user-dim');
    const { Buckets } = await emulator.call(CHINA, 's3', 'list_buckets');
    expect(Buckets.map(({ Name }: { Name: string }) => Name)).toContain(`flink-state-${ACCOUNT}-${CHINA}`);
  });
});

describe('order-items', () => {
  test('each job reaches the cluster in order, after its topic', async () => {
    const events = await deploy(FRANKFURT, 'bin/order-items.ts');
    const order = events.map(({ what }) => what);
    for (const job of ['order-items', 'order-status']) {
      const places = ['ServiceAccount', 'ConfigMap', 'FlinkDeployment'].map((kind) =>
        order.findIndex((what) => what.startsWith(`${kind}/streaming/${job}`)),
      );
      expect(places).not.toContain(-1);
      expect(places).toEqual([...places].sort((one, other) => one - other));
    }
    expect(order.indexOf('AWS::MSK::Topic')).toBeGreaterThan(-1);
    expect(order.indexOf('AWS::MSK::Topic')).toBeLessThan(order.indexOf('FlinkDeployment/streaming/order-items'));
    expect(JSON.stringify(emulator.state().objects)).not.toMatch(/Token\[|Fn::|\{"Ref"/);
  });

  test('the topic has its settings', () => {
    const [topic] = Object.values(emulator.state().topics);
    expect(topic).toMatchObject({ TopicName: 'dwd_order_item' });
    expect([Number(topic.PartitionCount), Number(topic.ReplicationFactor)]).toEqual([6, 3]);
    expect(JSON.parse(Buffer.from(topic.Configs, 'base64').toString())).toEqual({
      'cleanup.policy': 'compact',
      'delete.retention.ms': '259200000',
      'max.compaction.lag.ms': '86400000',
      'min.cleanable.dirty.ratio': '0.1',
      'min.insync.replicas': '2',
      'segment.ms': '3600000',
    });
  });

  test('destroy: the topic and the scripts stay', async () => {
    const events = await destroy(FRANKFURT, 'bin/order-items.ts');
    expect(touched(events).filter((event) => event.startsWith('deleted FlinkDeployment'))).toHaveLength(2);
    expect(Object.keys(emulator.state().topics)).toHaveLength(1);
    expect(Object.keys(emulator.state().objects).filter((key) => !key.startsWith('ConfigMap/'))).toEqual([]);
  });
});
