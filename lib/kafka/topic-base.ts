import { Duration, Names, RemovalPolicy, Stack, Token, Tokenization, Validations } from 'aws-cdk-lib';
import type { MathExpression, Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import { CfnTopic } from 'aws-cdk-lib/aws-msk';
import { Construct, type IDependable } from 'constructs';
import { printed } from '../sql/printed';
import { instance, NUMBER, requireProps, TEXT } from '../sql/required-props';
import { checkWholeNumber } from '../sql/whole-number';
import { assemblyDirectory } from '../target/assembly-directory';
import { claim } from '../target/claim';
import { NEVER_PRUNED } from '../target/never-pruned';
import { type KafkaCluster, MskClusterType, type StrimziCluster } from './kafka-cluster';
import type { IKafkaTopic } from './kafka-topic';
import { KafkaTopicReference } from './kafka-topic-reference';
import {
  CleanupPolicy,
  checkCompactionLag,
  checkTopicConfiguration,
  encodeTopicConfiguration,
  parseCleanupPolicy,
} from './topic-configuration';
import { kubernetesName } from './topic-name';

/** What a cluster is told by. */
export const CLUSTER = instance('a KafkaCluster, such as KafkaCluster.msk(…)', 'bootstrapServers', 'brokerTransactionMaximum');

/** Kafka's own `delete.retention.ms`. */
const DAY = Duration.days(1);

/** Kafka counts copies in 16 bits. */
const MOST_COPIES = 32_767;

/** What any topic of ours has. */
export interface KafkaTopicBaseProps {
  /** The cluster. */
  readonly cluster: KafkaCluster;
  /** Name of the topic. On Amazon MSK another name is another, empty topic. */
  readonly topicName: string;
  /**
   * Number of partitions. Kafka can add partitions but not remove them; adding some moves keys to other partitions, which
   * breaks the order per key and leaves old values of a compacted topic behind: rather write a new topic.
   *
   * On Amazon MSK change partitions and settings in two deployments: the service updates only one of them at a time.
   */
  readonly partitions: number;
  /**
   * Copies of each partition. It cannot be changed later: Amazon MSK makes another topic, Strimzi needs Cruise Control.
   * @default 3
   */
  readonly replicationFactor?: number;
  /**
   * Copies that must have a record before it counts as written.
   * @default 2, or one below the replication factor where that is less than 3
   */
  readonly minInSyncReplicas?: number;
  /** Further topic settings: `max.message.bytes`. @default - the settings of the brokers */
  readonly config?: { [key: string]: string };
  /**
   * What happens to the topic, and all its records, when the construct is removed.
   * @default RemovalPolicy.RETAIN
   */
  readonly removalPolicy?: RemovalPolicy;
}

/**
 * Grants, metrics and the resource: what kinds of topics share.
 *
 * @internal
 */
export abstract class TopicBase extends Construct implements IKafkaTopic {
  public readonly cluster: KafkaCluster;
  public readonly topicName: string;
  public readonly partitions?: number;
  public readonly partitionsUnknownBecause?: string;
  public readonly cleanupPolicy?: CleanupPolicy;
  public readonly compacted: boolean;
  public readonly config?: { [key: string]: string };
  public readonly dependable?: IDependable;
  private readonly reference: KafkaTopicReference;

  constructor(scope: Construct, id: string, props: KafkaTopicBaseProps, settings: { [key: string]: string }) {
    super(scope, id);
    requireProps('a Kafka topic', props, {
      cluster: CLUSTER,
      topicName: TEXT,
      partitions: NUMBER,
      'replicationFactor?': NUMBER,
      'minInSyncReplicas?': NUMBER,
    });
    const { cluster } = props;
    cluster._checkManagesTopics();
    if (props.config?.['min.insync.replicas'] !== undefined) {
      throw new Error("config must not hold 'min.insync.replicas': use minInSyncReplicas");
    }
    checkTopicConfiguration(props.config ?? {});
    const replication = this.replication(props);
    if (props.config?.['unclean.leader.election.enable']?.toLowerCase() === 'true') {
      this.warnOfLostRecords(
        `topic ${printed(props.topicName)} may be led by a copy that lacks confirmed records, which are gone then: leave 'unclean.leader.election.enable' out of config`,
      );
    }
    const config = sorted({ ...settings, ...replication.config, ...props.config });
    checkCompactionLag(config);
    this.reference = new KafkaTopicReference({
      cluster,
      topicName: props.topicName,
      partitions: props.partitions,
      cleanupPolicy: parseCleanupPolicy(config['cleanup.policy']),
      config,
      dependable: cluster._msk || cluster._strimzi ? this : undefined,
    });
    this.cluster = cluster;
    this.topicName = this.reference.topicName;
    this.partitions = this.reference.partitions;
    this.partitionsUnknownBecause = this.reference.partitionsUnknownBecause;
    this.cleanupPolicy = this.reference.cleanupPolicy;
    this.compacted = this.reference.compacted;
    this.config = config;
    this.dependable = this.reference.dependable;
    if (this.compacted) {
      this.warnOfForgottenDeletes(props.topicName, config['delete.retention.ms']);
    }

    this.claimName(props.topicName, 'declare the topic once and share it, or give one of them another name');
    if (cluster._msk) {
      const topic = new CfnTopic(this, 'Resource', {
        clusterArn: cluster._msk.clusterArn,
        topicName: props.topicName,
        partitionCount: props.partitions,
        replicationFactor: replication.factor,
        configs: encodeTopicConfiguration(this, config),
      });
      topic.applyRemovalPolicy(props.removalPolicy ?? RemovalPolicy.RETAIN);
    } else if (cluster._strimzi) {
      this.addStrimziTopic(cluster._strimzi, props, replication.factor, config);
    }
  }

  public grantRead(grantee: IGrantable, consumerGroup?: string): Grant {
    return this.reference.grantRead(grantee, consumerGroup);
  }

  public grantWrite(grantee: IGrantable, transactionalIdPrefix?: string): Grant {
    return this.reference.grantWrite(grantee, transactionalIdPrefix);
  }

  public metric(metricName: string, brokerId: number, options?: MetricOptions): Metric {
    return this.reference.metric(metricName, brokerId, options);
  }

  public metricBytesInPerSecond(options?: MetricOptions): MathExpression {
    return this.reference.metricBytesInPerSecond(options);
  }

  public metricMessagesInPerSecond(options?: MetricOptions): MathExpression {
    return this.reference.metricMessagesInPerSecond(options);
  }

  public metricMaxOffsetLag(consumerGroup: string, options?: MetricOptions): Metric {
    return this.reference.metricMaxOffsetLag(consumerGroup, options);
  }

  public metricSumOffsetLag(consumerGroup: string, options?: MetricOptions): Metric {
    return this.reference.metricSumOffsetLag(consumerGroup, options);
  }

  private replication(props: KafkaTopicBaseProps): { factor: number; config: { [key: string]: string } } {
    const factor = props.replicationFactor ?? 3;
    const known = Token.isUnresolved(factor) ? undefined : factor;
    checkWholeNumber('replicationFactor', factor, 1, MOST_COPIES);
    const minInSync = props.minInSyncReplicas ?? (known !== undefined && known < 3 ? Math.max(1, known - 1) : 2);
    checkWholeNumber('minInSyncReplicas', minInSync, 1, MOST_COPIES);

    const { brokerCount } = props.cluster;
    if (known !== undefined && brokerCount !== undefined && known > brokerCount) {
      throw new Error(`replicationFactor must be at most the number of brokers, ${brokerCount}, got ${known}`);
    }
    if (props.cluster._msk?.clusterType === MskClusterType.EXPRESS) {
      if (known !== undefined && known !== 3) {
        throw new Error(`replicationFactor must be 3 on MSK Express, got ${known}`);
      }
      if (!Token.isUnresolved(minInSync) && minInSync !== 2) {
        throw new Error(`minInSyncReplicas must be 2 on MSK Express, got ${minInSync}`);
      }
      return { factor, config: {} };
    }
    if (known !== undefined && !Token.isUnresolved(minInSync)) {
      if (minInSync > known) {
        throw new Error(`minInSyncReplicas must be at most the replicationFactor, ${known}, got ${minInSync}: no write could ever succeed`);
      }
      if (minInSync === known) {
        Validations.of(this).addWarning(
          'cdk-flink-pipeline:TopicReplication',
          known === 1
            ? `topic ${printed(props.topicName)} has one copy: while its broker restarts nobody writes or reads it, and with the disk of the broker the records are gone; give replicationFactor: 3`
            : `topic ${printed(props.topicName)} needs all its ${known} copies for each write: the restart of one broker blocks its writers; raise replicationFactor or lower minInSyncReplicas`,
        );
      }
      if (minInSync === 1 && known > 1) {
        this.warnOfLostRecords(
          `topic ${printed(props.topicName)} may confirm a write that only one of its ${known} copies has, once the others have fallen behind: when that broker fails the record is gone; ${known > 2 ? 'leave minInSyncReplicas out' : 'give replicationFactor: 3'}`,
        );
      }
    }
    return { factor, config: { 'min.insync.replicas': Tokenization.stringifyNumber(minInSync) } };
  }

  private warnOfLostRecords(message: string): void {
    Validations.of(this).addWarning('cdk-flink-pipeline:TopicDurability', message);
  }

  private warnOfForgottenDeletes(topicName: string, retention: string | undefined): void {
    const millis = retention === undefined || Token.isUnresolved(retention) ? undefined : Number(retention);
    if (millis !== undefined && millis < DAY.toMilliseconds()) {
      Validations.of(this).addWarning(
        'cdk-flink-pipeline:TombstoneRetention',
        `topic ${printed(topicName)} forgets deleted keys after ${millis} ms: a reader that is away for longer keeps them for ever; raise ${this.cleanupPolicy === CleanupPolicy.COMPACT ? 'tombstoneRetention' : "'delete.retention.ms'"} to 24 hours or more`,
      );
    }
  }

  /** A second topic of one name would fail to deploy, or both would fight over one object. */
  private claimName(name: string, advice: string): void {
    // The same names mean another cluster in another region.
    const key = ['Kafka topic', this.cluster.id, Stack.of(this).environment, name];
    claim(this, key, `are both ${printed(name)} in one Kafka cluster: ${advice}`);
  }

  private addStrimziTopic(cluster: StrimziCluster, props: KafkaTopicBaseProps, replicas: number, config: { [key: string]: string }): void {
    const literal = !Token.isUnresolved(props.topicName);
    // A name that is known only at deployment cannot be made a Kubernetes name: the place in the construct tree names it.
    const name = literal
      ? kubernetesName(props.topicName)
      : kubernetesName(Names.uniqueResourceName(this, { maxLength: 63, separator: '-' }));
    if (name !== props.topicName) {
      this.claimName(name, 'the Kubernetes names of their KafkaTopics would be the same; give one topic another name');
    }
    const retain = (props.removalPolicy ?? RemovalPolicy.RETAIN) !== RemovalPolicy.DESTROY;
    cluster.target._add(this, 'Resource', {
      objects: [
        {
          apiVersion: 'kafka.strimzi.io/v1',
          kind: 'KafkaTopic',
          metadata: {
            name,
            namespace: cluster.namespace,
            labels: { 'strimzi.io/cluster': cluster.name },
            ...(retain && { annotations: { ...NEVER_PRUNED } }),
          },
          spec: { ...(name !== props.topicName && { topicName: props.topicName }), partitions: props.partitions, replicas, config },
        },
      ],
      logicalIdKey: `kafka-topic/${cluster.namespace}/${cluster.name}/${name}`,
      file: `${assemblyDirectory(this, cluster.name, name)}/manifests.yaml`,
      retain,
    });
  }
}

function sorted(config: { [key: string]: string }): { [key: string]: string } {
  return Object.fromEntries(Object.entries(config).sort(([a], [b]) => (a < b ? -1 : 1)));
}
