import { SqlProgram } from '../sql/sql-program';
import type { AppRule, JobOfApp } from './app-rule';
import { isSameKey, keyInWords, type RecordKey, recordKey } from './record-key';
import { topicPlace } from './topic-place';

interface Writer {
  readonly table: string;
  readonly path: string;
  /** Cluster and name of the topic. */
  readonly topic: string;
  readonly topicName: string;
  readonly key: RecordKey;
  /** Whether its records replace one another by key: it upserts, or its topic is compacted. */
  readonly replaces: boolean;
}

/** Tables of a job that write records with a key. */
function writers({ application: { program }, place, path }: JobOfApp): Writer[] {
  return program instanceof SqlProgram
    ? program._usedTables().flatMap((table) => {
        const { name, binding } = table;
        const topic = topicPlace(place, binding);
        const key = recordKey(table);
        const replaces = binding.identifier === 'upsert-kafka' || binding.sink?.compacted === true;
        return binding.sink && topic !== undefined && key !== undefined
          ? [{ table: name, path, topic, topicName: binding.options.topic!, key, replaces }]
          : [];
      })
    : [];
}

/** Kafka compares keys byte for byte. */
export const topicKeys: AppRule = {
  name: 'TopicKeys',
  level: 'error',
  looksAt:
    'the key columns, their order, their types and the key formats of all tables of the app that write one topic, those of a `CustomConnector` too',
  description: 'Two tables write one topic with different keys, one of them by upserts, or the topic is compacted.',
  why: 'The same row has two keys then: compaction keeps both, a delete by one table leaves the row of the other, and a partition no longer holds all changes of a row.',
  cure: 'Give both tables the same `primaryKey`, in the same order, and the same `keyFormat`; or a topic each. Keys in `raw`, `csv` and `avro` hold no names: columns that are called otherwise, in the same number, pass. A number, a boolean and a text are different keys but in `csv`.',
  check: (job, earlier) => {
    const own = writers(job);
    return own.flatMap((writer, index) => {
      const other = [...earlier.flatMap(writers), ...own.slice(0, index)].find(
        (candidate) => candidate.topic === writer.topic && (candidate.replaces || writer.replaces) && !isSameKey(candidate.key, writer.key),
      );
      return other
        ? [
            {
              table: writer.table,
              message: `table '${writer.table}' of '${writer.path}' and table '${other.table}' of '${other.path}' write topic '${writer.topicName}' with different keys (${keyInWords(writer.key, other.key)}; ${keyInWords(other.key, writer.key)}): the same row would be there twice; give both the same primaryKey, in one order, and the same key format`,
            },
          ]
        : [];
    });
  },
};
