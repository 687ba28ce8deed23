import { type App, Stack, Stage, Token, Validations } from 'aws-cdk-lib';
import { CfnStreamConsumer } from 'aws-cdk-lib/aws-kinesis';
import { CfnDeliveryStream } from 'aws-cdk-lib/aws-kinesisfirehose';
import { CfnEventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { CfnPipe } from 'aws-cdk-lib/aws-pipes';
import { Bucket, type IBucket } from 'aws-cdk-lib/aws-s3';
import {
  ArchiveDeliveryStream,
  Artifact,
  Changes,
  CheckpointStorage,
  CleanupPolicy,
  Column,
  CustomConnector,
  DataType,
  DeliveryGuarantee,
  ElasticsearchSink,
  type EnhancedFanOut,
  EventStream,
  type FlinkJobProps,
  Format,
  type IConnector,
  JarProgram,
  JdbcSink,
  KafkaCluster,
  KafkaSink,
  KafkaSource,
  KafkaStart,
  KafkaTopic,
  KinesisSource,
  MalformedRecords,
  MongoDbSink,
  MongoDbUri,
  PrintSink,
  type Program,
  SqlProgram,
  StartPosition,
  TableRole,
  TimestampFormat,
  TransactionNaming,
  UpsertKafkaSink,
  UpsertKafkaSource,
} from '../../lib';
import { newApp } from '../fixtures/assembly';
import { source } from '../fixtures/programs';
import { ENVIRONMENT, externalStream, job, newStack } from '../fixtures/stacks';

const COLUMNS = ['id', 'item', 'name'].map((name) => Column.physical(name, DataType.STRING));
const CLUSTER = KafkaCluster.selfManaged({ bootstrapServers: ['b:9092'] });

/** A job for each program, in an app of their own; warnings and errors as the toolkit shows them. */
function synthesize(
  programs: Program[],
  changed: Partial<FlinkJobProps> = {},
  acknowledged: string[] = [],
): { warnings: string[]; errors: string[]; shown: string } {
  const error = jest.spyOn(console, 'error').mockImplementation(() => {});
  const app = newApp();
  const stack = newStack({ env: ENVIRONMENT }, app);
  const jobs = programs.map((program, index) => {
    const scope = new Stack(app, `Stack${index}`, { env: ENVIRONMENT });
    return job(index === 0 ? stack : scope, { jobName: `job-${index}`, program, ...changed }, `Job${index}`);
  });
  for (const id of acknowledged) {
    Validations.of(jobs.at(-1)!).acknowledge({ id, reason: 'meant' });
  }
  const errors: string[] = [];
  try {
    app.synth();
  } catch (thrown) {
    errors.push((thrown as Error).message);
  }
  const shown = error.mock.calls.flat().join('\n');
  error.mockRestore();
  return {
    warnings: [...shown.matchAll(/Acknowledge with 'Annotation::cdk-flink-pipeline:(\w+)'/g)].map(([, name]) => name!),
    errors,
    shown,
  };
}

function reading(connector: IConnector): SqlProgram {
  const program = new SqlProgram();
  const events = program.addTable('events', { connector, columns: COLUMNS });
  program.addInsert(program.addTable('printed', { connector: new PrintSink(), columns: COLUMNS }), `SELECT id, item, name FROM ${events}`);
  return program;
}

describe('OverlappingTransactionalIds', () => {
  const write = (transactionalIdPrefix: string, transactionNaming?: TransactionNaming, topicName = 'totals') => {
    const program = new SqlProgram();
    program.addTable('events', { ...source(), columns: COLUMNS });
    const topic = KafkaTopic.fromTopicAttributes({ cluster: CLUSTER, topicName, partitions: 4 });
    const guarantee = DeliveryGuarantee.EXACTLY_ONCE;
    const connector = new KafkaSink({ topic, format: Format.json(), guarantee, transactionalIdPrefix, transactionNaming });
    program.addInsert(program.addTable('totals', { connector, columns: COLUMNS }), 'SELECT id, item, name FROM events');
    return program;
  };
  const { POOLING } = TransactionNaming;
  const errors = (...programs: SqlProgram[]) => synthesize(programs, { parallelism: 1 }).errors;
  const refusal =
    /table 'totals' of 'Stack(\/Job0|1\/Job1)' aborts each open transaction of topic 'totals' that begins with 'shop' when it starts, and those of table 'totals' of 'Stack(\/Job0|1\/Job1)' begin with 'shop-totals'.*OverlappingTransactionalIds/;

  test('fires whichever job comes first', () => {
    expect(errors(write('shop', POOLING), write('shop-totals'))).toEqual([expect.stringMatching(refusal)]);
    expect(errors(write('shop-totals', POOLING), write('shop', POOLING))).toEqual([expect.stringMatching(refusal)]);
  });

  test('passes where nobody lists transactions, or only the longer prefix does', () => {
    expect(errors(write('shop'), write('shop-totals'))).toEqual([]);
    expect(errors(write('shop'), write('shop-totals', POOLING))).toEqual([]);
  });

  test('passes for prefixes apart, and for topics of their own', () => {
    expect(errors(write('shop.items', POOLING), write('shop.totals', POOLING))).toEqual([]);
    expect(errors(write('shop', POOLING), write('shop-totals', POOLING, 'others'))).toEqual([]);
    expect(errors(write('shop', POOLING), write('shop-totals', POOLING, Token.asString({ Ref: 'Topic' })))).toEqual([]);
  });

  test('sees two tables of one job', () => {
    const program = write('shop', POOLING);
    const topic = KafkaTopic.fromTopicAttributes({ cluster: CLUSTER, topicName: 'totals', partitions: 4 });
    const connector = new KafkaSink({
      topic,
      format: Format.json(),
      guarantee: DeliveryGuarantee.EXACTLY_ONCE,
      transactionalIdPrefix: 'shop-late',
    });
    program.addInsert(program.addTable('late', { connector, columns: COLUMNS }), 'SELECT id, item, name FROM events');
    expect(errors(program)).toHaveLength(1);
  });
});

describe('PollingConsumers', () => {
  const poll = (enhancedFanOut?: EnhancedFanOut, stream = externalStream()) =>
    reading(
      new KinesisSource({
        stream,
        start: StartPosition.latest(),
        format: Format.json({ malformedRecords: MalformedRecords.FAIL }),
        enhancedFanOut,
      }),
    );

  test('fires at the third that polls', () => {
    expect(synthesize([poll(), poll(), poll()]).warnings).toEqual(['PollingConsumers']);
  });

  test('passes for two, for one that fans out, and for streams of their own', () => {
    expect(synthesize([poll(), poll()]).warnings).toEqual([]);
    expect(synthesize([poll(), poll(), poll({ consumerName: 'third' })]).warnings).toEqual([]);
    const other = EventStream.external({ streamArn: 'arn:aws:kinesis:eu-central-1:111122223333:stream/views', shardCount: 4 });
    expect(synthesize([poll(), poll(), poll(undefined, other)]).warnings).toEqual([]);
  });

  test('counts the streams of a JAR, each for itself', () => {
    const jar = (...streamNames: string[]) =>
      new JarProgram({
        jarUri: 'local:///opt/flink/usrlib/jobs.jar',
        eventStreams: streamNames.map((name) =>
          EventStream.external({ streamArn: `arn:aws:kinesis:eu-central-1:111122223333:stream/${name}`, shardCount: 4 }),
        ),
      });
    expect(synthesize([jar('a', 'b'), jar('c'), jar('d')]).warnings).toEqual([]);
    expect(synthesize([jar('clicks', 'b'), jar('clicks'), poll()]).warnings).toEqual(['PollingConsumers']);
  });

  test('acknowledged is silent', () => {
    expect(synthesize([poll(), poll(), poll()], {}, ['cdk-flink-pipeline:PollingConsumers']).warnings).toEqual([]);
  });

  /** The readers that stand in messages, of a job on a stream of the app beside what else reads it, which is made later. */
  const beside = (read: (scope: Stack, stream: EventStream) => void, streamName?: string) => {
    const error = jest.spyOn(console, 'error').mockImplementation(() => {});
    const app = newApp();
    const stack = newStack({ env: ENVIRONMENT }, app);
    const stream = new EventStream(stack, 'Clicks', { shardCount: 2, streamName });
    job(stack, { program: poll(undefined, stream) });
    read(new Stack(app, 'Readers', { env: ENVIRONMENT }), stream);
    app.synth();
    const shown = error.mock.calls.flat().join('\n');
    error.mockRestore();
    return [...shown.matchAll(/is one of (\d) readers of this app that poll stream/g)].map(([, count]) => count);
  };
  const mapping = (scope: Stack, id: string, eventSourceArn: string) =>
    new CfnEventSourceMapping(scope, id, { functionName: 'count', eventSourceArn });
  const delivery = (scope: Stack, kinesisStreamArn: string) =>
    new CfnDeliveryStream(scope, 'Delivery', { kinesisStreamSourceConfiguration: { kinesisStreamArn, roleArn: 'arn:role' } });

  test.each([undefined, 'clicks'])('counts functions, delivery streams and pipes of the app on a stream named %s', (name) => {
    const readers = (count: number) =>
      beside((scope, { stream: { streamArn } }) => {
        mapping(scope, 'Mapping', streamArn);
        if (count > 2) {
          delivery(scope, streamArn);
        }
        if (count > 3) {
          new CfnPipe(scope, 'Pipe', { roleArn: 'arn:role', source: streamArn, target: 'arn:target' });
        }
      }, name);
    expect(readers(2)).toEqual([]);
    expect(readers(3)).toEqual(['3']);
    expect(readers(4)).toEqual(['4']);
  });

  test('knows a stream by its ARN, and passes for another one, for a consumer that fans out and for what is known at deployment', () => {
    const arn = 'arn:aws:kinesis:eu-central-1:111122223333:stream/clicks';
    const mapped = (...arns: ((stream: EventStream, scope: Stack) => string)[]) =>
      beside((scope, stream) => {
        for (const [index, eventSourceArn] of arns.entries()) {
          mapping(scope, `Mapping${index}`, eventSourceArn(stream, scope));
        }
      }, 'clicks');
    expect(
      mapped(
        () => arn,
        ({ streamArn }) => streamArn,
      ),
    ).toEqual(['3']);
    const known = ({ streamArn }: EventStream) => streamArn;
    expect(mapped(known, () => `${arn}s`)).toEqual([]);
    expect(mapped(known, ({ stream: { streamArn } }) => `${streamArn}/consumer/count:1700000000`)).toEqual([]);
    expect(mapped(known, () => Token.asString({ Ref: 'Stream' }))).toEqual([]);
    expect(mapped(known, () => `arn:aws:kinesis:eu-central-1:111122223333:stream/${Token.asString({ Ref: 'Name' })}`)).toEqual([]);
    expect(
      mapped(
        known,
        ({ streamArn }, scope) => new CfnStreamConsumer(scope, 'Consumer', { consumerName: 'count', streamArn }).attrConsumerArn,
      ),
    ).toEqual([]);
  });
});

describe('ArchiveAmongCheckpoints', () => {
  /** Errors of a job with checkpoints at `orders/flink`, beside an archive that is made later. */
  const errors = (prefix: string | undefined, errorPrefix?: string, bucketOf?: (scope: Stack, state: Bucket) => IBucket | undefined) => {
    const app = newApp();
    const stack = newStack({ env: ENVIRONMENT }, app);
    const state = new Bucket(stack, 'State', { bucketName: 'state' });
    job(stack, { checkpointing: { storage: CheckpointStorage.s3(state, 'orders/flink') } });
    const scope = new Stack(app, 'Archive', { env: ENVIRONMENT });
    const bucket = bucketOf ? bucketOf(scope, state) : state;
    new ArchiveDeliveryStream(scope, 'Archive', { bucket, prefix, errorPrefix });
    try {
      app.synth();
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };

  test.each(['orders/flink/archive/', 'orders/flink/!{timestamp:yyyy}/', 'orders/'])('fires for an archive at %s', (prefix) => {
    expect(errors(prefix)).toMatch(
      /'Archive\/Archive\/Resource' delivers to 'orders\/.*' in the bucket of the checkpoints of job 'clicks', which lie at 's3p:\/\/state\/orders\/flink'.*ArchiveAmongCheckpoints/,
    );
  });

  test('fires for records that could not be delivered, and for a bucket that is known by its name', () => {
    expect(errors('archive/', 'orders/flink/errors/!{firehose:error-output-type}/')).toContain('ArchiveAmongCheckpoints');
    expect(errors('orders/flink/', undefined, (scope) => Bucket.fromBucketName(scope, 'Named', 'state'))).toContain(
      'ArchiveAmongCheckpoints',
    );
  });

  test('passes beside them, at the top of the bucket, in another bucket and for a token', () => {
    expect(errors('archive/')).toBe('');
    expect(errors('orders/flink-archive/')).toBe('');
    expect(errors(undefined)).toBe('');
    expect(errors('orders/flink/', undefined, () => undefined)).toBe('');
    expect(errors('orders/flink/', undefined, (scope) => new Bucket(scope, 'Other'))).toBe('');
    expect(errors(Token.asString({ Ref: 'Prefix' }))).toBe('');
  });
});

describe('SharedConsumerGroup', () => {
  const read = (consumerGroup?: string, topicName = 'orders') =>
    reading(
      new KafkaSource({
        topic: KafkaTopic.fromTopicAttributes({ cluster: CLUSTER, topicName, partitions: 4 }),
        format: Format.json({ malformedRecords: MalformedRecords.FAIL }),
        start: KafkaStart.earliest(),
        consumerGroup,
      }),
    );

  test('fires for two jobs of one group on one topic', () => {
    expect(synthesize([read('mine'), read('mine')]).warnings).toEqual(['SharedConsumerGroup']);
  });

  test('fires for the group of a JAR, and for brokers in another order', () => {
    const jar = (topicName = 'orders') =>
      new JarProgram({
        jarUri: 'local:///opt/flink/usrlib/jobs.jar',
        kafkaTopics: [KafkaTopic.fromTopicAttributes({ cluster: CLUSTER, topicName, partitions: 4 })],
        consumerGroup: 'mine',
      });
    expect(synthesize([jar(), read('mine')]).warnings).toEqual(['SharedConsumerGroup']);
    expect(synthesize([jar(), jar()]).warnings).toEqual(['SharedConsumerGroup']);
    expect(synthesize([jar(), jar('items')]).warnings).toEqual([]);
    const brokers = (...bootstrapServers: string[]) =>
      reading(
        new KafkaSource({
          topic: KafkaTopic.fromTopicAttributes({
            cluster: KafkaCluster.selfManaged({ bootstrapServers }),
            topicName: 'orders',
            partitions: 4,
          }),
          format: Format.json({ malformedRecords: MalformedRecords.FAIL }),
          start: KafkaStart.earliest(),
          consumerGroup: 'mine',
        }),
      );
    expect(synthesize([brokers('a:9092', 'b:9092'), brokers('b:9092,a:9092')]).warnings).toEqual(['SharedConsumerGroup']);
    expect(synthesize([brokers('a:9092'), brokers('c:9092')]).warnings).toEqual([]);
  });

  test('passes for groups that the library makes, and for other topics', () => {
    expect(synthesize([read(), read()]).warnings).toEqual([]);
    expect(synthesize([read('mine'), read('mine', 'items')]).warnings).toEqual([]);
    expect(synthesize([read('mine'), read('mine', Token.asString({ Ref: 'Topic' }))]).warnings).toEqual([]);
  });

  test('acknowledged is silent', () => {
    expect(synthesize([read('mine'), read('mine')], {}, ['cdk-flink-pipeline:SharedConsumerGroup']).warnings).toEqual([]);
  });
});

describe('StoreKeys', () => {
  const others = [Column.physical('count', DataType.INT), Column.physical('day', DataType.DATE)];
  const write = (connector: IConnector, primaryKey: string[]) => {
    const program = new SqlProgram();
    const columns = [...COLUMNS, ...others.filter(({ name }) => primaryKey.includes(name))];
    program.addTable('events', { ...source(), columns });
    const table = { connector, columns, ...(primaryKey.length > 0 && { primaryKey }) };
    program.addInsert(program.addTable('totals', table), 'SELECT * FROM events');
    return program;
  };
  const messages = (left: SqlProgram, right: SqlProgram) => synthesize([left, right], { parallelism: 1 }).shown;
  const found = (left: SqlProgram, right: SqlProgram, acknowledged: string[] = []) =>
    synthesize([left, right], { parallelism: 1 }, acknowledged).warnings.filter((name) => name === 'StoreKeys');
  const jdbc = (tableName = 'totals') => new JdbcSink({ url: 'jdbc:postgresql://db/shop', tableName });
  const mongo = (collection = 'totals') =>
    new MongoDbSink({ uri: MongoDbUri.seedList({ hosts: ['mongo:27017'] }), database: 'shop', collection });
  const search = (index = 'totals', keyDelimiter?: string) => new ElasticsearchSink({ hosts: ['http://es:9200'], index, keyDelimiter });

  test.each<[string, (place?: string) => IConnector]>([
    ['a database table', jdbc],
    ['a collection', mongo],
    ['an index', search],
  ])('fires for two keys of %s, and passes for one key, a place each and rows without a key', (_, connector) => {
    expect(found(write(connector(), ['id']), write(connector(), ['id', 'item']))).toEqual(['StoreKeys']);
    expect(found(write(connector(), ['id', 'item']), write(connector(), ['item']))).toEqual(['StoreKeys']);
    expect(found(write(connector(), ['id']), write(connector(), ['id']))).toEqual([]);
    expect(found(write(connector(), ['id']), write(connector('others'), ['id', 'item']))).toEqual([]);
    expect(found(write(connector(), ['id']), write(connector(), []))).toEqual([]);
    expect(found(write(connector(), ['id']), write(connector(Token.asString({ Ref: 'Place' })), ['id', 'item']))).toEqual([]);
  });

  test('a database knows columns by their names, in any order', () => {
    expect(found(write(jdbc(), ['id']), write(jdbc(), ['item']))).toEqual(['StoreKeys']);
    expect(found(write(jdbc(), ['id', 'item']), write(jdbc(), ['id', 'name']))).toEqual(['StoreKeys']);
    expect(found(write(jdbc(), ['id', 'item']), write(jdbc(), ['item', 'id']))).toEqual([]);
  });

  test('MongoDB knows several columns by their names and order, and one by its value', () => {
    expect(found(write(mongo(), ['id', 'item']), write(mongo(), ['item', 'id']))).toEqual(['StoreKeys']);
    expect(found(write(mongo(), ['id', 'item']), write(mongo(), ['id', 'name']))).toEqual(['StoreKeys']);
    expect(found(write(mongo(), ['id']), write(mongo(), ['item']))).toEqual([]);
    expect(found(write(mongo(), ['id']), write(mongo(), ['count']))).toEqual(['StoreKeys']);
  });

  test('an id of Elasticsearch is values in their order, and what stands between them', () => {
    expect(found(write(search(), ['id', 'item']), write(search(), ['item', 'id']))).toEqual(['StoreKeys']);
    expect(found(write(search(), ['id', 'item']), write(search('totals', '_'), ['id', 'item']))).toEqual(['StoreKeys']);
    expect(found(write(search(), ['id', 'item']), write(search('totals', '|'), ['id', 'item']))).toEqual([]);
    expect(found(write(search(), ['id']), write(search(), ['name']))).toEqual([]);
    expect(found(write(search(), ['id', 'item']), write(search(), ['id', 'name']))).toEqual([]);
    expect(found(write(search(), ['count']), write(search(), ['day']))).toEqual(['StoreKeys']);
    expect(found(write(search(), ['id']), write(search(), ['count']))).toEqual([]);
  });

  test('a connector of your own has the delimiter of the connector', () => {
    const custom = (options: { [option: string]: string } = {}) =>
      new CustomConnector({
        identifier: 'opensearch-2',
        role: TableRole.SINK,
        options: { hosts: 'http://es:9200', index: 'totals', ...options },
        artifacts: [Artifact.file('jars/flink-sql-connector-opensearch2.jar')],
        changes: Changes.UPSERT,
      });
    const underscore = custom({ 'document-id.key-delimiter': '_' });
    expect(found(write(custom(), ['id', 'item']), write(underscore, ['id', 'item']))).toEqual([]);
    const dash = custom({ 'document-id.key-delimiter': '-' });
    expect(found(write(custom(), ['id', 'item']), write(dash, ['id', 'item']))).toEqual(['StoreKeys']);
  });

  test('knows a place by another order of its nodes, and with other settings of the connection', () => {
    const nodes = (...hosts: string[]) => new ElasticsearchSink({ hosts: hosts.map((host) => `http://${host}:9200`), index: 'totals' });
    expect(found(write(nodes('a', 'b'), ['id']), write(nodes('b', 'a'), ['id', 'item']))).toEqual(['StoreKeys']);
    expect(found(write(nodes('a'), ['id']), write(nodes('b'), ['id', 'item']))).toEqual([]);
    const batched = new JdbcSink({ url: 'jdbc:postgresql://db/shop?tcpKeepAlive=true', tableName: 'totals' });
    expect(found(write(jdbc(), ['id']), write(batched, ['item']))).toEqual(['StoreKeys']);
  });

  test('tells what comes of it, by the kind of the store', () => {
    expect(messages(write(jdbc(), ['id']), write(jdbc(), ['item']))).toContain(
      'with the primary keys (item) and (id): the database table has one primary key, so one of them upserts and deletes by columns that are none; give both the primaryKey of the database table',
    );
    expect(messages(write(search(), ['id', 'item']), write(search('totals', '_'), ['id', 'item']))).toContain(
      'with the primary keys (id _ item) and (id | item): one row may be there twice',
    );
  });

  test('acknowledged is silent', () => {
    expect(found(write(jdbc(), ['id']), write(jdbc(), ['item']), ['cdk-flink-pipeline:StoreKeys'])).toEqual([]);
  });
});

describe('TopicKeys', () => {
  const write = (primaryKey: string[], keyFormat = Format.json(), topicName = 'totals') => {
    const program = new SqlProgram();
    program.addTable('events', { ...source(), columns: COLUMNS });
    const topic = KafkaTopic.fromTopicAttributes({ cluster: CLUSTER, topicName, partitions: 4 });
    const connector = new UpsertKafkaSink({ topic, keyFormat, valueFormat: Format.json() });
    program.addInsert(program.addTable('totals', { connector, columns: COLUMNS, primaryKey }), 'SELECT id, item, name FROM events');
    return program;
  };
  const errors = (...programs: SqlProgram[]) => synthesize(programs, { parallelism: 1 }).errors;

  test.each([
    ['another order', write(['item', 'id'])],
    ['another key', write(['id'])],
    ['another format', write(['id', 'item'], Format.csv())],
  ])('fires for %s', (_, other) => {
    expect(errors(write(['id', 'item']), other)).toEqual([
      expect.stringMatching(/table 'totals' of '.*' and table 'totals' of '.*' write topic 'totals' with different keys.*TopicKeys/),
    ]);
  });

  test('passes for one key, and for topics of their own', () => {
    expect(errors(write(['id', 'item']), write(['id', 'item']))).toEqual([]);
    expect(errors(write(['id', 'item']), write(['id'], Format.json(), 'others'))).toEqual([]);
    expect(errors(write(['id', 'item']), write(['id'], Format.json(), Token.asString({ Ref: 'Topic' })))).toEqual([]);
  });

  test.each([
    ['a text without a name', ['id'], ['item'], Format.raw()],
    ['values without names', ['id', 'item'], ['name', 'id'], Format.csv()],
    ['avro without its schema', ['id', 'item'], ['name', 'id'], Format.avro()],
  ])('passes for columns that are called otherwise where the key is %s', (_, left, right, format) => {
    expect(errors(write(left, format), write(right, format))).toEqual([]);
    expect(errors(write(left), write(right))).toHaveLength(1);
  });

  test.each([
    ['another number of values', ['id', 'item'], ['id']],
    ['the same columns in another order', ['id', 'item'], ['item', 'id']],
  ])('fires for %s, though they have no names', (_, left, right) => {
    expect(errors(write(left, Format.csv()), write(right, Format.csv()))).toHaveLength(1);
  });

  test('fires for two formats without names', () => {
    expect(errors(write(['id'], Format.raw()), write(['id'], Format.csv()))).toHaveLength(1);
  });

  test('fires for two writers of plain rows where the topic is compacted', () => {
    const rows = (fields: string[], cleanupPolicy?: CleanupPolicy) => {
      const program = new SqlProgram();
      program.addTable('events', { ...source(), columns: COLUMNS });
      const topic = KafkaTopic.fromTopicAttributes({ cluster: CLUSTER, topicName: 'totals', partitions: 4, cleanupPolicy });
      const connector = new KafkaSink({ topic, format: Format.json(), key: { format: Format.json(), fields } });
      program.addInsert(program.addTable('totals', { connector, columns: COLUMNS }), 'SELECT id, item, name FROM events');
      return program;
    };
    const { COMPACT, COMPACT_AND_DELETE, DELETE } = CleanupPolicy;
    expect(errors(rows(['id', 'item'], COMPACT), rows(['item', 'id'], COMPACT))).toHaveLength(1);
    expect(errors(rows(['id', 'item'], COMPACT_AND_DELETE), rows(['id']))).toHaveLength(1);
    expect(errors(rows(['id', 'item'], COMPACT), rows(['id', 'item'], COMPACT))).toEqual([]);
    expect(errors(rows(['id', 'item'], DELETE), rows(['item', 'id'], DELETE))).toEqual([]);
  });

  const custom = (identifier: string, options: { [option: string]: string }, primaryKey?: string[]) => {
    const program = new SqlProgram();
    program.addTable('events', { ...source(), columns: COLUMNS });
    const connector = new CustomConnector({
      identifier,
      role: TableRole.SINK,
      options: { topic: 'totals', 'properties.bootstrap.servers': 'b:9092', 'key.format': 'json', 'value.format': 'json', ...options },
      changes: primaryKey ? Changes.UPSERT : Changes.INSERT_ONLY,
    });
    program.addInsert(program.addTable('totals', { connector, columns: COLUMNS, primaryKey }), 'SELECT id, item, name FROM events');
    return program;
  };

  test('reads the key of a connector of your own', () => {
    const upserts = (primaryKey: string[], options = {}) => custom('upsert-kafka', options, primaryKey);
    const rows = (fields: string) => custom('kafka', { 'key.fields': fields });
    expect(errors(write(['id', 'item']), upserts(['item', 'id']))).toEqual([
      expect.stringContaining('(record key: item, id, key format: json; record key: id, item, key format: json)'),
    ]);
    expect(errors(write(['id', 'item']), upserts(['id', 'item']))).toEqual([]);
    expect(errors(write(['id', 'item']), rows('item;id'))).toHaveLength(1);
    expect(errors(write(['id', 'item']), rows('id;item'))).toEqual([]);
    expect(errors(upserts(['id']), rows('item'))).toHaveLength(1);
    const prefixed = { 'key.fields-prefix': 'i', 'value.fields-include': 'EXCEPT_KEY' };
    expect(errors(write(['id']), upserts(['id'], prefixed))).toEqual([
      expect.stringContaining('(record key: d, key format: json; record key: id, key format: json)'),
    ]);
  });

  test.each<[string, DataType, DataType, Format, number]>([
    ['a text and a number', DataType.STRING, DataType.BIGINT, Format.json(), 1],
    ['a boolean and a number', DataType.BOOLEAN, DataType.INT, Format.json(), 1],
    ['a text and a number in raw', DataType.STRING, DataType.BIGINT, Format.raw(), 1],
    ['a text and a number in csv', DataType.STRING, DataType.BIGINT, Format.csv(), 0],
    ['two numbers', DataType.INT, DataType.BIGINT, Format.json(), 0],
    ['a text and a time', DataType.STRING, DataType.timestamp(3), Format.json(), 0],
  ])('%s as the key', (_, left, right, keyFormat, count) => {
    const typed = (type: DataType) => {
      const program = new SqlProgram();
      const columns = [Column.physical('id', type), Column.physical('name', DataType.STRING)];
      program.addTable('events', { ...source(), columns });
      const topic = KafkaTopic.fromTopicAttributes({ cluster: CLUSTER, topicName: 'totals', partitions: 4 });
      const connector = new UpsertKafkaSink({ topic, keyFormat, valueFormat: Format.json() });
      program.addInsert(program.addTable('totals', { connector, columns, primaryKey: ['id'] }), 'SELECT id, name FROM events');
      return program;
    };
    const found = errors(typed(left), typed(right));
    expect(found).toHaveLength(count);
    expect(found.join()).toMatch(count === 0 ? /^$/ : /record key: id as a number, key format: .*; record key: id as a (text|boolean), /);
  });

  test('two forms of a time in JSON are two keys', () => {
    const timed = (timestampFormat?: TimestampFormat) => {
      const program = new SqlProgram();
      const columns = [Column.physical('id', DataType.timestamp(3))];
      program.addTable('events', { ...source(), columns });
      const topic = KafkaTopic.fromTopicAttributes({ cluster: CLUSTER, topicName: 'totals', partitions: 4 });
      const connector = new UpsertKafkaSink({ topic, keyFormat: Format.json({ timestampFormat }), valueFormat: Format.json() });
      program.addInsert(program.addTable('totals', { connector, columns, primaryKey: ['id'] }), 'SELECT id FROM events');
      return program;
    };
    expect(errors(timed(), timed(TimestampFormat.ISO_8601))).toHaveLength(1);
    expect(errors(timed(), timed(TimestampFormat.SQL))).toEqual([]);
  });

  test('a stage is an app of its own', () => {
    const app: App = newApp();
    const stacks = ['Test', 'Prod'].map((id) => new Stack(new Stage(app, id), 'Stack', { env: ENVIRONMENT }));
    job(stacks[0]!, { parallelism: 1, program: write(['id', 'item']) });
    job(stacks[1]!, { parallelism: 1, program: write(['id']) });
    expect(() => app.synth()).not.toThrow();
  });
});

describe('UpsertsReadAsRows', () => {
  const READ = Format.json({ malformedRecords: MalformedRecords.FAIL });
  const topicOf = (topicName: string) => KafkaTopic.fromTopicAttributes({ cluster: CLUSTER, topicName, partitions: 4 });
  const write = (topicName = 'totals') => {
    const program = new SqlProgram();
    program.addTable('events', { ...source(), columns: COLUMNS });
    const connector = new UpsertKafkaSink({ topic: topicOf(topicName), keyFormat: Format.json(), valueFormat: Format.json() });
    program.addInsert(program.addTable('totals', { connector, columns: COLUMNS, primaryKey: ['id'] }), 'SELECT * FROM events');
    return program;
  };
  const read = (format = READ, topicName = 'totals') =>
    reading(new KafkaSource({ topic: topicOf(topicName), format, start: KafkaStart.earliest() }));
  const found = (programs: Program[], acknowledged: string[] = []) =>
    synthesize(programs, { parallelism: 1 }, acknowledged).warnings.filter((name) => name === 'UpsertsReadAsRows');

  test('fires whichever job comes first', () => {
    expect(found([write(), read()])).toEqual(['UpsertsReadAsRows']);
    expect(found([read(), write()])).toEqual(['UpsertsReadAsRows']);
  });

  test('tells what a delete is, by the format of the reader', () => {
    const message = (format: Format) => {
      const lines = new SqlProgram();
      const connector = new KafkaSource({ topic: topicOf('totals'), format, start: KafkaStart.earliest() });
      const columns = [Column.physical('line', DataType.STRING)];
      lines.addTable('events', { connector, columns });
      lines.addInsert(lines.addTable('printed', { connector: new PrintSink(), columns }), 'SELECT line FROM events');
      return synthesize([write(), lines], { parallelism: 1 }).shown;
    };
    expect(message(READ)).toContain('each update is one more row, and a delete is passed over;');
    expect(message(Format.raw())).toContain(
      'each update is one more row, and a delete is one with NULL, at which a NOT NULL column fails the job;',
    );
  });

  test('fires once for each two tables, however many jobs there are', () => {
    expect(found([write(), read(), write('others')])).toEqual(['UpsertsReadAsRows']);
  });

  test('passes for a reader of upserts, for changes, and for another topic', () => {
    const latest = new SqlProgram();
    const connector = new UpsertKafkaSource({ topic: topicOf('totals'), keyFormat: READ, valueFormat: READ });
    const totals = latest.addTable('totals', { connector, columns: COLUMNS, primaryKey: ['id'] });
    latest.addInsert(latest.addTable('printed', { connector: new PrintSink(), columns: COLUMNS }), `SELECT * FROM ${totals}`);
    expect(found([write(), latest])).toEqual([]);
    expect(found([write(), read(Format.debeziumJson({ schemaInclude: false, malformedRecords: MalformedRecords.FAIL }))])).toEqual([]);
    expect(found([write(), read(READ, 'others')])).toEqual([]);
    expect(found([write(), read(READ, Token.asString({ Ref: 'Topic' }))])).toEqual([]);
  });

  test('passes for a JAR, which knows what it reads', () => {
    const jar = new JarProgram({ jarUri: 'local:///opt/flink/usrlib/jobs.jar', kafkaTopics: [topicOf('totals')], consumerGroup: 'mine' });
    expect(found([write(), jar])).toEqual([]);
  });

  test('acknowledged is silent', () => {
    expect(found([write(), read()], ['cdk-flink-pipeline:UpsertsReadAsRows'])).toEqual([]);
  });
});
