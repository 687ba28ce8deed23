import { mkdirSync, readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import calls from './connector-calls.json';
import { ACCOUNT, type ClusterEvent, Emulator, ROOT, WORK } from './emulator';

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

interface MetricAlarm {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions: { readonly Name: string; readonly Value: string }[];
}

interface Call {
  readonly action: string;
  /** Without `arn:<partition>:`. */
  readonly resource: string;
  readonly context?: { readonly [key: string]: string | undefined };
}

/** What the emulator of IAM decides for the role of a job, for each call. */
async function decisions(region: string, job: string, wanted: Call[]): Promise<(Call & { decision: string })[]> {
  const role = emulator.state().associations[`streaming/streaming/${job}`]!.RoleArn!;
  // The emulator makes roles of the partition `aws` everywhere.
  const partition = region === CHINA ? 'aws-cn' : 'aws';
  const answers = await emulator.calls(
    region,
    wanted.map(({ action, resource, context = {} }) => [
      'iam',
      'simulate_principal_policy',
      {
        PolicySourceArn: role,
        ActionNames: [action],
        ResourceArns: [`arn:${partition}:${resource}`],
        ContextEntries: Object.entries(context).map(([key, value]) => ({
          ContextKeyName: key,
          ContextKeyValues: [value],
          ContextKeyType: 'string',
        })),
      },
    ]),
  );
  return wanted.map((one, index) => ({ ...one, decision: answers[index].EvaluationResults[0].EvalDecision }));
}

/** The calls that were recorded of a job. */
function recordedCalls(job: string): Call[] {
  return calls
    .filter((call) => call.job === job)
    .flatMap(({ actions, resource, context }) => actions.map((action) => ({ action, resource: resource!, context })));
}

/** What the policy of a job allows: actions with their resources. */
async function allowed(region: string, job: string): Promise<string[]> {
  const RoleName = emulator.state().associations[`streaming/streaming/${job}`]!.RoleArn!.split('/').pop();
  const { PolicyNames } = await emulator.call(region, 'iam', 'list_role_policies', { RoleName });
  expect(PolicyNames).toHaveLength(1);
  const { AttachedPolicies } = await emulator.call(region, 'iam', 'list_attached_role_policies', { RoleName });
  expect(AttachedPolicies).toEqual([]);
  const { PolicyDocument } = await emulator.call(region, 'iam', 'get_role_policy', { RoleName, PolicyName: PolicyNames[0] });
  const grants: string[] = PolicyDocument.Statement.flatMap(
    ({ Action, Resource }: { Action: string | string[]; Resource: string | string[] }) =>
      [Action].flat().flatMap((action) => [Resource].flat().map((resource) => `${action} ${resource.replace(/^arn:[^:]+:/, '')}`)),
  );
  return [...new Set(grants)].sort();
}

/** A call as a statement names it: all objects under the prefix of a job, all ids under one of its tables. */
function asGranted({ action, resource }: Call): string {
  return `${action} ${resource.replace(/^(s3:::[^/]+\/[^/]+\/).+$/, '$1*').replace(/(:transactional-id\/.+-)\d+-\d+$/, '$1*')}`;
}

/** ARNs in the objects of the cluster. */
function arnsInCluster(): string[] {
  const text = JSON.stringify(emulator.state().objects);
  expect(text).not.toMatch(/Token\[|Fn::|\{\\*"Ref|AWS::/);
  return [...new Set(text.match(/arn:[^"'\\ ]+/g))].sort();
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
    // The account of the service knows its role by the association.
    expect(arnsInCluster()).toEqual([`arn:aws-cn:kinesis:${CHINA}:${ACCOUNT}:stream/user-events`]);
    const { RoleArn } = emulator.state().associations['streaming/streaming/user-events']!;
    expect(RoleArn).toMatch(new RegExp(`^arn:aws(-cn)?:iam::${ACCOUNT}:role/UserEvents-FlinkJobRole`));
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
    const wanted = recordedCalls('user-events');
    expect(wanted.length).toBeGreaterThan(10);
    expect((await decisions(CHINA, 'user-events', wanted)).filter(({ decision }) => decision !== 'allowed')).toEqual([]);
  });

  test('the role allows no other call, table, stream or directory', async () => {
    const bucket = `s3:::flink-state-${ACCOUNT}-${CHINA}`;
    const others: Call[] = [
      { action: 'dynamodb:Scan', resource: `dynamodb:${CHINA}:${ACCOUNT}:table/user-dim` },
      { action: 'dynamodb:PutItem', resource: `dynamodb:${CHINA}:${ACCOUNT}:table/user-dim` },
      { action: 'dynamodb:GetItem', resource: `dynamodb:${CHINA}:${ACCOUNT}:table/user-dim-2` },
      { action: 'kinesis:PutRecords', resource: `kinesis:${CHINA}:${ACCOUNT}:stream/user-events` },
      { action: 'kinesis:GetRecords', resource: `kinesis:${CHINA}:${ACCOUNT}:stream/other` },
      { action: 'kinesis:UpdateShardCount', resource: `kinesis:${CHINA}:${ACCOUNT}:stream/user-events` },
      { action: 'firehose:DeleteDeliveryStream', resource: `firehose:${CHINA}:${ACCOUNT}:deliverystream/raw-logs-archive` },
      { action: 's3:GetObject', resource: `${bucket}/user-events-2/a` },
      { action: 's3:ListBucket', resource: bucket },
      { action: 's3:ListBucket', resource: bucket, context: { 's3:prefix': 'user-events-2/a' } },
      { action: 's3:DeleteBucket', resource: bucket },
      { action: 'iam:PassRole', resource: `iam::${ACCOUNT}:role/other` },
    ];
    expect((await decisions(CHINA, 'user-events', others)).filter(({ decision }) => decision !== 'implicitDeny')).toEqual([]);
  });

  test('the role allows nothing but what was recorded', async () => {
    expect(await allowed(CHINA, 'user-events')).toEqual(recordedCalls('user-events').map(asGranted).sort());
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

  test('monitoring: an alarm on each resource of the job, which tells the topic, and objects for Prometheus', async () => {
    const program = edited(
      'monitored',
      'user-events',
      ['shardCount: 12', 'shardCount: 24'],
      ['  FlinkJob,\n', '  FlinkJob,\n  FlinkJobMonitoring,\n'],
      ['import type { Construct }', "import { Topic } from 'aws-cdk-lib/aws-sns';\nimport type { Construct }"],
      [
        'cpu: 4 },\n    });\n',
        "cpu: 4 },\n    });\n    new FlinkJobMonitoring(this, 'Monitoring', { job: this.job, alarmTopic: new Topic(this, 'Alarms', { topicName: 'alarms' }) });\n",
      ],
    );
    const events = await deploy(CHINA, program);
    expect(touched(events).sort()).toEqual([
      `configured ${USER_EVENTS}`,
      'created PodMonitor/streaming/user-events',
      'created PrometheusRule/streaming/user-events',
    ]);
    const { MetricAlarms, CompositeAlarms } = await emulator.call(CHINA, 'cloudwatch', 'describe_alarms');
    const watched = MetricAlarms.map(({ Namespace, MetricName, Dimensions }: MetricAlarm) => [
      `${Namespace} ${MetricName}`,
      ...Dimensions.map(({ Name, Value }) => `${Name}=${Value}`).sort(),
    ]);
    expect(watched.sort()).toEqual([
      ['AWS/DynamoDB ReadThrottleEvents', 'TableName=user-dim'],
      ['AWS/Firehose DeliveryToS3.DataFreshness', 'DeliveryStreamName=raw-logs-archive'],
      ['AWS/Firehose DeliveryToS3.Success', 'DeliveryStreamName=raw-logs-archive'],
      ['AWS/Firehose ThrottledRecords', 'DeliveryStreamName=raw-logs-archive'],
      ['AWS/Kinesis GetRecords.IteratorAgeMilliseconds', 'StreamName=user-events'],
      ['AWS/Kinesis ReadProvisionedThroughputExceeded', 'StreamName=user-events'],
      ['AWS/Kinesis WriteProvisionedThroughputExceeded', 'StreamName=user-events'],
    ]);
    // The library makes none, and the emulator has none.
    expect(CompositeAlarms).toEqual([]);
    for (const alarm of MetricAlarms) {
      expect(alarm.AlarmActions).toEqual([expect.stringMatching(/:alarms$/)]);
      expect(alarm.OKActions).toEqual(alarm.AlarmActions);
    }
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
    for (const job of ['order-items', 'order-status']) {
      expect(touched(events).filter((event) => event.includes(`/${job}`))).toEqual([
        `created ServiceAccount/streaming/${job}`,
        `created Role/streaming/${job}`,
        `created RoleBinding/streaming/${job}`,
        expect.stringMatching(new RegExp(`^created ExternalSecret/streaming/${job}-secret-[0-9a-f]{8}$`)),
        expect.stringMatching(new RegExp(`^created ConfigMap/streaming/${job}-sql-[0-9a-f]{10}$`)),
        `created FlinkDeployment/streaming/${job}`,
      ]);
    }
    expect(touched(events)).toHaveLength(12);
    const order = events.map(({ what }) => what);
    expect(order).toContain('AWS::MSK::Topic');
    for (const needed of ['AWS::MSK::Topic', 'AWS::IAM::Policy', 'association streaming/streaming/order-items']) {
      expect(order.lastIndexOf(needed)).toBeGreaterThan(-1);
      expect(order.lastIndexOf(needed)).toBeLessThan(order.indexOf('FlinkDeployment/streaming/order-items'));
    }
    expect(arnsInCluster()).toEqual([`arn:aws-cn:kinesis:${CHINA}:${ACCOUNT}:stream/user-events`]);
  });

  test.each(['order-items', 'order-status'])('the role of %s allows each call of its connectors, and nothing else', async (job) => {
    const wanted = recordedCalls(job);
    expect(wanted.length).toBeGreaterThan(9);
    expect((await decisions(FRANKFURT, job, wanted)).filter(({ decision }) => decision !== 'allowed')).toEqual([]);
    expect(await allowed(FRANKFURT, job)).toEqual(wanted.map(asGranted).sort());
  });

  test('no role allows the other job, its group or its transactions', async () => {
    const shop = (type: string, name: string) =>
      `kafka:${FRANKFURT}:${ACCOUNT}:${type}/shop/11111111-2222-3333-4444-555555555555-2${name && `/${name}`}`;
    const others: { [job: string]: Call[] } = {
      'order-items': [
        { action: 'kafka-cluster:WriteData', resource: shop('topic', 'mysql.shop.order_item') },
        { action: 'kafka-cluster:ReadData', resource: shop('topic', 'mysql.shop.orders') },
        { action: 'kafka-cluster:AlterTopic', resource: shop('topic', 'dwd_order_item') },
        { action: 'kafka-cluster:AlterGroup', resource: shop('group', 'streaming.order-status') },
        { action: 'kafka-cluster:AlterTransactionalId', resource: shop('transactional-id', 'streaming.order-items.dwd_order_item_2-0-1') },
        { action: 'kafka-cluster:WriteDataIdempotently', resource: shop('cluster', '') },
        { action: 'kafka-cluster:AlterCluster', resource: shop('cluster', '') },
        { action: 's3:GetObject', resource: `s3:::flink-state-${ACCOUNT}-${FRANKFURT}/order-status/checkpoints/a` },
        { action: 's3:AbortMultipartUpload', resource: `s3:::flink-state-${ACCOUNT}-${FRANKFURT}/order-items/checkpoints/a` },
        { action: 'secretsmanager:GetSecretValue', resource: `secretsmanager:${FRANKFURT}:${ACCOUNT}:secret:analytics/mysql-abcdef` },
      ],
      'order-status': [
        { action: 'kafka-cluster:WriteData', resource: shop('topic', 'dwd_order_item') },
        { action: 'kafka-cluster:ReadData', resource: shop('topic', 'dwd_order_item') },
        { action: 'kafka-cluster:AlterGroup', resource: shop('group', 'streaming.order-items') },
        { action: 'kafka-cluster:DescribeTransactionalId', resource: shop('transactional-id', 'streaming.order-items.dwd_order_item-0-1') },
        { action: 's3:PutObject', resource: `s3:::flink-state-${ACCOUNT}-${FRANKFURT}/order-items/checkpoints/a` },
      ],
    };
    for (const [job, unwanted] of Object.entries(others)) {
      expect((await decisions(FRANKFURT, job, unwanted)).filter(({ decision }) => decision !== 'implicitDeny')).toEqual([]);
    }
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
