import type { Duration } from 'aws-cdk-lib';
import type { MathExpression, Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import type { Construct, IDependable } from 'constructs';
import { durationMillis } from './duration-millis';
import type { KafkaCluster } from './kafka-cluster';
import { KafkaTopicReference } from './kafka-topic-reference';
import { type KafkaTopicBaseProps, TopicBase } from './topic-base';
import { CleanupPolicy, parseCleanupPolicy } from './topic-configuration';

/** A Kafka topic that a table reads or writes: one of ours (`KafkaTopic`, `CompactedTopic`) or an existing one. */
export interface IKafkaTopic {
  /** The cluster that the topic is in. */
  readonly cluster: KafkaCluster;

  /** Name of the topic; may be a token. */
  readonly topicName: string;

  /**
   * Number of partitions.
   *
   * @default - not known, see `partitionsUnknownBecause`
   */
  readonly partitions?: number;

  /**
   * Why `partitions` is unset, and what to state.
   *
   * @default - it is set
   */
  readonly partitionsUnknownBecause?: string;

  /**
   * What the brokers do with old records.
   *
   * @default - not known
   */
  readonly cleanupPolicy?: CleanupPolicy;

  /** Whether the topic is known to be compacted: records without a key are then refused. */
  readonly compacted: boolean;

  /**
   * Settings of the topic.
   *
   * @default - not known
   */
  readonly config?: { [key: string]: string };

  /**
   * What creates the topic: a job must wait for it, because a sink whose topic is missing hangs without an error.
   *
   * @default - the topic exists already
   */
  readonly dependable?: IDependable;

  /**
   * Permit reading by IAM of Amazon MSK; a cluster in another account also needs a cluster policy.
   *
   * @param grantee who reads
   * @param consumerGroup consumer group
   * @default consumerGroup - reading without a group
   * @returns a dropped grant where the cluster does not use IAM: its ACLs are set elsewhere
   */
  grantRead(grantee: IGrantable, consumerGroup?: string): Grant;

  /**
   * Permit writing by IAM of Amazon MSK.
   *
   * @param grantee who writes
   * @param transactionalIdPrefix prefix of transactional ids as Flink's sink takes it: the ids are `<prefix>-<subtask>-<number>`
   * @default transactionalIdPrefix - writing without transactions
   * @returns a dropped grant where the cluster does not use IAM: its ACLs are set elsewhere
   */
  grantWrite(grantee: IGrantable, transactionalIdPrefix?: string): Grant;

  /**
   * A metric of the topic on one broker of Amazon MSK. Needs the monitoring level `PER_TOPIC_PER_BROKER`.
   *
   * @param metricName name in the namespace `AWS/Kafka`
   * @param brokerId number of the broker, from 1
   * @param options what the metric says otherwise
   */
  metric(metricName: string, brokerId: number, options?: MetricOptions): Metric;

  /**
   * Bytes per second written, added up over the brokers. Needs `brokerCount` of the cluster and the monitoring level
   * `PER_TOPIC_PER_BROKER`; an alarm takes up to 10 metrics, thus 10 brokers.
   *
   * @param options what the metrics say otherwise
   * @default options - average of 5 minutes
   */
  metricBytesInPerSecond(options?: MetricOptions): MathExpression;

  /**
   * Messages per second written, added up over the brokers, as above.
   *
   * @param options what the metrics say otherwise
   * @default options - average of 5 minutes
   */
  metricMessagesInPerSecond(options?: MetricOptions): MathExpression;

  /**
   * Messages that the slowest partition is behind its reader. Flink commits offsets at checkpoints, so the lag includes up
   * to one checkpoint interval. Amazon MSK has no lag for a group whose name holds a colon.
   *
   * @param consumerGroup consumer group of the reader
   * @param options what the metric says otherwise
   * @default options - maximum of 5 minutes
   */
  metricMaxOffsetLag(consumerGroup: string, options?: MetricOptions): Metric;

  /**
   * Messages that all partitions together are behind their reader.
   *
   * @param consumerGroup consumer group of the reader
   * @param options what the metric says otherwise
   * @default options - maximum of 5 minutes
   */
  metricSumOffsetLag(consumerGroup: string, options?: MetricOptions): Metric;
}

/** A topic whose records are deleted after a time. */
export interface KafkaTopicProps extends KafkaTopicBaseProps {
  /** How long records are kept. @default - the setting of the brokers, 7 days in Kafka */
  readonly retention?: Duration;
}

/** An existing topic. */
export interface KafkaTopicAttributes {
  /** The cluster. */
  readonly cluster: KafkaCluster;
  /** Name of the topic. */
  readonly topicName: string;
  /** Number of partitions. @default - unknown: the parallelism of tables on it must be stated */
  readonly partitions?: number;
  /** What the brokers do with old records. @default - unknown: nothing is checked */
  readonly cleanupPolicy?: CleanupPolicy;
}

/**
 * A topic whose records are deleted after a time.
 *
 * One resource in Amazon MSK (`AWS::MSK::Topic`), one `KafkaTopic` object in Strimzi, none elsewhere.
 */
export class KafkaTopic extends TopicBase {
  /**
   * A topic that exists already; needs no scope.
   *
   * @param attributes what is known of it
   */
  public static fromTopicAttributes(attributes: KafkaTopicAttributes): IKafkaTopic {
    return new KafkaTopicReference(attributes);
  }

  constructor(scope: Construct, id: string, props: KafkaTopicProps) {
    const retention = durationMillis('retention', props.retention, 1);
    if (retention !== undefined && props.config?.['retention.ms'] !== undefined) {
      throw new Error("config must not hold 'retention.ms' beside retention: keep one of them");
    }
    const policy = props.config?.['cleanup.policy'];
    if (policy !== undefined && parseCleanupPolicy(policy) === CleanupPolicy.COMPACT) {
      throw new Error("config must not hold 'cleanup.policy' = 'compact': use CompactedTopic, which sets what compaction needs");
    }
    super(scope, id, props, {
      'cleanup.policy': CleanupPolicy.DELETE,
      ...(retention !== undefined && { 'retention.ms': retention }),
    });
  }
}
