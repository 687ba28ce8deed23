import { Token } from 'aws-cdk-lib';
import { App, JsonPatch, Testing } from 'cdk8s';
import { execFileSync } from 'child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { parseAllDocuments } from 'yaml';
import { CheckpointStorage } from '../../lib/application/checkpoint-storage';
import type { FlinkApplicationProps } from '../../lib/application/flink-application';
import { FlinkImage } from '../../lib/application/flink-image';
import { Format, MalformedRecords } from '../../lib/connectors/format';
import { KafkaSink } from '../../lib/connectors/kafka-sink';
import { KafkaSource } from '../../lib/connectors/kafka-source';
import { KafkaStart } from '../../lib/connectors/kafka-start';
import { KafkaCluster } from '../../lib/kafka/kafka-cluster';
import { KafkaTopic } from '../../lib/kafka/kafka-topic';
import { FlinkChart, type FlinkChartProps } from '../../lib/kubernetes/flink-chart';
import { Column } from '../../lib/sql/column';
import { DeliveryGuarantee } from '../../lib/sql/connector';
import { DataType } from '../../lib/sql/data-type';
import { SqlProgram } from '../../lib/sql/sql-program';
import { application, programOf, sink, source, stream } from '../fixtures/programs';

const image = FlinkImage.named('registry/orders:1');
let outdir: string;

beforeEach(() => {
  outdir = mkdtempSync(join(tmpdir(), 'flink-chart-'));
});

afterEach(() => {
  rmSync(outdir, { recursive: true, force: true });
});

function chart(changed: Partial<FlinkApplicationProps> = {}, props: Partial<FlinkChartProps> = {}) {
  const app = new App({ outdir });
  return { app, chart: new FlinkChart(app, 'orders', { application: application({ image, ...changed }), ...props }) };
}

/** What was written to standard error. */
function warned(run: () => void): string {
  const write = jest.spyOn(process.stderr, 'write').mockImplementation(() => true);
  try {
    run();
    return write.mock.calls.map(([text]) => text).join('');
  } finally {
    write.mockRestore();
  }
}

test('holds the objects of a job in their order', () => {
  const objects = Testing.synth(chart().chart);
  expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name.replace(/[0-9a-f]{10}$/, '…')}`)).toEqual([
    'ServiceAccount orders',
    'Role orders',
    'RoleBinding orders',
    'ConfigMap orders-sql-…',
    'FlinkDeployment orders',
  ]);
});

test('writes YAML that reads as it was meant', () => {
  const { app, chart: created } = chart();
  app.synth();
  const [file] = readdirSync(outdir);
  const read = parseAllDocuments(readFileSync(join(outdir, file!), 'utf8')).map((document) => document.toJS());
  expect(read).toEqual(Testing.synth(created));
  expect(read[4].spec.flinkConfiguration['taskmanager.numberOfTaskSlots']).toBe('1');
});

test('takes account, annotations and store', () => {
  const objects = Testing.synth(chart({}, { serviceAccountAnnotations: { role: 'arn' } }).chart);
  expect(objects[0].metadata.annotations).toEqual({ role: 'arn' });
  expect(Testing.synth(chart({}, { serviceAccountName: 'flink' }).chart).map(({ kind }) => kind)).toEqual(['ConfigMap', 'FlinkDeployment']);
});

test('keeps the script alone from being pruned', () => {
  const objects = Testing.synth(chart().chart);
  const kept = objects.filter(({ metadata }) => metadata.annotations?.['kustomize.toolkit.fluxcd.io/prune'] === 'disabled');
  expect(kept.map(({ kind }) => kind)).toEqual(['ConfigMap']);
  expect(kept[0].metadata.annotations['argocd.argoproj.io/sync-options']).toBe('Prune=false,Delete=false');
});

test('lets the FlinkDeployment be patched', () => {
  const { chart: created } = chart();
  created.flinkDeployment.metadata.addLabel('team', 'shop');
  expect(Testing.synth(created)[4].metadata.labels.team).toBe('shop');
});

test('is judged as it is patched', () => {
  const patched = (path: string, value: unknown) => {
    const { app, chart: created } = chart();
    created.flinkDeployment.addJsonPatch(JsonPatch.add(path, value));
    return () => app.synth();
  };
  expect(patched('/spec/flinkConfiguration', 'abc')).toThrow("'spec.flinkConfiguration' of FlinkDeployment 'orders' must be a map");
  expect(patched('/spec/image', Token.asString({ Ref: 'Late' }))).toThrow(
    "'spec.image' of FlinkDeployment 'orders' holds a value known only at deployment, known only when CloudFormation deploys it",
  );
  expect(readdirSync(outdir)).toEqual([]);
  expect(patched('/spec/restartNonce', 2)).not.toThrow();
});

test.each(['/spec/podTemplate/spec/priorityClassName', '/spec/jobManager/podTemplate/spec/tolerations/-'])(
  'says where pods are to a patch of %s, which is not there',
  (path) => {
    const patched = (patch: JsonPatch) => {
      const { app, chart: created } = chart();
      created.flinkDeployment.addJsonPatch(patch);
      return () => app.synth();
    };
    expect(patched(JsonPatch.add(path, 'high'))).toThrow(
      "a patch of FlinkDeployment 'orders' goes below a part that it does not have: add that part first, with all that is in it; pod templates stand at '/spec/jobManager/podTemplate' and '/spec/taskManager/podTemplate'",
    );
    expect(patched(JsonPatch.add('/spec/taskManager/podTemplate/spec/priorityClassName', 'high'))).not.toThrow();
    expect(patched(JsonPatch.test('/spec/image', 'none'))).toThrow('Test operation failed');
  },
);

test('is warned of a patch by which it forgets its state', () => {
  const patched = (upgradeMode: string) => {
    const { app, chart: created } = chart();
    created.flinkDeployment.addJsonPatch(JsonPatch.replace('/spec/job/upgradeMode', upgradeMode));
    return warned(() => app.synth());
  };
  expect(patched('stateless')).toMatch(
    /^\[warning\] orders: cdk-flink-pipeline:StatelessUpgrade: upgradeMode of job 'orders' is STATELESS, by a patch: .*\n$/,
  );
  expect(patched('last-state')).toBe('');
});

test('has the values of its options looked at, however a patch wrote them', () => {
  const patched = (options: object) => {
    const { app, chart: created } = chart();
    created.flinkDeployment.addJsonPatch(JsonPatch.replace('/spec/flinkConfiguration', options));
    return () => app.synth();
  };
  const directories = { execution: { checkpointing: { dir: 's3p://state/checkpoints', 'savepoint-dir': 's3p://state/savepoints' } } };
  const { execution } = directories;
  expect(patched({ ...directories, 'web.timeout': 'soon' })).toThrow(
    "flinkConfiguration of FlinkDeployment 'orders': 'web.timeout' must be a duration",
  );
  expect(patched({ execution: { checkpointing: { ...execution.checkpointing, interval: 'sixty' } } })).toThrow(
    "'execution.checkpointing.interval' must be a duration",
  );
  expect(patched({ ...directories, 'taskmanager.numberOfTaskSlots': 1.5 })).toThrow("must be a whole number (32 bits), got '1.5'");
  expect(patched({ ...directories, 'web.timeout': 5000, 'pipeline.object-reuse': true, 'my.plugin.key': 'soon' })).not.toThrow();
  expect(patched({ ...directories, 'taskmanager.resource-id': 'a', 'pipeline.jars': ['a.jar', 'b.jar'] })).not.toThrow();
});

test('needs a named image', () => {
  expect(() => chart({ image: undefined })).toThrow(
    "job 'orders' in a cdk8s app must name its image: nothing builds one here; give image: FlinkImage.named('registry/repository:tag')",
  );
});

describe('refuses tokens, which nothing resolves', () => {
  const token = Token.asString({ Ref: 'Late' });

  test.each<[string, Partial<FlinkApplicationProps>, string]>([
    ['image', { image: FlinkImage.named(token) }, "'spec.image' of FlinkDeployment 'orders'"],
    ['namespace', { namespace: token }, "'metadata.namespace' of ServiceAccount 'orders'"],
    ['label', { pod: { labels: { team: token } } }, "of FlinkDeployment 'orders'"],
    ['option', { flinkConfiguration: { 'web.timeout': token } }, "'spec.flinkConfiguration.web.timeout' of FlinkDeployment 'orders'"],
  ])('in the %s', (_, changed, where) => {
    expect(() => chart(changed)).toThrow(where);
    expect(() => chart(changed)).toThrow('known only when CloudFormation deploys it; there is no stack here: use a literal value');
  });

  test('in a table option', () => {
    const program = programOf({ events: stream('clicks', 4), out: sink({}, {}, { options: { host: token } }) });
    expect(() => chart({ program })).toThrow(/of FlinkDeployment 'orders' holds/);
  });
});

describe('rules', () => {
  test('warn on standard error', () => {
    expect(warned(() => chart({ highAvailability: false }))).toMatch(
      /^\[warning\] orders: cdk-flink-pipeline:HighAvailabilityOff: high availability of job 'orders' is off.*\n$/,
    );
    expect(warned(() => chart())).toBe('');
  });

  test('tell each table', () => {
    const program = programOf({ events: stream('clicks', 4), out: sink() });
    program.addTable('idle', { ...source(), columns: program._tables()[0]!.columns });
    expect(warned(() => chart({ program, parallelism: 5 })).split('\n')).toHaveLength(3);
  });
});

describe('the jobs of an app', () => {
  const exactlyOnce = (transactionalIdPrefix?: string, server = 'b:9092') => {
    const program = new SqlProgram();
    const columns = [Column.physical('id', DataType.STRING)];
    program.addTable('events', { ...stream('clicks', 4), columns });
    const cluster = KafkaCluster.selfManaged({ bootstrapServers: [server] });
    const connector = new KafkaSink({
      topic: KafkaTopic.fromTopicAttributes({ cluster, topicName: 'totals', partitions: 4 }),
      format: Format.json(),
      guarantee: DeliveryGuarantee.EXACTLY_ONCE,
      transactionalIdPrefix,
    });
    program.addInsert(program.addTable('totals', { connector, columns }), 'SELECT id FROM events');
    return program;
  };
  const read = (consumerGroup?: string) => {
    const program = new SqlProgram();
    const columns = [Column.physical('id', DataType.STRING)];
    const cluster = KafkaCluster.selfManaged({ bootstrapServers: ['kafka:9092'] });
    const topic = KafkaTopic.fromTopicAttributes({ cluster, topicName: 'totals', partitions: 4 });
    const format = Format.json({ malformedRecords: MalformedRecords.FAIL });
    const connector = new KafkaSource({ topic, format, start: KafkaStart.earliest(), consumerGroup });
    program.addTable('events', { connector, columns });
    program.addInsert(program.addTable('out', { ...sink(), columns }), 'SELECT id FROM events');
    return program;
  };
  const jobs = (one: Partial<FlinkApplicationProps>, other: Partial<FlinkApplicationProps>) => {
    const app = new App({ outdir });
    const stored = (prefix: string) => ({ checkpointing: { storage: CheckpointStorage.location(`s3p://state/${prefix}`) } });
    [one, other].forEach((changed, index) => {
      const jobName = `job-${index}`;
      new FlinkChart(app, `chart-${index}`, { application: application({ image, jobName, ...stored(jobName), ...changed }) });
    });
    return app;
  };

  test('may have one name, as in a cluster for tests and one for customers', () => {
    const stage = (name: string) => ({
      jobName: 'orders',
      program: exactlyOnce(undefined, `${name}:9092`),
      checkpointing: { storage: CheckpointStorage.location(`s3p://state-${name}/orders`) },
    });
    expect(() => jobs(stage('test'), stage('production')).synth()).not.toThrow();
  });

  test('of one name are in two clusters, in each of which the name of a service means another one', () => {
    const stage = (uri: string, program = exactlyOnce(undefined, 'shop-kafka-bootstrap.kafka:9092')) => ({
      jobName: 'orders',
      program,
      checkpointing: { storage: CheckpointStorage.location(uri) },
    });
    const hdfs = 'hdfs://namenode/flink/orders';
    expect(() => jobs(stage(hdfs), stage(hdfs)).synth()).not.toThrow();
    expect(warned(() => jobs(stage(hdfs, read()), stage(hdfs, read())))).toBe('');
    const bucket = 's3p://flink-state/orders';
    const minio = { flinkConfiguration: { 's3.endpoint': 'http://minio.storage:9000' } };
    expect(() => jobs({ ...stage(bucket), ...minio }, { ...stage(bucket), ...minio }).synth()).not.toThrow();
    expect(() => jobs(stage(bucket), stage(bucket))).toThrow(/share a directory/);
  });

  test('of one name write one cluster that both reach: their transactions collide', () => {
    const stage = (name: string) => ({
      jobName: 'orders',
      program: exactlyOnce(undefined, 'pkc-1.eu-west-1.aws.confluent.cloud:9092'),
      checkpointing: { storage: CheckpointStorage.location(`s3p://state-${name}/orders`) },
    });
    expect(() => jobs(stage('test'), stage('production'))).toThrow('in one Kafka cluster');
  });

  test('have directories and transactions of their own', () => {
    const shared = { checkpointing: { storage: CheckpointStorage.location('s3p://state/job-0/more') } };
    expect(() => jobs({}, shared)).toThrow(/the checkpoints of 'chart-1' .* share a directory/);
    expect(() => jobs({ flinkConfiguration: { 's3.endpoint': 'http://minio:9000' } }, shared)).not.toThrow();
    expect(() => jobs({ program: exactlyOnce('mine') }, { program: exactlyOnce('mine') })).toThrow(
      "have the transactional id prefix 'mine' in one Kafka cluster",
    );
    expect(() => jobs({ program: exactlyOnce() }, { program: exactlyOnce() })).not.toThrow();
  });

  test('are looked at together', () => {
    expect(warned(() => jobs({ program: read('mine') }, { program: read('mine') }))).toMatch(
      /^\[warning\] chart-1: cdk-flink-pipeline:SharedConsumerGroup: .*\n$/,
    );
    expect(warned(() => jobs({ program: read() }, { program: read() }))).toBe('');
  });

  test('are another in another app', () => {
    new FlinkChart(new App({ outdir }), 'one', { application: application({ image }) });
    expect(() => new FlinkChart(new App({ outdir }), 'other', { application: application({ image }) })).not.toThrow();
  });
});

describe('sizes', () => {
  const withScript = (bytes: number) => {
    const program = programOf({ events: stream('clicks', 4), out: sink() });
    const [events, out] = program._tables();
    program.addInsert(out!, `SELECT id, at FROM ${events} WHERE id <> '${'x'.repeat(bytes)}'`);
    return chart({ program }).app;
  };

  test('of a script above 1 MiB are refused with the size, and nothing is written', () => {
    const app = withScript(1024 * 1024);
    expect(() => app.synth()).toThrow(
      /ConfigMap 'orders-sql-[0-9a-f]{10}' holds \d{7} bytes of data, more than 1048576: shorten the SQL script, or split the job/,
    );
    expect(readdirSync(outdir)).toEqual([]);
  });

  test('of a script below are fine', () => {
    expect(() => withScript(1024 * 1024 - 2048).synth()).not.toThrow();
    expect(existsSync(outdir)).toBe(true);
  });
});

test('text that YAML readers take differently is refused', () => {
  const { app, chart: created } = chart({ pod: { annotations: { mode: '0o17' } } });
  expect(created).toBeDefined();
  expect(() => app.synth()).toThrow("of FlinkDeployment 'orders' is '0o17', which YAML 1.2 readers take for an octal number");
});

test('loads no EKS, asset or stack of the CDK', () => {
  // A process of its own: what this file imports is loaded here already.
  const loaded = execFileSync(
    process.execPath,
    ['--import', 'tsx', '-e', "require('./lib/kubernetes/flink-chart.ts'); console.log(Object.keys(require.cache).join('\\n'))"],
    { cwd: join(__dirname, '..', '..'), encoding: 'utf8' },
  );
  expect(loaded).toContain('flink-chart.ts');
  expect(loaded).not.toMatch(/aws-cdk-lib\/(aws-eks|aws-ecr-assets|aws-kinesis|aws-dynamodb)\//);
});
