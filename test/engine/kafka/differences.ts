import { readdirSync, readFileSync } from 'fs';
import { join } from 'path';
import { parse, parseAllDocuments } from 'yaml';
import { type Cluster, flinkDistribution } from './cluster';
import type { SynthesizedJob } from './order-items';

/** The part of a FlinkDeployment that says how the job runs. */
interface DeploymentSpec {
  readonly flinkConfiguration: { [key: string]: string };
  readonly job: { readonly entryClass: string; readonly jarURI: string; readonly args: string[]; readonly parallelism: number };
  readonly jobManager: PodSpec;
  readonly taskManager: PodSpec;
}

interface PodSpec {
  readonly resource: { readonly cpu: number; readonly memory: string };
  readonly podTemplate: {
    readonly spec: { readonly containers: { readonly env: { readonly name: string; readonly value?: string }[] }[] };
  };
}

type Named = { [name: string]: string };

/**
 * All that is not as it is deployed, a line each: what, as it is generated, as it is here.
 *
 * The one side is read from the objects that we emit and from what the operator and the image make of them, the other from the files and
 * command lines of the processes.
 */
export function differences({ manifests, pipeline }: SynthesizedJob, cluster: Cluster): string[] {
  const objects = parseAllDocuments(manifests).map((document) => document.toJS());
  const spec = objects.find(({ kind }) => kind === 'FlinkDeployment').spec as DeploymentSpec;
  const script = objects.find(({ kind, data }) => kind === 'ConfigMap' && data['job.sql'] !== undefined).data['job.sql'] as string;
  const plain = (text: string) => text.replaceAll(cluster.home, '/opt/flink');
  const read = (...path: string[]) => readFileSync(join(cluster.home, ...path), 'utf8');
  const started = (wanted: string) =>
    cluster.started
      .filter(({ name }) => name === wanted)
      .slice(0, 1)
      .map(({ command, environment }) => {
        const main = command.indexOf('-cp') + 2;
        return { java: command.slice(1, main).map(plain), args: command.slice(main + 1).map(plain), environment };
      });
  const jobManager = started('jobmanager')[0]!;
  // None where the job manager is to end before there is a job.
  const taskManagers = started('taskmanager');
  const distributed = new Set(readdirSync(join(flinkDistribution(), 'lib')));
  const added = readdirSync(join(cluster.home, 'lib')).filter((name) => !distributed.has(name));
  const option = (name: string) => jobManager.args[jobManager.args.indexOf(name) + 1]!;
  return [
    ...changed('setting', settings(spec), {
      ...(parse(plain(read('conf', 'config.yaml'))) as Named),
      ...dynamic(taskManagers.flatMap(({ args }) => args)),
    }),
    ...scriptLines(script, read('sql', 'job.sql')),
    ...lines('jar', pipeline.image.coordinates.map(jarName).join('\n'), added.join('\n')),
    ...changed(
      'job',
      { jar: spec.job.jarURI, class: spec.job.entryClass, script: spec.job.args.join() },
      {
        jar: `local:///opt/flink/usrlib/${readdirSync(join(cluster.home, 'usrlib')).join()}`,
        class: option('--job-classname'),
        script: jobManager.args.at(-1)!,
      },
    ),
    ...changed('environment of the job manager', environment(spec.jobManager), secretsHidden(spec.jobManager, jobManager.environment)),
    ...taskManagers.flatMap((taskManager) =>
      changed('environment of a task manager', environment(spec.taskManager), secretsHidden(spec.taskManager, taskManager.environment)),
    ),
    ...lines('java option', '', [...new Set([jobManager, ...taskManagers].flatMap(({ java }) => java))].join('\n')),
  ];
}

/** What a reason may stand for: the differences that match it. */
export interface Reasons {
  readonly [reason: string]: RegExp;
}

/** Why a job that writes to Kafka differs here from what is deployed, whichever job it is. */
export const KAFKA_REASONS: Reasons = {
  'no S3: a directory': /^setting (execution\.checkpointing\.(savepoint-)?dir|high-availability\.storageDir): s3p:/,
  'no S3: no plugin of it': /^environment of (the job|a task) manager ENABLE_BUILT_IN_PLUGINS:/,
  'no Kubernetes: ZooKeeper keeps what a ConfigMap would': /^setting high-availability\.(type|cluster-id|zookeeper\.\S+):/,
  'no Kubernetes: all processes on one host':
    /^setting (rest\.(address|port|bind-port)|jobmanager\.rpc\.address|taskmanager\.host|state\.backend\.rocksdb\.localdir):/,
  'a small machine': /^setting (kubernetes\.\w+\.cpu\.amount|(job|task)manager\.memory\.\S+|taskmanager\.cpu\.cores):/,
  'a test does not wait so long': /^setting (execution\.checkpointing\.(interval|min-pause)|heartbeat\.(interval|timeout)):/,
  'no topic is compressed': /^jar without: zstd-jni-/,
  'set by the image': /^environment of (the job|a task) manager (PATH|HOME|FLINK_LIB_DIR|FLINK_PLUGINS_DIR):/,
  'set by the image, and a small machine': /^java option with:/,
};

/** Prints each difference with its reason: there is none without one, and no reason without a difference. */
export function expectReasons(job: SynthesizedJob, cluster: Cluster, reasons: Reasons): void {
  const found = differences(job, cluster);
  const reasonOf = (difference: string) => Object.keys(reasons).find((reason) => reasons[reason]!.test(difference));
  console.log(`not as deployed:\n${found.map((difference) => `${difference} (${reasonOf(difference)})`).join('\n')}`);
  expect(found.filter((difference) => reasonOf(difference) === undefined)).toEqual([]);
  expect(Object.keys(reasons).filter((reason) => !found.some((difference) => reasons[reason]!.test(difference)))).toEqual([]);
}

/** What the operator makes Flink's settings of. */
function settings({ flinkConfiguration, job, jobManager, taskManager }: DeploymentSpec): Named {
  return {
    ...flinkConfiguration,
    'parallelism.default': String(job.parallelism),
    'kubernetes.jobmanager.cpu.amount': String(jobManager.resource.cpu),
    'jobmanager.memory.process.size': jobManager.resource.memory,
    'kubernetes.taskmanager.cpu.amount': String(taskManager.resource.cpu),
    'taskmanager.memory.process.size': taskManager.resource.memory,
  };
}

function dynamic(args: string[]): Named {
  return Object.fromEntries(args.filter((arg) => arg.startsWith('-D')).map((arg) => arg.slice(2).split('=') as [string, string]));
}

function variables({ podTemplate }: PodSpec) {
  return podTemplate.spec.containers.flatMap(({ env }) => env ?? []);
}

function environment(pod: PodSpec): Named {
  return Object.fromEntries(variables(pod).map(({ name, value = 'a secret' }) => [name, value]));
}

function secretsHidden(pod: PodSpec, values: Named): Named {
  const secrets = variables(pod).filter(({ value }) => value === undefined);
  return { ...values, ...Object.fromEntries(secrets.flatMap(({ name }) => (values[name] ? [[name, 'a secret']] : []))) };
}

/** The name that Maven gives to the jar of coordinates. */
function jarName(coordinate: string): string {
  const [, ...parts] = coordinate.split(':');
  return `${parts.join('-')}.jar`;
}

function changed(what: string, generated: Named, here: Named): string[] {
  return [...new Set([...Object.keys(generated), ...Object.keys(here)])]
    .sort()
    .filter((name) => generated[name] !== here[name])
    .map((name) => `${what} ${name}: ${generated[name] ?? 'unset'} -> ${here[name] ?? 'unset'}`);
}

const TABLE = /^CREATE TABLE `([^`]+)` \([\s\S]*?\n\);$/gm;

/** The lines that differ, by table; those of other statements by none. */
function scriptLines(generated: string, here: string): string[] {
  const tables = (script: string): Named =>
    Object.fromEntries([...script.matchAll(TABLE)].map(([text, name]) => [name!, text.replaceAll(/,$/gm, '')]));
  const [before, now] = [tables(generated), tables(here)];
  return [
    ...[...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap((name) =>
      lines(`table ${name}`, before[name] ?? '', now[name] ?? ''),
    ),
    ...lines('script', generated.replace(TABLE, ''), here.replace(TABLE, '')),
  ];
}

/** Lines that one of two texts has more often than the other. */
function lines(what: string, generated: string, here: string): string[] {
  const more = (text: string, other: string) => {
    const left = other.split('\n');
    const found = text.split('\n').filter((line) => {
      const index = left.indexOf(line);
      return index < 0 || left.splice(index, 1).length === 0;
    });
    return [...new Set(found.map((line) => line.trim()))].filter((line) => line !== '');
  };
  return [
    ...more(generated, here).map((line) => `${what} without: ${line}`),
    ...more(here, generated).map((line) => `${what} with: ${line}`),
  ];
}
