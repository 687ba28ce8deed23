import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'fs';
import { join } from 'path';
import { cacheDirectory } from './cache-directory';
import { mavenErrors, runMaven } from './maven';

/** How long a jar that no repository has is not asked for again. */
const ASK_AGAIN_AFTER = 24 * 60 * 60 * 1000;

/** Jars with factories of connectors and formats. Kafka's is always there; drivers and file systems say nothing about a plan. */
const WITH_FACTORIES = /^org\.apache\.flink:flink-(sql-(?!connector-kafka:)|connector-jdbc)/;

/** How Maven says that it could not ask a repository. */
const NOT_ASKED = /Could not transfer|Cannot access/;

/** How it says that a repository has answered, and wants to know who asks: settings of Maven that are wrong. */
const NOT_LET_IN = /status(?: code)?: (?:401|403|407)\b|authenti|authoriz|forbidden/i;

/** Jars that are of use only together. */
const JDBC = /:flink-connector-jdbc|^io\.openlineage:/;

/** The connectors and formats of an image, as far as they can be had. */
export interface ConnectorJars {
  /** Paths of the jars. */
  readonly paths: string[];
  /** Maven coordinates that no repository has. */
  readonly absent: string[];
}

/**
 * Fetch the connectors and formats of an image through Maven, as far as a repository has them: where it has, the real factory plans, else a
 * stand-in.
 *
 * @param coordinates Maven coordinates of the jars of an image
 * @param javaHome the Java that runs Maven
 * @param say told what takes long
 */
export function connectorJars(
  coordinates: string[],
  javaHome: string,
  say: (message: string) => void,
  cache = cacheDirectory(),
): ConnectorJars {
  const directory = join(cache, 'jars');
  const wanted = coordinates.filter((coordinate) => WITH_FACTORIES.test(coordinate) || JDBC.test(coordinate));
  const jars = new Map(wanted.map((coordinate) => [coordinate, connectorJar(coordinate, directory, javaHome, say)]));
  const absent = wanted.filter((coordinate) => jars.get(coordinate) === undefined);
  const useless = (coordinate: string) => JDBC.test(coordinate) && absent.some((other) => JDBC.test(other));
  return { paths: wanted.flatMap((coordinate) => (useless(coordinate) ? [] : (jars.get(coordinate) ?? []))), absent };
}

function connectorJar(coordinate: string, directory: string, javaHome: string, say: (message: string) => void): string | undefined {
  const name = coordinate.split(':').slice(1).join('-');
  const jar = join(directory, `${name}.jar`);
  const absent = join(directory, `${name}.absent`);
  if (existsSync(jar)) {
    return jar;
  }
  const asked = statSync(absent, { throwIfNoEntry: false });
  if (asked !== undefined && Date.now() - asked.mtimeMs < ASK_AGAIN_AFTER) {
    return undefined;
  }
  mkdirSync(directory, { recursive: true });
  const work = mkdtempSync(join(directory, 'fetch.'));
  try {
    say(`fetching ${coordinate} through Maven`);
    const output = copyJar(coordinate, work, javaHome, asked !== undefined);
    const [fetched] = readdirSync(work);
    if (fetched !== undefined) {
      renameSync(join(work, fetched), jar);
      return jar;
    }
    if (output === undefined || (asked !== undefined && couldNotAsk(output))) {
      say(`no repository can be asked for ${coordinate} now, and none had it when one was: a stand-in takes its place`);
    } else if (!isAbsent(coordinate, output)) {
      throw new Error(`Maven could not fetch ${coordinate}:\n  ${mavenErrors(output)}`);
    }
    writeFileSync(absent, '');
    return undefined;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * Let Maven copy a jar into a directory.
 *
 * @param mayLackMaven whether it is enough to know that there is no Maven
 * @returns what Maven wrote; undefined where there is none
 */
function copyJar(coordinate: string, directory: string, javaHome: string, mayLackMaven: boolean): string | undefined {
  const [group, artifact, version, classifier] = coordinate.split(':');
  const artifactOption = [group, artifact, version, 'jar', ...(classifier === undefined ? [] : [classifier])].join(':');
  try {
    return runMaven(['dependency:copy', `-Dartifact=${artifactOption}`, `-DoutputDirectory=${directory}`], javaHome).output;
  } catch (noMaven) {
    if (mayLackMaven) {
      return undefined;
    }
    throw noMaven;
  }
}

/** Whether Maven says of this very jar, and of no plugin of its own, that it has asked and no repository has it. */
function isAbsent(coordinate: string, output: string): boolean {
  const [group, artifact, version, classifier] = coordinate.split(':');
  const named = [group, artifact, 'jar', ...(classifier === undefined ? [] : [classifier]), version].join(':').replaceAll('.', '\\.');
  return (
    new RegExp(`(Could not find artifact|Failure to find) ${named} in|${named} was not found in`).test(output) && !NOT_ASKED.test(output)
  );
}

/** Whether there was nobody to ask, as without a network. */
function couldNotAsk(output: string): boolean {
  return NOT_ASKED.test(output) && !NOT_LET_IN.test(output);
}
