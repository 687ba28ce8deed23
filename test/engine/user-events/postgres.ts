import { type ChildProcess, execFile, spawn } from 'child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'fs';
import { userInfo } from 'os';
import { join } from 'path';
import { promisify } from 'util';
import { freePorts } from '../kafka/free-ports';

const run = promisify(execFile);
/** Where Debian keeps each version, off the path. */
const DEBIAN = '/usr/lib/postgresql';
const DATABASE = 'postgres';

/** A real PostgreSQL in a directory of its own. */
export class Postgres {
  /** @param directory a directory that is yet to be made, in one that all may enter */
  public static async start(directory: string, user: string, password: string): Promise<Postgres> {
    const [port] = await freePorts(1);
    mkdirSync(directory);
    const owner = await ownerOf(directory);
    const passwordFile = join(directory, 'password');
    writeFileSync(passwordFile, password);
    const data = join(directory, 'data');
    const options = ['--username', user, '--auth', 'scram-sha-256', '--pwfile', passwordFile, '--encoding', 'UTF8', '--no-locale'];
    await run(program('initdb'), ['--pgdata', data, ...options, '--no-sync'], owner);
    const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'max_connections=200', 'timezone=UTC'];
    const server = spawn(program('postgres'), ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])], {
      ...owner,
      stdio: 'ignore',
    });
    const postgres = new Postgres(server, port!, user, password);
    await postgres.ready();
    return postgres;
  }

  private constructor(
    private readonly server: ChildProcess,
    private readonly port: number,
    private readonly user: string,
    private readonly password: string,
  ) {}

  public get url(): string {
    return `jdbc:postgresql://127.0.0.1:${this.port}/${DATABASE}`;
  }

  /** Run statements; of a query, each row as an object. */
  public async query<Row>(statement: string): Promise<Row[]> {
    const { stdout } = await this.psql(`SELECT coalesce(json_agg(r), '[]') FROM (${statement}) AS r`);
    return JSON.parse(stdout);
  }

  public async execute(statements: string): Promise<void> {
    await this.psql(statements);
  }

  public async close(): Promise<void> {
    const ended = new Promise((resolve) => this.server.on('exit', resolve));
    // An immediate end: nothing is to be kept, and no client to be waited for.
    this.server.kill('SIGQUIT');
    await ended;
  }

  private psql(statement: string) {
    const login = ['--host', '127.0.0.1', '--port', String(this.port), '--username', this.user, '--dbname', DATABASE];
    return run('psql', [...login, '--no-psqlrc', '--tuples-only', '--no-align', '--set', 'ON_ERROR_STOP=1', '--command', statement], {
      env: { ...process.env, PGPASSWORD: this.password },
    });
  }

  private async ready(): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.execute('SELECT 1');
      } catch (error) {
        if (attempt === 100 || this.server.exitCode !== null) {
          throw error;
        }
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  }
}

/** The server runs for no root: its files and process are those of the user that its package made. */
async function ownerOf(directory: string): Promise<{ uid?: number; gid?: number }> {
  if (userInfo().uid !== 0) {
    return {};
  }
  const [uid, gid] = await Promise.all(['-u', '-g'].map(async (of) => Number((await run('id', [of, 'postgres'])).stdout)));
  chownSync(directory, uid!, gid!);
  return { uid, gid };
}

function program(name: string): string {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((one, other) => Number(one) - Number(other)) : [];
  return versions.length > 0 ? join(DEBIAN, versions.at(-1)!, 'bin', name) : name;
}
