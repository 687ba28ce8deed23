import { Token } from 'aws-cdk-lib';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import { DimensionTable } from '../../lib/aws/dimension-table';
import { EventStream } from '../../lib/aws/event-stream';
import { checkRegion } from '../../lib/aws/region';
import { KafkaCluster } from '../../lib/kafka/kafka-cluster';

test('every region that the CDK knows, and some that are to come', () => {
  for (const region of [...RegionInfo.regions.map(({ name }) => name), 'eusc-de-east-1', 'us-isof-south-1', 'mx-central-1']) {
    expect(() => checkRegion('streamArn', region)).not.toThrow();
  }
});

test.each(['eu-wst-1', 'eu-cental-1', 'eu-central', 'eucentral-1', 'europe-west-1', 'eu-central-1a', 'eu-central-11', ''])(
  '%s is none',
  (region) => {
    expect(() => checkRegion('streamArn', region)).toThrow(`streamArn must name an AWS region such as 'eu-central-1', got '${region}'`);
  },
);

test('a literal ARN is refused for it, a token passes', () => {
  expect(() => EventStream.external({ streamArn: 'arn:aws:kinesis:eu-wst-1:111122223333:stream/in', shardCount: 1 })).toThrow(
    "got 'eu-wst-1'",
  );
  expect(() => DimensionTable.external({ tableArn: 'arn:aws:dynamodb:eu-wst-1:111122223333:table/t', partitionKey: 'id' })).toThrow(
    "got 'eu-wst-1'",
  );
  const msk = (clusterArn: string) => KafkaCluster.msk({ clusterArn, bootstrapServers: ['b:9098'] });
  expect(() => msk('arn:aws:kafka:eu-wst-1:111122223333:cluster/shop/1-2')).toThrow(
    "clusterArn must name an AWS region such as 'eu-central-1', got 'eu-wst-1'",
  );
  expect(() => msk('arn:aws:kafka:eu-west-1:111122223333:cluster/shop/1-2')).not.toThrow();
  expect(() => msk(Token.asString({ Ref: 'Arn' }))).not.toThrow();
});
