import type { ChangeKind, GivenToTable } from '../planner/run-request';

/** Columns by name; timestamps as ISO 8601 writes them: `2026-01-31T23:59:59.999`. A column that is left out is null. */
export interface Row {
  readonly [column: string]: unknown;
}

/** What a table is given: `row()` or `record()`. */
export type Given = GivenToTable;

/** How a row comes. */
export interface RowOptions {
  /**
   * Kind of the change; only those that the source has.
   *
   * @default '+I'
   */
  readonly op?: ChangeKind;

  /**
   * Rows of a phase come when all before it have reached the sinks; those of one phase in the order in which they are given to their
   * table, in no order between tables. A lookup table has the rows of the phases so far.
   *
   * @default 1
   */
  readonly phase?: number;
}

/** A row by its columns, as it leaves the source. */
export function row(columns: Row, options: RowOptions = {}): Given {
  return { row: columns, op: options.op, phase: options.phase ?? 1 };
}

/** The value of a record as it stands in the stream or topic; the format of the table reads it. */
export function record(text: string, options: { readonly phase?: number } = {}): Given {
  return { record: text, phase: options.phase ?? 1 };
}
