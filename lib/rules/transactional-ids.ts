import { Duration } from 'aws-cdk-lib';
import type { Rule } from './rule';

/** What brokers remember of an id that is no longer used: Kafka's default of `transactional.id.expiration.ms`. */
const REMEMBERED = Duration.days(7);
const MANY_IDS = 500_000;

/** Each writer opens a transaction of a new name at each checkpoint. */
export const transactionalIds: Rule = {
  name: 'TransactionalIds',
  level: 'warning',
  looksAt: 'checkpoint interval and writers of exactly-once Kafka sinks',
  description: 'Exactly-once Kafka sinks use more than 500,000 transactional ids in the 7 days for which brokers remember them.',
  why: 'Each writer takes a new id at each checkpoint. Brokers keep all of them in memory, and are slow to start or run out of it.',
  cure: 'Raise `checkpointing.interval`, lower `writers`, or give `transactionNaming: TransactionNaming.POOLING` from Kafka 3.0 on. Acknowledge it where brokers forget ids sooner.',
  check: (application) => {
    const { interval = Duration.minutes(1) } = application.settings.checkpointing;
    if (interval.isUnresolved()) {
      return [];
    }
    return application._bindings().flatMap(({ name, binding }) => {
      const { sink, options } = binding;
      if (!sink?.transactions || options['sink.transaction-naming-strategy'] === 'POOLING') {
        return [];
      }
      const writers = sink.writers ?? Math.min(sink.splits?.count ?? application.parallelism, application.parallelism);
      const ids = Math.round((writers * REMEMBERED.toMilliseconds()) / interval.toMilliseconds());
      return ids > MANY_IDS
        ? [
            {
              table: name,
              message: `the ${writers} writers of exactly-once table '${name}' of job '${application.jobName}' take ${ids} transactional ids in 7 days, with a checkpoint every ${interval.toHumanString()}: brokers keep them all in memory; raise checkpointing.interval, lower writers, or use TransactionNaming.POOLING`,
            },
          ]
        : [];
    });
  },
};
