import { chmodSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { connectorJars } from '../../lib/planner/connector-jars';

const KINESIS = 'org.apache.flink:flink-sql-connector-aws-kinesis-streams:6.0.1';

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

const fetch = () => connectorJars([KINESIS], join(root, 'jdk'), () => {}, join(root, 'cache'));
const kept = () => readdirSync(join(root, 'cache', 'jars'));

test('a jar that no repository has is stood in for, and not asked for again', () => {
  maven(`[ERROR] Could not find artifact ${KINESIS} in central`);
  expect(fetch()).toEqual({ paths: [], absent: [KINESIS] });
  expect(kept()).toEqual(['flink-sql-connector-aws-kinesis-streams-6.0.1.absent']);
  maven('[ERROR] asked again');
  expect(fetch()).toEqual({ paths: [], absent: [KINESIS] });
});

test.each([
  ['[ERROR] Unknown lifecycle phase "x"', 'Unknown lifecycle phase "x"'],
  [`[ERROR] could not be resolved: Could not transfer artifact ${KINESIS} from central: timed out`, 'timed out'],
  [`[ERROR] Cannot access central in offline mode and the artifact ${KINESIS} was not found in it before`, 'offline mode'],
])('a Maven that fails for another reason is told of, a stand-in may be another plan: %s', (line, reason) => {
  maven('[INFO] Scanning', line, '[ERROR] Re-run Maven using the -X switch');
  expect(fetch).toThrow(`Maven could not fetch ${KINESIS}:\n  `);
  expect(fetch).toThrow(reason);
  expect(kept()).toEqual([]);
});

test('what was absent long ago, and cannot be asked for now, is absent', () => {
  maven(`[ERROR] Could not find artifact ${KINESIS} in central`);
  fetch();
  const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000);
  utimesSync(join(root, 'cache', 'jars', kept()[0]!), yesterday, yesterday);
  maven(`[ERROR] Could not transfer artifact ${KINESIS} from central: timed out`);
  expect(fetch()).toEqual({ paths: [], absent: [KINESIS] });
});
