import { type App as CdkApp, Token } from 'aws-cdk-lib';
import { App, Testing } from 'cdk8s';
import { EnvValue } from 'cdk8s-plus-27';
import { Construct } from 'constructs';
import { parseAllDocuments } from 'yaml';
import { CheckpointStorage, DeploymentTarget, EventStream, FlinkChart, FlinkImage } from '../../lib';
import type { FlinkApplicationProps } from '../../lib/application/flink-application';
import { synthesize } from '../fixtures/assembly';
import type { Json } from '../fixtures/json';
import { application, programOf, sink, source, stream } from '../fixtures/programs';
import { ENVIRONMENT, job, newStack, printed } from '../fixtures/stacks';
import { objects } from './job-fixtures';

/** Texts that a YAML parser takes for something else unless they are quoted. */
const LOOK_LIKE_OTHERS = [
  '1e3',
  '0123',
  '12345678901234567890',
  '012345678901',
  '0x1F',
  '1_000',
  'yes',
  'on',
  'null',
  'true',
  '~',
  '12:30:45',
];

const byKey = (prefix: string, texts: string[]) => Object.fromEntries(texts.map((text, index) => [`${prefix}${index}`, text]));
const LABELS = byKey(
  'label-',
  LOOK_LIKE_OTHERS.filter((text) => /^\w+$/.test(text)),
);
const ANNOTATIONS = byKey('note-', LOOK_LIKE_OTHERS);

/** A job whose pods carry those texts. */
function carrying(): Partial<FlinkApplicationProps> {
  const env = LOOK_LIKE_OTHERS.map((text, index) => [`VALUE_${index}`, EnvValue.fromValue(text)]);
  return { pod: { labels: LABELS, annotations: ANNOTATIONS, env: Object.fromEntries(env) } };
}

/** FlinkDeployment of some YAML, as a parser of a YAML version reads it. */
function read(yaml: string, version: '1.1' | '1.2'): Json {
  const found = parseAllDocuments(yaml, { version }).map((document) => (document as { toJSON(): Json }).toJSON());
  return found.find(({ kind }) => kind === 'FlinkDeployment');
}

function expectTexts({ spec }: Json): void {
  const { metadata, spec: pod } = spec.jobManager.podTemplate;
  const env = pod.containers[0].env.filter(({ name }: Json) => name.startsWith('VALUE_')).map(({ value }: Json) => value);
  expect(metadata).toEqual({ labels: LABELS, annotations: ANNOTATIONS });
  expect(env).toEqual(LOOK_LIKE_OTHERS);
}

describe('C8-01 values that only CloudFormation knows', () => {
  const token = Token.asString({ 'Fn::GetAtt': ['Stream', 'Arn'] });
  const program = (option: string) =>
    programOf({ events: stream('clicks', 4), printed: sink({}, {}, { options: { 'stream.arn': option } }) });

  test.each<[string, () => Partial<FlinkApplicationProps>]>([
    ['a table option', () => ({ program: program(token) })],
    [
      'a query',
      () => ({ program: programOf({ events: stream('clicks', 4), printed: sink() }, `SELECT id, at FROM events WHERE id = '${token}'`) }),
    ],
    ['the image', () => ({ image: FlinkImage.named(`${token}/orders:1`) })],
    ['the checkpoint location', () => ({ checkpointing: { storage: CheckpointStorage.location(`s3p://${token}/orders`) } })],
    ['an option of Flink', () => ({ flinkConfiguration: { 'web.timeout': token } })],
    ['a label', () => ({ pod: { labels: { stream: token } } })],
  ])('in %s are refused in a plain cdk8s app', (_, changed) => {
    expect(() => objects(changed())).toThrow('known only when CloudFormation deploys it; there is no stack here: use a literal value');
  });

  test('literals pass', () => {
    expect(() => objects({ program: program('arn:aws:kinesis:eu-central-1:111122223333:stream/clicks') })).not.toThrow();
  });

  test('a patch with a token is refused when the chart is written', () => {
    const chart = new FlinkChart(new App(), 'orders', { application: application({ image: FlinkImage.named('registry/orders:1') }) });
    chart.flinkDeployment.metadata.addLabel('stream', token);
    expect(() => Testing.synth(chart)).toThrow('known only when CloudFormation deploys it');
  });

  test('pass where a deployment resolves them', () => {
    const files = synthesize((app: CdkApp) => {
      const stack = newStack({ env: ENVIRONMENT }, app);
      job(stack, { program: printed(new EventStream(stack, 'Events', { shardCount: 4 })) });
    });
    expect(JSON.stringify(files['Stack.template.json'])).not.toContain('${Token[');
  });
});

describe('C8-02 names of objects', () => {
  const names = (...path: string[]) => {
    const scope = path.reduce<Construct>((parent, id) => new Construct(parent, id), new App());
    const chart = new FlinkChart(scope, 'chart', { application: application({ image: FlinkImage.named('registry/orders:1') }) });
    return Testing.synth(chart).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  };

  test('follow from the job, not from where the chart stands', () => {
    expect(names('team', 'billing', 'renamed')).toEqual(names());
    expect(names()).toContain('FlinkDeployment orders');
  });

  test('the script is mounted by the name that it has', () => {
    const { ConfigMap, FlinkDeployment } = objects();
    expect(FlinkDeployment.spec.jobManager.podTemplate.spec.volumes[0].configMap.name).toBe(ConfigMap.metadata.name);
  });
});

describe('C8-04 texts that look like something else', () => {
  describe.each(['1.1', '1.2'] as const)('to a parser of YAML %s', (version) => {
    test('stay texts in what cdk8s writes', () => {
      const app = new App();
      new FlinkChart(app, 'orders', { application: application({ image: FlinkImage.named('registry/orders:1'), ...carrying() }) });
      expectTexts(read(app.synthYaml(), version));
    });

    test('stay texts in manifest files', () => {
      const files = synthesize((app) => {
        const target = DeploymentTarget.manifests({ namespace: 'streaming', clusterName: 'main' });
        job(newStack({ env: ENVIRONMENT }, app), { target, ...carrying() });
      });
      expectTexts(read(files['Stack.clicks/manifests.yaml']!, version));
    });
  });
});

test('C8-05 every option reaches the object, under its own key', () => {
  const flinkConfiguration = { 'web.timeout': '5 s', 'pipeline.global-job-parameters.region': 'eu', 'metrics.scope.jm': '*' };
  const created = application({ image: FlinkImage.named('registry/orders:1'), flinkConfiguration });
  const chart = new FlinkChart(new App(), 'orders', { application: created });
  const written = Testing.synth(chart).find(({ kind }) => kind === 'FlinkDeployment');
  expect(written.spec.flinkConfiguration).toEqual(created.flinkConfiguration);
  expect(written.spec.flinkConfiguration).toMatchObject(flinkConfiguration);
});

test('C8-06 objects stand in the order in which they are applied', () => {
  const order = ['ServiceAccount', 'Role', 'RoleBinding', 'ConfigMap', 'FlinkDeployment'];
  expect(Object.keys(objects())).toEqual(order);
  const files = synthesize((app) => {
    job(newStack({ env: ENVIRONMENT }, app), { target: DeploymentTarget.manifests({ namespace: 'streaming', clusterName: 'main' }) });
  });
  const written = parseAllDocuments(files['Stack.clicks/manifests.yaml']!).map((document) => (document as { toJSON(): Json }).toJSON());
  expect(written.map(({ kind }) => kind)).toEqual(order);
});

test('C8-07 a deep path shortens no name: the name is that of the job, with a letter first and at most 45 characters', () => {
  const jobName = `a${'b'.repeat(44)}`;
  const scope = Array.from({ length: 12 }, (_, index) => `${index}-level-of-the-tree`).reduce<Construct>(
    (parent, id) => new Construct(parent, id),
    new App(),
  );
  const chart = new FlinkChart(scope, 'chart', { application: application({ jobName, image: FlinkImage.named('registry/orders:1') }) });
  expect(chart.flinkDeployment.name).toBe(jobName);
  expect(() => application({ jobName: `${jobName}b` })).toThrow('jobName must be at most 45');
  expect(() => application({ jobName: '1-orders', program: programOf({ events: source(), printed: sink() }) })).toThrow(
    'beginning with a letter',
  );
});
