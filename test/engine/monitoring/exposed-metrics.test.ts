import { spawnSync } from 'child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'fs';
import { createServer } from 'net';
import { homedir, tmpdir } from 'os';
import { delimiter, join } from 'path';
import { alertRules } from '../../../lib/monitoring/alert-rules';
import { findJava } from '../../../lib/planner/java-home';
import { runMaven } from '../../../lib/planner/maven';
import { preparePlanner } from '../../../lib/planner/planner-home';
import { application } from '../../fixtures/programs';

jest.setTimeout(300_000);

const REPORTER = 'org.apache.flink:flink-metrics-prometheus:2.2.1';
const REPORTER_JAR = join(homedir(), '.m2/repository/org/apache/flink/flink-metrics-prometheus/2.2.1/flink-metrics-prometheus-2.2.1.jar');
const COMMITTED = readFileSync(join(__dirname, 'flink-2.2.1-metrics.txt'), 'utf8').trim().split('\n');

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

async function exposed(): Promise<string[]> {
  if (!existsSync(REPORTER_JAR)) {
    const { ok, output } = runMaven(['dependency:get', `-Dartifact=${REPORTER}`, '-Dtransitive=false'], findJava().directory);
    expect(ok ? '' : output).toBe('');
  }
  const { java, args } = preparePlanner((message) => process.stderr.write(`${message}\n`));
  const classPath = args[args.indexOf('-cp') + 1]!;
  const opens = ['java.base/java.util=ALL-UNNAMED', 'java.base/java.lang=ALL-UNNAMED'].flatMap((opened) => ['--add-opens', opened]);
  // Compiled: Flink loads its function by a class loader of its own, which does not know classes of a source file that java runs.
  const classes = mkdtempSync(join(tmpdir(), 'exposed-metrics-'));
  try {
    const run = (program: string, ...of: string[]) => {
      const { status, stdout, stderr } = spawnSync(program, of, { encoding: 'utf8' });
      expect(status === 0 ? '' : stderr).toBe('');
      return stdout;
    };
    run(join(findJava().directory, 'bin', 'javac'), '-cp', classPath, '-d', classes, join(__dirname, 'ExposedMetrics.java'));
    const cp = [classes, REPORTER_JAR, classPath].join(delimiter);
    const output = run(
      java,
      ...opens,
      '-Xmx600m',
      '-XX:TieredStopAtLevel=1',
      '-cp',
      cp,
      'ExposedMetrics',
      String(await freePort()),
      classes,
    );
    return output.split('\n');
  } finally {
    rmSync(classes, { recursive: true, force: true });
  }
}

test('a running Flink exposes what is committed: metrics with their labels, names as they stand in labels', async () => {
  const lines = (await exposed()).filter((line) => /^(flink_(job|task)manager_job_|task_name=|operator_name=|shardId=)/.test(line));
  const names = (of: string[]) => of.filter((line) => !line.startsWith('flink_'));
  expect(names(lines)).toEqual(names(COMMITTED));
  // Some come with the first checkpoint, others when they have something to tell.
  expect(lines.length).toBeGreaterThan(100);
  expect(lines.filter((line) => !COMMITTED.includes(line))).toEqual([]);
  const used = alertRules(application()).flatMap(({ expr }) => [...expr.matchAll(/\bflink_\w+\{/g)].map(([name]) => name));
  expect([...new Set(used)].filter((name) => !lines.some((line) => line.startsWith(name)))).toEqual([]);
});
