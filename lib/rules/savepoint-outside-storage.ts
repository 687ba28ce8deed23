import { Token } from 'aws-cdk-lib';
import { directoryOf } from '../application/directory';
import type { Rule } from './rule';

/** The job may read its own prefix only. */
export const savepointOutsideStorage: Rule = {
  name: 'SavepointOutsideStorage',
  level: 'warning',
  looksAt: 'the savepoint to start from, and the checkpoint prefix',
  description: '`initialSavepointPath` is not under `checkpointing.storage`, a prefix of a bucket.',
  why: 'The role of the job may read that prefix and nothing else; the restore fails with an access error.',
  cure: "Grant it, `bucket.grantRead(job, 'old-job/*')`, and acknowledge this.",
  check: ({ jobName, settings }) => {
    const { initialSavepointPath: path, checkpointing } = settings;
    const { bucket, uri } = checkpointing.storage;
    // Permissions on another location are the user's own.
    if (
      bucket === undefined ||
      path === undefined ||
      Token.isUnresolved(path) ||
      Token.isUnresolved(uri) ||
      directoryOf(path).startsWith(directoryOf(uri))
    ) {
      return [];
    }
    return [
      {
        message: `initialSavepointPath '${path}' of job '${jobName}' is not under '${uri}', the only prefix that its role may read: the restore fails with an access error; grant it with bucket.grantRead(job, '<prefix>/*'), and acknowledge this`,
      },
    ];
  },
};
