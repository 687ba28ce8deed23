import type { Transactions } from '../sql/connector';
import { INT_MAX } from '../sql/whole-number';

/** An exactly-once sink of a job. */
export interface TransactionalSink {
  readonly table: string;
  readonly transactions: Transactions;
}

/** Times of a job that its transactions must outlive, in milliseconds. */
export interface CheckpointTimes {
  readonly interval: number;
  readonly minPause: number;
  readonly timeout: number;
  /** Longest outage after the last checkpoint that the job must survive. */
  readonly outage: number;
}

/** Timeout of the transactions and the failed checkpoints in a row that it survives. */
export interface TransactionTimeout {
  readonly milliseconds: number;
  readonly tolerableFailures: number;
  /** The sum, in words. */
  readonly arithmetic: string;
}

/** Failed checkpoints in a row that a job tolerates where nothing speaks against it. */
export const TOLERABLE_FAILURES = 3;

/**
 * How long a transaction must stay open: from its first row to the commit after the next checkpoint that succeeds, through the
 * tolerated failures and an outage. The broker aborts an older one, and its rows are lost.
 *
 * @param sinks exactly-once sinks of the job, one at least
 * @param times times of the job
 * @param stated failures that the user wants tolerated; unset: as many as fit, at most 3
 */
export function deriveTransactionTimeout(sinks: TransactionalSink[], times: CheckpointTimes, stated?: number): TransactionTimeout {
  const tightest = sinks.reduce((left, right) =>
    right.transactions.brokerMaximumMillis < left.transactions.brokerMaximumMillis ? right : left,
  );
  const maximum = Math.min(tightest.transactions.brokerMaximumMillis, INT_MAX);
  const candidates =
    stated === undefined ? Array.from({ length: TOLERABLE_FAILURES + 1 }, (_, index) => TOLERABLE_FAILURES - index) : [stated];
  const timeouts = candidates.map((failures) => timeoutFor(failures, times));
  const fitting = timeouts.find((timeout) => timeout.milliseconds <= maximum);
  if (!fitting) {
    const least = timeouts[timeouts.length - 1]!;
    throw new Error(
      `the transactions of exactly-once sink '${tightest.table}' must stay open for ${least.arithmetic}, above the broker's transaction.max.timeout.ms of ${seconds(maximum)}; ` +
        `shorten checkpointing.timeout, minPause or interval, lower ${least.tolerableFailures > 0 ? 'tolerableFailures or ' : ''}survivableOutage, or raise the maximum on the broker and state it as transactionMaxTimeout of the cluster`,
    );
  }
  return fitting;
}

function timeoutFor(failures: number, times: CheckpointTimes): TransactionTimeout {
  const round = Math.max(times.interval, times.timeout + times.minPause);
  const milliseconds = (failures + 1) * round + times.timeout + times.outage;
  return {
    milliseconds,
    tolerableFailures: failures,
    arithmetic:
      `(${failures} tolerable failures + 1) × max(interval ${seconds(times.interval)}, timeout ${seconds(times.timeout)} + pause ${seconds(times.minPause)})` +
      ` + timeout ${seconds(times.timeout)} + outage ${seconds(times.outage)} = ${seconds(milliseconds)}`,
  };
}

function seconds(milliseconds: number): string {
  return `${milliseconds / 1000} s`;
}
