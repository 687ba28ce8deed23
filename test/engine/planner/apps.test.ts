import { type App, Stack, Stage, Validations } from 'aws-cdk-lib';
import { execFile } from 'child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { promisify } from 'util';
import { OrderItemsStack } from '../../../bin/order-items-stack';
import { UserEventsStack } from '../../../bin/user-events-stack';
import { BlackholeSink, Column, DataType, FlinkPlanCheck } from '../../../lib';
import { newApp } from '../../fixtures/assembly';
import { command } from '../../fixtures/command';
import { ENVIRONMENT, externalStream, job, newStack, printed } from '../../fixtures/stacks';

jest.setTimeout(300_000);

const plan = (...args: string[]) => command('plan', ...args);

const ACCOUNT = '111122223333';
const APPS: [string, (app: App) => void, string[]][] = [
  [
    'UserEvents',
    (app) => void new UserEventsStack(app, 'UserEvents', { env: { account: ACCOUNT, region: 'cn-north-1' } }),
    ['user-events'],
  ],
  [
    'OrderItems',
    (app) => void new OrderItemsStack(app, 'OrderItems', { env: { account: ACCOUNT, region: 'eu-central-1' } }),
    ['order-items', 'order-status'],
  ],
];

describe.each(APPS)('%s', (_, build, jobs) => {
  const app = newApp();
  build(app);
  Validations.of(app).addPlugins(new FlinkPlanCheck());
  let directory: string;

  test('passes the check at synth', () => {
    directory = app.synth().directory;
    expect(existsSync(join(directory, 'manifest.json'))).toBe(true);
  });

  test('the report as text', () => {
    const { code, out } = plan(directory);
    expect(out).toMatchSnapshot();
    expect(code).toBe(0);
  });

  test('the report as JSON', () => {
    const { code, out } = plan(directory, '--json');
    const report = JSON.parse(out);
    expect(code).toBe(0);
    expect(report).toMatchObject({ version: 1, ok: true });
    expect(report.jobs.map(({ job }: { job: string }) => job)).toEqual(jobs);
    for (const { ok, plan: planned, mermaid } of report.jobs) {
      expect(ok).toBe(true);
      expect(planned.vertices.length).toBeGreaterThan(0);
      expect(mermaid).toMatch(/^flowchart LR\n/);
    }
  });
});

describe('SQL that Flink refuses', () => {
  function badApp(stack = newStack()): App {
    const program = printed(externalStream());
    const sink = program.addTable('nothing', { connector: new BlackholeSink(), columns: [Column.physical('n', DataType.BIGINT)] });
    program.addInsert(sink, 'SELECT nonsense FROM `events`');
    job(stack, { program });
    return stack.node.root as App;
  }

  test('fails a synthesis in the report of the CDK, with job, statement and construct', () => {
    const app = badApp();
    Validations.of(app).addPlugins(new FlinkPlanCheck());
    let message = '';
    try {
      app.synth();
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toContain('flink-refuses');
    expect(message).toContain("Column 'nonsense' not found in any table");
    expect(message).toMatch(/statement \d+, line \d+ \(INSERT INTO `nothing`/);
    expect(message).toContain('Stack/Job');
  });

  test('jobs of stages are planned once, each under its construct', () => {
    const app = newApp();
    for (const name of ['Dev', 'Prod']) {
      badApp(new Stack(new Stage(app, name), 'Stack', { env: ENVIRONMENT }));
    }
    job(new Stack(app, 'Stack', { env: ENVIRONMENT }));
    Validations.of(app).addPlugins(new FlinkPlanCheck());
    let message = '';
    try {
      app.synth();
    } catch (error) {
      message = (error as Error).message;
    }
    const places = [...message.matchAll(/^ERROR .*\n {3}(\S+)/gm)].map(([, path]) => path);
    expect(places).toEqual(['Dev/Stack/Job', 'Prod/Stack/Job']);
  });

  test('fails the command, and a synthesis without the check does not care', () => {
    const { directory } = badApp().synth();
    const { code, out } = plan(directory);
    expect(code).toBe(1);
    expect(out).toMatch(/Flink 2\.2\.1 refuses 1 of \d statements/);
    expect(out).toContain("Column 'nonsense' not found in any table");
  });
});

test('commands that run at the same time do not clash', async () => {
  const app = newApp();
  APPS[1]![1](app);
  const { directory } = app.synth();
  const command = () => promisify(execFile)('npx', ['tsx', 'lib/cli/main.ts', 'plan', directory, '--json'], { maxBuffer: 1 << 26 });
  const [first, second] = await Promise.all([command(), command()]);
  expect(first.stdout).toBe(second.stdout);
  expect([first.stderr, second.stderr]).toEqual(['', '']);
});

describe('without Java', () => {
  const saved = { ...process.env };
  const empty = mkdtempSync(join(tmpdir(), 'no-java-'));
  afterEach(() => {
    process.env.PATH = saved.PATH;
    process.env.JAVA_HOME = saved.JAVA_HOME;
    if (saved.JAVA_HOME === undefined) {
      delete process.env.JAVA_HOME;
    }
  });
  afterAll(() => rmSync(empty, { recursive: true }));

  test('the command says what to install, and so does the check', () => {
    const app = newApp();
    APPS[1]![1](app);
    const { directory } = app.synth();
    delete process.env.JAVA_HOME;
    process.env.PATH = empty;
    const { code, error } = plan(directory);
    expect([code, error]).toEqual([1, expect.stringMatching(/needs Java, and neither JAVA_HOME nor PATH has any: install a JDK 17/)]);

    const checked = newApp();
    APPS[1]![1](checked);
    Validations.of(checked).addPlugins(new FlinkPlanCheck());
    expect(() => checked.synth()).toThrow('install a JDK 17');
  });

  test('nor with an old one', () => {
    writeFileSync(join(empty, 'release'), 'JAVA_VERSION="11.0.2"\n');
    process.env.JAVA_HOME = empty;
    const app = newApp();
    APPS[1]![1](app);
    expect(plan(app.synth().directory).error).toContain('has no bin/java');
  });
});
