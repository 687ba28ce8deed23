import { App, Stack } from 'aws-cdk-lib';
import { OpenIdConnectProvider } from 'aws-cdk-lib/aws-iam';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { dirname, join } from 'path';
import * as connectorExamples from '../examples/connectors';
import * as deploymentExamples from '../examples/deployment';
import * as jobExamples from '../examples/job';
import * as kafkaExamples from '../examples/kafka';
import * as monitoringExamples from '../examples/monitoring';
import * as sqlExamples from '../examples/sql';
import * as streamExamples from '../examples/streams-and-tables';
import * as library from '../lib';
import { APP_RULES } from '../lib/rules/app-rules';
import { APPLICATION_RULES } from '../lib/rules/application-rules';

const ROOT = join(__dirname, '..');
/** Written by the generator of the API reference. */
const GENERATED = 'docs/api.md';
const PAGES = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
    .filter((path) => path !== GENERATED),
];
const EXAMPLES = readdirSync(join(ROOT, 'examples'))
  .filter((name) => name.endsWith('.ts'))
  .map((name) => lines(read(`examples/${name}`)));

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

function written(directory: string, path: string): string {
  return readFileSync(join(directory, path), 'utf8');
}

/** Lines without their indentation: a part of a function stands at another depth in a document. */
function lines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function holds(example: string[], block: string[]): boolean {
  return example.some((_, start) => block.every((line, offset) => example[start + offset] === line));
}

/** Anchors of a page, as GitHub makes them of its headings. */
function anchors(text: string): string[] {
  const headings = withoutCode(text).match(/^#{1,6} .*$/gm) ?? [];
  return headings.map((heading) =>
    heading
      .replace(/^#+ /, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  );
}

function withoutCode(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, '');
}

describe.each(PAGES)('%s', (page) => {
  const text = read(page);

  test('shows code that stands in examples/', () => {
    const blocks = [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((match) =>
      match[1].replaceAll(/(from )'cdk-flink-pipeline(\/lib)?/g, "$1'../lib"),
    );
    expect(blocks.filter((block) => !EXAMPLES.some((example) => holds(example, lines(block))))).toEqual([]);
  });

  test('has links that lead somewhere', () => {
    const links = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1]).filter((link) => !/^https?:/.test(link));
    const broken = links.filter((link) => {
      const [path, anchor] = link.split('#');
      const target = path === '' ? page : join(dirname(page), path);
      return target !== GENERATED && (!existsSync(join(ROOT, target)) || (anchor !== undefined && !anchors(read(target)).includes(anchor)));
    });
    expect(broken).toEqual([]);
  });
});

test('docs/rules.md has each rule under its id, and no other', () => {
  const inCode = readdirSync(join(ROOT, 'lib'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
    .flatMap((path) => [...read(join('lib', path)).matchAll(/'cdk-flink-pipeline:([A-Z]\w+)'/g)].map((match) => match[1]));
  const documented = [...read('docs/rules.md').matchAll(/^### `cdk-flink-pipeline:(\w+)` \((error|warning)\)$/gm)];
  expect(documented.map((match) => match[1]).sort()).toEqual(
    [...new Set([...inCode, ...[...APPLICATION_RULES, ...APP_RULES].map((rule) => rule.name)])].sort(),
  );
  for (const rule of [...APPLICATION_RULES, ...APP_RULES]) {
    expect(documented.find((match) => match[1] === rule.name)?.[2]).toBe(rule.level);
  }
});

test('each connector has a section', () => {
  const connectors = Object.entries(library)
    .filter(([, member]) => typeof (member as { prototype?: { bind?: unknown } }).prototype?.bind === 'function')
    .map(([name]) => name);
  const sections = anchors(`${read('docs/connectors.md')}\n${read('docs/kafka.md')}`);
  expect(connectors.length).toBeGreaterThan(15);
  expect(connectors.filter((name) => !sections.some((section) => section.split('-').includes(name.toLowerCase())))).toEqual([]);
});

test('each public class and enum is mentioned', () => {
  const all = PAGES.map(read).join('\n');
  expect(Object.keys(library).filter((name) => !new RegExp(`\\b${name}\\b`).test(all))).toEqual([]);
});

describe('the examples synthesize', () => {
  let outdir: string;
  let app: App;
  let stack: Stack;

  beforeEach(() => {
    outdir = mkdtempSync(join(tmpdir(), 'examples-'));
    app = new App({ outdir });
    stack = new Stack(app, 'Stack', { env: { account: '111122223333', region: 'eu-central-1' } });
  });
  afterEach(() => rmSync(outdir, { recursive: true, force: true }));

  function target(): library.DeploymentTarget {
    return deploymentExamples.eksTargets(stack);
  }

  function events(id = 'Input'): library.EventStream {
    return new library.EventStream(stack, id, { streamName: id.toLowerCase(), shardCount: 12 });
  }

  function bucket(): Bucket {
    return new Bucket(stack, 'StateBucket', { bucketName: 'flink-state' });
  }

  function program(): library.SqlProgram {
    const created = new library.SqlProgram();
    const columns = [library.Column.physical('line', library.DataType.STRING)];
    const source = created.addTable('source', {
      connector: new library.KinesisSource({
        stream: library.EventStream.external({ streamArn: 'arn:aws:kinesis:eu-central-1:111122223333:stream/in', shardCount: 12 }),
        start: library.StartPosition.latest(),
        format: library.Format.raw(),
      }),
      columns,
    });
    created.addInsert(created.addTable('sink', { connector: new library.PrintSink(), columns }), `SELECT line FROM ${source}`);
    return created;
  }

  function expectDocumented(derived: library.DerivedValue[]): void {
    const rules = read('docs/job.md');
    expect(derived.map(({ name }) => name).filter((name) => !rules.includes(`\`${name}\``))).toEqual([]);
  }

  test('quick-start.ts, with the numbers that the README shows', () => {
    const log = jest.spyOn(console, 'error').mockImplementation();
    const before = process.env.CDK_OUTDIR;
    process.env.CDK_OUTDIR = outdir;
    try {
      jest.isolateModules(() => require('../examples/quick-start'));
    } finally {
      process.env.CDK_OUTDIR = before;
      if (before === undefined) {
        delete process.env.CDK_OUTDIR;
      }
    }
    const derived = log.mock.calls.map(
      ([line]) => /^(?<name>.*?) = (?<value>.*?): (?<reason>.*)$/.exec(line)!.groups as unknown as library.DerivedValue,
    );
    log.mockRestore();
    expectDocumented(derived);
    expect(derived.filter(({ name }) => ['job.parallelism', 'slots', 'task managers'].includes(name)).map(({ value }) => value)).toEqual([
      '12',
      '12',
      '3',
    ]);
    expect(readdirSync(join(outdir, 'Clicks.clicks')).sort()).toEqual(['job.sql', 'manifests.yaml', 'pipeline.json']);
  });

  test('streams-and-tables.ts', () => {
    streamExamples.eventStreams(stack);
    streamExamples.existingStreams(stack);
    streamExamples.dimensionTables(stack);
    streamExamples.archives(stack);
    app.synth();
    expect((stack.node.findChild('Orders') as library.EventStream).shardCount).toBe(9);
  });

  test('kafka.ts', () => {
    const cluster = kafkaExamples.msk(stack);
    kafkaExamples.strimzi(target());
    kafkaExamples.selfManaged();
    const application = new library.FlinkApplication({
      jobName: 'totals',
      namespace: 'streaming',
      program: kafkaExamples.tables(cluster),
      checkpointing: { storage: library.CheckpointStorage.location('s3p://flink-state/totals') },
    });
    app.synth();
    expect(application.script).toContain("'sink.transactional-id-prefix' = 'streaming.totals.order_totals'");
    expectDocumented(application.explain());
  });

  test('sql.ts', () => {
    const log = jest.spyOn(console, 'log').mockImplementation();
    sqlExamples.program();
    expect(log.mock.calls[0][0]).toContain('CREATE TEMPORARY FUNCTION `normalize`');
    log.mockRestore();
    expect(sqlExamples.types()).toHaveLength(6);
  });

  test('connectors.ts', () => {
    const program = connectorExamples.connectors({
      events: events(),
      users: new library.DimensionTable(stack, 'Users', { tableName: 'user-dim', partitionKey: 'user_id' }),
      archive: new library.ArchiveDeliveryStream(stack, 'Archive', { deliveryStreamName: 'archive' }),
      orders: library.KafkaTopic.fromTopicAttributes({ cluster: kafkaExamples.selfManaged(), topicName: 'orders', partitions: 6 }),
      bucket: bucket(),
    });
    expect(program.toSql().match(/CREATE TABLE/g)).toHaveLength(15);
    expect(connectorExamples.customConnectors()).toHaveLength(3);
  });

  test('job.ts', () => {
    const job = jobExamples.wellSetUp(stack, program(), target(), bucket());
    jobExamples.escapeHatch(job);
    jobExamples.acknowledge(job);
    expectDocumented(job.explain());
    app.synth();
    expect(written(outdir, 'Stack.user-events/manifests.yaml')).toContain('flink.example.com/{{namespace}}/{{name}}');
  });

  test('monitoring.ts', () => {
    monitoringExamples.monitoring(stack, jobExamples.wellSetUp(stack, program(), target(), bucket()));
    app.synth();
    const manifests = written(outdir, 'Stack.user-events/manifests.yaml');
    expect(manifests).toContain('release: kube-prometheus-stack');
    expect(manifests).toContain('runbook_url: https://wiki.example.com/flink/operations#the-job-does-not-run');
  });

  test('job.ts, day two', () => {
    jobExamples.dayTwo(stack, program(), target(), bucket());
    app.synth();
    expect(written(outdir, 'Stack.user-events/manifests.yaml')).toContain('state: suspended');
  });

  test('job.ts, one job for each sink', () => {
    const columns = [library.Column.physical('line', library.DataType.STRING)];
    const addEvents = (created: library.SqlProgram) =>
      created.addTable('clicks', {
        connector: new library.KinesisSource({
          stream: library.EventStream.external({ streamArn: 'arn:aws:kinesis:eu-central-1:111122223333:stream/clicks', shardCount: 12 }),
          start: library.StartPosition.latest(),
          format: library.Format.raw(),
        }),
        columns,
      });
    const addSink = (name: string) => (created: library.SqlProgram, clicks: library.SqlTable) =>
      created.addInsert(created.addTable(name, { connector: new library.PrintSink(), columns }), `SELECT line FROM ${clicks}`);
    jobExamples.oneJobForEachSink(stack, target(), bucket(), addEvents, addSink('search'), addSink('archive'));
    app.synth();
    expect(written(outdir, 'Stack.clicks-search/job.sql')).toContain('INSERT INTO `search`');
    expect(written(outdir, 'Stack.clicks-archive/job.sql')).not.toContain('`search`');
  });

  test('job.ts, a jar', () => {
    jobExamples.jar(stack, events(), events('Output'), target(), bucket());
    app.synth();
    const manifests = written(outdir, 'Stack.sessions/manifests.yaml');
    expect(manifests).toContain('jarURI: local:///opt/flink/usrlib/sessions.jar');
    expect(manifests).toContain('parallelism: 12');
  });

  test('deployment.ts', () => {
    deploymentExamples.eksClassic(deploymentExamples.importedCluster(stack));
    deploymentExamples.secrets(stack);
    deploymentExamples.chart(program());
    // An app of its own: the same job stands below, deployed in another way.
    const gitOps = new App({ outdir: join(outdir, 'git-ops') });
    deploymentExamples.gitOps(gitOps, program());
    gitOps.synth();
    const provider = OpenIdConnectProvider.fromOpenIdConnectProviderArn(
      stack,
      'Provider',
      'arn:aws:iam::111122223333:oidc-provider/oidc.eks.eu-central-1.amazonaws.com/id/ABC',
    );
    deploymentExamples.identity(stack, program(), target(), provider);
    app.synth();
    expect(written(outdir, 'git-ops/UserEvents.user-events/manifests.yaml')).not.toContain('${');
    expect(written(outdir, 'Stack.user-events/manifests.yaml')).toContain('eks.amazonaws.com/role-arn');
  });
});
