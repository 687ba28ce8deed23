import type { Rule } from './rule';

/** The construct by which the CDK empties a bucket. */
const EMPTIED = 'AutoDeleteObjectsCustomResource';

/** CloudFormation deletes no bucket that holds objects, unless something empties it first. */
export const deletableState: Rule = {
  name: 'DeletableState',
  level: 'warning',
  looksAt: 'the checkpoint bucket, where it is one of the app',
  description: 'The bucket of the checkpoints has `autoDeleteObjects`.',
  why: 'Where the stack is deleted, or the bucket leaves it or is replaced, the bucket is emptied first: checkpoints, savepoints and what high availability needs are gone for good. `RemovalPolicy.DESTROY` alone passes: a bucket that holds objects is not deleted.',
  cure: 'Leave `autoDeleteObjects` out. Acknowledge it in a stack for tests.',
  check: ({ jobName, settings: { checkpointing } }) => {
    const { bucket } = checkpointing.storage;
    return bucket?.node.tryFindChild(EMPTIED) === undefined
      ? []
      : [
          {
            message: `bucket '${bucket.node.path}' with the checkpoints of job '${jobName}' has autoDeleteObjects: with its stack all state of the job is deleted, savepoints too; leave it out, or acknowledge this in a stack for tests`,
          },
        ];
  },
};
