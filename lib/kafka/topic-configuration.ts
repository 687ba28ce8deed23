import { Fn, Stack, Token } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/** What a broker does with old records. */
export enum CleanupPolicy {
  /** Records are deleted after the retention. */
  DELETE = 'delete',
  /** The last record of each key is kept for ever. */
  COMPACT = 'compact',
  /** The last record of each key is kept, until the retention ends. */
  COMPACT_AND_DELETE = 'compact,delete',
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
