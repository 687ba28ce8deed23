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
import { join } from 'path';
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
  if (!existsSync(join(directory, 'lib'))) {
    mkdirSync(cacheDirectory(), { recursive: true });
    const work = mkdtempSync(join(cacheDirectory(), 'flink.'));
    const wheel = `apache-flink-libraries==${FLINK}`;
    execFileSync('python3', ['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-deps', '--dest', work, wheel]);
    const file = readdirSync(work).find((name) => name.endsWith('.whl'))!;
    execFileSync('python3', ['-m', 'zipfile', '-e', join(work, file), join(work, 'wheel')]);
    rmSync(directory, { recursive: true, force: true });
    renameSync(join(work, 'wheel', 'pyflink'), directory);
    rmSync(work, { recursive: true });
  }
  return directory;
}

/** What a job manager answers; only what the tests read. */
export interface JobDetails {
  readonly state: string;
  readonly vertices: { readonly name: string; readonly parallelism: number; readonly maxParallelism: number; readonly status: string }[];
}

interface SavepointStatus {
  readonly status: { readonly id: string };
  readonly operation?: { readonly location?: string };
}

export interface ClusterSpec {
  readonly directory: string;
  /** Maven coordinates of the jars that the image adds. */
  readonly coordinates: string[];
  readonly script: string;
  readonly configuration: { [key: string]: string };
  readonly parallelism: number;
  /** Environment of the job manager alone. */
  readonly environment: { [name: string]: string };
  readonly restPort: number;
  readonly jobId: string;
}

/** A Flink application as the operator starts it, in local processes: the directories of the image, then a JVM for each pod. */
export class Cluster {
  private readonly home: string;
  private jobManager?: ChildProcess;
  private readonly taskManagers: (ChildProcess | undefined)[] = [];
  private logs = 0;

  constructor(private readonly spec: ClusterSpec) {
    this.home = join(spec.directory, 'flink');
    const distribution = flinkDistribution();
    for (const path of ['lib', 'usrlib', 'sql', 'conf', 'log', 'local']) {
      mkdirSync(join(this.home, path), { recursive: true });
    }
    for (const jar of readdirSync(join(distribution, 'lib'))) {
      symlinkSync(join(distribution, 'lib', jar), join(this.home, 'lib', jar));
    }
    symlinkSync(join(distribution, 'plugins'), join(this.home, 'plugins'));
    for (const coordinate of spec.coordinates) {
      const { ok, output } = runMaven(
        ['dependency:copy', `-Dartifact=${coordinate}`, `-DoutputDirectory=${join(this.home, 'lib')}`],
        findJava().directory,
      );
      if (!ok) {
        throw new Error(output);
      }
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

  public start(taskManagers: number): void {
    this.startJobManager();
    for (let index = 0; index < taskManagers; index++) {
      this.startTaskManager(index);
    }
  }

  public startJobManager(): void {
    this.jobManager = this.spawn(
      'jobmanager',
      'org.apache.flink.container.entrypoint.StandaloneApplicationClusterEntryPoint',
      ['--job-classname', 'io.github.cdkflinkpipeline.runner.SqlRunner', '--job-id', this.spec.jobId, join(this.home, 'sql', 'job.sql')],
      this.spec.environment,
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
  public async killTaskManagers(): Promise<void> {
    await Promise.all(this.taskManagers.map((child) => end(child)));
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

  /** The answer of the job manager to a path under the job, or undefined while there is none. */
  public async job<T>(path = '', request: RequestInit = {}): Promise<T | undefined> {
    const answer = await fetch(`http://127.0.0.1:${this.spec.restPort}/jobs/${this.spec.jobId}${path}`, request).catch(() => undefined);
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
    const file = openSync(join(this.home, 'log', `${name}-${this.logs++}.log`), 'w');
    const { PATH, HOME } = process.env;
    return spawn(
      findJava().java,
      [
        '-Xmx384m',
        '-XX:TieredStopAtLevel=1',
        '-XX:+UseSerialGC',
        ...OPENED.map((name) => `--add-opens=${name}=ALL-UNNAMED`),
        `-Dlog4j.configurationFile=${join(this.home, 'conf', 'log4j.properties')}`,
        '-cp',
        `${join(this.home, 'lib')}/*`,
        main,
        '--configDir',
        join(this.home, 'conf'),
        ...args,
      ],
      {
        stdio: ['ignore', file, file],
        env: { PATH, HOME, FLINK_LIB_DIR: join(this.home, 'lib'), FLINK_PLUGINS_DIR: join(this.home, 'plugins'), ...environment },
      },
    );
  }
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (child && child.exitCode === null && child.signalCode === null) {
    const ended = new Promise((resolve) => child.on('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }
}
