import { type ConnectorBinding, DeliveryGuarantee } from '../sql/connector';
import type { Rule } from './rule';

const ACKS = 'properties.acks';
const IDEMPOTENCE = 'properties.enable.idempotence';
const IN_FLIGHT = 'properties.max.in.flight.requests.per.connection';

/** What the options of a producer lead to. */
function consequence({ options }: ConnectorBinding): string | undefined {
  const [acks, idempotence, inFlight] = [ACKS, IDEMPOTENCE, IN_FLIGHT].map((option) => options[option]?.trim().toLowerCase());
  if (acks === '0' || acks === '1') {
    return `sets '${ACKS}' to '${acks}': when a broker fails, records are gone that a checkpoint has counted`;
  }
  return idempotence === 'false' && inFlight !== '1'
    ? `sets '${IDEMPOTENCE}' to 'false': a retry may write an older row of a key behind a newer one, or a row twice`
    : undefined;
}

/** A record that only the leader has is gone with the leader; Flink has counted it as written. */
export const unconfirmedWrites: Rule = {
  name: 'UnconfirmedWrites',
  level: 'warning',
  looksAt: `\`${ACKS}\`, \`${IDEMPOTENCE}\` and \`${IN_FLIGHT}\` in the options of Kafka sinks`,
  description: `A Kafka sink of the guarantee \`AT_LEAST_ONCE\` sets \`${ACKS}\` to \`0\` or \`1\`, or \`${IDEMPOTENCE}\` to \`false\` with more than one request in flight.`,
  why: 'The broker confirms what its followers do not have yet. When it fails these records are gone, and the checkpoint that counted them stays. Kafka also ends idempotence with it: a retry may put an older row of a key behind a newer one.',
  cure: 'Leave the options out: the producer waits for all in-sync copies, and keeps the order. Acknowledge it where rows may be lost, or come in any order.',
  check: (application) =>
    application
      ._bindings()
      .filter(({ binding }) => binding.sink?.guarantee === DeliveryGuarantee.AT_LEAST_ONCE)
      .flatMap(({ name, binding }) => {
        const told = consequence(binding);
        return told === undefined
          ? []
          : [
              {
                table: name,
                message: `table '${name}' of job '${application.jobName}' is to lose nothing and ${told}; leave the option out, or acknowledge this where rows may be lost`,
              },
            ];
      }),
};
