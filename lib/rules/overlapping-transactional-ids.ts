import type { AppRule, JobOfApp } from './app-rule';
import { clusterPlace } from './job-place';

interface Writer {
  readonly table: string;
  readonly path: string;
  readonly prefix: string;
  readonly topicName: string;
  /** Cluster and name of the topic. */
  readonly topic: string;
  /** Whether it looks for transactions of its prefix when it starts, and aborts them. */
  readonly pools: boolean;
}

/** Exactly-once Kafka tables of a job. */
function writers({ application, place, path }: JobOfApp): Writer[] {
  return application._bindings().flatMap(({ name, binding }) => {
    const prefix = application._accessContext(name).transactionalIdPrefix;
    const { topic, 'sink.transaction-naming-strategy': naming } = binding.options;
    const { transactions } = binding.sink ?? {};
    return transactions !== undefined && prefix !== undefined && topic !== undefined
      ? [
          {
            table: name,
            path,
            prefix,
            topicName: topic,
            topic: JSON.stringify([clusterPlace(place, transactions.clusterId), topic]),
            pools: naming?.toUpperCase() === 'POOLING',
          },
        ]
      : [];
  });
}

/** Whether one aborts what the other has open. Equal prefixes are refused where jobs are made, whatever the topic. */
function aborts(one: Writer, other: Writer): boolean {
  return one.pools && one.topic === other.topic && one.prefix !== other.prefix && other.prefix.startsWith(one.prefix);
}

/** The connector asks the topic for open transactions, and takes those whose name begins like its own for left over. */
export const overlappingTransactionalIds: AppRule = {
  name: 'OverlappingTransactionalIds',
  level: 'error',
  looksAt: 'the transactional id prefixes of all exactly-once tables of the app that write one topic',
  description: 'A table with `TransactionNaming.POOLING` has a prefix with which that of another table of its topic begins, too.',
  why: 'When its job starts it aborts every open transaction of the topic whose id begins with its prefix, also those of the other table: rows that a checkpoint has written are lost.',
  cure: 'Give one of them a `transactionalIdPrefix` with which the other does not begin, or write by the default, `INCREMENTING`.',
  check: (job, earlier) => {
    const own = writers(job);
    return own.flatMap((writer, index) => {
      const others = [...earlier.flatMap(writers), ...own.slice(0, index)];
      const other = others.find((candidate) => aborts(writer, candidate) || aborts(candidate, writer));
      if (other === undefined) {
        return [];
      }
      const [pool, victim] = aborts(writer, other) ? [writer, other] : [other, writer];
      return [
        {
          table: writer.table,
          message: `table '${pool.table}' of '${pool.path}' aborts each open transaction of topic '${writer.topicName}' that begins with '${pool.prefix}' when it starts, and those of table '${victim.table}' of '${victim.path}' begin with '${victim.prefix}': their rows would be lost; give one of them another transactionalIdPrefix`,
        },
      ];
    });
  },
};
