import { App, Duration, Stack, Token } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { EventStream, type IEventStream } from '../../lib/aws/event-stream';
import { Format, MalformedRecords } from '../../lib/connectors/format';
import { KinesisPartitioner, KinesisSink, type KinesisSinkProps } from '../../lib/connectors/kinesis-sink';
import { EnhancedFanOutLifecycle, KinesisSource, type KinesisSourceProps } from '../../lib/connectors/kinesis-source';
import { StartPosition } from '../../lib/connectors/start-position';
import { Column } from '../../lib/sql/column';
import { Changes, type ConnectorBinding, DeliveryGuarantee, TableRole } from '../../lib/sql/connector';
import { DataType } from '../../lib/sql/data-type';
import { SqlProgram } from '../../lib/sql/sql-program';
import type { SqlTableProps } from '../../lib/sql/sql-table';

const ARN = 'arn:aws-cn:kinesis:cn-north-1:123456789012:stream/user-events';
const STREAM = EventStream.external({ streamArn: ARN, shardCount: 12 });
const JAR = 'org.apache.flink:flink-sql-connector-aws-kinesis-streams';
const JSON_FORMAT = Format.json({ malformedRecords: MalformedRecords.FAIL });
const LINE = Column.physical('line', DataType.STRING);
const DEBEZIUM = Format.debeziumJson({ schemaInclude: false, malformedRecords: MalformedRecords.FAIL });

function source(props: Partial<KinesisSourceProps> = {}, table: Partial<SqlTableProps> = {}): ConnectorBinding {
  const connector = new KinesisSource({ stream: STREAM, start: StartPosition.latest(), format: Format.raw(), ...props });
  return new SqlProgram().addTable('events', { connector, columns: [LINE], ...table }).binding;
}

function sink(props: Partial<KinesisSinkProps> = {}, table: Partial<SqlTableProps> = {}): ConnectorBinding {
  const connector = new KinesisSink({ stream: STREAM, format: Format.json(), ...props });
  return new SqlProgram().addTable('out', { connector, columns: [LINE], ...table }).binding;
}

function policyActions(grant: (role: Role, stack: Stack, stream: EventStream) => void): Template {
  const stack = new Stack(new App(), 'Stack');
  const stream = new EventStream(stack, 'Events', { shardCount: 2 });
  grant(new Role(stack, 'Role', { assumedBy: new ServicePrincipal('ec2.amazonaws.com') }), stack, stream);
  return Template.fromStack(stack);
}

describe('kinesis source', () => {
  test('binding of the reference table', () => {
    const binding = source();
    expect(binding.identifier).toBe('kinesis');
    expect(binding.role).toBe(TableRole.SOURCE);
    expect(Object.entries(binding.options)).toEqual([
      ['stream.arn', ARN],
      ['aws.region', 'cn-north-1'],
      ['source.init.position', 'LATEST'],
      ['format', 'raw'],
    ]);
    expect(binding.source).toEqual({
      splits: { unit: 'shard', of: 'stream user-events', count: 12, countReason: 'stated as shardCount', unknownBecause: undefined },
      changes: Changes.INSERT_ONLY,
      repeatsEvents: false,
    });
    expect(binding.sink).toBeUndefined();
    expect(binding.artifacts?.map((artifact) => artifact.coordinate)).toEqual([JAR]);
    expect(binding.dependsOn).toEqual([]);
    expect(binding.contract).toEqual(['format: raw']);
  });

  test('start positions', () => {
    expect(source({ start: StartPosition.trimHorizon() }).options).toMatchObject({ 'source.init.position': 'TRIM_HORIZON' });
    expect(source({ start: StartPosition.atTimestamp(new Date('2026-01-31T13:00:00+01:00')) }).options).toMatchObject({
      'source.init.position': 'AT_TIMESTAMP',
      'source.init.timestamp': '2026-01-31T12:00:00.000Z',
    });
    expect(() => StartPosition.atTimestamp(new Date('yesterday'))).toThrow(/must be a valid date/);
  });

  test('enhanced fan-out', () => {
    expect(
      source({ enhancedFanOut: { consumerName: 'app-events', lifecycle: EnhancedFanOutLifecycle.SELF_MANAGED } }).options,
    ).toMatchObject({
      'source.reader.type': 'EFO',
      'source.efo.consumer.name': 'app-events',
      'source.efo.lifecycle': 'SELF_MANAGED',
    });
    expect(source({ enhancedFanOut: { consumerName: Token.asString({ Ref: 'Name' }) } }).options).not.toHaveProperty([
      'source.efo.lifecycle',
    ]);
    for (const consumerName of ['', 'a b', 'x'.repeat(129)]) {
      expect(() => source({ enhancedFanOut: { consumerName } })).toThrow(/consumerName of enhanced fan-out must be 1 to 128/);
    }
    expect(() => source({ enhancedFanOut: { consumerName: 'x'.repeat(128) } })).not.toThrow();
  });

  test('shard discovery', () => {
    expect(source({ shardDiscoveryInterval: Duration.minutes(1) }).options).toMatchObject({ 'source.shard.discovery.interval': '1 min' });
    expect(() => source({ shardDiscoveryInterval: Duration.millis(999) })).toThrow(/must be 1 second at least, got 999 millis/);
    expect(() => source({ shardDiscoveryInterval: Duration.seconds(Token.asNumber({ Ref: 'N' })) })).not.toThrow();
  });

  test('changelog formats', () => {
    const binding = source({ format: DEBEZIUM }, { primaryKey: ['line'] });
    expect(binding.source).toMatchObject({ changes: Changes.ALL, repeatsEvents: true });
  });

  test('tells how long records can be read', () => {
    const stream = EventStream.external({ streamArn: ARN, shardCount: 12, retentionPeriod: Duration.hours(48) });
    expect(source({ stream }).source!.retentionPeriod!.toHours()).toBe(48);
    expect(source().source!.retentionPeriod).toBeUndefined();
  });

  test('an unknown shard count says why', () => {
    const stack = new Stack(new App(), 'Stack');
    const stream = new EventStream(stack, 'Events', { onDemand: true });
    const binding = source({ stream });
    expect(binding.source?.splits).toEqual({
      unit: 'shard',
      of: 'the stream of table events',
      count: undefined,
      unknownBecause: stream.shardCountUnknownBecause,
    });
    expect(binding.source?.splits?.unknownBecause).toBeTruthy();
    expect(binding.dependsOn).toEqual([stream.dependable]);
    expect(Token.isUnresolved(binding.options['stream.arn'])).toBe(true);
  });

  test('metadata columns are refused', () => {
    const metadata = Column.metadata('arrived', DataType.timestampLtz(3), { from: 'timestamp', virtual: true });
    expect(() => source({}, { columns: [LINE, metadata] })).toThrow(
      /table 'events' must not have the metadata column 'arrived'.*FLINK-36671/,
    );
    expect(() => source({}, { columns: [LINE, Column.computed('p', 'PROCTIME()')] })).not.toThrow();
  });

  test('malformed records must be spoken of', () => {
    expect(() => source({ format: Format.json() })).toThrow(/malformedRecords/);
    expect(() => source({ format: JSON_FORMAT })).not.toThrow();
  });

  test('raw options', () => {
    expect(source({ options: { 'source.shard.get-records.max-record-count': '500' } }).options).toMatchObject({
      'source.shard.get-records.max-record-count': '500',
    });
    for (const [option, value] of [
      ['scan.stream.initpos', 'LATEST'],
      ['source.init.position', 'LATEST'],
      ['source.reader.type', 'EFO'],
      ['scan.parallelism', '2'],
    ] as const) {
      expect(() => source({ options: { [option]: value } })).toThrow(option);
    }
  });

  test('access is to read, by fan-out only where it is asked for', () => {
    const grant = (props: Partial<KinesisSourceProps>) =>
      policyActions((role, _, stream) => {
        for (const access of source({ ...props, stream }).access ?? []) {
          access.grantTo(role, {});
        }
      });
    const polling = JSON.stringify(grant({}).findResources('AWS::IAM::Policy'));
    expect(polling).toContain('kinesis:GetRecords');
    expect(polling).not.toContain('SubscribeToShard');
    const fanOut = JSON.stringify(grant({ enhancedFanOut: { consumerName: 'c' } }).findResources('AWS::IAM::Policy'));
    expect(fanOut).toContain('kinesis:SubscribeToShard');
    expect(fanOut).not.toContain('kinesis:GetRecords');
    expect(fanOut).not.toContain('kinesis:PutRecords');
    expect(polling).not.toContain('RegisterStreamConsumer');
    for (const lifecycle of [undefined, EnhancedFanOutLifecycle.JOB_MANAGED]) {
      const managed = JSON.stringify(grant({ enhancedFanOut: { consumerName: 'c', lifecycle } }).findResources('AWS::IAM::Policy'));
      expect(managed).toMatch(/DeregisterStreamConsumer.*RegisterStreamConsumer/);
    }
    const selfManaged = JSON.stringify(
      grant({ enhancedFanOut: { consumerName: 'c', lifecycle: EnhancedFanOutLifecycle.SELF_MANAGED } }).findResources('AWS::IAM::Policy'),
    );
    expect(selfManaged).toContain('kinesis:SubscribeToShard');
    expect(selfManaged).not.toContain('egisterStreamConsumer');
  });
});

describe('kinesis sink', () => {
  test('binding', () => {
    const binding = sink({}, { columns: [LINE, Column.physical('user_id', DataType.STRING)], partitionedBy: ['user_id'] });
    expect(binding.identifier).toBe('kinesis');
    expect(binding.role).toBe(TableRole.SINK);
    expect(Object.entries(binding.options)).toEqual([
      ['stream.arn', ARN],
      ['aws.region', 'cn-north-1'],
      ['format', 'json'],
    ]);
    expect(binding.sink).toEqual({ changes: Changes.INSERT_ONLY, guarantee: DeliveryGuarantee.AT_LEAST_ONCE });
    expect(binding.source).toBeUndefined();
    expect(binding.artifacts?.map((artifact) => artifact.coordinate)).toEqual([JAR]);
    expect(binding.contract).toEqual(['format: json, SQL timestamps', 'partition key: user_id', 'delivery: at least once']);
  });

  test('typed options', () => {
    expect(sink({ partitioner: KinesisPartitioner.FIXED, failOnError: false }).options).toEqual({
      'stream.arn': ARN,
      'aws.region': 'cn-north-1',
      'sink.partitioner': 'fixed',
      'sink.fail-on-error': 'false',
      format: 'json',
    });
  });

  test('a partitioner and partitionedBy exclude each other', () => {
    expect(() => sink({ partitioner: KinesisPartitioner.RANDOM }, { partitionedBy: ['line'] })).toThrow(
      "table 'out' must have either partitionedBy or a partitioner, got partitionedBy line and 'random'",
    );
    expect(() => sink({ options: { 'sink.partitioner': 'com.example.Mine' } }, { partitionedBy: ['line'] })).toThrow(/com\.example\.Mine/);
    expect(() => sink({ options: { 'sink.partitioner': 'com.example.Mine' } })).not.toThrow();
    expect(() => sink({ partitioner: KinesisPartitioner.RANDOM })).not.toThrow();
  });

  test('a primary key is refused unless the format holds changes', () => {
    expect(() => sink({}, { primaryKey: ['line'] })).toThrow(/table 'out' must not have a primary key, got line: the sink only appends/);
    const changes = sink({ format: Format.debeziumJson({ schemaInclude: false }) }, { primaryKey: ['line'] });
    expect(changes.sink?.changes).toBe(Changes.ALL);
  });

  test('what it cannot write is refused', () => {
    expect(() => sink({ format: Format.parquet() })).toThrow(/makes files/);
    expect(() => sink({ format: Format.avroConfluent({ url: 'http://r' }) })).toThrow(/must name the subject/);
    expect(() => sink({ format: Format.avroConfluent({ url: 'http://r', subject: 's' }) })).not.toThrow();
    expect(() => sink({}, { columns: [LINE, Column.metadata('timestamp', DataType.timestampLtz(3))] })).toThrow(
      /metadata column 'timestamp'/,
    );
    for (const [option, value] of [
      ['sink.parallelism', '4'],
      ['sink.batch.max-size', '501'],
      ['sink.typo.option', '1'],
      ['stream.arn', 'x'],
    ] as const) {
      expect(() => sink({ options: { [option]: value } })).toThrow(option);
    }
    expect(sink({ options: { 'sink.batch.max-size': '500' } }).options).toMatchObject({ 'sink.batch.max-size': '500' });
  });

  test('access is to write', () => {
    const template = policyActions((role, _, stream) => {
      const binding = sink({ stream: stream as IEventStream });
      expect(binding.dependsOn).toEqual([stream.dependable]);
      for (const access of binding.access ?? []) {
        access.grantTo(role, {});
      }
    });
    template.hasResourceProperties('AWS::IAM::Policy', {
      PolicyDocument: { Statement: [Match.objectLike({ Action: 'kinesis:PutRecords', Effect: 'Allow' })] },
    });
  });
});

test.each([new Date(8.64e15), new Date(-1), new Date('x'), '2020' as unknown as Date])('a start at %s is refused', (timestamp) => {
  expect(() => StartPosition.atTimestamp(timestamp)).toThrow('must be a valid date between 1970 and 9999');
});
