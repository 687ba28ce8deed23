import type { FlinkApplication } from '../application/flink-application';
import { SqlProgram } from '../sql/sql-program';

/** Whether the state of a SQL job never expires, and nobody said so by `SqlProgram.set`. */
export function keepsStateForEver({ program, settings }: FlinkApplication): boolean {
  return program instanceof SqlProgram && settings.stateTtl === undefined && program._settings()['table.exec.state.ttl'] === undefined;
}

/** Whether the state of a SQL job expires. A program has the last word, and may say by `0` that it never does. */
export function stateExpires({ program, settings }: FlinkApplication): boolean {
  const own = program instanceof SqlProgram ? program._settings()['table.exec.state.ttl'] : undefined;
  return own === undefined ? settings.stateTtl !== undefined : !/^\s*0+(?!\d)/.test(own);
}
