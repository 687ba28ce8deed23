import { createHash } from 'crypto';
import type { PlannedOperator, PlannedTable } from './plan-report';

/** What an operator of a chain keeps. */
export interface ChainedState {
  /** Unset where it keeps nothing. */
  readonly state?: string;
  /** Digest of the options of the table, where its connector keeps the state in a form of its own. */
  readonly connector?: string;
}

/** Operators that run beside their node of the plan and keep nothing. */
const STATELESS = /^(ConstraintEnforcer|WatermarkAssigner|RowtimeInserter|StreamRecordTimestampInserter)\[/;

/** What an operator of a chain keeps, told by its name: the number in brackets is that of its node in the plan. */
export function chainedState(name: string, operators: PlannedOperator[], tables: PlannedTable[]): ChainedState {
  const number = Number(/\[(\d+)]/.exec(name)?.[1]);
  const operator = operators.find(({ id }) => id === number);
  if (operator === undefined || STATELESS.test(name)) {
    return {};
  }
  if (operator.type === 'TableSourceScan') {
    return { state: operator.state?.holds, connector: optionsDigest(operator.table, tables) };
  }
  if (operator.type === 'Sink' && !name.startsWith('SinkMaterializer')) {
    return { state: 'what its connector keeps', connector: optionsDigest(operator.table, tables) };
  }
  return operator.state === undefined ? {} : { state: operator.state.holds };
}

function optionsDigest(name: string | undefined, tables: PlannedTable[]): string {
  const table = tables.find((other) => other.name === name);
  return createHash('sha256')
    .update(JSON.stringify(table ?? name))
    .digest('hex');
}
