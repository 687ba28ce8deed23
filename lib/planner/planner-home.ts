import { spawnSync } from 'child_process';
import { createHash } from 'crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'fs';
import { basename, delimiter, join, relative, sep } from 'path';
import { cacheDirectory } from './cache-directory';
import { checkCompiler, findJava, type JavaHome } from './java-home';
import { mavenErrors, runMaven } from './maven';
import { TRAINING_PROGRAM } from './training-program';

/** How to start the planner. */
export interface PlannerCommand {
  readonly java: string;
  readonly args: string[];
  /** The Java that it runs on. */
  readonly javaHome: string;
}

/** A jar of the class path, as it was when its hash was taken. */
interface Jar {
  readonly path: string;
  readonly size: number;
  readonly modified: number;
  readonly hash: string;
}

/** How long a planner is kept that nobody starts: that of another version of the library. */
const KEPT_UNUSED = 30 * 24 * 60 * 60 * 1000;

/** How long a build may take: older work is that of a process that was killed. */
const BUILD_TIME = 24 * 60 * 60 * 1000;

/** The sources of the planner, which the package holds. */
const RUNTIME = join(__dirname, '..', '..', 'runtime');
const MAIN = 'io.github.cdkflinkpipeline.planner.PlannerServer';
const OPTIONS = [
  // A planner is too short-lived for the second compiler and a parallel collector to pay.
  '-XX:TieredStopAtLevel=1',
  '-XX:+UseSerialGC',
  '-Xss4m',
  '-Xmx1g',
  // Standard output belongs to the answers.
  '-XX:+DisplayVMOutputToStderr',
  '-Xlog:disable',
  '-Xlog:all=error:stderr',
  '--add-opens=java.base/java.lang=ALL-UNNAMED',
  '--add-opens=java.base/java.util=ALL-UNNAMED',
];

/**
 * Make the planner ready to start: on its first use it is compiled, its jars come through Maven, and an archive of its loaded classes
 * is written, all into the user's cache.
 *
 * Processes that do so at the same time do not meet: each works in a directory of its own and renames it, and the first one wins.
 *
 * @param say told what takes long
 * @param cache directory to keep things in
 * @throws an error that says what to install, or why Maven failed
 */
export function preparePlanner(say: (message: string) => void, cache = cacheDirectory()): PlannerCommand {
  const home = findJava();
  const directory = join(cache, `planner-${sourcesHash()}`);
  markUsed(directory);
  const jars = readJars(directory) ?? build(directory, home, say);
  removeUnused(cache, directory);
  const classPath = jars.map((jar) => jar.path).join(delimiter);
  const archive = classArchive(directory, jars, classPath, home, say);
  return {
    java: home.java,
    javaHome: home.directory,
    args: [...OPTIONS, ...(archive === undefined ? [] : [`-XX:SharedArchiveFile=${archive}`]), '-cp', classPath, MAIN],
  };
}

/** Each start marks its planner, so that what others remove is in use by nobody. */
function markUsed(directory: string): void {
  if (existsSync(directory)) {
    const now = new Date();
    utimesSync(directory, now, now);
  }
}

/** The planners that nobody has started for long, and the work of builds that did not end. */
function removeUnused(cache: string, own: string): void {
  for (const name of readdirSync(cache).filter((entry) => /^planner-[0-9a-f]{16}(\.\w+)?$/.test(entry))) {
    const path = join(cache, name);
    const kept = name.includes('.') ? BUILD_TIME : KEPT_UNUSED;
    const state = statSync(path, { throwIfNoEntry: false });
    if (path !== own && state !== undefined && Date.now() - state.mtimeMs > kept) {
      rmSync(path, { recursive: true, force: true });
    }
  }
}

/** The poms, and the sources of the planner. What Maven writes beside them, perhaps right now, is not looked at. */
function sourceFiles(): string[] {
  const poms = readdirSync(RUNTIME)
    .map((name) => (name === 'pom.xml' ? name : `${name}/pom.xml`))
    .filter((path) => existsSync(join(RUNTIME, path)));
  const sources = ['planner', 'sql-runner'].flatMap((module) =>
    readdirSync(join(RUNTIME, module, 'src', 'main'), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.\w+$/.test(path))
      .map((path) => `${module}/src/main/${path.split(sep).join('/')}`),
  );
  return [...poms, ...sources].sort();
}

function sourcesHash(): string {
  const hash = createHash('sha256');
  for (const path of sourceFiles()) {
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(RUNTIME, path)))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}

/** The jars of a planner that was made ready before, unless one is gone or another by now. */
function readJars(directory: string): Jar[] | undefined {
  const list = join(directory, 'jars.json');
  if (!existsSync(list)) {
    return undefined;
  }
  const jars = JSON.parse(readFileSync(list, 'utf8')) as Jar[];
  return jars.every(unchanged) ? jars : undefined;
}

function unchanged(jar: Jar): boolean {
  const now = statSync(jar.path, { throwIfNoEntry: false });
  return now !== undefined && now.size === jar.size && now.mtimeMs === jar.modified;
}

function build(directory: string, home: JavaHome, say: (message: string) => void): Jar[] {
  checkCompiler(home);
  say('first use of the Flink planner: compiling it and fetching its jars through Maven, about 130 MB where none is there yet');
  mkdirSync(join(directory, '..'), { recursive: true });
  const work = mkdtempSync(`${directory}.`);
  try {
    for (const path of sourceFiles()) {
      cpSync(join(RUNTIME, path), join(work, 'runtime', path));
    }
    const goals = ['compile', 'jar:jar', 'dependency:build-classpath', '-DincludeScope=runtime', '-Dmdep.outputFile=target/class-path.txt'];
    const maven = runMaven(['-f', join(work, 'runtime', 'pom.xml'), '-pl', 'planner', '-am', ...goals], home.directory);
    if (!maven.ok) {
      throw new Error(`Maven could not make the Flink planner ready:\n  ${mavenErrors(maven.output)}`);
    }
    return install(work, directory);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Our own jars move into the cache, those of others stay in the repository of Maven. */
function install(work: string, directory: string): Jar[] {
  const target = join(work, 'runtime', 'planner', 'target');
  const paths = [join(target, 'planner.jar'), ...readFileSync(join(target, 'class-path.txt'), 'utf8').trim().split(delimiter)];
  const ready = join(work, 'ready');
  mkdirSync(ready);
  const jars = paths.map((path) => {
    if (relative(work, path).startsWith('..')) {
      return describeJar(path);
    }
    const name = basename(path);
    copyFileSync(path, join(ready, name));
    return { ...describeJar(join(ready, name)), path: join(directory, name) };
  });
  writeFileSync(join(ready, 'jars.json'), JSON.stringify(jars));
  return moveInto(ready, directory) ? jars : (readJars(directory) ?? jars);
}

function describeJar(path: string): Jar {
  const { size, mtimeMs } = statSync(path);
  return { path, size, modified: mtimeMs, hash: createHash('sha256').update(readFileSync(path)).digest('hex') };
}

/** Whether the directory is ours now; it is not where another process was faster. */
function moveInto(ready: string, directory: string): boolean {
  for (;;) {
    try {
      renameSync(ready, directory);
      return true;
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) {
        throw error;
      }
    }
    if (readJars(directory) !== undefined) {
      return false;
    }
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The archive of loaded classes for this Java and these jars, which halves the start; undefined where it cannot be made. */
function classArchive(
  directory: string,
  jars: Jar[],
  classPath: string,
  home: JavaHome,
  say: (message: string) => void,
): string | undefined {
  const key = createHash('sha256').update(`${home.directory} ${home.version}`);
  for (const jar of jars) {
    key.update(`\0${jar.path}\0${jar.hash}`);
  }
  const archive = join(directory, `classes-${key.digest('hex').slice(0, 16)}.jsa`);
  if (existsSync(archive)) {
    return archive;
  }
  say('first use of the Flink planner with this Java: writing an archive of its classes');
  const work = mkdtempSync(join(directory, 'archive.'));
  try {
    const written = join(work, 'classes.jsa');
    spawnSync(home.java, [...OPTIONS, `-XX:ArchiveClassesAtExit=${written}`, '-cp', classPath, MAIN], {
      input: `${JSON.stringify({ id: 1, program: { script: TRAINING_PROGRAM } })}\n`,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    if (!existsSync(written)) {
      return undefined;
    }
    renameSync(written, archive);
    return archive;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
