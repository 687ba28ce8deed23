import { Stage } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { directoriesOverlap, directoryOf } from '../application/directory';
import type { FlinkApplication } from '../application/flink-application';
import { claim } from '../target/claim';
import { placeholders } from '../target/placeholders';
import { addressPlace, clusterPlace, hostOf, type JobPlace } from './job-place';

/**
 * Refuses tables that would get in each other's way in Kafka or Kinesis, within a job and across jobs.
 *
 * @param job the job
 * @param application the job
 * @param place where the job is
 */
export function claimTables(job: IConstruct, application: FlinkApplication, place: JobPlace): void {
  for (const { name, binding } of application._bindings()) {
    const claimant = `table '${name}' of '${job.node.path}'`;
    const prefix = application._accessContext(name).transactionalIdPrefix;
    if (binding.sink?.transactions && prefix !== undefined) {
      claim(
        job,
        ['transactional ids', clusterPlace(place, binding.sink.transactions.clusterId), prefix],
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
  /** As it was given. */
  readonly uri: string;
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
 * @param place where the job is
 */
export function claimDirectories(job: IConstruct, application: FlinkApplication, place: JobPlace): void {
  const stage = Stage.of(job) ?? job.node.root;
  const claimed = directoriesOfStage.get(stage) ?? [];
  directoriesOfStage.set(stage, claimed);
  const endpoint = application.settings.flinkConfiguration?.['s3.endpoint'];
  // A bucket is the same everywhere, unless the job names a store of its own.
  const placeOf = (uri: string) => {
    const address = /^s3[ap]?:/.test(uri) ? endpoint : uri;
    return address === undefined ? directoryOf(uri) : `${addressPlace(place, hostOf(address))} ${directoryOf(uri)}`;
  };
  const files = application._bindings().filter(({ binding }) => binding.identifier === 'filesystem' && binding.options.path !== undefined);
  const { uri } = application.settings.checkpointing.storage;
  const own: ClaimedDirectory[] = [
    { directory: placeOf(uri), uri, job, what: 'the checkpoints', checkpoints: true },
    ...files.map(({ name, binding }) => ({
      directory: placeOf(binding.options.path!),
      uri: binding.options.path!,
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
          `${mine.what} of '${job.node.path}' at '${mine.uri}' and ${other.what} of '${other.job.node.path}' at '${other.uri}' share a directory: each job would delete or read what belongs to the other; give each job a prefix of its own`,
          job,
        ),
      );
    }
  }
  claimed.push(...own);
}
