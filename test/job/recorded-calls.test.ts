import type { Stack } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import {
  Column,
  DataType,
  DimensionTable,
  DynamoDbSink,
  EventStream,
  FileSystemSink,
  Format,
  type IConnector,
  KafkaCluster,
  KafkaSink,
  KafkaTopic,
  KinesisSink,
  KinesisSource,
  SqlProgram,
  StartPosition,
} from '../../lib';
import { FlinkVersion } from '../../lib/application/flink-version';
import { resolveArtifact } from '../../lib/application/released-connectors';
import { Artifact } from '../../lib/sql/artifact';
import calls from '../deploy/connector-calls.json';
import { job, newStack, statements } from '../fixtures/stacks';

/** Connectors that the reference apps have not; the calls of theirs are checked where they are deployed. */
const CONNECTORS: { readonly [name: string]: (stack: Stack) => IConnector } = {
  KinesisSink: (stack) => new KinesisSink({ stream: new EventStream(stack, 'Copies', { shardCount: 1 }), format: Format.raw() }),
  DynamoDbSink: (stack) => new DynamoDbSink({ table: new DimensionTable(stack, 'Table', { partitionKey: 'line' }) }),
  'KafkaSink at least once': () => {
    const cluster = KafkaCluster.msk({
      clusterArn: 'arn:aws:kafka:eu-central-1:111122223333:cluster/shop/11111111-2222-3333-4444-555555555555-2',
      bootstrapServers: ['b-1.shop:9098'],
    });
    const topic = KafkaTopic.fromTopicAttributes({ cluster, topicName: 'lines', partitions: 1 });
    return new KafkaSink({ topic, format: Format.raw() });
  },
  FileSystemSink: (stack) =>
    new FileSystemSink({ bucket: Bucket.fromBucketName(stack, 'Lake', 'lake'), prefix: 'lines', format: Format.json() }),
};

/** What the role may do, apart from what every job may: a source of the fixture, and the checkpoints. */
function granted(stack: Stack): string[] {
  const actions = statements(stack)
    .filter(({ Resource }) => !/:stream\/clicks|:s3:::state/.test(JSON.stringify(Resource)))
    .flatMap(({ Action }) => Action);
  return [...new Set(actions)].sort();
}

const recorded = (connector: string) => calls.filter((call) => call.caller === connector).flatMap(({ actions }) => [...actions].sort());

test.each(Object.keys(CONNECTORS))('the role may do what was recorded of %s, and nothing else', (name) => {
  const stack = newStack();
  const program = new SqlProgram();
  const columns = [Column.physical('line', DataType.STRING)];
  const source = program.addTable('events', {
    connector: new KinesisSource({
      stream: EventStream.external({ streamArn: 'arn:aws:kinesis:eu-central-1:111122223333:stream/clicks', shardCount: 1 }),
      start: StartPosition.latest(),
      format: Format.raw(),
    }),
    columns,
  });
  const sink = program.addTable('target', {
    connector: CONNECTORS[name]!(stack),
    columns,
    primaryKey: name === 'DynamoDbSink' ? ['line'] : undefined,
  });
  program.addInsert(sink, `SELECT line FROM ${source}`);
  job(stack, { program });
  expect(granted(stack)).toEqual(recorded(name));
  expect(granted(stack)).not.toEqual([]);
});

test('the role may do what was recorded of enhanced fan-out, and nothing else', () => {
  const stack = newStack();
  const program = new SqlProgram();
  const columns = [Column.physical('line', DataType.STRING)];
  const stream = new EventStream(stack, 'Events', { shardCount: 1 });
  const source = program.addTable('events', {
    connector: new KinesisSource({
      stream,
      start: StartPosition.latest(),
      format: Format.raw(),
      enhancedFanOut: { consumerName: 'job' },
    }),
    columns,
  });
  program.addInsert(
    program.addTable('copies', { connector: new KinesisSink({ stream, format: Format.raw() }), columns }),
    `SELECT line FROM ${source}`,
  );
  job(stack, { program });
  expect(granted(stack)).toEqual([...recorded('KinesisSource with enhanced fan-out'), ...recorded('KinesisSink')].sort());
});

/** Entries that stand on another one, or on a test that asks again in each run. */
const ELSEWHERE = /^(as of (user-events|order-items)\b|the same$|each run of test\/)/;
const FILE_SYSTEM = /^flink-s3-fs-/;

/** The version that goes into an image: of a connector its release, of a file system that of Flink, whose patches are not told apart. */
function deployedVersion(artifactId: string): string {
  if (FILE_SYSTEM.test(artifactId)) {
    return FlinkVersion.V2_2.minor;
  }
  return resolveArtifact(Artifact.released(`org.apache.flink:${artifactId}`), FlinkVersion.V2_2)[0]!.coordinate!.split(':')[2]!;
}

test.each([...new Set(calls.map(({ recorded }) => recorded))].filter((recorded) => !ELSEWHERE.test(recorded)))(
  'was recorded of the version that is deployed: %s',
  (recorded) => {
    const [, artifactId, version] = /^(flink-[\w-]+) (\d+\.\d+\.\d+(?:-\d+\.\d+)?)\b/.exec(recorded)!;
    const deployed = deployedVersion(artifactId!);
    // A build from the tag of a connector has no Flink version in its name.
    const parts = (FILE_SYSTEM.test(artifactId!) ? version!.replace(/\.\d+$/, '') : version!).split('-');
    expect(deployed.split('-').slice(0, parts.length)).toEqual(parts);
  },
);
