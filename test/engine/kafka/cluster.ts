import { type ChildProcess, execFileSync, spawn } from 'child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'fs';
import { basename, join } from 'path';
import { stringify } from 'yaml';
import { cacheDirectory } from '../../../lib/planner/cache-directory';
import { findJava } from '../../../lib/planner/java-home';
import { runMaven } from '../../../lib/planner/maven';

const FLINK = '2.2.1';
const RUNNER = join(__dirname, '..', '..', '..', 'runtime', 'sql-runner', 'target', 'sql-runner.jar');
const OPENED = ['java.base/java.lang', 'java.base/java.util', 'java.base/java.net', 'java.base/java.nio', 'java.base/java.util.concurrent'];

/** The `lib` and `plugins` of the official image, which the Python package holds whole: fetched once for each user. */
export function flinkDistribution(): string {
  const directory = join(cacheDirectory(), `flink-${FLINK}`);
  if (!existsSync(directory)) {
    mkdirSync(cacheDirectory(), { recursive: true });
    const work = mkdtempSync(join(cacheDirectory(), 'flink.'));
    const wheel = `apache-flink-libraries==${FLINK}`;
    process.stderr.write(`fetching the distribution of Flink ${FLINK} into '${directory}', 313 MB, once for each user\n`);
    execFileSync('python3', ['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-deps', '--dest', work, wheel]);
    const file = readdirSync(work).find((name) => name.endsWith('.whl'))!;
    execFileSync('python3', ['-m', 'zipfile', '-e', join(work, file), join(work, 'wheel')]);
    moveUnlessThere(join(work, 'wheel', 'pyflink'), directory);
    rmSync(work, { recursive: true });
  }
  return directory;
}

/** What a job manager answers; only what the tests read. */
export interface JobDetails {
  readonly state: string;
  readonly vertices: {
    readonly id: string;
    readonly name: string;
    readonly parallelism: number;
    readonly maxParallelism: number;
    readonly status: string;
  }[];
}

interface SavepointStatus {
  readonly status: { readonly id: string };
  readonly operation?: { readonly location?: string };
}

export interface ClusterSpec {
  readonly directory: string;
  /** Maven coordinates of the jars that the image adds. */
  readonly coordinates: string[];
  /** Paths of the jars of this repository that the image adds. */
  readonly jars?: string[];
  /** Maven coordinates of the file systems that the image switches on, by their directories under `plugins`. */
  readonly fileSystems?: { [directory: string]: string };
  readonly script: string;
  readonly configuration: { [key: string]: string };
  readonly parallelism: number;
  /** Environment of the job manager alone. */
  readonly environment: { [name: string]: string };
  /** Environment of every pod. */
  readonly podEnvironment?: { [name: string]: string };
  readonly restPort: number;
  readonly jobId: string;
}

interface CheckpointStatus {
  readonly status: { readonly id: string };
  readonly operation?: { readonly checkpointId: number | null };
}

/** Checkpoints come when a test asks for one: so nothing depends on the speed of the machine. */
export const CHECKPOINTS_ON_REQUEST = { 'execution.checkpointing.interval': '1 d', 'execution.checkpointing.min-pause': '0 s' };

/** A process as it was started. */
export interface StartedProcess {
  readonly name: string;
  readonly command: string[];
  readonly environment: { [name: string]: string };
}

/** What the job manager answers. */
export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** A Flink application as the operator starts it, in local processes: the directories of the image, then a JVM for each pod. */
export class Cluster {
  /** `/opt/flink` of the image. */
  public readonly home: string;
  /** All processes, also those that have ended. */
  public readonly started: StartedProcess[] = [];
  private jobManager?: ChildProcess;
  private readonly taskManagers: (ChildProcess | undefined)[] = [];

  constructor(private readonly spec: ClusterSpec) {
    this.home = join(spec.directory, 'flink');
    const distribution = flinkDistribution();
    for (const path of ['lib', 'plugins', 'usrlib', 'sql', 'conf', 'log', 'local', 'tmp']) {
      mkdirSync(join(this.home, path), { recursive: true });
    }
    for (const directory of ['lib', 'plugins']) {
      for (const name of readdirSync(join(distribution, directory))) {
        symlinkSync(join(distribution, directory, name), join(this.home, directory, name));
      }
    }
    for (const jar of [...spec.coordinates.map(artifact), ...(spec.jars ?? [])]) {
      symlinkSync(jar, join(this.home, 'lib', basename(jar)));
    }
    for (const [name, coordinate] of Object.entries(spec.fileSystems ?? {})) {
      mkdirSync(join(this.home, 'plugins', name));
      const jar = artifact(coordinate);
      symlinkSync(jar, join(this.home, 'plugins', name, basename(jar)));
    }
    symlinkSync(RUNNER, join(this.home, 'usrlib', 'sql-runner.jar'));
    writeFileSync(join(this.home, 'sql', 'job.sql'), spec.script);
    writeFileSync(join(this.home, 'conf', 'config.yaml'), stringify(spec.configuration));
    writeFileSync(
      join(this.home, 'conf', 'log4j.properties'),
      'rootLogger.level = INFO\nrootLogger.appenderRef.console.ref = Console\nappender.console.name = Console\nappender.console.type = CONSOLE\n' +
        'appender.console.layout.type = PatternLayout\nappender.console.layout.pattern = %d{HH:mm:ss,SSS} %-5p %c{1} %m%n%throwable\n',
    );
  }

  /** Start what does not run of a job manager and so many task managers. */
  public start(taskManagers: number): void {
    if (!runs(this.jobManager)) {
      this.startJobManager();
    }
    for (let index = 0; index < taskManagers; index++) {
      if (!runs(this.taskManagers[index])) {
        this.startTaskManager(index);
      }
    }
  }

  /** Start the job manager, with its environment unless another one is given. */
  public startJobManager(environment = this.spec.environment): void {
    this.jobManager = this.spawn(
      'jobmanager',
      'org.apache.flink.container.entrypoint.StandaloneApplicationClusterEntryPoint',
      ['--job-classname', 'io.github.cdkflinkpipeline.runner.SqlRunner', '--job-id', this.spec.jobId, join(this.home, 'sql', 'job.sql')],
      environment,
    );
  }

  public startTaskManager(index: number): void {
    this.taskManagers[index] = this.spawn('taskmanager', 'org.apache.flink.runtime.taskexecutor.TaskManagerRunner', [
      '-Dtaskmanager.memory.framework.heap.size=128m',
      '-Dtaskmanager.memory.framework.off-heap.size=128m',
      '-Dtaskmanager.memory.jvm-metaspace.size=256m',
      '-Dtaskmanager.memory.jvm-overhead.min=192m',
      '-Dtaskmanager.memory.jvm-overhead.max=192m',
      '-Dtaskmanager.memory.managed.size=96m',
      '-Dtaskmanager.memory.network.min=64m',
      '-Dtaskmanager.memory.network.max=64m',
      '-Dtaskmanager.memory.task.heap.size=100m',
      '-Dtaskmanager.memory.task.off-heap.size=0m',
      '-Dtaskmanager.cpu.cores=1',
    ]);
  }

  /** SIGKILL: nothing is closed, nothing said. */
  public async killTaskManager(index: number): Promise<void> {
    await end(this.taskManagers[index]);
  }

  public async killJobManager(): Promise<void> {
    await end(this.jobManager);
  }

  public async stop(): Promise<void> {
    await Promise.all([end(this.jobManager), ...this.taskManagers.map((child) => end(child))]);
  }

  public jobManagerExit(): Promise<number | null> {
    const child = this.jobManager!;
    return child.exitCode === null ? new Promise((resolve) => child.on('exit', resolve)) : Promise.resolve(child.exitCode);
  }

  /** The answer of the job manager to a path. */
  public async get(path: string): Promise<Answer> {
    const answer = await fetch(`http://127.0.0.1:${this.spec.restPort}${path}`);
    return { status: answer.status, text: await answer.text() };
  }

  /** The path of the job. */
  public get jobPath(): string {
    return `/jobs/${this.spec.jobId}`;
  }

  /** The answer of the job manager to a path under the job, or undefined while there is none. */
  public async job<T>(path = '', request: RequestInit = {}): Promise<T | undefined> {
    const answer = await fetch(`http://127.0.0.1:${this.spec.restPort}${this.jobPath}${path}`, request).catch(() => undefined);
    return answer?.ok ? ((await answer.json()) as T) : undefined;
  }

  /**
   * Stop the job with a savepoint.
   *
   * @returns where the savepoint is
   */
  public async stopWithSavepoint(): Promise<string> {
    const { 'request-id': request } = (await this.job<{ 'request-id': string }>('/stop', { method: 'POST', body: '{"drain":false}' }))!;
    for (;;) {
      const { status, operation } = (await this.job<SavepointStatus>(`/savepoints/${request}`))!;
      if (operation?.location !== undefined) {
        return operation.location;
      }
      if (status.id === 'COMPLETED') {
        throw new Error(JSON.stringify(operation));
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** @returns the id of a checkpoint that was asked for, or undefined where it did not complete. */
  public async checkpoint(): Promise<number | undefined> {
    const body = '{"checkpointType":"CONFIGURED"}';
    const asked = await this.job<{ 'request-id': string }>('/checkpoints', { method: 'POST', body });
    for (;;) {
      const answer = asked && (await this.job<CheckpointStatus>(`/checkpoints/${asked['request-id']}`));
      if (answer?.status.id !== 'IN_PROGRESS') {
        return answer?.operation?.checkpointId ?? undefined;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  public async isRunning(): Promise<boolean> {
    const details = await this.job<JobDetails>();
    return details?.state === 'RUNNING' && details.vertices.every(({ status }) => status === 'RUNNING');
  }

  /** All that the processes wrote. */
  public log(): string {
    return readdirSync(join(this.home, 'log'))
      .sort()
      .map((file) => readFileSync(join(this.home, 'log', file), 'utf8'))
      .join('\n');
  }

  private spawn(name: string, main: string, args: string[], environment: { [name: string]: string } = {}): ChildProcess {
    const path = join(this.home, 'log', `${name}-${this.started.length}.log`);
    const file = openSync(path, 'w');
    const { PATH, HOME } = process.env as { [name: string]: string };
    const command = [
      findJava().java,
      '-Xmx384m',
      '-XX:TieredStopAtLevel=1',
      '-XX:+UseSerialGC',
      ...OPENED.map((opened) => `--add-opens=${opened}=ALL-UNNAMED`),
      `-Djava.io.tmpdir=${join(this.home, 'tmp')}`,
      `-Dlog.file=${path}`,
      `-Dlog4j.configurationFile=${join(this.home, 'conf', 'log4j.properties')}`,
      '-cp',
      `${join(this.home, 'lib')}/*`,
      main,
      '--configDir',
      join(this.home, 'conf'),
      ...args,
    ];
    const env = {
      PATH: PATH!,
      HOME: HOME!,
      FLINK_LIB_DIR: join(this.home, 'lib'),
      FLINK_PLUGINS_DIR: join(this.home, 'plugins'),
      ...this.spec.podEnvironment,
      ...environment,
    };
    this.started.push({ name, command, environment: env });
    return spawn(command[0]!, command.slice(1), { stdio: ['ignore', file, file], env });
  }
}

/** The jar of Maven coordinates: fetched once for each user. */
function artifact(coordinate: string): string {
  const directory = join(cacheDirectory(), 'artifacts', coordinate.replaceAll(':', '_'));
  if (!existsSync(directory)) {
    mkdirSync(join(directory, '..'), { recursive: true });
    const work = mkdtempSync(`${directory}.`);
    const { ok, output } = runMaven(['dependency:copy', `-Dartifact=${coordinate}`, `-DoutputDirectory=${work}`], findJava().directory);
    if (!ok) {
      rmSync(work, { recursive: true });
      throw new Error(output);
    }
    moveUnlessThere(work, directory);
    rmSync(work, { recursive: true, force: true });
  }
  return join(directory, readdirSync(directory)[0]!);
}

/** Another process may have been faster. */
function moveUnlessThere(source: string, target: string): void {
  try {
    renameSync(source, target);
  } catch (error) {
    if (!existsSync(target)) {
      throw error;
    }
  }
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (runs(child)) {
    const ended = new Promise((resolve) => child.on('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }
}

function runs(child: ChildProcess | undefined): child is ChildProcess {
  return child !== undefined && child.exitCode === null && child.signalCode === null;
}
