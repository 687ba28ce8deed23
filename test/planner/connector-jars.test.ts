import { chmodSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { connectorJars } from '../../lib/planner/connector-jars';

const KINESIS = 'org.apache.flink:flink-sql-connector-aws-kinesis-streams:6.0.1';
/** As Maven writes it. */
const KINESIS_JAR = 'org.apache.flink:flink-sql-connector-aws-kinesis-streams:jar:6.0.1';

let root: string;
const { PATH } = process.env;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'jars-'));
  process.env.PATH = `${root}:/usr/bin:/bin`;
});
afterEach(() => {
  process.env.PATH = PATH;
  rmSync(root, { recursive: true });
});

/** A Maven that says this, and fails. */
function maven(...lines: string[]): void {
  writeFileSync(join(root, 'mvn'), `#!/bin/sh\n${lines.map((line) => `echo '${line}'`).join('\n')}\nexit 1\n`);
  chmodSync(join(root, 'mvn'), 0o755);
}

const said: string[] = [];
const fetch = () => {
  said.length = 0;
  return connectorJars([KINESIS], join(root, 'jdk'), (message) => said.push(message), join(root, 'cache'));
};
const kept = () => readdirSync(join(root, 'cache', 'jars'));

/** As if the last answer were older than a day. */
function age(): void {
  const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000);
  utimesSync(join(root, 'cache', 'jars', kept()[0]!), yesterday, yesterday);
}

test.each([
  `Unable to find artifact. Could not find artifact ${KINESIS_JAR} in central (https://repository)`,
  `Unable to find artifact. Failure to find ${KINESIS_JAR} in https://repository was cached in the local repository`,
  `Unable to find artifact. ${KINESIS_JAR} was not found in https://repository during a previous attempt`,
])('a jar that no repository has is stood in for, and not asked for again: %s', (line) => {
  maven(`[ERROR] ${line}`);
  expect(fetch()).toEqual({ paths: [], absent: [KINESIS] });
  expect(kept()).toEqual(['flink-sql-connector-aws-kinesis-streams-6.0.1.absent']);
  maven('[ERROR] asked again');
  expect(fetch()).toEqual({ paths: [], absent: [KINESIS] });
});

const PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:pom:3.7.0';
const UNREACHED = `[ERROR] Could not transfer artifact ${KINESIS_JAR} from/to central (https://repository)`;

test.each([
  ['[ERROR] Unknown lifecycle phase "x"', 'Unknown lifecycle phase "x"'],
  [`${UNREACHED}: timed out`, 'timed out'],
  [`[ERROR] Cannot access central in offline mode and the artifact ${KINESIS_JAR} was not found in it before`, 'offline mode'],
  [`[ERROR] Plugin could not be resolved: Could not find artifact ${PLUGIN} in corporate (https://repository)`, 'maven-dependency-plugin'],
  [`[ERROR] Plugin could not be resolved: ${PLUGIN} was not found in https://repository during a previous attempt`, 'previous attempt'],
  [`[ERROR] Could not find artifact ${KINESIS_JAR}1 in central (https://repository)`, 'Could not find'],
])('a Maven that fails for another reason is told of, a stand-in may be another plan: %s', (line, reason) => {
  maven('[INFO] Scanning', line, '[ERROR] Re-run Maven using the -X switch');
  expect(fetch).toThrow(`Maven could not fetch ${KINESIS}:\n  `);
  expect(fetch).toThrow(reason);
  expect(kept()).toEqual([]);
});

describe('a jar that was absent long ago', () => {
  beforeEach(() => {
    maven(`[ERROR] Could not find artifact ${KINESIS_JAR} in central (https://repository)`);
    fetch();
    age();
  });

  const OLD_ANSWER = /^no repository can be asked for .* now, and none had it when one was: a stand-in takes its place$/;

  test.each([
    ['no network', `${UNREACHED}: timed out`],
    ['a repository that is down', `${UNREACHED}: status code: 503, reason phrase: Service Unavailable (503)`],
    ['offline mode', `[ERROR] Cannot access central in offline mode and the artifact ${KINESIS_JAR} has not been downloaded`],
  ])('is absent where nobody can be asked, which is told once a day: %s', (_how, line) => {
    maven(line);
    expect(fetch()).toEqual({ paths: [], absent: [KINESIS] });
    expect(said).toEqual([expect.stringContaining('fetching'), expect.stringMatching(OLD_ANSWER)]);
    expect(fetch()).toEqual({ paths: [], absent: [KINESIS] });
    expect(said).toEqual([]);
  });

  test('is absent where there is no Maven, which is told too', () => {
    process.env.PATH = join(root, 'nothing');
    expect(fetch()).toEqual({ paths: [], absent: [KINESIS] });
    expect(said).toContainEqual(expect.stringMatching(OLD_ANSWER));
  });

  test.each([
    `${UNREACHED}: status code: 401, reason phrase: Unauthorized (401)`,
    `${UNREACHED}: status code: 403, reason phrase: Blocked (403)`,
    `${UNREACHED}: authentication failed for https://repository, status: 407 Proxy`,
    '[FATAL] Non-parseable settings settings.xml',
    '',
    `[ERROR] Could not find artifact ${PLUGIN} in corporate (https://repository)`,
  ])('is not known to be where Maven fails for another reason: %s', (line) => {
    maven(line);
    expect(fetch).toThrow(`Maven could not fetch ${KINESIS}`);
    expect(fetch).toThrow(`Maven could not fetch ${KINESIS}`);
  });
});

test('without a Maven that has ever been asked nothing is known', () => {
  process.env.PATH = join(root, 'nothing');
  expect(fetch).toThrow("there is no 'mvn' on the search path");
});
