import { SqlProgram } from '../sql/sql-program';
import type { Rule } from './rule';

export const NOT_NULL_ENFORCER = 'table.exec.sink.not-null-enforcer';

/** Whether sinks drop rows with a null in a NOT NULL column, instead of failing the job. */
export function dropsNulls({ program, settings }: Parameters<Rule['check']>[0]): boolean {
  const ofProgram = program instanceof SqlProgram ? program._settings()[NOT_NULL_ENFORCER] : undefined;
  return (ofProgram ?? settings.flinkConfiguration?.[NOT_NULL_ENFORCER])?.toUpperCase() === 'DROP';
}
