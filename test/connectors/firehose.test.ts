import { App, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { ArchiveDeliveryStream } from '../../lib/aws/archive-delivery-stream';
import { FirehoseSink, type FirehoseSinkProps } from '../../lib/connectors/firehose-sink';
import { Format } from '../../lib/connectors/format';
import { Column } from '../../lib/sql/column';
import { Changes, type ConnectorBinding, DeliveryGuarantee, TableRole } from '../../lib/sql/connector';
import { DataType } from '../../lib/sql/data-type';
import { SqlProgram } from '../../lib/sql/sql-program';
import type { SqlTableProps } from '../../lib/sql/sql-table';

const ARCHIVE = ArchiveDeliveryStream.external({
  deliveryStreamArn: 'arn:aws-cn:firehose:cn-north-1:123456789012:deliverystream/raw-logs-archive',
});
const LINE = Column.physical('line', DataType.STRING);

function sink(props: Partial<FirehoseSinkProps> = {}, table: Partial<SqlTableProps> = {}): ConnectorBinding {
  const connector = new FirehoseSink({ deliveryStream: ARCHIVE, format: Format.raw(), ...props });
  return new SqlProgram().addTable('archive', { connector, columns: [LINE], ...table }).binding;
}

test('binding of the reference table', () => {
  const binding = sink();
  expect(binding.identifier).toBe('firehose');
  expect(binding.role).toBe(TableRole.SINK);
  expect(Object.entries(binding.options)).toEqual([
    ['delivery-stream', 'raw-logs-archive'],
    ['aws.region', 'cn-north-1'],
    ['format', 'raw'],
  ]);
  expect(binding.sink).toEqual({ changes: Changes.INSERT_ONLY, guarantee: DeliveryGuarantee.AT_LEAST_ONCE });
  expect(binding.artifacts?.map((artifact) => artifact.coordinate)).toEqual(['org.apache.flink:flink-sql-connector-aws-kinesis-firehose']);
  expect(binding.dependsOn).toEqual([]);
  expect(binding.contract).toEqual(['format: raw', 'delivery: at least once, in no order']);
});

test('typed and raw options', () => {
  expect(sink({ failOnError: true, options: { 'sink.batch.max-size': '500' } }).options).toEqual({
    'delivery-stream': 'raw-logs-archive',
    'aws.region': 'cn-north-1',
    'sink.fail-on-error': 'true',
    format: 'raw',
    'sink.batch.max-size': '500',
  });
  for (const [option, value] of [
    ['sink.parallelism', '2'],
    ['sink.batch.max-size', '501'],
    ['delivery-stream', 'x'],
    ['sink.flush-buffer.timeout', '5s'],
  ] as const) {
    expect(() => sink({ options: { [option]: value } })).toThrow(option);
  }
});

test('keys and partitions are refused', () => {
  expect(() => sink({}, { primaryKey: ['line'] })).toThrow(/must not have a primary key/);
  expect(() => sink({}, { partitionedBy: ['line'] })).toThrow(/table 'archive' must not be partitioned, got partitionedBy line/);
  expect(sink({ format: Format.debeziumJson({ schemaInclude: false }) }, { primaryKey: ['line'] }).sink?.changes).toBe(Changes.ALL);
});

test('what it cannot write is refused', () => {
  expect(() => sink({ format: Format.parquet() })).toThrow(/makes files/);
  expect(() => sink({ format: Format.avroConfluent({ url: 'http://r' }) })).toThrow(/must name the subject/);
  expect(() => sink({}, { columns: [LINE, Column.metadata('m', DataType.STRING)] })).toThrow(/metadata column 'm'/);
  expect(() => sink({}, { columns: [LINE, Column.physical('b', DataType.INT)] })).toThrow(/one physical column/);
  expect(() => sink({ format: Format.json() }, { columns: [LINE, Column.physical('b', DataType.INT)] })).not.toThrow();
});

test('access is to put, and the job waits for the delivery stream', () => {
  const stack = new Stack(new App(), 'Stack');
  const deliveryStream = new ArchiveDeliveryStream(stack, 'Archive');
  const binding = sink({ deliveryStream });
  expect(binding.dependsOn).toEqual([deliveryStream.dependable]);
  const role = new Role(stack, 'Role', { assumedBy: new ServicePrincipal('ec2.amazonaws.com') });
  for (const access of binding.access ?? []) {
    access.grantTo(role, {});
  }
  Template.fromStack(stack).hasResourceProperties('AWS::IAM::Policy', {
    Roles: [stack.resolve(role.roleName)],
    PolicyDocument: {
      Statement: [Match.objectLike({ Action: 'firehose:PutRecordBatch', Resource: stack.resolve(deliveryStream.deliveryStreamArn) })],
    },
  });
});
