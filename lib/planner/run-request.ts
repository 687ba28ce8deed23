import type { PlannerProgram } from './planner-batch';

/** Kinds of a change, as Flink writes them. */
export type ChangeKind = '+I' | '-U' | '+U' | '-D';

/** A program to run on Flink with its sources, lookups and sinks swapped. */
export interface RunRequest {
  readonly program: PlannerProgram;
  /** By name of a source or lookup table. */
  readonly tables?: { readonly [table: string]: readonly GivenToTable[] };
  /** @default 1 */
  readonly parallelism?: number;
  /** Whether the sources end after their last row. @default false */
  readonly endOfInput?: boolean;
  /** Ids to give to operators that keep state; `place` is that among all of the type in the job, from 1. @default - Flink's */
  readonly operators?: readonly { readonly type: string; readonly place: number; readonly id: string }[];
  /** URI of a directory to stop with a savepoint into. @default - the job is cancelled */
  readonly savepointDirectory?: string;
  /** URI of a savepoint to start from, or of a directory that holds one and nothing else. @default - the job starts without state */
  readonly restoreFrom?: string;
}

/** A row, as columns or as the record that the table's format reads. */
export interface GivenToTable {
  readonly phase: number;
  readonly op?: ChangeKind;
  readonly row?: { readonly [column: string]: unknown };
  readonly record?: string;
}

/** What a run came to. */
export interface RunResult {
  readonly sinks: { readonly [table: string]: WrittenToTable };
  /** URI of the savepoint, where one was asked for. */
  readonly savepoint?: string;
  /** What the savepoint holds. */
  readonly states?: HeldState[];
}

export interface WrittenToTable {
  /** Whether the table has a format that writes records. */
  readonly records: boolean;
  readonly changes: ChangeOfTable[];
  readonly rows: { readonly [column: string]: unknown }[];
}

/** A change as a sink was given it. */
export interface ChangeOfTable {
  readonly op: ChangeKind;
  /** Phase that it came in; unset for a change that the end of the input brought. */
  readonly phase?: number;
  readonly row: { readonly [column: string]: unknown };
  /** The record key, where the sink writes one. */
  readonly key?: string;
  /** The record's value as the sink's format writes it. Unset where the sink has no format, and for a tombstone. */
  readonly record?: string;
  /** Whether the record has no value; unset where the sink writes no tombstones. */
  readonly tombstone?: boolean;
}

/** State of an operator in a savepoint. */
export interface HeldState {
  /** The id that it is restored by. */
  readonly id: string;
  /** Whether some key has state. */
  readonly keyed: boolean;
  /** Whether it has state that belongs to no key. */
  readonly operator: boolean;
}
