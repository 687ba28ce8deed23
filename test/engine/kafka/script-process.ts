import { type ChildProcess, spawn } from 'child_process';
import { mkdirSync, writeFileSync } from 'fs';
import { delimiter, join } from 'path';
import { stringify } from 'yaml';
import { findJava } from '../../../lib/planner/java-home';

export interface ScriptSpec {
  readonly directory: string;
  /** `/opt/flink` of the image, with the jars of the job. */
  readonly home: string;
  readonly script: string;
  readonly configuration: { readonly [key: string]: string };
  /** Environment of the job manager. */
  readonly environment: { readonly [name: string]: string };
}

/** The runner of the image with a script, and all of Flink in its one JVM: what a job of its own writes, in half of the time. */
export class ScriptProcess {
  private readonly child: ChildProcess;
  private readonly ended: Promise<number | null>;
  private text = '';

  constructor({ directory, home, script, configuration, environment }: ScriptSpec) {
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'config.yaml'), stringify(configuration));
    writeFileSync(join(directory, 'job.sql'), script);
    this.child = spawn(
      findJava().java,
      [
        '-Xmx512m',
        '-XX:TieredStopAtLevel=1',
        '-XX:+UseSerialGC',
        ...['lang', 'util'].map((name) => `--add-opens=java.base/java.${name}=ALL-UNNAMED`),
        `-Djava.io.tmpdir=${directory}`,
        `-Dlog4j.configurationFile=${join(home, 'conf', 'log4j.properties')}`,
        '-cp',
        [join(home, 'lib', '*'), join(home, 'usrlib', '*')].join(delimiter),
        'io.github.cdkflinkpipeline.runner.SqlRunner',
        join(directory, 'job.sql'),
      ],
      { env: { ...process.env, ...environment, FLINK_CONF_DIR: directory } },
    );
    for (const stream of [this.child.stdout!, this.child.stderr!]) {
      stream.setEncoding('utf8').on('data', (more: string) => {
        this.text += more;
      });
    }
    this.ended = new Promise((resolve) => this.child.on('close', resolve));
  }

  /** All that was written up to now. */
  public log(): string {
    return this.text;
  }

  /** Wait until the job is finished. */
  public async finished(): Promise<string> {
    const code = await this.ended;
    if (code !== 0) {
      throw new Error(`the script ended with ${code}\n${this.text.slice(-8000)}`);
    }
    return this.text;
  }

  public async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}
