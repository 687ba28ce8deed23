import { Stack } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { claim } from '../target/claim';
import type { DeploymentTarget } from '../target/deployment-target';
import { jobDirectory } from './job-files';

/**
 * Refuses two jobs of one name in one namespace of one cluster, of which each deployment would overwrite the FlinkDeployment of the other,
 * and in one stack, whose directories in the cloud assembly are named after the job.
 *
 * @param job the job
 * @param target where it goes
 * @param jobName its name
 */
export function claimJob(job: IConstruct, { clusterName, namespace }: DeploymentTarget, jobName: string): void {
  if (clusterName !== undefined) {
    claim(
      job,
      // The same names mean another cluster in another region.
      ['job', Stack.of(job).environment, clusterName, namespace, jobName],
      `are both job '${jobName}' in namespace '${namespace}' of cluster '${clusterName}', and would overwrite each other: give one of them another jobName`,
    );
  }
  claim(
    job,
    ['job directory', jobDirectory(job, jobName)],
    `are both job '${jobName}' of one stack, and would write one directory of the cloud assembly, whatever their namespaces and clusters: put one of them into another stack, or give it another jobName`,
  );
}

/**
 * Refuses two Pod Identity associations of one service account: EKS takes the first and fails on the second, whatever their roles.
 *
 * @param job the job
 * @param clusterName name of the cluster
 * @param namespace namespace of the job
 * @param serviceAccountName the service account
 */
export function claimServiceAccount(job: IConstruct, clusterName: string, namespace: string, serviceAccountName: string): void {
  claim(
    job,
    ['service account', Stack.of(job).environment, clusterName, namespace, serviceAccountName],
    `both run as service account '${serviceAccountName}' in namespace '${namespace}' of cluster '${clusterName}', and EKS takes one Pod Identity association for it: ` +
      'leave serviceAccountName out, or share a role and use identity: JobIdentity.irsa()',
  );
}
