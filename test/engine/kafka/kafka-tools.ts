import { type ChildProcess, spawn } from 'child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'fs';
import { delimiter, join } from 'path';
import { findJava } from '../../../lib/planner/java-home';

const CLASS_PATH = join(__dirname, '..', '..', '..', 'runtime', 'test-broker', 'target', 'class-path.txt');
const DOCS = join(__dirname, '..', '..', '..', 'docs');

/** What the scripts in `bin/` of a distribution of Kafka start: the distribution itself is not in Maven, these classes are. */
const CLASSES: { readonly [script: string]: string } = {
  'kafka-configs.sh': 'kafka.admin.ConfigCommand',
  'kafka-console-consumer.sh': 'org.apache.kafka.tools.consumer.ConsoleConsumer',
  'kafka-consumer-groups.sh': 'org.apache.kafka.tools.consumer.group.ConsumerGroupCommand',
  'kafka-features.sh': 'org.apache.kafka.tools.FeatureCommand',
  'kafka-get-offsets.sh': 'org.apache.kafka.tools.GetOffsetShell',
  'kafka-transactions.sh': 'org.apache.kafka.tools.TransactionsCommand',
};

/** A command of Kafka as it stands on a page. */
export interface DocumentedCommand {
  readonly page: string;
  readonly text: string;
}

/** Each command of Kafka with its arguments, in blocks and in lines, of some pages. */
export function documentedCommands(pages: string[]): DocumentedCommand[] {
  return pages.flatMap((page) => {
    const text = readFileSync(join(DOCS, page), 'utf8');
    const fence = /^ *```(\w*)\n([\s\S]*?)^ *```$/gm;
    const blocks = [...text.matchAll(fence)].filter(([, language]) => language === 'sh').map(([, , block]) => block!);
    const lines = blocks.flatMap((block) => block.replaceAll(/\\\n\s*/g, '').split('\n'));
    const spans = [...text.replaceAll(fence, '').matchAll(/`([^`]+)`/g)].map(([, span]) => span!.replaceAll(/\s+/g, ' '));
    return [...lines, ...spans]
      .filter((command) => /\bkafka-[\w-]+\.sh +\S/.test(command))
      .map((command) => ({ page, text: command.trim() }));
  });
}

export interface ToolResult {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** A directory in which the commands of Kafka run as they are typed. */
export class KafkaTools {
  private readonly environment: NodeJS.ProcessEnv;

  /**
   * @param directory an empty directory
   * @param client what `client.properties` holds
   */
  constructor(
    private readonly directory: string,
    client: { readonly [property: string]: string },
  ) {
    const bin = join(directory, 'bin');
    mkdirSync(bin, { recursive: true });
    const classPath = `${readFileSync(CLASS_PATH, 'utf8').trim()}${delimiter}$CLASSPATH`;
    for (const [script, main] of Object.entries(CLASSES)) {
      const java = `exec '${findJava().java}' -Xmx128m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp "${classPath}"`;
      writeFileSync(join(bin, script), `#!/bin/sh\n${java} ${main} "$@"\n`, { mode: 0o755 });
    }
    const lines = Object.entries(client).map(([property, value]) => `${property}=${value.replaceAll('\\', '\\\\')}\n`);
    writeFileSync(join(directory, 'client.properties'), lines.join(''));
    this.environment = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
  }

  /** Start a command that goes on until it is told to end. */
  public start(command: string): ChildProcess {
    return spawn('bash', ['-euo', 'pipefail', '-c', `exec ${command}`], { cwd: this.directory, env: this.environment });
  }

  public async run(command: string): Promise<ToolResult> {
    const child = this.start(command);
    const texts = { output: '', errors: '' };
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      texts.output += text;
    });
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      texts.errors += text;
    });
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    return { code, ...texts };
  }
}

/** The rows of a table that a command prints, by column. */
export function rowsOf(output: string): { [column: string]: string }[] {
  const [head = [], ...rows] = output
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.trim().split(/\s+/));
  return rows.map((cells) => Object.fromEntries(head.map((column, index) => [column, cells[index]!])));
}
