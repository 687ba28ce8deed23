import { CfnResource, RemovalPolicy, Stack, Token } from 'aws-cdk-lib';
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct, type IDependable } from 'constructs';
import { FLAG, MAP, NUMBER, requireProps, TEXT } from '../sql/required-props';
import { checkWholeNumber } from '../sql/whole-number';
import { checkAttributeName, DimensionTableReference, TABLE } from './dimension-table-reference';
import { checkPhysicalName } from './physical-name';
import { createdAddress, existingAddress, externalAddress } from './resource-address';

/**
 * A DynamoDB table that a stream is joined with by key, or that a table writes to: one of ours (`DimensionTable`), an existing
 * L2 (`DimensionTable.fromTable`), an import, or one that the program only knows by its ARN (`DimensionTable.external`).
 */
export interface IDimensionTable {
  /** ARN of the table: literal where its name and environment are, else a token. */
  readonly tableArn: string;

  /** Name of the table: literal where it was given as a literal, else a token. */
  readonly tableName: string;

  /** Region of the table; a token in a stack without a concrete environment. */
  readonly region: string;

  /** Name of the partition key attribute, and of the column that a lookup join compares. */
  readonly partitionKey: string;

  /**
   * Name of the sort key attribute.
   *
   * @default - the table has none
   */
  readonly sortKey?: string;

  /**
   * Customer key that the items are encrypted with; grants include it.
   *
   * @default - a key of DynamoDB or AWS, which needs no grant, or a key that is not known
   */
  readonly encryptionKey?: IKey;

  /**
   * What must exist before the table is used. A literal ARN tells CloudFormation nothing about order.
   *
   * @default - the table exists already
   */
  readonly dependable?: IDependable;

  /**
   * Grant what a lookup join needs (`GetItem`, `BatchGetItem`, `DescribeTable`, neither `Scan` nor `Query`), and to decrypt with
   * `encryptionKey`.
   *
   * @param grantee the identity to grant to
   */
  grantLookup(grantee: IGrantable): Grant;

  /**
   * Grant what the Flink sink calls: `BatchWriteItem`, and the use of `encryptionKey`.
   *
   * @param grantee the identity to grant to
   */
  grantBatchWrite(grantee: IGrantable): Grant;

  /**
   * Grant to write items in any way: `BatchWriteItem`, `PutItem`, `UpdateItem` and `DeleteItem`, by which other
   * programs keep a dimension up to date, `DescribeTable`, and the use of `encryptionKey`.
   *
   * @param grantee the identity to grant to
   */
  grantWrite(grantee: IGrantable): Grant;

  /**
   * A metric of the table, by default its sum over 5 minutes.
   *
   * @param metricName name in the namespace `AWS/DynamoDB`
   * @param options what to change
   */
  metric(metricName: string, options?: MetricOptions): Metric;

  /**
   * Reads refused by throttling, by default the sum over 5 minutes. One partition serves 3,000 read units per second whatever the
   * table's capacity is, so a hot key is throttled alone.
   *
   * @param options what to change
   */
  metricReadThrottleEvents(options?: MetricOptions): Metric;

  /**
   * Writes refused by throttling, by default the sum over 5 minutes.
   *
   * @param options what to change
   */
  metricWriteThrottleEvents(options?: MetricOptions): Metric;

  /**
   * Read units used, by default the sum over 5 minutes.
   *
   * @param options what to change
   */
  metricConsumedReadCapacityUnits(options?: MetricOptions): Metric;

  /**
   * Write units used, by default the sum over 5 minutes.
   *
   * @param options what to change
   */
  metricConsumedWriteCapacityUnits(options?: MetricOptions): Metric;

  /**
   * Requests that failed with HTTP 500 for one operation, by default the sum over 5 minutes. DynamoDB counts them by operation
   * only, there is no number for the whole table.
   *
   * @param operation the operation: a lookup calls `GET_ITEM` and `BATCH_GET_ITEM`, a sink `BATCH_WRITE_ITEM`
   * @param options what to change
   */
  metricSystemErrors(operation: dynamodb.Operation, options?: MetricOptions): Metric;

  /**
   * Milliseconds that one operation takes inside DynamoDB, by default the average over 5 minutes.
   *
   * @param operation the operation: a lookup calls `GET_ITEM` and `BATCH_GET_ITEM`, a sink `BATCH_WRITE_ITEM`
   * @param options what to change
   */
  metricSuccessfulRequestLatency(operation: dynamodb.Operation, options?: MetricOptions): Metric;
}

/** The key of a table, which cannot be read from an ARN. */
export interface DimensionTableKey {
  /** Name of the partition key attribute. */
  readonly partitionKey: string;

  /**
   * Name of the sort key attribute.
   *
   * @default - the table has none
   */
  readonly sortKey?: string;
}

/** What is known of a table that exists already. */
export interface DimensionTableAttributes extends DimensionTableKey {
  /** ARN of the table. */
  readonly tableArn: string;

  /**
   * Customer key that the items are encrypted with. Without it, grants lack the key and requests fail with a KMS access
   * error.
   *
   * @default - a key of DynamoDB or AWS, which needs no grant
   */
  readonly encryptionKey?: IKey;
}

/** Props of a `DimensionTable`. */
export interface DimensionTableProps {
  /**
   * Name of the table: 3 to 255 letters, digits, `_`, `.`, `-`.
   *
   * A change of the key replaces the table, which CloudFormation refuses for a named one: give it a new name then. And a
   * retained table keeps its name when its stack is deleted: bring it back by `cdk import`, or refer to it by
   * `DimensionTable.fromTableAttributes`.
   *
   * @default - CloudFormation makes one up
   */
  readonly tableName?: string;

  /** Name of the partition key attribute, and of the column that a lookup join compares. */
  readonly partitionKey: string;

  /**
   * Type of the partition key attribute.
   *
   * @default dynamodb.AttributeType.STRING
   */
  readonly partitionKeyType?: dynamodb.AttributeType;

  /**
   * Name of the sort key attribute.
   *
   * @default - the table has none
   */
  readonly sortKey?: string;

  /**
   * Type of the sort key attribute.
   *
   * @default dynamodb.AttributeType.STRING
   */
  readonly sortKeyType?: dynamodb.AttributeType;

  /**
   * Whether the table can be restored to any second of the last 35 days.
   *
   * @default true
   */
  readonly pointInTimeRecovery?: boolean;

  /**
   * Whether DynamoDB refuses to delete the table.
   *
   * @default true
   */
  readonly deletionProtection?: boolean;

  /**
   * Attribute with the time, in seconds since 1970, after which DynamoDB deletes the item; it may take days to do so.
   *
   * @default - items stay
   */
  readonly timeToLiveAttribute?: string;

  /**
   * Most read units per second, a limit on cost: what goes beyond is throttled.
   *
   * @default - the quota of the account, 40,000 for a table unless raised
   */
  readonly maxReadRequestUnits?: number;

  /**
   * Most write units per second, a limit on cost: what goes beyond is throttled.
   *
   * @default - the quota of the account, 40,000 for a table unless raised
   */
  readonly maxWriteRequestUnits?: number;

  /**
   * Units per second that the table serves at once. State it where a job starts above what a new table serves, or it is throttled
   * until the table has grown.
   *
   * @default - 12,000 read units and 4,000 write units
   */
  readonly warmThroughput?: dynamodb.WarmThroughput;

  /**
   * Customer key for encryption. Needs a stack with a concrete region, because a table names the key of each of its regions.
   *
   * @default - a key that DynamoDB owns
   */
  readonly encryptionKey?: IKey;

  /**
   * What happens to the table when it leaves the stack. To delete it, turn `deletionProtection` off as well.
   *
   * @default RemovalPolicy.RETAIN
   */
  readonly removalPolicy?: RemovalPolicy;
}

const KEY = { partitionKey: TEXT, 'sortKey?': TEXT };

/**
 * A DynamoDB table with on-demand capacity, encrypted, recoverable and retained, whose items a stream is joined with by key.
 *
 * One partition serves 3,000 read and 1,000 write units per second: few distinct keys are throttled whatever the table could
 * serve.
 */
export class DimensionTable extends Construct implements IDimensionTable {
  /**
   * An existing L2 table.
   *
   * @param table the table: a `Table`, a `TableV2` or an import of one
   * @param key its key
   */
  public static fromTable(table: dynamodb.ITable, key: DimensionTableKey): IDimensionTable {
    requireProps('DimensionTable.fromTable', key, KEY);
    const resource = table.node.defaultChild;
    return new DimensionTableReference({
      address: { arn: table.tableArn, name: table.tableName, region: table.env.region, account: table.env.account },
      partitionKey: key.partitionKey,
      sortKey: key.sortKey,
      encryptionKey: table.encryptionKey,
      dependable: resource && CfnResource.isCfnResource(resource) ? table : undefined,
    });
  }

  /**
   * A table that exists already, whose ARN may be a token.
   *
   * @param scope where to put the import
   * @param id its id
   * @param attributes what is known of the table
   */
  public static fromTableAttributes(scope: Construct, id: string, attributes: DimensionTableAttributes): IDimensionTable {
    requireProps('DimensionTable.fromTableAttributes', attributes, { tableArn: TEXT, ...KEY });
    const reference = new DimensionTableReference({ address: existingAddress('tableArn', TABLE, attributes.tableArn), ...attributes });
    dynamodb.TableV2.fromTableAttributes(scope, id, { tableArn: attributes.tableArn, encryptionKey: attributes.encryptionKey });
    return reference;
  }

  /**
   * A table that the program only knows by its ARN, for use without a stack. Throws when the ARN is a token.
   *
   * @param attributes what is known of the table
   */
  public static external(attributes: DimensionTableAttributes): IDimensionTable {
    requireProps('DimensionTable.external', attributes, { tableArn: TEXT, ...KEY });
    const address = externalAddress('tableArn', TABLE, attributes.tableArn, 'DimensionTable.fromTableAttributes');
    return new DimensionTableReference({ address, ...attributes });
  }

  public readonly tableArn: string;
  public readonly tableName: string;
  public readonly region: string;
  public readonly partitionKey: string;
  public readonly sortKey?: string;
  public readonly encryptionKey?: IKey;
  public readonly dependable?: IDependable;

  /** The L2 table. */
  public readonly table: dynamodb.TableV2;

  private readonly reference: DimensionTableReference;

  constructor(scope: Construct, id: string, props: DimensionTableProps) {
    super(scope, id);
    requireProps('a dimension table', props, {
      'tableName?': TEXT,
      ...KEY,
      'pointInTimeRecovery?': FLAG,
      'deletionProtection?': FLAG,
      'timeToLiveAttribute?': TEXT,
      'maxReadRequestUnits?': NUMBER,
      'maxWriteRequestUnits?': NUMBER,
      'warmThroughput?': MAP,
    });
    checkPhysicalName('tableName', props.tableName, 3, 255);
    checkTimeToLive(props);
    checkWholeNumber('maxReadRequestUnits', props.maxReadRequestUnits, 1);
    checkWholeNumber('maxWriteRequestUnits', props.maxWriteRequestUnits, 1);
    checkWholeNumber('warmThroughput.readUnitsPerSecond', props.warmThroughput?.readUnitsPerSecond, 1);
    checkWholeNumber('warmThroughput.writeUnitsPerSecond', props.warmThroughput?.writeUnitsPerSecond, 1);
    if (props.encryptionKey && Token.isUnresolved(Stack.of(this).region)) {
      throw new Error('encryptionKey of a table needs a stack with a concrete region, got a token; set env.region of the stack');
    }
    if (props.sortKeyType !== undefined && props.sortKey === undefined) {
      throw new Error(`sortKeyType needs a sortKey, got the type '${props.sortKeyType}' alone`);
    }

    this.table = new dynamodb.TableV2(this, 'Table', {
      tableName: props.tableName,
      partitionKey: { name: props.partitionKey, type: props.partitionKeyType ?? dynamodb.AttributeType.STRING },
      sortKey: props.sortKey === undefined ? undefined : { name: props.sortKey, type: props.sortKeyType ?? dynamodb.AttributeType.STRING },
      billing: dynamodb.Billing.onDemand({
        maxReadRequestUnits: props.maxReadRequestUnits,
        maxWriteRequestUnits: props.maxWriteRequestUnits,
      }),
      warmThroughput: props.warmThroughput,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: props.pointInTimeRecovery ?? true },
      deletionProtection: props.deletionProtection ?? true,
      timeToLiveAttribute: props.timeToLiveAttribute,
      encryption: props.encryptionKey ? dynamodb.TableEncryptionV2.customerManagedKey(props.encryptionKey) : undefined,
      removalPolicy: props.removalPolicy ?? RemovalPolicy.RETAIN,
    });

    this.reference = new DimensionTableReference({
      address: createdAddress(this, TABLE, props.tableName, { arn: this.table.tableArn, name: this.table.tableName }),
      partitionKey: props.partitionKey,
      sortKey: props.sortKey,
      encryptionKey: props.encryptionKey,
      dependable: this,
    });
    this.tableArn = this.reference.tableArn;
    this.tableName = this.reference.tableName;
    this.region = this.reference.region;
    this.partitionKey = this.reference.partitionKey;
    this.sortKey = this.reference.sortKey;
    this.encryptionKey = this.reference.encryptionKey;
    this.dependable = this.reference.dependable;
  }

  public grantLookup(grantee: IGrantable): Grant {
    return this.reference.grantLookup(grantee);
  }

  public grantBatchWrite(grantee: IGrantable): Grant {
    return this.reference.grantBatchWrite(grantee);
  }

  public grantWrite(grantee: IGrantable): Grant {
    return this.reference.grantWrite(grantee);
  }

  public metric(metricName: string, options?: MetricOptions): Metric {
    return this.reference.metric(metricName, options);
  }

  public metricReadThrottleEvents(options?: MetricOptions): Metric {
    return this.reference.metricReadThrottleEvents(options);
  }

  public metricWriteThrottleEvents(options?: MetricOptions): Metric {
    return this.reference.metricWriteThrottleEvents(options);
  }

  public metricConsumedReadCapacityUnits(options?: MetricOptions): Metric {
    return this.reference.metricConsumedReadCapacityUnits(options);
  }

  public metricConsumedWriteCapacityUnits(options?: MetricOptions): Metric {
    return this.reference.metricConsumedWriteCapacityUnits(options);
  }

  public metricSystemErrors(operation: dynamodb.Operation, options?: MetricOptions): Metric {
    return this.reference.metricSystemErrors(operation, options);
  }

  public metricSuccessfulRequestLatency(operation: dynamodb.Operation, options?: MetricOptions): Metric {
    return this.reference.metricSuccessfulRequestLatency(operation, options);
  }
}

function checkTimeToLive(props: DimensionTableProps): void {
  const attribute = props.timeToLiveAttribute;
  checkAttributeName('timeToLiveAttribute', attribute);
  if (attribute !== undefined && !Token.isUnresolved(attribute) && (attribute === props.partitionKey || attribute === props.sortKey)) {
    throw new Error(`timeToLiveAttribute must be another attribute than those of the key, got '${attribute}'`);
  }
}
