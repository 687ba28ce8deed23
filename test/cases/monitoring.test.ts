import { Duration, type Stack, Token } from 'aws-cdk-lib';
import { Stream } from 'aws-cdk-lib/aws-kinesis';
import { parseAllDocuments } from 'yaml';
import {
  ArchiveDeliveryStream,
  type ArchiveDeliveryStreamProps,
  Column,
  DataType,
  DeploymentTarget,
  EventStream,
  FirehoseSink,
  Format,
  type IArchiveDeliveryStream,
  type IEventStream,
} from '../../lib';
import { FlinkJobMonitoring } from '../../lib/monitoring/flink-job-monitoring';
import { synthesize } from '../fixtures/assembly';
import type { Json } from '../fixtures/json';
import { ENVIRONMENT, externalStream, job, newStack, printed, resources } from '../fixtures/stacks';

/** Alarms of a job, by the name of their metric. */
function alarms(stack: Stack, stream: IEventStream, archive?: IArchiveDeliveryStream): { [metric: string]: Json } {
  const program = printed(stream);
  if (archive) {
    const connector = new FirehoseSink({ deliveryStream: archive, format: Format.raw() });
    const table = program.addTable('archived', { connector, columns: [Column.physical('line', DataType.STRING)] });
    program.addInsert(table, 'SELECT line FROM events');
  }
  new FlinkJobMonitoring(stack, 'Monitoring', { job: job(stack, { program }) });
  const all = Object.values(resources(stack, 'AWS::CloudWatch::Alarm')).map(({ Properties }) => Properties);
  return Object.fromEntries(all.map((alarm) => [alarm.MetricName, alarm]));
}

/** Alarms of a job that writes into a delivery stream of its own. */
function deliveryAlarms(props: Partial<ArchiveDeliveryStreamProps> = {}): { [metric: string]: Json } {
  const stack = newStack();
  return alarms(stack, externalStream(), new ArchiveDeliveryStream(stack, 'Archive', { deliveryStreamName: 'archive', ...props }));
}

/** The monitor, the rules and the job, as they stand in the manifest file. */
function watched(): { [kind: string]: Json } {
  const files = synthesize((app) => {
    const stack = newStack({ env: ENVIRONMENT }, app);
    const target = DeploymentTarget.manifests({ namespace: 'streaming', clusterName: 'main' });
    new FlinkJobMonitoring(stack, 'Monitoring', { job: job(stack, { target }) });
  });
  const written = parseAllDocuments(files['Stack.clicks/manifests.yaml']!).map((document) => (document as { toJSON(): Json }).toJSON());
  return Object.fromEntries(written.map((object) => [object.kind, object]));
}

describe('MO-01 metrics that stop', () => {
  test('are an alarm where a job must read all the time, and none where nothing is counted', () => {
    const all = { ...alarms(newStack(), externalStream()), ...deliveryAlarms() };
    expect(Object.fromEntries(Object.entries(all).map(([metric, { TreatMissingData }]) => [metric, TreatMissingData]))).toMatchObject({
      'GetRecords.IteratorAgeMilliseconds': 'breaching',
      ReadProvisionedThroughputExceeded: 'notBreaching',
      WriteProvisionedThroughputExceeded: 'notBreaching',
      'DeliveryToS3.DataFreshness': 'notBreaching',
      ThrottledRecords: 'notBreaching',
    });
  });

  test('are decided on for every alarm', () => {
    const decided = Object.values(deliveryAlarms()).map(({ TreatMissingData }) => TreatMissingData);
    expect(decided.length).toBeGreaterThan(4);
    expect(decided).not.toContain(undefined);
    expect(decided).not.toContain('missing');
  });
});

describe('MO-02 dimensions', () => {
  const dimensions = (all: { [metric: string]: Json }) => all['GetRecords.IteratorAgeMilliseconds'].Dimensions;

  test('of a stream that is known by its ARN alone are filled from it', () => {
    expect(dimensions(alarms(newStack(), externalStream()))).toEqual([{ Name: 'StreamName', Value: 'clicks' }]);
    const stack = newStack();
    const imported = Stream.fromStreamArn(stack, 'Stream', 'arn:aws:kinesis:eu-central-1:111122223333:stream/imported');
    expect(dimensions(alarms(stack, EventStream.fromStream(imported, { shardCount: 4 })))).toEqual([
      { Name: 'StreamName', Value: 'imported' },
    ]);
  });

  test('of an ARN that is known only at deployment are taken from it then', () => {
    const stack = newStack();
    const streamArn = Token.asString({ 'Fn::ImportValue': 'StreamArn' });
    const [{ Name, Value }] = dimensions(alarms(stack, EventStream.fromStreamAttributes(stack, 'Stream', { streamArn, shardCount: 4 })));
    expect(Name).toBe('StreamName');
    expect(JSON.stringify(Value)).toContain('Fn::ImportValue');
  });

  test('of every alarm have a name and a value', () => {
    for (const { Dimensions } of Object.values(deliveryAlarms())) {
      expect(Dimensions).toEqual([{ Name: expect.stringMatching(/.+/), Value: expect.anything() }]);
    }
  });
});

describe('MO-04 freshness of a delivery stream', () => {
  const freshness = (props?: Partial<ArchiveDeliveryStreamProps>) => deliveryAlarms(props)['DeliveryToS3.DataFreshness'];

  test.each([
    [60, 120],
    [300, 600],
    [900, 1800],
  ])('buffered for %d s it is an alarm at %d s at the earliest', (interval, least) => {
    expect(freshness({ bufferingInterval: Duration.seconds(interval) }).Threshold).toBeGreaterThanOrEqual(least);
  });

  test('at the default of 300 s it is 900 s, of the one delivery stream', () => {
    expect(freshness()).toMatchObject({
      Threshold: 900,
      ComparisonOperator: 'GreaterThanThreshold',
      Dimensions: [{ Name: 'DeliveryStreamName', Value: 'archive' }],
    });
  });

  test('an interval that nobody told counts as the longest', () => {
    const stack = newStack();
    const deliveryStreamName = Token.asString({ Ref: 'Name' });
    const archive = ArchiveDeliveryStream.fromDeliveryStreamAttributes(stack, 'Archive', {
      deliveryStreamArn: `arn:aws:firehose:eu-central-1:111122223333:deliverystream/${deliveryStreamName}`,
    });
    expect(alarms(stack, externalStream(), archive)['DeliveryToS3.DataFreshness'].Threshold).toBeGreaterThanOrEqual(1800);
  });

  test('records that it refuses are an alarm of their own', () => {
    expect(deliveryAlarms().ThrottledRecords).toMatchObject({ Threshold: 0, ComparisonOperator: 'GreaterThanThreshold' });
  });
});

describe('MO-05 Prometheus finds the pods of a job, and its rules the metrics', () => {
  test('the monitor selects the labels that Flink gives them, and the port that they have', () => {
    const { PodMonitor, FlinkDeployment } = watched();
    expect(PodMonitor.spec.selector.matchLabels).toEqual({ app: FlinkDeployment.metadata.name, type: 'flink-native-kubernetes' });
    const [{ port }] = PodMonitor.spec.podMetricsEndpoints;
    const { jobManager, taskManager, flinkConfiguration } = FlinkDeployment.spec;
    for (const { podTemplate } of [jobManager, taskManager]) {
      expect(podTemplate.spec.containers[0].ports).toEqual([expect.objectContaining({ name: port, containerPort: 9249 })]);
    }
    expect(flinkConfiguration['metrics.reporter.prom.port']).toBe('9249');
    expect(PodMonitor.metadata.namespace).toBe(FlinkDeployment.metadata.namespace);
  });

  test('no rule asks for the label job, which names the scrape job', () => {
    const rules = watched().PrometheusRule.spec.groups.flatMap(({ rules: some }: Json) => some);
    expect(rules.length).toBeGreaterThan(5);
    for (const { expr } of rules) {
      expect(expr).not.toMatch(/[{,]\s*job\s*=/);
      expect(expr).toContain('namespace="streaming",app="clicks"');
    }
  });
});

describe('MO-06 the age of the iterator', () => {
  const age = (retentionPeriod?: Duration) => {
    const stack = newStack();
    return alarms(stack, new EventStream(stack, 'Events', { shardCount: 4, retentionPeriod }))['GetRecords.IteratorAgeMilliseconds'];
  };

  test('counts in milliseconds, and the slowest shard counts', () => {
    expect(age()).toMatchObject({ Threshold: 600_000, Statistic: 'Maximum', ComparisonOperator: 'GreaterThanThreshold' });
    expect(age(Duration.days(7))).toMatchObject({ Threshold: 600_000 });
  });
});
