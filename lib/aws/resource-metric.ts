import { Token } from 'aws-cdk-lib';
import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { ResourceAddress } from './resource-address';

/** What to count, and how, unless the user says otherwise. */
export interface ResourceMetricProps {
  readonly namespace: string;
  readonly metricName: string;
  readonly dimensionsMap: { [key: string]: string };
  readonly statistic: string;
}

/**
 * A metric where its resource lives, so that an alarm in another region or account either finds it or is refused.
 *
 * @param address the resource; a region or account that is a token is taken to be the one of the alarm
 * @param defaults the metric
 * @param options what the user says otherwise
 */
export function resourceMetric(address: ResourceAddress, defaults: ResourceMetricProps, options?: MetricOptions): Metric {
  return new Metric({
    ...defaults,
    region: Token.isUnresolved(address.region) ? undefined : address.region,
    account: Token.isUnresolved(address.account) ? undefined : address.account,
    ...options,
  });
}
