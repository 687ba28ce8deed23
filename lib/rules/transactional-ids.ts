import { Duration } from 'aws-cdk-lib';
import { checkpointSpacing } from '../application/checkpoint-spacing';
import type { FlinkApplication } from '../application/flink-application';
import type { Rule } from './rule';

/** What brokers remember of an id that is no longer used: Kafka's default of `transactional.id.expiration.ms`. */
const REMEMBERED = Duration.days(7);
const MANY_IDS = 500_000;

interface NamingSink {
  readonly table: string;
  readonly writers: number;
}

/** Exactly-once sinks whose transactions have new names, by their Kafka cluster. */
function naming(application: FlinkApplication): Map<string, NamingSink[]> {
  const sinks = new Map<string, NamingSink[]>();
  for (const { name, binding } of application._bindings()) {
    const { sink, options } = binding;
    if (sink?.transactions && options['sink.transaction-naming-strategy']?.toUpperCase() !== 'POOLING') {
      const writers = sink.writers ?? Math.min(sink.splits?.count ?? application.parallelism, application.parallelism);
      const { clusterId } = sink.transactions;
      sinks.set(clusterId, [...(sinks.get(clusterId) ?? []), { table: name, writers }]);
    }
  }
  return sinks;
}

/** Each writer opens a transaction of a new name at each checkpoint. */
export const transactionalIds: Rule = {
  name: 'TransactionalIds',
  level: 'warning',
  looksAt: 'interval and least pause of the checkpoints, and writers of all exactly-once Kafka sinks of the job in one cluster',
  description: 'Exactly-once Kafka sinks use more than 500,000 transactional ids in the 7 days for which brokers remember them.',
  why: 'Each writer takes a new id at each checkpoint. Brokers keep all of them in memory, and are slow to start or run out of it.',
  cure: 'Raise `checkpointing.interval`, lower `writers`, or give `transactionNaming: TransactionNaming.POOLING` from Kafka 3.0 on. Acknowledge it where brokers forget ids sooner.',
  check: (application) => {
    const { rhythm } = checkpointSpacing(application.settings.checkpointing);
    return [...naming(application)].flatMap(([, sinks]) => {
      const writers = sinks.reduce((sum, sink) => sum + sink.writers, 0);
      const ids = Math.round((writers * REMEMBERED.toMilliseconds()) / rhythm.toMilliseconds());
      const [{ table }] = sinks as [NamingSink];
      const of = sinks.length === 1 ? `table '${table}'` : `tables ${sinks.map((sink) => `'${sink.table}'`).join(', ')}`;
      return ids > MANY_IDS
        ? [
            {
              ...(sinks.length === 1 && { table }),
              message: `the ${writers} writers of exactly-once ${of} of job '${application.jobName}' take ${ids} transactional ids in 7 days, with a checkpoint every ${rhythm.toHumanString()}: brokers keep them all in memory; raise checkpointing.interval, lower writers, or use TransactionNaming.POOLING`,
            },
          ]
        : [];
    });
  },
};
