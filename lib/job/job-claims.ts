import { Stack, Stage } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { directoriesOverlap, directoryOf } from '../application/directory';
import type { FlinkApplication } from '../application/flink-application';
import { claim } from '../target/claim';
import type { DeploymentTarget } from '../target/deployment-target';
import { placeholders } from '../target/placeholders';

/**
 * Refuses two jobs of one name in one namespace of one cluster: each deployment would overwrite the FlinkDeployment of the other.
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

/**
 * Refuses tables that would get in each other's way in Kafka or Kinesis, within a job and across jobs.
 *
 * @param job the job
 * @param application the job
 */
export function claimTables(job: IConstruct, application: FlinkApplication): void {
  for (const { name, binding } of application._bindings()) {
    const claimant = `table '${name}' of '${job.node.path}'`;
    const prefix = application._accessContext(name).transactionalIdPrefix;
    if (binding.sink?.transactions && prefix !== undefined) {
      claim(
        job,
        ['transactional ids', binding.sink.transactions.clusterId, Stack.of(job).environment, prefix],
        `have the transactional id prefix '${prefix}' in one Kafka cluster, and would fence each other: give one of them another transactionalIdPrefix`,
        claimant,
      );
    }
    const { 'stream.arn': streamArn, 'source.efo.consumer.name': consumerName } = binding.options;
    if (streamArn !== undefined && consumerName !== undefined) {
      claim(
        job,
        ['enhanced fan-out consumer', streamArn, consumerName],
        `read stream '${streamArn}' as consumer '${consumerName}', which holds one subscription for each shard: give one of them another consumerName`,
        claimant,
      );
    }
  }
}

/** A directory that a job writes. */
interface ClaimedDirectory {
  readonly directory: string;
  readonly job: IConstruct;
  readonly what: string;
  readonly checkpoints: boolean;
}

const directoriesOfStage = new WeakMap<IConstruct, ClaimedDirectory[]>();

/**
 * Refuses a checkpoint directory that another job writes into, or that lies within one of another job: each job deletes what it takes for
 * its own, and the role of one could read the state of the other.
 *
 * @param job the job
 * @param application the job
 */
export function claimDirectories(job: IConstruct, application: FlinkApplication): void {
  const stage = Stage.of(job) ?? job.node.root;
  const claimed = directoriesOfStage.get(stage) ?? [];
  directoriesOfStage.set(stage, claimed);
  const files = application._bindings().filter(({ binding }) => binding.identifier === 'filesystem' && binding.options.path !== undefined);
  const own: ClaimedDirectory[] = [
    { directory: placeOf(job, application.settings.checkpointing.storage.uri), job, what: 'the checkpoints', checkpoints: true },
    ...files.map(({ name, binding }) => ({
      directory: placeOf(job, binding.options.path!),
      job,
      what: `table '${name}'`,
      checkpoints: false,
    })),
  ];
  for (const mine of own) {
    const other = claimed.find(
      (theirs) => (mine.checkpoints || theirs.checkpoints) && directoriesOverlap(mine.directory, theirs.directory),
    );
    if (other) {
      throw new Error(
        placeholders(
          `${mine.what} of '${job.node.path}' at '${mine.directory}' and ${other.what} of '${other.job.node.path}' at '${other.directory}' share a directory: each job would delete or read what belongs to the other; give each job a prefix of its own`,
          job,
        ),
      );
    }
  }
  claimed.push(...own);
}

/** A bucket is the same everywhere; another file system may be another one in another environment. */
function placeOf(job: IConstruct, uri: string): string {
  return /^s3[ap]?:/.test(uri) ? directoryOf(uri) : `${Stack.of(job).environment} ${directoryOf(uri)}`;
}
