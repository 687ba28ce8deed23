import { execFileSync, spawnSync } from 'child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { dirname, join } from 'path';

const ROOT = join(__dirname, '..', '..');
const BUILT = join(ROOT, 'dist', 'package');

const built = existsSync(join(BUILT, '.jsii'));
if (!built) {
  console.log('skipped: no built package; run npm run build first');
}
const whenBuilt = built ? describe : describe.skip;

interface PackedFile {
  readonly path: string;
}

// biome-ignore lint/suspicious/noExplicitAny: package.json and JSON of npm
const readJson = (path: string): any => JSON.parse(readFileSync(path, 'utf8'));

whenBuilt('the package', () => {
  const work = mkdtempSync(join(tmpdir(), 'package-'));
  const app = join(work, 'app');
  let files: string[];

  const npm = (...args: string[]) =>
    execFileSync('npm', args, { cwd: app, encoding: 'utf8', env: { ...process.env, npm_config_loglevel: 'error' } });
  const node = (args: string[]) => spawnSync(process.execPath, args, { cwd: app, encoding: 'utf8' });
  const command = (...args: string[]) => node([join('node_modules', '.bin', 'cdk-flink-pipeline'), ...args]);

  beforeAll(() => {
    mkdirSync(app);
    const { devDependencies, peerDependencies } = readJson(join(ROOT, 'package.json'));
    const [packed] = JSON.parse(npm('pack', BUILT, '--json', '--pack-destination', work));
    files = packed.files.map(({ path }: PackedFile) => path);
    writeFileSync(join(app, 'package.json'), JSON.stringify({ name: 'app', version: '1.0.0', private: true }));
    const peers = Object.keys(peerDependencies).map((name) => `${name}@${devDependencies[name]}`);
    npm('install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', join(work, packed.filename), ...peers);
  }, 300_000);

  afterAll(() => rmSync(work, { recursive: true, force: true }));

  test('holds what its users need and nothing else', () => {
    expect(files).toEqual(
      expect.arrayContaining([
        '.jsii',
        'LICENSE',
        'NOTICE',
        'README.md',
        'lib/application/data/flink-2.2-configuration.json',
        'lib/cli/main.js',
        'lib/connectors/data/flink-2.2-table-options.json',
        'lib/index.d.ts',
        'lib/index.js',
        'lib/target/yaml.js',
        'runtime/pom.xml',
        'runtime/sql-runner/pom.xml',
      ]),
    );
    expect(files.filter((path) => /^runtime\/sql-runner\/src\/main\/java\/.*\/SqlRunner\.java$/.test(path))).toHaveLength(1);
    expect(files.filter((path) => !/^(\.jsii|LICENSE|NOTICE|README\.md|package\.json)$|^(lib|docs|runtime)\//.test(path))).toEqual([]);
    expect(files.filter((path) => /(?<!\.d)\.ts$|\.map$|tsbuildinfo|\/target\/.*\.(class|jar)$|src\/test/.test(path))).toEqual([]);
  });

  test('has pages whose links lead to its own files, or to the repository', () => {
    const home = join(app, 'node_modules', 'cdk-flink-pipeline');
    const { repository } = readJson(join(home, 'package.json'));
    const source = `${repository.url.replace(/\.git$/, '')}/blob/main/`;
    const pages = files.filter((path) => path.endsWith('.md'));
    const links = pages.flatMap((page) =>
      [...readFileSync(join(home, page), 'utf8').matchAll(/\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g)].map(([, link]) => ({ page, link: link! })),
    );
    const own = links.filter(({ link }) => !/^https?:/.test(link));
    expect(own.length).toBeGreaterThan(50);
    expect(own.filter(({ page, link }) => !files.includes(join(dirname(page), link)))).toEqual([]);
    const toSource = links.flatMap(({ link }) => (link.startsWith(source) ? [link.slice(source.length)] : []));
    expect(toSource).toEqual(expect.arrayContaining(['examples/quick-start.ts', 'bin/order-items-stack.ts']));
    expect(toSource.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test('brings nothing but itself, and is tested with the least version of each peer', () => {
    const { dependencies, devDependencies, peerDependencies, ...others } = readJson(
      join(app, 'node_modules', 'cdk-flink-pipeline', 'package.json'),
    );
    expect(dependencies).toBeUndefined();
    expect([others.private, others.scripts]).toEqual([undefined, undefined]);
    for (const [name, range] of Object.entries(peerDependencies)) {
      expect(`${name} ${range}`).toBe(`${name} ^${devDependencies[name]}`);
    }
  });

  test('is not made of the root, which holds no compiled files', () => {
    const packed = spawnSync('npm', ['pack', ROOT, '--pack-destination', work], { cwd: app, encoding: 'utf8' });
    expect(packed.status).not.toBe(0);
    expect(packed.stderr).toContain('npm run build && npm pack ./dist/package');
    expect(readJson(join(ROOT, 'package.json')).private).toBe(true);
  });

  test('names no registry and no path of the machine that built it', () => {
    const assembly = readFileSync(join(app, 'node_modules', 'cdk-flink-pipeline', '.jsii'), 'utf8');
    expect(assembly).not.toContain(ROOT);
  });

  test('types and runs the first example', () => {
    const example = readFileSync(join(ROOT, 'examples', 'quick-start.ts'), 'utf8').replace("'../lib'", "'cdk-flink-pipeline'");
    writeFileSync(join(app, 'main.ts'), example);
    const compiled = node([
      join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'),
      ...['--strict', '--target', 'es2022', '--module', 'node20', '--moduleResolution', 'node16'],
      ...['--typeRoots', join(ROOT, 'node_modules', '@types'), '--types', 'node', 'main.ts'],
    ]);
    expect(compiled.stdout).toBe('');
    const run = spawnSync(process.execPath, ['main.js'], {
      cwd: app,
      encoding: 'utf8',
      env: { ...process.env, CDK_OUTDIR: join(app, 'cdk.out') },
    });
    expect(run.stderr).toContain('job.parallelism = 12: shards of stream user-events');
    expect(run.status).toBe(0);
    const written = readdirSync(join(app, 'cdk.out'), { recursive: true, encoding: 'utf8' });
    expect(written).toEqual(
      expect.arrayContaining([
        'Clicks.template.json',
        'Clicks.clicks/job.sql',
        'Clicks.clicks/manifests.yaml',
        'Clicks.clicks/pipeline.json',
      ]),
    );
  }, 120_000);

  test('has a command that writes the build of an image', () => {
    expect(command('--help')).toMatchObject({ status: 0, stderr: '' });
    expect(command('--help').stdout).toContain('cdk-flink-pipeline image');
    expect(command('image', 'build', 'cdk.out')).toMatchObject({ status: 0, stderr: '' });
    const context = readdirSync(join(app, 'build'), { recursive: true, encoding: 'utf8' });
    expect(context).toContain('Dockerfile');
    expect(context.filter((path) => path.endsWith('SqlRunner.java'))).toHaveLength(1);
    expect(command('deploy').status).toBe(2);
  });
});
