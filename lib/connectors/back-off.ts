import { Duration } from 'aws-cdk-lib';
import { flinkDuration, flinkInteger } from '../sql/flink-notation';
import { checkDuration } from './typed-value';

/** How often and after which pause a rejected bulk request is sent again. */
export interface BackOffOptions {
  /** Further attempts before the job fails, 1 at least. @default 8 */
  readonly maxRetries?: number;
  /** Pause before the first further attempt. @default Duration.seconds(1) */
  readonly delay?: Duration;
}

/**
 * What a sink does when a busy cluster rejects a bulk request (HTTP 429).
 *
 * Without a back-off the first rejection fails the job, and its restart adds to the load.
 */
export class BackOff {
  /**
   * Each pause is longer than the one before.
   *
   * @param options attempts and first pause
   */
  public static exponential(options: BackOffOptions = {}): BackOff {
    return new BackOff('EXPONENTIAL', options);
  }

  /**
   * All pauses are of one length.
   *
   * @param options attempts and pause
   */
  public static constant(options: BackOffOptions = {}): BackOff {
    return new BackOff('CONSTANT', options);
  }

  private readonly maxRetries: string;
  private readonly delay: Duration;

  private constructor(
    private readonly strategy: string,
    options: BackOffOptions,
  ) {
    this.maxRetries = flinkInteger('maxRetries of the back-off', options.maxRetries ?? 8, 1);
    this.delay = options.delay ?? Duration.seconds(1);
    checkDuration('delay of the back-off', this.delay, 1);
  }

  /**
   * All three, always: a strategy alone fails the job when it starts (`NoSuchElementException: No value present`).
   *
   * @internal
   */
  public _options(): { [key: string]: string } {
    return {
      'sink.bulk-flush.backoff.strategy': this.strategy,
      'sink.bulk-flush.backoff.max-retries': this.maxRetries,
      'sink.bulk-flush.backoff.delay': flinkDuration(this.delay),
    };
  }
}
