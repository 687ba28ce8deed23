import { FlinkVersion } from '../../lib/application/flink-version';
import { hasRelease, resolveArtifact, resolveArtifacts } from '../../lib/application/released-connectors';
import { Artifact } from '../../lib/sql/artifact';

const FLINK = FlinkVersion.V2_2;

const released = (coordinate: string) => Artifact.released(coordinate);
const apache = (artifactId: string) => released(`org.apache.flink:${artifactId}`);
const fileNames = (...artifacts: Artifact[]) => resolveArtifacts(artifacts, FLINK).map((artifact) => artifact.fileName);

describe('releases for Flink 2.2', () => {
  test.each([
    ['flink-sql-connector-aws-kinesis-streams', '6.0.1-2.0'],
    ['flink-sql-connector-aws-kinesis-firehose', '6.0.1-2.0'],
    ['flink-sql-connector-dynamodb', '6.0.1-2.0'],
    ['flink-sql-connector-elasticsearch7', '4.0.0-2.0'],
    ['flink-connector-jdbc-mysql', '4.1.0-2.2'],
    ['flink-sql-avro-confluent-registry', '2.2.1'],
    ['flink-sql-protobuf', '2.2.1'],
  ])('%s is %s', (artifactId, version) => {
    expect(resolveArtifact(apache(artifactId), FLINK)).toEqual([
      { fileName: `${artifactId}-${version}.jar`, coordinate: `org.apache.flink:${artifactId}:${version}` },
    ]);
  });

  test('formats follow the patch version of Flink', () => {
    expect(resolveArtifact(apache('flink-sql-avro'), FlinkVersion.of('2.2.0'))[0].coordinate).toBe('org.apache.flink:flink-sql-avro:2.2.0');
  });

  test('a jar brings what it cannot work without, once', () => {
    expect(fileNames(apache('flink-sql-connector-kafka'), apache('flink-sql-connector-kafka'))).toEqual([
      'flink-sql-connector-kafka-5.0.0-2.2.jar',
      'zstd-jni-1.5.6-10.jar',
    ]);
    expect(fileNames(apache('flink-connector-kafka'), released('software.amazon.msk:aws-msk-iam-auth'))).toEqual([
      'aws-msk-iam-auth-2.3.6-all.jar',
      'flink-connector-kafka-5.0.0-2.2.jar',
      'kafka-clients-4.2.0.jar',
      'zstd-jni-1.5.6-10.jar',
    ]);
    expect(fileNames(apache('flink-connector-jdbc-core'))).toEqual([
      'flink-connector-jdbc-core-4.1.0-2.2.jar',
      'openlineage-java-1.32.0.jar',
      'openlineage-sql-java-1.32.0.jar',
    ]);
  });

  test('Parquet and ORC bring the Hadoop classes that they write through', () => {
    expect(fileNames(apache('flink-sql-orc'), apache('flink-sql-parquet'))).toEqual([
      'flink-sql-orc-2.2.1.jar',
      'flink-sql-parquet-2.2.1.jar',
      'hadoop-client-api-3.3.6.jar',
      'hadoop-client-runtime-3.3.6.jar',
    ]);
  });

  test('the order of the artifacts does not matter', () => {
    const artifacts = [apache('flink-sql-avro'), released('org.postgresql:postgresql'), Artifact.file('a/functions.jar')];
    expect(resolveArtifacts([...artifacts].reverse(), FLINK)).toEqual(resolveArtifacts(artifacts, FLINK));
  });

  test.each([
    ['flink-sql-connector-mongodb', 'the last release, 2.0.0, is built for Flink 1.20'],
    ['flink-sql-connector-opensearch2', 'the last release, 2.0.0, is built for Flink 1.19'],
    ['flink-sql-connector-elasticsearch8', 'the release 4.0.0 has SQL tables for Elasticsearch 7 only'],
    ['flink-connector-jdbc', 'it is split into flink-connector-jdbc-core'],
  ])('there is none of %s', (artifactId, reason) => {
    expect(hasRelease(apache(artifactId), FLINK)).toBe(false);
    expect(() => resolveArtifact(apache(artifactId), FLINK)).toThrow(
      `there is no release of org.apache.flink:${artifactId} for Flink 2.2: ${reason}`,
    );
    expect(() => resolveArtifact(apache(artifactId), FLINK)).toThrow(
      "give a build for Flink 2.2 as Artifact.maven(…) or Artifact.file(…), to 'artifact' of MongoDbSink and ElasticsearchSink or to 'artifacts' of CustomConnector, or name an image",
    );
  });

  test('none is known for another minor version, except what Flink releases itself', () => {
    const next = FlinkVersion.of('2.3.0');
    expect(() => resolveArtifact(apache('flink-sql-connector-kafka'), next)).toThrow(
      'there is no release of org.apache.flink:flink-sql-connector-kafka for Flink 2.3; give',
    );
    expect(hasRelease(apache('flink-sql-avro'), next)).toBe(true);
  });
});

describe('jars that were given', () => {
  test.each([
    'org.apache.flink:flink-sql-connector-mongodb:2.1.0-2.2',
    'org.apache.flink:flink-sql-connector-aws-kinesis-streams:6.0.0-2.0',
    'org.apache.flink:flink-sql-avro:2.2.0',
    'org.apache.flink:flink-shaded-jackson:2.18.2-20.0',
    'org.apache.flink:flink-shaded-guava:33.4.0',
    'org.apache.flink:flink-connector-elasticsearch8:4.1.0-2.0',
    'com.example:flink-clickhouse:1.0.0',
    'com.example:tools:4.0-1.20',
    'com.example:tools:1.0:all',
  ])('%s is taken as it is', (coordinate) => {
    expect(resolveArtifact(Artifact.maven(coordinate), FLINK)).toEqual([expect.objectContaining({ coordinate })]);
  });

  test.each([
    ['org.apache.flink:flink-sql-connector-mongodb:2.0.0-1.20', 'is built for Flink 1.20 and cannot run on Flink 2.2'],
    ['com.example:flink-connector-x:3.3.0-1.20', 'is built for Flink 1.20'],
    ['org.apache.flink:flink-sql-connector-aws-kinesis-streams:5.1.0-2.0', 'skips records of child shards after a reshard (FLINK-37627)'],
    ['org.apache.flink:flink-connector-elasticsearch8:4.0.0-2.0', 'has no SQL table for Elasticsearch 8'],
    ['org.apache.flink:flink-sql-avro:2.1.0', 'belongs to Flink 2.1.0, but the job runs Flink 2.2.1; give version 2.2.1'],
  ])('%s is refused', (coordinate, message) => {
    expect(() => resolveArtifact(Artifact.maven(coordinate), FLINK)).toThrow(message);
  });

  test('a file keeps its name', () => {
    expect(resolveArtifact(Artifact.file('build/libs/functions.jar'), FLINK)).toEqual([
      { fileName: 'functions.jar', path: 'build/libs/functions.jar' },
    ]);
  });
});

describe('jars that do not go together', () => {
  test('two versions of one jar', () => {
    expect(() => fileNames(Artifact.maven('org.postgresql:postgresql:42.7.3'), released('org.postgresql:postgresql'))).toThrow(
      'the job needs org.postgresql:postgresql in the versions 42.7.3 and 42.7.14; state one of them',
    );
  });

  test('two classifiers of one version do', () => {
    expect(fileNames(Artifact.maven('g:a:1:x'), Artifact.maven('g:a:1:y'), Artifact.maven('g:a:1'))).toEqual([
      'a-1-x.jar',
      'a-1-y.jar',
      'a-1.jar',
    ]);
  });

  test('two jars of one name', () => {
    expect(() => fileNames(Artifact.file('one/f.jar'), Artifact.file('two/f.jar'))).toThrow(
      "two jars are called 'f.jar': one/f.jar and two/f.jar; one would overwrite the other",
    );
    expect(fileNames(Artifact.file('one/f.jar'), Artifact.file('one/f.jar'))).toEqual(['f.jar']);
  });

  test('two Kafka connectors', () => {
    expect(() => fileNames(apache('flink-sql-connector-kafka'), apache('flink-connector-kafka'))).toThrow(
      'an image cannot hold both flink-sql-connector-kafka-5.0.0-2.2.jar and flink-connector-kafka-5.0.0-2.2.jar',
    );
  });

  test.each([
    ['flink-sql-connector-mongodb-2.0.0-1.20.jar', '1.20'],
    ['flink-connector-jdbc-3.2.0-1.19-sources.jar', '1.19'],
    ['my-flink-connector-4.0-SNAPSHOT-1.20.jar', '1.20'],
    ['flink-sql-parquet-1.20.0.jar', '1.20'],
  ])('the file %s, by its name', (fileName, builtFor) => {
    expect(() => fileNames(Artifact.file(`jars/${fileName}`))).toThrow(
      `artifact ${fileName} is built for Flink ${builtFor} and cannot run on Flink 2.2`,
    );
  });

  test.each([
    'flink-sql-connector-mongodb-2.1.0-2.2.jar',
    'flink-sql-connector-mongodb-own-build.jar',
    'flink-connector-clickhouse-1.20.jar',
    'flink-connector-clickhouse-1.3.0.jar',
    'flink-sql-parquet-2.2.1.jar',
    'shop-functions-2.0.0-1.20.jar',
  ])('the file %s passes', (fileName) => {
    expect(fileNames(Artifact.file(`jars/${fileName}`))).toEqual([fileName]);
  });

  test('the old and the new Kinesis connector, even as files', () => {
    expect(() =>
      fileNames(Artifact.file('jars/flink-sql-connector-kinesis-5.1.0.jar'), apache('flink-sql-connector-aws-kinesis-streams')),
    ).toThrow("both answer to the identifier 'kinesis'");
  });
});
