import { changedPlaces, changedPlacesText } from './changed-places';
import type { LockedOperator, PipelineLock } from './lock-file';
import { byId, forInserts, type PlacedOperator, stateful } from './placed-operators';

/** An operator whose id another plan has now. */
interface Taken {
  readonly from: PlacedOperator;
  readonly by: PlacedOperator;
  /** Where the plan of the one is in the new job, and was not in the old one. */
  readonly movedTo: PlacedOperator[];
  /** Where the plan of the other was in the old job, and is not in the new one. */
  readonly cameFrom: PlacedOperator[];
}

/** State that another operator takes than the one that kept it: Flink restores by ids, and says nothing. */
export function misplacedState(before: PipelineLock, after: PipelineLock): string[] {
  const planned = taken(before, after)
    .filter((one) => isMisplaced(before, after, one))
    .map(({ from, by, movedTo }) => {
      const now = movedTo.map((operator) => `, which is '${operator.name}'${forInserts(after, operator)} now`).join('');
      return `'${by.name}' (${by.id})${forInserts(after, by)} takes ${from.state} of '${from.name}'${forInserts(before, from)}${now}: leave the INSERTs in their order, and put new ones last`;
    });
  const moved = movedInserts(before, after);
  const misplaced = [...planned, ...(moved.length === 0 ? [] : takenFromConnectors(before, after))];
  return misplaced.length === 0 ? [] : [...moved, ...misplaced];
}

/** That INSERTs changed places among those that both programs have; nothing where all stand as they stood. */
export function movedInserts(before: PipelineLock, after: PipelineLock): string[] {
  const isOnce = (table: string) =>
    [before, after].every(({ statements }) => statements.filter((other) => other.table === table).length === 1);
  const keysOf = ({ statements }: PipelineLock) => statements.map(({ table, digest }) => (isOnce(table) ? table : digest));
  const keys = keysOf(before);
  const moved = changedPlaces([...new Set(keys)], [...new Set(keysOf(after))]).map((key) => keys.indexOf(key));
  return moved.length === 0
    ? []
    : [changedPlacesText(moved.map((index) => `INSERT ${index + 1} into '${before.statements[index]!.table}'`))];
}

/** Writers that would go on with what the connector of another table kept. */
function takenFromConnectors(before: PipelineLock, after: PipelineLock): string[] {
  const now = byId(after);
  return stateful(before).flatMap((from) => {
    const by = now.get(from.id);
    return from.plan === undefined && by !== undefined && writesElsewhere(before, after, from, by)
      ? [`'${by.name}' (${by.id})${forInserts(after, by)} takes what the connector of '${from.name}'${forInserts(before, from)} keeps`]
      : [];
  });
}

/** Whether two operators work for INSERTs into different tables. */
export function writesElsewhere(before: PipelineLock, after: PipelineLock, from: LockedOperator, by: LockedOperator): boolean {
  const [old, now] = [tablesOf(before, from), tablesOf(after, by)];
  return old.length > 0 && now.length > 0 && !now.some((table) => old.includes(table));
}

/** Operators that kept their ids and have another plan, but for those whose state is misplaced. */
export function ownerChanges(before: PipelineLock, after: PipelineLock): string[] {
  return taken(before, after)
    .filter((one) => !isMisplaced(before, after, one))
    .map(
      ({ from, by }) =>
        `'${by.name}' (${by.id})${forInserts(after, by)} has another plan than '${from.name}'${forInserts(before, from)}, whose state it gets`,
    );
}

function taken(before: PipelineLock, after: PipelineLock): Taken[] {
  const [old, now] = [byId(before), byId(after)];
  return stateful(before).flatMap((from) => {
    const by = now.get(from.id);
    if (by === undefined || from.plan === undefined || from.plan === by.plan) {
      return [];
    }
    return [{ from, by, movedTo: onlyIn(now, old, from.plan), cameFrom: onlyIn(old, now, by.plan) }];
  });
}

/** Operators of a plan that has another id in the other job, or none. */
function onlyIn(operators: Map<string, PlacedOperator>, others: Map<string, PlacedOperator>, plan?: string): PlacedOperator[] {
  return plan === undefined ? [] : [...operators.values()].filter((one) => one.plan === plan && others.get(one.id)?.plan !== plan);
}

/** One plan or the other has moved; or they feed different tables, and an INSERT into those of the one or the other is in both programs. */
function isMisplaced(before: PipelineLock, after: PipelineLock, { from, by, movedTo, cameFrom }: Taken): boolean {
  const [old, now] = [tablesOf(before, from), tablesOf(after, by)];
  const writes = ({ statements }: PipelineLock, tables: string[]) => statements.some(({ table }) => tables.includes(table));
  const others = now.length > 0 && !now.some((table) => old.includes(table));
  return movedTo.length > 0 || cameFrom.length > 0 || (others && (writes(after, old) || writes(before, now)));
}

function tablesOf({ statements }: PipelineLock, { inserts = [] }: LockedOperator): string[] {
  return inserts.map((insert) => statements[insert - 1]!.table);
}
