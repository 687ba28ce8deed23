import { instance } from '../sql/required-props';

/*
 * What props of connectors must be, for `requireProps`. An object of the class is told by members that the AWS CDK's class of
 * the same thing has not.
 */

export const FORMAT = instance('a Format, such as Format.json()', '_options', '_contract');
export const CREDENTIALS = instance('Credentials, such as Credentials.of(user, secret)', '_options', '_secrets');
export const LOOKUP_CACHE = instance('a LookupCache: LookupCache.none() or LookupCache.partial(…)', '_options', 'cachesMissingKeys');
export const ARTIFACT = instance('an Artifact, such as Artifact.file(path)', 'coordinate', 'path');
export const EVENT_STREAM = instance(
  'an EventStream; EventStream.fromStream takes a Stream of aws-kinesis',
  'streamArn',
  'grantReadWithEnhancedFanOut',
);
export const DIMENSION_TABLE = instance(
  'a DimensionTable; DimensionTable.fromTable takes a Table of aws-dynamodb',
  'tableArn',
  'grantLookup',
);
export const DELIVERY_STREAM = instance(
  'an ArchiveDeliveryStream; ArchiveDeliveryStream.fromDeliveryStreamAttributes takes another one',
  'deliveryStreamName',
  'grantPut',
);
export const KAFKA_TOPIC = instance('a KafkaTopic; KafkaTopic.fromTopicAttributes takes an existing one', 'topicName', 'cluster');
