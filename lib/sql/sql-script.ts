import { ColumnKind } from './column';
import { quoteIdentifier } from './identifier';
import { scanSql } from './sql-scanner';
import type { SqlTable } from './sql-table';

/** A column of a script's table. */
export interface ScriptColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  /** Type in Flink SQL, without NOT NULL. @default - only the planner knows (a computed column) */
  readonly type?: string;
  /** Whether a value may be NULL. @default - only the planner knows (a computed column) */
  readonly nullable?: boolean;
  /** Key of the metadata. @default - another kind of column */
  readonly metadataKey?: string;
  /** Whether an INSERT fills the column. */
  readonly writable: boolean;
}

/** A table of a script. */
export interface ScriptTable {
  readonly name: string;
  readonly role: 'source' | 'sink' | 'lookup';
  readonly connector: string;
  readonly columns: ScriptColumn[];
  readonly primaryKey: string[];
  /** Columns of PARTITIONED BY. @default - none */
  readonly partitionedBy?: string[];
  /** SQL of the watermark, and of the computed columns that it reads. @default - no watermark */
  readonly eventTime?: string;
  /** Options beside the connector, as they stand in the script. */
  readonly options: { readonly [option: string]: string };
}

/** An INSERT of a script. */
export interface ScriptInsert {
  readonly table: string;
  /** Columns that the query fills, empty for all that can be written. */
  readonly columns: string[];
  readonly query: string;
}

/** A script in its parts. */
export interface SqlScript {
  /** Settings, functions, tables and views: all that stands before the INSERTs. */
  readonly definitions: string;
  readonly inserts: ScriptInsert[];
}

/** The text of a script. */
export function renderScript({ definitions, inserts }: SqlScript): string {
  return `${[definitions, renderInserts(inserts)].filter((part) => part !== '').join('\n\n')}\n`;
}

/**
 * The definitions of a script whose INSERTs are known.
 *
 * @param text text of the script
 * @param inserts its INSERTs
 */
export function definitionsOf(text: string, inserts: ScriptInsert[]): string {
  const end = `${renderInserts(inserts)}\n`;
  if (!text.endsWith(end)) {
    throw new Error(
      "job.sql does not end in the INSERTs that pipeline.json tells: one of them was changed after 'cdk synth'; run it again",
    );
  }
  return text.slice(0, -end.length).trimEnd();
}

/** The columns of a table as a reader of the script finds them. */
export function scriptColumns({ columns, primaryKey }: SqlTable): ScriptColumn[] {
  return columns.map(({ name, kind, type, metadataKey, virtual }) => ({
    name,
    kind,
    type: type && `${type}`.replace(/ NOT NULL$/, ''),
    nullable: type?.nullable && !primaryKey.includes(name),
    metadataKey,
    writable: kind !== ColumnKind.COMPUTED && !virtual,
  }));
}

/** SQL that the event time of a table is made by: that of its watermark, and of the computed columns that this reads. */
export function eventTimeSql({ columns, watermark }: SqlTable): string | undefined {
  if (watermark === undefined) {
    return undefined;
  }
  const computed = new Set(columns.filter(({ kind }) => kind === ColumnKind.COMPUTED));
  const read = [watermark._toSql()];
  // The list grows while it is read.
  for (const sql of read) {
    const names = namesIn(sql);
    for (const column of computed) {
      if (names.has(column.name)) {
        computed.delete(column);
        read.push(column._toSql(false));
      }
    }
  }
  return read.join('\n');
}

/** Whatever could be the name of a column in an expression. */
export function namesIn(sql: string): Set<string> {
  const { tokens } = scanSql('the script', sql);
  return new Set(tokens.filter(({ kind }) => kind === 'word' || kind === 'identifier').map(({ text }) => text));
}

function renderInserts(inserts: ScriptInsert[]): string {
  return inserts.length === 0 ? '' : `EXECUTE STATEMENT SET BEGIN\n${inserts.map(renderInsert).join('\n')}\nEND;`;
}

function renderInsert({ table, columns, query }: ScriptInsert): string {
  const list = columns.length === 0 ? '' : ` (${columns.map(quoteIdentifier).join(', ')})`;
  return `INSERT INTO ${quoteIdentifier(table)}${list}\n${query};`;
}
