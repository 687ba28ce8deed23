import { Duration, Size, Stack, Token } from 'aws-cdk-lib';
import { CheckpointStorage } from '../../lib/application/checkpoint-storage';
import { CheckpointingMode } from '../../lib/application/checkpointing';
import type { FlinkApplicationProps } from '../../lib/application/flink-application';
import { FlinkImage } from '../../lib/application/flink-image';
import { RestartStrategy } from '../../lib/application/restart-strategy';
import { StateBackend } from '../../lib/application/state-backend';
import { JobState, UpsertMaterialize } from '../../lib/application/upgrade';
import { ArchiveDeliveryStream } from '../../lib/aws/archive-delivery-stream';
import { DimensionTable } from '../../lib/aws/dimension-table';
import { CustomConnector } from '../../lib/connectors/custom-connector';
import { DynamoDbSink } from '../../lib/connectors/dynamo-db-sink';
import { FirehoseSink } from '../../lib/connectors/firehose-sink';
import { Format } from '../../lib/connectors/format';
import { JarProgram } from '../../lib/connectors/jar-program';
import { KafkaSink } from '../../lib/connectors/kafka-sink';
import { KinesisSink } from '../../lib/connectors/kinesis-sink';
import { UpsertKafkaSink } from '../../lib/connectors/upsert-kafka-sink';
import { KafkaCluster } from '../../lib/kafka/kafka-cluster';
import { type IKafkaTopic, KafkaTopic } from '../../lib/kafka/kafka-topic';
import { CleanupPolicy } from '../../lib/kafka/topic-configuration';
import { applicationErrors } from '../../lib/rules/application-rules';
import { Changes, DeliveryGuarantee, TableRole } from '../../lib/sql/connector';
import { bind, into } from '../cases/findings';
import { application, programOf, sink, stream } from '../fixtures/programs';
import { externalStream, newStack } from '../fixtures/stacks';
import { warnings } from './warnings';

const CLUSTER = KafkaCluster.selfManaged({ bootstrapServers: ['b:9092'] });
const STORAGE = CheckpointStorage.location('s3p://state/orders');
const TOKEN = Token.asString({ Ref: 'Value' });

function kafka(guarantee?: DeliveryGuarantee, options: { [option: string]: string } = {}): KafkaSink {
  const topic = KafkaTopic.fromTopicAttributes({ cluster: CLUSTER, topicName: 'totals', partitions: 4 });
  return new KafkaSink({ topic, format: Format.json(), guarantee, options });
}

function compacted(): IKafkaTopic {
  return KafkaTopic.fromTopicAttributes({ cluster: CLUSTER, topicName: 'totals', partitions: 4, cleanupPolicy: CleanupPolicy.COMPACT });
}

describe('SlowRestart', () => {
  const found = (changed: Partial<FlinkApplicationProps>, guarantee = DeliveryGuarantee.EXACTLY_ONCE) =>
    warnings({ program: into(kafka(guarantee)), ...changed });

  test.each<[string, Partial<FlinkApplicationProps>, string]>([
    ['a fixed delay', { restartStrategy: RestartStrategy.fixedDelay(10, Duration.minutes(10)) }, '10 minutes'],
    ['delays that grow', { restartStrategy: RestartStrategy.exponentialDelay({ maxBackoff: Duration.minutes(5) }) }, '5 minutes'],
    [
      'a rate of failures',
      { restartStrategy: RestartStrategy.failureRate({ maxFailures: 3, interval: Duration.hours(1), delay: Duration.minutes(6) }) },
      '6 minutes',
    ],
    ['an option', { flinkConfiguration: { 'restart-strategy.exponential-delay.max-backoff': '1 h' } }, '1 hour'],
    [
      'a short outage',
      { survivableOutage: Duration.seconds(30), restartStrategy: RestartStrategy.fixedDelay(10, Duration.seconds(30)) },
      '30 seconds',
    ],
  ])('fires for %s', (_, changed, delay) => {
    expect(found(changed)).toEqual([
      expect.stringContaining(`cdk-flink-pipeline:SlowRestart: job 'orders' may wait ${delay} before it restarts`),
    ]);
  });

  test.each<[string, Partial<FlinkApplicationProps>]>([
    ['the default', {}],
    ['a shorter delay', { restartStrategy: RestartStrategy.fixedDelay(10, Duration.minutes(4)) }],
    ['a longer outage', { survivableOutage: Duration.minutes(7), restartStrategy: RestartStrategy.fixedDelay(10, Duration.minutes(6)) }],
    ['no restart at all', { restartStrategy: RestartStrategy.none() }],
    ['a token', { flinkConfiguration: { 'restart-strategy.exponential-delay.max-backoff': TOKEN } }],
  ])('passes for %s', (_, changed) => {
    expect(found(changed)).toEqual([]);
  });

  test('passes without transactions', () => {
    const restartStrategy = RestartStrategy.fixedDelay(10, Duration.hours(1));
    expect(found({ restartStrategy }, DeliveryGuarantee.AT_LEAST_ONCE)).toEqual([]);
  });
});

describe('IneffectiveAutoscaler', () => {
  const ON = { 'job.autoscaler.enabled': 'true' };
  const found = (flinkConfiguration: { [key: string]: string }, changed: Partial<FlinkApplicationProps> = {}) =>
    warnings({ flinkConfiguration, ...changed });

  test('fires where Flink would have to listen at a restart', () => {
    expect(found(ON)).toEqual([
      expect.stringMatching(
        /^cdk-flink-pipeline:IneffectiveAutoscaler: 'job.autoscaler.enabled' of job 'orders' restarts it .*; set 'jobmanager.scheduler' to 'adaptive', or leave the autoscaler out$/,
      ),
    ]);
    expect(found({ ...ON, 'jobmanager.scheduler': 'Default' })).toHaveLength(1);
    const restarting = { ...ON, 'jobmanager.scheduler': 'Adaptive', 'kubernetes.operator.job.upgrade.inplace-scaling.enabled': 'false' };
    expect(found(restarting)).toEqual([expect.stringContaining("leave 'kubernetes.operator.job.upgrade.inplace-scaling.enabled' out")]);
  });

  test('fires for a JAR too, which is a stream graph as well', () => {
    const jar = () => ({
      program: new JarProgram({ jarUri: 'local:///opt/flink/usrlib/clicks.jar' }),
      parallelism: 1,
      image: FlinkImage.named('registry/clicks:1'),
    });
    expect(found(ON, jar())).toEqual([expect.stringContaining('ignores in application mode (FLINK-38770)')]);
    expect(found({ ...ON, 'jobmanager.scheduler': 'adaptive' }, jar())).toEqual([]);
  });

  test('passes for the adaptive scheduler, where it is off or only measures, and for a token', () => {
    expect(found({ ...ON, 'jobmanager.scheduler': 'adaptive' })).toEqual([]);
    expect(found({ 'job.autoscaler.enabled': 'false' })).toEqual([]);
    expect(found({ ...ON, 'job.autoscaler.scaling.enabled': 'false' })).toEqual([]);
    expect(found({ 'job.autoscaler.enabled': TOKEN })).toEqual([]);
    expect(found({ ...ON, 'jobmanager.scheduler': TOKEN })).toEqual([]);
    expect(found({ ...ON, 'job.autoscaler.scaling.enabled': TOKEN })).toEqual([]);
  });
});

test('EndlessMaterializer and UpsertMaterializeOff see what the program sets', () => {
  const latest = () => new UpsertKafkaSink({ topic: compacted(), keyFormat: Format.json(), valueFormat: Format.json() });
  const set = (value: string, ttl?: string, program = into(latest(), { primaryKey: ['id'] })) => {
    program.set('table.exec.sink.upsert-materialize', value);
    if (ttl !== undefined) {
      program.set('table.exec.state.ttl', ttl);
    }
    return warnings({ program }).map((text) => text.split(':')[1]);
  };
  expect(set('force')).toEqual(['EndlessMaterializer']);
  expect(set('FORCE', '7 d')).toEqual([]);
  expect(set('none')).toEqual(['UpsertMaterializeOff']);
  expect(set('AUTO')).toEqual([]);
  expect(warnings({ program: into(latest(), { primaryKey: ['id'] }), upsertMaterialize: UpsertMaterialize.AUTO })).toEqual([]);
  // Without a key no sink has a materializer.
  expect(['FORCE', 'NONE'].flatMap((value) => set(value, undefined, into(kafka())))).toEqual([]);
  expect([UpsertMaterialize.FORCE, UpsertMaterialize.NONE].flatMap((value) => warnings({ upsertMaterialize: value }))).toEqual([]);
});

test('barriers overtake nothing where none are aligned', () => {
  const made =
    (mode?: CheckpointingMode, unaligned = true) =>
    () =>
      application({ checkpointing: { storage: STORAGE, mode, unaligned } });
  expect(made(CheckpointingMode.AT_LEAST_ONCE)).toThrow('checkpointing.unaligned needs checkpointing.mode EXACTLY_ONCE, got AT_LEAST_ONCE');
  expect(made(CheckpointingMode.AT_LEAST_ONCE, false)).not.toThrow();
  expect(made(CheckpointingMode.EXACTLY_ONCE)).not.toThrow();
  expect(made()).not.toThrow();
});

describe('OptionWithoutEffect', () => {
  const found = (key: string, changed: Partial<FlinkApplicationProps> = {}, value = '4') =>
    warnings({ flinkConfiguration: { [key]: value }, ...changed });
  const aligned = 'execution.checkpointing.aligned-checkpoint-timeout';

  test.each<[string, string, string, string, Partial<FlinkApplicationProps>]>([
    ['RocksDB', 'state.backend.rocksdb.thread.num', '4', 'stateBackend: StateBackend.rocksDb()', { stateBackend: StateBackend.rocksDb() }],
    ['unaligned checkpoints', aligned, '10 s', 'checkpointing.unaligned', { checkpointing: { storage: STORAGE, unaligned: true } }],
    [
      'local recovery',
      'execution.checkpointing.local-backup.dirs',
      '/opt/flink/local',
      'stateBackend with localRecovery',
      { stateBackend: StateBackend.hashMap({ localRecovery: true }) },
    ],
    [
      'another restart strategy',
      'restart-strategy.exponential-delay.jitter-factor',
      '0.2',
      'restartStrategy of that kind',
      { restartStrategy: RestartStrategy.exponentialDelay() },
    ],
    ['high availability', 'high-availability.jobmanager.port', '6123', 'highAvailability', {}],
  ])('fires for an option of %s, and passes where the job has it', (_, key, value, needs, given) => {
    const lacking = { highAvailability: false, restartStrategy: RestartStrategy.fixedDelay(3, Duration.seconds(1)) };
    const told = (changed: Partial<FlinkApplicationProps>) =>
      found(key, changed, value).filter((text) => text.includes('OptionWithoutEffect'));
    expect(told(lacking)).toEqual([
      `cdk-flink-pipeline:OptionWithoutEffect: '${key}' in flinkConfiguration of job 'orders' has no effect without ${needs}: give that, or leave it out`,
    ]);
    expect(told(given)).toEqual([]);
    expect(found(key, lacking, TOKEN).filter((text) => text.includes('OptionWithoutEffect'))).toHaveLength(1);
  });

  test("passes for Flink's own strategy, for other options, and for a JAR", () => {
    expect(found('restart-strategy.exponential-delay.jitter-factor', {}, '0.2')).toEqual([]);
    expect(found('restart-strategy.fixed-delay.attempts')).toHaveLength(1);
    expect(found('web.timeout', {}, '10 s')).toEqual([]);
    const program = new JarProgram({ jarUri: 'local:///opt/flink/usrlib/clicks.jar' });
    expect(found('state.backend.rocksdb.thread.num', { program, parallelism: 1, image: FlinkImage.named('registry/clicks:1') })).toEqual(
      [],
    );
  });
});

describe('LocalStorage', () => {
  const found = (volume: Size | undefined, disk?: Size) =>
    warnings({ stateBackend: StateBackend.rocksDb({ localStorage: volume }), taskManager: { ephemeralStorage: disk } });

  test('fires for a disk that is smaller than the volume on it', () => {
    expect(found(Size.gibibytes(50), Size.gibibytes(10))).toEqual([
      expect.stringContaining(
        "LocalStorage: the pods of job 'orders' have 10240 MiB of local disk (taskManager.ephemeralStorage), and their state a volume of 51200 MiB",
      ),
    ]);
  });

  test('passes for a disk of its size, and where one of them has no limit', () => {
    expect(found(Size.gibibytes(50), Size.gibibytes(50))).toEqual([]);
    expect(found(Size.gibibytes(50))).toEqual([]);
    expect(found(undefined, Size.gibibytes(10))).toEqual([]);
    expect(warnings({ taskManager: { ephemeralStorage: Size.gibibytes(1) } })).toEqual([]);
  });
});

describe('TooFewSlots', () => {
  const MOST = 'slotmanager.number-of-slots.max';
  const errors = (flinkConfiguration: { [key: string]: string }, changed: Partial<FlinkApplicationProps> = {}) =>
    applicationErrors(application({ flinkConfiguration, ...changed }));

  test('fires below the widest vertex', () => {
    expect(errors({ [MOST]: '3' })).toEqual([
      "flinkConfiguration of job 'orders' sets 'slotmanager.number-of-slots.max' to '3', and its widest vertex needs 4 slots: it would wait for them for ever; raise it, or leave it out [cdk-flink-pipeline:TooFewSlots]",
    ]);
    expect(errors({ [MOST]: '4' }, { parallelism: 5 })).toHaveLength(1);
    const program = programOf({ events: stream('clicks', 4), printed: sink({ parallelismOption: 'sink.parallelism', writers: 6 }) });
    expect(errors({ [MOST]: '5' }, { program })).toEqual([expect.stringContaining('needs 6 slots')]);
  });

  test('passes from it on, for a token, and where the scheduler takes what there is', () => {
    expect(errors({ [MOST]: '4' })).toEqual([]);
    expect(errors({ [MOST]: TOKEN })).toEqual([]);
    for (const scheduler of ['Adaptive', 'AdaptiveBatch', TOKEN]) {
      expect(errors({ [MOST]: '3', 'jobmanager.scheduler': scheduler })).toEqual([]);
    }
    expect(errors({ [MOST]: '3', 'jobmanager.scheduler': 'default' })).toHaveLength(1);
  });

  test('passes for a batch, whose stages take turns, and while the job is suspended', () => {
    expect(errors({ [MOST]: '3', 'execution.runtime-mode': 'BATCH' })).toEqual([]);
    expect(errors({ [MOST]: '3', 'execution.runtime-mode': 'STREAMING' })).toHaveLength(1);
    expect(errors({ [MOST]: '3' }, { state: JobState.SUSPENDED })).toEqual([]);
    expect(errors({ [MOST]: '3' }, { state: JobState.RUNNING })).toHaveLength(1);
  });
});

describe('buffers of the AWS sinks', () => {
  const BUFFERED = 'sink.requests.max-buffered';
  const kinesis = (options: { [option: string]: string }) => () =>
    new KinesisSink({ stream: externalStream(), format: Format.json(), options });
  const firehose = (options: { [option: string]: string }) => () =>
    new FirehoseSink({
      deliveryStream: ArchiveDeliveryStream.external({
        deliveryStreamArn: 'arn:aws:firehose:eu-central-1:111122223333:deliverystream/archive',
      }),
      format: Format.json(),
      options,
    });
  const dynamoDb = (options: { [option: string]: string }, batchSize?: number) => () =>
    new DynamoDbSink({ table: new DimensionTable(newStack(), 'Table', { partitionKey: 'id' }), options, batchSize });

  test('hold more than one request', () => {
    expect(kinesis({ [BUFFERED]: '500' })).toThrow(
      "'sink.requests.max-buffered' must be above 'sink.batch.max-size', 500 here, got '500': the job fails when it starts; leave it out for 10000",
    );
    expect(kinesis({ [BUFFERED]: '501' })).not.toThrow();
    expect(kinesis({ [BUFFERED]: '100', 'sink.batch.max-size': '50' })).not.toThrow();
    expect(kinesis({ [BUFFERED]: TOKEN })).not.toThrow();
    expect(kinesis({ [BUFFERED]: '100', 'sink.batch.max-size': TOKEN })).not.toThrow();
    expect(firehose({ [BUFFERED]: '100' })).toThrow('500 here');
    expect(dynamoDb({ [BUFFERED]: '25' })).toThrow('25 here');
    expect(dynamoDb({ [BUFFERED]: '25' }, 10)).not.toThrow();
    expect(dynamoDb({ [BUFFERED]: '10' }, 10)).toThrow('10 here');
    expect(dynamoDb({ [BUFFERED]: TOKEN })).not.toThrow();
    const custom = () =>
      new CustomConnector({
        identifier: 'sqs',
        role: TableRole.SINK,
        changes: Changes.INSERT_ONLY,
        options: { 'queue-url': 'https://sqs/q', 'aws.region': 'eu-central-1', format: 'json', [BUFFERED]: '10' },
      });
    expect(custom).toThrow("'sink.batch.max-size', 10 here");
  });

  test('hold the largest record', () => {
    const SIZE = 'sink.flush-buffer.size';
    expect(kinesis({ [SIZE]: '1000' })).toThrow(
      "'sink.flush-buffer.size' must be at least 1048576, the bytes of the largest record, got '1000': the job fails when it starts",
    );
    expect(kinesis({ [SIZE]: '1048576' })).not.toThrow();
    expect(kinesis({ [SIZE]: TOKEN })).not.toThrow();
    expect(firehose({ [SIZE]: '1023999' })).toThrow('must be at least 1024000');
  });
});

describe('times of a Kafka producer', () => {
  const options =
    (delivery: string, changed: { [option: string]: string } = {}) =>
    () =>
      kafka(undefined, { 'properties.delivery.timeout.ms': delivery, ...changed });

  test('leave a request its time', () => {
    expect(options('30000')).toThrow(
      "'properties.delivery.timeout.ms' must be at least 'properties.request.timeout.ms' and 'properties.linger.ms' together, 30005 here, got '30000'",
    );
    expect(options('30005')).not.toThrow();
    expect(options('30000', { 'properties.request.timeout.ms': '10000' })).not.toThrow();
    expect(options('30000', { 'properties.request.timeout.ms': '10000', 'properties.linger.ms': '20001' })).toThrow('30001 here');
    expect(options(TOKEN)).not.toThrow();
  });
});

describe('large records', () => {
  const SIZE = 'properties.max.request.size';
  const written = (config: { [key: string]: string }, options?: { [option: string]: string }) =>
    bind(
      new KafkaSink({
        topic: new KafkaTopic(new Stack(), 'Topic', { cluster: CLUSTER, topicName: 'totals', partitions: 4, config }),
        format: Format.json(),
        options,
      }),
    ).options[SIZE];

  test('are sent where the topic takes them, unless it is said otherwise', () => {
    expect(written({ 'max.message.bytes': '10485760' })).toBe('10485760');
    expect(written({ 'max.message.bytes': '10485760' }, { [SIZE]: '2097152' })).toBe('2097152');
    expect(written({ 'max.message.bytes': '1048576' })).toBeUndefined();
    expect(written({ 'max.message.bytes': TOKEN })).toBeUndefined();
    expect(written({})).toBeUndefined();
  });
});
