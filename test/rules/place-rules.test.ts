import { Duration, RemovalPolicy, type Stack, Token } from 'aws-cdk-lib';
import { Bucket, type BucketProps } from 'aws-cdk-lib/aws-s3';
import { CheckpointStorage } from '../../lib/application/checkpoint-storage';
import type { FlinkApplicationProps } from '../../lib/application/flink-application';
import { FlinkImage } from '../../lib/application/flink-image';
import { EventStream, type EventStreamProps } from '../../lib/aws/event-stream';
import { Format, MalformedRecords } from '../../lib/connectors/format';
import { JarProgram } from '../../lib/connectors/jar-program';
import { KafkaSink } from '../../lib/connectors/kafka-sink';
import { KafkaSource } from '../../lib/connectors/kafka-source';
import { KafkaStart } from '../../lib/connectors/kafka-start';
import { KinesisSink } from '../../lib/connectors/kinesis-sink';
import { KinesisSource } from '../../lib/connectors/kinesis-source';
import { StartPosition } from '../../lib/connectors/start-position';
import { UpsertKafkaSink } from '../../lib/connectors/upsert-kafka-sink';
import { KafkaCluster } from '../../lib/kafka/kafka-cluster';
import { type IKafkaTopic, KafkaTopic } from '../../lib/kafka/kafka-topic';
import { CleanupPolicy } from '../../lib/kafka/topic-configuration';
import { DeliveryGuarantee, type IConnector } from '../../lib/sql/connector';
import { SqlProgram } from '../../lib/sql/sql-program';
import { COLUMNS } from '../cases/findings';
import { sink, source } from '../fixtures/programs';
import { newStack } from '../fixtures/stacks';
import { warnings } from './warnings';

const CLUSTER = KafkaCluster.selfManaged({ bootstrapServers: ['b:9092'] });
const STORAGE = CheckpointStorage.location('s3p://state/orders');
const READ = Format.json({ malformedRecords: MalformedRecords.FAIL });

function topicOf(topicName: string, config?: { [key: string]: string }, cleanupPolicy?: CleanupPolicy): IKafkaTopic {
  return config === undefined
    ? KafkaTopic.fromTopicAttributes({ cluster: CLUSTER, topicName, partitions: 4, cleanupPolicy })
    : new KafkaTopic(newStack(), 'Topic', { cluster: CLUSTER, topicName, partitions: 4, config });
}

/** A source into a sink, by a query. */
function between(from: IConnector, to: IConnector, query?: string): SqlProgram {
  const program = new SqlProgram();
  const events = program.addTable('events', { connector: from, columns: COLUMNS });
  program.addInsert(program.addTable('out', { connector: to, columns: COLUMNS }), query ?? `SELECT * FROM ${events}`);
  return program;
}

function fromKafka(topic: IKafkaTopic): IConnector {
  return new KafkaSource({ topic, format: READ, start: KafkaStart.earliest() });
}

describe('ShortRetention', () => {
  const found = (from: IConnector, changed: Partial<FlinkApplicationProps> = {}) =>
    warnings({ program: between(from, sink().connector), ...changed }).filter((text) => text.includes('ShortRetention'));
  const kinesis = (props: EventStreamProps = {}, stream = new EventStream(newStack(), 'Clicks', { shardCount: 4, ...props })) =>
    new KinesisSource({ stream, start: StartPosition.latest(), format: READ });
  const checkpoints = (interval: Duration, minPause?: Duration) => ({
    checkpointing: { storage: STORAGE, interval, minPause, timeout: Duration.days(1) },
  });

  test('fires where an outage is longer than a stream remembers', () => {
    expect(found(kinesis(), { survivableOutage: Duration.days(3) })).toEqual([
      expect.stringMatching(
        /^cdk-flink-pipeline:ShortRetention events: records of table 'events' of job 'orders' are kept for 1 day, and after an outage of 3 days \(survivableOutage\)/,
      ),
    ]);
    expect(found(kinesis({ retentionPeriod: Duration.days(4) }), { survivableOutage: Duration.days(3) })).toEqual([]);
  });

  test.each<[string, Duration, Duration | undefined, number]>([
    ['the interval', Duration.hours(24), undefined, 1],
    ['the pause', Duration.minutes(1), Duration.hours(24), 1],
    ['neither', Duration.hours(23), Duration.hours(22), 0],
  ])('adds the longer of interval and pause: %s', (_, interval, minPause, count) => {
    expect(found(kinesis(), checkpoints(interval, minPause))).toHaveLength(count);
  });

  test('knows the retention of a topic', () => {
    expect(found(fromKafka(topicOf('orders', { 'retention.ms': '300000' })))).toHaveLength(1);
    expect(found(fromKafka(topicOf('orders', { 'retention.ms': '360000' })))).toEqual([]);
    expect(found(fromKafka(topicOf('orders', { 'retention.ms': '-1' })), checkpoints(Duration.hours(12)))).toEqual([]);
  });

  test('passes for a token, and for what exists already', () => {
    const outage = { survivableOutage: Duration.days(400) };
    expect(found(fromKafka(topicOf('orders', { 'retention.ms': Token.asString({ Ref: 'Retention' }) })), outage)).toEqual([]);
    expect(found(fromKafka(topicOf('orders')), outage)).toEqual([]);
    const streamArn = 'arn:aws:kinesis:eu-central-1:111122223333:stream/clicks';
    expect(found(kinesis({}, EventStream.external({ streamArn, shardCount: 4 }) as EventStream), outage)).toEqual([]);
  });
});

describe('DeletableState', () => {
  const found = (props: BucketProps, import_?: (stack: Stack) => Bucket) => {
    const stack = newStack();
    const bucket = import_?.(stack) ?? new Bucket(stack, 'State', { bucketName: 'state', ...props });
    return warnings({ checkpointing: { storage: CheckpointStorage.s3(bucket, 'orders') } });
  };

  test('fires for a bucket that is emptied with its stack', () => {
    expect(found({ removalPolicy: RemovalPolicy.DESTROY, autoDeleteObjects: true })).toEqual([
      expect.stringContaining(
        "cdk-flink-pipeline:DeletableState: bucket 'Stack/State' with the checkpoints of job 'orders' has autoDeleteObjects",
      ),
    ]);
  });

  test('passes for one that keeps its objects, or is not of this app', () => {
    expect(found({})).toEqual([]);
    expect(found({ removalPolicy: RemovalPolicy.DESTROY })).toEqual([]);
    expect(found({}, (stack) => Bucket.fromBucketName(stack, 'Imported', Token.asString({ Ref: 'Name' })) as Bucket)).toEqual([]);
    expect(warnings({ checkpointing: { storage: STORAGE } })).toEqual([]);
  });
});

describe('NumberedPrefix', () => {
  const found = (transactionalIdPrefix?: string) =>
    warnings({
      program: between(
        source().connector,
        new KafkaSink({
          topic: topicOf('totals'),
          format: Format.json(),
          guarantee: DeliveryGuarantee.EXACTLY_ONCE,
          transactionalIdPrefix,
        }),
      ),
      parallelism: 4,
    });

  test.each([
    ['orders-v14', 'v14'],
    ['orders-build-8841', 'build-8841'],
    ['orders.release_71', 'release_71'],
    ['Rev12.orders', 'Rev12'],
  ])('fires for %s', (prefix, number) => {
    expect(found(prefix)).toEqual([
      expect.stringContaining(
        `NumberedPrefix out: transactionalIdPrefix '${prefix}' of table 'out' of job 'orders' holds '${number}': if it changes`,
      ),
    ]);
  });

  test.each([undefined, 'orders', 'orders-v2', 'orders-2', 'orders-pipeline-20', 'release_7', 'rebuild-77x', 'prerelease', 'trun-8'])(
    'passes for %s',
    (prefix) => {
      expect(found(prefix)).toEqual([]);
    },
  );
});

describe('FeedbackLoop', () => {
  const toKafka = (topic: IKafkaTopic) => new KafkaSink({ topic, format: Format.json() });
  const stream = (name: string) =>
    EventStream.external({ streamArn: `arn:aws:kinesis:eu-central-1:111122223333:stream/${name}`, shardCount: 4 });
  const fromKinesis = (name: string) => new KinesisSource({ stream: stream(name), start: StartPosition.latest(), format: READ });
  const toKinesis = (name: string) => new KinesisSink({ stream: stream(name), format: Format.json() });

  test('fires for a topic and for a stream, also through a view', () => {
    expect(warnings({ program: between(fromKafka(topicOf('orders')), toKafka(topicOf('orders'))) })).toEqual([
      expect.stringContaining(
        "cdk-flink-pipeline:FeedbackLoop out: the query into table 'out' of job 'orders' reads table 'events', which is on the same topic",
      ),
    ]);
    expect(warnings({ program: between(fromKinesis('clicks'), toKinesis('clicks')) })).toEqual([
      expect.stringContaining('which is on the same stream'),
    ]);
    const program = new SqlProgram();
    const events = program.addTable('events', { connector: fromKinesis('clicks'), columns: COLUMNS });
    const view = program.addView('some', `SELECT * FROM ${events}`);
    program.addInsert(program.addTable('out', { connector: toKinesis('clicks'), columns: COLUMNS }), `SELECT * FROM ${view}`);
    expect(warnings({ program })).toHaveLength(1);
  });

  test('passes for another place, another query and another cluster', () => {
    expect(warnings({ program: between(fromKafka(topicOf('orders')), toKafka(topicOf('totals'))) })).toEqual([]);
    expect(warnings({ program: between(fromKinesis('clicks'), toKinesis('totals')) })).toEqual([]);
    const other = KafkaCluster.selfManaged({ bootstrapServers: ['c:9092'] });
    const copy = KafkaTopic.fromTopicAttributes({ cluster: other, topicName: 'orders', partitions: 4 });
    expect(warnings({ program: between(fromKafka(topicOf('orders')), toKafka(copy)) })).toEqual([]);
    const apart = between(fromKafka(topicOf('orders')), toKafka(topicOf('totals')));
    const items = apart.addTable('items', { connector: fromKafka(topicOf('items')), columns: COLUMNS });
    apart.addInsert(apart.addTable('merged', { connector: toKafka(topicOf('orders')), columns: COLUMNS }), `SELECT * FROM ${items}`);
    expect(warnings({ program: apart })).toEqual([]);
  });

  test('passes for names that are known at deployment, and for a JAR', () => {
    const topic = (ref: string) => topicOf(Token.asString({ Ref: ref }));
    expect(warnings({ program: between(fromKafka(topic('From')), toKafka(topic('To'))) })).toEqual([]);
    const jar = new JarProgram({ jarUri: 'local:///opt/flink/usrlib/jobs.jar', kafkaTopics: [topicOf('orders')], consumerGroup: 'mine' });
    expect(warnings({ program: jar, image: FlinkImage.named('registry/jobs:1') })).toEqual([]);
  });

  test('fires for upserts into the topic that is read', () => {
    const program = new SqlProgram();
    const topic = topicOf('orders', undefined, CleanupPolicy.COMPACT);
    const events = program.addTable('events', { connector: fromKafka(topic), columns: COLUMNS });
    const connector = new UpsertKafkaSink({ topic, keyFormat: Format.json(), valueFormat: Format.json() });
    program.addInsert(program.addTable('out', { connector, columns: COLUMNS, primaryKey: ['id'] }), `SELECT * FROM ${events}`);
    expect(warnings({ program })).toEqual([expect.stringContaining('FeedbackLoop out')]);
  });
});
