import type { IConstruct } from 'constructs';
import type { FlinkApplication } from '../application/flink-application';
import type { JobPlace } from './job-place';
import type { Finding, RuleEntry } from './rule';

/** A job among others of an app. */
export interface JobOfApp {
  /** Its place in the construct tree. */
  readonly path: string;
  readonly place: JobPlace;
  readonly application: FlinkApplication;
  /** All that stands in the app, which is whole once it is synthesized. */
  constructs(): IConstruct[];
}

/** A check that needs all jobs of an app. */
export interface AppRule extends RuleEntry {
  /**
   * What is wrong with a job beside the others.
   *
   * @param job the job that was added last, of which the findings are
   * @param earlier those that are there already
   */
  check(job: JobOfApp, earlier: JobOfApp[]): Finding[];
}
