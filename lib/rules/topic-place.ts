import type { ConnectorBinding } from '../sql/connector';

/**
 * Cluster and name of the topic of a Kafka table, as they are compared: brokers are the same in any order.
 *
 * @param environment account and region: the same names mean something else elsewhere
 * @param binding a table
 * @returns undefined where the table has no topic, or several by a pattern
 */
export function topicPlace(environment: string, { options }: ConnectorBinding): string | undefined {
  const { topic, 'properties.bootstrap.servers': servers } = options;
  return topic === undefined ? undefined : JSON.stringify([environment, servers?.split(',').sort(), topic]);
}
