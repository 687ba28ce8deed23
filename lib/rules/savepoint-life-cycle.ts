import { NEEDED } from './checkpoint-life-cycle';
import { removingRules } from './removing-life-cycle-rules';
import type { Rule } from './rule';

/** A savepoint holds all of its files, so that old ones may go; the last one is the state of a job that does not run. */
export const savepointLifeCycle: Rule = {
  name: 'SavepointLifeCycle',
  level: 'warning',
  looksAt: 'the life-cycle rules of the checkpoint bucket',
  description:
    'A life-cycle rule of the bucket expires or archives (Glacier, Deep Archive) savepoints of the job, and none of its checkpoints.',
  why: 'A job that is suspended, or waits in the middle of an upgrade, has its state in one savepoint only. Once that is gone it cannot start again, or starts from nothing.',
  cure: 'Acknowledge it where the life-cycle rule waits longer than the job is ever suspended, and than you would roll back. Else limit it to other prefixes.',
  check: (application) => {
    const { bucket, prefix, rules = [] } = removingRules(application, ['savepoints'], NEEDED) ?? {};
    return rules.map((rule) => ({
      message: `${rule} of bucket '${bucket}' expires or archives objects under '${prefix}/savepoints/': a suspended job '${application.jobName}' has its state there only, and cannot start once it is gone; limit the rule to other prefixes, or acknowledge this where it waits longer than the job is ever suspended`,
    }));
  },
};
