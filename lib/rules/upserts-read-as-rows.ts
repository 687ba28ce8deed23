import { Changes, type ConnectorBinding } from '../sql/connector';
import type { AppRule, JobOfApp } from './app-rule';

interface TopicTable {
  readonly table: string;
  readonly path: string;
  readonly topicName: string;
  /** Cluster and name of the topic. */
  readonly topic: string;
}

/** Tables of a job on Kafka topics, of those that are meant. */
function tables({ application, environment, path }: JobOfApp, meant: (binding: ConnectorBinding) => boolean): TopicTable[] {
  return application._bindings().flatMap(({ name, binding }) => {
    const { topic, 'properties.bootstrap.servers': servers } = binding.options;
    return topic !== undefined && meant(binding)
      ? [{ table: name, path, topicName: topic, topic: JSON.stringify([environment, servers, topic]) }]
      : [];
  });
}

const readsRows = ({ identifier, source }: ConnectorBinding) => identifier === 'kafka' && source?.changes === Changes.INSERT_ONLY;
const writesUpserts = ({ identifier, sink }: ConnectorBinding) => identifier === 'upsert-kafka' && sink !== undefined;

/** Each record of such a topic replaces the one before of its key; a plain reader takes it for one more row. */
export const upsertsReadAsRows: AppRule = {
  name: 'UpsertsReadAsRows',
  level: 'warning',
  looksAt: 'the Kafka tables of all jobs of the app',
  description: 'A `KafkaSource` of plain rows reads a topic that an `UpsertKafkaSink` of the app writes.',
  why: 'Each update of a row is one more row to it, which sums count again, and a delete is passed over, since its record has no value; no error tells. How many it sees depends on what compaction has left.',
  cure: 'Read the topic by `UpsertKafkaSource` with the same `primaryKey`. Acknowledge it where every version of a row is wanted, and deletes are not.',
  check: (job, earlier) => {
    const all = [...earlier, job];
    const writers = all.flatMap((one) => tables(one, writesUpserts));
    const readers = all.flatMap((one) => tables(one, readsRows));
    return readers.flatMap((reader) => {
      const writer = writers.find(({ topic }) => topic === reader.topic);
      // Told at the job that was added last of the two.
      return writer !== undefined && (reader.path === job.path || writer.path === job.path)
        ? [
            {
              table: reader.path === job.path ? reader.table : writer.table,
              message: `table '${reader.table}' of '${reader.path}' reads topic '${reader.topicName}' as rows that are only added, and table '${writer.table}' of '${writer.path}' writes upserts into it: each update is one more row, and a delete is passed over; read it by UpsertKafkaSource with the same primaryKey`,
            },
          ]
        : [];
    });
  },
};
