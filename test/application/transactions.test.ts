import * as fc from 'fast-check';
import { type CheckpointTimes, deriveTransactionTimeout, TOLERABLE_FAILURES } from '../../lib/application/transactions';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

function sinkOf(table: string, brokerMaximumMillis: number) {
  return { table, transactions: { prefixOption: 'p', timeoutOption: 't', clusterId: 'c', brokerMaximumMillis } };
}

function derive(times: Partial<CheckpointTimes>, stated?: number, maximum = 15 * MINUTE) {
  return deriveTransactionTimeout(
    [sinkOf('latest', maximum)],
    { interval: 30 * SECOND, minPause: 10 * SECOND, timeout: MINUTE, outage: 5 * MINUTE, ...times },
    stated,
  );
}

describe('transaction timeout', () => {
  test('is the tolerated failures and one more round, a last checkpoint and the outage', () => {
    // 4 × max(30, 60 + 10) + 60 + 300
    expect(derive({})).toEqual({
      milliseconds: 640 * SECOND,
      tolerableFailures: 3,
      arithmetic: '(3 tolerable failures + 1) × max(interval 30 s, timeout 60 s + pause 10 s) + timeout 60 s + outage 300 s = 640 s',
    });
  });

  test('counts the interval where it is longer than timeout and pause', () => {
    // 4 × max(120, 70) + 60 + 300
    expect(derive({ interval: 2 * MINUTE }).milliseconds).toBe(840 * SECOND);
  });

  // (n + 1) × 100 + 90 + 300 ≤ maximum
  test.each([
    [790, 3],
    [789, 2],
    [690, 2],
    [689, 1],
    [590, 1],
    [589, 0],
    [490, 0],
  ])('below %s s tolerates %s failures', (maximum, failures) => {
    const times = { interval: 30 * SECOND, minPause: 10 * SECOND, timeout: 90 * SECOND };
    expect(derive(times, undefined, maximum * SECOND)).toMatchObject({
      tolerableFailures: failures,
      milliseconds: ((failures + 1) * 100 + 390) * SECOND,
    });
  });

  test('that does not fit is an error with the sum, the maximum and what to change', () => {
    expect(() => derive({ timeout: 90 * SECOND }, undefined, 489 * SECOND)).toThrow(
      "the transactions of exactly-once sink 'latest' must stay open for (0 tolerable failures + 1) × max(interval 30 s, timeout 90 s + pause 10 s) + timeout 90 s + outage 300 s = 490 s, " +
        "above the broker's transaction.max.timeout.ms of 489 s; shorten checkpointing.timeout, minPause or interval, lower survivableOutage, " +
        'or raise the maximum on the broker and state it as transactionMaxTimeout of the cluster',
    );
  });

  test('takes the failures that are stated, and no fewer', () => {
    expect(derive({}, 1)).toMatchObject({ tolerableFailures: 1, milliseconds: 500 * SECOND });
    expect(derive({}, 6)).toMatchObject({ tolerableFailures: 6, milliseconds: 850 * SECOND });
    expect(() => derive({}, 7)).toThrow(
      '(7 tolerable failures + 1) × max(interval 30 s, timeout 60 s + pause 10 s) + timeout 60 s + outage 300 s = 920 s',
    );
    expect(() => derive({}, 7)).toThrow('lower tolerableFailures or survivableOutage, or raise');
  });

  test('fits the tightest of several brokers, and names its sink', () => {
    const times = { interval: 30 * SECOND, minPause: 10 * SECOND, timeout: MINUTE, outage: 5 * MINUTE };
    const sinks = [sinkOf('wide', 15 * MINUTE), sinkOf('tight', 500 * SECOND), sinkOf('wider', 60 * MINUTE)];
    expect(deriveTransactionTimeout(sinks, times).tolerableFailures).toBe(1);
    expect(() => deriveTransactionTimeout(sinks, { ...times, outage: 10 * MINUTE })).toThrow("exactly-once sink 'tight'");
  });

  test('covers the sum that it states and never exceeds the maximum, for any times', () => {
    const millis = (max: number) => fc.integer({ min: 0, max });
    const times = fc.record({
      interval: millis(20 * MINUTE),
      minPause: millis(5 * MINUTE),
      timeout: millis(20 * MINUTE),
      outage: millis(60 * MINUTE),
    });
    fc.assert(
      fc.property(times, fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }), millis(120 * MINUTE), (given, stated, maximum) => {
        const needed = (failures: number) =>
          (failures + 1) * Math.max(given.interval, given.timeout + given.minPause) + given.timeout + given.outage;
        let result: ReturnType<typeof deriveTransactionTimeout> | undefined;
        try {
          result = deriveTransactionTimeout([sinkOf('any', maximum)], given, stated);
        } catch {
          // Refused only where not even the fewest failures fit.
          expect(needed(stated ?? 0)).toBeGreaterThan(maximum);
          return;
        }
        expect(result.milliseconds).toBe(needed(result.tolerableFailures));
        expect(result.milliseconds).toBeLessThanOrEqual(maximum);
        expect(result.arithmetic).toContain(`= ${result.milliseconds / 1000} s`);
        if (stated !== undefined) {
          expect(result.tolerableFailures).toBe(stated);
        } else if (result.tolerableFailures < TOLERABLE_FAILURES) {
          expect(needed(result.tolerableFailures + 1)).toBeGreaterThan(maximum);
        } else {
          expect(result.tolerableFailures).toBe(TOLERABLE_FAILURES);
        }
      }),
      { numRuns: 500 },
    );
  });
});

test('a timeout fits into the int that Kafka holds it in, whatever a connector says of its brokers', () => {
  const times = { interval: 1_000, minPause: 0, timeout: 1_000, outage: 2 ** 31 };
  expect(() => deriveTransactionTimeout([sinkOf('any', Number.MAX_SAFE_INTEGER)], times, 0)).toThrow(
    'transaction.max.timeout.ms of 2147483.647 s',
  );
});
