import type { ConnectorBinding } from '../sql/connector';
import { addressPlace, type JobPlace } from './job-place';

/**
 * Cluster and name of the topic of a Kafka table, as they are compared: brokers are the same in any order.
 *
 * @param place where the job is
 * @param binding a table
 * @returns undefined where the table has no topic, or several by a pattern
 */
export function topicPlace(place: JobPlace, { options }: ConnectorBinding): string | undefined {
  const { topic, 'properties.bootstrap.servers': servers = '' } = options;
  return topic === undefined ? undefined : JSON.stringify([addressPlace(place, servers), topic]);
}
