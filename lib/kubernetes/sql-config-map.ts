import type { ApiObjectProps } from 'cdk8s';
import { createHash } from 'crypto';
import type { FlinkApplication } from '../application/flink-application';
import { NEVER_PRUNED } from '../target/never-pruned';
import { objectMetadata } from './object-metadata';

/** Key of the script in its ConfigMap. */
export const SCRIPT_KEY = 'job.sql';

/**
 * Name of the ConfigMap of a script: another script is another ConfigMap, so that a rollback finds the earlier one.
 *
 * @param application a SQL job
 */
export function scriptName(application: FlinkApplication): string {
  return `${application.jobName}-sql-${createHash('sha256').update(application.script!).digest('hex').slice(0, 10)}`;
}

/**
 * The script of a job.
 *
 * @param application a SQL job
 */
export function sqlConfigMap(application: FlinkApplication): ApiObjectProps {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    // Earlier scripts are no longer in the manifest: a rollback and a restart of the old job manager need them.
    metadata: { ...objectMetadata(application, scriptName(application)), annotations: { ...NEVER_PRUNED } },
    immutable: true,
    data: { [SCRIPT_KEY]: application.script! },
  } as ApiObjectProps;
}
