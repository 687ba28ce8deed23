import { DeliveryGuarantee } from '../sql/connector';
import type { Rule } from './rule';

const ACKS = 'properties.acks';

/** A record that only the leader has is gone with the leader; Flink has counted it as written. */
export const unconfirmedWrites: Rule = {
  name: 'UnconfirmedWrites',
  level: 'warning',
  looksAt: '`properties.acks` in the options of Kafka sinks',
  description: 'A Kafka sink of the guarantee `AT_LEAST_ONCE` sets `properties.acks` to `0` or `1`.',
  why: 'The broker confirms what its followers do not have yet. When it fails these records are gone, and the checkpoint that counted them stays. Kafka also ends idempotence with it: a retry may put an older row of a key behind a newer one.',
  cure: 'Leave the option out: the producer waits for all in-sync copies. Acknowledge it where rows may be lost.',
  check: (application) =>
    application
      ._bindings()
      .filter(({ binding }) => binding.sink?.guarantee === DeliveryGuarantee.AT_LEAST_ONCE)
      .filter(({ binding }) => /^\s*[01]\s*$/.test(binding.options[ACKS] ?? ''))
      .map(({ name, binding }) => ({
        table: name,
        message: `table '${name}' of job '${application.jobName}' is to lose nothing and sets '${ACKS}' to '${binding.options[ACKS]}': when a broker fails, records are gone that a checkpoint has counted; leave the option out, or acknowledge this where rows may be lost`,
      })),
};
