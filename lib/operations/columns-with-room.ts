import type { ScriptTable } from '../sql/sql-script';
import { type JobScript, type PhysicalColumn, physicalColumns } from './job-script';
import { isText, typeParts } from './type-kinds';

/**
 * The physical columns of a source, texts no longer than a sink has room for in its column of the same name: the job does not cut them,
 * and a database refuses what is too long.
 */
export function columnsWithRoom(script: JobScript, source: ScriptTable): PhysicalColumn[] {
  return physicalColumns(source).map((column) => {
    const room = roomInSinks(script, column.name);
    return isText(column.type) && room < roomOf(column) ? { ...column, type: `VARCHAR(${room})` } : column;
  });
}

/** Characters that each sink has room for in its column of a name. */
export function roomInSinks({ tables }: JobScript, column: string): number {
  const inSinks = tables.filter(({ role }) => role === 'sink').flatMap(physicalColumns);
  return Math.min(...inSinks.filter(({ name }) => name === column).map(roomOf));
}

/** The texts among some columns that nothing in the job has a limit for. */
export function unlimitedTexts(columns: PhysicalColumn[]): string[] {
  return columns.filter((column) => isText(column.type) && roomOf(column) === Number.POSITIVE_INFINITY).map(({ name }) => name);
}

function roomOf({ type }: PhysicalColumn): number {
  return (isText(type) ? typeParts(type).length : undefined) ?? Number.POSITIVE_INFINITY;
}
