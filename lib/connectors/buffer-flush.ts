import type { Duration } from 'aws-cdk-lib';
import { flinkDuration, flinkInteger } from '../sql/flink-notation';
import { checkDuration, definedOptions } from './typed-value';

/** When buffered rows are written, besides at each checkpoint: whichever comes first. */
export interface BufferFlush {
  /** Rows in the buffer, 1 at least. @default - the connector's: 100 (JDBC), 1,000 (MongoDB) */
  readonly maxRows?: number;
  /**
   * Age of the oldest row. Zero switches it off: rows then wait for a full buffer or the next checkpoint.
   * @default - the connector's: 1 second
   */
  readonly interval?: Duration;
}

/**
 * The options of a buffer.
 *
 * @param flush the prop `flush`
 */
export function bufferFlushOptions(flush: BufferFlush = {}): { [key: string]: string } {
  checkDuration('interval of flush', flush.interval, 0);
  return definedOptions({
    'sink.buffer-flush.max-rows': flush.maxRows === undefined ? undefined : flinkInteger('maxRows of flush', flush.maxRows, 1),
    'sink.buffer-flush.interval': flush.interval && flinkDuration(flush.interval),
  });
}
