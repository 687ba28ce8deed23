import type { AppRule, JobOfApp } from './app-rule';

interface Writer {
  readonly table: string;
  readonly path: string;
  /** Cluster and name of the topic. */
  readonly topic: string;
  readonly topicName: string;
  /** Columns and format of the key, in words. */
  readonly key: string;
  /** Whether it writes rows that replace one another by key. */
  readonly upserts: boolean;
}

/** Tables of a job that write records with a key. */
function writers({ application, environment, path }: JobOfApp): Writer[] {
  return application._bindings().flatMap(({ name, binding }) => {
    const key = (binding.contract ?? []).filter((line) => /^(record key: (?!none$)|key format: )/.test(line)).join(', ');
    const { topic, 'properties.bootstrap.servers': servers } = binding.options;
    return binding.sink && topic !== undefined && key !== ''
      ? [
          {
            table: name,
            path,
            topic: JSON.stringify([environment, servers, topic]),
            topicName: topic,
            key,
            upserts: binding.identifier === 'upsert-kafka',
          },
        ]
      : [];
  });
}

/** Kafka compares keys byte for byte. */
export const topicKeys: AppRule = {
  name: 'TopicKeys',
  level: 'error',
  looksAt: 'the key columns, their order and the key formats of all tables of the app that write one topic',
  description: 'Two tables write one topic with different keys, one of them by upserts.',
  why: 'The same row has two keys then: compaction keeps both, a delete by one table leaves the row of the other, and a partition no longer holds all changes of a row.',
  cure: 'Give both tables the same `primaryKey`, in the same order, and the same `keyFormat`; or a topic each.',
  check: (job, earlier) => {
    const own = writers(job);
    return own.flatMap((writer, index) => {
      const other = [...earlier.flatMap(writers), ...own.slice(0, index)].find(
        ({ topic, key, upserts }) => topic === writer.topic && key !== writer.key && (upserts || writer.upserts),
      );
      return other
        ? [
            {
              table: writer.table,
              message: `table '${writer.table}' of '${writer.path}' and table '${other.table}' of '${other.path}' write topic '${writer.topicName}' with different keys (${writer.key}; ${other.key}): the same row would be there twice; give both the same primaryKey, in one order, and the same key format`,
            },
          ]
        : [];
    });
  },
};
