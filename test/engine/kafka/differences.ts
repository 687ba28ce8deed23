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
  const script = objects.find(({ kind }) => kind === 'ConfigMap').data['job.sql'] as string;
  const plain = (text: string) => text.replaceAll(cluster.home, '/opt/flink');
  const read = (...path: string[]) => readFileSync(join(cluster.home, ...path), 'utf8');
  const [jobManager, taskManager] = ['jobmanager', 'taskmanager'].map((name) => {
    const { command, environment } = cluster.started.find((process) => process.name === name)!;
    const main = command.indexOf('-cp') + 2;
    return { java: command.slice(1, main).map(plain), entry: command[main]!, args: command.slice(main + 1).map(plain), environment };
  });
  const distributed = new Set(readdirSync(join(flinkDistribution(), 'lib')));
  const added = readdirSync(join(cluster.home, 'lib')).filter((name) => !distributed.has(name));
  const option = (name: string) => jobManager!.args[jobManager!.args.indexOf(name) + 1]!;
  return [
    ...changed('setting', settings(spec), { ...(parse(plain(read('conf', 'config.yaml'))) as Named), ...dynamic(taskManager!.args) }),
    ...lines('script', script, read('sql', 'job.sql')),
    ...lines('jar', pipeline.image.coordinates.map(jarName).join('\n'), added.join('\n')),
    ...changed(
      'job',
      { jar: spec.job.jarURI, class: spec.job.entryClass, script: spec.job.args.join() },
      {
        jar: `local:///opt/flink/usrlib/${readdirSync(join(cluster.home, 'usrlib')).join()}`,
        class: option('--job-classname'),
        script: jobManager!.args.at(-1)!,
      },
    ),
    ...changed('environment of the job manager', environment(spec.jobManager), secretsHidden(spec.jobManager, jobManager!.environment)),
    ...changed('environment of a task manager', environment(spec.taskManager), secretsHidden(spec.taskManager, taskManager!.environment)),
    ...lines('java option', '', [...new Set([...jobManager!.java, ...taskManager!.java])].join('\n')),
  ];
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
