import { removingRules } from './removing-life-cycle-rules';
import type { Rule } from './rule';

/** Directories under the storage of a job without which it cannot go on. */
export const NEEDED = ['checkpoints', 'ha'];

/** Checkpoints refer to files of earlier ones: age says nothing about whether a file is needed. */
export const checkpointLifeCycle: Rule = {
  name: 'CheckpointLifeCycle',
  level: 'error',
  looksAt: 'the life-cycle rules of the checkpoint bucket',
  description:
    'A life-cycle rule of the bucket expires or archives (Glacier, Deep Archive, the archive tiers of Intelligent-Tiering) checkpoints of the job, or what it needs to find them.',
  why: 'An incremental checkpoint refers to files of earlier ones, whatever their age; the first restore after the expiry fails.',
  cure: 'Limit the life-cycle rule to other prefixes. Flink deletes what it no longer needs. Only buckets of the same app can be checked. Rules for objects with a tag pass: Flink sets none.',
  check: (application) => {
    const { bucket, prefix, rules = [] } = removingRules(application, NEEDED) ?? {};
    return rules.map((rule) => ({
      message: `${rule} of bucket '${bucket}' expires or archives objects under '${prefix}/', the checkpoints of job '${application.jobName}': a checkpoint needs files of earlier ones, whatever their age; limit the rule to other prefixes (Flink deletes what it no longer needs)`,
    }));
  },
};
