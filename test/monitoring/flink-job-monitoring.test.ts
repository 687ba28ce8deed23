import { CfnParameter, Duration, type Stack, Validations } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { JsonPatch } from 'cdk8s';
import { readFileSync } from 'fs';
import { join } from 'path';
import { parseAllDocuments } from 'yaml';
import { UserEventsStack } from '../../bin/user-events-stack';
import {
  ArchiveDeliveryStream,
  Column,
  DataType,
  DeploymentTarget,
  DimensionTable,
  DynamoDbSink,
  EventStream,
  FirehoseSink,
  Format,
  type IEventStream,
  JobState,
  KafkaCluster,
  KafkaSource,
  KafkaStart,
  KafkaTopic,
  KinesisSink,
  KinesisSource,
  MalformedRecords,
  PrintSink,
  SqlProgram,
  StartPosition,
} from '../../lib';
import { FlinkJobMonitoring, type FlinkJobMonitoringProps } from '../../lib/monitoring/flink-job-monitoring';
import { newApp } from '../fixtures/assembly';
import type { Json } from '../fixtures/json';
import { ENVIRONMENT, eksCluster, externalStream, job, manifest, newStack, resources } from '../fixtures/stacks';

/** Alarms by the end of their description's head: `IteratorAge of table kinesis_source`. */
function alarms(stack: Stack): { [name: string]: Json } {
  return Object.fromEntries(
    Object.values(resources(stack, 'AWS::CloudWatch::Alarm')).map(({ Properties }) => [
      String(Properties.AlarmDescription).split(',')[0],
      Properties,
    ]),
  );
}

function monitored(props: Partial<FlinkJobMonitoringProps> = {}, changed: Parameters<typeof job>[1] = {}, stack = newStack()): Stack {
  new FlinkJobMonitoring(stack, 'Monitoring', { job: job(stack, changed), ...props });
  return stack;
}

const COLUMNS = [Column.physical('line', DataType.STRING)];

function sourceOf(stream: IEventStream, consumerName?: string): SqlProgram {
  const program = new SqlProgram();
  const source = program.addTable('events', {
    connector: new KinesisSource({
      stream,
      start: StartPosition.latest(),
      format: Format.raw(),
      enhancedFanOut: consumerName === undefined ? undefined : { consumerName },
    }),
    columns: COLUMNS,
  });
  const sink = program.addTable('copies', { connector: new KinesisSink({ stream, format: Format.raw() }), columns: COLUMNS });
  program.addInsert(sink, `SELECT line FROM ${source}`);
  return program;
}

describe('the alarms of user-events', () => {
  const stack = new UserEventsStack(newApp(), 'UserEvents', { env: { account: '111122223333', region: 'cn-north-1' } });
  const topic = new Topic(stack, 'Topic');
  const monitoring = new FlinkJobMonitoring(stack, 'Monitoring', { job: stack.job, alarmTopic: topic });
  const found = alarms(stack);

  test('are those of its stream, its dimension and its archive', () => {
    expect(Object.keys(found)).toEqual([
      'IteratorAge of table kinesis_source',
      'ReadThrottled of table kinesis_source',
      'WriteThrottled of table kinesis_source',
      'LookupThrottled of table dim_users',
      'DataFreshness of table firehose_sink',
      'DeliveryFailed of table firehose_sink',
      'WriteThrottled of table firehose_sink',
    ]);
    expect(monitoring.alarms).toHaveLength(7);
  });

  test('fill every dimension, by reference to the resource or by its name', () => {
    expect(Object.values(found).map(({ Namespace, Dimensions }) => [Namespace, Dimensions.map(({ Name }: Json) => Name)])).toEqual([
      ...Array(3).fill(['AWS/Kinesis', ['StreamName']]),
      ['AWS/DynamoDB', ['TableName']],
      ...Array(3).fill(['AWS/Firehose', ['DeliveryStreamName']]),
    ]);
    for (const { Dimensions } of Object.values(found)) {
      expect(Dimensions.every(({ Value }: Json) => Value !== undefined && Value !== '')).toBe(true);
    }
  });

  test('take silence for what it is', () => {
    const missing = Object.fromEntries(Object.entries(found).map(([name, { TreatMissingData }]) => [name, TreatMissingData]));
    expect(missing['IteratorAge of table kinesis_source']).toBe('breaching');
    expect(new Set(Object.entries(missing).flatMap(([name, value]) => (name.startsWith('IteratorAge') ? [] : [value])))).toEqual(
      new Set(['notBreaching']),
    );
  });

  test('begin at ten minutes of lag, and at three buffering intervals without delivery', () => {
    expect(found['IteratorAge of table kinesis_source']).toMatchObject({ Threshold: 600_000, Statistic: 'Maximum' });
    expect(found['DataFreshness of table firehose_sink']).toMatchObject({ Threshold: 900, Statistic: 'Maximum' });
    expect(found['DeliveryFailed of table firehose_sink']).toMatchObject({ Threshold: 1, ComparisonOperator: 'LessThanThreshold' });
  });

  test('tell the topic of their beginning and their end', () => {
    for (const { AlarmActions, OKActions } of Object.values(found)) {
      expect(AlarmActions).toEqual([stack.resolve(topic.topicArn)]);
      expect(OKActions).toEqual(AlarmActions);
    }
  });
});

describe('alarms', () => {
  test('of an enhanced fan-out reader look at its consumer', () => {
    const stack = monitored({}, { program: sourceOf(externalStream(), 'clicks-events') });
    const found = alarms(stack);
    expect(Object.keys(found)).toEqual(['MillisBehindLatest of table events', 'WriteThrottled of table events']);
    expect(found['MillisBehindLatest of table events']).toMatchObject({
      MetricName: 'SubscribeToShardEvent.MillisBehindLatest',
      Dimensions: [
        { Name: 'ConsumerName', Value: 'clicks-events' },
        { Name: 'StreamName', Value: 'clicks' },
      ],
      TreatMissingData: 'breaching',
    });
  });

  test('begin earlier where records are kept for less than twenty minutes', () => {
    const streamArn = 'arn:aws:kinesis:eu-central-1:111122223333:stream/clicks';
    const lag = (retentionPeriod?: Duration) => {
      const stack = newStack();
      const events = EventStream.external({ streamArn, shardCount: 4 });
      Object.assign(events, { retentionPeriod });
      return alarms(monitored({}, { program: sourceOf(events) }, stack))['IteratorAge of table events'].Threshold;
    };
    expect(lag(Duration.minutes(10))).toBe(300_000);
    expect(lag(Duration.hours(24))).toBe(600_000);
    expect(lag()).toBe(600_000);
  });

  test('of a table and a delivery stream that are written', () => {
    const stack = newStack();
    const program = new SqlProgram();
    const columns = [Column.physical('id', DataType.STRING)];
    const rows = program.addTable('rows', {
      connector: new KinesisSource({ stream: externalStream(), start: StartPosition.latest(), format: Format.raw() }),
      columns,
    });
    const table = DimensionTable.external({ tableArn: 'arn:aws:dynamodb:eu-central-1:111122223333:table/users', partitionKey: 'id' });
    const deliveryStream = ArchiveDeliveryStream.external({
      deliveryStreamArn: 'arn:aws:firehose:eu-central-1:111122223333:deliverystream/archive',
    });
    program.addInsert(
      program.addTable('users', { connector: new DynamoDbSink({ table }), columns, primaryKey: ['id'] }),
      `SELECT id FROM ${rows}`,
    );
    program.addInsert(
      program.addTable('archive', { connector: new FirehoseSink({ deliveryStream, format: Format.raw() }), columns }),
      `SELECT id FROM ${rows}`,
    );
    const found = alarms(monitored({}, { program }, stack));
    expect(found['WriteThrottled of table users']).toMatchObject({ MetricName: 'WriteThrottleEvents', Threshold: 0 });
    // Nobody told its buffering interval: the longest is taken.
    expect(found['DataFreshness of table archive'].Threshold).toBe(2700);
  });

  test('are silent towards nobody: without a topic they have no action', () => {
    for (const { AlarmActions } of Object.values(alarms(monitored()))) {
      expect(AlarmActions).toBeUndefined();
    }
  });
});

describe('AlarmRegion', () => {
  const readFrom = (streamArn: string, env = ENVIRONMENT as { region?: string }, acknowledged: string[] = []) => {
    const stack = newStack({ env });
    const program = sourceOf(EventStream.external({ streamArn, shardCount: 4 }));
    const monitoring = new FlinkJobMonitoring(stack, 'Monitoring', { job: job(stack, { program }), prometheus: false });
    for (const id of acknowledged) {
      Validations.of(monitoring).acknowledge({ id, reason: 'watched in its region' });
    }
    const warnings = Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp('and an alarm watches its own region only'));
    return { warnings: warnings.map(({ entry }) => String(entry.data)), alarms: monitoring.alarms };
  };
  const arn = (region: string) => `arn:aws:kinesis:${region}:111122223333:stream/clicks`;

  test('fires for a stream of another region, which gets no alarm', () => {
    const { warnings, alarms: made } = readFrom(arn('us-east-1'));
    expect(warnings).toEqual([
      expect.stringContaining(
        "table 'events' is in region us-east-1, and an alarm watches its own region only: there is no alarm IteratorAge",
      ),
      expect.stringContaining('there is no alarm ReadThrottled'),
      expect.stringContaining('there is no alarm WriteThrottled'),
    ]);
    expect(made).toEqual([]);
  });

  test('passes for the region of the stack, and where one of them is known only at deployment', () => {
    expect(readFrom(arn('eu-central-1')).warnings).toEqual([]);
    expect(readFrom(arn('eu-central-1'), {}).warnings).toEqual([]);
    expect(readFrom(arn('eu-central-1')).alarms).toHaveLength(3);
  });

  test('acknowledged is silent', () => {
    expect(readFrom(arn('us-east-1'), ENVIRONMENT, ['cdk-flink-pipeline:AlarmRegion']).warnings).toEqual([]);
  });
});

describe('a job without a resource of AWS behind its tables', () => {
  const cluster = KafkaCluster.selfManaged({ bootstrapServers: ['kafka:9092'] });
  const mirrored = () => {
    const program = new SqlProgram();
    const columns = [Column.physical('id', DataType.STRING)];
    const orders = program.addTable('orders', {
      connector: new KafkaSource({
        topic: KafkaTopic.fromTopicAttributes({ cluster, topicName: 'orders', partitions: 4 }),
        start: KafkaStart.earliest(),
        format: Format.json({ malformedRecords: MalformedRecords.FAIL }),
      }),
      columns,
    });
    program.addInsert(program.addTable('printed', { connector: new PrintSink(), columns }), `SELECT id FROM ${orders}`);
    return program;
  };
  const UNUSED = "no table of job 'clicks' has a CloudWatch alarm, and alarmTopic is never told of anything";
  const warnings = (program: SqlProgram, topic: (stack: Stack) => ITopic | undefined, acknowledged?: string) => {
    const stack = newStack();
    const monitoring = new FlinkJobMonitoring(stack, 'Monitoring', { job: job(stack, { program }), alarmTopic: topic(stack) });
    if (acknowledged !== undefined) {
      Validations.of(monitoring).acknowledge({ id: acknowledged, reason: 'alarms of our own use it' });
    }
    return Annotations.fromStack(stack)
      .findWarning('*', Match.stringLikeRegexp('is never told of anything'))
      .map(({ entry }) => String(entry.data));
  };

  test('UnusedAlarmTopic fires', () => {
    expect(warnings(mirrored(), (stack) => new Topic(stack, 'Topic'))).toEqual([expect.stringContaining(UNUSED)]);
  });

  test('UnusedAlarmTopic passes for one with a stream, and where there is no topic', () => {
    expect(warnings(sourceOf(externalStream()), (stack) => new Topic(stack, 'Topic'))).toEqual([]);
    expect(warnings(mirrored(), () => undefined)).toEqual([]);
  });

  test('UnusedAlarmTopic passes for a stream that only the deployment knows, and fires for such a topic', () => {
    const stack = newStack();
    const topic = Topic.fromTopicArn(stack, 'Topic', new CfnParameter(stack, 'TopicArn').valueAsString);
    const streamArn = new CfnParameter(stack, 'StreamArn').valueAsString;
    const late = sourceOf(EventStream.fromStreamAttributes(stack, 'Late', { streamArn, shardCount: 4 }));
    new FlinkJobMonitoring(stack, 'Monitoring', { job: job(stack, { program: late }), alarmTopic: topic });
    expect(Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp('is never told of anything'))).toEqual([]);
    expect(warnings(mirrored(), () => topic)).toHaveLength(1);
  });

  test('UnusedAlarmTopic acknowledged is silent', () => {
    expect(warnings(mirrored(), (stack) => new Topic(stack, 'Topic'), 'cdk-flink-pipeline:UnusedAlarmTopic')).toEqual([]);
  });

  test('is watched by Prometheus, or by nothing, which is refused', () => {
    expect(() => monitored({ prometheus: false }, { program: mirrored() })).toThrow(
      "no table of job 'clicks' has a CloudWatch alarm, and prometheus is false: nothing would watch the job; leave prometheus out, or drop this FlinkJobMonitoring",
    );
    expect(() => monitored({}, { program: mirrored() })).not.toThrow();
    expect(() => monitored({ prometheus: false })).not.toThrow();
  });
});

describe('the key of the topic', () => {
  const stackWith = (key: (stack: Stack) => IKey, monitorings = 1, acknowledged?: string) => {
    const stack = newStack();
    const topic = new Topic(stack, 'Topic', { masterKey: key(stack) });
    const clicks = job(stack);
    for (let at = 0; at < monitorings; at += 1) {
      const monitoring = new FlinkJobMonitoring(stack, `Monitoring${at}`, { job: clicks, alarmTopic: topic, prometheus: at === 0 });
      if (acknowledged !== undefined) {
        Validations.of(monitoring).acknowledge({ id: acknowledged, reason: 'its policy names CloudWatch' });
      }
    }
    return stack;
  };
  const warnings = (stack: Stack) => Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp('the key of alarmTopic'));
  const imported = (stack: Stack) => Key.fromKeyArn(stack, 'Key', 'arn:aws:kms:eu-central-1:111122223333:key/1234');

  test('lets CloudWatch use it, once, for alarms of this account', () => {
    const stack = stackWith((scope) => new Key(scope, 'Key'), 2);
    const [key] = Object.values(resources(stack, 'AWS::KMS::Key'));
    const granted = key!.Properties.KeyPolicy.Statement.filter(({ Principal }: Json) => Principal.Service === 'cloudwatch.amazonaws.com');
    expect(granted).toEqual([
      {
        Effect: 'Allow',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Action: ['kms:Decrypt', 'kms:GenerateDataKey*'],
        Resource: '*',
        Condition: { StringEquals: { 'aws:SourceAccount': '111122223333' } },
      },
    ]);
    expect(warnings(stack)).toEqual([]);
  });

  test('AlarmTopicKey fires for an imported one, and acknowledged is silent', () => {
    expect(warnings(stackWith(imported))).toHaveLength(1);
    expect(warnings(stackWith(imported, 1, 'cdk-flink-pipeline:AlarmTopicKey'))).toEqual([]);
  });

  test('AlarmTopicKey fires for an ARN that only the deployment knows, and passes where no key is known', () => {
    const late = (stack: Stack) => Key.fromKeyArn(stack, 'Key', new CfnParameter(stack, 'KeyArn').valueAsString);
    expect(() => stackWith(late)).not.toThrow();
    const stack = newStack();
    monitored({ alarmTopic: new Topic(stack, 'Topic') }, {}, stack);
    expect(warnings(stack)).toEqual([]);
  });
});

describe('the runbook', () => {
  const RUNBOOK = 'https://wiki.example.com/flink';
  const read = () => ({ program: sourceOf(externalStream()) });
  const annotations = (stack: Stack): Json[] =>
    manifest(stack, 'PrometheusRule').objects[1]!.spec.groups[0].rules.map((rule: Json) => rule.annotations);

  test('is named by its heading, and by its address where that is known', () => {
    const [plain, linked] = [undefined, RUNBOOK].map((runbookUrl) => monitored({ runbookUrl }, read())) as [Stack, Stack];
    expect(alarms(plain)['IteratorAge of table events'].AlarmDescription).toMatch(
      /or nobody reads\. What to do: docs\/operations\.md of cdk-flink-pipeline: The job is behind$/,
    );
    expect(alarms(linked)['IteratorAge of table events'].AlarmDescription).toMatch(
      /or nobody reads\. What to do: https:\/\/wiki\.example\.com\/flink#the-job-is-behind$/,
    );
    expect(annotations(plain).some((one) => 'runbook_url' in one)).toBe(false);
    expect(annotations(linked)[0]).toMatchObject({
      runbook: 'docs/operations.md of cdk-flink-pipeline: The job does not run',
      runbook_url: `${RUNBOOK}#the-job-does-not-run`,
    });
    expect(annotations(linked).every(({ runbook_url }) => String(runbook_url).startsWith(`${RUNBOOK}#`))).toBe(true);
  });

  test.each(['', 'https://wiki.example.com/flink#top', 'the wiki'])("refuses '%s'", (runbookUrl) => {
    expect(() => monitored({ runbookUrl })).toThrow(/runbookUrl must be the address of the page alone.*leave out blanks and '#'/);
  });

  test('takes an address that only the deployment knows', () => {
    const stack = newStack();
    const runbookUrl = new CfnParameter(stack, 'Wiki').valueAsString;
    expect(() => monitored({ runbookUrl }, read(), stack)).not.toThrow();
    expect(JSON.stringify(resources(stack, 'AWS::CloudWatch::Alarm'))).toContain('{"Ref":"Wiki"},"#the-job-is-behind"');
  });
});

test('a job that is suspended does not read, and its alarms know', () => {
  const of = (state: JobState) => alarms(monitored({}, { state, program: sourceOf(externalStream()) }));
  const missing = (state: JobState) =>
    Object.fromEntries(Object.entries(of(state)).map(([name, { TreatMissingData }]) => [name, TreatMissingData]));
  expect(missing(JobState.RUNNING)['IteratorAge of table events']).toBe('breaching');
  expect(new Set(Object.values(missing(JobState.SUSPENDED)))).toEqual(new Set(['notBreaching']));
  expect(Object.keys(missing(JobState.SUSPENDED))).toEqual(Object.keys(missing(JobState.RUNNING)));
});

describe('Prometheus', () => {
  test('is shown the metrics of all pods, through the FlinkDeployment', () => {
    const { objects } = manifest(monitored(), 'FlinkDeployment');
    const { flinkConfiguration, jobManager, taskManager } = objects[0]!.spec;
    expect(flinkConfiguration).toMatchObject({
      'metrics.reporter.prom.factory.class': 'org.apache.flink.metrics.prometheus.PrometheusReporterFactory',
      'metrics.reporter.prom.port': '9249',
    });
    for (const { podTemplate } of [jobManager, taskManager]) {
      expect(podTemplate.spec.containers[0]).toMatchObject({
        name: 'flink-main-container',
        ports: [{ name: 'prom', containerPort: 9249, protocol: 'TCP' }],
      });
    }
  });

  test('gets a monitor of exactly the pods of the job, and its rules', () => {
    const { objects } = manifest(monitored({ prometheusLabels: { release: 'monitoring' } }), 'PodMonitor');
    const [monitor, rule] = objects as [Json, Json];
    expect(objects.map(({ kind }) => kind)).toEqual(['PodMonitor', 'PrometheusRule']);
    expect(monitor.spec).toEqual({
      selector: { matchLabels: { app: 'clicks', type: 'flink-native-kubernetes' } },
      podTargetLabels: ['app', 'component'],
      podMetricsEndpoints: [{ port: 'prom' }],
    });
    for (const { metadata } of objects) {
      expect(metadata).toMatchObject({ name: 'clicks', namespace: 'streaming', labels: { release: 'monitoring' } });
    }
    expect(rule.spec.groups[0].rules[0]).toMatchObject({
      expr: 'absent(flink_jobmanager_job_runningTime{namespace="streaming",app="clicks"} > 0)',
      labels: { severity: 'critical', namespace: 'streaming', flink_job: 'clicks' },
    });
  });

  test('watches a job once; another one may have its alarms alone, and another job all', () => {
    const stack = newStack();
    const clicks = job(stack);
    new FlinkJobMonitoring(stack, 'Monitoring', { job: clicks });
    expect(() => new FlinkJobMonitoring(stack, 'Second', { job: clicks })).toThrow(
      "'Stack/Monitoring' and 'Stack/Second' both have Prometheus watch job 'clicks': give prometheus: false to one of them",
    );
    expect(() => new FlinkJobMonitoring(stack, 'Alarms', { job: clicks, prometheus: false })).not.toThrow();
    const target = DeploymentTarget.manifests({ namespace: 'streaming', clusterName: 'main' });
    expect(() => new FlinkJobMonitoring(stack, 'Other', { job: job(stack, { jobName: 'views', target }, 'Views') })).not.toThrow();
  });

  test('keeps its logical id when constructs are renamed', () => {
    const first = monitored();
    const second = newStack();
    new FlinkJobMonitoring(second, 'Watch', { job: job(second, {}, 'Renamed') });
    expect(manifest(second, 'PodMonitor').id).toBe(manifest(first, 'PodMonitor').id);
  });

  test('takes the port that the user gave', () => {
    const { objects } = manifest(monitored({}, { flinkConfiguration: { 'metrics.reporter.prom.port': '9300' } }), 'FlinkDeployment');
    expect(objects[0]!.spec.jobManager.podTemplate.spec.containers[0].ports[0].containerPort).toBe(9300);
  });

  test.each([
    [{ 'metrics.reporter.prom.port': '9249-9260' }, /must be one port from 1 to 65,535.*got '9249-9260'/],
    [{ 'metrics.reporters': 'statsd, other' }, /allows the metrics.reporters 'statsd, other' alone: add 'prom'/],
  ])('refuses %p', (flinkConfiguration, message) => {
    expect(() => monitored({}, { flinkConfiguration: flinkConfiguration as { [key: string]: string } })).toThrow(message);
  });

  test('may stand beside other reporters', () => {
    expect(() => monitored({}, { flinkConfiguration: { 'metrics.reporters': 'statsd,prom' } })).not.toThrow();
  });

  test('is left out where there is none', () => {
    const stack = monitored({ prometheus: false });
    expect(JSON.stringify(Template.fromStack(stack).toJSON())).not.toMatch(/PodMonitor|metrics\.reporter/);
  });

  test('stands in the manifest file of the job, for GitOps, with later patches', () => {
    const stack = newStack();
    const clicks = job(stack, { target: DeploymentTarget.manifests({ namespace: 'streaming', clusterName: 'main' }) });
    new FlinkJobMonitoring(stack, 'Monitoring', { job: clicks });
    clicks.flinkDeployment.addJsonPatch(JsonPatch.add('/spec/flinkConfiguration/metrics.reporter.prom.port', '9249'));
    const { directory } = (stack.node.root as ReturnType<typeof newApp>).synth();
    const text = readFileSync(join(directory, `${stack.artifactId}.clicks`, 'manifests.yaml'), 'utf8');
    const kinds = parseAllDocuments(text).map((document) => document.toJS().kind);
    expect(kinds.slice(-3)).toEqual(['FlinkDeployment', 'PodMonitor', 'PrometheusRule']);
  });

  test('has a namespace that only the deployment knows in its rules', () => {
    const stack = newStack();
    const namespace = new CfnParameter(stack, 'Namespace').valueAsString;
    const target = DeploymentTarget.eks(eksCluster(stack), { namespace });
    const { resource } = manifest(monitored({}, { target }, stack), 'PrometheusRule');
    expect(JSON.stringify(resource.Properties.Manifest)).toContain('{"Ref":"Namespace"}');
  });
});

test('what is no job is refused', () => {
  expect(() => new FlinkJobMonitoring(newStack(), 'Monitoring', { job: {} } as unknown as FlinkJobMonitoringProps)).toThrow(
    /job of FlinkJobMonitoring must be a FlinkJob/,
  );
});
