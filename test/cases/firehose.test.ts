import { Duration, Lazy, Size, Validations } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { ArchiveDeliveryStream, type ArchiveDeliveryStreamProps, FirehoseSink, type FirehoseSinkProps, Format } from '../../lib';
import { newApp } from '../fixtures/assembly';
import type { Json } from '../fixtures/json';
import { ENVIRONMENT, newStack } from '../fixtures/stacks';
import { AGGREGATE, bind, COLUMNS, into, mirrored, refused, shownAfter, warned } from './findings';

const ARCHIVE = ArchiveDeliveryStream.external({
  deliveryStreamArn: 'arn:aws:firehose:eu-central-1:111122223333:deliverystream/archive',
});

function sink(changed: Partial<FirehoseSinkProps> = {}): FirehoseSink {
  return new FirehoseSink({ deliveryStream: ARCHIVE, format: Format.json(), ...changed });
}

/** Properties of a delivery stream, and what it says in the template. */
function delivery(props: ArchiveDeliveryStreamProps = {}): Json {
  const stack = newStack();
  new ArchiveDeliveryStream(stack, 'Archive', props);
  return Object.values(Template.fromStack(stack).findResources('AWS::KinesisFirehose::DeliveryStream'))[0]!.Properties;
}

const destination = (props: ArchiveDeliveryStreamProps = {}): Json => delivery(props).ExtendedS3DestinationConfiguration;

describe('FH-01 records glued together', () => {
  test('a newline is put after each, once', () => {
    expect(destination().ProcessingConfiguration.Processors).toEqual([
      { Type: 'AppendDelimiterToRecord', Parameters: [{ ParameterName: 'Delimiter', ParameterValue: '\\n' }] },
    ]);
  });
});

describe('FH-02, FH-04, FH-05 format conversion and dynamic partitioning', () => {
  test('are not offered: an archive keeps lines as they came', () => {
    expect(Object.keys(destination()).sort()).toEqual([
      'BucketARN',
      'BufferingHints',
      'CloudWatchLoggingOptions',
      'CompressionFormat',
      'ErrorOutputPrefix',
      'ProcessingConfiguration',
      'RoleARN',
    ]);
  });

  test.each(['tenant=!{partitionKeyFromQuery:tenant}/', '!{partitionKeyFromLambda:tenant}/'])('the prefix %s is refused', (prefix) => {
    expect(() => destination({ prefix })).toThrow('must not use partition keys because the delivery stream does not partition dynamically');
  });

  test('a prefix by time passes, with a prefix for what failed', () => {
    expect(destination({ prefix: 'raw/!{timestamp:yyyy/MM/dd}/' }).ErrorOutputPrefix).toContain('!{firehose:error-output-type}');
  });
});

describe('FH-03 buffering hints', () => {
  test('stand under the names that CloudFormation reads', () => {
    expect(destination({ bufferingInterval: Duration.seconds(300), bufferingSize: Size.mebibytes(128) }).BufferingHints).toEqual({
      IntervalInSeconds: 300,
      SizeInMBs: 128,
    });
  });
});

describe('FH-06 small objects', () => {
  const warnings = (props: ArchiveDeliveryStreamProps, acknowledged = false) => {
    const error = jest.spyOn(console, 'error').mockImplementation(() => {});
    const app = newApp();
    const archive = new ArchiveDeliveryStream(newStack({ env: ENVIRONMENT }, app), 'Archive', props);
    if (acknowledged) {
      Validations.of(archive).acknowledge({ id: 'cdk-flink-pipeline:SmallObjects', reason: 'meant' });
    }
    app.synth();
    const shown = error.mock.calls.flat().join('\n');
    error.mockRestore();
    return [...shown.matchAll(/Acknowledge with 'Annotation::cdk-flink-pipeline:(\w+)'/g)].map(([, name]) => name);
  };
  const small = { bufferingInterval: Duration.seconds(60), bufferingSize: Size.mebibytes(1) };

  test('are warned of; the default of 300 s and large buffers are not', () => {
    expect(warnings(small)).toEqual(['SmallObjects']);
    expect(destination().BufferingHints.IntervalInSeconds).toBe(300);
    expect(warnings({})).toEqual([]);
    expect(warnings({ ...small, bufferingSize: Size.mebibytes(64) })).toEqual([]);
    expect(warnings({ ...small, bufferingInterval: Duration.seconds(Lazy.number({ produce: () => 60 })) })).toEqual([]);
  });

  test('acknowledged they are silent', () => {
    expect(warnings(small, true)).toEqual([]);
  });
});

describe('FH-07, FH-08, FH-09 a Kinesis stream as its source', () => {
  test('is not offered: what is written to the archive comes from the job', () => {
    const properties = delivery();
    expect(properties.DeliveryStreamType).toBe('DirectPut');
    expect(properties).not.toHaveProperty('KinesisStreamSourceConfiguration');
    expect(properties.DeliveryStreamEncryptionConfigurationInput).toEqual({ KeyType: 'AWS_OWNED_CMK' });
  });

  test('the role has its permissions before the delivery stream is made, those on a key too', () => {
    const stack = newStack();
    const encryptionKey = new Key(stack, 'Key');
    new ArchiveDeliveryStream(stack, 'Archive', { encryptionKey });
    const template = Template.fromStack(stack);
    const roles = Object.values(template.findResources('AWS::IAM::Role')).filter(({ Properties }) => Properties.Policies);
    expect(roles).toHaveLength(1);
    const [policy] = Object.keys(template.findResources('AWS::IAM::Policy'));
    const stream = Object.values(template.findResources('AWS::KinesisFirehose::DeliveryStream'))[0]!;
    expect(stream.DependsOn).toContain(policy);
  });
});

describe('FH-10 puts into a delivery stream with a customer-managed key', () => {
  const granted = (encrypted: boolean) => {
    const stack = newStack();
    const encryptionKey = encrypted ? Key.fromKeyArn(stack, 'Key', 'arn:aws:kms:eu-central-1:111122223333:key/k') : undefined;
    const archive = new ArchiveDeliveryStream(stack, 'Archive', { encryptionKey });
    archive.grantPut(new Role(stack, 'Writer', { assumedBy: new ServicePrincipal('pods.eks.amazonaws.com') }));
    const policies = Template.fromStack(stack).findResources('AWS::IAM::Policy');
    const writer = Object.entries(policies).find(([id]) => id.startsWith('Writer'))![1];
    return writer.Properties.PolicyDocument.Statement.flatMap(({ Action }: { Action: string | string[] }) => Action).sort();
  };

  test('include the key where it is known', () => {
    expect(granted(true)).toEqual(['firehose:PutRecordBatch', 'kms:Decrypt', 'kms:GenerateDataKey']);
    expect(granted(false)).toEqual(['firehose:PutRecordBatch']);
  });
});

describe('FH-12 rejected records', () => {
  test('are sent again: delivery is at least once, and no throttling stops the job', () => {
    const { sink: facts, options } = bind(sink());
    expect(facts?.guarantee).toBe('at-least-once');
    expect(options).not.toHaveProperty('sink.fail-on-error');
    expect(warned(into(sink()))).toEqual([]);
    expect(warned(into(sink({ failOnError: false })))).toEqual([]);
  });

  test('that fail the job are warned of; acknowledged it is silent', () => {
    expect(warned(into(sink({ failOnError: true })))).toEqual(['RefusedRecordFailsJob']);
    expect(shownAfter('RefusedRecordFailsJob', into(sink({ failOnError: true })))).toEqual([]);
  });
});

describe('FH-13 an aggregate into the sink', () => {
  test('is refused; rows that are only added pass, and changes in the records', () => {
    const greatest = 'SELECT id, MAX(amount) FROM events GROUP BY id';
    const sums = into(sink(), {}, 'SELECT id, 1 FROM events');
    const view = sums.addView('sums', greatest);
    sums.addInsert(sums.addTable('more', { connector: sink(), columns: COLUMNS }), `SELECT * FROM ${view}`);
    for (const program of [into(sink(), {}, greatest), sums, mirrored(sink())]) {
      expect(refused(program)).toEqual([expect.stringContaining('the firehose table only appends')]);
    }
    expect(refused(into(sink()))).toEqual([]);
    expect(refused(into(sink({ format: Format.debeziumJson({ schemaInclude: false }) }), {}, AGGREGATE))).toEqual([]);
  });
});

describe('FH-14 the buffering interval', () => {
  test.each([Duration.minutes(20), Duration.seconds(901), Duration.millis(500)])('%s is refused', (bufferingInterval) => {
    expect(() => destination({ bufferingInterval })).toThrow(/bufferingInterval/);
  });

  test.each([0, 900])('%s s pass, and so do 1 and 128 MiB and a token', (seconds) => {
    expect(destination({ bufferingInterval: Duration.seconds(seconds), bufferingSize: Size.mebibytes(128) }).BufferingHints).toEqual({
      IntervalInSeconds: seconds,
      SizeInMBs: 128,
    });
    expect(() => destination({ bufferingSize: Size.mebibytes(1) })).not.toThrow();
    expect(() => destination({ bufferingInterval: Duration.seconds(Lazy.number({ produce: () => 60 })) })).not.toThrow();
    expect(() => destination({ bufferingSize: Size.mebibytes(129) })).toThrow('bufferingSize must be a whole number of MiB from 1 to 128');
  });
});
