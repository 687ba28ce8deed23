/** What the AWS sinks take where nothing is set: rows in a request, rows that wait, and the bytes of one record that must fit into a request. */
const DEFAULTS: { readonly [identifier: string]: { batch: number; buffered: number; record?: number } } = {
  kinesis: { batch: 500, buffered: 10_000, record: 1_048_576 },
  firehose: { batch: 500, buffered: 10_000, record: 1_024_000 },
  dynamodb: { batch: 25, buffered: 10_000 },
  sqs: { batch: 10, buffered: 5_000, record: 256_000 },
};

const BATCH = 'sink.batch.max-size';
const BUFFERED = 'sink.requests.max-buffered';
const BYTES = 'sink.flush-buffer.size';

/**
 * Why the writer of an AWS sink would refuse its buffers: planning takes them, and the job fails when it starts.
 *
 * @param identifier the connector
 * @param has whether an option is set
 * @param literal the value of an option, where it is known at synth
 */
export function asyncBufferComplaints(
  identifier: string,
  has: (option: string) => boolean,
  literal: (option: string) => string | undefined,
): string[] {
  const defaults = DEFAULTS[identifier];
  if (defaults === undefined) {
    return [];
  }
  const known = (option: string, byDefault: number) => (has(option) ? Number(literal(option) ?? Number.NaN) : byDefault);
  const [batch, buffered] = [known(BATCH, defaults.batch), known(BUFFERED, defaults.buffered)];
  const bytes = known(BYTES, Number.POSITIVE_INFINITY);
  // What is not known compares as false.
  return [
    ...(buffered <= batch
      ? [
          `'${BUFFERED}' must be above '${BATCH}', ${batch} here, got '${buffered}': the job fails when it starts; leave it out for ${defaults.buffered}`,
        ]
      : []),
    ...(defaults.record !== undefined && bytes < defaults.record
      ? [
          `'${BYTES}' must be at least ${defaults.record}, the bytes of the largest record, got '${bytes}': the job fails when it starts; leave it out`,
        ]
      : []),
  ];
}
