import { Duration } from 'aws-cdk-lib';
import { ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableAlarm } from '../sql/connector';
import type { IEventStream } from './event-stream';

/** A job that is this far behind is behind. */
const LONGEST_LAG = Duration.minutes(10);

/**
 * Alarms of a stream that a job reads: how far behind it is, reads that were refused, and writes that were refused, which never reach
 * the job.
 *
 * @param stream the stream
 * @param consumerName consumer for enhanced fan-out, which has a metric of its own
 */
export function streamReadAlarms(stream: IEventStream, consumerName?: string): TableAlarm[] {
  const limit = lagLimit(stream);
  const behind = {
    comparison: ComparisonOperator.GREATER_THAN_THRESHOLD,
    threshold: limit.toMilliseconds(),
    evaluationPeriods: 3,
    // A job that runs reads all the time: silence means that nobody reads.
    missingData: TreatMissingData.BREACHING,
  };
  if (consumerName !== undefined) {
    return [
      {
        name: 'MillisBehindLatest',
        description: `the consumer is behind the stream: records are older than ${limit.toHumanString()} when they are read, or nobody reads`,
        metric: stream.metric('SubscribeToShardEvent.MillisBehindLatest', {
          statistic: 'Maximum',
          dimensionsMap: { StreamName: stream.streamName, ConsumerName: consumerName },
        }),
        ...behind,
      },
      ...streamWriteAlarms(stream),
    ];
  }
  return [
    {
      name: 'IteratorAge',
      description: `the job is behind the stream: records are older than ${limit.toHumanString()} when they are read, or nobody reads`,
      metric: stream.metricIteratorAge(),
      ...behind,
    },
    {
      name: 'ReadThrottled',
      description: 'a shard refused reads: its readers together ask for more than 5 reads or 2 MiB a second',
      metric: stream.metricReadThroughputExceeded(),
      ...oftenAboveZero(),
    },
    ...streamWriteAlarms(stream),
  ];
}

/**
 * Alarms of a stream that is written.
 *
 * @param stream the stream
 */
export function streamWriteAlarms(stream: IEventStream): TableAlarm[] {
  return [
    {
      name: 'WriteThrottled',
      description: 'a shard refused writes: more than 1,000 records or 1 MiB a second went to it',
      metric: stream.metricWriteThroughputExceeded(),
      ...oftenAboveZero(),
    },
  ];
}

/** A client tries again what was refused once: only what goes on is an alarm. */
export function oftenAboveZero(): Pick<TableAlarm, 'comparison' | 'threshold' | 'evaluationPeriods' | 'datapointsToAlarm' | 'missingData'> {
  return {
    comparison: ComparisonOperator.GREATER_THAN_THRESHOLD,
    threshold: 0,
    evaluationPeriods: 3,
    datapointsToAlarm: 2,
    missingData: TreatMissingData.NOT_BREACHING,
  };
}

/** Records must not be lost before somebody has looked. */
function lagLimit({ retentionPeriod }: IEventStream): Duration {
  if (retentionPeriod === undefined || retentionPeriod.isUnresolved()) {
    return LONGEST_LAG;
  }
  const half = Duration.millis(retentionPeriod.toMilliseconds() / 2);
  return half.toMilliseconds() < LONGEST_LAG.toMilliseconds() ? half : LONGEST_LAG;
}
