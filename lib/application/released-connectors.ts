import { basename } from 'path';
import type { Artifact } from '../sql/artifact';
import { compareVersions } from './compare-versions';
import type { FlinkVersion } from './flink-version';

/** A jar of the image: either fetched by its Maven coordinate or copied from a file. */
export interface ResolvedArtifact {
  /** Name of the jar in the image. */
  readonly fileName: string;
  /** `groupId:artifactId:version` or `groupId:artifactId:version:classifier`; unset for a jar file. */
  readonly coordinate?: string;
  /** Path of a jar file; unset for a Maven coordinate. */
  readonly path?: string;
}

/** A release of one jar, and the jars that it cannot work without. */
interface Release {
  readonly version: string;
  readonly classifier?: string;
  readonly needs?: string[];
}

// zstd is the one Kafka compression whose library neither Flink nor the connector brings: a topic compressed with it could not be read.
const ZSTD = 'com.github.luben:zstd-jni:1.5.6-10';

// Core 4.1.0 asks OpenLineage for the namespace of the database whenever a job is planned, but does not bundle it, although its NOTICE says
// so: without these jars planning ends in a NoClassDefFoundError (FLINK-34467, seen with 4.1.0 built from its tag).
const OPEN_LINEAGE = ['io.openlineage:openlineage-java:1.32.0', 'io.openlineage:openlineage-sql-java:1.32.0'];

const AWS = '6.0.1-2.0';
const JDBC = '4.1.0-2.2';

/**
 * Connectors that are released apart from Flink, by the Flink version that they run on.
 *
 * The AWS and Elasticsearch connectors built for 2.0 are the ones that their projects offer for 2.2: they use no interface that changed.
 */
const RELEASES: { [minor: string]: { [coordinate: string]: Release } } = {
  '2.2': {
    'org.apache.flink:flink-sql-connector-kafka': { version: '5.0.0-2.2', needs: [ZSTD] },
    // The thin connector, for clients whose login module implements Kafka's own interfaces: the SQL jar relocates them.
    'org.apache.flink:flink-connector-kafka': { version: '5.0.0-2.2', needs: ['org.apache.kafka:kafka-clients:4.2.0', ZSTD] },
    'software.amazon.msk:aws-msk-iam-auth': { version: '2.3.6', classifier: 'all' },
    'org.apache.flink:flink-sql-connector-aws-kinesis-streams': { version: AWS },
    'org.apache.flink:flink-sql-connector-aws-kinesis-firehose': { version: AWS },
    'org.apache.flink:flink-sql-connector-dynamodb': { version: AWS },
    'org.apache.flink:flink-sql-connector-elasticsearch7': { version: '4.0.0-2.0' },
    'org.apache.flink:flink-connector-jdbc-core': { version: JDBC, needs: OPEN_LINEAGE },
    'org.apache.flink:flink-connector-jdbc-mysql': { version: JDBC },
    'org.apache.flink:flink-connector-jdbc-postgres': { version: JDBC },
    'org.apache.flink:flink-connector-jdbc-oracle': { version: JDBC },
    'com.mysql:mysql-connector-j': { version: '9.7.0' },
    'org.postgresql:postgresql': { version: '42.7.14' },
    'com.oracle.database.jdbc:ojdbc11': { version: '23.9.0.25.07' },
  },
};

// Parquet and ORC are written through Hadoop's configuration and file classes, which the Flink image does not have on its class path; the
// S3 plugin keeps its own to itself.
const HADOOP = ['org.apache.hadoop:hadoop-client-api:3.3.6', 'org.apache.hadoop:hadoop-client-runtime:3.3.6'];

/** Formats that Flink releases with itself but leaves out of its distribution, and what they need. */
const FLINK_FORMATS: { [coordinate: string]: string[] } = {
  'org.apache.flink:flink-sql-avro': [],
  'org.apache.flink:flink-sql-avro-confluent-registry': [],
  'org.apache.flink:flink-sql-orc': HADOOP,
  'org.apache.flink:flink-sql-parquet': HADOOP,
  'org.apache.flink:flink-sql-protobuf': [],
};

/** Why a connector that one might expect has no release, by the name of its project. */
const UNRELEASED: { [artifactId: string]: string } = {
  'flink-sql-connector-mongodb': 'the last release, 2.0.0, is built for Flink 1.20 and fails on Flink 2',
  'flink-sql-connector-opensearch': 'the last release, 1.2.0, is built for Flink 1.19 and fails on Flink 2',
  'flink-sql-connector-opensearch2': 'the last release, 2.0.0, is built for Flink 1.19 and fails on Flink 2',
  'flink-sql-connector-opensearch3': 'it stands on the main branch of its project only',
  'flink-sql-connector-elasticsearch8': 'the release 4.0.0 has SQL tables for Elasticsearch 7 only',
  'flink-connector-elasticsearch8': 'the release 4.0.0 has SQL tables for Elasticsearch 7 only',
  'flink-sql-connector-kinesis': 'it ended with Flink 1.20; its successor is flink-sql-connector-aws-kinesis-streams',
  'flink-connector-jdbc': 'it is split into flink-connector-jdbc-core and one jar for each database',
};

/** Jars that answer to the same connector identifier, or bring the same classes: one image may hold one of each pair. */
const EXCLUSIVE: [string, string, string][] = [
  ['flink-sql-connector-kinesis', 'flink-sql-connector-aws-kinesis-streams', "answer to the identifier 'kinesis'"],
  [
    'flink-sql-connector-kafka',
    'flink-connector-kafka',
    "answer to the identifier 'kafka'; use one of them for all Kafka tables of the job (MSK IAM needs the second one)",
  ],
];

/**
 * The jars of a job, with the version that each has for the Flink version: checked, completed by what they need, each once, in the order
 * of their file names.
 *
 * @param artifacts what the connectors of the program ask for
 * @param flinkVersion the Flink version of the job
 * @throws an error for a connector without a release, a jar built for Flink 1, two versions of one jar, jars that exclude each other
 */
export function resolveArtifacts(artifacts: Artifact[], flinkVersion: FlinkVersion): ResolvedArtifact[] {
  const byFileName = new Map<string, ResolvedArtifact>();
  const byProject = new Map<string, string>();
  for (const resolved of artifacts.flatMap((artifact) => resolveArtifact(artifact, flinkVersion))) {
    const same = byFileName.get(resolved.fileName);
    if (same && same.coordinate === resolved.coordinate && same.path === resolved.path) {
      continue;
    }
    if (same) {
      throw new Error(`two jars are called '${resolved.fileName}': ${source(same)} and ${source(resolved)}; one would overwrite the other`);
    }
    if (resolved.coordinate) {
      const [groupId, artifactId, version, classifier] = resolved.coordinate.split(':');
      const project = [groupId, artifactId, classifier].join(':');
      const other = byProject.get(project);
      if (other) {
        throw new Error(`the job needs ${groupId}:${artifactId} in the versions ${other} and ${version}; state one of them`);
      }
      byProject.set(project, version);
    }
    byFileName.set(resolved.fileName, resolved);
  }
  checkExclusive([...byFileName.keys()]);
  return [...byFileName.values()].sort((left, right) => (left.fileName < right.fileName ? -1 : 1));
}

/**
 * The jars that one artifact stands for: itself first, then what it cannot work without.
 *
 * @throws an error that says what to do where there is no release for the Flink version
 */
export function resolveArtifact(artifact: Artifact, flinkVersion: FlinkVersion): ResolvedArtifact[] {
  if (artifact.path !== undefined) {
    checkFileName(artifact.path, flinkVersion);
    return [{ fileName: basename(artifact.path), path: artifact.path }];
  }
  const coordinate = artifact.coordinate!;
  if (coordinate.split(':').length > 2) {
    checkMavenArtifact(coordinate, flinkVersion);
    return [fromCoordinate(coordinate)];
  }
  const release = releaseOf(coordinate, flinkVersion);
  if (!release) {
    throw new Error(withoutRelease(coordinate, flinkVersion));
  }
  const own = [coordinate, release.version, ...(release.classifier ? [release.classifier] : [])].join(':');
  return [own, ...(release.needs ?? [])].map(fromCoordinate);
}

/** Whether the jar has an exact version for this Flink: one that was given, or one of a release. */
export function hasRelease(artifact: Artifact, flinkVersion: FlinkVersion): boolean {
  const { coordinate } = artifact;
  return coordinate === undefined || coordinate.split(':').length > 2 || releaseOf(coordinate, flinkVersion) !== undefined;
}

/** The jar of a full Maven coordinate. */
export function fromCoordinate(coordinate: string): ResolvedArtifact {
  const [, artifactId, version, classifier] = coordinate.split(':');
  return { fileName: `${[artifactId, version, ...(classifier ? [classifier] : [])].join('-')}.jar`, coordinate };
}

/** The sentence that says why a connector cannot be fetched, and what to do. */
export function withoutRelease(coordinate: string, flinkVersion: FlinkVersion): string {
  const reason = UNRELEASED[coordinate.split(':')[1]];
  return (
    `there is no release of ${coordinate} for Flink ${flinkVersion.minor}${reason ? `: ${reason}` : ''}; give a build for ` +
    `Flink ${flinkVersion.minor} as Artifact.maven(…) or Artifact.file(…), to 'artifact' of MongoDbSink and ElasticsearchSink or to ` +
    "'artifacts' of CustomConnector, or name an image that holds it: 'image: FlinkImage.named(…)'"
  );
}

function releaseOf(coordinate: string, flinkVersion: FlinkVersion): Release | undefined {
  if (coordinate in FLINK_FORMATS) {
    return { version: flinkVersion.fullVersion, needs: FLINK_FORMATS[coordinate] };
  }
  return RELEASES[flinkVersion.minor]?.[coordinate];
}

function checkMavenArtifact(coordinate: string, flinkVersion: FlinkVersion): void {
  const [groupId, artifactId, version] = coordinate.split(':');
  if (!artifactId.includes('flink')) {
    return;
  }
  refuseFlink1(coordinate, /-(1\.\d+)$/.exec(version)?.[1], flinkVersion);
  if (groupId !== 'org.apache.flink') {
    return;
  }
  if (/kinesis-streams$/.test(artifactId) && compareVersions(version, '6.0.0') < 0) {
    throw new Error(`artifact ${coordinate} skips records of child shards after a reshard (FLINK-37627); give 6.0.0 or later`);
  }
  if (artifactId.endsWith('elasticsearch8') && compareVersions(version, '4.1.0') < 0) {
    throw new Error(`artifact ${coordinate} has no SQL table for Elasticsearch 8: ${UNRELEASED[artifactId]}; give 4.1.0 or later`);
  }
  const flinkOwn = /^\d+\.\d+\.\d+$/.test(version) && !artifactId.startsWith('flink-shaded-');
  if (flinkOwn && !version.startsWith(`${flinkVersion.minor}.`)) {
    throw new Error(
      `artifact ${coordinate} belongs to Flink ${version}, but the job runs Flink ${flinkVersion.fullVersion}; ` +
        `give version ${flinkVersion.fullVersion}`,
    );
  }
}

/**
 * Refuses a jar file whose name says that it was built for Flink 1: `flink-sql-connector-mongodb-2.0.0-1.20.jar`, or a format that
 * Flink 1 was released with.
 */
export function checkFileName(path: string, flinkVersion: FlinkVersion): void {
  const name = basename(path);
  const formats = Object.keys(FLINK_FORMATS).map((coordinate) => coordinate.split(':')[1]);
  const builtFor =
    /flink.*-\d+\.\d+[\w.]*(?:-SNAPSHOT)?-(1\.\d+)(?:-[a-z]\w*)*\.jar$/.exec(name) ??
    new RegExp(`^(?:${formats.join('|')})-(1\\.\\d+)\\.\\d+\\.jar$`).exec(name);
  refuseFlink1(name, builtFor?.[1], flinkVersion);
}

function refuseFlink1(artifact: string, builtFor: string | undefined, flinkVersion: FlinkVersion): void {
  if (builtFor !== undefined) {
    throw new Error(
      `artifact ${artifact} is built for Flink ${builtFor} and cannot run on Flink ${flinkVersion.minor}: interfaces that it uses were ` +
        'removed in Flink 2; give a build whose version ends in -2.x, or a jar of your own build',
    );
  }
}

function checkExclusive(fileNames: string[]): void {
  const holds = (artifactId: string) => fileNames.find((name) => new RegExp(`^${artifactId}-\\d`).test(name));
  for (const [one, other, why] of EXCLUSIVE) {
    if (holds(one) && holds(other)) {
      throw new Error(`an image cannot hold both ${holds(one)} and ${holds(other)}: both ${why}`);
    }
  }
}

function source(artifact: ResolvedArtifact): string {
  return artifact.coordinate ?? artifact.path!;
}
