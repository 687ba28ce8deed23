import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'fs';
import { join } from 'path';
import { cacheDirectory } from './cache-directory';
import { mavenErrors, runMaven } from './maven';

/** How long a jar that no repository has is not asked for again. */
const ASK_AGAIN_AFTER = 24 * 60 * 60 * 1000;

/** Jars with factories of connectors and formats. Kafka's is always there; drivers and file systems say nothing about a plan. */
const WITH_FACTORIES = /^org\.apache\.flink:flink-(sql-(?!connector-kafka:)|connector-jdbc)/;

/** How Maven says that it has asked, and no repository has a jar. */
const ABSENT = /Could not find artifact|was not found in|Failure to find/;

/** How it says that it could not ask one. */
const NOT_ASKED = /Could not transfer|Cannot access/;

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
  say(`fetching ${coordinate} through Maven`);
  mkdirSync(directory, { recursive: true });
  const work = mkdtempSync(join(directory, 'fetch.'));
  try {
    const [group, artifact, version, classifier] = coordinate.split(':');
    const artifactOption = [group, artifact, version, 'jar', ...(classifier === undefined ? [] : [classifier])].join(':');
    const maven = runMaven(['dependency:copy', `-Dartifact=${artifactOption}`, `-DoutputDirectory=${work}`], javaHome);
    const [fetched] = readdirSync(work);
    if (fetched === undefined) {
      if (!ABSENT.test(maven.output) || NOT_ASKED.test(maven.output)) {
        if (asked !== undefined) {
          // It was absent when it was last asked for; without a network that is what is known.
          return undefined;
        }
        throw new Error(`Maven could not fetch ${coordinate}:\n  ${mavenErrors(maven.output)}`);
      }
      writeFileSync(absent, '');
      return undefined;
    }
    renameSync(join(work, fetched), jar);
    return jar;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
