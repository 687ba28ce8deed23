import type { LockedOperator, LockedStatement, PipelineLock } from './lock-file';
import { misplacedState, movedInserts, ownerChanges, writesElsewhere } from './lock-owners';
import { byId, describe, stateful } from './placed-operators';

/** Whether the state of the old job finds its place in the new one. */
export interface StateVerdict {
  /**
   * `identical`: the same operators with the same plans. `restores, probed`: a savepoint of the old program was restored into the new one
   * by Flink. `restores, meaning changed`: likewise, and an INSERT has another plan, so that what is restored may mean something else.
   * `misplaced`: an operator gets the state of another one. `refused`: Flink refuses to restore. `unknown`: nobody can
   * be certain without a savepoint of the real job.
   */
  readonly verdict: 'identical' | 'restores, probed' | 'restores, meaning changed' | 'misplaced' | 'refused' | 'unknown';
  /** Why, each with its operator, statement or option. */
  readonly reasons: string[];
}

/** What came of the attempt to restore a savepoint of the old program into the new one. */
export interface RestoreProbe {
  /** Why Flink did not restore. Unset where it did. */
  readonly refusal?: string;
  /** Why there was no attempt. */
  readonly failure?: string;
  /** Names of operators that keep state and had none in the probe, since no row reached them. */
  readonly unreached: string[];
}

/** Decides where windows of a TIMESTAMP_LTZ begin. */
const TIME_ZONE = 'table.local-time-zone';

/**
 * Compares what two programs keep.
 *
 * Equal ids alone never say that state is kept: Flink makes them from the shape of the job, not from what an operator does.
 *
 * @param probe what came of a restore, where it was tried
 */
export function stateVerdict(before: PipelineLock, after: PipelineLock, probe?: RestoreProbe): StateVerdict {
  const planners = plannerChanges(before, after);
  if (planners.length > 0) {
    return { verdict: 'unknown', reasons: planners };
  }
  const refusals = [...refusedBackend(before, after), ...refusedOperators(before, after)];
  const misplaced = misplacedState(before, after);
  if (refusals.length > 0) {
    return { verdict: 'refused', reasons: [...refusals, ...misplaced] };
  }
  if (misplaced.length > 0) {
    return { verdict: 'misplaced', reasons: misplaced };
  }
  const beyondProbe = [...versionChanges(before, after), ...backendChanges(before, after), ...connectorChanges(before, after)];
  const statements = statementChanges(before, after);
  const functions = functionChanges(before, after);
  const owners = ownerChanges(before, after);
  const doubts = [
    ...beyondProbe,
    ...configurationChanges(before, after),
    ...functions,
    ...statements.texts,
    ...owners,
    ...operatorChanges(before, after),
  ];
  if (doubts.length === 0) {
    return { verdict: 'identical', reasons: [] };
  }
  const reasons = [...movedInserts(before, after), ...doubts];
  if (probe === undefined) {
    return { verdict: 'unknown', reasons };
  }
  if (probe.refusal !== undefined) {
    return { verdict: 'refused', reasons: [`a savepoint of the old program was not restored: ${probe.refusal}`, ...reasons] };
  }
  const open = [
    ...beyondProbe,
    ...(probe.failure === undefined ? [] : [`no savepoint could be tried: ${probe.failure}`]),
    ...probe.unreached.map((name) => `no row of the probe reached '${name}': give rows that do, in JOB.rows.json beside the lock`),
  ];
  if (open.length > 0) {
    return { verdict: 'unknown', reasons: [...open, ...reasons.filter((reason) => !open.includes(reason))] };
  }
  const other =
    functions.length > 0 ||
    owners.length > 0 ||
    statements.planChanged ||
    before.configuration[TIME_ZONE] !== after.configuration[TIME_ZONE];
  return { verdict: other ? 'restores, meaning changed' : 'restores, probed', reasons };
}

/** Whether a probe can tell more. */
export function wantsProbe(before: PipelineLock, after: PipelineLock): boolean {
  return plannerChanges(before, after).length === 0 && stateVerdict(before, after).verdict === 'unknown';
}

/** State that is certain to be there and has no place, or not with the key groups that it was written in. */
function refusedOperators(before: PipelineLock, after: PipelineLock): string[] {
  const now = byId(after);
  return stateful(before).flatMap((operator) => {
    const { id, maxParallelism } = operator;
    const same = now.get(id);
    if (same === undefined) {
      return mayBeEmpty(operator) ? [] : [`no operator of the new job has the id of ${describe(before, operator)}`];
    }
    return same.maxParallelism === maxParallelism
      ? []
      : [`${describe(before, operator)}, has maximum parallelism ${same.maxParallelism}, its state was written with ${maxParallelism}`];
  });
}

/** Many sinks keep nothing; a source always has a position. */
function mayBeEmpty({ name, connector }: LockedOperator): boolean {
  return connector !== undefined && !name.startsWith('Source: ');
}

/** A real factory and a stand-in give other operators: ids say nothing where one took the place of the other. */
function plannerChanges(before: PipelineLock, after: PipelineLock): string[] {
  return Object.entries(before.connectors ?? {})
    .filter(([identifier, factory]) => (after.connectors?.[identifier] ?? factory) !== factory)
    .map(
      ([identifier, factory]) =>
        `tables of '${identifier}' were planned by ${factory} and are planned by ${after.connectors![identifier]} now: plan with the jar that the lock was written with`,
    );
}

function backendChanges({ keeps: old }: PipelineLock, { keeps: now }: PipelineLock): string[] {
  return old && now && old.backend !== now.backend ? [`the state back end changed from ${old.backend} to ${now.backend}`] : [];
}

/** A native savepoint has the form of its back end. */
function refusedBackend(before: PipelineLock, after: PipelineLock): string[] {
  const format = before.keeps?.savepointFormat;
  return format === 'CANONICAL'
    ? []
    : backendChanges(before, after).map(
        (change) => `${change}, which a ${format} savepoint cannot cross: deploy the savepoint format CANONICAL first`,
      );
}

function functionChanges(before: PipelineLock, after: PipelineLock): string[] {
  return Object.entries(before.functions ?? {})
    .filter(([name, className]) => (after.functions?.[name] ?? className) !== className)
    .map(([name, className]) => `function ${name} is of class ${after.functions![name]}, it was of ${className}`);
}

function versionChanges(before: PipelineLock, after: PipelineLock): string[] {
  const jars = (lock: PipelineLock) => lock.jars.join(', ');
  return [
    ...(before.flink === after.flink ? [] : [`Flink changed from ${before.flink} to ${after.flink}`]),
    ...(before.planner === after.planner ? [] : [`the planner changed from Flink ${before.planner} to ${after.planner}`]),
    ...(jars(before) === jars(after) ? [] : [`jars changed from ${jars(before)} to ${jars(after)}`]),
  ];
}

function configurationChanges(before: PipelineLock, after: PipelineLock): string[] {
  const names = [...new Set([...Object.keys(before.configuration), ...Object.keys(after.configuration)])].sort();
  return names
    .filter((name) => before.configuration[name] !== after.configuration[name])
    .map((name) => `option '${name}' changed from ${before.configuration[name] ?? 'unset'} to ${after.configuration[name] ?? 'unset'}`);
}

/** How the INSERTs into each table differ: one with another plan, one more, one less. */
function statementChanges(before: PipelineLock, after: PipelineLock): { texts: string[]; planChanged: boolean } {
  const [gone, added] = [without(before.statements, after.statements), without(after.statements, before.statements)];
  const changed = added.filter(({ table }) => gone.some((other) => other.table === table)).map(({ table }) => table);
  const only = (statements: LockedStatement[]) => statements.filter(({ table }) => !changed.includes(table));
  return {
    texts: [
      ...[...new Set(changed)].map(
        (table) =>
          `the plan of the INSERT into '${table}' changed: what operators hold under ids that they kept may mean something else, or not be readable`,
      ),
      ...only(added).map(({ table }) => `an INSERT into '${table}' is new`),
      ...only(gone).map(({ table }) => `the INSERT into '${table}' is gone`),
    ],
    planChanged: changed.length > 0,
  };
}

/** Those of the first whose plans the second have not; of equal ones as many as are too many. */
function without(statements: LockedStatement[], others: LockedStatement[]): LockedStatement[] {
  const left = others.map(({ digest }) => digest);
  return statements.filter(({ digest }) => {
    const index = left.indexOf(digest);
    if (index >= 0) {
      left.splice(index, 1);
    }
    return index < 0;
  });
}

/** What only a connector knows: its positions and transactions have a form of its own. */
function connectorChanges(before: PipelineLock, after: PipelineLock): string[] {
  const now = byId(after);
  return stateful(before).flatMap((operator) => {
    const { id, name, connector, plan } = operator;
    const same = now.get(id);
    if (same === undefined) {
      return [`no operator of the new job has the id of '${name}' (${id}): Flink refuses where its connector kept anything`];
    }
    if (plan === undefined && writesElsewhere(before, after, operator, same)) {
      return [
        `'${same.name}' has the id of '${name}' (${id}) now, which wrote another table: it gets what the connector of that one kept, if anything`,
      ];
    }
    return same.connector === connector ? [] : [`the table of '${name}' (${id}) changed: only its connector knows whether its state fits`];
  });
}

function operatorChanges(before: PipelineLock, after: PipelineLock): string[] {
  const now = byId(after);
  const old = byId(before);
  return [
    ...stateful(before).flatMap(({ id, name, state, parallelism }) => {
      const same = now.get(id);
      if (same === undefined) {
        return [];
      }
      return [
        ...(same.state === state ? [] : [`'${name}' (${id}) keeps ${same.state ?? 'nothing'}, it kept ${state}`]),
        ...(same.parallelism === parallelism ? [] : [`'${name}' (${id}) has parallelism ${same.parallelism}, it had ${parallelism}`]),
      ];
    }),
    ...stateful(after)
      .filter(({ id }) => !old.get(id)?.state)
      .map(({ id, name }) => `'${name}' (${id}) is new and starts empty`),
  ];
}
