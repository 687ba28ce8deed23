import type { CfnDeliveryStream } from 'aws-cdk-lib/aws-kinesisfirehose';
import type { CfnEventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { CfnPipe } from 'aws-cdk-lib/aws-pipes';
import type { IConstruct } from 'constructs';
import { TableRole } from '../sql/connector';
import type { AppRule, JobOfApp } from './app-rule';
import { asResource, resourceBehind } from './resource-behind';

/** Each shard serves five reads a second, to all who poll it. */
const POLLING_READERS = 2;

/** Tables of a job that poll a stream, by the ARN of the stream. */
function polled({ application }: JobOfApp): { table: string; streamArn: string }[] {
  return application
    ._bindings()
    .filter(({ binding }) => binding.identifier === 'kinesis' && binding.role === TableRole.SOURCE)
    .filter(({ binding }) => binding.options['source.reader.type'] !== 'EFO')
    .map(({ name, binding }) => ({ table: name, streamArn: binding.options['stream.arn']! }));
}

/** ARN of the stream that something else reads. Of a consumer that fans out it is the ARN of the consumer, which is no stream. */
function polledBy(construct: IConstruct): string | undefined {
  const source = asResource<CfnDeliveryStream>(construct, 'AWS::KinesisFirehose::DeliveryStream')?.kinesisStreamSourceConfiguration;
  return (
    asResource<CfnEventSourceMapping>(construct, 'AWS::Lambda::EventSourceMapping')?.eventSourceArn ??
    asResource<CfnPipe>(construct, 'AWS::Pipes::Pipe')?.source ??
    (source !== undefined && 'kinesisStreamArn' in source ? source.kinesisStreamArn : undefined)
  );
}

/** Readers that poll share the limits of each shard. */
export const pollingConsumers: AppRule = {
  name: 'PollingConsumers',
  level: 'warning',
  looksAt:
    'the Kinesis sources of all jobs of the app, the streams of a JAR, and the Lambda functions, delivery streams and pipes of the app',
  description: 'More than two readers poll one stream, a Kinesis source among them.',
  why: 'Readers that poll share 2 MiB/s and 5 reads a second of each shard: all of them are throttled, and fall behind. Readers outside the app are not counted.',
  cure: 'Give the third source `enhancedFanOut`, or let one job read the stream for several sinks. Acknowledge it where the stream is slow and readers may be late.',
  check: (job, earlier) => {
    const others = job.constructs().flatMap((construct) => polledBy(construct) ?? []);
    return polled(job).flatMap(({ table, streamArn }) => {
      const arns = [...[...earlier, job].flatMap(polled).map((source) => source.streamArn), ...others];
      const readers = arns.filter((arn) => resourceBehind(arn) === resourceBehind(streamArn)).length;
      return readers > POLLING_READERS
        ? [
            {
              table,
              message: `table '${table}' of job '${job.application.jobName}' is one of ${readers} readers of this app that poll stream '${streamArn}', and share 5 reads a second of each shard: all are throttled and fall behind; give it enhancedFanOut, or let one job read the stream`,
            },
          ]
        : [];
    });
  },
};
