import { Token } from 'aws-cdk-lib';
import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { Operation } from 'aws-cdk-lib/aws-dynamodb';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IDependable } from 'constructs';
import type { IDimensionTable } from './dimension-table';
import { grantWithKey } from './grant-with-key';
import type { ResourceAddress, ResourceKind } from './resource-address';
import { resourceMetric } from './resource-metric';

/** ARNs of tables. */
export const TABLE: ResourceKind = { service: 'dynamodb', resource: 'table' };

/** What is known of a table. */
export interface DimensionTableReferenceProps {
  readonly address: ResourceAddress;
  readonly partitionKey: string;
  readonly sortKey?: string;
  readonly encryptionKey?: IKey;
  readonly dependable?: IDependable;
}

const LOOKUP_ACTIONS = ['dynamodb:BatchGetItem', 'dynamodb:DescribeTable', 'dynamodb:GetItem'];
const WRITE_ACTIONS = [
  'dynamodb:BatchWriteItem',
  'dynamodb:DeleteItem',
  'dynamodb:DescribeTable',
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
];

// DynamoDB calls KMS in the name of whoever calls DynamoDB; the same actions as those of the CDK's own table.
const LOOKUP_KEY_ACTIONS = ['kms:Decrypt', 'kms:DescribeKey'];
const WRITE_KEY_ACTIONS = [...LOOKUP_KEY_ACTIONS, 'kms:Encrypt', 'kms:GenerateDataKey*', 'kms:ReEncrypt*'];

/** Grants and metrics of a table from what is known of it, whoever created it. */
export class DimensionTableReference implements IDimensionTable {
  public readonly tableArn: string;
  public readonly tableName: string;
  public readonly region: string;
  public readonly partitionKey: string;
  public readonly sortKey?: string;
  public readonly encryptionKey?: IKey;
  public readonly dependable?: IDependable;

  constructor(private readonly props: DimensionTableReferenceProps) {
    checkKeys(props.partitionKey, props.sortKey);
    this.tableArn = props.address.arn;
    this.tableName = props.address.name;
    this.region = props.address.region;
    this.partitionKey = props.partitionKey;
    this.sortKey = props.sortKey;
    this.encryptionKey = props.encryptionKey;
    this.dependable = props.dependable;
  }

  public grantLookup(grantee: IGrantable): Grant {
    return this.grant(grantee, LOOKUP_ACTIONS, LOOKUP_KEY_ACTIONS);
  }

  public grantBatchWrite(grantee: IGrantable): Grant {
    return this.grant(grantee, ['dynamodb:BatchWriteItem'], WRITE_KEY_ACTIONS);
  }

  public grantWrite(grantee: IGrantable): Grant {
    return this.grant(grantee, WRITE_ACTIONS, WRITE_KEY_ACTIONS);
  }

  public metric(metricName: string, options?: MetricOptions): Metric {
    return this.cannedMetric(metricName, {}, 'Sum', options);
  }

  public metricReadThrottleEvents(options?: MetricOptions): Metric {
    return this.cannedMetric('ReadThrottleEvents', {}, 'Sum', options);
  }

  public metricWriteThrottleEvents(options?: MetricOptions): Metric {
    return this.cannedMetric('WriteThrottleEvents', {}, 'Sum', options);
  }

  public metricConsumedReadCapacityUnits(options?: MetricOptions): Metric {
    return this.cannedMetric('ConsumedReadCapacityUnits', {}, 'Sum', options);
  }

  public metricConsumedWriteCapacityUnits(options?: MetricOptions): Metric {
    return this.cannedMetric('ConsumedWriteCapacityUnits', {}, 'Sum', options);
  }

  public metricSystemErrors(operation: Operation, options?: MetricOptions): Metric {
    return this.cannedMetric('SystemErrors', { Operation: operation }, 'Sum', options);
  }

  public metricSuccessfulRequestLatency(operation: Operation, options?: MetricOptions): Metric {
    return this.cannedMetric('SuccessfulRequestLatency', { Operation: operation }, 'Average', options);
  }

  private grant(grantee: IGrantable, actions: string[], keyActions: string[]): Grant {
    return grantWithKey(grantee, { actions, resourceArns: [this.tableArn], key: this.encryptionKey, keyActions });
  }

  private cannedMetric(metricName: string, dimensions: { [key: string]: string }, statistic: string, options?: MetricOptions): Metric {
    return resourceMetric(
      this.props.address,
      { namespace: 'AWS/DynamoDB', metricName, dimensionsMap: { TableName: this.tableName, ...dimensions }, statistic },
      options,
    );
  }
}

function checkKeys(partitionKey: string, sortKey?: string): void {
  checkKey('partitionKey', partitionKey);
  if (sortKey !== undefined) {
    checkKey('sortKey', sortKey);
  }
  if (sortKey === partitionKey) {
    throw new Error(`sortKey must be another attribute than partitionKey, got '${sortKey}' for both`);
  }
}

function checkKey(prop: string, attribute: string): void {
  if (Token.isUnresolved(attribute)) {
    throw new Error(`${prop} must be known at synth because a column of the SQL table is called like it, got a token`);
  }
  checkAttributeName(prop, attribute);
}

/** Refuses a concrete attribute name that DynamoDB would refuse as a key. */
export function checkAttributeName(prop: string, attribute: string | undefined): void {
  if (attribute === undefined || Token.isUnresolved(attribute)) {
    return;
  }
  const bytes = Buffer.byteLength(attribute);
  if (bytes < 1 || bytes > 255) {
    throw new Error(`${prop} must have 1 to 255 bytes in UTF-8, got ${bytes}`);
  }
}
