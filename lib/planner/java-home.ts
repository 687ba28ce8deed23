import { spawnSync } from 'child_process';
import { existsSync, readFileSync, realpathSync } from 'fs';
import { delimiter, dirname, join } from 'path';

/** A Java that can run the planner. */
export interface JavaHome {
  readonly directory: string;
  readonly java: string;
  /** Full version: `17.0.15`. */
  readonly version: string;
}

/** What Flink 2.2 and the planner are compiled for. */
const MINIMUM = 17;
const INSTALL =
  `install a JDK ${MINIMUM} or later (https://adoptium.net, 'apt install openjdk-17-jdk-headless', 'brew install openjdk@17') and set ` +
  'JAVA_HOME to it';
const EXECUTABLE = process.platform === 'win32' ? '.exe' : '';

/**
 * The Java of `JAVA_HOME`, else that of the search path.
 *
 * @throws an error that says what to install, when there is none or it is too old
 */
export function findJava(environment: NodeJS.ProcessEnv = process.env): JavaHome {
  const java = environment.JAVA_HOME ? inHome(environment.JAVA_HOME) : onPath(environment.PATH ?? '');
  if (java === undefined) {
    throw new Error(`the Flink planner needs Java, and neither JAVA_HOME nor PATH has any: ${INSTALL}`);
  }
  if (!existsSync(java)) {
    throw new Error(`JAVA_HOME is '${environment.JAVA_HOME}', which has no bin/java: ${INSTALL}`);
  }
  // On the search path stands a link into the real home.
  const directory = dirname(dirname(realpathSync(java)));
  const version = versionOf(directory, java);
  if (majorOf(version) < MINIMUM) {
    throw new Error(`the Flink planner needs Java ${MINIMUM} or later, got ${version} in '${directory}': ${INSTALL}`);
  }
  return { directory, java, version };
}

/**
 * Check that a compiler is there too, which the planner is built by on its first use.
 *
 * @throws an error that says what to install
 */
export function checkCompiler(home: JavaHome): void {
  if (!existsSync(join(home.directory, 'bin', `javac${EXECUTABLE}`))) {
    throw new Error(`the first use of the Flink planner compiles it, and '${home.directory}' is a Java without a compiler: ${INSTALL}`);
  }
}

function inHome(directory: string): string {
  return join(directory, 'bin', `java${EXECUTABLE}`);
}

function onPath(path: string): string | undefined {
  return path
    .split(delimiter)
    .filter((directory) => directory !== '')
    .map((directory) => join(directory, `java${EXECUTABLE}`))
    .find((candidate) => existsSync(candidate));
}

/** From the file that each Java has, which is faster than to start it. */
function versionOf(directory: string, java: string): string {
  const release = join(directory, 'release');
  const stated = existsSync(release) ? /^JAVA_VERSION="([^"]+)"/m.exec(readFileSync(release, 'utf8'))?.[1] : undefined;
  if (stated !== undefined) {
    return stated;
  }
  const { stderr, error } = spawnSync(java, ['-version'], { encoding: 'utf8' });
  const printed = /version "([^"]+)"/.exec(stderr ?? '')?.[1];
  if (printed === undefined) {
    throw new Error(`'${java}' does not say its version${error ? ` (${error.message})` : ''}: ${INSTALL}`);
  }
  return printed;
}

/** `1.8.0_292` is Java 8. */
function majorOf(version: string): number {
  const [first, second] = version.split('.').map(Number);
  return first === 1 ? (second ?? 0) : (first ?? 0);
}
