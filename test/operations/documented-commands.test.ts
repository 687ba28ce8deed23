import { execFileSync, spawnSync } from 'child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { parseAllDocuments } from 'yaml';
import { OrderItemsStack } from '../../bin/order-items-stack';
import { newApp } from '../fixtures/assembly';

const available = ['bash', 'jq'].every((command) => spawnSync(command, ['--version']).status === 0);
if (!available && process.env.CI) {
  throw new Error('the commands of the documentation are run by bash and jq, and one of them is missing: install both');
}
const whenAvailable = available ? test : test.skip;

const page = readFileSync(join(__dirname, '..', '..', 'docs', 'operations.md'), 'utf8');

/** The command of the page that holds a text, as it is typed. */
function documented(part: string): string {
  const found = [...page.matchAll(/^( *)```sh\n([\s\S]*?)^ *```$/gm)].map(([, , block]) => block!).filter((block) => block.includes(part));
  expect(found).toHaveLength(1);
  return found[0]!;
}

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'commands-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const run = (command: string) =>
  execFileSync('bash', ['-euo', 'pipefail', '-c', command], {
    cwd: directory,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${directory}:${process.env.PATH}`, LC_ALL: 'C' },
  });

whenAvailable('a copy of the job runs the script, without its state, and nothing of it has the name of the job', () => {
  const app = newApp();
  new OrderItemsStack(app, 'OrderItems', { env: { account: '111122223333', region: 'eu-central-1' } });
  const manifests = readFileSync(join(app.synth().directory, 'OrderItems.order-items', 'manifests.yaml'), 'utf8');
  const original = parseAllDocuments(manifests)
    .map((document) => document.toJS())
    .find(({ kind }) => kind === 'FlinkDeployment');
  original.spec.job = { ...original.spec.job, state: 'suspended', initialSavepointPath: 's3p://b/savepoints/1', savepointTriggerNonce: 7 };
  original.spec.flinkConfiguration['kubernetes.operator.job.savepoint-on-deletion'] = 'true';
  const inCluster = {
    ...original,
    metadata: { ...original.metadata, uid: 'u', resourceVersion: '1', finalizers: ['flinkdeployments.flink.apache.org/finalizer'] },
    status: { jobStatus: { jobId: 'j' } },
  };
  writeFileSync(join(directory, 'original.json'), JSON.stringify(inCluster));
  writeFileSync(
    join(directory, 'kubectl'),
    '#!/bin/sh\nprintf "%s\\n" "$*" >> calls\ncase "$*" in *" get "*) cat original.json ;; "apply -f -") cat > applied.json ;; esac\n',
  );
  chmodSync(join(directory, 'kubectl'), 0o755);

  run(documented('create configmap'));
  expect(readFileSync(join(directory, 'calls'), 'utf8').trim().split('\n').sort()).toEqual([
    '-n streaming create configmap order-items-reconcile --from-file=job.sql=reconcile.sql',
    '-n streaming get flinkdeployment order-items -o json',
    'apply -f -',
  ]);
  const applied = JSON.parse(readFileSync(join(directory, 'applied.json'), 'utf8'));
  const expected = structuredClone(original);
  expected.metadata = { name: 'order-items-reconcile', namespace: 'streaming' };
  expected.spec.job = { ...expected.spec.job, upgradeMode: 'stateless', state: 'running' };
  delete expected.spec.job.initialSavepointPath;
  delete expected.spec.job.savepointTriggerNonce;
  delete expected.spec.flinkConfiguration['kubernetes.operator.job.savepoint-on-deletion'];
  expected.spec.flinkConfiguration['resourcemanager.taskmanager-timeout'] = '1 h';
  expected.spec.jobManager.podTemplate.spec.volumes.find(({ name }: { name: string }) => name === 'sql').configMap.name =
    'order-items-reconcile';
  expect(applied).toEqual(expected);
  // What would be that of the job: Flink takes the name of the object and an id for it.
  expect(Object.keys(applied.spec.flinkConfiguration).filter((option) => /cluster-id|job-id/.test(option))).toEqual([]);
});

whenAvailable('what is left of the changes in the log', () => {
  const from = (pod: string) => `[pod/order-items-reconcile-taskmanager-1-${pod}/flink-main-container] `;
  writeFileSync(
    join(directory, 'reconcile.log'),
    [
      `${from('1')}2026-11-30 10:00:00,000 INFO  org.apache.flink.runtime.taskexecutor.TaskExecutor [] - a -> b [1]`,
      `${from('1')}dwd_order_item_counts:2> +I[expected, 1]`,
      `${from('2')}dwd_order_item_counts> +I[written, 3]`,
      `${from('1')}dwd_order_item_counts:2> -U[expected, 1]`,
      `${from('1')}dwd_order_item_counts:2> +U[expected, 3]`,
      `${from('2')}dwd_order_item_differences:1> +I[missing, a> -D[b]`,
      `${from('2')}dwd_order_item_differences:1> +I[missing, o2 | i1]`,
      `${from('2')}dwd_order_item_differences:1> -D[missing, o2 | i1]`,
      `${from('2')}dwd_order_item_differences:1> +I[differs, o3 | i1]`,
      `${from('2')}dwd_order_item_differences:1> +I[differs, o3 | i1]`,
    ].join('\n'),
  );
  expect(run(documented('awk')).trimEnd().split('\n')).toEqual([
    'dwd_order_item_counts: [expected, 3]',
    'dwd_order_item_counts: [written, 3]',
    'dwd_order_item_differences: [differs, o3 | i1]   times 2',
    'dwd_order_item_differences: [missing, a> -D[b]',
  ]);
});

const BLOCKS = [...page.matchAll(/^( *)```sh\n([\s\S]*?)^ *```$/gm)].map(([, , block]) => block!);

whenAvailable.each(BLOCKS.map((block) => [block.trim().split(/ *[#\n]/, 1)[0], block]))('bash takes %s', (_, block) => {
  execFileSync('bash', ['-n', '-c', block]);
});

/** Calls of commands as they come out of a block, with stand-ins that only tell of them. */
function calls(block: string, ...commands: string[]): string[][] {
  for (const command of commands) {
    writeFileSync(
      join(directory, command),
      '#!/bin/sh\nfor part in "$0" "$@"; do printf "%s\\0" "$part"; done >> calls\nprintf "\\n" >> calls\n',
    );
    chmodSync(join(directory, command), 0o755);
  }
  run(block.replaceAll(/\| (?:grep|tail) .*$/gm, ''));
  return readFileSync(join(directory, 'calls'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('\0').slice(0, -1))
    .map(([command, ...rest]) => [command!.split('/').at(-1)!, ...rest]);
}

/** What a patch of an object sets. */
const patched = (call: string[]) => [call[3], call[4], JSON.parse(call[call.indexOf('-p') + 1]!)];

whenAvailable('the first look asks for one thing in each line', () => {
  const found = calls(documented('lifecycleState'), 'kubectl');
  expect(found.map((call) => call.slice(3, 5).join(' '))).toEqual([
    'get flinkdeployment',
    'get events',
    'describe pods',
    'logs deploy/flink-kubernetes-operator',
  ]);
  expect(found[0]).toContain('jsonpath={.status.lifecycleState}{"\\n"}{.status.error}{"\\n"}');
});

whenAvailable('records are kept for longer, wherever they are', () => {
  const found = calls(documented('retention-period'), 'aws', 'kafka-configs.sh', 'kubectl');
  expect(found[0]).toEqual('aws kinesis increase-stream-retention-period --stream-name STREAM --retention-period-hours 168'.split(' '));
  const millis = 14 * 86_400_000;
  expect(found[1]!.slice(-2)).toEqual(['--add-config', `retention.ms=${millis}`]);
  expect(patched(found[2]!)).toEqual(['patch', 'kafkatopic', { spec: { config: { 'retention.ms': millis } } }]);
});

whenAvailable('a savepoint by hand', () => {
  const found = calls(documented('savepointTriggerNonce":'), 'kubectl');
  expect(patched(found[0]!)).toEqual(['patch', 'flinkdeployment', { spec: { job: { savepointTriggerNonce: 7 } } }]);
  expect(found[1]!.slice(3, 5)).toEqual(['get', 'flinkstatesnapshots']);
});
