import { type ChildProcess, execFile, spawn } from 'child_process';
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { createServer } from 'net';
import { join } from 'path';
import { promisify } from 'util';

const run = promisify(execFile);

export const ROOT = join(__dirname, '..', '..');
export const ACCOUNT = '111122223333';
/** What a run leaves behind: templates, logs, the state of the cluster. */
export const WORK = join(ROOT, 'dist', 'deploy', 'run');
const VENV = join(ROOT, 'dist', 'deploy', 'venv');
const PYTHON = join(VENV, 'bin', 'python');
const PACKAGES = ['ministack==1.5.33', 'boto3==1.43.106'];

/** The Python that has the emulator. */
export async function emulatorPython(): Promise<string> {
  if (!existsSync(PYTHON)) {
    await run('python3', ['-m', 'venv', VENV]);
  }
  await run(PYTHON, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...PACKAGES]);
  return PYTHON;
}

/** What happened in the cluster or to a resource of a stack. */
export interface ClusterEvent {
  readonly action: string;
  readonly what: string;
  readonly logicalId?: string;
}

export interface ClusterState {
  readonly events: ClusterEvent[];
  // biome-ignore lint/suspicious/noExplicitAny: objects of Kubernetes
  readonly objects: { readonly [key: string]: any };
  // biome-ignore lint/suspicious/noExplicitAny: properties of the template
  readonly topics: { readonly [arn: string]: any };
  readonly associations: { readonly [key: string]: { readonly [name: string]: string } };
}

/** The emulator of AWS and of the kubectl handler, as a process of its own, with the CDK toolkit and the SDK pointed at it. */
export class Emulator {
  /** Starts an emulator that holds nothing. */
  static async start(): Promise<Emulator> {
    rmSync(WORK, { recursive: true, force: true });
    mkdirSync(WORK, { recursive: true });
    await emulatorPython();
    // Images are no matter of this test: a stand-in says that each was built and pushed.
    writeFileSync(join(WORK, 'docker'), '#!/bin/sh\n[ "$1" != inspect ]\n', { mode: 0o755 });
    const emulator = new Emulator(await freePort());
    await emulator.ready().catch(async (error) => {
      await emulator.stop();
      throw error;
    });
    return emulator;
  }

  private readonly process: ChildProcess;

  private constructor(private readonly port: number) {
    const log = openSync(join(WORK, 'emulator.log'), 'w');
    this.process = spawn(PYTHON, [join(__dirname, 'emulator.py'), join(WORK, 'state.json')], {
      env: { ...process.env, BIND_HOST: '127.0.0.1', GATEWAY_PORT: String(port) },
      stdio: ['ignore', log, log],
    });
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    if (this.process.kill()) {
      await ended;
    }
  }

  /** Runs the CDK toolkit. */
  async cdk(region: string, ...args: string[]): Promise<void> {
    await run(join(ROOT, 'node_modules', '.bin', 'cdk'), args, { cwd: ROOT, env: this.environment(region) });
  }

  /** Prepares a region for the toolkit; outside the app's directory, whose app it would run. */
  async bootstrap(region: string): Promise<void> {
    await run(join(ROOT, 'node_modules', '.bin', 'cdk'), ['bootstrap', `aws://${ACCOUNT}/${region}`], {
      cwd: WORK,
      env: this.environment(region),
    });
  }

  /** Calls an operation of a service, named as boto3 has it. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of the services
  async call(region: string, service: string, operation: string, parameters: object = {}): Promise<any> {
    const [answer] = await this.calls(region, [[service, operation, parameters]]);
    return answer;
  }

  /** Calls operations one after the other, in one process. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of the services
  async calls(region: string, operations: [service: string, operation: string, parameters: object][]): Promise<any[]> {
    const { stdout } = await run(PYTHON, [join(__dirname, 'call.py'), JSON.stringify(operations)], { env: this.environment(region) });
    return JSON.parse(stdout);
  }

  /** What the cluster holds and what happened so far. */
  state(): ClusterState {
    return JSON.parse(readFileSync(join(WORK, 'state.json'), 'utf8'));
  }

  private environment(region: string): NodeJS.ProcessEnv {
    return {
      ...process.env,
      AWS_ENDPOINT_URL: `http://127.0.0.1:${this.port}`,
      // The emulator takes the key for the account.
      AWS_ACCESS_KEY_ID: ACCOUNT,
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_REGION: region,
      AWS_DEFAULT_REGION: region,
      AWS_EC2_METADATA_DISABLED: 'true',
      CDK_DISABLE_CLI_TELEMETRY: 'true',
      CDK_VALIDATION: 'false',
      CDK_DOCKER: join(WORK, 'docker'),
    };
  }

  private async ready(): Promise<void> {
    for (let attempt = 0; attempt < 120; attempt++) {
      const answer = await fetch(`http://127.0.0.1:${this.port}/_ministack/health`).catch(() => undefined);
      if (answer?.ok) {
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    throw new Error(`the emulator does not answer: see ${join(WORK, 'emulator.log')}`);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
