import { TableRole } from '../sql/connector';
import type { AppRule, JobOfApp } from './app-rule';

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

/** Readers that poll share the limits of each shard. */
export const pollingConsumers: AppRule = {
  name: 'PollingConsumers',
  level: 'warning',
  looksAt: 'the Kinesis sources of all jobs of the app, and the streams of a JAR',
  description: 'More than two Kinesis sources poll one stream.',
  why: 'Readers that poll share 2 MiB/s and 5 reads a second of each shard: all of them are throttled, and fall behind. A Lambda function and a delivery stream that read the stream poll, too, and are not counted here.',
  cure: 'Give the third source `enhancedFanOut`, or let one job read the stream for several sinks. Acknowledge it where the stream is slow and readers may be late.',
  check: (job, earlier) =>
    polled(job).flatMap(({ table, streamArn }) => {
      const readers = [...earlier, job].flatMap(polled).filter((reader) => reader.streamArn === streamArn).length;
      return readers > POLLING_READERS
        ? [
            {
              table,
              message: `table '${table}' of job '${job.application.jobName}' is one of ${readers} sources of this app that poll stream '${streamArn}', and share 5 reads a second of each shard: all are throttled and fall behind; give it enhancedFanOut, or let one job read the stream`,
            },
          ]
        : [];
    }),
};
