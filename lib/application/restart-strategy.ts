import { Duration, Token } from 'aws-cdk-lib';
import { flinkDuration } from '../sql/flink-notation';

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
    const { initialBackoff, maxBackoff, multiplier, resetThreshold } = options;
    if (multiplier !== undefined) {
      checkKnown('multiplier', multiplier);
      if (!(multiplier > 1 && Number.isFinite(multiplier))) {
        throw new Error(`multiplier of a restart strategy must be above 1, got ${multiplier}`);
      }
    }
    checkLonger('initialBackoff', initialBackoff);
    checkLonger('maxBackoff', maxBackoff);
    checkLonger('resetThreshold', resetThreshold);
    const [initial, max] = [initialBackoff ?? Duration.seconds(1), maxBackoff ?? Duration.minutes(1)];
    if (!initial.isUnresolved() && !max.isUnresolved() && initial.toMilliseconds() > max.toMilliseconds()) {
      throw new Error(
        `initialBackoff of a restart strategy must be at most maxBackoff (${max.toHumanString()}), got ${initial.toHumanString()}`,
      );
    }
    return new RestartStrategy('exponential-delay', {
      'initial-backoff': render(initialBackoff),
      'max-backoff': render(maxBackoff),
      'backoff-multiplier': multiplier?.toString(),
      'reset-backoff-threshold': render(resetThreshold),
    });
  }

  /**
   * Restart a number of times, after one delay.
   *
   * @param attempts restarts before the job fails, at least 1
   * @param delay delay before each restart
   */
  public static fixedDelay(attempts: number, delay: Duration): RestartStrategy {
    checkCount('attempts', attempts);
    return new RestartStrategy('fixed-delay', { attempts: String(attempts), delay: render(delay) });
  }

  /**
   * Restart until too many failures fall into one interval.
   *
   * @param options failures, interval, delay
   */
  public static failureRate(options: FailureRateOptions): RestartStrategy {
    checkCount('maxFailures', options.maxFailures);
    checkLonger('interval', options.interval);
    return new RestartStrategy('failure-rate', {
      'max-failures-per-interval': String(options.maxFailures),
      'failure-rate-interval': render(options.interval),
      delay: render(options.delay),
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

function render(duration: Duration | undefined): string | undefined {
  return duration === undefined ? undefined : flinkDuration(duration);
}

function checkKnown(name: string, value: number): void {
  if (Token.isUnresolved(value)) {
    throw new Error(`${name} of a restart strategy must be known at synth, got the token ${value}`);
  }
}

function checkLonger(name: string, duration: Duration | undefined): void {
  if (duration !== undefined && !duration.isUnresolved() && duration.toMilliseconds({ integral: false }) < 1) {
    throw new Error(`${name} of a restart strategy must be at least 1 ms, got ${duration.toHumanString()}`);
  }
}

function checkCount(name: string, count: number): void {
  checkKnown(name, count);
  if (!Number.isInteger(count) || count < 1) {
    throw new Error(`${name} of a restart strategy must be a whole number of at least 1, got ${count}`);
  }
}
