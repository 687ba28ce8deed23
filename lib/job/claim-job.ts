import { Stack, Stage, Token } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import type { DeploymentTarget } from '../target/deployment-target';

const jobsOfStage = new WeakMap<IConstruct, Map<string, IConstruct>>();

/**
 * Refuses two jobs of one name in one namespace of one cluster: each deployment would overwrite the FlinkDeployment of the other. Names
 * that are known only at deployment are not compared.
 *
 * @param job the job
 * @param target where it goes
 * @param jobName its name
 */
export function claimJob(job: IConstruct, { clusterName, namespace }: DeploymentTarget, jobName: string): void {
  if (clusterName === undefined || Token.isUnresolved(clusterName) || Token.isUnresolved(namespace)) {
    return;
  }
  const stage = Stage.of(job) ?? job.node.root;
  const jobs = jobsOfStage.get(stage) ?? new Map<string, IConstruct>();
  jobsOfStage.set(stage, jobs);
  // The same names mean another cluster in another region.
  const key = JSON.stringify([Stack.of(job).environment, clusterName, namespace, jobName]);
  const other = jobs.get(key);
  if (other) {
    throw new Error(
      `'${other.node.path}' and '${job.node.path}' are both job '${jobName}' in namespace '${namespace}' of cluster '${clusterName}', and would overwrite each other: give one of them another jobName`,
    );
  }
  jobs.set(key, job);
}
