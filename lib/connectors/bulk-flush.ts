import type { Duration, Size } from 'aws-cdk-lib';
import { flinkDuration, flinkInteger, flinkSize } from '../sql/flink-notation';
import { checkDuration, definedOptions } from './typed-value';

/** When a bulk request is sent, besides at each checkpoint: whichever comes first. */
export interface BulkFlush {
  /** Actions in the request, 1 at least. @default - the connector's: 1,000 */
  readonly maxActions?: number;
  /** Size of the request, in whole mebibytes, 1 at least: the connector refuses anything finer. @default - the connector's: 2 MiB */
  readonly maxSize?: Size;
  /**
   * Age of the request. It cannot be switched off: with zero the client would flush without a pause, on and on.
   * @default - the connector's: 1 second
   */
  readonly interval?: Duration;
}

/**
 * The options of bulk requests.
 *
 * @param flush the prop `bulkFlush`
 */
export function bulkFlushOptions(flush: BulkFlush = {}): { [key: string]: string } {
  checkDuration('interval of bulkFlush', flush.interval, 1);
  const { maxSize } = flush;
  if (maxSize && !maxSize.isUnresolved() && (maxSize.toBytes() < MEBIBYTE || maxSize.toBytes() % MEBIBYTE !== 0)) {
    throw new Error(
      `maxSize of bulkFlush must be whole mebibytes, 1 at least, got ${maxSize.toBytes()} bytes; for example Size.mebibytes(5)`,
    );
  }
  return definedOptions({
    'sink.bulk-flush.max-actions':
      flush.maxActions === undefined ? undefined : flinkInteger('maxActions of bulkFlush', flush.maxActions, 1),
    'sink.bulk-flush.max-size': maxSize && flinkSize(maxSize),
    'sink.bulk-flush.interval': flush.interval && flinkDuration(flush.interval),
  });
}

const MEBIBYTE = 1024 * 1024;
