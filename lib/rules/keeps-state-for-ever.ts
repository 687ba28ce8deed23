import type { FlinkApplication } from '../application/flink-application';
import { SqlProgram } from '../sql/sql-program';

/** Whether the state of a SQL job never expires, and nobody said so by `SqlProgram.set`. */
export function keepsStateForEver({ program, settings }: FlinkApplication): boolean {
  return program instanceof SqlProgram && settings.stateTtl === undefined && program._settings()['table.exec.state.ttl'] === undefined;
}
