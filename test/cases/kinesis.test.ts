import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { DeliveryStream, KinesisStreamSource, S3Bucket } from 'aws-cdk-lib/aws-kinesisfirehose';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Code, Function as LambdaFunction, Runtime, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { KinesisEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import {
  Artifact,
  Column,
  DataType,
  type EnhancedFanOut,
  EventStream,
  FlinkImage,
  Format,
  KinesisPartitioner,
  KinesisSink,
  type KinesisSinkProps,
  KinesisSource,
  type KinesisSourceProps,
  MalformedRecords,
  PrintSink,
  SqlProgram,
  StartPosition,
} from '../../lib';
import { imageSpec } from '../../lib/application/pipeline-image';
import { newApp } from '../fixtures/assembly';
import { application, sink as plainSink, stream as plainStream, programOf } from '../fixtures/programs';
import { ENVIRONMENT, job, newStack, printed, statements } from '../fixtures/stacks';
import { bind, COLUMNS, into, mirrored, refused, shownAfter, TOKEN, TOP, warned } from './findings';

const STREAM = EventStream.external({ streamArn: 'arn:aws:kinesis:eu-central-1:111122223333:stream/clicks', shardCount: 4 });
const JSON_FORMAT = Format.json({ malformedRecords: MalformedRecords.FAIL });

function source(changed: Partial<KinesisSourceProps> = {}): KinesisSource {
  return new KinesisSource({ stream: STREAM, start: StartPosition.trimHorizon(), format: JSON_FORMAT, ...changed });
}

function sink(changed: Partial<KinesisSinkProps> = {}): KinesisSink {
  return new KinesisSink({ stream: STREAM, format: Format.json(), ...changed });
}

/** A job that reads a stream. */
function reading(changed: Partial<KinesisSourceProps> = {}): SqlProgram {
  const program = new SqlProgram();
  const events = program.addTable('events', { connector: source(changed), columns: COLUMNS });
  program.addInsert(program.addTable('out', { connector: new PrintSink(), columns: COLUMNS }), `SELECT * FROM ${events}`);
  return program;
}

function image(...artifacts: Artifact[]): () => unknown {
  const program = programOf({ events: plainStream('clicks', 4), out: plainSink({}, {}, { artifacts }) });
  return () => {
    const created = application({ image: FlinkImage.generated(), program });
    return imageSpec(created.image, created._imageNeeds());
  };
}

describe('KS-01 options of the former connector', () => {
  test('the stream gives those of the present one', () => {
    expect(bind(source()).options).toMatchObject({
      'stream.arn': 'arn:aws:kinesis:eu-central-1:111122223333:stream/clicks',
      'aws.region': 'eu-central-1',
      'source.init.position': 'TRIM_HORIZON',
    });
  });

  test.each([
    ['stream', 'stream.arn'],
    ['scan.stream.initpos', 'source.init.position'],
    ['scan.stream.recordpublisher', 'source.reader.type'],
    ['scan.stream.efo.consumername', 'source.efo.consumer.name'],
  ])('%s is refused, with the name of today', (option, today) => {
    expect(() => bind(source({ options: { [option]: 'x' } }))).toThrow(today);
  });

  test('an option of today passes, a token too', () => {
    expect(() => bind(source({ options: { 'source.reader.empty-records-fetch-interval': TOKEN } }))).not.toThrow();
  });
});

describe('KS-02 both connectors in one image', () => {
  const released = Artifact.released('org.apache.flink:flink-sql-connector-aws-kinesis-streams');

  test('are refused, by coordinate and by file; one passes', () => {
    expect(image(released, Artifact.file('jars/flink-sql-connector-kinesis-5.0.0.jar'))).toThrow(/an image cannot hold both .*kinesis/);
    expect(image(Artifact.maven('org.apache.flink:flink-sql-connector-kinesis:5.1.0-1.20'))).toThrow(/Flink 1/);
    expect(image(released)).not.toThrow();
  });
});

describe('KS-03 metadata columns of the source', () => {
  test('are refused; a field of the record passes', () => {
    const columns = [...COLUMNS, Column.metadata('arrived', DataType.timestampLtz(3), { from: 'timestamp', virtual: true })];
    expect(() => bind(source(), { columns })).toThrow(/FLINK-36671.*put the value into the record/);
    expect(() => bind(source(), { columns: [...COLUMNS, Column.physical('arrived', DataType.timestampLtz(3))] })).not.toThrow();
  });
});

describe('KS-04 the start position', () => {
  test('must be given', () => {
    expect(() => source({ start: undefined })).toThrow('start');
    expect(bind(source({ start: StartPosition.latest() })).options['source.init.position']).toBe('LATEST');
  });

  test('at a time has the time', () => {
    expect(bind(source({ start: StartPosition.atTimestamp(new Date('2026-01-31T00:00:00Z')) })).options).toMatchObject({
      'source.init.position': 'AT_TIMESTAMP',
      'source.init.timestamp': expect.stringContaining('2026-01-31T00:00:00'),
    });
    expect(() => StartPosition.atTimestamp(new Date('yesterday'))).toThrow('must be a valid date');
  });
});

describe('KS-06 a connector that skips child shards', () => {
  const version = (text: string) => Artifact.maven(`org.apache.flink:flink-sql-connector-aws-kinesis-streams:${text}`);

  test('is refused by its version', () => {
    expect(image(version('5.0.0-1.20'))).toThrow(/Flink 1\.20/);
    expect(image(version('5.1.0'))).toThrow('skips records of child shards after a reshard (FLINK-37627); give 6.0.0 or later');
    expect(image(version('6.0.0-2.0'))).not.toThrow();
  });
});

describe('KS-07 a third consumer that polls', () => {
  const three = (enhancedFanOut?: EnhancedFanOut) => {
    const program = reading();
    for (const [name, fanOut] of [
      ['second', undefined],
      ['third', enhancedFanOut],
    ] as const) {
      const table = program.addTable(name, { connector: source({ enhancedFanOut: fanOut }), columns: COLUMNS });
      program.addInsert(program._tables()[1]!, `SELECT * FROM ${table}`);
    }
    return program;
  };

  test('an idle reader keeps the pause between two reads that the connector has', () => {
    expect(bind(source()).options).not.toHaveProperty('source.reader.empty-records-fetch-interval');
  });

  test('is one of Flink, a function and a delivery stream of the app: warned of at the job, silent once acknowledged', () => {
    const shown = (acknowledged: string[] = [], readers = 2) => {
      const error = jest.spyOn(console, 'error').mockImplementation(() => {});
      const app = newApp();
      const stack = newStack({ env: ENVIRONMENT }, app);
      const { stream } = new EventStream(stack, 'Clicks', { shardCount: 1 });
      const created = job(stack, { program: printed(EventStream.fromStream(stream)) });
      for (const id of acknowledged) {
        Validations.of(created).acknowledge({ id, reason: 'it is idle most of the day' });
      }
      const count = new LambdaFunction(stack, 'Count', {
        runtime: Runtime.NODEJS_22_X,
        handler: 'index.count',
        code: Code.fromInline('//'),
      });
      count.addEventSource(new KinesisEventSource(stream, { startingPosition: StartingPosition.LATEST }));
      if (readers > 1) {
        const destination = new S3Bucket(new Bucket(stack, 'Archive'));
        new DeliveryStream(stack, 'Delivery', { source: new KinesisStreamSource(stream), destination });
      }
      app.synth();
      const text = error.mock.calls.flat().join('\n');
      error.mockRestore();
      return [...text.matchAll(/Acknowledge with 'Annotation::cdk-flink-pipeline:(\w+)'/g)].map(([, name]) => name);
    };
    expect(shown()).toEqual(['PollingConsumers']);
    expect(shown([], 1)).toEqual([]);
    expect(shown(['cdk-flink-pipeline:PollingConsumers'])).toEqual([]);
  });

  test('may be the third Flink source; one that fans out is not; acknowledged it is silent', () => {
    expect(new Set(shownAfter('Another', three()))).toEqual(new Set(['PollingConsumers']));
    expect(shownAfter('Another', three({ consumerName: 'third' }))).toEqual([]);
    expect(shownAfter('PollingConsumers', three())).toEqual([]);
  });
});

describe('KS-08 the consumer of enhanced fan-out', () => {
  test('has a name', () => {
    expect(() => source({ enhancedFanOut: { consumerName: '' } })).toThrow('consumerName of enhanced fan-out must be 1 to 128');
    expect(() => bind(source({ options: { 'source.reader.type': 'EFO' } }))).toThrow("'source.reader.type' is written by the library");
    expect(bind(source({ enhancedFanOut: { consumerName: TOKEN } })).options).toMatchObject({
      'source.reader.type': 'EFO',
      'source.efo.consumer.name': TOKEN,
    });
  });

  test('belongs to one table of one job', () => {
    const stack = newStack();
    job(stack, { program: reading({ enhancedFanOut: { consumerName: 'flink' } }) });
    const other = new Stack(stack.node.root as never, 'Other', { env: { account: '111122223333', region: 'eu-central-1' } });
    expect(() => job(other, { jobName: 'other', program: reading({ enhancedFanOut: { consumerName: 'flink' } }) })).toThrow(
      /read stream '.*' as consumer 'flink', which holds one subscription for each shard/,
    );
    const third = new Stack(stack.node.root as never, 'Third', { env: { account: '111122223333', region: 'eu-central-1' } });
    expect(() => job(third, { jobName: 'third', program: reading({ enhancedFanOut: { consumerName: 'third' } }) })).not.toThrow();
  });
});

/** Actions on Kinesis and KMS that a job is granted. */
function actions(changed: Partial<KinesisSourceProps>, stack: Stack = newStack()): string[] {
  job(stack, { program: reading(changed) });
  return statements(stack)
    .flatMap(({ Action }) => Action)
    .filter((action) => /^(kinesis|kms):/.test(action))
    .sort();
}

describe('KS-09 permissions of enhanced fan-out', () => {
  test('are on the consumers of the stream', () => {
    const stack = newStack();
    expect(actions({ enhancedFanOut: { consumerName: 'flink' } }, stack)).toEqual(
      expect.arrayContaining([
        'kinesis:DeregisterStreamConsumer',
        'kinesis:DescribeStreamConsumer',
        'kinesis:RegisterStreamConsumer',
        'kinesis:SubscribeToShard',
      ]),
    );
    const subscribing = statements(stack).find(({ Action }) => [Action].flat().includes('kinesis:SubscribeToShard'))!;
    expect(JSON.stringify(subscribing.Resource)).toContain('stream/clicks/consumer/*');
  });

  test('are not given to a reader that polls', () => {
    expect(actions({}).filter((action) => /Consumer|Subscribe/.test(action))).toEqual([]);
  });
});

describe('KS-10 malformed records', () => {
  test('must be spoken of', () => {
    expect(() => bind(source({ format: Format.json() }))).toThrow(/malformedRecords/);
    const { options } = bind(source({ format: Format.json({ malformedRecords: MalformedRecords.SKIP }) }));
    expect(options['json.ignore-parse-errors']).toBe('true');
    expect(bind(source()).options['json.ignore-parse-errors']).not.toBe('true');
  });

  test('are not skipped and refused for a missing field at once', () => {
    const both = { format: Format.json({ malformedRecords: MalformedRecords.SKIP }), options: { 'json.fail-on-missing-field': 'true' } };
    expect(() => bind(source(both))).toThrow('json.fail-on-missing-field');
  });
});

describe('KS-12 an aggregate into the sink', () => {
  test('is refused; changes in the records pass', () => {
    const counts = 'SELECT id, COUNT(*) FROM events GROUP BY id';
    const changes = sink({ format: Format.debeziumJson({ schemaInclude: false }) });
    for (const program of [into(sink(), {}, counts), into(sink(), {}, TOP), mirrored(sink())]) {
      expect(refused(program)).toEqual([expect.stringContaining('the kinesis table only appends')]);
    }
    for (const program of [into(changes, {}, counts), into(changes, {}, TOP), mirrored(changes)]) {
      expect(refused(program)).toEqual([]);
    }
    expect(refused(into(sink()))).toEqual([]);
  });
});

describe('KS-13 a partitioner beside PARTITIONED BY', () => {
  test('is refused; one of them passes', () => {
    const partitionedBy = ['id'];
    expect(() => bind(sink({ partitioner: KinesisPartitioner.RANDOM }), { partitionedBy })).toThrow(
      "table 'out' must have either partitionedBy or a partitioner",
    );
    expect(() => bind(sink(), { partitionedBy })).not.toThrow();
    expect(() => bind(sink({ partitioner: KinesisPartitioner.RANDOM }))).not.toThrow();
    expect(() => bind(sink({ options: { 'sink.partitioner': TOKEN } }))).not.toThrow();
  });
});

describe('KS-14 shards of an on-demand stream', () => {
  test('are refused, and never in the template', () => {
    const stack = newStack();
    expect(() => new EventStream(stack, 'Both', { onDemand: true, shardCount: 4 })).toThrow(/shardCount/);
    new EventStream(stack, 'Clicks', { onDemand: true });
    Template.fromStack(stack).hasResourceProperties('AWS::Kinesis::Stream', {
      StreamModeDetails: { StreamMode: 'ON_DEMAND' },
      ShardCount: Match.absent(),
    });
    expect(() => new EventStream(newStack(), 'Four', { shardCount: 4 })).not.toThrow();
  });
});

describe('KS-17 a stream with a customer-managed key', () => {
  test('grants the use of the key', () => {
    const stack = newStack();
    const encryptionKey = Key.fromKeyArn(stack, 'Key', 'arn:aws:kms:eu-central-1:111122223333:key/k');
    const stream = new EventStream(stack, 'Clicks', { shardCount: 4, encryptionKey, retentionPeriod: Duration.hours(24) });
    expect(actions({ stream }, stack)).toContain('kms:Decrypt');
    expect(actions({})).not.toContain('kms:Decrypt');
  });

  test('grants it for an imported stream, too, where the key is told', () => {
    const stack = newStack();
    const encryptionKey = Key.fromKeyArn(stack, 'Key', 'arn:aws:kms:eu-central-1:111122223333:key/k');
    const streamArn = 'arn:aws:kinesis:eu-central-1:111122223333:stream/clicks';
    const stream = EventStream.fromStreamAttributes(stack, 'Clicks', { streamArn, shardCount: 4, encryptionKey });
    expect(actions({ stream }, stack)).toContain('kms:Decrypt');
  });

  test('grants the writer to make data keys', () => {
    const stack = newStack();
    const encryptionKey = Key.fromKeyArn(stack, 'Key', 'arn:aws:kms:eu-central-1:111122223333:key/k');
    const stream = new EventStream(stack, 'Out', { shardCount: 4, encryptionKey });
    job(stack, { program: into(sink({ stream })) });
    expect(statements(stack).flatMap(({ Action }) => Action)).toContain('kms:GenerateDataKey');
  });
});

test('a job on Kinesis as it should be has no warning', () => {
  expect(warned(reading())).toEqual([]);
});
