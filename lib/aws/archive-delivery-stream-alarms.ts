import { Duration } from 'aws-cdk-lib';
import { ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableAlarm } from '../sql/connector';
import type { IArchiveDeliveryStream } from './archive-delivery-stream';
import { oftenAboveZero } from './event-stream-alarms';

/** The longest that Firehose buffers, for a delivery stream whose interval nobody told. */
const LONGEST_BUFFERING = Duration.seconds(900);
const SHORTEST_LIMIT_SECONDS = 300;

/**
 * Alarms of a delivery stream that is written.
 *
 * @param stream the delivery stream
 */
export function deliveryAlarms(stream: IArchiveDeliveryStream): TableAlarm[] {
  const limit = freshnessLimit(stream);
  return [
    {
      name: 'DataFreshness',
      description: `the oldest record that is not yet in S3 is older than ${limit} s, where Firehose delivers within one buffering interval`,
      metric: stream.metricDataFreshness(),
      comparison: ComparisonOperator.GREATER_THAN_THRESHOLD,
      threshold: limit,
      evaluationPeriods: 2,
      missingData: TreatMissingData.NOT_BREACHING,
    },
    {
      name: 'DeliveryFailed',
      description: 'Firehose could not write objects to S3: it tries for 24 hours, then the records are lost',
      metric: stream.metricDeliverySuccess(),
      comparison: ComparisonOperator.LESS_THAN_THRESHOLD,
      threshold: 1,
      evaluationPeriods: 2,
      missingData: TreatMissingData.NOT_BREACHING,
    },
    {
      name: 'WriteThrottled',
      description: 'the delivery stream refused records: the job writes more than its quota',
      metric: stream.metricThrottledRecords(),
      ...oftenAboveZero(),
    },
  ];
}

/** Freshness rises to the buffering interval in each round, and to twice of it while an object is written. */
function freshnessLimit({ bufferingInterval }: IArchiveDeliveryStream): number {
  const interval = bufferingInterval === undefined || bufferingInterval.isUnresolved() ? LONGEST_BUFFERING : bufferingInterval;
  return Math.max(SHORTEST_LIMIT_SECONDS, 3 * interval.toSeconds());
}
