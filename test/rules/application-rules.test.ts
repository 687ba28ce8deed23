import { Duration, RemovalPolicy, Size, Stack, Token, Validations } from 'aws-cdk-lib';
import {
  Bucket,
  type BucketProps,
  type CfnBucket,
  type IntelligentTieringConfiguration,
  type LifecycleRule,
  StorageClass,
} from 'aws-cdk-lib/aws-s3';
import { JsonPatch } from 'cdk8s';
import { readdirSync } from 'fs';
import { CheckpointStorage } from '../../lib/application/checkpoint-storage';
import type { FlinkApplicationProps } from '../../lib/application/flink-application';
import { FlinkImage } from '../../lib/application/flink-image';
import { RestartStrategy } from '../../lib/application/restart-strategy';
import { StateBackend } from '../../lib/application/state-backend';
import { UpgradeMode, UpsertMaterialize } from '../../lib/application/upgrade';
import { ArchiveDeliveryStream } from '../../lib/aws/archive-delivery-stream';
import { EventStream } from '../../lib/aws/event-stream';
import { CustomConnector } from '../../lib/connectors/custom-connector';
import { ElasticsearchSink } from '../../lib/connectors/elasticsearch-sink';
import { FileSystemSink } from '../../lib/connectors/file-system-sink';
import { FirehoseSink } from '../../lib/connectors/firehose-sink';
import { Format, MalformedRecords } from '../../lib/connectors/format';
import { JarProgram } from '../../lib/connectors/jar-program';
import { JdbcSink } from '../../lib/connectors/jdbc-sink';
import { KafkaPartitioner } from '../../lib/connectors/kafka-partitioner';
import { KafkaSink } from '../../lib/connectors/kafka-sink';
import { KafkaSource } from '../../lib/connectors/kafka-source';
import { KafkaStart } from '../../lib/connectors/kafka-start';
import { TransactionNaming } from '../../lib/connectors/kafka-writer';
import { KinesisSink } from '../../lib/connectors/kinesis-sink';
import { KinesisSource } from '../../lib/connectors/kinesis-source';
import { MongoDbSink } from '../../lib/connectors/mongo-db-sink';
import { MongoDbUri } from '../../lib/connectors/mongo-db-uri';
import { PrintSink } from '../../lib/connectors/print-sink';
import { StartPosition } from '../../lib/connectors/start-position';
import { UpsertKafkaSink, type UpsertKafkaSinkProps } from '../../lib/connectors/upsert-kafka-sink';
import type { FlinkJobProps } from '../../lib/job/flink-job';
import { KafkaCluster } from '../../lib/kafka/kafka-cluster';
import { type IKafkaTopic, KafkaTopic } from '../../lib/kafka/kafka-topic';
import { CleanupPolicy } from '../../lib/kafka/topic-configuration';
import { APPLICATION_RULES, applicationErrors } from '../../lib/rules/application-rules';
import { Column } from '../../lib/sql/column';
import { Changes, DeliveryGuarantee, type IConnector, TableRole } from '../../lib/sql/connector';
import { DataType } from '../../lib/sql/data-type';
import { SqlProgram } from '../../lib/sql/sql-program';
import type { SqlTableProps } from '../../lib/sql/sql-table';
import { Watermark } from '../../lib/sql/watermark';
import { AGGREGATE, APPEND, COLUMNS, into } from '../cases/findings';
import { newApp } from '../fixtures/assembly';
import { application, programOf, sink, source, stream, type Table, topic } from '../fixtures/programs';
import { ENVIRONMENT, externalStream, job, newStack, printed } from '../fixtures/stacks';
import {
  CHANGES,
  GROUPED,
  JOINED,
  LOOKUP,
  minutes,
  mySql,
  reading,
  readingBy,
  SOME_CHANGES,
  SOME_JSON,
  STRICT,
  TIMED,
} from './source-programs';
import { warnings } from './warnings';

const STORAGE = CheckpointStorage.location('s3p://state/orders');

test('rules have unique names, in order, and each tells what it finds', () => {
  const names = APPLICATION_RULES.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)].sort());
  for (const { description } of APPLICATION_RULES) {
    expect(description).toMatch(/^[A-Z`].*\.$/);
  }
});

test('a job as it should be has neither warning nor error', () => {
  expect(warnings({})).toEqual([]);
  expect(applicationErrors(application())).toEqual([]);
});

describe('CheckpointTimeout', () => {
  test('fires below the interval', () => {
    const checkpointing = { storage: STORAGE, interval: Duration.seconds(60), timeout: Duration.seconds(59) };
    expect(warnings({ checkpointing })).toEqual([
      expect.stringMatching(
        /^cdk-flink-pipeline:CheckpointTimeout: checkpointing.timeout \(59 seconds\) of job 'orders' is below checkpointing.interval \(1 minute\)/,
      ),
    ]);
  });

  test('counts the interval of one minute where none is stated', () => {
    expect(warnings({ checkpointing: { storage: STORAGE, timeout: Duration.seconds(59) } })).toHaveLength(1);
    expect(warnings({ checkpointing: { storage: STORAGE, timeout: Duration.seconds(60) } })).toEqual([]);
  });

  test('passes at the interval, and with the default', () => {
    expect(warnings({ checkpointing: { storage: STORAGE, interval: Duration.seconds(60), timeout: Duration.seconds(60) } })).toEqual([]);
    expect(warnings({ checkpointing: { storage: STORAGE, interval: Duration.minutes(9) } })).toEqual([]);
  });
});

describe('CheckpointPause', () => {
  const found = (minPause?: Duration, interval?: Duration) => warnings({ checkpointing: { storage: STORAGE, interval, minPause } });

  test('fires above the interval, which is one minute where none is stated', () => {
    expect(found(Duration.seconds(61))).toEqual([
      "cdk-flink-pipeline:CheckpointPause: checkpointing.minPause (1 minute 1 second) of job 'orders' is longer than checkpointing.interval (1 minute), which has no effect then: lower the pause, or raise the interval to it",
    ]);
    expect(found(Duration.seconds(31), Duration.seconds(30))).toHaveLength(1);
  });

  test('passes up to the interval, and with the default', () => {
    expect(found(Duration.seconds(60))).toEqual([]);
    expect(found(Duration.seconds(30), Duration.seconds(30))).toEqual([]);
    expect(found(undefined, Duration.seconds(1))).toEqual([]);
  });
});

describe('IdleBeforeCheckpoint', () => {
  const WINDOWS =
    "SELECT id, SUM(amount) FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(at), INTERVAL '1' MINUTE)) GROUP BY id, window_start, window_end";
  const found = (sourceIdleTimeout?: Duration, query = WINDOWS, minPause?: Duration) =>
    warnings({
      sourceIdleTimeout,
      program: reading(SOME_JSON, { columns: TIMED, watermark: Watermark.ascending('at') }, query),
      checkpointing: { storage: STORAGE, interval: Duration.seconds(30), minPause },
    }).filter((warning) => warning.includes('IdleBeforeCheckpoint'));

  test('fires below the time in which a checkpoint is sure to come, for which a longer pause counts', () => {
    expect(found(Duration.seconds(59))).toEqual([
      "cdk-flink-pipeline:IdleBeforeCheckpoint: sourceIdleTimeout (59 seconds) of job 'orders' is shorter than the time in which a checkpoint is sure to come (1 minute), and it aggregates over windows: what a split that falls silent has counted since the last checkpoint is dropped as late; leave it out, shorten checkpointing.interval and minPause, or set 'table.optimizer.agg-phase-strategy' to 'ONE_PHASE'",
    ]);
    expect(found(Duration.seconds(60), WINDOWS, Duration.seconds(40))).toHaveLength(1);
  });

  test('fires for a timeout of the program, and for one of a table', () => {
    const of = (connector: IConnector, set?: string) => {
      const program = readingBy(connector, { columns: TIMED, watermark: Watermark.ascending('at') }, WINDOWS);
      if (set !== undefined) {
        program.set('table.exec.source.idle-timeout', set);
      }
      return warnings({ program }).filter((warning) => warning.includes('IdleBeforeCheckpoint'));
    };
    const topicSource = (options?: { [option: string]: string }) =>
      new KafkaSource({ topic: topicOf(4), format: SOME_JSON, start: KafkaStart.earliest(), options });
    expect(of(topicSource(), '5 s')).toEqual([
      expect.stringContaining("IdleBeforeCheckpoint: 'table.exec.source.idle-timeout' (5 seconds) of job 'orders'"),
    ]);
    expect(of(topicSource({ 'scan.watermark.idle-timeout': '5 s' }))).toEqual([
      expect.stringContaining("IdleBeforeCheckpoint events: 'scan.watermark.idle-timeout' of table 'events' (5 seconds) of job 'orders'"),
    ]);
    expect(of(topicSource(), '2 min')).toEqual([]);
    expect(of(topicSource({ 'scan.watermark.idle-timeout': '2 min' }))).toEqual([]);
    expect(of(topicSource({ 'scan.watermark.idle-timeout': Token.asString({ Ref: 'Idle' }) }))).toEqual([]);
  });

  test('passes for zero, which makes nothing idle, and for windows that are counted in one place', () => {
    expect(found(Duration.seconds(0))).toEqual([]);
    expect(found(Duration.seconds(1), "SELECT id, SUM(amount) FROM events GROUP BY id, TUMBLE(`at`, INTERVAL '1' MINUTE)")).toEqual([]);
    const rows = "SELECT id, amount FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(`at`), INTERVAL '1' MINUTE))";
    expect(found(Duration.seconds(1), rows)).toEqual([]);
  });

  test('passes at a parallelism of one, for windows of processing time, and where the planner counts in one phase', () => {
    const of = (changed: Partial<FlinkApplicationProps> = {}, query = WINDOWS, set?: string) => {
      const columns = [...TIMED, Column.computed('proc_time', 'PROCTIME()')];
      const program = reading(SOME_JSON, { columns, watermark: Watermark.ascending('at') }, query);
      if (set !== undefined) {
        program.set('table.optimizer.agg-phase-strategy', set);
      }
      return warnings({ program, sourceIdleTimeout: Duration.seconds(5), ...changed }).filter((warning) =>
        warning.includes('IdleBeforeCheckpoint'),
      );
    };
    expect(of()).toHaveLength(1);
    expect(of({ parallelism: 1 })).toEqual([]);
    expect(of({ parallelism: 2 })).toHaveLength(1);
    expect(of({}, WINDOWS.replace('DESCRIPTOR(at)', 'DESCRIPTOR(proc_time)'))).toEqual([]);
    const phases = (value: string) => ({ flinkConfiguration: { 'table.optimizer.agg-phase-strategy': value } });
    expect(of(phases('ONE_PHASE'))).toEqual([]);
    expect(of(phases('TWO_PHASE'))).toHaveLength(1);
    expect(of(phases(Token.asString({ Ref: 'Phases' })))).toEqual([]);
    expect(of({}, WINDOWS, 'ONE_PHASE')).toEqual([]);
    expect(of({}, WINDOWS, 'AUTO')).toHaveLength(1);
  });

  test('knows a processing time by the name that a view gives it', () => {
    const of = (view: string, time: string) => {
      const program = reading(SOME_JSON, { columns: TIMED, watermark: Watermark.ascending('at') });
      program.addView('named', view);
      const query = WINDOWS.replace('TABLE events', 'TABLE named').replace('DESCRIPTOR(at)', `DESCRIPTOR(${time})`);
      program.addInsert(program.addTable('counted', { ...sink({ changes: Changes.ALL }), columns: COLUMNS }), query);
      return warnings({ program, sourceIdleTimeout: Duration.seconds(5) }).filter((warning) => warning.includes('IdleBeforeCheckpoint'));
    };
    expect(of('SELECT id, amount, at, PROCTIME() AS seen FROM events', 'seen')).toEqual([]);
    expect(of('SELECT id, amount, at AS seen FROM events', 'seen')).toHaveLength(1);
    // Columns that nobody here knows.
    expect(of('SELECT e.*, t.* FROM events AS e CROSS JOIN LATERAL TABLE(parts(e.id)) AS t', 'at')).toHaveLength(1);
  });

  test('passes from it on, without a window, and where it is derived', () => {
    expect(found(Duration.seconds(60))).toEqual([]);
    expect(found(Duration.seconds(1), GROUPED)).toEqual([]);
    expect(found(Duration.seconds(1), "SELECT id, amount FROM events WHERE id = 'TUMBLE'")).toEqual([]);
    expect(found()).toEqual([]);
  });
});

describe('HighAvailabilityOff', () => {
  test('fires where it is off', () => {
    expect(warnings({ highAvailability: false })).toEqual([
      expect.stringMatching(/^cdk-flink-pipeline:HighAvailabilityOff: high availability of job 'orders' is off/),
    ]);
  });

  test('passes where it is on, stated or not', () => {
    expect(warnings({ highAvailability: true })).toEqual([]);
    expect(warnings({ highAvailability: undefined })).toEqual([]);
  });
});

describe('FloatingImageTag', () => {
  test.each(['registry/orders', 'registry/orders:latest'])('fires for %s', (image) => {
    expect(warnings({ image: FlinkImage.named(image) })).toEqual([
      expect.stringContaining(`cdk-flink-pipeline:FloatingImageTag: image '${image}' of job 'orders' has no fixed tag`),
    ]);
  });

  test.each([
    ['a tag', 'registry/orders:1'],
    ['a digest', `registry/orders@sha256:${'0'.repeat(64)}`],
    ['a digest beside latest', `registry/orders:latest@sha256:${'0'.repeat(64)}`],
    ['a token', Token.asString({ Ref: 'Image' })],
  ])('passes for %s', (_, image) => {
    expect(warnings({ image: FlinkImage.named(image) })).toEqual([]);
  });
});

describe('subtasks of Kinesis sources', () => {
  const watermark = Watermark.ascending('at');
  const timed = (name: string, count: number) => ({ ...stream(name, count), watermark });
  const over = (parallelism: number, events: Table = timed('clicks', 4)) =>
    warnings({ parallelism, program: programOf({ events, printed: sink() }) }).filter((text) => /SourceSubtasks/.test(text));

  test('IdleSourceSubtasks fires above the shards', () => {
    expect(over(5)).toEqual([
      "cdk-flink-pipeline:IdleSourceSubtasks events: 1 of the 5 source subtasks of 'events' idle: stream clicks has 4 shards; lower parallelism, or acknowledge this where a reshard is planned",
    ]);
  });

  test('CrowdedSourceSubtasks fires below the shards', () => {
    expect(over(3)).toEqual([
      expect.stringContaining(
        "cdk-flink-pipeline:CrowdedSourceSubtasks events: the 3 source subtasks of 'events' share the 4 shards of stream clicks: a subtask that catches up reads one shard ahead of another, and rows of the slower one come late; raise parallelism to 4",
      ),
    ]);
  });

  test('both pass at the shards', () => {
    expect(over(4)).toEqual([]);
  });

  test('both pass where the shards are not known', () => {
    expect(warnings({ parallelism: 5, program: programOf({ events: stream('clicks', undefined), printed: sink() }) })).toEqual([]);
  });

  test('CrowdedSourceSubtasks passes without a watermark: no row is late', () => {
    expect(over(3, stream('clicks', 4))).toEqual([]);
  });

  test('the smaller of two streams may idle in part: the larger one needs the parallelism', () => {
    const two = (parallelism?: number, count: number | undefined = 4) =>
      warnings({ parallelism, program: programOf({ small: stream('views', 1), events: stream('clicks', count), printed: sink() }) });
    expect(two()).toEqual([]);
    expect(two(4)).toEqual([]);
    expect(two(5)).toEqual([
      expect.stringContaining("IdleSourceSubtasks small: 4 of the 5 source subtasks of 'small' idle"),
      expect.stringContaining("IdleSourceSubtasks events: 1 of the 5 source subtasks of 'events' idle"),
    ]);
    const unknown = programOf({ small: stream('views', 1), events: stream('clicks', undefined), printed: sink() });
    expect(warnings({ parallelism: 5, program: unknown })).toEqual([]);
  });

  test('a JAR gives its sources what parallelism it likes, and may read event time', () => {
    const clicks = () => new JarProgram({ jarUri: 'local:///opt/flink/usrlib/clicks.jar', eventStreams: [externalStream(4)] });
    const image = FlinkImage.named('registry/clicks:1');
    expect(warnings({ image, parallelism: 5, program: clicks() })).toEqual([]);
    expect(warnings({ image, parallelism: 3, program: clicks() })).toEqual([
      expect.stringContaining('CrowdedSourceSubtasks stream clicks'),
    ]);
  });

  test('a topic never does: its readers are capped at the partitions, and take several in turn', () => {
    expect(warnings({ parallelism: 5, program: programOf({ events: topic('clicks', 4), printed: sink() }) })).toEqual([]);
    expect(warnings({ parallelism: 3, program: programOf({ events: topic('clicks', 4), printed: sink() }) })).toEqual([]);
  });

  test('a topic of changes without a key idles, since it cannot be capped', () => {
    const changes = topic('clicks', 4, { parallelismOption: undefined });
    expect(warnings({ parallelism: 5, program: programOf({ events: changes, printed: sink() }) })).toEqual([
      expect.stringContaining("1 of the 5 source subtasks of 'events' idle: topic clicks has 4 partitions"),
    ]);
  });
});

describe('UnusedTable', () => {
  test('fires for a table that no INSERT names, once for each', () => {
    const program = programOf({ events: stream('clicks', 4), printed: sink() });
    const { columns } = program._tables()[0]!;
    program.addTable('idle', { ...source(), columns });
    program.addTable('unread', { ...sink(), columns });
    expect(warnings({ program })).toEqual([
      expect.stringContaining("cdk-flink-pipeline:UnusedTable idle: table 'idle' of job 'orders' is used by no INSERT"),
      expect.stringContaining("cdk-flink-pipeline:UnusedTable unread: table 'unread' of job 'orders' is used by no INSERT"),
    ]);
  });

  test('fires for a table behind a view that no INSERT names', () => {
    const program = programOf({ events: stream('clicks', 4), printed: sink() });
    const idle = program.addTable('idle', { ...source(), columns: program._tables()[0]!.columns });
    program.addView('nobody', `SELECT id FROM ${idle}`);
    expect(warnings({ program })).toEqual([expect.stringContaining("table 'idle'")]);
  });

  test('passes for a table behind a view', () => {
    const program = programOf({ events: stream('clicks', 4), printed: sink() });
    const [events, printedTable] = program._tables();
    const behind = program.addTable('behind', { ...source(), columns: events!.columns });
    const view = program.addView('some', `SELECT * FROM ${behind}`);
    program.addInsert(printedTable!, `SELECT id, at FROM ${view}`);
    expect(warnings({ program })).toEqual([]);
  });
});

/** A job whose checkpoints lie in a bucket with such life-cycle rules. */
function kept(lifecycleRules: LifecycleRule[], prefix = 'orders'): Partial<FlinkApplicationProps> {
  const bucket = new Bucket(new Stack(), 'State', { lifecycleRules });
  return { checkpointing: { storage: CheckpointStorage.s3(bucket, prefix) } };
}

/** The same, with what the template says of the life cycle. */
function keptBy(lifecycleConfiguration: CfnBucket['lifecycleConfiguration']): Partial<FlinkApplicationProps> {
  const bucket = new Bucket(new Stack(), 'State');
  (bucket.node.defaultChild as CfnBucket).lifecycleConfiguration = lifecycleConfiguration;
  return { checkpointing: { storage: CheckpointStorage.s3(bucket, 'orders') } };
}

/** A choice that is made at deployment. */
const LATE = { resolve: () => ({ 'Fn::If': ['Production', 'a', 'b'] }), creationStack: [] };

describe('CheckpointLifeCycle', () => {
  const errors = (rules: LifecycleRule[], prefix?: string) => applicationErrors(application(kept(rules, prefix)));
  const expiration = Duration.days(7);

  test.each<[string, LifecycleRule]>([
    ['expires the whole bucket', { expiration }],
    ['expires the prefix', { expiration, prefix: 'orders' }],
    ['expires a part of the prefix', { expiration, prefix: 'orders/checkpoints/' }],
    ['expires a part without a slash', { expiration, prefix: 'orders/checkpoints' }],
    ['expires one checkpoint directory', { expiration, prefix: 'orders/checkpoints/8f/shared/' }],
    ['expires what tells of the last checkpoint', { expiration, prefix: 'orders/ha/' }],
    ['expires what begins like the prefix', { expiration, prefix: 'ord' }],
    ['expires by date', { expirationDate: new Date('2030-01-01'), prefix: 'orders/' }],
    ['archives objects', { transitions: [{ storageClass: StorageClass.GLACIER, transitionAfter: Duration.days(30) }] }],
    [
      'archives objects in the end',
      {
        transitions: [
          { storageClass: StorageClass.INFREQUENT_ACCESS, transitionAfter: Duration.days(30) },
          { storageClass: StorageClass.DEEP_ARCHIVE, transitionAfter: Duration.days(90) },
        ],
      },
    ],
    ['has no id', { id: undefined, expiration }],
  ])('fires for a rule that %s', (_, rule) => {
    expect(errors([rule])).toEqual([
      expect.stringMatching(
        /^life-cycle rule .* of bucket 'Default\/State' expires or archives objects under 'orders\/', the checkpoints of job 'orders'.*\[cdk-flink-pipeline:CheckpointLifeCycle\]$/,
      ),
    ]);
  });

  test('names the rule', () => {
    expect(errors([{ id: 'weekly', expiration }])[0]).toContain("life-cycle rule 'weekly' of bucket");
    expect(
      errors([
        { id: 'weekly', expiration },
        { expiration, prefix: 'orders' },
      ]),
    ).toHaveLength(2);
  });

  test.each<[string, LifecycleRule]>([
    ['is for another prefix', { expiration, prefix: 'logs/' }],
    ['is for a prefix that goes on', { expiration, prefix: 'orders-archive/' }],
    ['is for a prefix that begins with a slash, which no object has', { expiration, prefix: '/orders/' }],
    ['is for a directory that Flink does not know', { expiration, prefix: 'orders/exports/' }],
    ['is off', { expiration, enabled: false }],
    ['ends unfinished uploads', { abortIncompleteMultipartUploadAfter: Duration.days(7) }],
    ['expires earlier versions', { noncurrentVersionExpiration: Duration.days(7) }],
    ['expires objects with a tag, which Flink sets on none', { expiration, tagFilters: { temporary: 'true' } }],
    [
      'moves objects to where they can be read as before',
      {
        transitions: [
          { storageClass: StorageClass.INTELLIGENT_TIERING, transitionAfter: Duration.days(0) },
          { storageClass: StorageClass.INFREQUENT_ACCESS, transitionAfter: Duration.days(30) },
          { storageClass: StorageClass.GLACIER_INSTANT_RETRIEVAL, transitionAfter: Duration.days(90) },
        ],
      },
    ],
  ])('passes for a rule that %s', (_, rule) => {
    expect(errors([rule])).toEqual([]);
  });

  test('passes for a bucket without rules, an imported one and another location', () => {
    expect(errors([])).toEqual([]);
    const imported = CheckpointStorage.s3(Bucket.fromBucketName(new Stack(), 'State', 'state'), 'orders');
    expect(applicationErrors(application({ checkpointing: { storage: imported } }))).toEqual([]);
  });

  test('passes for a prefix that is known only at deployment, of the rule or of the checkpoints', () => {
    const prefix = Token.asString({ Ref: 'Prefix' });
    expect(errors([{ expiration, prefix }])).toEqual([]);
    expect(errors([{ expiration, prefix: 'logs/' }], prefix)).toEqual([]);
    expect(errors([{ expiration }], prefix)).toHaveLength(1);
  });

  test('sees a rule that is added after the job, stops the synthesis and writes nothing', () => {
    const app = newApp();
    const stack = newStack({ env: ENVIRONMENT }, app);
    job(stack);
    (stack.node.findChild('State') as Bucket).addLifecycleRule({ id: 'late', expiration });
    expect(() => app.synth()).toThrow("[Stack/Job] life-cycle rule 'late' of bucket 'Stack/State'");
    expect(readdirSync(app.outdir).filter((file) => file.endsWith('.template.json'))).toEqual([]);
  });

  test('sees a rule of an escape hatch', () => {
    const found = (rule: object) => applicationErrors(application(keptBy({ rules: [{ status: 'Enabled', ...rule }] })));
    expect(found({ expirationInDays: 1 })).toHaveLength(1);
    expect(found({ expirationInDays: 1, tagFilters: [] })).toHaveLength(1);
    expect(found({ transition: { storageClass: 'GLACIER', transitionInDays: 1 } })).toHaveLength(1);
  });

  test('sees the properties of the template, overridden or removed', () => {
    const overridden = (rules: LifecycleRule[], override: (resource: CfnBucket) => void) => {
      const changed = kept(rules);
      override(changed.checkpointing!.storage.bucket!.node.defaultChild as CfnBucket);
      return applicationErrors(application(changed));
    };
    const rule = { Id: 'raw', Status: 'Enabled', ExpirationInDays: 1 };
    expect(overridden([], (resource) => resource.addPropertyOverride('LifecycleConfiguration', { Rules: [rule] }))).toEqual([
      expect.stringContaining("life-cycle rule 'raw' of bucket"),
    ]);
    expect(overridden([{ expiration }], (resource) => resource.addPropertyDeletionOverride('LifecycleConfiguration'))).toEqual([]);
  });

  test('sees intelligent tiering that archives, where a rule moves objects to it', () => {
    const tiered = (tiering: Partial<IntelligentTieringConfiguration> | undefined, storageClass = StorageClass.INTELLIGENT_TIERING) => {
      const bucket = new Bucket(new Stack(), 'State', {
        lifecycleRules: [{ id: 'tiers', transitions: [{ storageClass, transitionAfter: Duration.days(0) }] }],
        intelligentTieringConfigurations: tiering === undefined ? [] : [{ name: 'cold', ...tiering }],
      });
      return applicationErrors(application({ checkpointing: { storage: CheckpointStorage.s3(bucket, 'orders') } }));
    };
    const archiveAccessTierTime = Duration.days(90);
    expect(tiered({ archiveAccessTierTime })).toEqual([expect.stringContaining("life-cycle rule 'tiers' of bucket")]);
    expect(tiered({ archiveAccessTierTime, prefix: 'orders/checkpoints' })).toHaveLength(1);
    expect(tiered({ archiveAccessTierTime, prefix: 'logs/' })).toEqual([]);
    expect(tiered({ archiveAccessTierTime, tags: [{ key: 'cold', value: 'true' }] })).toEqual([]);
    expect(tiered(undefined)).toEqual([]);
    expect(tiered({ archiveAccessTierTime }, StorageClass.INFREQUENT_ACCESS)).toEqual([]);
  });

  test.each<[string, CfnBucket['lifecycleConfiguration']]>([
    ['the configuration', LATE],
    ['the list of rules', { rules: LATE }],
    ['a rule', { rules: [LATE] }],
    ['its transitions', { rules: [{ status: 'Enabled', transitions: LATE }] }],
    ['its tags', { rules: [{ status: 'Enabled', expirationInDays: 1, tagFilters: LATE }] }],
  ])('passes where only the deployment knows %s', (_, configuration) => {
    expect(applicationErrors(application(keptBy(configuration)))).toEqual([]);
  });
});

describe('SavepointLifeCycle', () => {
  const expiration = Duration.days(30);
  const found = (...rules: LifecycleRule[]) => warnings(kept(rules));

  test.each([
    ['expires savepoints', 'orders/savepoints/'],
    ['is for them without a slash', 'orders/savepoints'],
    ['is for what begins like them', 'orders/save'],
  ])('fires for a rule that %s, and is no error', (_, prefix) => {
    expect(found({ id: 'monthly', expiration, prefix })).toEqual([
      "cdk-flink-pipeline:SavepointLifeCycle: life-cycle rule 'monthly' of bucket 'Default/State' expires or archives objects under 'orders/savepoints/': a suspended job 'orders' has its state there only, and cannot start once it is gone; limit the rule to other prefixes, or acknowledge this where it waits longer than the job is ever suspended",
    ]);
    expect(applicationErrors(application(kept([{ expiration, prefix }])))).toEqual([]);
  });

  test('leaves to CheckpointLifeCycle what expires checkpoints, too', () => {
    expect(found({ expiration }, { expiration, prefix: 'orders/' })).toEqual([]);
  });

  test('passes for a rule that is off, of other jobs or of a prefix that only the deployment knows', () => {
    expect(found({ expiration, prefix: 'orders/savepoints/', enabled: false })).toEqual([]);
    expect(found({ expiration, prefix: 'clicks/savepoints/' })).toEqual([]);
    expect(found({ expiration, prefix: Token.asString({ Ref: 'Prefix' }) })).toEqual([]);
  });
});

describe('SavepointOutsideStorage', () => {
  const from = (initialSavepointPath: string | undefined, bucketName = 'state') =>
    warnings({
      initialSavepointPath,
      checkpointing: { storage: CheckpointStorage.s3(Bucket.fromBucketName(new Stack(), 'State', bucketName), 'orders') },
    });

  test.each([
    ['of another job', 's3p://state/clicks/savepoints/savepoint-1'],
    ['in another bucket', 's3p://old/orders/savepoints/savepoint-1'],
    ['under a prefix that goes on', 's3p://state/orders-old/savepoints/savepoint-1'],
    ['on a disk', 'file:///state/orders/savepoint-1'],
  ])('fires for a savepoint %s', (_, path) => {
    expect(from(path)).toEqual([
      expect.stringContaining(
        `cdk-flink-pipeline:SavepointOutsideStorage: initialSavepointPath '${path}' of job 'orders' is not under 's3p://state/orders', the only prefix that its role may read`,
      ),
    ]);
  });

  test.each([undefined, 's3p://state/orders/savepoints/savepoint-1', 's3://state/orders/checkpoints/1/chk-7', 's3a://state/orders/x'])(
    'passes for %s',
    (path) => {
      expect(from(path)).toEqual([]);
    },
  );

  test('passes for what is known only at deployment, of the savepoint or of the storage', () => {
    expect(from(Token.asString({ Ref: 'Savepoint' }))).toEqual([]);
    expect(from('s3p://old/orders/savepoint-1', Token.asString({ Ref: 'State' }))).toEqual([]);
  });

  test('passes for another location than a bucket, for which nobody but the user grants anything', () => {
    expect(warnings({ initialSavepointPath: 's3p://old/orders/savepoint-1', checkpointing: { storage: STORAGE } })).toEqual([]);
  });
});

describe('FilesAmongCheckpoints', () => {
  const errors = (path: string, uri = 's3p://state/orders', identifier = 'filesystem') =>
    applicationErrors(
      application({
        program: programOf({ events: stream('clicks', 4), files: sink({}, {}, { identifier, options: { path } }) }),
        checkpointing: { storage: CheckpointStorage.location(uri) },
      }),
    );

  test.each([
    ['at the prefix', 's3a://state/orders'],
    ['under it', 's3a://state/orders/files/'],
    ['around it', 's3a://state/'],
    ['by the same file system', 's3p://state/orders'],
  ])('fires for files %s', (_, path) => {
    expect(errors(path)).toEqual([
      expect.stringMatching(
        new RegExp(
          `^table 'files' of job 'orders' writes to '${path}', and its checkpoints lie at 's3p://state/orders': .*\\[cdk-flink-pipeline:FilesAmongCheckpoints\\]$`,
        ),
      ),
    ]);
  });

  test.each([
    ['beside the prefix', 's3a://state/files'],
    ['under a prefix that goes on', 's3a://state/orders-files'],
    ['in another bucket', 's3a://files/orders'],
  ])('passes for files %s', (_, path) => {
    expect(errors(path)).toEqual([]);
  });

  test('passes for another connector that has a path, and for a source of files', () => {
    expect(errors('s3a://state/orders', undefined, 'lake')).toEqual([]);
    const files = source({}, { identifier: 'filesystem', options: { path: 's3a://state' } });
    expect(applicationErrors(application({ program: programOf({ events: stream('clicks', 4), files, printed: sink() }) }))).toEqual([]);
  });

  test('passes for what is known only at deployment, unless both begin alike', () => {
    const [one, other] = ['One', 'Other'].map((name) => Token.asString({ Ref: name }));
    expect(errors(`s3a://${one}/orders`)).toEqual([]);
    expect(errors(`s3a://${one}/orders`, `s3p://${other}/orders`)).toEqual([]);
    expect(errors(`s3a://${one}/files`, `s3p://${one}/orders`)).toEqual([]);
    expect(errors(`s3a://${one}/orders/files`, `s3p://${one}/orders`)).toHaveLength(1);
  });

  test('cannot be acknowledged: it stops the synthesis', () => {
    const app = newApp();
    const stack = newStack({ env: ENVIRONMENT }, app);
    const bucket = new Bucket(stack, 'State');
    const program = printed(externalStream());
    program.addInsert(
      program.addTable('files', {
        connector: new FileSystemSink({ bucket, prefix: 'clicks/files', format: Format.raw() }),
        columns: program._tables()[0]!.columns,
      }),
      'SELECT line FROM events',
    );
    const created = job(stack, { program, checkpointing: { storage: CheckpointStorage.s3(bucket, 'clicks') } });
    Validations.of(created).acknowledge({ id: 'cdk-flink-pipeline:FilesAmongCheckpoints', reason: 'meant' });
    expect(() => app.synth()).toThrow(/\[Stack\/Job\] table 'files' of job 'clicks' writes to .*FilesAmongCheckpoints/);
  });
});

function topicOf(partitions: number, cleanupPolicy = CleanupPolicy.DELETE): IKafkaTopic {
  const cluster = KafkaCluster.selfManaged({ bootstrapServers: ['b:9092'] });
  return KafkaTopic.fromTopicAttributes({ cluster, topicName: 'totals', partitions, cleanupPolicy });
}

function upsertSink(cleanupPolicy = CleanupPolicy.COMPACT, changed: Partial<UpsertKafkaSinkProps> = {}): UpsertKafkaSink {
  return new UpsertKafkaSink({ topic: topicOf(4, cleanupPolicy), keyFormat: Format.json(), valueFormat: Format.json(), ...changed });
}

const LEFT_JOIN = 'SELECT e.id, u.amount FROM events AS e LEFT JOIN events AS u ON e.id = u.id';

/** A job that reads a topic by event time. */
function timed(at: Column, computed?: string, format = Format.json({ malformedRecords: MalformedRecords.FAIL })): SqlProgram {
  const program = new SqlProgram();
  const events = program.addTable('events', {
    connector: new KafkaSource({
      topic: topicOf(4),
      format,
      start: KafkaStart.earliest(),
    }),
    columns: [
      ...COLUMNS,
      Column.physical('text', DataType.STRING),
      at,
      ...(computed === undefined ? [] : [Column.computed('t', computed)]),
    ],
    watermark: Watermark.ascending(computed === undefined ? 'at' : 't'),
  });
  program.addInsert(program.addTable('out', { ...sink(), columns: COLUMNS }), `SELECT id, amount FROM ${events}`);
  return program;
}

describe('NullableEventTime', () => {
  test.each([
    ['a column of the record', Column.physical('at', DataType.timestamp(3))],
    ['text that may be no time', Column.computed('at', 'TRY_CAST(`text` AS TIMESTAMP(3))')],
    ['text that may be missing', Column.computed('at', 'CAST(`text` AS TIMESTAMP(3))')],
  ])('fires for %s', (_, at) => {
    expect(warnings({ program: timed(at) })).toEqual([
      expect.stringContaining("NullableEventTime events: the event time 'at' of table 'events'"),
    ]);
  });

  test.each([
    ['a time instead of null', Column.computed('at', "COALESCE(TRY_CAST(`text` AS TIMESTAMP(3)), TIMESTAMP '1970-01-01 00:00:00.000')")],
    ['the time of the broker', Column.metadata('at', DataType.timestampLtz(3), { from: 'timestamp' })],
  ])('passes for %s', (_, at) => {
    expect(warnings({ program: timed(at) })).toEqual([]);
  });

  test.each([
    ['a column of JSON', undefined],
    ['what is computed from one', "COALESCE(at, TIMESTAMP '1970-01-01 00:00:00.000')"],
  ])('fires for NOT NULL that nobody checks: %s', (_, computed) => {
    const at = Column.physical('at', DataType.timestamp(3).notNull());
    expect(warnings({ program: timed(at, computed) }).filter((text) => text.includes('NullableEventTime'))).toEqual([
      expect.stringContaining("of job 'orders' is made of a NOT NULL column, which Flink does not check when it reads"),
    ]);
  });

  test('passes for NOT NULL of a format that holds its columns to it', () => {
    expect(warnings({ program: timed(Column.physical('at', DataType.timestamp(3).notNull()), undefined, Format.avro()) })).toEqual([]);
  });
});

describe('TransactionalIds', () => {
  const every = (interval: Duration, changed: Partial<UpsertKafkaSinkProps> = {}) =>
    warnings({
      checkpointing: { storage: STORAGE, interval, timeout: Duration.seconds(30) },
      program: into(upsertSink(CleanupPolicy.COMPACT, { guarantee: DeliveryGuarantee.EXACTLY_ONCE, ...changed }), { primaryKey: ['id'] }),
    });

  test('fires for four writers and a checkpoint every four seconds', () => {
    expect(every(Duration.seconds(4))).toEqual([
      expect.stringContaining("TransactionalIds out: the 4 writers of exactly-once table 'out' of job 'orders' take 604800 "),
    ]);
  });

  test('counts the pause where it is longer, and all tables of one cluster', () => {
    const checkpointing = { storage: STORAGE, interval: Duration.seconds(4), minPause: Duration.seconds(5), timeout: Duration.seconds(30) };
    const exactly = { guarantee: DeliveryGuarantee.EXACTLY_ONCE };
    const one = () => into(upsertSink(CleanupPolicy.COMPACT, exactly), { primaryKey: ['id'] });
    const found = (program: SqlProgram, changed: Partial<FlinkApplicationProps['checkpointing']>) =>
      warnings({ program, checkpointing: { ...checkpointing, ...changed } }).filter((text) => text.includes('TransactionalIds'));
    expect(found(one(), {})).toEqual([]);
    expect(found(one(), { minPause: undefined })).toHaveLength(1);
    const two = one();
    const cluster = KafkaCluster.selfManaged({ bootstrapServers: ['other:9092'] });
    const add = (name: string, topic = topicOf(4)) => {
      const connector = new UpsertKafkaSink({ topic, keyFormat: Format.json(), valueFormat: Format.json(), ...exactly });
      two.addInsert(two.addTable(name, { connector, columns: COLUMNS, primaryKey: ['id'] }), APPEND);
    };
    add('elsewhere', KafkaTopic.fromTopicAttributes({ cluster, topicName: 'totals', partitions: 4 }));
    add('more');
    expect(found(two, {})).toEqual([
      expect.stringContaining("TransactionalIds: the 8 writers of exactly-once tables 'out', 'more' of job 'orders' take 967680 "),
    ]);
  });

  test('passes for five seconds, for one writer, for names that are used again and without transactions', () => {
    expect(every(Duration.seconds(5))).toEqual([]);
    expect(every(Duration.seconds(4), { writers: 1 })).toEqual([]);
    expect(every(Duration.seconds(4), { transactionNaming: TransactionNaming.POOLING })).toEqual([]);
    expect(every(Duration.seconds(4), { guarantee: DeliveryGuarantee.AT_LEAST_ONCE })).toEqual([]);
  });
});

describe('NullIntoNotNull', () => {
  const strict = DataType.BIGINT.notNull();
  const columns = (amount: DataType) => [COLUMNS[0]!, Column.physical('amount', amount)];

  /** A job whose query reads `events` into `out`. */
  const reads = (sql: string, amount = strict, read = strict) => {
    const program = new SqlProgram();
    program.addTable('events', { ...stream('clicks', 4), columns: columns(read) });
    program.addInsert(program.addTable('out', { ...sink(), columns: columns(amount) }), sql);
    return program;
  };
  const query = (sql: string, amount = strict, read = strict) =>
    warnings({ stateTtl: Duration.days(1), program: reads(sql, amount, read) });

  test.each([
    LEFT_JOIN,
    'SELECT e.id, u.amount AS a FROM events e LEFT OUTER JOIN events u ON e.id = u.id',
    'SELECT e.id, events.amount FROM events e LEFT JOIN events ON e.id = events.id',
    'SELECT e.id, u.amount FROM events u RIGHT JOIN events e ON e.id = u.id',
    'SELECT e.id, u.amount FROM events e FULL OUTER JOIN events u ON e.id = u.id',
    'SELECT e.id, u.amount FROM events u FULL JOIN events e ON e.id = u.id',
    'SELECT e.id, u.amount FROM events e LEFT JOIN (SELECT id, (amount) AS amount FROM events) AS u ON e.id = u.id',
  ])('fires for %s', (sql) => {
    expect(query(sql)).toEqual([
      expect.stringMatching(
        /NullIntoNotNull out: the query into 'out' of job 'orders' takes (u|events)\.amount \(from an outer join\) into/,
      ),
    ]);
  });

  test.each([
    ['a value for no match', LEFT_JOIN.replace('u.amount', 'COALESCE(u.amount, 0)')],
    ['a column of the left side', LEFT_JOIN.replace('u.amount', 'e.amount')],
    ['an inner join', LEFT_JOIN.replace('LEFT ', '')],
    ['the left side before another join', `${LEFT_JOIN.replace('u.amount', 'e.amount')} JOIN events AS f ON f.id = e.id`],
    ['the right side of a RIGHT JOIN', 'SELECT e.id, e.amount FROM events u RIGHT JOIN events e ON e.id = u.id'],
  ])('passes for %s', (_, sql) => {
    expect(query(sql)).toEqual([]);
  });

  test.each([
    'SELECT id, amount FROM events',
    'SELECT * FROM events',
    'SELECT id, amount FROM (SELECT * FROM events) UNION ALL SELECT id, 1 FROM events',
    'SELECT e.id, e.amount FROM events AS e LEFT JOIN events AS u ON e.id = u.id AND e.amount = 1',
  ])('fires for a nullable column: %s', (sql) => {
    expect(query(sql, strict, DataType.BIGINT)).toEqual([
      expect.stringMatching(/takes (e\.)?amount \(nullable in 'events'\) into amount, which must not be null: the first null fails/),
    ]);
    expect(query(sql)).toEqual([]);
  });

  test.each([
    'SELECT id, amount FROM events WHERE amount IS NOT NULL',
    'SELECT id, amount FROM events WHERE ABS(amount) > 5',
    'SELECT id, COALESCE(amount, 0) FROM events',
    'SELECT id, amount FROM (SELECT * FROM events WHERE amount > 5)',
    'SELECT e.id, u.amount FROM events AS e JOIN events AS u ON e.id = u.id AND e.amount = u.amount',
  ])('passes for a nullable column that is asked for: %s', (sql) => {
    expect(query(sql, strict, DataType.BIGINT)).toEqual([]);
  });

  test('fires for a key column where the rows have a key of their own, in which it is not', () => {
    const program = (primaryKey: string[] | undefined, sql: string) => {
      const one = new SqlProgram();
      one.addTable('payments', { ...stream('payments', 4), columns: COLUMNS, primaryKey });
      one.addInsert(one.addTable('out', { ...sink(), columns: COLUMNS, primaryKey: ['id'] }), sql);
      return warnings({ program: one, stateTtl: Duration.days(1) });
    };
    const groups = 'SELECT id, COUNT(*) FROM payments GROUP BY id';
    expect(program(['amount'], groups)).toEqual([
      expect.stringContaining("NullIntoNotNull out: the query into 'out' of job 'orders' takes id (nullable in 'payments') into id"),
    ]);
    expect(program(['amount'], groups.replace(' GROUP', ' WHERE id IS NOT NULL GROUP'))).toEqual([]);
    expect(program(['id'], groups)).toEqual([]);
    expect(program(undefined, groups)).toEqual([]);
  });

  test('passes for a column that may be null', () => {
    expect(query(LEFT_JOIN, DataType.BIGINT)).toEqual([]);
  });

  /** The names of what is found where a query reads a view of the join, whose columns are `id` and `total`. */
  const behindView = (sql: string) => {
    const program = reads('SELECT id, 1 FROM events');
    const joined = program.addView('joined', LEFT_JOIN.replace('u.amount', 'u.amount AS total'));
    const renamed = program.addView('renamed', `SELECT id, total AS amount FROM ${joined}`);
    program.addInsert(program._tables()[1]!, sql.replace('JOINED', joined.sqlName).replace('RENAMED', renamed.sqlName));
    return warnings({ program, stateTtl: Duration.days(1) }).map((text) => /takes (.+) \(from an/.exec(text)?.[1] ?? text);
  };

  test.each([
    ['a column of a view', 'SELECT id, total FROM JOINED', 'total'],
    ['one by the name of the view', 'SELECT j.id, j.total AS a FROM JOINED AS j WHERE j.id IS NOT NULL', 'j.total'],
    ['all of a view', 'SELECT * FROM JOINED', 'total'],
    ['a view that is joined again', 'SELECT j.id, j.total FROM JOINED AS j JOIN events AS f ON f.id = j.id', 'j.total'],
    ['a subquery of FROM', 'SELECT t.id, t.a FROM (SELECT id, total AS a FROM JOINED) AS t', 't.a'],
    ['what is computed from it', 'SELECT id, total + 1 FROM JOINED', 'total + 1'],
    ['a view of a view', 'SELECT id, amount FROM RENAMED', 'amount'],
    ['rows that may have a match', 'SELECT id, total FROM JOINED WHERE total IS NOT NULL OR id IS NOT NULL', 'total'],
  ])('fires for %s', (_, sql, name) => {
    expect(behindView(sql)).toEqual([name]);
  });

  test.each([
    ['a value for no match', 'SELECT id, COALESCE(total, 0) FROM JOINED'],
    ['rows that have a match', 'SELECT id, total FROM JOINED WHERE total IS NOT NULL'],
    ['all rows that have one', 'SELECT * FROM RENAMED WHERE amount IS NOT NULL'],
    ['rows that are compared', 'SELECT id, total FROM JOINED WHERE total > 5'],
    ['a place that is not known', 'SELECT *, total FROM events, JOINED'],
  ])('passes for %s', (_, sql) => {
    expect(behindView(sql)).toEqual([]);
  });

  test.each([
    'WHERE u.amount IS NOT NULL',
    'WHERE (u.id IS NOT NULL)',
    'WHERE u.at > e.at',
    "WHERE e.id <> 'x' AND (u.id = 'a' AND e.id LIKE 'b%')",
    'WHERE u.amount BETWEEN 1 AND 5 AND e.amount > 1',
    "WHERE u.id NOT IN ('a', 'b')",
    'WHERE u.address.city = e.id',
    'JOIN events AS f ON f.id = u.id',
    'INNER JOIN events AS f ON f.id = e.id AND ABS(f.amount) < u.amount + 1',
    'LEFT JOIN events AS f ON f.id = u.id WHERE f.amount > 5',
    "WHERE u.id = 'a' OR u.amount > 5",
    "WHERE (u.id = 'a' AND e.amount > 5) OR (u.id = 'b' OR u.amount > 5)",
    'WHERE NOT (u.id IS NULL)',
    'WHERE NOT u.id IS NULL',
    'WHERE CHAR_LENGTH(u.id) > 0',
    "WHERE UPPER(TRIM(BOTH ' ' FROM u.id)) = 'A'",
    'WHERE CAST(u.id AS BIGINT) > 5',
    'WHERE ABS(u.amount - e.amount) < 5',
  ])('passes for rows of the join that have a match: %s', (rest) => {
    expect(query(`${LEFT_JOIN} ${rest}`)).toEqual([]);
  });

  test.each([
    'WHERE CASE WHEN u.id IS NOT NULL AND u.amount > 1 THEN 1 ELSE 0 END = 0',
    'WHERE CASE WHEN u.amount > 1 THEN 1 ELSE 0 END = 0',
    'WHERE e.id IS NOT NULL',
    'WHERE u.id IS NOT NULL OR e.amount > 5',
    'WHERE NOT (u.id IS NOT NULL AND u.amount > 5)',
    'WHERE COALESCE(u.amount, 6) > 5',
    'WHERE ABS(COALESCE(u.amount, 6)) > 5',
    "WHERE u.id = 'a' OR UPPER(e.id) = 'B'",
    "WHERE u.id = 'a' OR (u.id IS NULL AND e.amount > 5)",
    "WHERE NOT (u.id IS NULL OR e.id = 'a')",
    'WHERE NOT (u.id IS NULL AND e.amount > 5)',
    'WHERE CASE WHEN u.amount > 1 OR u.amount < 0 THEN FALSE ELSE TRUE END',
    'WHERE CHAR_LENGTH(u.id) IS NULL',
    'WHERE NOT u.id IS NOT NULL',
    'WHERE (u.amount = 5) IS NULL',
    'WHERE e.id IN (SELECT UPPER(u.id) FROM events AS u)',
    'WHERE u.amount IS NULL',
    'WHERE u.amount IS DISTINCT FROM e.amount',
    'WHERE u.amount > 5 IS NOT TRUE',
    'WHERE u.id NOT IN (SELECT id FROM events)',
    'WHERE e.id IN (SELECT u.id FROM events AS u WHERE u.amount > 5)',
    'AND u.id IS NOT NULL',
    'LEFT JOIN events AS f ON f.id = u.id AND u.amount > 5',
    'CROSS JOIN UNNEST(e.items) AS u2 (amount) WHERE u2.amount > 5',
    'JOIN (SELECT u.id FROM events AS u WHERE u.amount > 5) AS f ON f.id = e.id',
    'UNION ALL SELECT id, amount FROM events WHERE amount > 5',
  ])('fires for rows that may have none: %s', (rest) => {
    expect(query(`${LEFT_JOIN} ${rest}`)).toEqual([expect.stringContaining('takes u.amount (from an outer join)')]);
  });

  test.each([
    [
      'a check in the SELECT',
      "SELECT CASE WHEN u.amount IS NOT NULL THEN 'a' ELSE 'b' END, u.amount FROM events e LEFT JOIN events u ON e.id = u.id",
    ],
    ['a second SELECT of a union', `SELECT id, amount FROM events UNION ALL ${LEFT_JOIN}`],
    ['a distinct SELECT', LEFT_JOIN.replace('SELECT e.id, u.amount', 'SELECT DISTINCT e.id, u.amount')],
    ['the other side of a FULL JOIN', LEFT_JOIN.replace('LEFT', 'FULL').concat(' WHERE e.amount > 5')],
  ])('fires for %s', (_, sql) => {
    expect(query(sql)).toContainEqual(expect.stringContaining('NullIntoNotNull out'));
  });

  test('names each column with why it may be null', () => {
    const sql = 'SELECT u.id, e.amount FROM events AS e LEFT JOIN events AS u ON e.id = u.id';
    const program = new SqlProgram();
    program.addTable('events', { ...stream('clicks', 4), columns: columns(DataType.BIGINT) });
    const all = [Column.physical('id', DataType.STRING.notNull()), Column.physical('amount', strict)];
    program.addInsert(program.addTable('out', { ...sink(), columns: all }), sql);
    expect(warnings({ program, stateTtl: Duration.days(1) })).toEqual([
      expect.stringContaining("takes u.id (from an outer join), e.amount (nullable in 'events') into id, amount, which must not"),
    ]);
  });

  test('passes where sinks drop rows with nulls, and fires where they fail', () => {
    const enforcer = 'table.exec.sink.not-null-enforcer';
    const told = (ofProgram: string | undefined, ofJob: string | undefined) => {
      const program = reads(LEFT_JOIN);
      if (ofProgram !== undefined) {
        program.set(enforcer, ofProgram);
      }
      return warnings({
        program,
        stateTtl: Duration.days(1),
        flinkConfiguration: ofJob === undefined ? undefined : { [enforcer]: ofJob },
      }).filter((text) => text.includes('NullIntoNotNull'));
    };
    expect(told('drop', undefined)).toEqual([]);
    expect(told(undefined, 'DROP')).toEqual([]);
    expect(told('ERROR', undefined)).toHaveLength(1);
    expect(told(undefined, 'ERROR')).toHaveLength(1);
  });

  test('passes for tables before a RIGHT JOIN of which one must have a row, since they have it together', () => {
    const sql = 'SELECT e.id, u.amount FROM events AS u JOIN events AS f ON u.id = f.id RIGHT JOIN events AS e ON e.id = u.id';
    expect(query(sql)).toHaveLength(1);
    expect(query(`${sql} WHERE f.amount > 5`)).toEqual([]);
  });

  test.each([
    ['WHERE price > 5', 0],
    ['JOIN events AS f USING (price)', 0],
    ['WHERE amount > 5', 1],
  ])('a column without its table is one of the table that has it: %s', (rest, count) => {
    const program = new SqlProgram();
    program.addTable('events', { ...stream('clicks', 4), columns: COLUMNS });
    program.addTable('prices', { ...source(), columns: [COLUMNS[0]!, Column.physical('price', DataType.BIGINT)] });
    const strict = [COLUMNS[0]!, Column.physical('price', DataType.BIGINT.notNull())];
    const joined = `SELECT e.id, p.price FROM events AS e LEFT JOIN prices AS p ON e.id = p.id ${rest}`;
    program.addInsert(program.addTable('out', { ...sink(), columns: strict }), joined);
    expect(warnings({ program, stateTtl: Duration.days(1) })).toHaveLength(count);
  });
});

describe('StatelessUpgrade', () => {
  test('fires for a job that starts from nothing, and passes for those that keep their state', () => {
    expect(warnings({ upgradeMode: UpgradeMode.STATELESS })).toEqual([
      expect.stringContaining(
        "cdk-flink-pipeline:StatelessUpgrade: upgradeMode of job 'orders' is STATELESS: each change of the job starts",
      ),
    ]);
    expect([undefined, UpgradeMode.SAVEPOINT, UpgradeMode.LAST_STATE].flatMap((upgradeMode) => warnings({ upgradeMode }))).toEqual([]);
  });

  test.each<[string, UpgradeMode | undefined, string, number]>([
    ['a patch', undefined, 'stateless', 1],
    ['a patch beside the prop', UpgradeMode.STATELESS, 'stateless', 1],
    ['a patch to another mode', undefined, 'last-state', 0],
    ['a token', undefined, Token.asString({ Ref: 'Mode' }), 0],
  ])('tells %s once', (_, upgradeMode, patch, count) => {
    const told = (acknowledged: boolean) => {
      const error = jest.spyOn(console, 'error').mockImplementation(() => {});
      const app = newApp();
      const created = job(newStack({ env: ENVIRONMENT }, app), { upgradeMode });
      created.flinkDeployment.addJsonPatch(JsonPatch.replace('/spec/job/upgradeMode', patch));
      if (acknowledged) {
        Validations.of(created).acknowledge({ id: 'cdk-flink-pipeline:StatelessUpgrade', reason: 'meant' });
      }
      app.synth();
      const shown = error.mock.calls.flat().join('\n');
      error.mockRestore();
      return [...shown.matchAll(/Acknowledge with 'Annotation::cdk-flink-pipeline:StatelessUpgrade'/g)];
    };
    expect(told(false)).toHaveLength(count);
    expect(told(true)).toEqual([]);
  });
});

describe('UnconfirmedWrites', () => {
  const found = (acks: string, guarantee?: DeliveryGuarantee) =>
    warnings({ program: into(producing({ 'properties.acks': acks }, guarantee)) });

  test.each(['0', '1'])('fires for %s', (acks) => {
    expect(found(acks)).toEqual([
      expect.stringContaining(
        `cdk-flink-pipeline:UnconfirmedWrites out: table 'out' of job 'orders' is to lose nothing and sets 'properties.acks' to '${acks}'`,
      ),
    ]);
  });

  test('fires without idempotence, unless one request goes after the other', () => {
    const of = (options: { [option: string]: string }) => warnings({ program: into(producing(options)) });
    const [idempotence, inFlight] = ['properties.enable.idempotence', 'properties.max.in.flight.requests.per.connection'];
    expect(of({ [idempotence]: 'false' })).toEqual([
      expect.stringContaining(
        "UnconfirmedWrites out: table 'out' of job 'orders' is to lose nothing and sets 'properties.enable.idempotence' to 'false'",
      ),
    ]);
    expect(of({ [idempotence]: 'false', [inFlight]: '5' })).toHaveLength(1);
    expect(of({ [idempotence]: 'false', [inFlight]: '1' })).toEqual([]);
    expect(of({ [idempotence]: 'true' })).toEqual([]);
    expect(of({ [idempotence]: Token.asString({ Ref: 'Idempotence' }) })).toEqual([]);
  });

  test('passes for all in-sync copies, a token, and a sink that may lose rows', () => {
    expect(['all', '-1', Token.asString({ Ref: 'Acks' })].flatMap((acks) => found(acks))).toEqual([]);
    expect(found('1', DeliveryGuarantee.NONE)).toEqual([]);
    expect(found('all', DeliveryGuarantee.EXACTLY_ONCE)).toEqual([]);
    expect(warnings({ program: into(producing({})) })).toEqual([]);
  });
});

describe('UndiscoveredPartitions', () => {
  const found = (interval?: string) => warnings({ program: discovering(interval) });

  test.each(['0', '0 s', '0ms', 'PT0S'])('fires for %s', (interval) => {
    expect(found(interval)).toEqual([
      expect.stringContaining(
        "cdk-flink-pipeline:UndiscoveredPartitions events: table 'events' of job 'orders' never looks for new partitions",
      ),
    ]);
  });

  test.each(['1 min', Token.asString({ Ref: 'Interval' }), undefined])('passes for %s', (interval) => {
    expect(found(interval)).toEqual([]);
  });

  test('passes for a source that ends, and fires for one that says it does not', () => {
    expect(warnings({ program: discovering('0', 'latest-offset') })).toEqual([]);
    expect(warnings({ program: discovering('0', 'unbounded') })).toHaveLength(1);
  });
});

describe('MovingDocument', () => {
  const stateTtl = Duration.days(1);
  const columns = [...COLUMNS, Column.physical('at', DataType.timestamp(3))];
  const found = (index: string, primaryKey: string[], query = AGGREGATE) =>
    warnings({ stateTtl, program: into(daily(index), primaryKey.length > 0 ? { primaryKey } : {}, query) }).map(
      (text) => text.split(': ')[0],
    );
  const fired = ['cdk-flink-pipeline:MovingDocument out'];

  test.each([
    ['a sum', AGGREGATE],
    ['the last row of a key', lastRow('ROW_NUMBER')],
    ['the best rows of a key', lastRow('RANK')],
    ['the first ten', 'SELECT id, amount FROM events ORDER BY amount LIMIT 10'],
    ['a left join', LEFT_JOIN],
    ['rows without others', 'SELECT id, amount FROM events WHERE id NOT IN (SELECT id FROM events WHERE amount > 5)'],
    ['a sum in a subquery', `SELECT id, t FROM (${AGGREGATE.replace('SUM(amount)', 'SUM(amount) AS t')})`],
  ])('fires where the index follows from a column beside the key, of %s', (_, query) => {
    expect(found('totals-{amount}', ['id'], query)).toEqual(fired);
  });

  test.each([
    ['the clock', 'CURRENT_DATE', 1],
    ['a row', 'at', 0],
  ])('finds %s under sixty views that name each column twice', (_, value, count) => {
    const program = new SqlProgram();
    program.addTable('rows_of', { ...stream('rows', 4), columns: [...COLUMNS, Column.physical('at', DataType.timestamp(3))] });
    let from = program.addView('v0', `SELECT id, CAST(${value} AS STRING) AS x0, CAST(${value} AS STRING) AS y0 FROM rows_of`);
    for (let step = 1; step <= 60; step++) {
      const [x, y] = [`x${step - 1}`, `y${step - 1}`];
      from = program.addView(`v${step}`, `SELECT id, ${x} || ${y} AS x${step}, ${y} || ${x} AS y${step} FROM ${from}`);
    }
    const out = [COLUMNS[0]!, Column.physical('x60', DataType.STRING)];
    const documents = program.addTable('documents', { connector: daily('x-{x60}'), columns: out, primaryKey: ['id'] });
    program.addInsert(documents, `SELECT id, x60 FROM ${from}`);
    const started = performance.now();
    expect(warnings({ program, stateTtl }).filter((text) => text.includes('MovingDocument documents'))).toHaveLength(count);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  test('fires for rows that are changed at the source, through a view, and once for two INSERTs', () => {
    const program = reading(CHANGES, { primaryKey: ['id'] });
    const rows = program.addView('rows_of', 'SELECT id, amount FROM events');
    const out = program.addTable('documents', { connector: daily(), columns: COLUMNS, primaryKey: ['id'] });
    program.addInsert(out, `SELECT * FROM ${rows}`);
    program.addInsert(out, `SELECT id, amount FROM ${rows} WHERE amount > 5`);
    const told = warnings({ program, stateTtl: Duration.days(1) }).map((text) => text.split(': ')[0]);
    expect(told).toEqual(['cdk-flink-pipeline:MovingDocument documents']);
  });

  test.each([
    ['rows as they are', 'SELECT id, amount FROM events'],
    ['distinct rows', 'SELECT DISTINCT id, amount FROM events'],
    ['a join', LEFT_JOIN.replace('LEFT ', '')],
    ['a join by a comma', 'SELECT e.id, u.amount FROM events AS e, events AS u WHERE e.id = u.id'],
    ['a left join that leaves out what has no match', `${LEFT_JOIN} WHERE u.amount > 5`],
    [
      'sums over windows',
      "SELECT id, SUM(amount) FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(at), INTERVAL '1' MINUTE)) GROUP BY id, window_start, window_end",
    ],
    ['the best rows of a window', lastRow('ROW_NUMBER').replace('PARTITION BY id', 'PARTITION BY window_start, window_end, id')],
    [
      'a join within an hour',
      "SELECT e.id, u.amount FROM events AS e JOIN events AS u ON e.id = u.id AND e.at BETWEEN u.at - INTERVAL '1' HOUR AND u.at",
    ],
  ])('passes for %s, of which none changes', (_, query) => {
    expect(found('totals-{amount}', ['id'], query)).toEqual([]);
  });

  test('passes for a column of the key, one index, a token, and documents that are only added', () => {
    expect(found('totals-{amount}', ['id', 'amount'])).toEqual([]);
    expect(found('totals', ['id'])).toEqual([]);
    expect(found(Token.asString({ Ref: 'Index' }), ['id'])).toEqual([]);
    expect(found('totals-{amount}', [], APPEND)).toEqual(['cdk-flink-pipeline:InsertsWithoutKey out']);
  });

  /** Rows that are only added, in an index for each day. */
  const byDay = (query: string, view?: string) => {
    const program = readingBy(stream('clicks', 4).connector, {
      columns: [...columns, Column.computed('read_at', 'LOCALTIMESTAMP')],
      watermark: Watermark.ascending('at'),
    });
    if (view !== undefined) {
      program.addView('seen', view);
    }
    program.addInsert(program.addTable('days', { connector: daily('clicks-{at|yyyy-MM-dd}'), columns, primaryKey: ['id'] }), query);
    return warnings({ program }).filter((text) => text.includes('MovingDocument'));
  };

  test('passes for rows that are only added, in the index of their own day', () => {
    expect(byDay('SELECT id, amount, `at` FROM events')).toEqual([]);
    expect(byDay('SELECT id, amount, CAST(`at` AS TIMESTAMP(3)) FROM events WHERE `at` < LOCALTIMESTAMP')).toEqual([]);
    expect(byDay('SELECT * FROM seen', 'SELECT id, amount, `at` FROM events')).toEqual([]);
  });

  test.each([
    ['the clock', 'SELECT id, amount, LOCALTIMESTAMP FROM events'],
    ['a function of the clock', 'SELECT id, amount, COALESCE(`at`, CAST(NOW() AS TIMESTAMP(3))) FROM events'],
    ['a computed column of the source', 'SELECT id, amount, read_at FROM events'],
    ['a subquery', 'SELECT id, amount, t FROM (SELECT *, LOCALTIMESTAMP AS t FROM events)'],
    ['one SELECT of a union', 'SELECT id, amount, `at` FROM events UNION ALL SELECT id, amount, read_at FROM events'],
  ])('fires for rows that are only added, in the index of a day from %s', (_, query) => {
    expect(byDay(query)).toEqual([
      expect.stringContaining("follows from column 'at', which is not in its primary key and comes from the clock or from chance"),
    ]);
  });

  test('fires for a day from the clock in a view', () => {
    expect(byDay('SELECT * FROM seen', 'SELECT id, amount, read_at AS `at` FROM events')).toHaveLength(1);
  });

  const firstRow =
    'SELECT id, amount, at FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY `at` ASC) AS n FROM events) WHERE n = 1';

  test('passes for the first row of each key, which no later one replaces', () => {
    expect(byDay(firstRow)).toEqual([]);
    expect(byDay(firstRow.replace(' ASC', ''))).toEqual([]);
    expect(byDay(firstRow.replace('n = 1', 'n < 2'))).toEqual([]);
    // A number that leaves no row out by itself is a sum over earlier rows.
    expect(byDay(firstRow.replace('n = 1', 'n = 1 OR amount = 1'))).toEqual([]);
  });

  test.each([
    ['the last row', firstRow.replace('ASC', 'DESC')],
    ['the first two', firstRow.replace('n = 1', 'n <= 2')],
    ['the first by what is no time', firstRow.replace('`at` ASC', 'amount')],
    ['the first by two columns', firstRow.replace('ASC', 'ASC, amount')],
  ])('fires for %s of each key', (_, query) => {
    expect(byDay(query)).toHaveLength(1);
  });
});

describe('StaleFields', () => {
  const tags = DataType.map(DataType.STRING, DataType.STRING);
  const columns = [...COLUMNS, Column.physical('tags', tags)];
  const withTags = "SELECT id, SUM(amount), MAP['a', 'b'] FROM events GROUP BY id";
  const found = (connector: IConnector, table: Partial<SqlTableProps> = { primaryKey: ['id'] }, query = AGGREGATE) =>
    warnings({ stateTtl: Duration.days(1), image: FlinkImage.named('registry/orders:1'), program: into(connector, table, query) });

  test('fires where nulls are left out, and for entries of a map', () => {
    expect(found(documents(true))).toEqual([
      expect.stringContaining(
        "cdk-flink-pipeline:StaleFields out: table 'out' of job 'orders' updates documents in part, and leaves out nulls",
      ),
    ]);
    expect(found(documents(), { columns, primaryKey: ['id'] }, withTags)).toEqual([
      expect.stringContaining('an entry that is removed from tags stays in the document'),
    ]);
  });

  test('fires for a map within a row, but not for one within an array, which is replaced', () => {
    const nested = (type: DataType) =>
      found(documents(), { columns: [...COLUMNS, Column.physical('device', type)], primaryKey: ['id'] }, withTags);
    const seen = {
      name: 'seen',
      type: DataType.row({ name: 'tags', type: tags }, { name: 'counts', type: DataType.multiset(DataType.STRING) }),
    };
    expect(nested(DataType.row(seen).notNull())).toEqual([
      expect.stringContaining('removed from device.seen.tags, device.seen.counts stays'),
    ]);
    expect(nested(DataType.row({ name: 'seen', type: DataType.array(tags) }))).toEqual([]);
    expect(nested(DataType.row({ name: 'MAP<', type: DataType.STRING }))).toEqual([]);
  });

  test('passes where nulls are written, without a map, and for another sink', () => {
    expect(found(documents())).toEqual([]);
    expect(found(documents(false))).toEqual([]);
    expect(found(upsertSink(CleanupPolicy.COMPACT, { valueFormat: Format.json({ ignoreNullFields: true }) }))).toEqual([]);
  });

  test('passes for documents that are only added, with a key and without one', () => {
    expect(found(documents(true), { primaryKey: ['id'] }, APPEND)).toEqual([]);
    expect(found(documents(), { columns, primaryKey: ['id'] }, "SELECT id, amount, MAP['a', 'b'] FROM events")).toEqual([]);
    expect(found(documents(true), {}, APPEND)).toEqual([expect.stringContaining('InsertsWithoutKey')]);
  });

  test('a connector by its options: opensearch-2 updates in part, opensearch-3 replaces', () => {
    const custom = (identifier: string) =>
      new CustomConnector({
        identifier,
        role: TableRole.SINK,
        changes: Changes.UPSERT,
        options: { hosts: 'http://search:9200', index: 'totals', 'json.encode.ignore-null-fields': 'true' },
      });
    expect(found(custom('opensearch-2'))).toHaveLength(1);
    expect(found(custom('opensearch-3'))).toEqual([]);
  });
});

describe('in a CDK app', () => {
  const AT = Column.computed('at', "COALESCE(TRY_CAST(id AS TIMESTAMP(3)), TIMESTAMP '1970-01-01 00:00:00.000')");
  const cases: [string, (stack: Stack) => Partial<FlinkJobProps>][] = [
    ['CheckpointPause', (stack) => ({ checkpointing: { storage: storageIn(stack), minPause: Duration.minutes(2) } })],
    ['CheckpointTimeout', (stack) => ({ checkpointing: { storage: storageIn(stack), timeout: Duration.seconds(10) } })],
    [
      'CompositeDocumentId',
      () => {
        const uri = MongoDbUri.seedList({ hosts: ['mongo:27017'] });
        return { program: into(new MongoDbSink({ uri, database: 'shop', collection: 'totals' }), { primaryKey: ['id', 'amount'] }) };
      },
    ],
    [
      'CrowdedSourceSubtasks',
      () => {
        const program = new SqlProgram();
        const columns = [AT];
        const connector = new KinesisSource({ stream: externalStream(), start: StartPosition.latest(), format: Format.raw() });
        program.addTable('events', {
          connector,
          columns: [Column.physical('id', DataType.STRING), ...columns],
          watermark: Watermark.ascending('at'),
        });
        program.addInsert(program.addTable('printed', { connector: new PrintSink(), columns: [COLUMNS[0]!] }), 'SELECT id FROM events');
        return { parallelism: 1, program };
      },
    ],
    [
      'DeletableState',
      (stack) => ({
        checkpointing: { storage: storageIn(stack, { removalPolicy: RemovalPolicy.DESTROY, autoDeleteObjects: true }) },
      }),
    ],
    [
      'DroppedDeletes',
      () => {
        const strict = [COLUMNS[0]!, Column.physical('amount', DataType.BIGINT.notNull())];
        const program = into(upsertSink(), { columns: strict, primaryKey: ['id'] }, 'SELECT id, 1 FROM events');
        program.set('table.exec.sink.not-null-enforcer', 'DROP');
        return { program };
      },
    ],
    [
      'EmptyPartitions',
      () => ({ program: into(new KafkaSink({ topic: topicOf(12), format: Format.json(), partitioner: KafkaPartitioner.FIXED })) }),
    ],
    ['EndlessMaterializer', () => ({ program: into(mySql(''), { primaryKey: ['id'] }), upsertMaterialize: UpsertMaterialize.FORCE })],
    [
      'EndlessState',
      () => {
        const program = printed(externalStream());
        program.addInsert(program._tables()[1]!, 'SELECT DISTINCT line FROM events');
        return { program };
      },
    ],
    ['ExpiringAggregate', () => ({ stateTtl: Duration.days(1), program: reading(CHANGES, {}, GROUPED) })],
    ['ExpiringJoin', () => ({ stateTtl: Duration.days(1), program: reading(CHANGES, {}, JOINED) })],
    [
      'FeedbackLoop',
      () => {
        const program = printed(externalStream());
        const connector = new KinesisSink({ stream: externalStream(), format: Format.raw() });
        program.addInsert(program.addTable('again', { connector, columns: program._tables()[0]!.columns }), 'SELECT line FROM events');
        return { program };
      },
    ],
    ['FloatingImageTag', () => ({ image: FlinkImage.named('registry/clicks') })],
    ['HighAvailabilityOff', () => ({ highAvailability: false })],
    [
      'IdleBeforeCheckpoint',
      () => {
        const window =
          "SELECT id, SUM(amount) FROM TABLE(TUMBLE(TABLE events, DESCRIPTOR(at), INTERVAL '1' MINUTE)) GROUP BY id, window_start, window_end";
        return {
          sourceIdleTimeout: Duration.seconds(5),
          program: reading(SOME_JSON, { columns: [...COLUMNS, AT], watermark: Watermark.ascending('at') }, window),
        };
      },
    ],
    ['IdleSourceSubtasks', () => ({ parallelism: 40 })],
    ['IneffectiveAutoscaler', () => ({ flinkConfiguration: { 'job.autoscaler.enabled': 'true' } })],
    ['InsertsWithoutKey', () => ({ program: into(new JdbcSink({ url: 'jdbc:mysql://db/shop', tableName: 'totals' })) })],
    [
      'LocalStorage',
      () => ({
        stateBackend: StateBackend.rocksDb({ localStorage: Size.gibibytes(50) }),
        taskManager: { ephemeralStorage: Size.gibibytes(10) },
      }),
    ],
    ['LookupOverChanges', () => ({ program: reading(CHANGES, {}, LOOKUP) })],
    ['MovingDocument', () => ({ stateTtl: Duration.days(1), program: into(daily(), { primaryKey: ['id'] }, AGGREGATE) })],
    [
      'NullIntoNotNull',
      () => {
        const columns = [COLUMNS[0]!, Column.physical('amount', DataType.BIGINT.notNull())];
        return { stateTtl: Duration.days(1), program: into(sink().connector, { columns }, LEFT_JOIN) };
      },
    ],
    ['NullableEventTime', () => ({ program: timed(Column.physical('at', DataType.timestamp(3))) })],
    [
      'NumberedPrefix',
      () => {
        const connector = upsertSink(CleanupPolicy.COMPACT, {
          guarantee: DeliveryGuarantee.EXACTLY_ONCE,
          transactionalIdPrefix: 'orders-v14',
        });
        return { program: into(connector, { primaryKey: ['id'] }) };
      },
    ],
    ['OptionWithoutEffect', () => ({ flinkConfiguration: { 'state.backend.rocksdb.thread.num': '4' } })],
    [
      'RefusedRecordFailsJob',
      () => {
        const deliveryStream = ArchiveDeliveryStream.external({
          deliveryStreamArn: 'arn:aws:firehose:eu-central-1:111122223333:deliverystream/archive',
        });
        return { program: into(new FirehoseSink({ deliveryStream, format: Format.json(), failOnError: true })) };
      },
    ],
    [
      'RocksDbMemory',
      () => ({ stateBackend: StateBackend.rocksDb(), flinkConfiguration: { 'state.backend.rocksdb.memory.managed': 'false' } }),
    ],
    [
      'RowsWaitForCheckpoint',
      () => {
        const flush = { maxRows: 10_000, interval: Duration.seconds(0) };
        return { program: into(new JdbcSink({ url: 'jdbc:mysql://db/shop', tableName: 'totals', flush }), { primaryKey: ['id'] }) };
      },
    ],
    [
      'SavepointLifeCycle',
      (stack) => {
        const storage = storageIn(stack);
        (storage.bucket as Bucket).addLifecycleRule({ expiration: Duration.days(30), prefix: 'clicks/savepoints/' });
        return { checkpointing: { storage } };
      },
    ],
    ['SavepointOutsideStorage', () => ({ initialSavepointPath: 's3p://old/clicks/savepoints/savepoint-1' })],
    ['ShiftedTimestamps', () => ({ program: minutes(mySql('?connectionTimeZone=Asia/Shanghai')) })],
    [
      'ShortRetention',
      (stack) => ({ survivableOutage: Duration.days(2), program: printed(new EventStream(stack, 'Clicks', { shardCount: 4 })) }),
    ],
    ['SkippedChanges', () => ({ program: reading(SOME_CHANGES) })],
    [
      'SlowRestart',
      () => ({
        restartStrategy: RestartStrategy.fixedDelay(10, Duration.minutes(5)),
        program: into(upsertSink(CleanupPolicy.COMPACT, { guarantee: DeliveryGuarantee.EXACTLY_ONCE }), { primaryKey: ['id'] }),
      }),
    ],
    ['StaleFields', () => ({ stateTtl: Duration.days(1), program: into(documents(true), { primaryKey: ['id'] }, AGGREGATE) })],
    ['StatelessUpgrade', () => ({ upgradeMode: UpgradeMode.STATELESS })],
    [
      'TransactionalIds',
      (stack) => ({
        checkpointing: { storage: storageIn(stack), interval: Duration.seconds(1), timeout: Duration.seconds(30) },
        program: into(upsertSink(CleanupPolicy.COMPACT, { guarantee: DeliveryGuarantee.EXACTLY_ONCE }), { primaryKey: ['id'] }),
      }),
    ],
    ['UnclaimedState', () => ({ upgradeMode: UpgradeMode.LAST_STATE, allowNonRestoredState: true })],
    ['UnconfirmedWrites', () => ({ program: into(producing({ 'properties.acks': '1' })) })],
    ['UndiscoveredPartitions', () => ({ program: discovering('0') })],
    ['UnenforcedNotNull', () => ({ program: reading(CHANGES, { columns: STRICT }) })],
    ['UnreadTimestamps', () => ({ program: reading(SOME_JSON, { columns: TIMED }) })],
    [
      'UnusedTable',
      () => {
        const program = printed(externalStream());
        program.addTable('idle', { ...source(), columns: program._tables()[0]!.columns });
        return { program };
      },
    ],
    ['UpsertMaterializeOff', () => ({ program: into(mySql(''), { primaryKey: ['id'] }), upsertMaterialize: UpsertMaterialize.NONE })],
    ['VanishingKeys', () => ({ program: into(upsertSink(CleanupPolicy.DELETE), { primaryKey: ['id'] }) })],
  ];

  test('every warning is tried', () => {
    expect(cases.map(([name]) => name)).toEqual(APPLICATION_RULES.filter(({ level }) => level === 'warning').map(({ name }) => name));
  });

  test.each(cases)('%s is a warning at the job, silent once acknowledged', (name, changed) => {
    const warn = (acknowledged: boolean) => {
      const error = jest.spyOn(console, 'error').mockImplementation(() => {});
      const app = newApp();
      const stack = newStack({ env: ENVIRONMENT }, app);
      const created = job(stack, changed(stack));
      if (acknowledged) {
        Validations.of(created).acknowledge({ id: `cdk-flink-pipeline:${name}`, reason: 'meant' });
      }
      app.synth();
      const shown = error.mock.calls.flat().join('\n');
      error.mockRestore();
      return shown;
    };
    expect(warn(false)).toContain(`Acknowledge with 'Annotation::cdk-flink-pipeline:${name}'`);
    expect(warn(true)).not.toContain('cdk-flink-pipeline:');
  });
});

/** Plain rows into a topic, with options of the producer. */
function producing(options: { [option: string]: string }, guarantee?: DeliveryGuarantee): KafkaSink {
  return new KafkaSink({ topic: topicOf(4), format: Format.json(), options, guarantee });
}

/** A topic that is asked for new partitions at that interval. */
function discovering(interval?: string, boundedMode?: string): SqlProgram {
  const options: { [option: string]: string } = {
    ...(interval === undefined ? {} : { 'scan.topic-partition-discovery.interval': interval }),
    ...(boundedMode === undefined ? {} : { 'scan.bounded.mode': boundedMode }),
  };
  return readingBy(new KafkaSource({ topic: topicOf(4), start: KafkaStart.earliest(), format: CHANGES, options }), {});
}

/** The best row of each key, as a rank tells. */
function lastRow(rank: string): string {
  return `SELECT id, amount FROM (SELECT *, ${rank}() OVER (PARTITION BY id ORDER BY amount DESC) AS n FROM events) WHERE n = 1`;
}

/** Documents in an index for each amount. */
function daily(index = 'totals-{amount}'): ElasticsearchSink {
  return new ElasticsearchSink({ hosts: ['http://es:9200'], index });
}

/** Documents of one index. */
function documents(ignoreNullFields?: boolean): ElasticsearchSink {
  return new ElasticsearchSink({ hosts: ['http://es:9200'], index: 'totals', format: Format.json({ ignoreNullFields }) });
}

function storageIn(stack: Stack, props: BucketProps = {}): CheckpointStorage {
  return CheckpointStorage.s3(new Bucket(stack, 'State', { bucketName: 'state', ...props }), 'clicks');
}
