import type { FlinkApplication } from '../application/flink-application';
import { UpgradeMode } from '../application/upgrade';
import type { Finding, Rule } from './rule';

/** A source without state begins at its start position, whatever was read before. */
export const statelessUpgrade: Rule = {
  name: 'StatelessUpgrade',
  level: 'warning',
  looksAt: '`upgradeMode`, and that of the FlinkDeployment with its patches',
  description: '`upgradeMode` is `STATELESS`.',
  why: 'Each change of the job starts it from nothing. Sources begin at their start position again: from `latest` what came in between is skipped, from the beginning all is read and written once more; sums and joins begin empty. No error tells.',
  cure: 'Leave `upgradeMode` out. Acknowledge it where the job may forget, and give `UpgradeMode.SAVEPOINT` back after the one change that needs it.',
  check: ({ jobName, settings }) => (settings.upgradeMode === UpgradeMode.STATELESS ? [finding(jobName)] : []),
};

/**
 * The same of a patch.
 *
 * @param application the job
 * @param deployment its FlinkDeployment as JSON, with patches
 */
export function patchedStateless({ jobName, settings }: FlinkApplication, deployment: object): Finding[] {
  const { spec } = deployment as { spec?: { job?: { upgradeMode?: unknown } } };
  return spec?.job?.upgradeMode === UpgradeMode.STATELESS && settings.upgradeMode !== UpgradeMode.STATELESS
    ? [finding(jobName, ', by a patch')]
    : [];
}

function finding(jobName: string, how = ''): Finding {
  return {
    message: `upgradeMode of job '${jobName}' is STATELESS${how}: each change of the job starts it from nothing, its sources at their start position and its sums at zero; leave upgradeMode out, or acknowledge this where the job may forget`,
  };
}
