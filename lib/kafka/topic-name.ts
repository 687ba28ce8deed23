import { Token } from 'aws-cdk-lib';
import { createHash } from 'crypto';
import { printed, withoutTokens } from '../sql/printed';

/**
 * Refuses what Kafka does not take as the name of a topic (apache/kafka, `Topic.java`).
 *
 * @param name the name, a token passes
 */
export function checkTopicName(name: string): void {
  if (Token.isUnresolved(name)) {
    return;
  }
  if (!/^[A-Za-z0-9._-]{1,249}$/.test(name) || name === '.' || name === '..') {
    throw new Error(
      `topicName must have 1 to 249 characters out of letters, digits, '.', '_' and '-', and not be '.' or '..', got '${name}'`,
    );
  }
}

/**
 * Refuses a consumer group or a prefix of transactional ids that is empty, or that would be a pattern in the policy of a grant: `*` gives
 * the groups of every job.
 *
 * @param prop the prop that gave the name, for the message
 * @param name the name; an unset one or a token passes
 */
export function checkKafkaName(prop: string, name: string | undefined): void {
  if (name === undefined) {
    return;
  }
  const literal = withoutTokens(name);
  if (literal.trim() === '') {
    throw new Error(`${prop} must not be empty, got '${literal}'`);
  }
  if (/[*?]|\$\{/.test(literal)) {
    throw new Error(`${prop} must not hold '*', '?' or '\${', which have a meaning in a policy, got ${printed(name)}`);
  }
}

/**
 * A Kubernetes name close to that of a topic: lower case, no underscores.
 *
 * @param topicName literal name of the topic
 */
export function kubernetesName(topicName: string): string {
  const name = topicName
    .toLowerCase()
    .replace(/_/g, '-')
    .split('.')
    .map((label) => label.replace(/^-+|-+$/g, ''))
    .filter((label) => label !== '')
    .join('.');
  return name === '' ? `topic-${createHash('sha256').update(topicName).digest('hex').slice(0, 8)}` : name;
}
