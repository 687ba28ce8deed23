import { spawnSync } from 'child_process';

const INSTALL = `install Maven 3.6.3 or later (https://maven.apache.org/install.html, 'apt install maven', 'brew install maven')`;

/** What a run of Maven came to. */
export interface MavenResult {
  readonly ok: boolean;
  /** What Maven wrote. */
  readonly output: string;
}

/**
 * Run Maven without a word on our own output.
 *
 * @param args goals and options
 * @param javaHome the Java that runs it
 * @throws an error that says what to install when there is no Maven
 */
export function runMaven(args: string[], javaHome: string): MavenResult {
  const windows = process.platform === 'win32';
  const { status, stdout, stderr, error } = spawnSync(windows ? 'mvn.cmd' : 'mvn', ['-B', '-ntp', ...args], {
    encoding: 'utf8',
    env: { ...process.env, JAVA_HOME: javaHome },
    shell: windows,
    maxBuffer: 1 << 28,
  });
  if (error && (error as NodeJS.ErrnoException).code === 'ENOENT') {
    throw new Error(`the Flink planner is fetched through Maven, and there is no 'mvn' on the search path: ${INSTALL}`);
  }
  return { ok: status === 0, output: `${stdout ?? ''}${stderr ?? ''}${error ? error.message : ''}` };
}

/** The lines of Maven that say what is wrong. */
export function mavenErrors(output: string): string {
  const lines = output
    .split('\n')
    .filter((line) => line.startsWith('[ERROR]'))
    .map((line) => line.slice('[ERROR]'.length).trim())
    .filter((line) => line !== '' && !/^(\[Help|To see the full|Re-run Maven|For more information|After correcting|mvn <args>)/.test(line));
  return [...new Set(lines)].slice(0, 8).join('\n  ') || output.trim().split('\n').slice(-5).join('\n  ');
}
