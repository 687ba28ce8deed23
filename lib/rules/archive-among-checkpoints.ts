import type { CfnDeliveryStream } from 'aws-cdk-lib/aws-kinesisfirehose';
import type { IConstruct } from 'constructs';
import { directoriesOverlap } from '../application/directory';
import type { AppRule } from './app-rule';
import { asResource, resourceBehind } from './resource-behind';

interface Delivery {
  readonly path: string;
  /** Bucket and directory, without what Firehose makes of expressions. */
  readonly bucket: string;
  readonly directory: string;
}

/** Directories into which a delivery stream writes. What has none writes into those of the years, at the top of the bucket. */
function deliveries(construct: IConstruct): Delivery[] {
  const stream = asResource<CfnDeliveryStream>(construct, 'AWS::KinesisFirehose::DeliveryStream');
  const destination = stream?.extendedS3DestinationConfiguration;
  if (destination === undefined || !('bucketArn' in destination)) {
    return [];
  }
  const { bucketArn, prefix, errorOutputPrefix } = destination;
  return [prefix, errorOutputPrefix]
    .map((given) => /^.*\//.exec(given?.split('!{')[0] ?? '')?.[0])
    .filter((directory) => directory !== undefined)
    .map((directory) => ({ path: construct.node.path, bucket: resourceBehind(bucketArn), directory }));
}

/** A delivery stream writes where it is told to, whoever else does. */
export const archiveAmongCheckpoints: AppRule = {
  name: 'ArchiveAmongCheckpoints',
  level: 'error',
  looksAt: 'the checkpoint prefixes of all jobs, and the bucket and the prefixes of all delivery streams of the app',
  description: 'A delivery stream writes into the checkpoint prefix of a job, or around it.',
  why: 'Readers of the archive meet checkpoints, and a clean-up of one deletes the other.',
  cure: 'Give the archive a prefix of its own, beside those of `checkpointing.storage`, or a bucket.',
  check: (job) => {
    const { bucket, prefix, uri } = job.application.settings.checkpointing.storage;
    return bucket === undefined
      ? []
      : job
          .constructs()
          .flatMap(deliveries)
          .filter(
            (delivery) => delivery.bucket === resourceBehind(bucket.bucketArn) && directoriesOverlap(delivery.directory, `${prefix}/`),
          )
          .map(({ path, directory }) => ({
            message: `'${path}' delivers to '${directory}' in the bucket of the checkpoints of job '${job.application.jobName}', which lie at '${uri}': readers of the archive would meet checkpoints, and a clean-up of one would delete the other; give the archive a prefix of its own`,
          }));
  },
};
