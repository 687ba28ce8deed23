import type { Duration } from 'aws-cdk-lib';
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IDependable } from 'constructs';
import type { IEventStream } from './event-stream';
import { grantWithKey } from './grant-with-key';
import type { ResourceAddress, ResourceKind } from './resource-address';
import { resourceMetric } from './resource-metric';
import type { KnownShards } from './stream-capacity';

/** ARNs of streams. */
export const STREAM: ResourceKind = { service: 'kinesis', resource: 'stream' };

/** What is known of a stream. */
export interface EventStreamReferenceProps extends KnownShards {
  readonly address: ResourceAddress;
  readonly encryptionKey?: IKey;
  readonly retentionPeriod?: Duration;
  readonly dependable?: IDependable;
}

// The calls that the connector makes (flink-connector-aws, KinesisStreamProxy, StreamConsumerRegistrar, KinesisStreamsSinkWriter).
const DISCOVER_ACTIONS = ['kinesis:DescribeStreamSummary', 'kinesis:ListShards'];
const POLL_ACTIONS = ['kinesis:GetRecords', 'kinesis:GetShardIterator'];
const FAN_OUT_ACTIONS = ['kinesis:DescribeStreamConsumer', 'kinesis:SubscribeToShard'];
const MANAGE_CONSUMERS_ACTIONS = ['kinesis:DeregisterStreamConsumer', 'kinesis:RegisterStreamConsumer'];

/** Grants and metrics of a stream from what is known of it, whoever created it. */
export class EventStreamReference implements IEventStream {
  public readonly streamArn: string;
  public readonly streamName: string;
  public readonly region: string;
  public readonly shardCount?: number;
  public readonly shardCountReason?: string;
  public readonly shardCountUnknownBecause?: string;
  public readonly encryptionKey?: IKey;
  public readonly retentionPeriod?: Duration;
  public readonly dependable?: IDependable;

  constructor(private readonly props: EventStreamReferenceProps) {
    this.streamArn = props.address.arn;
    this.streamName = props.address.name;
    this.region = props.address.region;
    this.shardCount = props.shardCount;
    this.shardCountReason = props.shardCountReason;
    this.shardCountUnknownBecause = props.shardCountUnknownBecause;
    this.encryptionKey = props.encryptionKey;
    this.retentionPeriod = props.retentionPeriod;
    this.dependable = props.dependable;
  }

  public grantRead(grantee: IGrantable): Grant {
    return this.grant(grantee, [...DISCOVER_ACTIONS, ...POLL_ACTIONS], 'kms:Decrypt');
  }

  public grantReadWithEnhancedFanOut(grantee: IGrantable): Grant {
    const discover = this.grant(grantee, DISCOVER_ACTIONS, 'kms:Decrypt');
    return discover.combine(this.grantOnConsumers(grantee, FAN_OUT_ACTIONS));
  }

  public grantManageConsumers(grantee: IGrantable): Grant {
    return this.grantOnConsumers(grantee, MANAGE_CONSUMERS_ACTIONS);
  }

  public grantWrite(grantee: IGrantable): Grant {
    return this.grant(grantee, ['kinesis:PutRecords'], 'kms:GenerateDataKey');
  }

  public metric(metricName: string, options?: MetricOptions): Metric {
    return this.cannedMetric(metricName, 'Average', options);
  }

  public metricIteratorAge(options?: MetricOptions): Metric {
    return this.cannedMetric('GetRecords.IteratorAgeMilliseconds', 'Maximum', options);
  }

  public metricIncomingBytes(options?: MetricOptions): Metric {
    return this.cannedMetric('IncomingBytes', 'Sum', options);
  }

  public metricIncomingRecords(options?: MetricOptions): Metric {
    return this.cannedMetric('IncomingRecords', 'Sum', options);
  }

  public metricWriteThroughputExceeded(options?: MetricOptions): Metric {
    return this.cannedMetric('WriteProvisionedThroughputExceeded', 'Sum', options);
  }

  public metricReadThroughputExceeded(options?: MetricOptions): Metric {
    return this.cannedMetric('ReadProvisionedThroughputExceeded', 'Sum', options);
  }

  /** IAM checks these against the stream, the consumer, or both; the consumer's ARN ends in its creation time. */
  private grantOnConsumers(grantee: IGrantable, actions: string[]): Grant {
    return grantWithKey(grantee, { actions, resourceArns: [this.streamArn, `${this.streamArn}/consumer/*`], keyActions: [] });
  }

  private grant(grantee: IGrantable, actions: string[], keyAction: string): Grant {
    return grantWithKey(grantee, { actions, resourceArns: [this.streamArn], key: this.encryptionKey, keyActions: [keyAction] });
  }

  private cannedMetric(metricName: string, statistic: string, options?: MetricOptions): Metric {
    return resourceMetric(
      this.props.address,
      { namespace: 'AWS/Kinesis', metricName, dimensionsMap: { StreamName: this.streamName }, statistic },
      options,
    );
  }
}
