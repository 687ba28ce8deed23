import type { Artifact } from '../sql/artifact';
import { didYouMean } from '../sql/nearest-names';

/** Connectors in the distribution of Flink. */
const BUILT_IN = ['blackhole', 'datagen', 'filesystem', 'print'];

/** Jars of connectors that are released apart from Flink. */
const CONNECTOR_JARS: { [identifier: string]: string } = {
  dynamodb: 'org.apache.flink:flink-sql-connector-dynamodb',
  'elasticsearch-7': 'org.apache.flink:flink-sql-connector-elasticsearch7',
  firehose: 'org.apache.flink:flink-sql-connector-aws-kinesis-firehose',
  jdbc: 'org.apache.flink:flink-connector-jdbc-core',
  kafka: 'org.apache.flink:flink-sql-connector-kafka',
  'dynamic-kafka': 'org.apache.flink:flink-sql-connector-kafka',
  kinesis: 'org.apache.flink:flink-sql-connector-aws-kinesis-streams',
  'upsert-kafka': 'org.apache.flink:flink-sql-connector-kafka',
};

/** Jars of formats that are left out of the distribution. */
const FORMAT_JARS: { [identifier: string]: string } = {
  avro: 'org.apache.flink:flink-sql-avro',
  'avro-confluent': 'org.apache.flink:flink-sql-avro-confluent-registry',
  'debezium-avro-confluent': 'org.apache.flink:flink-sql-avro-confluent-registry',
  orc: 'org.apache.flink:flink-sql-orc',
  parquet: 'org.apache.flink:flink-sql-parquet',
  protobuf: 'org.apache.flink:flink-sql-protobuf',
};

/**
 * What brings neither the distribution of Flink nor an artifact, in words.
 *
 * @param identifier the connector
 * @param options table options, of which some name formats
 * @param artifacts jars that the user gave
 */
export function missingArtifact(
  identifier: string,
  options: { readonly [option: string]: string },
  artifacts: readonly Artifact[],
): string | undefined {
  if (artifacts.length === 0 && !BUILT_IN.includes(identifier)) {
    const jar = CONNECTOR_JARS[identifier];
    return `connector '${identifier}' is not part of Flink${jar ? `; its jar: Artifact.released('${jar}')` : didYouMean(identifier, [...BUILT_IN, ...Object.keys(CONNECTOR_JARS)])}`;
  }
  const format = ['format', 'key.format', 'value.format'].map((option) => options[option]).find((name) => Object.hasOwn(FORMAT_JARS, name));
  // A jar of the user's own may hold the format too; those of Flink hold one thing each.
  const held = (jar: string) =>
    artifacts.some(({ coordinate }) => !coordinate?.startsWith('org.apache.flink:') || coordinate.startsWith(jar));
  return format === undefined || held(FORMAT_JARS[format])
    ? undefined
    : `format '${format}' is not part of Flink's distribution; its jar: Artifact.released('${FORMAT_JARS[format]}')`;
}
