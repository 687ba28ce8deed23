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

/** What sources of the newer source API tell, and datagen does not; they were read from a job with Kafka tables. */
const OF_KAFKA = [
  'flink_taskmanager_job_task_operator_currentEmitEventTimeLag',
  'flink_taskmanager_job_task_operator_pendingRecords',
  'flink_taskmanager_job_task_operator_sourceIdleTime',
];

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
    const output = run(java, ...opens, '-Xmx600m', '-XX:TieredStopAtLevel=1', '-cp', cp, 'ExposedMetrics', String(await freePort()));
    return output.split('\n');
  } finally {
    rmSync(classes, { recursive: true, force: true });
  }
}

test('a running Flink exposes the metrics of the rules, and none that is not in the committed list', async () => {
  const lines = await exposed();
  const names = lines.filter((line) => line.startsWith('flink_'));
  const used = alertRules(application()).flatMap(({ expr }) => [...expr.matchAll(/\bflink_\w+(?=\{)/g)].map(([name]) => name));
  expect([...new Set(used)].filter((name) => !names.includes(name) && !OF_KAFKA.includes(name))).toEqual([]);
  // Registered as shardId-000000000001.
  expect(lines).toContain('shardId="shardId_000000000001"');
  const ofJob = names.filter((name) => /^flink_(job|task)manager_job_/.test(name));
  expect(ofJob.length).toBeGreaterThan(50);
  expect(ofJob.filter((name) => !COMMITTED.includes(name))).toEqual([]);
});
