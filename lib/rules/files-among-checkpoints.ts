import { directoriesOverlap, directoryOf } from '../application/directory';
import { TableRole } from '../sql/connector';
import type { Rule } from './rule';

/** Flink deletes what it does not know under its own directories, and a reader of the files meets checkpoints. */
export const filesAmongCheckpoints: Rule = {
  name: 'FilesAmongCheckpoints',
  level: 'error',
  looksAt: 'the paths of file sinks and the checkpoint prefix',
  description: 'A `FileSystemSink` writes into the checkpoint prefix of its job, or around it.',
  why: 'Readers of the files meet checkpoints, and a clean-up of one deletes the other.',
  cure: 'Give the files a prefix of their own, beside that of `checkpointing.storage`.',
  check: (application) => {
    const storage = directoryOf(application.settings.checkpointing.storage.uri);
    return (
      application
        ._bindings()
        .filter(({ binding }) => binding.identifier === 'filesystem' && binding.role === TableRole.SINK)
        // The name of a bucket of this app is a token, and the same one wherever it stands: what begins alike does so at deployment, too.
        .filter(({ binding }) => directoriesOverlap(directoryOf(binding.options.path ?? ''), storage))
        .map(({ name, binding }) => ({
          table: name,
          message: `table '${name}' of job '${application.jobName}' writes to '${binding.options.path}', and its checkpoints lie at '${application.settings.checkpointing.storage.uri}': readers of the files would meet checkpoints, and a clean-up of one would delete the other; give the files a prefix of their own`,
        }))
    );
  },
};
