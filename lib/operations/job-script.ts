import { ColumnKind } from '../sql/column';
import { quoteIdentifier } from '../sql/identifier';
import type { ScriptColumn, ScriptInsert, ScriptTable, SqlScript } from '../sql/sql-script';

/** A job as operators meet it: its tables and statements. */
export interface JobScript extends SqlScript {
  readonly jobName: string;
  /** Namespace of the job, as far as it is known before the deployment. */
  readonly namespace?: string;
  readonly tables: ScriptTable[];
}

/** Columns that stand in the rows of a table, in their order. */
export function physicalColumns({ columns }: ScriptTable): PhysicalColumn[] {
  return columns.filter((column): column is PhysicalColumn => column.kind === ColumnKind.PHYSICAL);
}

/** A column whose type is known. */
export interface PhysicalColumn extends ScriptColumn {
  readonly type: string;
}

/** Names of the columns that an INSERT fills, in the order of its query. */
export function insertedColumns({ columns }: ScriptInsert, table: ScriptTable): string[] {
  return columns.length > 0 ? columns : table.columns.filter(({ writable }) => writable).map(({ name }) => name);
}

/** Namespace of the job as a command has it; a word for it where only the deployment knows it. */
export function namespaceOf({ namespace }: JobScript): string {
  return namespace === undefined || namespace.includes('${') ? 'NAMESPACE' : namespace;
}

/** A consumer group beside that of the job, so that the offsets of the job stay as they are. */
export function consumerGroupBeside({ namespace, jobName }: JobScript, purpose: string): string {
  const group = `${jobName}.${purpose}`;
  return namespace === undefined || namespace.includes('${') ? group : `${namespace}.${group}`;
}

/**
 * Gives names that no table, view or function of some definitions has, each once.
 *
 * @param definitions SQL in which whatever is defined has its name in backticks
 */
export function freeNames(definitions: string): (wanted: string) => string {
  const given = new Set<string>();
  return (wanted) => {
    let name = wanted;
    for (let count = 2; given.has(name) || definitions.includes(quoteIdentifier(name)); count += 1) {
      name = `${wanted}_${count}`;
    }
    given.add(name);
    return name;
  };
}
