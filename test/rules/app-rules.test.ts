import { type App, Stack, Stage, Token, Validations } from 'aws-cdk-lib';
import {
  Column,
  DataType,
  type EnhancedFanOut,
  EventStream,
  type FlinkJobProps,
  Format,
  type IConnector,
  KafkaCluster,
  KafkaSource,
  KafkaStart,
  KafkaTopic,
  KinesisSource,
  MalformedRecords,
  PrintSink,
  SqlProgram,
  StartPosition,
  UpsertKafkaSink,
} from '../../lib';
import { newApp } from '../fixtures/assembly';
import { source } from '../fixtures/programs';
import { ENVIRONMENT, externalStream, job, newStack } from '../fixtures/stacks';

const COLUMNS = [Column.physical('id', DataType.STRING), Column.physical('item', DataType.STRING)];
const CLUSTER = KafkaCluster.selfManaged({ bootstrapServers: ['b:9092'] });

/** A job for each program, in an app of their own; warnings and errors as the toolkit shows them. */
function synthesize(
  programs: SqlProgram[],
  changed: Partial<FlinkJobProps> = {},
  acknowledged: string[] = [],
): { warnings: string[]; errors: string[] } {
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
  return { warnings: [...shown.matchAll(/Acknowledge with 'Annotation::cdk-flink-pipeline:(\w+)'/g)].map(([, name]) => name!), errors };
}

function reading(connector: IConnector): SqlProgram {
  const program = new SqlProgram();
  const events = program.addTable('events', { connector, columns: COLUMNS });
  program.addInsert(program.addTable('printed', { connector: new PrintSink(), columns: COLUMNS }), `SELECT id, item FROM ${events}`);
  return program;
}

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

  test('acknowledged is silent', () => {
    expect(synthesize([poll(), poll(), poll()], {}, ['cdk-flink-pipeline:PollingConsumers']).warnings).toEqual([]);
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

  test('passes for groups that the library makes, and for other topics', () => {
    expect(synthesize([read(), read()]).warnings).toEqual([]);
    expect(synthesize([read('mine'), read('mine', 'items')]).warnings).toEqual([]);
  });

  test('acknowledged is silent', () => {
    expect(synthesize([read('mine'), read('mine')], {}, ['cdk-flink-pipeline:SharedConsumerGroup']).warnings).toEqual([]);
  });
});

describe('TopicKeys', () => {
  const write = (primaryKey: string[], keyFormat = Format.json(), topicName = 'totals') => {
    const program = new SqlProgram();
    program.addTable('events', { ...source(), columns: COLUMNS });
    const topic = KafkaTopic.fromTopicAttributes({ cluster: CLUSTER, topicName, partitions: 4 });
    const connector = new UpsertKafkaSink({ topic, keyFormat, valueFormat: Format.json() });
    program.addInsert(program.addTable('totals', { connector, columns: COLUMNS, primaryKey }), 'SELECT id, item FROM events');
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

  test('a stage is an app of its own', () => {
    const app: App = newApp();
    const stacks = ['Test', 'Prod'].map((id) => new Stack(new Stage(app, id), 'Stack', { env: ENVIRONMENT }));
    job(stacks[0]!, { parallelism: 1, program: write(['id', 'item']) });
    job(stacks[1]!, { parallelism: 1, program: write(['id']) });
    expect(() => app.synth()).not.toThrow();
  });
});
