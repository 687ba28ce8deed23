import { Duration, RemovalPolicy, Size, type Stack } from 'aws-cdk-lib';
import { ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { ShardLevelMetrics, Stream } from 'aws-cdk-lib/aws-kinesis';
import { Compression } from 'aws-cdk-lib/aws-kinesisfirehose';
import { ArchiveDeliveryStream, DimensionTable, EventStream } from '../lib';

export function eventStreams(stack: Stack): void {
  // 12 shards, because you say so.
  const events = new EventStream(stack, 'Events', { streamName: 'user-events', shardCount: 12 });

  // 9 shards, because 9,000 records/s need them.
  new EventStream(stack, 'Orders', {
    load: { writtenPerSecond: Size.mebibytes(6), recordsPerSecond: 9_000, pollingConsumers: 2 },
    retentionPeriod: Duration.days(7),
    shardLevelMetrics: [ShardLevelMetrics.ITERATOR_AGE_MILLISECONDS],
  });

  // As many shards as the load needs; jobs plan for 8.
  new EventStream(stack, 'Spiky', { onDemand: true, expectedShardCount: 8 });

  const producer = new Role(stack, 'Producer', { assumedBy: new ServicePrincipal('ecs-tasks.amazonaws.com') });
  events.grantWrite(producer);
  events.metricIteratorAge().createAlarm(stack, 'JobIsBehind', {
    threshold: Duration.minutes(5).toMilliseconds(),
    evaluationPeriods: 1,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    treatMissingData: TreatMissingData.BREACHING,
  });
}

export function existingStreams(stack: Stack): void {
  // An L2 of this app: shards and retention are read from it.
  EventStream.fromStream(new Stream(stack, 'Logs', { shardCount: 4 }));

  // A stream that exists already.
  EventStream.fromStreamAttributes(stack, 'Clicks', {
    streamArn: 'arn:aws:kinesis:eu-central-1:111122223333:stream/clicks',
    shardCount: 6,
  });

  // The same without a stack, for a plain cdk8s app.
  EventStream.external({ streamArn: 'arn:aws:kinesis:eu-central-1:111122223333:stream/clicks', shardCount: 6 });
}

export function dimensionTables(stack: Stack): void {
  new DimensionTable(stack, 'Users', { tableName: 'user-dim', partitionKey: 'user_id' });
  new DimensionTable(stack, 'Prices', {
    tableName: 'price-dim',
    partitionKey: 'sku',
    sortKey: 'valid_from',
    sortKeyType: AttributeType.NUMBER,
    timeToLiveAttribute: 'expires_at',
    maxReadRequestUnits: 5_000,
    removalPolicy: RemovalPolicy.DESTROY,
    deletionProtection: false,
  });
}

export function archives(stack: Stack): void {
  new ArchiveDeliveryStream(stack, 'Archive', {
    deliveryStreamName: 'raw-logs-archive',
    bufferingInterval: Duration.seconds(300),
    bufferingSize: Size.mebibytes(4),
    compression: Compression.GZIP,
    prefix: 'raw/!{timestamp:yyyy/MM/dd}/',
    infrequentAccessAfter: Duration.days(30),
  });
}
