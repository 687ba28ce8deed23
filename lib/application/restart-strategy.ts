import { Duration, Token } from 'aws-cdk-lib';
import { flinkDuration } from '../sql/flink-notation';
import { printed } from '../sql/printed';
import { DURATION, NUMBER, requireProps } from '../sql/required-props';
import { checkKnownWhole } from '../sql/whole-number';

/** Delays that grow from restart to restart. */
export interface ExponentialDelayOptions {
  /** First delay. @default - 1 second, as in Flink */
  readonly initialBackoff?: Duration;
  /** Longest delay. @default - 1 minute, as in Flink */
  readonly maxBackoff?: Duration;
  /** Factor from delay to delay, above 1. @default - 1.5, as in Flink */
  readonly multiplier?: number;
  /** Time without a failure after which the delay is the first one again. @default - 1 hour, as in Flink */
  readonly resetThreshold?: Duration;
}

/** Restarts until too many failures fall into one interval. */
export interface FailureRateOptions {
  /** Failures in one interval after which the job fails. */
  readonly maxFailures: number;
  /** The interval. */
  readonly interval: Duration;
  /** Delay before each restart. */
  readonly delay: Duration;
}

/** What Flink does when a task fails. */
export class RestartStrategy {
  /**
   * Restart for ever, after delays that grow. Flink's own choice for a job with checkpoints.
   *
   * @param options delays
   */
  public static exponentialDelay(options: ExponentialDelayOptions = {}): RestartStrategy {
    requireProps('RestartStrategy.exponentialDelay', options, {
      'initialBackoff?': DURATION,
      'maxBackoff?': DURATION,
      'multiplier?': NUMBER,
      'resetThreshold?': DURATION,
    });
    const { initialBackoff, maxBackoff, multiplier, resetThreshold } = options;
    if (multiplier !== undefined) {
      if (Token.isUnresolved(multiplier)) {
        throw new Error(`multiplier of a restart strategy must be known at synth, got ${printed(multiplier)}`);
      }
      if (!(multiplier > 1 && Number.isFinite(multiplier))) {
        throw new Error(`multiplier of a restart strategy must be above 1, got ${multiplier}`);
      }
    }
    const rendered = {
      'initial-backoff': render('initialBackoff', initialBackoff, 1),
      'max-backoff': render('maxBackoff', maxBackoff, 1),
      'backoff-multiplier': multiplier?.toString(),
      'reset-backoff-threshold': render('resetThreshold', resetThreshold, 1),
    };
    const [initial, max] = [initialBackoff ?? Duration.seconds(1), maxBackoff ?? Duration.minutes(1)];
    if (!initial.isUnresolved() && !max.isUnresolved() && initial.toMilliseconds() > max.toMilliseconds()) {
      throw new Error(
        `initialBackoff of a restart strategy must be at most maxBackoff (${max.toHumanString()}), got ${initial.toHumanString()}`,
      );
    }
    return new RestartStrategy('exponential-delay', rendered);
  }

  /**
   * Restart a number of times, after one delay.
   *
   * @param attempts restarts before the job fails, at least 1
   * @param delay delay before each restart
   */
  public static fixedDelay(attempts: number, delay: Duration): RestartStrategy {
    requireProps('RestartStrategy.fixedDelay', { attempts, delay }, { attempts: NUMBER, delay: DURATION });
    checkCount('attempts', attempts);
    return new RestartStrategy('fixed-delay', { attempts: String(attempts), delay: render('delay', delay, 0) });
  }

  /**
   * Restart until too many failures fall into one interval.
   *
   * @param options failures, interval, delay
   */
  public static failureRate(options: FailureRateOptions): RestartStrategy {
    requireProps('RestartStrategy.failureRate', options, { maxFailures: NUMBER, interval: DURATION, delay: DURATION });
    checkCount('maxFailures', options.maxFailures);
    return new RestartStrategy('failure-rate', {
      'max-failures-per-interval': String(options.maxFailures),
      'failure-rate-interval': render('interval', options.interval, 1),
      delay: render('delay', options.delay, 0),
    });
  }

  /** Never restart: the first failure ends the job. */
  public static none(): RestartStrategy {
    return new RestartStrategy('none', {});
  }

  /** Flink options of the strategy. @internal */
  public readonly _configuration: { [key: string]: string };

  private constructor(type: string, options: { [key: string]: string | undefined }) {
    const stated = Object.entries(options).filter((entry): entry is [string, string] => entry[1] !== undefined);
    this._configuration = {
      'restart-strategy.type': type,
      ...Object.fromEntries(stated.map(([key, value]) => [`restart-strategy.${type}.${key}`, value])),
    };
  }
}

function render(name: string, duration: Duration | undefined, minimum: number): string | undefined {
  return duration === undefined ? undefined : flinkDuration(duration, `${name} of a restart strategy`, minimum);
}

function checkCount(name: string, count: number): void {
  checkKnownWhole(`${name} of a restart strategy`, count, 1);
}
