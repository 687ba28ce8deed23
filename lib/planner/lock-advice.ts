import type { PipelineLock } from './lock-file';
import { movedInserts, ownerChanges } from './lock-owners';
import { type RestoreProbe, type StateVerdict, stateVerdict } from './lock-state';
import { byId, stateful } from './placed-operators';

const IN_ORDER = 'put the INSERTs back in their order, and new ones behind them';

/**
 * What can be done about a job that would not start from its state, or with that of another operator.
 *
 * @param probe what came of a restore, where it was tried
 */
export function lockAdvice(before: PipelineLock, after: PipelineLock, { verdict }: StateVerdict, probe?: RestoreProbe): string[] {
  const reordered = movedInserts(before, after).length > 0;
  if (!loses(verdict)) {
    return verdict === 'unknown' && reordered ? [`to keep all ids: ${IN_ORDER}`] : [];
  }
  const moved = reordered || operatorsMoved(before, after);
  return [
    moved ? `only ids moved: ${IN_ORDER}` : 'to keep the state: undo what changed the operators that are named here',
    'to begin anew beside it: a new jobName, and a new prefix in checkpointing.storage; its sources begin at their start',
    ...(!moved && restoresTheRest(before, after, probe)
      ? ['to let go of the state of those operators alone: allowNonRestoredState, for this one deployment']
      : []),
    'to let go of all state: upgradeMode STATELESS with a higher restartNonce, for this one deployment; its sources begin at their start',
  ];
}

function loses(verdict: StateVerdict['verdict']): boolean {
  return verdict === 'refused' || verdict === 'misplaced';
}

/** Whether what an operator kept belongs to one that has another id now. */
function operatorsMoved(before: PipelineLock, after: PipelineLock): boolean {
  const [old, now] = [byId(before), byId(after)];
  return stateful(before).some(
    ({ id, plan }) =>
      plan !== undefined &&
      now.get(id)?.plan !== plan &&
      [...now.values()].some((other) => other.plan === plan && old.get(other.id)?.plan !== plan),
  );
}

/**
 * Whether Flink refuses nothing but state that no operator of the new job claims. Where one that keeps its id has another plan, its state may
 * be what does not fit: Flink refuses that with allowNonRestoredState, too.
 */
function restoresTheRest(before: PipelineLock, after: PipelineLock, probe: RestoreProbe | undefined): boolean {
  const now = byId(after);
  const claimed = before.vertices.map((vertex) => ({ ...vertex, operators: vertex.operators.filter(({ id }) => now.has(id)) }));
  const gone = stateful(before).some(({ id }) => !now.has(id));
  return (
    gone &&
    probe?.refusal === undefined &&
    ownerChanges(before, after).length === 0 &&
    !loses(stateVerdict({ ...before, vertices: claimed }, after).verdict)
  );
}
