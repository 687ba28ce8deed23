import type { ScriptTable } from '../sql/sql-script';
import type { JobScript } from './job-script';

/**
 * The source that a command writes into.
 *
 * @param script the job
 * @param wanted name of the source; unset where there is only one
 * @param kind what is said of such a source
 * @param suits whether the command can write into a source
 */
export function chooseSource(
  { jobName, tables }: JobScript,
  wanted: string | undefined,
  kind: string,
  suits: (source: ScriptTable) => boolean,
): ScriptTable {
  const sources = tables.filter((table) => table.role === 'source' && suits(table));
  const names = sources.map(({ name }) => name).join(', ');
  const found = sources.filter(({ name }) => wanted === undefined || name === wanted);
  if (found.length === 1) {
    return found[0]!;
  }
  if (sources.length === 0) {
    throw new Error(`job '${jobName}' has no source ${kind}`);
  }
  throw new Error(
    wanted === undefined
      ? `job '${jobName}' has several sources ${kind}: name one by --table: ${names}`
      : `job '${jobName}' has no source '${wanted}' ${kind}; there are ${names}`,
  );
}

/** Options of a source that a writer has no use for. */
export const READING_OPTION = /^(source|scan)\.|^properties\.(group\.id|isolation\.level)$/;

/** Whether a table is a Kafka topic: not several of them, nor all whose names have a pattern, which nobody can write. */
export function isOneTopic({ connector, options: { topic } }: ScriptTable): boolean {
  return connector === 'kafka' && topic !== undefined && !topic.includes(';');
}

/** Format of change events, whose records have the primary key of the row as their key. */
export const CHANGE_FORMAT = 'debezium-json';

/** Whether the records of a table are change events. */
export function isOfChanges({ options }: ScriptTable): boolean {
  return (options.format ?? options['value.format']) === CHANGE_FORMAT;
}
