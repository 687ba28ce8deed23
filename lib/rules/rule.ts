import type { FlinkApplication } from '../application/flink-application';

/** Something that a rule found. */
export interface Finding {
  /** What is wrong, what it leads to, what to write instead. */
  readonly message: string;
  /** The table that it is about. @default - the whole job */
  readonly table?: string;
}

/** A check that needs the whole job. Single bad values are refused where they are given. */
export interface Rule {
  /** Name by which a warning is acknowledged, after `cdk-flink-pipeline:`. */
  readonly name: string;
  /** An error stops the synthesis, a warning can be acknowledged. */
  readonly level: 'error' | 'warning';
  /** One sentence for the documentation. */
  readonly description: string;
  /** What is wrong with a job. */
  check(application: FlinkApplication): Finding[];
}
