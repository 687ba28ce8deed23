import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { cacheDirectory } from '../../lib/planner/cache-directory';
import { mavenErrors } from '../../lib/planner/maven';
import { preparePlanner } from '../../lib/planner/planner-home';

const saved = { PATH: process.env.PATH, JAVA_HOME: process.env.JAVA_HOME };
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'home-'));
  for (const name of ['java', 'javac']) {
    program(`jdk/bin/${name}`, '');
  }
  writeFileSync(join(root, 'jdk/release'), 'JAVA_VERSION="17.0.1"\n');
  process.env.JAVA_HOME = join(root, 'jdk');
  process.env.PATH = `${join(root, 'tools')}:/usr/bin:/bin`;
  mkdirSync(join(root, 'tools'));
});
afterEach(() => {
  rmSync(root, { recursive: true });
  process.env.PATH = saved.PATH;
  process.env.JAVA_HOME = saved.JAVA_HOME;
  if (saved.JAVA_HOME === undefined) {
    delete process.env.JAVA_HOME;
  }
});

function program(path: string, script: string): void {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), `#!/bin/sh\n${script}\n`);
  chmodSync(join(root, path), 0o755);
}

/** What Maven leaves behind. */
const BUILDS = `
while [ $# -gt 0 ]; do [ "$1" = -f ] && pom=$2; shift; done
runtime=$(dirname "$pom")
mkdir -p "$runtime/planner/target" "$runtime/sql-runner/target"
echo a > "$runtime/planner/target/planner.jar"
echo b > "$runtime/sql-runner/target/sql-runner.jar"
printf '%s:%s' "$runtime/sql-runner/target/sql-runner.jar" "ROOT/other.jar" > "$runtime/planner/target/class-path.txt"
echo run >> ROOT/maven.log`;

test('the first use builds and says so, the next does not', () => {
  writeFileSync(join(root, 'other.jar'), 'c');
  program('tools/mvn', BUILDS.replaceAll('ROOT', root));
  const said: string[] = [];
  const cache = join(root, 'cache');
  const { java, args } = preparePlanner((message) => said.push(message), cache);
  expect(java).toBe(join(root, 'jdk/bin/java'));
  expect(said[0]).toMatch(/first use of the Flink planner: compiling it and fetching its jars through Maven/);
  const [directory] = readdirSync(cache);
  const paths = ['planner.jar', 'sql-runner.jar'].map((name) => join(cache, directory!, name));
  expect(args[args.indexOf('-cp') + 1]).toBe([...paths, join(root, 'other.jar')].join(':'));
  expect(readdirSync(cache)).toHaveLength(1);

  said.length = 0;
  preparePlanner((message) => said.push(message), cache);
  expect(said.filter((message) => message.includes('Maven'))).toEqual([]);

  // A jar that has gone from the repository of Maven.
  rmSync(join(root, 'other.jar'));
  writeFileSync(join(root, 'other.jar'), 'another');
  preparePlanner((message) => said.push(message), cache);
  expect(said.filter((message) => message.includes('Maven'))).toHaveLength(1);
});

test('planners that nobody starts any more go, those in use stay', () => {
  writeFileSync(join(root, 'other.jar'), 'c');
  program('tools/mvn', BUILDS.replaceAll('ROOT', root));
  const cache = join(root, 'cache');
  const days = (count: number) => new Date(Date.now() - count * 24 * 60 * 60 * 1000);
  const directory = (name: string, used: Date) => {
    mkdirSync(join(cache, name), { recursive: true });
    writeFileSync(join(cache, name, 'jars.json'), '[]');
    utimesSync(join(cache, name), used, used);
  };
  preparePlanner(() => {}, cache);
  const [own] = readdirSync(cache);
  directory('planner-00000000000000aa', days(31));
  directory('planner-00000000000000bb', days(29));
  directory('planner-00000000000000cc.Ab3dE6', days(2));
  directory('planner-00000000000000cc.Zz9yX8', days(0));
  directory('jars', days(400));
  utimesSync(join(cache, own!), days(40), days(40));

  preparePlanner(() => {}, cache);
  expect(readdirSync(cache).sort()).toEqual(['jars', 'planner-00000000000000bb', 'planner-00000000000000cc.Zz9yX8', own!].sort());
  expect(Date.now() - statSync(join(cache, own!)).mtimeMs).toBeLessThan(60_000);
});

test('a failure of Maven is told in its own words, and leaves nothing behind', () => {
  program('tools/mvn', `echo '[INFO] x'; echo '[ERROR] Could not resolve org.x:y'; echo '[ERROR] -> [Help 1]'; exit 1`);
  const cache = join(root, 'cache');
  expect(() => preparePlanner(() => {}, cache)).toThrow('Maven could not make the Flink planner ready:\n  Could not resolve org.x:y');
  expect(readdirSync(cache)).toEqual([]);
});

test('without Maven it says what to install', () => {
  process.env.PATH = join(root, 'tools');
  expect(() => preparePlanner(() => {}, join(root, 'cache'))).toThrow(/there is no 'mvn' on the search path: install Maven/);
});

test('the last words of Maven stand where it has no errors', () => {
  expect(mavenErrors('a\nb\n')).toBe('a\n  b');
});

test('the cache is that of the user', () => {
  expect(cacheDirectory({ XDG_CACHE_HOME: '/c' })).toBe('/c/cdk-flink-pipeline');
  expect(cacheDirectory({})).toMatch(/cdk-flink-pipeline$/);
});
