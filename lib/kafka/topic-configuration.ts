import { Fn, Stack, Token } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { didYouMean } from '../sql/nearest-names';

/** What a broker does with old records. */
export enum CleanupPolicy {
  /** Records are deleted after the retention. */
  DELETE = 'delete',
  /** The last record of each key is kept for ever. */
  COMPACT = 'compact',
  /** The last record of each key is kept, until the retention ends. */
  COMPACT_AND_DELETE = 'compact,delete',
}

/** Every setting of a topic in Kafka 4.2 (`TopicConfig`), and those that brokers of the last years still take. */
const TOPIC_SETTINGS = [
  'cleanup.policy',
  'compression.gzip.level',
  'compression.lz4.level',
  'compression.type',
  'compression.zstd.level',
  'delete.retention.ms',
  'file.delete.delay.ms',
  'flush.messages',
  'flush.ms',
  'follower.replication.throttled.replicas',
  'index.interval.bytes',
  'leader.replication.throttled.replicas',
  'local.retention.bytes',
  'local.retention.ms',
  'max.compaction.lag.ms',
  'max.message.bytes',
  'message.downconversion.enable',
  'message.format.version',
  'message.timestamp.after.max.ms',
  'message.timestamp.before.max.ms',
  'message.timestamp.difference.max.ms',
  'message.timestamp.type',
  'min.cleanable.dirty.ratio',
  'min.compaction.lag.ms',
  'min.insync.replicas',
  'preallocate',
  'remote.log.copy.disable',
  'remote.log.delete.on.disable',
  'remote.storage.enable',
  'retention.bytes',
  'retention.ms',
  'segment.bytes',
  'segment.index.bytes',
  'segment.jitter.ms',
  'segment.ms',
  'unclean.leader.election.enable',
];

/**
 * Refuses settings that no topic has: the service that makes the topic would refuse them when it is deployed.
 *
 * @param config topic settings, of which values may be tokens
 */
export function checkTopicConfiguration(config: { [key: string]: string }): void {
  const other = Object.entries(config).find(([, value]) => typeof value !== 'string');
  if (other !== undefined) {
    throw new Error(`config must have values of text, got a ${typeof other[1]} for '${other[0]}'`);
  }
  const unknown = Object.keys(config).find((key) => !Token.isUnresolved(key) && !TOPIC_SETTINGS.includes(key));
  if (unknown !== undefined) {
    const help = didYouMean(unknown, TOPIC_SETTINGS) || '; its settings: https://kafka.apache.org/documentation/#topicconfigs';
    throw new Error(`config holds '${unknown}', which is no setting of a Kafka topic${help}`);
  }
  const wrong = Object.entries(config).find(([key, value]) => !Token.isUnresolved(value) && !fitsSetting(key, value));
  if (wrong !== undefined) {
    throw new Error(
      `config must hold ${RATIO.test(wrong[0]) ? 'a number from 0 to 1' : 'a whole number'} for '${wrong[0]}', got '${wrong[1]}'`,
    );
  }
}

const RATIO = /\.ratio$/;

function fitsSetting(key: string, value: string): boolean {
  if (RATIO.test(key)) {
    return /^\s*(0?\.\d+|[01](\.0*)?)\s*$/.test(value);
  }
  return !/\.(ms|bytes|messages)$/.test(key) || /^\s*-?\d+\s*$/.test(value);
}

/**
 * Refuses bounds of compaction that exclude each other: the broker would refuse the topic, and the job that writes it would wait for it.
 *
 * @param config all settings of the topic
 */
export function checkCompactionLag(config: { [key: string]: string }): void {
  const [least, most] = [config['min.compaction.lag.ms'], config['max.compaction.lag.ms']];
  const known = least !== undefined && most !== undefined && !Token.isUnresolved(least) && !Token.isUnresolved(most);
  if (known && Number(least) > Number(most)) {
    throw new Error(
      `'min.compaction.lag.ms' of a topic must be at most its 'max.compaction.lag.ms', ${most} here, got ${least}: the broker refuses such a topic; lower it, or set the other in config`,
    );
  }
}

/**
 * The topic configuration as `AWS::MSK::Topic` takes it: Base64 of a JSON object of strings.
 *
 * @param scope construct in the stack of the topic
 * @param config topic settings
 */
export function encodeTopicConfiguration(scope: IConstruct, config: { [key: string]: string }): string {
  const json = JSON.stringify(config);
  return Token.isUnresolved(json) ? Fn.base64(Stack.of(scope).toJsonString(config)) : Buffer.from(json, 'utf8').toString('base64');
}

/**
 * Cleanup policy of a topic configuration.
 *
 * @param text value of `cleanup.policy`
 */
export function parseCleanupPolicy(text: string): CleanupPolicy {
  if (Token.isUnresolved(text)) {
    throw new Error('cleanup.policy must be known at synth: what may write to the topic depends on it; got a token');
  }
  const policies = text.split(',').map((policy) => policy.trim());
  const known = policies.every((policy) => policy === 'compact' || policy === 'delete');
  if (!known) {
    throw new Error(`cleanup.policy must be 'delete', 'compact' or 'compact,delete', got '${text}'`);
  }
  if (policies.includes('compact')) {
    return policies.includes('delete') ? CleanupPolicy.COMPACT_AND_DELETE : CleanupPolicy.COMPACT;
  }
  return CleanupPolicy.DELETE;
}
