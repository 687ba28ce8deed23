import type { FlinkApplication } from '../application/flink-application';

/** Something that a rule found. */
export interface Finding {
  /** What is wrong, what it leads to, what to write instead. */
  readonly message: string;
  /** The table that it is about. @default - the whole job */
  readonly table?: string;
}

/** What the documentation says of a rule: `docs/rules.md` is made of it. */
export interface RuleEntry {
  /** Name by which a warning is acknowledged, after `cdk-flink-pipeline:`. */
  readonly name: string;
  /** An error stops the synthesis, a warning can be acknowledged. */
  readonly level: 'error' | 'warning';
  /** What it compares, as a noun: `the checkpoint prefix and the file sinks of the job`. */
  readonly looksAt: string;
  /** When it fires, in one sentence. */
  readonly description: string;
  /** What that leads to. */
  readonly why: string;
  /** What to write instead, and where to acknowledge it. */
  readonly cure: string;
}

/** A check that needs the whole job. Single bad values are refused where they are given. */
export interface Rule extends RuleEntry {
  /** What is wrong with a job. */
  check(application: FlinkApplication): Finding[];
}
