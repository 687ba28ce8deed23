import { Changes, type ConnectorBinding } from '../sql/connector';
import type { AppRule, JobOfApp } from './app-rule';
import { topicPlace } from './topic-place';
import { valueFormat } from './value-format';

interface TopicTable {
  readonly table: string;
  readonly path: string;
  readonly topicName: string;
  /** Cluster and name of the topic. */
  readonly topic: string;
  /** What reading a record without a value comes to. */
  readonly deleted: string;
}

/** Tables of a job on Kafka topics, of those that are meant. */
function tables({ application, place, path }: JobOfApp, meant: (binding: ConnectorBinding) => boolean): TopicTable[] {
  return application._bindings().flatMap(({ name, binding }) => {
    const topic = topicPlace(place, binding);
    return topic !== undefined && meant(binding)
      ? [{ table: name, path, topicName: binding.options.topic!, topic, deleted: deletedIn(binding) }]
      : [];
  });
}

/** Of the formats only raw makes a row of no value. */
function deletedIn({ options }: ConnectorBinding): string {
  return (options['value.format'] ?? options.format) === 'raw' ? 'one with NULL, at which a NOT NULL column fails the job' : 'passed over';
}

/** What a JAR makes of a record is its own affair: it has no format. */
const readsRows = (binding: ConnectorBinding) =>
  binding.identifier === 'kafka' && binding.source?.changes === Changes.INSERT_ONLY && valueFormat(binding) !== undefined;
const writesUpserts = ({ identifier, sink }: ConnectorBinding) => identifier === 'upsert-kafka' && sink !== undefined;

/** Each record of such a topic replaces the one before of its key; a plain reader takes it for one more row. */
export const upsertsReadAsRows: AppRule = {
  name: 'UpsertsReadAsRows',
  level: 'warning',
  looksAt: 'the Kafka tables of all jobs of the app',
  description: 'A `KafkaSource` of plain rows reads a topic that an `UpsertKafkaSink` of the app writes.',
  why: 'Each update of a row is one more row to it, which sums count again. The record of a delete has no value: it is passed over, and in `raw` it is a row with NULL, at which a NOT NULL column fails the job. Nothing else tells of it. How many it sees depends on what compaction has left.',
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
              message: `table '${reader.table}' of '${reader.path}' reads topic '${reader.topicName}' as rows that are only added, and table '${writer.table}' of '${writer.path}' writes upserts into it: each update is one more row, and a delete is ${reader.deleted}; read it by UpsertKafkaSource with the same primaryKey`,
            },
          ]
        : [];
    });
  },
};
