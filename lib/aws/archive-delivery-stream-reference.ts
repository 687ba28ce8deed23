import type { Duration } from 'aws-cdk-lib';
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IDependable } from 'constructs';
import type { IArchiveDeliveryStream } from './archive-delivery-stream';
import { grantWithKey } from './grant-with-key';
import type { ResourceAddress, ResourceKind } from './resource-address';
import { resourceMetric } from './resource-metric';

/** ARNs of delivery streams. */
export const DELIVERY_STREAM: ResourceKind = { service: 'firehose', resource: 'deliverystream' };

/** What is known of a delivery stream. */
export interface ArchiveDeliveryStreamReferenceProps {
  readonly address: ResourceAddress;
  readonly bufferingInterval?: Duration;
  readonly encryptionKey?: IKey;
  readonly dependable?: IDependable;
}

/** Grants and metrics of a delivery stream from what is known of it, whoever created it. */
export class ArchiveDeliveryStreamReference implements IArchiveDeliveryStream {
  public readonly deliveryStreamArn: string;
  public readonly deliveryStreamName: string;
  public readonly region: string;
  public readonly bufferingInterval?: Duration;
  public readonly encryptionKey?: IKey;
  public readonly dependable?: IDependable;

  constructor(private readonly props: ArchiveDeliveryStreamReferenceProps) {
    this.deliveryStreamArn = props.address.arn;
    this.deliveryStreamName = props.address.name;
    this.region = props.address.region;
    this.bufferingInterval = props.bufferingInterval;
    this.encryptionKey = props.encryptionKey;
    this.dependable = props.dependable;
  }

  public grantPut(grantee: IGrantable): Grant {
    return grantWithKey(grantee, {
      actions: ['firehose:PutRecordBatch'],
      resourceArns: [this.deliveryStreamArn],
      key: this.encryptionKey,
      keyActions: ['kms:Decrypt', 'kms:GenerateDataKey'],
    });
  }

  public metric(metricName: string, options?: MetricOptions): Metric {
    return this.cannedMetric(metricName, 'Average', options);
  }

  public metricDataFreshness(options?: MetricOptions): Metric {
    return this.cannedMetric('DeliveryToS3.DataFreshness', 'Maximum', options);
  }

  public metricDeliverySuccess(options?: MetricOptions): Metric {
    return this.cannedMetric('DeliveryToS3.Success', 'Average', options);
  }

  public metricThrottledRecords(options?: MetricOptions): Metric {
    return this.cannedMetric('ThrottledRecords', 'Sum', options);
  }

  public metricIncomingRecords(options?: MetricOptions): Metric {
    return this.cannedMetric('IncomingRecords', 'Sum', options);
  }

  private cannedMetric(metricName: string, statistic: string, options?: MetricOptions): Metric {
    return resourceMetric(
      this.props.address,
      { namespace: 'AWS/Firehose', metricName, dimensionsMap: { DeliveryStreamName: this.deliveryStreamName }, statistic },
      options,
    );
  }
}
