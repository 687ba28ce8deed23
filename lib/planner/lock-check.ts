import { lockAdvice } from './lock-advice';
import { type ContractChange, contractChanges } from './lock-contract';
import { changedParts, type PipelineLock } from './lock-file';
import { type RestoreProbe, type StateVerdict, stateVerdict } from './lock-state';
import { scriptChanges } from './script-changes';

/** What a comparison of a job with its lock says. */
export interface LockCheck {
  readonly job: string;
  /** Path of the lock. */
  readonly lock: string;
  /** `stale`: the job is another than the locked one. */
  readonly status: 'current' | 'stale' | 'missing';
  /** Parts of the lock that differ, by their names in it. */
  readonly changed: string[];
  /** What the script says otherwise, by statement; nothing where it is a comment or white space. */
  readonly script: string[];
  /** Unset where there is no lock. */
  readonly state?: StateVerdict;
  /** What can be done, where the job would not start from its state, or with that of another operator. */
  readonly advice: string[];
  readonly contract: ContractChange[];
}

/**
 * Compare a job with its lock.
 *
 * @param path where the lock is
 * @param before the lock, unset where there is none
 * @param after the lock that the job would have now
 * @param probe what came of a restore, where it was tried
 */
export function checkLock(path: string, before: PipelineLock | undefined, after: PipelineLock, probe?: RestoreProbe): LockCheck {
  if (before === undefined) {
    return { job: after.job, lock: path, status: 'missing', changed: [], script: [], advice: [], contract: [] };
  }
  const changed = changedParts(before, after);
  const state = stateVerdict(before, after, probe);
  return {
    job: after.job,
    lock: path,
    status: changed.length === 0 ? 'current' : 'stale',
    changed,
    script: scriptChanges(before.script.join('\n'), after.script.join('\n')),
    state,
    advice: lockAdvice(before, after, state, probe),
    contract: contractChanges(before.tables, after.tables),
  };
}

/** What is wrong for sure: state that Flink refuses or gives to another operator, a promise that is broken. */
export function lockErrors({ state, contract }: LockCheck): string[] {
  return [
    ...(state?.verdict === 'refused' || state?.verdict === 'misplaced'
      ? state.reasons.map((reason) => `state is ${state.verdict}: ${reason}`)
      : []),
    ...contract
      .filter(({ compatible }) => !compatible)
      .map(({ table, message }) => `incompatible contract of table '${table}': ${message}`),
  ];
}

/** What a reviewer reads. */
export function lockCheckText(check: LockCheck): string {
  const { job, lock, status, changed, script, state, advice, contract } = check;
  if (status === 'missing') {
    return `${job}: '${lock}' is missing: run 'lock' and commit it\n`;
  }
  if (status === 'current') {
    return `${job}: as in '${lock}'\n`;
  }
  const lines = [
    `${job}: ${headline(check)}`,
    `  changed: ${changed.join() === 'script' && script.length === 0 ? 'comments or white space of the script' : changed.join(', ')}`,
    ...script.map((change) => `    ${change}`),
    `  state: ${state!.verdict}`,
    ...state!.reasons.map((reason) => `    ${reason}`),
    ...(advice.length === 0 ? [] : ["  what to do, then run 'lock' and commit it", ...advice.map((way) => `    ${way}`)]),
    `  contract: ${contract.length === 0 ? 'identical' : contract.every(({ compatible }) => compatible) ? 'compatible' : 'incompatible'}`,
    ...contract.map(({ table, message, compatible }) => `    ${compatible ? 'compatible' : 'INCOMPATIBLE'} ${table}: ${message}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** The worst of it first. */
function headline({ lock, state }: LockCheck): string {
  switch (state!.verdict) {
    case 'refused':
      return `would not start from its state: another job than in '${lock}'`;
    case 'misplaced':
      return `would start with the state of other operators, without an error: another job than in '${lock}'`;
    default:
      return `another job than in '${lock}': run 'lock' and commit it, after reading this`;
  }
}
