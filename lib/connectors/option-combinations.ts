import { TableRole } from '../sql/connector';
import { parseFlinkDuration } from '../sql/option-value';
import { asyncBufferComplaints } from './async-buffers';
import { isOpenSearchEndpoint } from './open-search-endpoint';
import { producerComplaints } from './producer-options';

/** The options of one table, as rules that need more than one option look at them. */
export interface OptionSet {
  /** Factory identifier. */
  readonly identifier: string;
  readonly role: TableRole;
  /** Names of the raw options. */
  readonly given: string[];
  /** Whether an option is set, by a raw option or a typed property. */
  readonly has: (option: string) => boolean;
  /** The value of a raw option where it is known at synth. */
  readonly literal: (option: string) => string | undefined;
}

/** Why options do not go together: each rule is one that a real factory has, or that shows only when the job runs. */
export function combinationComplaints(options: OptionSet): string[] {
  return [
    ...credentials(options),
    ...lookupCache(options),
    ...(RULES_BY_CONNECTOR[options.identifier] ?? []).flatMap((rule) => rule(options)),
  ];
}

type Rule = (options: OptionSet) => string[];

function needs({ has }: OptionSet, because: string, ...required: string[]): string[] {
  return required.filter((option) => !has(option)).map((option) => `${because} needs '${option}' too`);
}

function isSet(options: OptionSet, option: string, ...values: string[]): boolean {
  return values.includes(options.literal(option)?.toUpperCase() ?? '');
}

function credentials(options: OptionSet): string[] {
  const pair = ['username', 'password'];
  return pair.filter((option) => options.given.includes(option)).flatMap((option) => needs(options, `'${option}'`, ...pair));
}

function lookupCache(options: OptionSet): string[] {
  const evictions = [
    'lookup.partial-cache.max-rows',
    'lookup.partial-cache.expire-after-write',
    'lookup.partial-cache.expire-after-access',
  ];
  if (isSet(options, 'lookup.cache', 'PARTIAL') && !evictions.some(options.has)) {
    return [`'lookup.cache' = 'PARTIAL' needs a bound: '${evictions.join(`', '`)}'`];
  }
  const partial = options.given.find((option) => option.startsWith('lookup.partial-cache.'));
  return partial && (!options.has('lookup.cache') || isSet(options, 'lookup.cache', 'NONE'))
    ? [`'${partial}' has no effect without 'lookup.cache' = 'PARTIAL'`]
    : [];
}

/** Without a cache each row is a request of its own, which has to be meant. */
const lookupCacheChosen: Rule = ({ role, has }) =>
  role === TableRole.LOOKUP && !has('lookup.cache')
    ? [`'lookup.cache' is missing: 'PARTIAL' with a bound, or 'NONE' for a request for each row`]
    : [];

const elasticHosts: Rule = ({ literal }) => {
  const host = (literal('hosts') ?? '').split(';').find(isOpenSearchEndpoint);
  return host === undefined
    ? []
    : [
        `'hosts' names the Amazon OpenSearch endpoint '${host}', which the client of Elasticsearch refuses: use the identifier 'opensearch-2'`,
      ];
};

const bulkBackoff: Rule = (options) => {
  const [strategy, retries, delay] = ['strategy', 'max-retries', 'delay'].map((name) => `sink.bulk-flush.backoff.${name}`);
  if (isSet(options, strategy, 'CONSTANT', 'EXPONENTIAL')) {
    return needs(options, `'${strategy}'`, retries, delay);
  }
  return [retries, delay].filter((option) => options.given.includes(option)).flatMap((option) => needs(options, `'${option}'`, strategy));
};

const kafkaKey: Rule = (options) => {
  const pair = ['key.format', 'key.fields'];
  const incomplete = pair.filter((option) => options.given.includes(option)).flatMap((option) => needs(options, `'${option}'`, ...pair));
  return isSet(options, 'sink.partitioner', 'ROUND-ROBIN') && options.has('key.fields')
    ? [...incomplete, `'sink.partitioner' = 'round-robin' does not go with 'key.fields'`]
    : incomplete;
};

const kafkaKeyPrefix: Rule = (options) => {
  const fieldsKnown = !options.has('value.fields-include') || options.literal('value.fields-include') !== undefined;
  return options.given.includes('key.fields-prefix') && fieldsKnown && !isSet(options, 'value.fields-include', 'EXCEPT_KEY')
    ? [`'key.fields-prefix' needs 'value.fields-include' = 'EXCEPT_KEY'`]
    : [];
};

const kafkaOffsets: Rule = (options) =>
  ['startup', 'bounded'].flatMap((end) => {
    const mode = `scan.${end}.mode`;
    if (isSet(options, mode, 'TIMESTAMP')) {
      return needs(options, `'${mode}' = 'timestamp'`, `scan.${end}.timestamp-millis`);
    }
    if (isSet(options, mode, 'SPECIFIC-OFFSETS')) {
      return needs(options, `'${mode}' = 'specific-offsets'`, `scan.${end}.specific-offsets`);
    }
    return isSet(options, mode, 'GROUP-OFFSETS') ? needs(options, `'${mode}' = 'group-offsets'`, 'properties.group.id') : [];
  });

const kafkaTopic: Rule = ({ given, has }) =>
  (given.includes('topic') || given.includes('topic-pattern')) && has('topic') && has('topic-pattern')
    ? [`'topic' and 'topic-pattern' exclude each other`]
    : [];

const kafkaTransactions: Rule = (options) =>
  isSet(options, 'sink.delivery-guarantee', 'EXACTLY-ONCE')
    ? needs(options, `'sink.delivery-guarantee' = 'exactly-once'`, 'sink.transactional-id-prefix')
    : [];

const kafkaProducer: Rule = (options) =>
  options.role === TableRole.SINK ? producerComplaints(options.literal, isSet(options, 'sink.delivery-guarantee', 'EXACTLY-ONCE')) : [];

const upsertBuffer: Rule = (options) => {
  const rows = Number(options.literal('sink.buffer-flush.max-rows') ?? 0);
  const interval = parseFlinkDuration(options.literal('sink.buffer-flush.interval') ?? '0') ?? 0;
  const pair = ['sink.buffer-flush.max-rows', 'sink.buffer-flush.interval'];
  const known = pair.every((option) => !options.has(option) || options.literal(option) !== undefined);
  return known && rows > 0 !== interval > 0 ? [`'${pair.join(`' and '`)}' must both be greater than zero, or both be left out`] : [];
};

const jdbcPartitions: Rule = (options) => {
  const all = ['column', 'num', 'lower-bound', 'upper-bound'].map((name) => `scan.partition.${name}`);
  const first = all.find((option) => options.given.includes(option));
  if (first === undefined) {
    return [];
  }
  const [lower, upper] = [options.literal(all[2]), options.literal(all[3])];
  return lower !== undefined && upper !== undefined && BigInt(lower) > BigInt(upper)
    ? [`'${all[2]}' must not be larger than '${all[3]}', got '${lower}' and '${upper}'`]
    : needs(options, `'${first}'`, ...all);
};

const jdbcMode: Rule = (options) => {
  const url = options.literal('url');
  return options.given.includes('compatible-mode') && url !== undefined && !url.startsWith('jdbc:oceanbase:')
    ? [`'compatible-mode' is read for a 'jdbc:oceanbase:' url only`]
    : [];
};

/** `yyyy-MM-dd'T'HH:mm:ss.SSSXXX`, the default of `source.init.timestamp.format`, or seconds since the epoch. */
const KINESIS_TIMESTAMP = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{1,3}(Z|[+-]\d{2}:\d{2})|\d+(\.\d+)?)$/;

const kinesisStart: Rule = (options) => {
  const timestamp = options.literal('source.init.timestamp');
  if (isSet(options, 'source.init.position', 'AT_TIMESTAMP') && !options.has('source.init.timestamp')) {
    return needs(options, `'source.init.position' = 'AT_TIMESTAMP'`, 'source.init.timestamp');
  }
  // The factory accepts any text here; the job fails when it starts.
  return timestamp !== undefined && !options.has('source.init.timestamp.format') && !KINESIS_TIMESTAMP.test(timestamp)
    ? [`'source.init.timestamp' must be a time such as '2026-01-01T00:00:00.000Z' or seconds since 1970, got '${timestamp}'`]
    : [];
};

const kinesisFanOut: Rule = (options) =>
  isSet(options, 'source.reader.type', 'EFO') ? needs(options, `'source.reader.type' = 'EFO'`, 'source.efo.consumer.name') : [];

const awsCredentials: Rule = (options) =>
  isSet(options, 'aws.credentials.provider', 'BASIC')
    ? needs(options, `'aws.credentials.provider' = 'BASIC'`, 'aws.credentials.basic.accesskeyid', 'aws.credentials.basic.secretkey')
    : [];

const asyncBuffers: Rule = ({ identifier, role, has, literal }) =>
  role === TableRole.SINK ? asyncBufferComplaints(identifier, has, literal) : [];

const dataGenSequence: Rule = (options) =>
  options.given
    .filter((option) => /^fields\..+\.kind$/.test(option) && isSet(options, option, 'SEQUENCE'))
    .flatMap((option) => needs(options, `'${option}' = 'sequence'`, ...['start', 'end'].map((end) => option.replace(/kind$/, end))));

const RULES_BY_CONNECTOR: { [identifier: string]: Rule[] } = {
  'elasticsearch-7': [bulkBackoff, elasticHosts, lookupCacheChosen],
  opensearch: [bulkBackoff],
  'opensearch-2': [bulkBackoff],
  'opensearch-3': [bulkBackoff],
  kafka: [kafkaKey, kafkaKeyPrefix, kafkaOffsets, kafkaTopic, kafkaTransactions, kafkaProducer],
  'upsert-kafka': [kafkaKeyPrefix, kafkaOffsets, kafkaTopic, kafkaTransactions, kafkaProducer, upsertBuffer],
  jdbc: [jdbcPartitions, jdbcMode, lookupCacheChosen],
  mongodb: [lookupCacheChosen],
  kinesis: [kinesisStart, kinesisFanOut, awsCredentials, asyncBuffers],
  firehose: [awsCredentials, asyncBuffers],
  dynamodb: [awsCredentials, asyncBuffers],
  sqs: [awsCredentials, asyncBuffers],
  datagen: [dataGenSequence],
};
