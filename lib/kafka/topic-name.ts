import { Token } from 'aws-cdk-lib';
import { createHash } from 'crypto';

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
