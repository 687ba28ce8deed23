import { Duration, Token } from 'aws-cdk-lib';
import { MathExpression, Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IDependable } from 'constructs';
import { printed } from '../sql/printed';
import { checkWholeNumber } from '../sql/whole-number';
import type { KafkaCluster } from './kafka-cluster';
import type { IKafkaTopic } from './kafka-topic';
import { MskResource, mskClusterName, mskEnvironment, mskResourceArn } from './msk-arn';
import { CleanupPolicy } from './topic-configuration';
import { checkKafkaName, checkTopicName } from './topic-name';

/** What is known of a topic. */
export interface KafkaTopicReferenceProps {
  readonly cluster: KafkaCluster;
  readonly topicName: string;
  readonly partitions?: number;
  readonly cleanupPolicy?: CleanupPolicy;
  readonly config?: { [key: string]: string };
  readonly dependable?: IDependable;
}

/** Grants and metrics of a topic from what is known of it, whoever created it. */
export class KafkaTopicReference implements IKafkaTopic {
  public readonly cluster: KafkaCluster;
  public readonly topicName: string;
  public readonly partitions?: number;
  public readonly partitionsUnknownBecause?: string;
  public readonly cleanupPolicy?: CleanupPolicy;
  public readonly compacted: boolean;
  public readonly config?: { [key: string]: string };
  public readonly dependable?: IDependable;

  constructor(props: KafkaTopicReferenceProps) {
    checkTopicName(props.topicName);
    checkWholeNumber('partitions', props.partitions, 1);
    this.cluster = props.cluster;
    this.topicName = props.topicName;
    if (props.partitions === undefined) {
      this.partitionsUnknownBecause = 'nobody stated it; state partitions where the topic is declared';
    } else if (Token.isUnresolved(props.partitions)) {
      this.partitionsUnknownBecause = 'it is a token; state partitions as a number';
    } else {
      this.partitions = props.partitions;
    }
    this.cleanupPolicy = props.cleanupPolicy;
    this.compacted = props.cleanupPolicy === CleanupPolicy.COMPACT || props.cleanupPolicy === CleanupPolicy.COMPACT_AND_DELETE;
    this.config = props.config;
    this.dependable = props.dependable;
  }

  public grantRead(grantee: IGrantable, consumerGroup?: string): Grant {
    checkKafkaName('consumerGroup', consumerGroup);
    return this.grant(grantee, (clusterArn) => [
      { actions: ['kafka-cluster:Connect'], resourceArn: clusterArn },
      {
        actions: ['kafka-cluster:DescribeTopic', 'kafka-cluster:ReadData'],
        resourceArn: mskResourceArn(clusterArn, MskResource.TOPIC, this.topicName),
      },
      ...(consumerGroup === undefined
        ? []
        : [
            {
              actions: ['kafka-cluster:AlterGroup', 'kafka-cluster:DescribeGroup'],
              resourceArn: mskResourceArn(clusterArn, MskResource.GROUP, consumerGroup),
            },
          ]),
    ]);
  }

  public grantWrite(grantee: IGrantable, transactionalIdPrefix?: string): Grant {
    checkKafkaName('transactionalIdPrefix', transactionalIdPrefix);
    return this.grant(grantee, (clusterArn) => [
      // A producer without transactions is idempotent, by default since Kafka 3.0; one with transactions is asked for its ids alone.
      {
        actions: ['kafka-cluster:Connect', ...(transactionalIdPrefix === undefined ? ['kafka-cluster:WriteDataIdempotently'] : [])],
        resourceArn: clusterArn,
      },
      {
        actions: ['kafka-cluster:DescribeTopic', 'kafka-cluster:WriteData'],
        resourceArn: mskResourceArn(clusterArn, MskResource.TOPIC, this.topicName),
      },
      ...(transactionalIdPrefix === undefined
        ? []
        : [
            {
              actions: ['kafka-cluster:AlterTransactionalId', 'kafka-cluster:DescribeTransactionalId'],
              // Flink's ids are <prefix>-<subtask>-<number> (TransactionalIdFactory): without the dash, those of the prefix `…u2` match `…u`.
              resourceArn: mskResourceArn(clusterArn, MskResource.TRANSACTIONAL_ID, `${transactionalIdPrefix}-*`),
            },
          ]),
    ]);
  }

  public metric(metricName: string, brokerId: number, options?: MetricOptions): Metric {
    return this.mskMetric(metricName, { 'Broker ID': String(brokerId) }, 'Average', options);
  }

  public metricBytesInPerSecond(options?: MetricOptions): MathExpression {
    return this.sumOverBrokers('BytesInPerSec', options);
  }

  public metricMessagesInPerSecond(options?: MetricOptions): MathExpression {
    return this.sumOverBrokers('MessagesInPerSec', options);
  }

  public metricMaxOffsetLag(consumerGroup: string, options?: MetricOptions): Metric {
    return this.mskMetric('MaxOffsetLag', { 'Consumer Group': consumerGroup }, 'Maximum', options);
  }

  public metricSumOffsetLag(consumerGroup: string, options?: MetricOptions): Metric {
    return this.mskMetric('SumOffsetLag', { 'Consumer Group': consumerGroup }, 'Maximum', options);
  }

  private grant(grantee: IGrantable, permissions: (clusterArn: string) => { actions: string[]; resourceArn: string }[]): Grant {
    const clusterArn = this.cluster._msk?.clusterArn;
    if (clusterArn === undefined || !this.cluster.usesIam) {
      return Grant.drop(grantee, 'this Kafka cluster does not authorize clients by IAM');
    }
    return permissions(clusterArn)
      .map(({ actions, resourceArn }) => Grant.addToPrincipal({ grantee, actions, resourceArns: [resourceArn] }))
      .reduce((all, next) => all.combine(next));
  }

  private sumOverBrokers(metricName: string, options?: MetricOptions): MathExpression {
    const { brokerCount } = this.cluster;
    this.mskClusterArn();
    if (brokerCount === undefined) {
      throw new Error(
        `metrics of topic ${printed(this.topicName)} are added up over the brokers: state brokerCount of the cluster, or ask for metric() of one broker`,
      );
    }
    const brokers = Array.from({ length: brokerCount }, (_, index) => index + 1);
    return new MathExpression({
      // A broker that leads no partition of the topic has no data.
      expression: brokers.map((broker) => `FILL(broker${broker}, 0)`).join(' + '),
      usingMetrics: Object.fromEntries(brokers.map((broker) => [`broker${broker}`, this.metric(metricName, broker, options)])),
      label: options?.label ?? metricName,
      period: options?.period ?? Duration.minutes(5),
    });
  }

  private mskMetric(metricName: string, dimensions: { [key: string]: string }, statistic: string, options?: MetricOptions): Metric {
    const clusterArn = this.mskClusterArn();
    return new Metric({
      namespace: 'AWS/Kafka',
      metricName,
      dimensionsMap: { 'Cluster Name': mskClusterName(clusterArn), Topic: this.topicName, ...dimensions },
      statistic,
      ...mskEnvironment(clusterArn),
      ...options,
    });
  }

  private mskClusterArn(): string {
    const clusterArn = this.cluster._msk?.clusterArn;
    if (clusterArn === undefined) {
      throw new Error(`topic ${printed(this.topicName)} has no CloudWatch metrics: its cluster is not one of Amazon MSK`);
    }
    return clusterArn;
  }
}
