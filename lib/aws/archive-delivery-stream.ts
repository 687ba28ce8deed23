import { ArnFormat, Duration, RemovalPolicy, Size, SizeRoundingBehavior, Stack, Token, Validations } from 'aws-cdk-lib';
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { type Grant, type IGrantable, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnDeliveryStream, Compression, DeliveryStream } from 'aws-cdk-lib/aws-kinesisfirehose';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { LogGroup, LogStream, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket, ObjectOwnership, StorageClass } from 'aws-cdk-lib/aws-s3';
import { Construct, type IDependable } from 'constructs';
import { durationIn } from '../sql/duration-in';
import { tokenMebibytes } from '../sql/flink-notation';
import { DURATION, requireProps, SIZE, TEXT } from '../sql/required-props';
import { INT_MAX } from '../sql/whole-number';
import { ArchiveDeliveryStreamReference, DELIVERY_STREAM } from './archive-delivery-stream-reference';
import { checkObjectPrefixes, objectKeyPattern } from './object-prefix';
import { checkPhysicalName } from './physical-name';
import { createdAddress, existingAddress, externalAddress } from './resource-address';
import { wildcardAcknowledgment } from './wildcard-acknowledgment';

/**
 * A Firehose delivery stream that a table writes to: one of ours (`ArchiveDeliveryStream`), an import, or one that the program
 * only knows by its ARN (`ArchiveDeliveryStream.external`).
 *
 * Delivery is at least once: a batch of which a part was refused is sent again in part, late and out of order.
 */
export interface IArchiveDeliveryStream {
  /** ARN of the delivery stream: literal where its name and environment are, else a token. */
  readonly deliveryStreamArn: string;

  /** Name of the delivery stream: literal where it was given as a literal, else a token. */
  readonly deliveryStreamName: string;

  /** Region of the delivery stream; a token in a stack without a concrete environment. */
  readonly region: string;

  /**
   * How long records are collected before an object is written. Data freshness normally grows up to it.
   *
   * @default - not known
   */
  readonly bufferingInterval?: Duration;

  /**
   * Customer key that the records are encrypted with while they wait; grants include it.
   *
   * @default - a key that AWS owns, which needs no grant, or a key that is not known
   */
  readonly encryptionKey?: IKey;

  /**
   * What must exist before the delivery stream is used. A literal ARN tells CloudFormation nothing about order.
   *
   * @default - the delivery stream exists already
   */
  readonly dependable?: IDependable;

  /**
   * Grant what a Flink sink needs to write (`PutRecordBatch`), and the use of `encryptionKey`.
   *
   * @param grantee the identity to grant to
   */
  grantPut(grantee: IGrantable): Grant;

  /**
   * A metric of the delivery stream, by default its average over 5 minutes.
   *
   * @param metricName name in the namespace `AWS/Firehose`
   * @param options what to change
   */
  metric(metricName: string, options?: MetricOptions): Metric;

  /**
   * Age of the oldest record not yet in S3, in seconds, by default the maximum over 5 minutes. It normally grows up to
   * `bufferingInterval`: an alarm below twice that would always fire.
   *
   * @param options what to change
   */
  metricDataFreshness(options?: MetricOptions): Metric;

  /**
   * Share of successful writes to S3, from 0 to 1, by default the average over 5 minutes.
   *
   * @param options what to change
   */
  metricDeliverySuccess(options?: MetricOptions): Metric;

  /**
   * Records refused because the delivery stream was at its limit, by default the sum over 5 minutes.
   *
   * @param options what to change
   */
  metricThrottledRecords(options?: MetricOptions): Metric;

  /**
   * Records taken, by default the sum over 5 minutes.
   *
   * @param options what to change
   */
  metricIncomingRecords(options?: MetricOptions): Metric;
}

/** What is known of a delivery stream that exists already. */
export interface ArchiveDeliveryStreamAttributes {
  /** ARN of the delivery stream. */
  readonly deliveryStreamArn: string;

  /**
   * How long records are collected before an object is written.
   *
   * @default - not known
   */
  readonly bufferingInterval?: Duration;

  /**
   * Customer key of its server-side encryption. Without it, grants lack the key and puts fail with a KMS access error.
   *
   * @default - a key that AWS owns, which needs no grant
   */
  readonly encryptionKey?: IKey;
}

/** Props of an `ArchiveDeliveryStream`. */
export interface ArchiveDeliveryStreamProps {
  /**
   * Name of the delivery stream: 1 to 64 letters, digits, `_`, `.`, `-`.
   *
   * @default - CloudFormation makes one up
   */
  readonly deliveryStreamName?: string;

  /**
   * How long records are collected before an object is written, from 0 to 900 seconds. An object is written when either
   * buffering limit is reached: low limits make many small objects, which are slow and dear to query.
   *
   * @default Duration.seconds(300)
   */
  readonly bufferingInterval?: Duration;

  /**
   * How much is collected before an object is written, before compression, from 1 to 128 MiB.
   *
   * @default Size.mebibytes(4)
   */
  readonly bufferingSize?: Size;

  /**
   * Compression of the objects.
   *
   * @default Compression.GZIP
   */
  readonly compression?: Compression;

  /**
   * Prefix of the objects' keys, with expressions such as `!{timestamp:yyyy}`. Firehose adds `YYYY/MM/dd/HH/` in UTC to one
   * without a timestamp. Give a prefix where a query engine reads the archive, which else takes failed records for data.
   *
   * @default - none, keys begin with `YYYY/MM/dd/HH/`
   */
  readonly prefix?: string;

  /**
   * Prefix of the objects that hold records which could not be delivered.
   *
   * @default 'errors/!{firehose:error-output-type}/!{timestamp:yyyy/MM/dd}/'
   */
  readonly errorPrefix?: string;

  /**
   * A bucket of yours. If it is encrypted with a customer key, the delivery stream is allowed to use that key.
   *
   * @default - a private, encrypted, retained bucket that only takes TLS
   */
  readonly bucket?: IBucket;

  /**
   * Age at which objects of the bucket are deleted. Only for the bucket that the construct creates.
   *
   * @default - never
   */
  readonly expiration?: Duration;

  /**
   * Age at which objects of the bucket move to the class for infrequent access, at least 30 days. Only for the bucket that the
   * construct creates.
   *
   * @default - never
   */
  readonly infrequentAccessAfter?: Duration;

  /**
   * Customer key for the records while they wait, and for the bucket that the construct creates.
   *
   * @default - a key that AWS owns for the records, keys of S3 for the bucket
   */
  readonly encryptionKey?: IKey;

  /**
   * How long reports of failed deliveries are kept.
   *
   * @default RetentionDays.ONE_MONTH
   */
  readonly logRetention?: RetentionDays;

  /**
   * What happens to what was archived, the bucket that the construct creates, and to the log group when they leave the stack. The
   * delivery stream holds no more than one buffer and is deleted. A bucket that holds objects cannot be deleted: empty it
   * first.
   *
   * @default RemovalPolicy.RETAIN
   */
  readonly removalPolicy?: RemovalPolicy;
}

const ATTRIBUTES = { deliveryStreamArn: TEXT, 'bufferingInterval?': DURATION };

/**
 * A Firehose delivery stream that keeps what a table writes in S3, one record a line.
 *
 * A newline is put after each record by the delivery stream, because Flink's formats write none: rows written to it must not
 * end in one.
 */
export class ArchiveDeliveryStream extends Construct implements IArchiveDeliveryStream {
  /**
   * A delivery stream that exists already, whose ARN may be a token.
   *
   * @param scope where to put the import
   * @param id its id
   * @param attributes what is known of the delivery stream
   */
  public static fromDeliveryStreamAttributes(
    scope: Construct,
    id: string,
    attributes: ArchiveDeliveryStreamAttributes,
  ): IArchiveDeliveryStream {
    requireProps('ArchiveDeliveryStream.fromDeliveryStreamAttributes', attributes, ATTRIBUTES);
    const address = existingAddress('deliveryStreamArn', DELIVERY_STREAM, attributes.deliveryStreamArn);
    DeliveryStream.fromDeliveryStreamArn(scope, id, attributes.deliveryStreamArn);
    return new ArchiveDeliveryStreamReference({ address, ...attributes });
  }

  /**
   * A delivery stream that the program only knows by its ARN, for use without a stack. Throws when the ARN is a token.
   *
   * @param attributes what is known of the delivery stream
   */
  public static external(attributes: ArchiveDeliveryStreamAttributes): IArchiveDeliveryStream {
    requireProps('ArchiveDeliveryStream.external', attributes, ATTRIBUTES);
    const alternative = 'ArchiveDeliveryStream.fromDeliveryStreamAttributes';
    const address = externalAddress('deliveryStreamArn', DELIVERY_STREAM, attributes.deliveryStreamArn, alternative);
    return new ArchiveDeliveryStreamReference({ address, ...attributes });
  }

  public readonly deliveryStreamArn: string;
  public readonly deliveryStreamName: string;
  public readonly region: string;
  public readonly bufferingInterval?: Duration;
  public readonly encryptionKey?: IKey;
  public readonly dependable?: IDependable;

  /** The bucket that holds the archive. */
  public readonly bucket: IBucket;

  /** The role by which Firehose writes to the bucket. */
  public readonly role: Role;

  /** The log group with reports of failed deliveries. */
  public readonly logGroup: LogGroup;

  private readonly reference: ArchiveDeliveryStreamReference;

  constructor(scope: Construct, id: string, props: ArchiveDeliveryStreamProps = {}) {
    super(scope, id);
    requireProps('an archive delivery stream', props, {
      'deliveryStreamName?': TEXT,
      'bufferingInterval?': DURATION,
      'bufferingSize?': SIZE,
      'prefix?': TEXT,
      'errorPrefix?': TEXT,
      'expiration?': DURATION,
      'infrequentAccessAfter?': DURATION,
    });
    const bufferingInterval = props.bufferingInterval ?? Duration.seconds(300);
    const bufferingSize = props.bufferingSize ?? Size.mebibytes(4);
    const errorPrefix = props.errorPrefix ?? 'errors/!{firehose:error-output-type}/!{timestamp:yyyy/MM/dd}/';
    checkPhysicalName('deliveryStreamName', props.deliveryStreamName, 1, 64);
    checkBuffering(bufferingInterval, bufferingSize);
    if (makesSmallObjects(bufferingInterval, bufferingSize)) {
      Validations.of(this).addWarning(
        'cdk-flink-pipeline:SmallObjects',
        `the archive writes an object after ${bufferingInterval.toHumanString()} or ${bufferingSize.toMebibytes()} MiB: at little load these are thousands of small objects a day, slow and dear to query; raise bufferingInterval to 5 minutes, or acknowledge this where records must be there at once`,
      );
    }
    checkObjectPrefixes(props.prefix, errorPrefix);

    const removalPolicy = props.removalPolicy ?? RemovalPolicy.RETAIN;
    this.bucket = props.bucket ? givenBucket(props.bucket, props) : this.createBucket(removalPolicy, props);
    this.logGroup = new LogGroup(this, 'LogGroup', { retention: props.logRetention ?? RetentionDays.ONE_MONTH, removalPolicy });
    const logStream = new LogStream(this, 'LogStream', { logGroup: this.logGroup, removalPolicy });
    this.role = this.createRole(logStream, [props.prefix, errorPrefix]);

    const stream = new CfnDeliveryStream(this, 'Resource', {
      deliveryStreamName: props.deliveryStreamName,
      deliveryStreamType: 'DirectPut',
      deliveryStreamEncryptionConfigurationInput: props.encryptionKey
        ? { keyType: 'CUSTOMER_MANAGED_CMK', keyArn: props.encryptionKey.keyArn }
        : { keyType: 'AWS_OWNED_CMK' },
      extendedS3DestinationConfiguration: {
        bucketArn: this.bucket.bucketArn,
        roleArn: this.role.roleArn,
        bufferingHints: { intervalInSeconds: bufferingInterval.toSeconds(), sizeInMBs: bufferingSize.toMebibytes() },
        compressionFormat: (props.compression ?? Compression.GZIP).value,
        prefix: props.prefix,
        errorOutputPrefix: errorPrefix,
        processingConfiguration: {
          enabled: true,
          processors: [{ type: 'AppendDelimiterToRecord', parameters: [{ parameterName: 'Delimiter', parameterValue: '\\n' }] }],
        },
        cloudWatchLoggingOptions: { enabled: true, logGroupName: this.logGroup.logGroupName, logStreamName: logStream.logStreamName },
      },
    });
    // The permissions on S3 and the log stand in the role itself, which has to exist anyway; those on a key are a policy apart,
    // without which the first deliveries would fail.
    this.bucket.encryptionKey?.grant(this.role, 'kms:Decrypt', 'kms:GenerateDataKey').applyBefore(stream);

    this.reference = new ArchiveDeliveryStreamReference({
      address: createdAddress(this, DELIVERY_STREAM, props.deliveryStreamName, { arn: stream.attrArn, name: stream.ref }),
      bufferingInterval,
      encryptionKey: props.encryptionKey,
      dependable: this,
    });
    this.deliveryStreamArn = this.reference.deliveryStreamArn;
    this.deliveryStreamName = this.reference.deliveryStreamName;
    this.region = this.reference.region;
    this.bufferingInterval = this.reference.bufferingInterval;
    this.encryptionKey = this.reference.encryptionKey;
    this.dependable = this.reference.dependable;
  }

  public grantPut(grantee: IGrantable): Grant {
    return this.reference.grantPut(grantee);
  }

  public metric(metricName: string, options?: MetricOptions): Metric {
    return this.reference.metric(metricName, options);
  }

  public metricDataFreshness(options?: MetricOptions): Metric {
    return this.reference.metricDataFreshness(options);
  }

  public metricDeliverySuccess(options?: MetricOptions): Metric {
    return this.reference.metricDeliverySuccess(options);
  }

  public metricThrottledRecords(options?: MetricOptions): Metric {
    return this.reference.metricThrottledRecords(options);
  }

  public metricIncomingRecords(options?: MetricOptions): Metric {
    return this.reference.metricIncomingRecords(options);
  }

  private createBucket(removalPolicy: RemovalPolicy, props: ArchiveDeliveryStreamProps): Bucket {
    const { expiration, infrequentAccessAfter } = props;
    checkAges(expiration, infrequentAccessAfter);
    const bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      encryption: props.encryptionKey ? BucketEncryption.KMS : BucketEncryption.S3_MANAGED,
      encryptionKey: props.encryptionKey,
      bucketKeyEnabled: props.encryptionKey ? true : undefined,
      enforceSSL: true,
      lifecycleRules: [
        {
          id: 'archive',
          // Parts of an upload that was never completed are invisible, and paid for.
          abortIncompleteMultipartUploadAfter: Duration.days(7),
          expiration,
          transitions: infrequentAccessAfter && [{ storageClass: StorageClass.INFREQUENT_ACCESS, transitionAfter: infrequentAccessAfter }],
        },
      ],
      removalPolicy,
    });
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'only Firehose writes to the archive; where access to it must be logged, give a bucket that logs',
    });
    return bucket;
  }

  private createRole(logStream: LogStream, prefixes: (string | undefined)[]): Role {
    const patterns = [...new Set(prefixes.map(objectKeyPattern))];
    // A pattern that takes in all others makes them superfluous.
    const objects = (patterns.includes('*') ? ['*'] : patterns).map((pattern) => this.bucket.arnForObjects(pattern));
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('firehose.amazonaws.com'),
      inlinePolicies: {
        Deliver: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['s3:GetBucketLocation', 's3:ListBucket', 's3:ListBucketMultipartUploads'],
              resources: [this.bucket.bucketArn],
            }),
            new PolicyStatement({
              actions: ['s3:AbortMultipartUpload', 's3:GetObject', 's3:PutObject'],
              resources: objects,
            }),
            new PolicyStatement({
              actions: ['logs:PutLogEvents'],
              resources: [
                Stack.of(this).formatArn({
                  service: 'logs',
                  resource: 'log-group',
                  resourceName: `${this.logGroup.logGroupName}:log-stream:${logStream.logStreamName}`,
                  arnFormat: ArnFormat.COLON_RESOURCE_NAME,
                }),
              ],
            }),
          ],
        }),
      },
    });
    const reason = 'Firehose makes up the names of the objects, so that only their prefix is known';
    Validations.of(role).acknowledge(...objects.map((object) => wildcardAcknowledgment(this, object, reason)));
    return role;
  }
}

function checkBuffering(interval: Duration, size: Size): void {
  durationIn('bufferingInterval', interval, 'seconds', 0, 900);
  if (size.isUnresolved()) {
    tokenMebibytes('bufferingSize', size);
  } else {
    const mebibytes = size.toMebibytes({ rounding: SizeRoundingBehavior.NONE });
    if (!Number.isInteger(mebibytes) || mebibytes < 1 || mebibytes > 128) {
      throw new Error(`bufferingSize must be a whole number of MiB from 1 to 128, got ${mebibytes} MiB`);
    }
  }
}

/** Below both bounds most objects are small, whatever the load. */
function makesSmallObjects(interval: Duration, size: Size): boolean {
  return !interval.isUnresolved() && interval.toSeconds() < 128 && !size.isUnresolved() && size.toMebibytes() < 64;
}

function givenBucket(bucket: IBucket, props: ArchiveDeliveryStreamProps): IBucket {
  for (const prop of ['expiration', 'infrequentAccessAfter'] as const) {
    if (props[prop] !== undefined) {
      throw new Error(
        `${prop} is for the bucket that the construct creates, got it with bucket; give the bucket a life-cycle rule instead`,
      );
    }
  }
  return bucket;
}

function checkAges(expiration?: Duration, infrequentAccessAfter?: Duration): void {
  const expirationDays = wholeDays('expiration', 1, expiration);
  const transitionDays = wholeDays('infrequentAccessAfter', 30, infrequentAccessAfter);
  if (expirationDays !== undefined && transitionDays !== undefined && expirationDays <= transitionDays) {
    throw new Error(`expiration must be later than infrequentAccessAfter, ${transitionDays} days, got ${expirationDays} days`);
  }
}

function wholeDays(prop: string, minimum: number, age?: Duration): number | undefined {
  const days = age && durationIn(prop, age, 'days', minimum, INT_MAX);
  return Token.isUnresolved(days) ? undefined : days;
}
