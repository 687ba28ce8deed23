import { Stage } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import type { FlinkApplication } from '../application/flink-application';
import type { JobOfApp } from './app-rule';
import type { JobPlace } from './job-place';

const jobsOfStage = new WeakMap<IConstruct, JobOfApp[]>();

/**
 * Enters a job into the list of its app: a stage is deployed as an app of its own.
 *
 * @param scope the job
 * @param application the job
 * @param place where the job is
 * @returns the job, and those that were there before it
 */
export function enterJob(scope: IConstruct, application: FlinkApplication, place: JobPlace): { job: JobOfApp; earlier: JobOfApp[] } {
  const stage = Stage.of(scope) ?? scope.node.root;
  const earlier = jobsOfStage.get(stage) ?? [];
  const job = { path: scope.node.path, place, application, constructs: () => stage.node.findAll() };
  jobsOfStage.set(stage, [...earlier, job]);
  return { job, earlier };
}
