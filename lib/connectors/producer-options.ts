/** Requests of a partition under way, of which the broker can tell repeated ones. */
const MOST_IN_FLIGHT = 5;

/**
 * Why a Kafka producer would refuse its own properties: the job would never start.
 *
 * @param literal the value of a table option, where it is known at synth
 * @param transactional whether the sink writes in transactions
 */
export function producerComplaints(literal: (option: string) => string | undefined, transactional: boolean): string[] {
  const [acks, retries, inFlight] = [ACKS, RETRIES, IN_FLIGHT].map((option) => literal(option)?.trim());
  const idempotence = literal(IDEMPOTENCE)?.trim().toLowerCase();
  if (transactional && idempotence === 'false') {
    return [`'${IDEMPOTENCE}' must not be 'false' for an exactly-once sink: no producer has transactions without it; leave it out`];
  }
  // Where nothing asks for idempotence, acks and retries end it in silence; the number of requests is refused all the same.
  const asks = transactional ? 'an exactly-once sink' : idempotence === 'true' ? `'${IDEMPOTENCE}' = 'true'` : undefined;
  const [delivery, request, linger] = [DELIVERY, REQUEST, LINGER].map((option) => literal(option)?.trim());
  const least = Number(request ?? DEFAULT_REQUEST) + Number(linger ?? DEFAULT_LINGER);
  return [
    ...(Number(delivery) < least
      ? [
          `'${DELIVERY}' must be at least '${REQUEST}' and '${LINGER}' together, ${least} here, got '${delivery}': the producer refuses to start; leave it out, or lower the others`,
        ]
      : []),
    ...(asks !== undefined && acks !== undefined && !['all', '-1'].includes(acks)
      ? [`'${ACKS}' must be 'all' for ${asks}, got '${acks}': the producer refuses to start; leave it out`]
      : []),
    ...(asks !== undefined && retries !== undefined && Number(retries) === 0
      ? [`'${RETRIES}' must not be '0' for ${asks}: the producer refuses to start; leave it out`]
      : []),
    ...(idempotence !== 'false' && Number(inFlight) > MOST_IN_FLIGHT
      ? [
          `'${IN_FLIGHT}' must be at most '${MOST_IN_FLIGHT}', got '${inFlight}': the producer refuses to start; leave it out${
            transactional ? '' : `, or set '${IDEMPOTENCE}' to 'false', with which a retry may change the order of rows`
          }`,
        ]
      : []),
  ];
}

const DELIVERY = 'properties.delivery.timeout.ms';
const REQUEST = 'properties.request.timeout.ms';
const LINGER = 'properties.linger.ms';
/** Of the Kafka client 4.2. */
const DEFAULT_REQUEST = 30_000;
const DEFAULT_LINGER = 5;
const ACKS = 'properties.acks';
const IDEMPOTENCE = 'properties.enable.idempotence';
const RETRIES = 'properties.retries';
const IN_FLIGHT = 'properties.max.in.flight.requests.per.connection';
