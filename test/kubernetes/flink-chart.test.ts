import { Token } from 'aws-cdk-lib';
import { App, Testing } from 'cdk8s';
import { execFileSync } from 'child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { parseAllDocuments } from 'yaml';
import type { FlinkApplicationProps } from '../../lib/application/flink-application';
import { FlinkImage } from '../../lib/application/flink-image';
import { FlinkChart, type FlinkChartProps } from '../../lib/kubernetes/flink-chart';
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
