import type { ResolvedArtifact } from './released-connectors';

/** A released jar that is put together anew while the image is built, because it does not work as it is. */
export interface MendedJar {
  readonly groupId: string;
  readonly artifactId: string;
  /** Name of the jar, which it keeps. */
  readonly fileName: string;
  /** Coordinates of jars that it lacks; their classes go into it. */
  readonly lacking: string[];
  /** Files that are left out. */
  readonly dropped: string[];
  /** Packages that get another name in this jar. */
  readonly relocated: { readonly from: string; readonly to: string }[];
}

type Mending = Partial<Pick<MendedJar, 'lacking' | 'dropped' | 'relocated'>>;

const EVENT_STREAM = 'software.amazon.eventstream';

/**
 * The releases that are mended. What ails them was seen with 6.0.1 on Flink 2.2.1; 6.0.0 is put together by the same POMs, with the same
 * AWS SDK. A later release may have been mended where it is made, and goes into the image as it is.
 */
const MENDED_VERSIONS = /^6\.0\.[01]-/;

/** What ails the SQL jars of the AWS connectors. */
const MENDINGS: { readonly [artifactId: string]: Mending } = {
  // Enhanced fan-out ends in NoClassDefFoundError: …shaded.software.amazon.eventstream.MessageDecoder, a class that nobody packed.
  'flink-sql-connector-aws-kinesis-streams': {
    lacking: [`${EVENT_STREAM}:eventstream:1.0.1`],
    relocated: [{ from: EVENT_STREAM, to: `org.apache.flink.connector.kinesis.sink.shaded.${EVENT_STREAM}` }],
  },
  'flink-sql-connector-aws-kinesis-firehose': {},
  // The SDK takes each line of this file for a class, the lines of its licence too, and no client can be made. The class that it names
  // only adds to the user agent.
  'flink-sql-connector-dynamodb': {
    dropped: ['org/apache/flink/connector/dynamodb/shaded/software/amazon/awssdk/services/dynamodb/execution.interceptors'],
  },
};

/**
 * Classes that each of these jars holds, with the names that its own AWS SDK has: where two jars are, the first one on the class path
 * breaks the other (NoSuchMethodError: AWSGeneralUtil.createSyncHttpClient). FLINK-35559 mended the same in an older connector.
 */
const AWS_BASE = 'org.apache.flink.connector.aws';

/** The jars among those of an image that must be mended. */
export function mendedJars(artifacts: ResolvedArtifact[]): MendedJar[] {
  return artifacts.flatMap(({ coordinate, fileName }) => {
    const [groupId, artifactId, version] = (coordinate ?? '').split(':') as [string, string, string];
    if (groupId !== 'org.apache.flink' || !Object.hasOwn(MENDINGS, artifactId) || !MENDED_VERSIONS.test(version)) {
      return [];
    }
    const { lacking = [], dropped = [], relocated = [] } = MENDINGS[artifactId]!;
    const base = { from: AWS_BASE, to: `shaded.${artifactId.replaceAll('-', '_')}.${AWS_BASE}` };
    return [{ groupId, artifactId, fileName, lacking, dropped, relocated: [base, ...relocated] }];
  });
}
