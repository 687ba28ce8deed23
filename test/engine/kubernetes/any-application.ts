import { Duration, Size } from 'aws-cdk-lib';
import { EnvFieldPaths, EnvValue } from 'cdk8s-plus-27';
import fc from 'fast-check';
import {
  type Checkpointing,
  CheckpointingMode,
  CheckpointRetention,
  CheckpointStorage,
  Column,
  DataGenSource,
  DataType,
  FlinkApplication,
  FlinkImage,
  type FlinkSettings,
  JarProgram,
  JobState,
  PrintSink,
  type Program,
  RestartStrategy,
  SavepointFormat,
  SqlProgram,
  StateBackend,
  UpgradeMode,
  UpsertMaterialize,
} from '../../../lib';

/** Texts that YAML readers, shells and Kubernetes are known to trip over. */
const AWKWARD = [
  '',
  'yes',
  'on',
  'NO',
  'y',
  'true',
  'null',
  '~',
  '1',
  '007',
  '0x1F',
  '1e3',
  '1_000',
  '1:30',
  '.inf',
  '2026-01-01',
  '- a',
  'a: b',
  'a #b',
  ' a ',
  "it's",
  '"',
  '!tag',
  '&a',
  '*a',
  '{{ x }}',
  '$(A)',
  '%',
  '@',
  '`',
  '=',
  '|',
  'a\nb\n',
  '\ta',
  'é表😀',
  '\\',
  '0o17',
];

const word = fc.oneof(fc.constantFrom('a', 'b-c', 'Team_1', 'x.y'), fc.constantFrom(...AWKWARD), fc.string({ maxLength: 70 }));
const key = fc.oneof(fc.constantFrom('team', 'app.example.com/part', 'y', '1'), fc.string({ minLength: 1, maxLength: 20 }));
const labels = fc.dictionary(key, word, { maxKeys: 3 });
const count = fc.oneof(fc.integer({ min: 1, max: 200 }), fc.constantFrom(-1, 0, 1.5, 32_768, 2 ** 31 - 1, 2 ** 31, 2 ** 53, Number.NaN));
const seconds = fc.integer({ min: 0, max: 100_000 }).map((value) => Duration.seconds(value));
const mebibytes = fc
  .oneof(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 500, max: 1100 }), fc.integer({ min: 1024, max: 8192 }))
  .map((value) => Size.mebibytes(value));
const process = fc.record(
  {
    cpu: fc.oneof(fc.constantFrom(0.1, 0.5, 1, 3, 64), fc.constantFrom(0, -1, 1e-7, 1e21, Number.NaN, Number.POSITIVE_INFINITY)),
    memory: mebibytes,
    ephemeralStorage: mebibytes,
  },
  { requiredKeys: [] },
);
const toleration = fc.record(
  {
    key: fc.constantFrom('dedicated', 'a'),
    operator: fc.constantFrom('Equal', 'Exists', 'In'),
    value: fc.constantFrom('yes', 'x', ''),
    effect: fc.constantFrom('NoSchedule', 'NoExecute', 'Never'),
    tolerationSeconds: fc.constantFrom(0, 60, 2 ** 40),
  },
  { requiredKeys: [] },
);
const variable = fc.oneof(
  word.map((value) => EnvValue.fromValue(value)),
  fc.constant(EnvValue.fromFieldRef(EnvFieldPaths.POD_IP)),
);
const pod = fc.record(
  {
    labels,
    annotations: labels,
    nodeSelector: labels,
    tolerations: fc.array(toleration, { maxLength: 2 }),
    env: fc.dictionary(fc.constantFrom('A', 'B_2', 'a', 'NOT-ONE', '1'), variable, { maxKeys: 3 }),
    imagePullSecrets: fc.array(fc.constantFrom('registry', 'other'), { maxLength: 2 }),
  },
  { requiredKeys: [] },
);
const stateBackend = fc.oneof(
  fc.boolean().map((localRecovery) => StateBackend.hashMap({ localRecovery })),
  fc
    .record({ incremental: fc.boolean(), localRecovery: fc.boolean(), localStorage: fc.option(mebibytes, { nil: undefined }) })
    .map((options) => StateBackend.rocksDb(options)),
);
const restartStrategy = fc.oneof(
  fc.constant(() => RestartStrategy.none()),
  seconds.map((delay) => () => RestartStrategy.fixedDelay(3, delay)),
  seconds.map((interval) => () => RestartStrategy.failureRate({ maxFailures: 3, interval, delay: Duration.seconds(1) })),
  seconds.map((maxBackoff) => () => RestartStrategy.exponentialDelay({ maxBackoff, multiplier: 2 })),
);
const checkpointing = fc.record(
  {
    interval: seconds,
    minPause: seconds,
    timeout: seconds,
    mode: fc.constantFrom(...Object.values(CheckpointingMode)),
    unaligned: fc.boolean(),
    tolerableFailures: fc.constantFrom(0, 1, 5),
    retention: fc.constantFrom(...Object.values(CheckpointRetention)),
    retained: fc.constantFrom(1, 3),
  },
  { requiredKeys: [] },
);
const flinkConfiguration = fc.dictionary(
  fc.constantFrom('pipeline.object-reuse', 'rest.port', 'metrics.scope.jm', 'kubernetes.cluster-id', 'no.such.key', 'taskmanager.replicas'),
  fc.constantFrom('true', '8081', 'yes', 'a.b', ''),
  { maxKeys: 2 },
);

const program: fc.Arbitrary<() => Program> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ comment: word, constant: word }).map((texts) => () => sqlProgram(texts.comment, texts.constant)) },
  {
    weight: 1,
    arbitrary: fc
      .record({ args: fc.array(word, { maxLength: 3 }), entryClass: fc.option(fc.constant('com.example.Job'), { nil: undefined }) })
      .map((options) => () => new JarProgram({ jarUri: 'local:///opt/flink/usrlib/job.jar', ...options })),
  },
);

function sqlProgram(comment: string, constant: string): SqlProgram {
  const result = new SqlProgram();
  const columns = [Column.physical('id', DataType.STRING)];
  const rows = result.addTable('rows', { connector: new DataGenSource(), columns, comment });
  const printed = result.addTable('printed', { connector: new PrintSink(), columns });
  result.addInsert(printed, `SELECT id FROM ${rows} WHERE id <> '${constant.replaceAll("'", "''")}'`);
  return result;
}

const settings = fc.record(
  {
    maxParallelism: count,
    taskSlots: count,
    jobManager: process,
    taskManager: process,
    stateBackend,
    highAvailability: fc.boolean(),
    stateTtl: seconds,
    upsertMaterialize: fc.constantFrom(...Object.values(UpsertMaterialize)),
    upgradeMode: fc.constantFrom(...Object.values(UpgradeMode)),
    savepointFormat: fc.constantFrom(...Object.values(SavepointFormat)),
    pod,
    flinkConfiguration,
    initialSavepointPath: fc.constantFrom('s3p://state/savepoint-1', 'nowhere', ''),
    state: fc.constantFrom(...Object.values(JobState)),
    allowNonRestoredState: fc.boolean(),
    savepointTriggerNonce: count,
    savepointOnDeletion: fc.boolean(),
    restartNonce: count,
  },
  { requiredKeys: [] },
);

/** Settings of a job, most of them fine, some out of range; a bad one may throw when it is made. */
export interface AnyJob {
  readonly jobName: string;
  readonly namespace: string;
  readonly settings: FlinkSettings;
  readonly program: Program;
}

/** Jobs of all kinds. Making one throws where the library refuses the setting. */
export const anyJob: fc.Arbitrary<() => AnyJob> = fc
  .record({
    jobName: fc.oneof({ weight: 9, arbitrary: fc.stringMatching(/^[a-z]([-a-z0-9]{0,43}[a-z0-9])?$/) }, { weight: 1, arbitrary: word }),
    namespace: fc.oneof({ weight: 9, arbitrary: fc.constantFrom('streaming', 'a', '1-b') }, { weight: 1, arbitrary: word }),
    // Few settings at a time: one bad value hides what the others become.
    settings: settings.chain((all) => fc.shuffledSubarray(Object.keys(all), { maxLength: 5 }).map((keys) => pick(all, keys))),
    parallelism: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 720 }) }, { weight: 1, arbitrary: count }),
    checkpointing: fc.option(checkpointing, { nil: {} }),
    restartStrategy: fc.option(restartStrategy, { nil: undefined }),
    program,
  })
  .map((job) =>
    // A failed property shows what the job was made of.
    Object.assign((): AnyJob => makeJob(job), { [fc.toStringMethod]: () => fc.stringify({ ...job, program: String(job.program) }) }),
  );

function makeJob(job: {
  readonly jobName: string;
  readonly namespace: string;
  readonly settings: Partial<FlinkSettings>;
  readonly parallelism: number;
  readonly checkpointing: Partial<Checkpointing>;
  readonly restartStrategy?: () => RestartStrategy;
  readonly program: () => Program;
}): AnyJob {
  return {
    jobName: job.jobName,
    namespace: job.namespace,
    program: job.program(),
    settings: {
      ...job.settings,
      parallelism: job.parallelism,
      restartStrategy: job.restartStrategy?.(),
      image: FlinkImage.named('registry.example.com/orders:1.0.0'),
      checkpointing: { storage: CheckpointStorage.location('s3p://state/orders'), ...job.checkpointing },
    },
  };
}

function pick(all: Partial<FlinkSettings>, keys: string[]): Partial<FlinkSettings> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => keys.includes(name)));
}

/** The application of a job. */
export function applicationOf({ jobName, namespace, program: runs, settings: how }: AnyJob): FlinkApplication {
  return new FlinkApplication({ ...how, jobName, namespace, program: runs });
}
