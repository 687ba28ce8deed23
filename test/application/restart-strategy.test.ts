import { Duration, Token } from 'aws-cdk-lib';
import { RestartStrategy } from '../../lib/application/restart-strategy';

const token = Token.asNumber({ Ref: 'Number' });

describe('exponential delay', () => {
  test('leaves to Flink what is not stated', () => {
    expect(RestartStrategy.exponentialDelay()._configuration).toEqual({ 'restart-strategy.type': 'exponential-delay' });
  });

  test('states what is', () => {
    const strategy = RestartStrategy.exponentialDelay({
      initialBackoff: Duration.millis(500),
      maxBackoff: Duration.minutes(5),
      multiplier: 1.5,
      resetThreshold: Duration.hours(2),
    });
    expect(strategy._configuration).toEqual({
      'restart-strategy.type': 'exponential-delay',
      'restart-strategy.exponential-delay.initial-backoff': '500 ms',
      'restart-strategy.exponential-delay.max-backoff': '5 min',
      'restart-strategy.exponential-delay.backoff-multiplier': '1.5',
      'restart-strategy.exponential-delay.reset-backoff-threshold': '2 h',
    });
  });

  test.each([
    [{ multiplier: 1 }, 'multiplier of a restart strategy must be above 1, got 1'],
    [{ multiplier: Number.NaN }, 'multiplier of a restart strategy must be above 1, got NaN'],
    [{ multiplier: token }, 'multiplier of a restart strategy must be known at synth, got a token'],
    [{ initialBackoff: Duration.millis(0) }, 'initialBackoff of a restart strategy must be a whole number of milliseconds of at least 1'],
    [{ maxBackoff: Duration.millis(0) }, 'maxBackoff of a restart strategy must be a whole number of milliseconds of at least 1'],
    [{ resetThreshold: Duration.millis(0) }, 'resetThreshold of a restart strategy must be a whole number of milliseconds of at least 1'],
    [
      { initialBackoff: Duration.seconds(61) },
      'initialBackoff of a restart strategy must be at most maxBackoff (1 minute), got 1 minute 1 second',
    ],
    [{ maxBackoff: Duration.millis(999) }, 'initialBackoff of a restart strategy must be at most maxBackoff (999 millis), got 1 second'],
  ])('refuses %j', (options, message) => {
    expect(() => RestartStrategy.exponentialDelay(options)).toThrow(message);
  });

  test.each([
    [{ multiplier: 1.01 }],
    [{ initialBackoff: Duration.seconds(60) }],
    [{ maxBackoff: Duration.seconds(1) }],
    [{ initialBackoff: Duration.millis(1), maxBackoff: Duration.millis(1), resetThreshold: Duration.millis(1) }],
    [{ initialBackoff: Duration.seconds(token) }],
  ])('takes %j', (options) => {
    expect(() => RestartStrategy.exponentialDelay(options)).not.toThrow();
  });
});

describe('fixed delay', () => {
  test('states attempts and delay', () => {
    expect(RestartStrategy.fixedDelay(3, Duration.seconds(10))._configuration).toEqual({
      'restart-strategy.type': 'fixed-delay',
      'restart-strategy.fixed-delay.attempts': '3',
      'restart-strategy.fixed-delay.delay': '10 s',
    });
  });

  test('refuses more attempts than Flink counts, and what is no duration', () => {
    expect(() => RestartStrategy.fixedDelay(2 ** 31, Duration.seconds(1))).toThrow('must be a whole number from 1 to 2147483647');
    expect(RestartStrategy.fixedDelay(2 ** 31 - 1, Duration.seconds(1))._configuration['restart-strategy.fixed-delay.attempts']).toBe(
      '2147483647',
    );
    expect(() => RestartStrategy.fixedDelay(1, 5 as never)).toThrow('delay of RestartStrategy.fixedDelay must be a Duration');
    expect(() => RestartStrategy.fixedDelay(1, Duration.days(1e15))).toThrow(
      'delay of a restart strategy must be a whole number of milliseconds from 0 to 9223372036854',
    );
  });

  test.each([0, 1.5, -1])('refuses %s attempts', (attempts) => {
    expect(() => RestartStrategy.fixedDelay(attempts, Duration.seconds(1))).toThrow(
      `attempts of a restart strategy must be a whole number of at least 1, got ${attempts}`,
    );
  });

  test('refuses attempts that are a token, by name, and takes a delay that is one', () => {
    expect(() => RestartStrategy.fixedDelay(token, Duration.seconds(1))).toThrow('attempts of a restart strategy must be known at synth');
    expect(RestartStrategy.fixedDelay(1, Duration.seconds(token))._configuration['restart-strategy.fixed-delay.delay']).toMatch(
      /^\$\{Token\[.*\]\} s$/,
    );
  });
});

describe('failure rate', () => {
  test('states failures, interval and delay', () => {
    const options = { maxFailures: 5, interval: Duration.minutes(10), delay: Duration.seconds(0) };
    expect(RestartStrategy.failureRate(options)._configuration).toEqual({
      'restart-strategy.type': 'failure-rate',
      'restart-strategy.failure-rate.max-failures-per-interval': '5',
      'restart-strategy.failure-rate.failure-rate-interval': '10 min',
      'restart-strategy.failure-rate.delay': '0 s',
    });
  });

  test('refuses no failures and no interval', () => {
    const options = { maxFailures: 1, interval: Duration.seconds(1), delay: Duration.seconds(1) };
    expect(() => RestartStrategy.failureRate({ ...options, maxFailures: 0 })).toThrow(
      'maxFailures of a restart strategy must be a whole number of at least 1, got 0',
    );
    expect(() => RestartStrategy.failureRate({ ...options, interval: Duration.seconds(0) })).toThrow(
      'interval of a restart strategy must be a whole number of milliseconds of at least 1',
    );
    expect(() => RestartStrategy.failureRate(options)).not.toThrow();
  });
});

test('none is none', () => {
  expect(RestartStrategy.none()._configuration).toEqual({ 'restart-strategy.type': 'none' });
});
