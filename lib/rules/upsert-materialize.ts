import type { FlinkApplication } from '../application/flink-application';
import { Changes } from '../sql/connector';
import { SqlProgram } from '../sql/sql-program';

/** When SinkUpsertMaterializer stands before a sink, as the job or its program says; undefined where no sink keeps rows by key. */
export function upsertMaterialize({ program, settings }: FlinkApplication): string | undefined {
  if (!(program instanceof SqlProgram)) {
    return undefined;
  }
  const keyed = program
    ._usedTables()
    .some(({ binding: { sink }, primaryKey }) => sink !== undefined && sink.changes !== Changes.INSERT_ONLY && primaryKey.length > 0);
  const stated = program._settings()['table.exec.sink.upsert-materialize'];
  return keyed ? (settings.upsertMaterialize ?? stated?.toUpperCase()) : undefined;
}
