/** What Flink's planner says of a program, as `plan --json` writes it. */
export interface PlanReport {
  /** Version of the planner. */
  readonly flink: string;
  /** Whether Flink takes every statement, and no problem is an error. */
  readonly ok: boolean;
  readonly connectors: PlannedConnector[];
  readonly tables: PlannedTable[];
  readonly statements: PlannedStatement[];
  /** What Flink takes without a word and is wrong, or may be. */
  readonly problems: PlanProblem[];
  /** Unset where a statement is refused. */
  readonly plan?: Plan;
}

export interface PlannedConnector {
  readonly identifier: string;
  /** Class of the real factory. Unset where a stand-in answered, or nothing did. */
  readonly factory?: string;
}

/** A table that the script creates. */
export interface PlannedTable {
  readonly name: string;
  readonly connector?: string;
  /** Those that its system holds, in their order. */
  readonly columns: PlannedColumn[];
  /** Its columns in the order of the key. */
  readonly primaryKey: string[];
  /** As they stand in the script, with placeholders. */
  readonly options: { readonly [option: string]: string };
}

/** A column, its type with NOT NULL. */
export interface PlannedColumn {
  readonly name: string;
  readonly type: string;
}

/** A statement of the script; each INSERT of a statement set is one. */
export interface PlannedStatement {
  /** From 1. */
  readonly number: number;
  /** Line of the script, from 1. */
  readonly line: number;
  /** Its first words. */
  readonly summary: string;
  /** The table or view that it creates or writes. */
  readonly table?: string;
  readonly errors: string[];
}

export interface PlanProblem {
  readonly severity: 'error' | 'warning';
  /** Id of the check. */
  readonly rule: string;
  readonly table?: string;
  readonly message: string;
}

/** The program as it would run. */
export interface Plan {
  readonly operators: PlannedOperator[];
  readonly sinks: PlannedSink[];
  readonly lookups: PlannedLookup[];
  readonly vertices: PlannedVertex[];
}

export interface PlannedOperator {
  /** From 1; stands in brackets behind the names of operators. */
  readonly id: number;
  readonly type: string;
  /** The table that it reads, looks up or writes. */
  readonly table?: string;
  readonly description: string;
  readonly inputs: { readonly operator: number; readonly shuffle?: string }[];
  /** Kinds of rows that leave it: `+I`, `-U`, `+U`, `-D`. */
  readonly changes?: string[];
  readonly upsertKeys?: string[][];
  readonly state?: OperatorState;
  /** Number of the vertex that runs it. */
  readonly vertex?: number;
}

export interface OperatorState {
  /** What the operator remembers. */
  readonly holds: string;
  /** What bounds that, or how it grows. */
  readonly bound: string;
  readonly bounded: boolean;
  /** Whether it belongs to keys of rows. */
  readonly keyed: boolean;
}

export interface PlannedSink {
  readonly operator: number;
  readonly table: string;
  readonly connector?: string;
  /** Kinds of rows that the query gives to the sink. */
  readonly changes: string[];
  /** Kinds of rows that the sink takes when it is given those. */
  readonly accepts: string[];
  readonly primaryKey: string[];
  /** Keys by which the query updates its result. */
  readonly upsertKeys: string[][];
  /** How they relate to the primary key, where there is one. */
  readonly keys?: 'equal' | 'within' | 'different' | 'none';
  /** Whether a SinkUpsertMaterializer puts rows in order before the sink. */
  readonly materializer: boolean;
}

export interface PlannedLookup {
  readonly table: string;
  readonly connector?: string;
  readonly async: boolean;
  /** Columns that it is looked up by. */
  readonly keys: string[];
  /** The lookup joins. */
  readonly operators: number[];
  /** By source table: how many of the joins one of its rows can reach. */
  readonly probes: { readonly [source: string]: number };
}

/** Operators that run chained, in one task for each subtask. */
export interface PlannedVertex {
  readonly number: number;
  readonly name: string;
  readonly parallelism: number;
  readonly maxParallelism: number;
  /** Each with the id that its state is restored by. */
  readonly chain: { readonly name: string; readonly id: string }[];
}
