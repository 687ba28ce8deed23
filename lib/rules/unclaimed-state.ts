import { UpgradeMode } from '../application/upgrade';
import type { Rule } from './rule';

/** A job that restores by its high-availability metadata asks nobody whether state may be dropped. */
export const unclaimedState: Rule = {
  name: 'UnclaimedState',
  level: 'warning',
  looksAt: '`allowNonRestoredState` and `upgradeMode`',
  description: '`allowNonRestoredState` is given with `UpgradeMode.LAST_STATE`.',
  why: 'A job that goes on from its high-availability metadata does not honour it: a program with other statements fails to restore.',
  cure: 'Use `UpgradeMode.SAVEPOINT` for this change.',
  check: ({ jobName, settings }) =>
    settings.allowNonRestoredState && settings.upgradeMode === UpgradeMode.LAST_STATE
      ? [
          {
            message: `allowNonRestoredState of job '${jobName}' is not honoured where the job goes on from its high-availability metadata, as upgradeMode LAST_STATE has it: a program with other statements fails to restore; use UpgradeMode.SAVEPOINT for this change`,
          },
        ]
      : [],
};
