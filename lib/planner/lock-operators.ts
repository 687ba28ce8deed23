import { createHash } from 'crypto';
import type { PlannedOperator, PlannedTable } from './plan-report';
import type { SubPlans } from './sub-plans';

/** What an operator of a chain keeps; all unset where it keeps nothing. */
export interface ChainedState {
  readonly state?: string;
  /** Digest of the options of the table, where its connector keeps the state in a form of its own. */
  readonly connector?: string;
  /** Digest of its plan and of all that feeds it. Unset where the state belongs to the table that is written, whoever writes it. */
  readonly plan?: string;
  /** The INSERTs that it has a part in, by their place among the statements of the lock, from 1. */
  readonly inserts?: number[];
}

/** Operators that run beside their node of the plan and keep nothing. */
const STATELESS = /^(ConstraintEnforcer|WatermarkAssigner|RowtimeInserter|StreamRecordTimestampInserter)\[/;

/** What an operator of a chain keeps, told by its name: the number in brackets is that of its node in the plan. */
export function chainedState(name: string, operators: PlannedOperator[], tables: PlannedTable[], subPlans: SubPlans): ChainedState {
  const operator = operators.find(({ id }) => id === planNumber(name));
  if (operator === undefined || STATELESS.test(name)) {
    return {};
  }
  const { id, type, table, state } = operator;
  const inserts = subPlans.inserts(id);
  if (type === 'Sink' && !name.startsWith('SinkMaterializer')) {
    return { state: 'what its connector keeps', connector: optionsDigest(table, tables), inserts };
  }
  if (state === undefined) {
    return {};
  }
  const kept = { state: state.holds, plan: subPlans.digest(id), inserts };
  return type === 'TableSourceScan' ? { ...kept, connector: optionsDigest(table, tables) } : kept;
}

/** The number of the node of the plan that an operator of a chain belongs to. */
export function planNumber(name: string): number {
  return Number(/\[(\d+)]/.exec(name)?.[1]);
}

function optionsDigest(name: string | undefined, tables: PlannedTable[]): string {
  const table = tables.find((other) => other.name === name);
  return createHash('sha256')
    .update(JSON.stringify(table ?? name))
    .digest('hex');
}
