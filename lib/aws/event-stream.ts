import { CfnResource, Duration, RemovalPolicy, Token, Validations } from 'aws-cdk-lib';
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import * as kinesis from 'aws-cdk-lib/aws-kinesis';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct, type IDependable } from 'constructs';
import { EventStreamReference, STREAM } from './event-stream-reference';
import { checkPhysicalName } from './physical-name';
import { createdAddress, existingAddress, externalAddress } from './resource-address';
import { type KnownShards, type StreamLoad, statedShards, streamCapacity } from './stream-capacity';

/**
 * A Kinesis data stream that tables read from or write to: one of ours (`EventStream`), an existing L2
 * (`EventStream.fromStream`), an import, or one that the program only knows by its ARN (`EventStream.external`).
 */
export interface IEventStream {
  /** ARN of the stream: literal where its name and environment are, else a token. */
  readonly streamArn: string;

  /** Name of the stream: literal where it was given as a literal, else a token. */
  readonly streamName: string;

  /** Region of the stream; a token in a stack without a concrete environment. */
  readonly region: string;

  /**
   * Shards of the stream: the parallelism that a Flink source on it can use.
   *
   * @default - nobody knows at synth, see `shardCountUnknownBecause`
   */
  readonly shardCount?: number;

  /**
   * Where `shardCount` comes from: `12 MiB/s written, 1 MiB/s per shard`.
   *
   * @default - `shardCount` is not known
   */
  readonly shardCountReason?: string;

  /**
   * Why `shardCount` is unset and what to state: completes the sentence "its shard count is not known: …".
   *
   * @default - `shardCount` is known
   */
  readonly shardCountUnknownBecause?: string;

  /**
   * Customer key that the records are encrypted with; grants include it.
   *
   * @default - the AWS-managed key, which needs no grant, or a key that is not known
   */
  readonly encryptionKey?: IKey;

  /**
   * How long a record can be read: the longest time that a job may be down without losing records.
   *
   * @default - not known
   */
  readonly retentionPeriod?: Duration;

  /**
   * What must exist before the stream is used. A literal ARN tells CloudFormation nothing about order.
   *
   * @default - the stream exists already
   */
  readonly dependable?: IDependable;

  /**
   * Grant what a Flink source needs to poll the stream (`DescribeStreamSummary`, `ListShards`, `GetShardIterator`,
   * `GetRecords`), and to decrypt with `encryptionKey`.
   *
   * @param grantee the identity to grant to
   */
  grantRead(grantee: IGrantable): Grant;

  /**
   * Grant what a Flink source needs to read by enhanced fan-out: discovery of shards, to describe consumers of the stream and
   * subscribe to its shards, and to decrypt with `encryptionKey`.
   *
   * @param grantee the identity to grant to
   */
  grantReadWithEnhancedFanOut(grantee: IGrantable): Grant;

  /**
   * Grant to register and deregister consumers of the stream, as a Flink source does unless its consumer is managed elsewhere.
   *
   * @param grantee the identity to grant to
   */
  grantManageConsumers(grantee: IGrantable): Grant;

  /**
   * Grant what a Flink sink needs to write (`PutRecords`), and to encrypt with `encryptionKey`.
   *
   * @param grantee the identity to grant to
   */
  grantWrite(grantee: IGrantable): Grant;

  /**
   * A metric of the stream, by default its average over 5 minutes.
   *
   * @param metricName name in the namespace `AWS/Kinesis`
   * @param options what to change
   */
  metric(metricName: string, options?: MetricOptions): Metric;

  /**
   * How far behind its polling readers are, in milliseconds, by default the maximum over 5 minutes. It has no data points
   * while nobody reads: an alarm on a job that always runs should treat missing data as breaching.
   *
   * @param options what to change
   */
  metricIteratorAge(options?: MetricOptions): Metric;

  /**
   * Bytes written, by default the sum over 5 minutes.
   *
   * @param options what to change
   */
  metricIncomingBytes(options?: MetricOptions): Metric;

  /**
   * Records written, by default the sum over 5 minutes.
   *
   * @param options what to change
   */
  metricIncomingRecords(options?: MetricOptions): Metric;

  /**
   * Writes refused because a shard was at its limit, by default the sum over 5 minutes.
   *
   * @param options what to change
   */
  metricWriteThroughputExceeded(options?: MetricOptions): Metric;

  /**
   * Reads refused because a shard was at its limit, by default the sum over 5 minutes.
   *
   * @param options what to change
   */
  metricReadThroughputExceeded(options?: MetricOptions): Metric;
}

/** What the CDK does not know of an existing stream. */
export interface EventStreamOptions {
  /**
   * Shards of the stream; for an on-demand stream the number to plan for.
   *
   * @default - read from a provisioned stream of this program, else not known
   */
  readonly shardCount?: number;

  /**
   * How long a record can be read.
   *
   * @default - read from a stream of this program, else not known
   */
  readonly retentionPeriod?: Duration;
}

/** What is known of a stream that exists already. */
export interface EventStreamAttributes extends EventStreamOptions {
  /** ARN of the stream. */
  readonly streamArn: string;

  /**
   * Customer key that the records are encrypted with. Without it, grants lack the key and reads fail with a KMS access
   * error.
   *
   * @default - the AWS-managed key, which needs no grant
   */
  readonly encryptionKey?: IKey;
}

/** Props of an `EventStream`. State exactly one of `shardCount`, `load` and `onDemand`. */
export interface EventStreamProps {
  /**
   * Name of the stream: 1 to 128 letters, digits, `_`, `.`, `-`.
   *
   * A retained stream keeps its name when its stack is deleted, and the next deployment of the stack then fails because the
   * name is taken: bring the stream back by `cdk import`, or refer to it by `EventStream.fromStreamAttributes`.
   *
   * @default - CloudFormation makes one up
   */
  readonly streamName?: string;

  /**
   * Shards of a provisioned stream.
   *
   * One deployment can at most double or halve them (`UpdateShardCount`, which also works a limited number of times a day):
   * go from 2 to 16 in three deployments.
   *
   * @default - derived from `load`
   */
  readonly shardCount?: number;

  /**
   * The peak load, from which the shards of a provisioned stream are derived.
   *
   * @default - `shardCount` is stated, or the stream is on-demand
   */
  readonly load?: StreamLoad;

  /**
   * Whether the service adds and removes shards by itself.
   *
   * @default false
   */
  readonly onDemand?: boolean;

  /**
   * Shards to plan for on an on-demand stream; nothing of the stream itself depends on it.
   *
   * @default - not known, a job that reads the stream must state its parallelism
   */
  readonly expectedShardCount?: number;

  /**
   * Customer key for encryption.
   *
   * @default - the AWS-managed key `alias/aws/kinesis`, in every partition (the CDK's own default is no encryption in China)
   */
  readonly encryptionKey?: IKey;

  /**
   * How long a record can be read, from 24 to 8,760 hours: the longest time that a job may be down without losing records.
   *
   * @default Duration.hours(24)
   */
  readonly retentionPeriod?: Duration;

  /**
   * Enhanced metrics for each shard, at a price for each.
   *
   * @default - none
   */
  readonly shardLevelMetrics?: kinesis.ShardLevelMetrics[];

  /**
   * What happens to the stream when it leaves the stack.
   *
   * @default RemovalPolicy.RETAIN
   */
  readonly removalPolicy?: RemovalPolicy;
}

/**
 * A Kinesis data stream sized on purpose, encrypted and retained, that tells a Flink job how many shards it has.
 *
 * Up to two consumers can poll it at full speed: each shard gives 2 MiB/s and 5 calls per second to all of them together. Give
 * further ones enhanced fan-out.
 */
export class EventStream extends Construct implements IEventStream {
  /**
   * An existing L2 stream. The shards and the retention period of one that this program creates are read from it.
   *
   * @param stream the stream
   * @param options what the CDK does not know of it
   */
  public static fromStream(stream: kinesis.IStream, options: EventStreamOptions = {}): IEventStream {
    const resource = createdStream(stream);
    const retentionHours = resource?.retentionPeriodHours;
    return new EventStreamReference({
      address: { arn: stream.streamArn, name: stream.streamName, region: stream.env.region, account: stream.env.account },
      ...existingShards(options.shardCount, 'EventStream.fromStream', resource),
      encryptionKey: stream.encryptionKey,
      retentionPeriod: options.retentionPeriod ?? (retentionHours === undefined ? undefined : Duration.hours(retentionHours)),
      dependable: resource ? stream : undefined,
    });
  }

  /**
   * A stream that exists already, whose ARN may be a token.
   *
   * @param scope where to put the import
   * @param id its id
   * @param attributes what is known of the stream
   */
  public static fromStreamAttributes(scope: Construct, id: string, attributes: EventStreamAttributes): IEventStream {
    const address = existingAddress('streamArn', STREAM, attributes.streamArn);
    kinesis.Stream.fromStreamAttributes(scope, id, { streamArn: attributes.streamArn, encryptionKey: attributes.encryptionKey });
    return new EventStreamReference({
      address,
      ...existingShards(attributes.shardCount, 'EventStream.fromStreamAttributes'),
      encryptionKey: attributes.encryptionKey,
      retentionPeriod: attributes.retentionPeriod,
    });
  }

  /**
   * A stream that the program only knows by its ARN, for use without a stack. Throws when the ARN is a token.
   *
   * @param attributes what is known of the stream
   */
  public static external(attributes: EventStreamAttributes): IEventStream {
    return new EventStreamReference({
      address: externalAddress('streamArn', STREAM, attributes.streamArn, 'EventStream.fromStreamAttributes'),
      ...existingShards(attributes.shardCount, 'EventStream.external'),
      encryptionKey: attributes.encryptionKey,
      retentionPeriod: attributes.retentionPeriod,
    });
  }

  public readonly streamArn: string;
  public readonly streamName: string;
  public readonly region: string;
  public readonly shardCount?: number;
  public readonly shardCountReason?: string;
  public readonly shardCountUnknownBecause?: string;
  public readonly encryptionKey?: IKey;
  public readonly retentionPeriod?: Duration;
  public readonly dependable?: IDependable;

  /** The L2 stream. */
  public readonly stream: kinesis.Stream;

  private readonly reference: EventStreamReference;

  constructor(scope: Construct, id: string, props: EventStreamProps) {
    super(scope, id);
    checkPhysicalName('streamName', props.streamName, 1, 128);
    const retentionPeriod = props.retentionPeriod ?? Duration.hours(24);
    checkRetentionPeriod(retentionPeriod);
    const { provisionedShardCount, ...shards } = streamCapacity(props);

    this.stream = new kinesis.Stream(this, 'Stream', {
      streamName: props.streamName,
      streamMode: props.onDemand ? kinesis.StreamMode.ON_DEMAND : kinesis.StreamMode.PROVISIONED,
      shardCount: provisionedShardCount,
      encryption: props.encryptionKey ? kinesis.StreamEncryption.KMS : kinesis.StreamEncryption.MANAGED,
      encryptionKey: props.encryptionKey,
      retentionPeriod,
      shardLevelMetrics: props.shardLevelMetrics,
      removalPolicy: props.removalPolicy ?? RemovalPolicy.RETAIN,
    });
    if (props.encryptionKey) {
      Validations.of(this.stream).acknowledge({
        id: 'AwsSolutions-KDS3',
        reason: 'a customer key was asked for: its policy and rotation are under the control of the owner of the stream',
      });
    }

    this.reference = new EventStreamReference({
      address: createdAddress(this, STREAM, props.streamName, { arn: this.stream.streamArn, name: this.stream.streamName }),
      ...shards,
      encryptionKey: props.encryptionKey,
      retentionPeriod,
      dependable: this,
    });
    this.streamArn = this.reference.streamArn;
    this.streamName = this.reference.streamName;
    this.region = this.reference.region;
    this.shardCount = this.reference.shardCount;
    this.shardCountReason = this.reference.shardCountReason;
    this.shardCountUnknownBecause = this.reference.shardCountUnknownBecause;
    this.encryptionKey = this.reference.encryptionKey;
    this.retentionPeriod = this.reference.retentionPeriod;
    this.dependable = this.reference.dependable;
  }

  public grantRead(grantee: IGrantable): Grant {
    return this.reference.grantRead(grantee);
  }

  public grantReadWithEnhancedFanOut(grantee: IGrantable): Grant {
    return this.reference.grantReadWithEnhancedFanOut(grantee);
  }

  public grantManageConsumers(grantee: IGrantable): Grant {
    return this.reference.grantManageConsumers(grantee);
  }

  public grantWrite(grantee: IGrantable): Grant {
    return this.reference.grantWrite(grantee);
  }

  public metric(metricName: string, options?: MetricOptions): Metric {
    return this.reference.metric(metricName, options);
  }

  public metricIteratorAge(options?: MetricOptions): Metric {
    return this.reference.metricIteratorAge(options);
  }

  public metricIncomingBytes(options?: MetricOptions): Metric {
    return this.reference.metricIncomingBytes(options);
  }

  public metricIncomingRecords(options?: MetricOptions): Metric {
    return this.reference.metricIncomingRecords(options);
  }

  public metricWriteThroughputExceeded(options?: MetricOptions): Metric {
    return this.reference.metricWriteThroughputExceeded(options);
  }

  public metricReadThroughputExceeded(options?: MetricOptions): Metric {
    return this.reference.metricReadThroughputExceeded(options);
  }
}

function checkRetentionPeriod(period: Duration): void {
  if (period.isUnresolved()) {
    return;
  }
  const hours = period.toHours({ integral: false });
  if (!Number.isInteger(hours) || hours < 24 || hours > 8760) {
    throw new Error(`retentionPeriod must be a whole number of hours between 24 and 8760, got ${period.toHumanString()}`);
  }
}

/** The CloudFormation resource of a stream that this program creates; an import has none. */
function createdStream(stream: kinesis.IStream): kinesis.CfnStream | undefined {
  const child = stream.node.defaultChild;
  return child && CfnResource.isCfnResource(child) && child.cfnResourceType === kinesis.CfnStream.CFN_RESOURCE_TYPE_NAME
    ? (child as kinesis.CfnStream)
    : undefined;
}

function existingShards(stated: number | undefined, factory: string, resource?: kinesis.CfnStream): KnownShards {
  const provisioned = resource?.shardCount;
  if (stated === undefined) {
    return provisioned === undefined
      ? { shardCountUnknownBecause: `nothing states it; give shardCount to ${factory}` }
      : { ...statedShards(provisioned), ...(Token.isUnresolved(provisioned) ? {} : { shardCountReason: 'shardCount of the stream' }) };
  }
  if (provisioned !== undefined && !Token.isUnresolved(stated) && !Token.isUnresolved(provisioned) && stated !== provisioned) {
    throw new Error(`shardCount must be the one of the stream, ${provisioned}, got ${stated}; leave it out, it is read from the stream`);
  }
  return statedShards(stated);
}
