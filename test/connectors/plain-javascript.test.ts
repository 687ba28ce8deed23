import { Stack } from 'aws-cdk-lib';
import { Stream } from 'aws-cdk-lib/aws-kinesis';
import * as library from '../../lib';

/*
 * A caller without a compiler: what is missing, or is another thing, is named in words instead of ending in a TypeError of the
 * library's own code, and no value is shown, since it may be a password.
 */

const { Format, KafkaCluster, KafkaTopic, SecretRef } = library;
const format = Format.json();
const topic = KafkaTopic.fromTopicAttributes({
  cluster: KafkaCluster.selfManaged({ bootstrapServers: ['b:9092'] }),
  topicName: 't',
  partitions: 1,
});
const stream = library.EventStream.external({ streamArn: 'arn:aws:kinesis:eu-central-1:111122223333:stream/in', shardCount: 1 });
const table = library.DimensionTable.external({ tableArn: 'arn:aws:dynamodb:eu-central-1:111122223333:table/t', partitionKey: 'id' });
const start = library.KafkaStart.earliest();
const checkpointing = { storage: library.CheckpointStorage.location('s3p://bucket/job') };
const jdbc = { url: 'jdbc:mysql://h/x', tableName: 't' };
const stack = new Stack();

// biome-ignore lint/suspicious/noExplicitAny: what a compiler would refuse
type Wrong = any;

const CASES: [string, (no: Wrong) => unknown, string][] = [
  [
    'LookupCache with a number',
    () => library.LookupCache.partial({ expireAfterWrite: 30 as Wrong }),
    'expireAfterWrite of a lookup cache must be a Duration',
  ],
  ['Watermark with a number', () => library.Watermark.delayed('ts', 5 as Wrong), "watermark delay of column 'ts' must be a Duration"],
  [
    'a flush with a number',
    () => new library.JdbcSink({ ...jdbc, flush: { interval: 5 as Wrong } }),
    'interval of flush must be a Duration',
  ],
  ['no props', (no) => new library.KafkaSource(no), 'KafkaSource must be given an object of props, got nothing'],
  ['KafkaSource without start', (no) => new library.KafkaSource({ topic, format, start: no }), 'start of KafkaSource must be a KafkaStart'],
  ['KafkaSource without format', (no) => new library.KafkaSource({ topic, start, format: no }), 'format of KafkaSource must be a Format'],
  [
    'KafkaSource with a key of text',
    () => new library.KafkaSource({ topic, start, format, key: 'id' as Wrong }),
    'key must be given an object',
  ],
  ['KafkaSink without topic', (no) => new library.KafkaSink({ topic: no, format }), 'topic of KafkaSink must be a KafkaTopic'],
  ['KafkaSink with a topic of text', () => new library.KafkaSink({ topic: 't' as Wrong, format }), 'got text'],
  ['UpsertKafkaSink without keyFormat', (no) => new library.UpsertKafkaSink({ topic, keyFormat: no, valueFormat: format }), 'keyFormat of'],
  [
    'UpsertKafkaSource without valueFormat',
    (no) => new library.UpsertKafkaSource({ topic, keyFormat: format, valueFormat: no }),
    'valueFormat of',
  ],
  [
    'KinesisSource without start',
    (no) => new library.KinesisSource({ stream, format, start: no }),
    'start of KinesisSource must be a StartPosition',
  ],
  [
    'KinesisSource with a Stream of the CDK',
    () => new library.KinesisSource({ stream: new Stream(stack, 'In') as Wrong, format, start: library.StartPosition.latest() }),
    'EventStream.fromStream takes a Stream of aws-kinesis; got an object of class Stream',
  ],
  ['KinesisSink without stream', (no) => new library.KinesisSink({ stream: no, format }), 'stream of KinesisSink must be an EventStream'],
  [
    'FirehoseSink without a delivery stream',
    (no) => new library.FirehoseSink({ deliveryStream: no, format }),
    'deliveryStream of FirehoseSink',
  ],
  [
    'DynamoDbLookup without cache',
    (no) => new library.DynamoDbLookup({ table, cache: no }),
    'cache of DynamoDbLookup must be a LookupCache',
  ],
  ['DynamoDbSink without table', (no) => new library.DynamoDbSink({ table: no }), 'table of DynamoDbSink must be a DimensionTable'],
  ['JdbcLookup without cache', (no) => new library.JdbcLookup({ ...jdbc, cache: no }), 'cache of JdbcLookup must be a LookupCache'],
  ['JdbcSink without url', (no) => new library.JdbcSink({ url: no, tableName: 't' }), 'url of JdbcSink must be text; got nothing'],
  [
    'JdbcSink with plain credentials',
    () => new library.JdbcSink({ ...jdbc, credentials: { username: 'u', password: 'hunter2' } as Wrong }),
    'credentials of JdbcSink must be Credentials, such as Credentials.of(user, secret); got a plain object',
  ],
  [
    'ElasticsearchSink with one host',
    () => new library.ElasticsearchSink({ hosts: 'http://a:9200' as Wrong, index: 'i' }),
    'hosts of ElasticsearchSink must be a list',
  ],
  [
    'MongoDbSink with a uri of text',
    () => new library.MongoDbSink({ uri: 'mongodb://u:hunter2@a' as Wrong, database: 'd', collection: 'c' }),
    'uri of MongoDbSink must be a MongoDbUri',
  ],
  [
    'FileSystemSink without bucket',
    (no) => new library.FileSystemSink({ bucket: no, format }),
    'bucket of FileSystemSink must be a Bucket',
  ],
  [
    'CustomConnector without options',
    (no) => new library.CustomConnector({ identifier: 'x', role: library.TableRole.SINK, changes: library.Changes.ALL, options: no }),
    'options of CustomConnector must be',
  ],
  [
    'CustomConnector with changes of no kind',
    () => new library.CustomConnector({ identifier: 'x', role: library.TableRole.SINK, options: {}, changes: 'upserts' as Wrong }),
    'changes of CustomConnector must be one of Changes.INSERT_ONLY, Changes.UPSERT, Changes.ALL; got text',
  ],
  [
    'JarProgram with one argument',
    () => new library.JarProgram({ jarFile: 'a.jar', args: '--x' as Wrong }),
    'args of JarProgram must be a list',
  ],
  [
    'Credentials with a password of text',
    () => library.Credentials.of('u', 'hunter2' as Wrong),
    'password of Credentials.of must be a SecretRef',
  ],
  [
    'SCRAM with a password of text',
    () => library.KafkaAuthentication.scram({ username: 'u', password: 'hunter2' as Wrong }),
    'password of Kafka credentials must be a SecretRef',
  ],
  [
    'a registry with a password of text',
    () =>
      Format.avroConfluent({ url: 'http://r', credentials: { username: SecretRef.kubernetes('a', 'b'), password: 'hunter2' as Wrong } }),
    'credentials of Format.avroConfluent',
  ],
  [
    'brokers as text',
    () => KafkaCluster.selfManaged({ bootstrapServers: 'b:9092' as Wrong }),
    "bootstrapServers of KafkaCluster.selfManaged must be a list of brokers, each 'host:port'; got text",
  ],
  [
    'a Strimzi cluster without target',
    (no) => KafkaCluster.strimzi({ name: 'a', namespace: 'b', bootstrapServers: ['b:9092'], target: no }),
    'target of KafkaCluster.strimzi',
  ],
  [
    'a topic without a cluster',
    (no) => new KafkaTopic(stack, 'T', { cluster: no, topicName: 't', partitions: 1 }),
    'cluster of a Kafka topic',
  ],
  [
    'a table without connector',
    (no) => new library.SqlProgram().addTable('t', { connector: no, columns: [] }),
    "connector of table 't' must be a connector",
  ],
  [
    'a table with columns of text',
    () => new library.SqlProgram().addTable('t', { connector: new library.PrintSink(), columns: ['id STRING'] as Wrong }),
    "columns of table 't' must be a list, each element a Column",
  ],
  [
    'a job without checkpointing',
    (no) => application({ checkpointing: no }),
    'checkpointing of the job must be { storage: CheckpointStorage',
  ],
  [
    'a job without storage',
    (no) => application({ checkpointing: { storage: no } }),
    'storage of checkpointing must be a CheckpointStorage',
  ],
  ['a job without program', (no) => application({ program: no }), 'program of the job must be a SqlProgram or a JarProgram'],
  ['CPUs as text', () => application({ taskManager: { cpu: '2' as Wrong } }), 'cpu of taskManager must be a number; got text'],
  ['memory as text', () => application({ jobManager: { memory: '2g' as Wrong } }), 'memory of jobManager must be a Size'],
  [
    'a job without target',
    (no) => new library.FlinkJob(stack, 'J', { jobName: 'j', program: new library.SqlProgram(), checkpointing, target: no }),
    'target of FlinkJob must be a DeploymentTarget',
  ],
];

function application(changed: object): library.FlinkApplication {
  return new library.FlinkApplication({ jobName: 'j', namespace: 'n', program: new library.SqlProgram(), checkpointing, ...changed });
}

test.each(CASES)('%s', (_, create, message) => {
  expect(() => create(undefined)).toThrow(message);
  expect(() => create(undefined)).not.toThrow(/hunter2/);
});

test('null is nothing, too', () => {
  expect(() => new library.KafkaSink({ topic: null as Wrong, format })).toThrow(
    'topic of KafkaSink must be a KafkaTopic; KafkaTopic.fromTopicAttributes takes an existing one; got nothing',
  );
});
