import type { Duration } from 'aws-cdk-lib';
import type { ComparisonOperator, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IDependable } from 'constructs';
import type { Artifact } from './artifact';
import type { Column } from './column';
import type { SecretRef } from './secret-ref';

/** What a table is for: a connector reads, writes or is probed, never two of them. */
export enum TableRole {
  /** Rows are read from the table. */
  SOURCE = 'source',
  /** Rows are inserted into the table. */
  SINK = 'sink',
  /** The table is probed by a lookup join (`FOR SYSTEM_TIME AS OF`). */
  LOOKUP = 'lookup',
}

/** What may happen to a row after it was first emitted. */
export enum Changes {
  /** Rows are only ever inserted (`+I`). */
  INSERT_ONLY = 'insert-only',
  /** Rows are inserted, updated and deleted by key (`+I`, `+U`, `-D`). */
  UPSERT = 'upsert',
  /** Rows are inserted, updated and deleted, updates with the row before (`+I`, `-U`, `+U`, `-D`). */
  ALL = 'all',
}

/** What a reader may find after the job was killed and restored. */
export enum DeliveryGuarantee {
  /** Nothing is flushed at a checkpoint: rows can be lost. */
  NONE = 'none',
  /** No row is lost; rows written since the last checkpoint are written again. */
  AT_LEAST_ONCE = 'at-least-once',
  /** What is written becomes visible with a checkpoint: each row once, in Kafka for readers with `isolation.level = read_committed`. */
  EXACTLY_ONCE = 'exactly-once',
}

/** The table as its connector sees it. */
export interface TableDefinition {
  /** Unquoted name of the table. */
  readonly name: string;
  /** Columns in their order. */
  readonly columns: Column[];
  /** Columns of the primary key in their order, empty where there is none. */
  readonly primaryKey: string[];
  /** Columns of PARTITIONED BY in their order, empty where there is none. */
  readonly partitionedBy: string[];
  /** Whether the table declares a watermark. */
  readonly hasWatermark: boolean;
}

/** The pieces that a source is read in, or a sink is written in: the natural bound of its parallelism. */
export interface Splits {
  /** `shard` of a Kinesis stream or `partition` of a Kafka topic. */
  readonly unit: string;
  /** What has the splits, for messages: `stream user-events`. */
  readonly of: string;
  /** How many there are; unset where nobody knows at synth (an on-demand stream, a token). */
  readonly count?: number;
  /** What the count follows from, where it was not simply stated: `12.0 MiB/s written`. @default - it was stated */
  readonly countReason?: string;
  /** Why `count` is unset, and what to state: completes the sentence "its shard count is not known: …". */
  readonly unknownBecause?: string;
}

/** What the job knows and a connector's permissions depend on. */
export interface AccessContext {
  /** Kafka consumer group that the job reads with. */
  readonly consumerGroup?: string;
  /** Prefix of all transactional ids that the job writes with. */
  readonly transactionalIdPrefix?: string;
}

/** One permission that the job needs. */
export interface IAccess {
  /**
   * Grant the permission to the job.
   *
   * @param grantee the role of the job
   * @param context what the job has derived for the table
   */
  grantTo(grantee: IGrantable, context: AccessContext): void;
}

/** How a source or a lookup table behaves. */
export interface SourceBinding {
  /** The splits that the source is read in; unset where it has none (a lookup table, a generator). */
  readonly splits?: Splits;
  /** What the source emits. */
  readonly changes: Changes;
  /**
   * The table option that sets the parallelism of this source alone.
   * @default - the source cannot have a parallelism of its own
   */
  readonly parallelismOption?: string;
  /**
   * Kafka consumer group, given by the user or derived from namespace and job.
   * @default - the source has no consumer group
   */
  readonly consumerGroup?: ConsumerGroup;
  /** Whether a connector restart may repeat events of the same key (Debezium). @default false */
  readonly repeatsEvents?: boolean;
  /** How long a record can be read. @default - for ever, or not known */
  readonly retentionPeriod?: Duration;
}

/** The Kafka consumer group of a source. */
export interface ConsumerGroup {
  /** The table option that names the group. */
  readonly option: string;
  /** The group as the user gave it. @default - `<namespace>.<job name>` */
  readonly name?: string;
}

/** How a sink behaves. */
export interface SinkBinding {
  /** What the sink takes. A query that does more is refused by the planner. */
  readonly changes: Changes;
  /** What a reader may find after a restore. */
  readonly guarantee: DeliveryGuarantee;
  /** Partitions that cap the writers. @default - nothing caps them */
  readonly splits?: Splits;
  /**
   * The table option that sets the number of writers.
   * @default - the connector refuses or ignores such an option
   */
  readonly parallelismOption?: string;
  /** Writers that the user asked for. @default - derived */
  readonly writers?: number;
  /** Present for an exactly-once sink. */
  readonly transactions?: Transactions;
  /** Whether a later record of a key replaces the earlier ones in time: the topic is compacted. @default false */
  readonly compacted?: boolean;
}

/** What an exactly-once sink needs to know from its job. */
export interface Transactions {
  /** The table option that takes the transactional id prefix. */
  readonly prefixOption: string;
  /** The table option that takes the transaction timeout in milliseconds. */
  readonly timeoutOption: string;
  /** Prefix that the user gave. @default - `<namespace>.<job name>.<table>` */
  readonly prefix?: string;
  /** The broker's `transaction.max.timeout.ms`. */
  readonly brokerMaximumMillis: number;
  /** Identifies the Kafka cluster, so that prefixes are compared only within one cluster. */
  readonly clusterId: string;
}

/** A sign of trouble with the AWS resource behind a table. */
export interface TableAlarm {
  /** What the alarm is called among those of the table: `IteratorAge`. */
  readonly name: string;
  /** What went wrong, in one sentence that ends in what the alarm compares. */
  readonly description: string;
  /** What is measured, with every dimension and its period. */
  readonly metric: Metric;
  /** How the metric stands to the threshold in an alarm. */
  readonly comparison: ComparisonOperator;
  /** From where on it is an alarm, in the unit of the metric. */
  readonly threshold: number;
  /** How many periods in a row are looked at. */
  readonly evaluationPeriods: number;
  /** In how many of them the threshold is passed. @default - in all of them */
  readonly datapointsToAlarm?: number;
  /** What silence of the metric means. */
  readonly missingData: TreatMissingData;
}

/** All that a table needs from the job and tells it. */
export interface ConnectorBinding {
  /** Factory identifier, the `connector` option. */
  readonly identifier: string;
  /** What the table is for. */
  readonly role: TableRole;
  /** Table options apart from `connector`, in the order in which they are rendered. */
  readonly options: { [key: string]: string };
  /** Columns for PARTITIONED BY where the connector derives them. @default - those of the table */
  readonly partitionedBy?: string[];
  /** Present when rows are read or probed. */
  readonly source?: SourceBinding;
  /** Present when rows are written. */
  readonly sink?: SinkBinding;
  /** Jars beyond the Flink distribution. @default - none */
  readonly artifacts?: Artifact[];
  /**
   * What of the table neither Flink's distribution nor `artifacts` hold, in words: an image that the library builds is refused then.
   * @default - nothing
   */
  readonly needsArtifact?: string;
  /** Permissions. @default - none */
  readonly access?: IAccess[];
  /** Secrets that the options refer to. @default - none */
  readonly secrets?: SecretRef[];
  /** What must exist before the job starts. @default - nothing */
  readonly dependsOn?: IDependable[];
  /** Alarms that `FlinkJobMonitoring` makes. @default - none */
  readonly alarms?: TableAlarm[];
  /** Flink file systems in use, by the name of their plugin: `s3-fs-hadoop`. @default - none */
  readonly fileSystems?: string[];
  /** S3 endpoint of the bucket that the table lies in. @default - it lies in none */
  readonly s3Endpoint?: string;
  /** What makes rows vanish that nobody deleted, in words: `topic orders has the cleanup policy 'delete'`. @default - nothing */
  readonly forgets?: string;
  /**
   * Lines for the comment above the table that tell other teams what they may rely on: key format, tombstones.
   * @default - none
   */
  readonly contract?: string[];
}

/** An external system as a Flink SQL table. */
export interface IConnector {
  /**
   * Called once for each table, when it is added to a program. Throws where the table does not fit the connector.
   *
   * @param table the table that the connector is for
   */
  bind(table: TableDefinition): ConnectorBinding;
}
