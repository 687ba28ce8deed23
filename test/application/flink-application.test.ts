import { Aws, Duration, Size, Stack, Token } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import * as fc from 'fast-check';
import { CheckpointStorage } from '../../lib/application/checkpoint-storage';
import { CheckpointingMode, CheckpointRetention } from '../../lib/application/checkpointing';
import type { FlinkApplicationProps } from '../../lib/application/flink-application';
import { FlinkImage } from '../../lib/application/flink-image';
import { FlinkOperatorVersion } from '../../lib/application/flink-operator-version';
import { FlinkVersion } from '../../lib/application/flink-version';
import { OWNED_OPTIONS, USELESS_OPTIONS } from '../../lib/application/owned-options';
import { RestartStrategy } from '../../lib/application/restart-strategy';
import { StateBackend } from '../../lib/application/state-backend';
import { SavepointFormat, UpsertMaterialize } from '../../lib/application/upgrade';
import { DYNAMODB_LOOKUP } from '../../lib/connectors/dynamo-db-lookup';
import { Artifact } from '../../lib/sql/artifact';
import { Changes } from '../../lib/sql/connector';
import { SecretRef } from '../../lib/sql/secret-ref';
import { SqlProgram } from '../../lib/sql/sql-program';
import { Watermark } from '../../lib/sql/watermark';
import { application, derived, programOf, sink, source, stream, topic, transactionalSink } from '../fixtures/programs';

const STORAGE = CheckpointStorage.location('s3p://state/orders');
const WATERMARK = { watermark: Watermark.delayed('at', Duration.seconds(5)) };
const number = Token.asNumber({ Ref: 'Number' });

const build = (changed: Partial<FlinkApplicationProps>) => () => application(changed);

describe('parallelism', () => {
  test('is that of the stream, with the reason first of all', () => {
    const job = application();
    expect(job.parallelism).toBe(4);
    expect(job.explain()[0]).toEqual({ name: 'job.parallelism', value: '4', reason: 'shards of stream clicks' });
  });

  test('stands nowhere in configuration or script: the FlinkDeployment has it', () => {
    const job = application({ parallelism: 7 });
    expect(job.parallelism).toBe(7);
    expect(Object.keys(job.flinkConfiguration).filter((key) => key.includes('parallelism'))).toEqual(['pipeline.max-parallelism']);
    expect(job.script).not.toMatch(/parallelism/);
  });

  test('of readers and writers reaches the script and the reasons', () => {
    const program = programOf({
      events: stream('clicks', 12),
      items: topic('items', 6),
      latest: sink({ parallelismOption: 'sink.parallelism', splits: { unit: 'partition', of: 'topic latest', count: 3 } }),
    });
    const job = application({ program });
    expect(job.script).toContain("'scan.parallelism' = '6'");
    expect(job.script).toContain("'sink.parallelism' = '3'");
    expect(derived(job, 'scan.parallelism', 'items')).toEqual({
      value: '6',
      reason: 'topic items has 6 partitions: more readers than that would idle',
    });
    expect(derived(job, 'sink.parallelism', 'latest')!.reason).toContain('topic latest');
  });

  test('of the widest vertex gives slots and TaskManagers', () => {
    const program = programOf({ events: stream('clicks', 12), out: sink({ parallelismOption: 'sink.parallelism', writers: 16 }) });
    const job = application({ program, taskSlots: 3 });
    expect(derived(job, 'slots')).toEqual({ value: '16', reason: 'one for each subtask of the widest vertex: sink.parallelism of out' });
    expect(derived(job, 'task managers')).toEqual({
      value: '6',
      reason: '16 slots / 3 a TaskManager; Flink starts them as it needs them, so this is no setting',
    });
    expect(job.flinkConfiguration['taskmanager.numberOfTaskSlots']).toBe('3');
    expect(job._largestParallelism()).toBe(16);
  });
});

describe('maximum parallelism', () => {
  test('is 720 unless stated', () => {
    expect(derived(application(), 'pipeline.max-parallelism')).toEqual({
      value: '720',
      reason: 'divides evenly by many parallelisms; it can never change while there is state',
    });
    expect(derived(application({ maxParallelism: 128 }), 'pipeline.max-parallelism')).toEqual({ value: '128', reason: 'stated' });
  });

  test.each([0, 1.5, 32_769])('refuses %s', (maxParallelism) => {
    expect(build({ maxParallelism })).toThrow(`maxParallelism must be a whole number from 1 to 32768, got ${maxParallelism}`);
  });

  test.each([4, 32_768])('takes %s', (maxParallelism) => {
    expect(application({ maxParallelism }).flinkConfiguration['pipeline.max-parallelism']).toBe(String(maxParallelism));
  });
});

describe('checkpointing', () => {
  const configuration = (checkpointing: Partial<FlinkApplicationProps['checkpointing']> = {}) =>
    application({ checkpointing: { storage: STORAGE, ...checkpointing } }).flinkConfiguration;
  const at = (key: string) => `execution.checkpointing.${key}`;

  test('has these values unless stated', () => {
    expect(configuration()).toMatchObject({
      [at('interval')]: '1 min',
      [at('min-pause')]: '0 s',
      [at('timeout')]: '10 min',
      [at('mode')]: 'EXACTLY_ONCE',
      [at('unaligned.enabled')]: 'false',
      [at('externalized-checkpoint-retention')]: 'RETAIN_ON_CANCELLATION',
      [at('max-concurrent-checkpoints')]: '1',
      [at('tolerable-failed-checkpoints')]: '3',
    });
    expect(configuration()[at('num-retained')]).toBeUndefined();
  });

  test('has those that are', () => {
    expect(
      configuration({
        interval: Duration.seconds(30),
        minPause: Duration.seconds(10),
        timeout: Duration.seconds(60),
        mode: CheckpointingMode.EXACTLY_ONCE,
        unaligned: true,
        tolerableFailures: 0,
        retention: CheckpointRetention.DELETE_ON_CANCELLATION,
        retained: 5,
      }),
    ).toMatchObject({
      [at('interval')]: '30 s',
      [at('min-pause')]: '10 s',
      [at('timeout')]: '1 min',
      [at('mode')]: 'EXACTLY_ONCE',
      [at('unaligned.enabled')]: 'true',
      [at('externalized-checkpoint-retention')]: 'DELETE_ON_CANCELLATION',
      [at('tolerable-failed-checkpoints')]: '0',
      [at('num-retained')]: '5',
    });
    expect(configuration({ mode: CheckpointingMode.AT_LEAST_ONCE })[at('mode')]).toBe('AT_LEAST_ONCE');
  });

  test('explains what it chose, and nothing that was stated', () => {
    const job = application();
    expect(derived(job, at('timeout'))).toEqual({ value: '10 min', reason: "default, Flink's own; the interval at least" });
    expect(derived(job, at('tolerable-failed-checkpoints'))!.reason).toBe('a checkpoint that fails once should not restart the job');
    const stated = application({ checkpointing: { storage: STORAGE, timeout: Duration.minutes(2), tolerableFailures: 1 } });
    expect(derived(stated, at('timeout'))).toBeUndefined();
    expect(derived(stated, at('tolerable-failed-checkpoints'))).toBeUndefined();
  });

  test.each([
    [9, '10 min'],
    [10, '10 min'],
    [11, '11 min'],
  ])('with an interval of %s min times out after %s', (minutes, value) => {
    const job = application({ checkpointing: { storage: STORAGE, interval: Duration.minutes(minutes) } });
    expect(derived(job, at('timeout'))).toEqual({ value, reason: "default, Flink's own; the interval at least" });
  });

  test('keeps checkpoints, savepoints and high availability under its storage', () => {
    const job = application();
    for (const [key, directory] of [
      [at('dir'), 'checkpoints'],
      [at('savepoint-dir'), 'savepoints'],
      ['high-availability.storageDir', 'ha'],
    ] as const) {
      expect(job.flinkConfiguration[key]).toBe(`s3p://state/orders/${directory}`);
      expect(derived(job, key)!.reason).toBe('under checkpointing.storage, the only prefix that the job may write');
    }
  });
});

describe('an exactly-once sink', () => {
  const once = (changed: Partial<FlinkApplicationProps> = {}) =>
    application({ program: programOf({ events: stream('clicks', 4), latest: transactionalSink() }), ...changed });

  test('shortens the timeout of checkpoints that nobody stated', () => {
    expect(derived(once(), 'execution.checkpointing.timeout')).toEqual({
      value: '2 min',
      reason: 'default with an exactly-once sink, whose transaction must outlive it; the interval at least',
    });
  });

  test('times out with its interval where that is longer, and the transaction outlives both', () => {
    const job = once({ checkpointing: { storage: STORAGE, interval: Duration.minutes(3) } });
    expect(derived(job, 'execution.checkpointing.timeout')!.value).toBe('3 min');
    // (1 + 1) × max(180, 180) + 180 + 300 = 840; a second failure would need 1020
    expect(derived(job, 'timeout', 'latest')!.value).toBe('840000');
  });

  test('has the transaction timeout in its table, with the arithmetic', () => {
    // (3 + 1) × max(60, 120) + 120 + 300 = 900
    const job = once();
    expect(derived(job, 'timeout', 'latest')).toEqual({
      value: '900000',
      reason: '(3 tolerable failures + 1) × max(interval 60 s, timeout 120 s + pause 0 s) + timeout 120 s + outage 300 s = 900 s',
    });
    expect(job.script).toContain("'timeout' = '900000'");
    expect(derived(job, 'execution.checkpointing.tolerable-failed-checkpoints')).toEqual({
      value: '3',
      reason: 'as many, up to 3, as an open transaction survives',
    });
  });

  test('tolerates fewer failures where they do not fit', () => {
    const job = once({ survivableOutage: Duration.seconds(301) });
    expect(job.flinkConfiguration['execution.checkpointing.tolerable-failed-checkpoints']).toBe('2');
    expect(derived(job, 'timeout', 'latest')!.value).toBe('781000');
  });

  test('keeps the failures that are stated', () => {
    const job = once({ checkpointing: { storage: STORAGE, tolerableFailures: 1 } });
    expect(derived(job, 'execution.checkpointing.tolerable-failed-checkpoints')).toEqual({ value: '1', reason: 'stated' });
    expect(derived(job, 'timeout', 'latest')!.value).toBe('660000');
    expect(() => once({ checkpointing: { storage: STORAGE, tolerableFailures: 4 } })).toThrow('= 1020 s, above the broker');
  });

  test('that outlives no outage is an error of the job', () => {
    expect(() => once({ survivableOutage: Duration.minutes(12) })).toThrow(
      "the transactions of exactly-once sink 'latest' must stay open for (0 tolerable failures + 1) × max(interval 60 s, timeout 120 s + pause 0 s) + timeout 120 s + outage 720 s = 960 s, above the broker's transaction.max.timeout.ms of 900 s",
    );
    expect(() => once({ survivableOutage: Duration.minutes(11) })).not.toThrow();
  });

  test('has a prefix of namespace, job and table, which its permissions know', () => {
    const job = once();
    expect(derived(job, 'prefix', 'latest')).toEqual({
      value: 'streaming.orders.latest',
      reason: 'namespace, job and table: the same over deployments, and no other job has it',
    });
    expect(job._accessContext('latest')).toEqual({ transactionalIdPrefix: 'streaming.orders.latest' });
    expect(job._accessContext('events')).toEqual({});
  });

  test('has the prefix that is stated', () => {
    const job = once({ program: programOf({ events: stream('clicks', 4), latest: transactionalSink(900_000, 'mine') }) });
    expect(derived(job, 'prefix', 'latest')).toEqual({ value: 'mine', reason: 'stated' });
    expect(job._accessContext('latest')).toEqual({ transactionalIdPrefix: 'mine' });
  });

  test('shares its prefix with no other sink of its cluster', () => {
    const two = (first: string, second: string) =>
      build({
        program: programOf({
          events: stream('clicks', 4),
          a: transactionalSink(900_000, 'mine', first),
          b: transactionalSink(900_000, 'mine', second),
        }),
      });
    expect(two('kafka', 'kafka')).toThrow(
      "sinks 'a' and 'b' have the same transactional id prefix 'mine': they would fence each other; leave it out, or give each its own",
    );
    expect(two('kafka', 'other')).not.toThrow();
  });

  test('needs exactly-once checkpoints', () => {
    expect(() => once({ checkpointing: { storage: STORAGE, mode: CheckpointingMode.AT_LEAST_ONCE } })).toThrow(
      "exactly-once sink 'latest' needs checkpointing.mode EXACTLY_ONCE, got AT_LEAST_ONCE",
    );
  });
});

describe('consumer groups', () => {
  const reading = (name?: string) =>
    application({ program: programOf({ items: topic('items', 6, { consumerGroup: { option: 'group', name } }), out: sink() }) });

  test('are namespace and job', () => {
    const job = reading();
    expect(derived(job, 'group', 'items')).toEqual({ value: 'streaming.orders', reason: 'namespace and job' });
    expect(job.script).toContain("'group' = 'streaming.orders'");
    expect(job._accessContext('items')).toEqual({ consumerGroup: 'streaming.orders' });
  });

  test('are what is stated', () => {
    const job = reading('mine');
    expect(derived(job, 'group', 'items')).toEqual({ value: 'mine', reason: 'stated' });
    expect(job._accessContext('items')).toEqual({ consumerGroup: 'mine' });
  });
});

describe('idle timeout', () => {
  const KEY = 'table.exec.source.idle-timeout';
  const watermarked = { ...stream('clicks', 4), ...WATERMARK };

  test('is the time of two checkpoints where a source with a watermark is read in splits', () => {
    const job = application({ program: programOf({ events: watermarked, out: sink() }) });
    expect(derived(job, KEY)).toEqual({
      value: '2 min',
      reason:
        'a shard of stream clicks without rows must not hold back the watermark of events, and it must have given out its part of a window at a checkpoint before',
    });
    expect(job.script).toContain(`SET '${KEY}' = '2 min';`);
  });

  test.each([
    ['1 min', 10, 5],
    ['1 min', 30, 30],
    ['61 s', 30, 31],
    ['10 min', 300, 0],
  ])('is %s for an interval of %i s and a pause of %i s', (timeout, interval, minPause) => {
    const storage = CheckpointStorage.location('s3p://state/orders');
    const checkpointing = { storage, interval: Duration.seconds(interval), minPause: Duration.seconds(minPause) };
    expect(derived(application({ program: programOf({ events: watermarked, out: sink() }), checkpointing }), KEY)?.value).toBe(timeout);
  });

  test('is the same for a source without splits: one of its subtasks may have no rows', () => {
    const job = application({ program: programOf({ events: { ...source(), ...WATERMARK }, clicks: stream('clicks', 4), out: sink() }) });
    expect(derived(job, KEY)).toEqual({
      value: '2 min',
      reason: expect.stringMatching(/^a subtask without rows must not hold back the watermark of events/),
    });
  });

  test("is Flink's without a watermark", () => {
    const job = application({ program: programOf({ events: stream('clicks', 4), out: sink() }) });
    expect(derived(job, KEY)).toBeUndefined();
    expect(job.script).not.toContain(KEY);
  });

  test("is Flink's where nothing reads the source with a watermark", () => {
    const program = programOf({ events: stream('clicks', 4), out: sink() });
    program.addTable('unread', { columns: program._tables()[0]!.columns, ...watermarked });
    expect(derived(application({ program }), KEY)).toBeUndefined();
  });

  test('is what is stated, by the prop or in the program', () => {
    const tables = { events: watermarked, out: sink() };
    const byProp = application({ program: programOf(tables), sourceIdleTimeout: Duration.seconds(5) });
    expect(byProp.script).toContain(`SET '${KEY}' = '5 s';`);
    expect(derived(byProp, KEY)).toBeUndefined();

    const program = programOf(tables);
    program.set(KEY, '7 s');
    const inProgram = application({ program });
    expect(inProgram.script).toContain(`SET '${KEY}' = '7 s';`);
    expect(derived(inProgram, KEY)).toBeUndefined();
  });
});

describe('a source that repeats events', () => {
  const KEY = 'table.exec.source.cdc-events-duplicate';

  test('has them told by its key', () => {
    const job = application({
      program: programOf({ a: topic('orders', 4, { changes: Changes.ALL, repeatsEvents: true }), b: topic('items', 4), out: sink() }),
    });
    expect(derived(job, KEY)).toEqual({
      value: 'true',
      reason:
        'a connector restart repeats events of a; the primary key tells them, at the price of state: the last row of each key, until it is deleted',
    });
    expect(job.script).toContain(`SET '${KEY}' = 'true';`);
  });

  test('keeps its rows until the state expires, where it does', () => {
    const program = programOf({ a: topic('orders', 4, { changes: Changes.ALL, repeatsEvents: true }), out: sink() });
    expect(derived(application({ program, stateTtl: Duration.days(7) }), KEY)!.reason).toMatch(/until it is deleted or the state expires$/);
  });

  test('is the only one that has', () => {
    expect(application({ program: programOf({ a: topic('orders', 4, { changes: Changes.ALL }), out: sink() }) }).script).not.toContain(KEY);
  });
});

describe('keyed shuffle', () => {
  const KEY = 'table.exec.sink.keyed-shuffle';

  test('is forced where writers race, and names the sinks', () => {
    const program = programOf({
      events: stream('clicks', 4),
      a: sink({}, { primaryKey: ['id'] }),
      b: sink(),
      c: sink({}, { primaryKey: ['id'] }),
    });
    const job = application({ program });
    expect(derived(job, KEY)).toEqual({ value: 'FORCE', reason: 'rows of one key must reach one writer of a, c' });
    expect(job.script).toContain(`SET '${KEY}' = 'FORCE';`);
  });

  test('is not with a parallelism of one', () => {
    const program = programOf({ events: stream('clicks', 1), a: sink({}, { primaryKey: ['id'] }) });
    expect(application({ program }).script).not.toContain(KEY);
  });
});

describe('state', () => {
  test('lies on the heap unless stated', () => {
    expect(application().flinkConfiguration['state.backend.type']).toBe('hashmap');
    expect(application({ stateBackend: StateBackend.rocksDb() }).flinkConfiguration['state.backend.type']).toBe('rocksdb');
  });

  test('is dropped after its time to live', () => {
    expect(application().script).not.toContain('table.exec.state.ttl');
    expect(application({ stateTtl: Duration.days(7) }).script).toContain("SET 'table.exec.state.ttl' = '7 d';");
    expect(build({ stateTtl: Duration.days(0) })).toThrow('stateTtl must be longer than 0');
  });

  test('of updates is sorted out as stated', () => {
    const KEY = 'table.exec.sink.upsert-materialize';
    expect(application({ upsertMaterialize: UpsertMaterialize.FORCE }).script).toContain(`SET '${KEY}' = 'FORCE';`);
    expect(application({ upsertMaterialize: UpsertMaterialize.NONE }).script).toContain(`SET '${KEY}' = 'NONE';`);
    expect(application({ upsertMaterialize: UpsertMaterialize.AUTO }).script).not.toContain(KEY);
  });

  test('restarts as stated, else as Flink does', () => {
    const keys = (changed: Partial<FlinkApplicationProps>) =>
      Object.keys(application(changed).flinkConfiguration).filter((key) => key.startsWith('restart-strategy'));
    expect(keys({})).toEqual([]);
    expect(keys({ restartStrategy: RestartStrategy.fixedDelay(3, Duration.seconds(1)) })).toEqual([
      'restart-strategy.fixed-delay.attempts',
      'restart-strategy.fixed-delay.delay',
      'restart-strategy.type',
    ]);
  });

  test.each([
    ['stateTtl', 'table.exec.state.ttl', { stateTtl: Duration.days(7) }],
    ['sourceIdleTimeout', 'table.exec.source.idle-timeout', { sourceIdleTimeout: Duration.days(7) }],
  ])('%s beside the same in the program is a contradiction', (prop, key, changed) => {
    const program = programOf({ events: stream('clicks', 4), out: sink() });
    program.set(key, '1 d');
    expect(build({ program, ...changed })).toThrow(`${prop} of job 'orders' sets '${key}' to '7 d' and its program to '1 d'; give it once`);
  });
});

describe('high availability and savepoints', () => {
  test("is Kubernetes' own unless it is off", () => {
    expect(derived(application(), 'high-availability.type')).toEqual({
      value: 'kubernetes',
      reason: 'a restarted job manager goes on from the last checkpoint',
    });
    const off = application({ highAvailability: false }).flinkConfiguration;
    expect(Object.keys(off).filter((key) => key.startsWith('high-availability'))).toEqual([]);
  });

  test('savepoints are native unless the back end changes', () => {
    const KEY = 'kubernetes.operator.savepoint.format.type';
    expect(derived(application(), KEY)).toEqual({
      value: 'NATIVE',
      reason: 'fast; a change of the state back end needs CANONICAL once',
    });
    expect(application({ savepointFormat: SavepointFormat.CANONICAL }).flinkConfiguration[KEY]).toBe('CANONICAL');
  });

  test.each([true, false])('a savepoint on deletion is %s where stated', (savepointOnDeletion) => {
    const KEY = 'kubernetes.operator.job.savepoint-on-deletion';
    expect(application({ savepointOnDeletion }).flinkConfiguration[KEY]).toBe(String(savepointOnDeletion));
    expect(application().flinkConfiguration[KEY]).toBeUndefined();
  });
});

describe('file systems', () => {
  const bucketIn = (region: string) =>
    CheckpointStorage.s3(new Bucket(new Stack(undefined, 'Stack', { env: { account: '111122223333', region } }), 'State'), 'orders');

  test.each([
    ['eu-central-1', 'https://s3.eu-central-1.amazonaws.com'],
    ['cn-north-1', 'https://s3.cn-north-1.amazonaws.com.cn'],
    ['us-gov-west-1', 'https://s3.us-gov-west-1.amazonaws.com'],
  ])('of a bucket in %s ask %s', (region, endpoint) => {
    const job = application({ checkpointing: { storage: bucketIn(region) } });
    expect(derived(job, 's3.endpoint')).toEqual({
      value: endpoint,
      reason: "endpoint of the bucket's region: the file system would otherwise ask that of the partition aws",
    });
  });

  const filesAt = (s3Endpoint: string) => sink({}, {}, { fileSystems: ['s3-fs-hadoop'], s3Endpoint });
  const FRANKFURT = 'https://s3.eu-central-1.amazonaws.com';
  const BEIJING = 'https://s3.cn-north-1.amazonaws.com.cn';
  const AT_DEPLOYMENT = `https://s3.${Aws.REGION}.${Aws.URL_SUFFIX}`;
  const withFiles = (storage: CheckpointStorage, ...endpoints: string[]) => {
    const files = Object.fromEntries(endpoints.map((endpoint, index) => [`files_${index}`, filesAt(endpoint)]));
    return build({ program: programOf({ events: stream('clicks', 4), ...files }), checkpointing: { storage } });
  };

  test('of buckets in one region ask its endpoint', () => {
    expect(withFiles(bucketIn('eu-central-1'), FRANKFURT, FRANKFURT)().flinkConfiguration['s3.endpoint']).toBe(FRANKFURT);
  });

  test('of file sinks alone ask the endpoint of their buckets', () => {
    expect(withFiles(STORAGE, BEIJING)().flinkConfiguration['s3.endpoint']).toBe(BEIJING);
  });

  test('of buckets in two regions cannot both be reached', () => {
    expect(withFiles(bucketIn('eu-central-1'), BEIJING)).toThrow(
      `job 'orders' uses buckets of two regions: checkpointing.storage at ${FRANKFURT}, table 'files_0' at ${BEIJING}; Flink has one S3 endpoint for all: use buckets of one region`,
    );
    expect(withFiles(STORAGE, FRANKFURT, BEIJING)).toThrow(`table 'files_0' at ${FRANKFURT}, table 'files_1' at ${BEIJING}`);
    expect(withFiles(STORAGE, AT_DEPLOYMENT, FRANKFURT, BEIJING)).toThrow('buckets of two regions');
  });

  test('of a region that the deployment knows may lie in the same', () => {
    expect(withFiles(bucketIn('eu-central-1'), AT_DEPLOYMENT)().flinkConfiguration['s3.endpoint']).toBe(FRANKFURT);
    expect(withFiles(STORAGE, AT_DEPLOYMENT, FRANKFURT)().flinkConfiguration['s3.endpoint']).toBe(AT_DEPLOYMENT);
  });

  test.each([
    ['s3p://state/a', ['s3-fs-presto']],
    ['s3://state/a', ['s3-fs-presto']],
    ['s3a://state/a', ['s3-fs-hadoop']],
    ['file:///state/a', []],
  ])('of %s are the plugins %s', (uri, plugins) => {
    expect(application({ checkpointing: { storage: CheckpointStorage.location(uri) } })._fileSystems()).toEqual(plugins);
  });

  test('of tables and checkpoints are each once, at the exact Flink version', () => {
    const hadoop = { ...sink({}, {}, { fileSystems: ['s3-fs-hadoop'] }) };
    const job = application({
      program: programOf({ events: stream('clicks', 4), a: hadoop, b: hadoop }),
      flinkVersion: FlinkVersion.of('2.2.0'),
    });
    expect(derived(job, 'file systems')).toEqual({
      value: 'flink-s3-fs-hadoop-2.2.0.jar;flink-s3-fs-presto-2.2.0.jar',
      reason: 'plugins for the paths in use, at the exact Flink version',
    });
    expect(job.flinkConfiguration['fs.s3a.aws.credentials.provider']).toBe('com.amazonaws.auth.DefaultAWSCredentialsProviderChain');
  });

  test('without the Hadoop one need no credentials provider, and without any no plugin', () => {
    expect(application().flinkConfiguration['fs.s3a.aws.credentials.provider']).toBeUndefined();
    const local = application({ checkpointing: { storage: CheckpointStorage.location('file:///state') } });
    expect(derived(local, 'file systems')).toBeUndefined();
  });
});

describe('jars', () => {
  const CONNECTOR = Artifact.released('org.apache.flink:flink-sql-connector-kafka');
  const MONGODB = Artifact.released('org.apache.flink:flink-sql-connector-mongodb');
  const withArtifacts = (artifacts: Artifact[], image?: FlinkImage) =>
    build({ program: programOf({ events: stream('clicks', 4), out: sink({}, {}, { artifacts }) }), image });

  test('are those of the tables, with the release for this Flink', () => {
    const { value, reason } = derived(withArtifacts([CONNECTOR, CONNECTOR])(), 'jars')!;
    expect(value.match(/flink-sql-connector-kafka:[0-9.]+-2\.2/g)).toHaveLength(1);
    expect(reason).toBe('connectors, formats and functions in use, for this Flink version');
  });

  test('are told where the image is named, which must hold them', () => {
    const reason = (...artifacts: Artifact[]) => derived(withArtifacts(artifacts, FlinkImage.named('a/b:1'))(), 'jars')!.reason;
    expect(reason(CONNECTOR)).toMatch(/the named image must hold them$/);
    const firehose = Artifact.released('org.apache.flink:flink-sql-connector-aws-kinesis-firehose');
    expect(reason(CONNECTOR, firehose)).toMatch(
      /the named image must hold them, and flink-sql-connector-aws-kinesis-firehose as 'npx cdk-flink-pipeline image' mends them$/,
    );
  });

  test('without a release need a named image or an artifact', () => {
    expect(withArtifacts([MONGODB])).toThrow(/flink-sql-connector-mongodb.*2\.2/);
    expect(withArtifacts([MONGODB], FlinkImage.named('a/b:1'))).not.toThrow();
  });

  test('name the one of this library where a table is looked up in DynamoDB', () => {
    const program = programOf({ users: source({}, { identifier: DYNAMODB_LOOKUP }), out: sink() });
    expect(derived(application({ program, parallelism: 1 }), 'jars')!.value).toBe('dynamodb-lookup.jar');
  });

  test('are none without connectors', () => {
    expect(derived(application(), 'jars')).toBeUndefined();
  });
});

describe('secrets', () => {
  test('are each once, in the order of their variables', () => {
    const [b, a] = [SecretRef.kubernetes('mysql', 'b'), SecretRef.kubernetes('mysql', 'a')];
    const program = programOf({
      events: stream('clicks', 4),
      x: sink({}, {}, { secrets: [b, a] }),
      y: sink({}, {}, { secrets: [SecretRef.kubernetes('mysql', 'b')] }),
    });
    expect(
      application({ program })
        ._secrets()
        .map(({ variableName }) => variableName),
    ).toEqual([a.variableName, b.variableName]);
  });
});

describe('the script', () => {
  test('needs an INSERT', () => {
    expect(build({ program: new SqlProgram(), parallelism: 1 })).toThrow(
      "job 'orders' has nothing to do: its program has no INSERT; add one with addInsert",
    );
  });

  test('holds settings of the program beside those of the job, in order', () => {
    const program = programOf({ events: stream('clicks', 4), out: sink() });
    program.set('table.local-time-zone', 'UTC');
    expect(application({ program, stateTtl: Duration.days(1) }).script).toMatch(
      /^SET 'table.exec.state.ttl' = '1 d';\nSET 'table.exec.uid.generation' = 'ALWAYS';\nSET 'table.local-time-zone' = 'UTC';\n/,
    );
  });

  test('leaves the ids of operators to Flink where the program says so', () => {
    const program = programOf({ events: stream('clicks', 4), out: sink() });
    program.set('table.exec.uid.generation', 'PLAN_ONLY');
    expect(application({ program }).script).toMatch(/^SET 'table.exec.uid.generation' = 'PLAN_ONLY';\n\n/);
    expect(() => application({ flinkConfiguration: { 'table.exec.uid.generation': 'PLAN_ONLY' } })).toThrow('SqlProgram.set');
  });

  test.each([
    ['table.exec.source.idle-timout', '1 min', "'table.exec.source.idle-timeout'"],
    ['table.exec.state.ttl', 'soon', "'table.exec.state.ttl' must be"],
    ['table.exec.resource.default-parallelism', '4', 'use parallelism instead'],
  ])('refuses the setting %s = %s of a program', (key, value, message) => {
    const program = programOf({ events: stream('clicks', 4), out: sink() });
    program.set(key, value);
    expect(build({ program })).toThrow(message);
    expect(() => {
      const other = programOf({ events: stream('clicks', 4), out: sink() });
      other.set(key, value);
      application({ program: other });
    }).toThrow(/^SqlProgram.set has entries that Flink would ignore or refuse:/);
  });

  test('names no variable that the job manager lacks, and the job manager has none that it does not need', () => {
    const table = fc.record({
      used: fc.boolean(),
      viewed: fc.boolean(),
      sink: fc.boolean(),
      value: fc.constantFrom('text', 'token', 'secret', 'both'),
    });
    fc.assert(
      fc.property(fc.array(table, { maxLength: 6 }), (tables) => {
        const program = programOf({ events: stream('clicks', 4), printed: sink() });
        const [events, printed] = program._tables();
        tables.forEach(({ used, viewed, sink: isSink, value }, index) => {
          const secret = SecretRef.kubernetes(`secret-${index}`, 'key');
          const token = Token.asString({ Ref: `Value${index}` });
          const option = { text: 'plain', token, secret: `${secret}`, both: `${token}:${secret}` }[value];
          const binding = { options: { option }, secrets: option.includes(`${secret}`) ? [secret] : [] };
          const columns = events!.columns;
          const added = program.addTable(`t${index}`, { columns, ...(isSink ? sink({}, {}, binding) : source({}, binding)) });
          const read = !isSink && viewed ? program.addView(`v${index}`, `SELECT * FROM ${added}`) : added;
          if (used) {
            program.addInsert(isSink ? added : printed!, `SELECT id, at FROM ${isSink ? events : read}`);
          }
        });
        const job = application({ program });
        const named = new Set([...job.script!.matchAll(/\$\{env:(\w+)\}/g)].map((match) => match[1]));
        const known = [...job._lateValues().map(({ name }) => name), ...job._secrets().map(({ variableName }) => variableName)];
        expect([...named].sort()).toEqual(known.sort());
        expect(Token.isUnresolved(job.script)).toBe(false);
      }),
      { numRuns: 200 },
    );
  });

  test('leaves out an unused table, and with it its secret', () => {
    const program = programOf({ events: stream('clicks', 4), out: sink() });
    const secret = SecretRef.kubernetes('mysql', 'password');
    program.addTable('unused', {
      ...sink({}, {}, { options: { password: `${secret}` }, secrets: [secret] }),
      columns: program._tables()[0]!.columns,
    });
    expect(program.toSql()).toContain(`'password' = '${secret}'`);
    const job = application({ program });
    expect(job.script).not.toMatch(/unused|\$\{env:/);
    expect(job._secrets()).toEqual([]);
  });

  test('seals the program', () => {
    const program = programOf({ events: stream('clicks', 4), out: sink() });
    application({ program });
    expect(() => program.set('table.local-time-zone', 'UTC')).toThrow("the program is sealed since it was handed to the job 'orders'");
  });
});

describe('flinkConfiguration', () => {
  const raw = (flinkConfiguration: { [key: string]: string }, changed: Partial<FlinkApplicationProps> = {}) =>
    build({ flinkConfiguration, ...changed });

  test('reaches the job, sorted with the rest', () => {
    const { flinkConfiguration } = application({ flinkConfiguration: { 'web.timeout': '1 min', 'pekko.ask.timeout': '10 s' } });
    expect(flinkConfiguration).toMatchObject({ 'web.timeout': '1 min', 'pekko.ask.timeout': '10 s', 'state.backend.type': 'hashmap' });
  });

  const inBucket = { checkpointing: { storage: CheckpointStorage.s3(Bucket.fromBucketName(new Stack(), 'State', 'state'), 'orders') } };

  test.each(Object.entries(OWNED_OPTIONS))('refuses %s, which a prop owns, and names it', (key, prop) => {
    expect(raw({ [key]: '1' }, inBucket)).toThrow(`'${key}' is written by the library: use ${prop} instead`);
  });

  test('takes s3.endpoint where no bucket gives one', () => {
    const minio = { 's3.endpoint': 'http://minio:9000' };
    expect(application({ flinkConfiguration: minio }).flinkConfiguration).toMatchObject(minio);
    const files = sink({}, {}, { s3Endpoint: 'https://s3.eu-central-1.amazonaws.com' });
    expect(raw(minio, { program: programOf({ events: stream('clicks', 4), files }) })).toThrow("'s3.endpoint' is written by the library");
  });

  test.each([
    ['kubernetes.cluster-id', 'refused by the Flink Kubernetes operator'],
    ['execution.checkpointing.intervall', "did you mean 'execution.checkpointing.interval'"],
    ['state.backend', "is an old spelling of 'state.backend.type'"],
    ['scan.startup.mode', 'is an option of a table'],
  ])('refuses %s: %s', (key, message) => {
    expect(raw({ [key]: 'x' })).toThrow(message);
  });

  test('refuses a value of the wrong type, takes one of the right type and a token', () => {
    expect(raw({ 'rest.port': 'many' })).toThrow("'rest.port' must be");
    expect(raw({ 'rest.port': '8081' })).not.toThrow();
    expect(raw({ 'rest.port': Token.asString({ Ref: 'Port' }) })).not.toThrow();
  });

  test('refuses what the chosen strategy and back end write, and takes it where they do not', () => {
    const attempts = { 'restart-strategy.fixed-delay.attempts': '9' };
    const backup = { 'execution.checkpointing.local-backup.dirs': '/data' };
    expect(raw(attempts, { restartStrategy: RestartStrategy.fixedDelay(3, Duration.seconds(1)) })).toThrow('use restartStrategy instead');
    expect(raw(attempts)).not.toThrow();
    expect(raw(backup, { stateBackend: StateBackend.rocksDb({ localRecovery: true }) })).toThrow(
      'use stateBackend: StateBackend.rocksDb({ localStorage })',
    );
    expect(raw(backup, { stateBackend: StateBackend.hashMap({ localRecovery: true }) })).not.toThrow();
  });

  test('every option that a job writes is owned, or its default may be changed', () => {
    const hadoop = sink({}, {}, { fileSystems: ['s3-fs-hadoop'] });
    const bucket = Bucket.fromBucketName(new Stack(), 'State', 'state');
    const job = application({
      program: programOf({ events: stream('clicks', 4), a: hadoop }),
      checkpointing: { storage: CheckpointStorage.s3(bucket, 'orders'), retained: 2 },
      stateBackend: StateBackend.hashMap({ localRecovery: true }),
      savepointOnDeletion: true,
    });
    expect(Object.keys(job.flinkConfiguration).filter((key) => !(key in OWNED_OPTIONS || key in USELESS_OPTIONS))).toEqual([
      'fs.s3a.aws.credentials.provider',
    ]);
    expect(Object.keys(job.flinkConfiguration)).toEqual(Object.keys(job.flinkConfiguration).sort());
    const provider = { 'fs.s3a.aws.credentials.provider': 'com.example.Provider' };
    expect(
      application({ program: programOf({ events: stream('clicks', 4), a: hadoop }), flinkConfiguration: provider }).flinkConfiguration,
    ).toMatchObject(provider);
  });
});

describe('props', () => {
  test.each(['', 'A', '1a', '-a', 'a-', 'a_b', 'a.b', 'a'.repeat(46)])("jobName '%s' is refused", (jobName) => {
    expect(build({ jobName })).toThrow(
      `jobName must be at most 45 lower case letters, digits and '-', beginning with a letter and not ending with '-', got '${jobName}'`,
    );
  });

  test.each(['a', 'a-1', 'a'.repeat(45)])("jobName '%s' is taken", (jobName) => {
    expect(application({ jobName }).jobName).toBe(jobName);
  });

  test('jobName is known at synth', () => {
    expect(build({ jobName: Token.asString({ Ref: 'Name' }) })).toThrow(
      /jobName must be known at synth: paths and transactional ids carry it; got a token$/,
    );
  });

  test.each(['', 'A', '-a', 'a-', 'a.b', 'a'.repeat(64)])("namespace '%s' is refused", (namespace) => {
    expect(build({ namespace })).toThrow(
      `namespace must be at most 63 lower case letters, digits and '-', beginning and ending with a letter or digit, got '${namespace}'`,
    );
  });

  test.each(['1', 'a-1', 'a'.repeat(63), Token.asString({ Ref: 'Namespace' })])("namespace '%s' is taken", (namespace) => {
    expect(application({ namespace }).namespace).toBe(namespace);
  });

  test.each([
    ['taskSlots', 0, '1 to 1024'],
    ['taskSlots', 1025, '1 to 1024'],
    ['taskSlots', 1.5, '1 to 1024'],
    ['savepointTriggerNonce', 2 ** 53, '0 to 9007199254740991'],
  ])('%s = %s is refused', (prop, value, range) => {
    expect(build({ [prop]: value })).toThrow(`${prop} must be a whole number from ${range}, got ${value}`);
  });

  test.each([
    ['taskSlots', 1],
    ['taskSlots', 1024],
    ['savepointTriggerNonce', 0],
    ['restartNonce', 7],
  ])('%s = %s is taken', (prop, value) => {
    expect(build({ [prop]: value })).not.toThrow();
  });

  test.each(['taskSlots', 'maxParallelism', 'savepointTriggerNonce', 'restartNonce', 'parallelism'])('%s is known at synth', (prop) => {
    expect(build({ [prop]: number })).toThrow(new RegExp(`^${prop}( of job 'orders')? must be known at synth`));
  });

  test.each(['stateTtl', 'sourceIdleTimeout', 'survivableOutage'])('%s is known at synth', (prop) => {
    expect(build({ [prop]: Duration.seconds(number) })).toThrow(`${prop} must be known at synth, got a token of seconds`);
    expect(build({ [prop]: Duration.millis(0.5) })).toThrow(`${prop} must be a whole number of milliseconds of at least 0, got 0.5 millis`);
    expect(build({ [prop]: Duration.days(1e15) })).toThrow(`${prop} must be a whole number of milliseconds from 0 to 9223372036854`);
  });

  test.each(['savepoints/1', '/savepoints/1', 's3p://', 's3p://a b'])("initialSavepointPath '%s' is refused", (initialSavepointPath) => {
    expect(build({ initialSavepointPath })).toThrow(`initialSavepointPath must be a URI with a scheme`);
  });

  test.each(['s3p://state/savepoint-1', 'file:/state/savepoint-1', 'file:///state/savepoint-1', Token.asString({ Ref: 'Path' })])(
    "initialSavepointPath '%s' is taken",
    (initialSavepointPath) => {
      expect(build({ initialSavepointPath })).not.toThrow();
    },
  );

  test.each([
    ['jobName', true, 'text; got a boolean'],
    ['jobName', null, 'text; got nothing'],
    ['stateTtl', 5, 'a Duration, such as Duration.minutes(5); got a number'],
    ['highAvailability', 'false', 'true or false; got text'],
    ['allowNonRestoredState', 'yes', 'true or false; got text'],
    ['savepointOnDeletion', 0, 'true or false; got a number'],
    ['state', 'paused', 'one of JobState.RUNNING, JobState.SUSPENDED; got text'],
    ['upgradeMode', 'x', 'one of UpgradeMode.SAVEPOINT, UpgradeMode.LAST_STATE, UpgradeMode.STATELESS; got text'],
    ['savepointFormat', 'canonical', 'one of SavepointFormat.NATIVE, SavepointFormat.CANONICAL; got text'],
    ['upsertMaterialize', true, 'one of UpsertMaterialize.AUTO, UpsertMaterialize.FORCE, UpsertMaterialize.NONE; got a boolean'],
    ['flinkVersion', '2.2.1', 'a FlinkVersion, such as FlinkVersion.V2_2; got text'],
    ['image', 'a/b:1', "a FlinkImage, such as FlinkImage.named('registry/repository:tag'); got text"],
    ['taskSlots', '2', 'a number; got text'],
    ['stateBackend', 'rocksdb', 'a StateBackend, such as StateBackend.rocksDb(); got text'],
    ['restartStrategy', {}, 'a RestartStrategy, such as RestartStrategy.exponentialDelay(); got a plain object'],
  ])('%s = %p, which no compiler has seen, is refused', (prop, value, message) => {
    expect(build({ [prop]: value })).toThrow(`${prop} of the job must be ${message}`);
  });

  test('processes, pods and checkpoints are looked at', () => {
    expect(build({ jobManager: { cpu: 0 } })).toThrow('jobManager.cpu');
    expect(build({ taskManager: { memory: Size.mebibytes(1) } })).toThrow('taskManager.memory');
    expect(build({ pod: { labels: { 'a b': '' } } })).toThrow('pod.labels');
    expect(build({ checkpointing: { storage: STORAGE, retained: 0 } })).toThrow('checkpointing.retained');
  });

  test('Flink 2.3 needs an operator that knows it', () => {
    const flinkVersion = FlinkVersion.of('2.3.0');
    const image = FlinkImage.named('a/b:1');
    expect(build({ flinkVersion, image })).toThrow('operator 1.15 cannot run Flink 2.3.0');
    expect(build({ flinkVersion, image, operatorVersion: FlinkOperatorVersion.of('1.16') })).not.toThrow();
    expect(build({ operatorVersion: FlinkOperatorVersion.V1_13 })).not.toThrow();
  });
});

describe('variables of the script', () => {
  const password = SecretRef.kubernetes('mysql', 'password');

  test('that no secret declares are refused, in values and keys', () => {
    const out = (options: { [key: string]: string }) =>
      build({ program: programOf({ events: stream('clicks', 4), out: sink({}, {}, { options }) }) });
    expect(out({ user: '${env:AWS_SECRET_ACCESS_KEY}' })).toThrow(
      "option 'user' of table 'out' must not hold '${env:AWS_SECRET_ACCESS_KEY}': only secrets (SecretRef) are put in when the job starts",
    );
    expect(out({ '${env:HOME}': 'x' })).toThrow("must not hold '${env:HOME}'");
    expect(out({ password: `${password}` })).toThrow(`must not hold '${password}'`);
    expect(out({ user: '${env}', path: '$HOME' })).not.toThrow();
  });

  test('of a declared secret are put in', () => {
    const out = sink({}, {}, { options: { password: `${password}` }, secrets: [password] });
    expect(application({ program: programOf({ events: stream('clicks', 4), out }) }).script).toContain(`'password' = '${password}'`);
  });
});

test('a program can be handed over again after a job that was refused', () => {
  const program = programOf({ events: stream('clicks', 4), out: sink() });
  expect(build({ program, parallelism: 0 })).toThrow('parallelism');
  expect(build({ program })).not.toThrow();
  expect(build({ program })).toThrow('a program belongs to one job');
});
