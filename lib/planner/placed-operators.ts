import type { LockedOperator, PipelineLock } from './lock-file';
import { planNumber } from './lock-operators';

/** An operator with what its vertex says. */
export interface PlacedOperator extends LockedOperator {
  readonly parallelism: number;
  readonly maxParallelism: number;
}

/** The operators of a lock by their ids. */
export function byId({ vertices }: PipelineLock): Map<string, PlacedOperator> {
  return new Map(
    vertices.flatMap(({ operators, parallelism, maxParallelism }) =>
      operators.map((operator) => [operator.id, { ...operator, parallelism, maxParallelism }] as const),
    ),
  );
}

/** The operators that keep something. */
export function stateful(lock: PipelineLock): PlacedOperator[] {
  return [...byId(lock).values()].filter(({ state }) => state !== undefined);
}

/** Operators whose state Flink itself writes, in the order of the plan. */
export function plannedState(lock: PipelineLock): PlacedOperator[] {
  return stateful(lock)
    .filter(({ connector }) => connector === undefined)
    .sort(byPlanNumber);
}

function byPlanNumber(left: LockedOperator, right: LockedOperator): number {
  return planNumber(left.name) - planNumber(right.name);
}

/** The type of an operator, as its name begins, and its place among all of its type in the job, from 1: those that keep nothing count. */
export function typeAndPlace(lock: PipelineLock, { id, name }: LockedOperator): { type: string; place: number } {
  const type = name.slice(0, name.indexOf('['));
  const ofType = [...byId(lock).values()].filter((other) => other.name.startsWith(`${type}[`)).sort(byPlanNumber);
  return { type, place: ofType.findIndex((other) => other.id === id) + 1 };
}

/** What an operator is, keeps, and for which INSERTs. */
export function describe(lock: PipelineLock, operator: LockedOperator): string {
  return `'${operator.name}' (${operator.id}), which keeps ${operator.state}${forInserts(lock, operator)}`;
}

/** The INSERTs that an operator has a part in, where the lock knows them: ` for INSERT 1 into 't'`. */
export function forInserts({ statements }: PipelineLock, { inserts = [] }: LockedOperator): string {
  const named = inserts.map((insert) => `INSERT ${insert} into '${statements[insert - 1]!.table}'`);
  return named.length === 0 ? '' : ` for ${named.join(' and ')}`;
}
