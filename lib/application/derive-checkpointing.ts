import { Duration } from 'aws-cdk-lib';
import { flinkDuration } from '../sql/flink-notation';
import { checkpointSpacing, DEFAULT_OUTAGE } from './checkpoint-spacing';
import { CheckpointingMode, CheckpointRetention } from './checkpointing';
import type { Derivation } from './derivation';
import { type CheckpointTimes, deriveTransactionTimeout, TOLERABLE_FAILURES, type TransactionalSink } from './transactions';
import { SavepointFormat } from './upgrade';

const OWN_PREFIX = 'under checkpointing.storage, the only prefix that the job may write';

/** Checkpoints, savepoints and high availability, and the transactions that must outlive them. */
export function deriveCheckpointing(derivation: Derivation): void {
  const { job } = derivation;
  const { checkpointing } = job;
  const sinks = transactionalSinks(derivation);
  const { interval, minPause } = checkpointSpacing(checkpointing);
  const timeout = checkpointing.timeout ?? longer(interval, Duration.minutes(sinks.length > 0 ? 2 : 10));

  derivation.configure('execution.checkpointing.interval', flinkDuration(interval));
  derivation.configure('execution.checkpointing.min-pause', flinkDuration(minPause));
  derivation.configure('execution.checkpointing.timeout', flinkDuration(timeout), timeoutReason(checkpointing.timeout, sinks));
  derivation.configure('execution.checkpointing.mode', checkpointing.mode ?? CheckpointingMode.EXACTLY_ONCE);
  derivation.configure('execution.checkpointing.unaligned.enabled', String(checkpointing.unaligned ?? false));
  derivation.configure(
    'execution.checkpointing.externalized-checkpoint-retention',
    checkpointing.retention ?? CheckpointRetention.RETAIN_ON_CANCELLATION,
  );
  derivation.configure('execution.checkpointing.max-concurrent-checkpoints', '1');
  if (checkpointing.retained !== undefined) {
    derivation.configure('execution.checkpointing.num-retained', String(checkpointing.retained));
  }
  derivation.configure('execution.checkpointing.dir', `${checkpointing.storage.uri}/checkpoints`, OWN_PREFIX);
  derivation.configure('execution.checkpointing.savepoint-dir', `${checkpointing.storage.uri}/savepoints`, OWN_PREFIX);
  const outage = (job.survivableOutage ?? DEFAULT_OUTAGE).toMilliseconds();
  deriveTolerableFailures(derivation, sinks, {
    interval: interval.toMilliseconds(),
    minPause: minPause.toMilliseconds(),
    timeout: timeout.toMilliseconds(),
    outage,
  });
  deriveHighAvailability(derivation);
  deriveSavepoints(derivation);
}

function transactionalSinks({ bindings }: Derivation): TransactionalSink[] {
  return bindings.flatMap(({ name, binding }) =>
    binding.sink?.transactions ? [{ table: name, transactions: binding.sink.transactions }] : [],
  );
}

function timeoutReason(stated: Duration | undefined, sinks: TransactionalSink[]): string | undefined {
  if (stated) {
    return undefined;
  }
  return sinks.length > 0
    ? 'default with an exactly-once sink, whose transaction must outlive it; the interval at least'
    : "default, Flink's own; the interval at least";
}

function deriveTolerableFailures(derivation: Derivation, sinks: TransactionalSink[], times: CheckpointTimes): void {
  const key = 'execution.checkpointing.tolerable-failed-checkpoints';
  const stated = derivation.job.checkpointing.tolerableFailures;
  if (sinks.length === 0) {
    const reason = stated === undefined ? 'a checkpoint that fails once should not restart the job' : undefined;
    derivation.configure(key, String(stated ?? TOLERABLE_FAILURES), reason);
    return;
  }
  if (derivation.job.checkpointing.mode === CheckpointingMode.AT_LEAST_ONCE) {
    throw new Error(`exactly-once sink '${sinks[0]!.table}' needs checkpointing.mode EXACTLY_ONCE, got AT_LEAST_ONCE`);
  }
  const { tolerableFailures, milliseconds, arithmetic } = deriveTransactionTimeout(sinks, times, stated);
  derivation.configure(
    key,
    String(tolerableFailures),
    stated === undefined ? `as many, up to ${TOLERABLE_FAILURES}, as an open transaction survives` : 'stated',
  );
  for (const { table, transactions } of sinks) {
    const prefix = transactions.prefix ?? `${derivation.job.namespace}.${derivation.job.jobName}.${table}`;
    derivation.setTableOption(
      table,
      transactions.prefixOption,
      prefix,
      transactions.prefix === undefined ? 'namespace, job and table: the same over deployments, and no other job has it' : 'stated',
    );
    derivation.setTableOption(table, transactions.timeoutOption, String(milliseconds), arithmetic);
    derivation.addAccessContext(table, { transactionalIdPrefix: prefix });
  }
  refuseSharedPrefixes(derivation, sinks);
}

function refuseSharedPrefixes({ accessContexts }: Derivation, sinks: TransactionalSink[]): void {
  const owners = new Map<string, string>();
  for (const { table, transactions } of sinks) {
    const prefix = accessContexts[table]!.transactionalIdPrefix!;
    const identity = `${transactions.clusterId} ${prefix}`;
    const owner = owners.get(identity);
    if (owner !== undefined) {
      throw new Error(
        `sinks '${owner}' and '${table}' have the same transactional id prefix '${prefix}': they would fence each other; leave it out, or give each its own`,
      );
    }
    owners.set(identity, table);
  }
}

function deriveHighAvailability(derivation: Derivation): void {
  if (derivation.job.highAvailability !== false) {
    derivation.configure('high-availability.type', 'kubernetes', 'a restarted job manager goes on from the last checkpoint');
    derivation.configure('high-availability.storageDir', `${derivation.job.checkpointing.storage.uri}/ha`, OWN_PREFIX);
  }
}

function deriveSavepoints(derivation: Derivation): void {
  const { savepointFormat, savepointOnDeletion } = derivation.job;
  derivation.configure(
    'kubernetes.operator.savepoint.format.type',
    savepointFormat ?? SavepointFormat.NATIVE,
    savepointFormat === undefined ? 'fast; a change of the state back end needs CANONICAL once' : undefined,
  );
  if (savepointOnDeletion !== undefined) {
    derivation.configure('kubernetes.operator.job.savepoint-on-deletion', String(savepointOnDeletion));
  }
}

function longer(left: Duration, right: Duration): Duration {
  return left.toMilliseconds() > right.toMilliseconds() ? left : right;
}
