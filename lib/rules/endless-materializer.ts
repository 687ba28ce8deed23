import { UpsertMaterialize } from '../application/upgrade';
import { keepsStateForEver } from './keeps-state-for-ever';
import type { Rule } from './rule';
import { upsertMaterialize } from './upsert-materialize';

/** The materializer keeps every row that a key ever had, until the state expires. */
export const endlessMaterializer: Rule = {
  name: 'EndlessMaterializer',
  level: 'warning',
  looksAt: '`upsertMaterialize` and `stateTtl` of the job, and the options of its program in their place',
  description: '`upsertMaterialize` is `FORCE` with a sink that keeps rows by key, and state never expires.',
  why: 'The materializer keeps the rows of every key for ever, and takes longer for each.',
  cure: 'Give `stateTtl`, longer than a key is updated or deleted: the delete of a row that was forgotten is dropped. Or give each sink the key of its query, and leave `upsertMaterialize` out. A program that sets `table.exec.state.ttl` to `0` has said so.',
  check: (application) =>
    upsertMaterialize(application) === UpsertMaterialize.FORCE && keepsStateForEver(application)
      ? [
          {
            message: `upsertMaterialize of job '${application.jobName}' is FORCE without stateTtl: the materializer keeps the rows of every key for ever, and grows slower with each; give stateTtl, longer than a key is updated, or give each sink the key of its query and leave upsertMaterialize out`,
          },
        ]
      : [],
};
