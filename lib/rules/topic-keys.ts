import type { ConnectorBinding } from '../sql/connector';
import type { AppRule, JobOfApp } from './app-rule';
import { topicPlace } from './topic-place';

interface Writer {
  readonly table: string;
  readonly path: string;
  /** Cluster and name of the topic. */
  readonly topic: string;
  readonly topicName: string;
  /** Columns of the key, by the names that they have in the record. */
  readonly columns: string[];
  /** Format of the key, in words. */
  readonly format: string;
  /** Whether its records replace one another by key: it upserts, or its topic is compacted. */
  readonly replaces: boolean;
}

/** Tables of a job that write records with a key. */
function writers({ application, environment, path }: JobOfApp): Writer[] {
  return application._bindings().flatMap(({ name, binding }) => {
    const columns = told('record key: ', binding);
    const format = told('key format: ', binding);
    const topic = topicPlace(environment, binding);
    return binding.sink && topic !== undefined && columns !== undefined && format !== undefined
      ? [
          {
            table: name,
            path,
            topic,
            topicName: binding.options.topic!,
            columns: columns.split(', '),
            format,
            replaces: binding.identifier === 'upsert-kafka' || /compact/.test(told('cleanup policy: ', binding) ?? ''),
          },
        ]
      : [];
  });
}

/** What the contract of a table says of something. */
function told(what: string, { contract = [] }: ConnectorBinding): string | undefined {
  return contract.find((line) => line.startsWith(what))?.slice(what.length);
}

/** Formats whose records hold values in their order, and no names. */
const NAMELESS = /^(raw|csv|avro)$/;

/** Whether one row has the same key in both, as far as names tell. */
function sameKey(left: Writer, right: Writer): boolean {
  if (left.format !== right.format || left.columns.length !== right.columns.length) {
    return false;
  }
  const inOrder = left.columns.every((column, index) => column === right.columns[index]);
  const reordered = left.columns.every((column) => right.columns.includes(column));
  return inOrder || (NAMELESS.test(left.format) && !reordered);
}

function inWords({ columns, format }: Writer): string {
  return `record key: ${columns.join(', ')}, key format: ${format}`;
}

/** Kafka compares keys byte for byte. */
export const topicKeys: AppRule = {
  name: 'TopicKeys',
  level: 'error',
  looksAt: 'the key columns, their order and the key formats of all tables of the app that write one topic',
  description: 'Two tables write one topic with different keys, one of them by upserts, or the topic is compacted.',
  why: 'The same row has two keys then: compaction keeps both, a delete by one table leaves the row of the other, and a partition no longer holds all changes of a row.',
  cure: 'Give both tables the same `primaryKey`, in the same order, and the same `keyFormat`; or a topic each. Keys in `raw`, `csv` and `avro` hold no names: columns that are called otherwise, in the same number, pass.',
  check: (job, earlier) => {
    const own = writers(job);
    return own.flatMap((writer, index) => {
      const other = [...earlier.flatMap(writers), ...own.slice(0, index)].find(
        (candidate) => candidate.topic === writer.topic && (candidate.replaces || writer.replaces) && !sameKey(candidate, writer),
      );
      return other
        ? [
            {
              table: writer.table,
              message: `table '${writer.table}' of '${writer.path}' and table '${other.table}' of '${other.path}' write topic '${writer.topicName}' with different keys (${inWords(writer)}; ${inWords(other)}): the same row would be there twice; give both the same primaryKey, in one order, and the same key format`,
            },
          ]
        : [];
    });
  },
};
