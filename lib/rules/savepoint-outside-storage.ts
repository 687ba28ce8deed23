import { Token } from 'aws-cdk-lib';
import { directoryOf } from '../application/directory';
import type { Rule } from './rule';

/** The job may read its own prefix only. */
export const savepointOutsideStorage: Rule = {
  name: 'SavepointOutsideStorage',
  level: 'warning',
  description: 'The job starts from a savepoint outside its own prefix, where its role has no permission unless you grant it.',
  check: ({ jobName, settings }) => {
    const { initialSavepointPath: path, checkpointing } = settings;
    const { uri } = checkpointing.storage;
    if (path === undefined || Token.isUnresolved(path) || Token.isUnresolved(uri) || directoryOf(path).startsWith(directoryOf(uri))) {
      return [];
    }
    return [
      {
        message: `initialSavepointPath '${path}' of job '${jobName}' is not under '${uri}', the only prefix that its role may read: the restore fails with an access error; grant it with bucket.grantRead(job, '<prefix>/*'), and acknowledge this`,
      },
    ];
  },
};
