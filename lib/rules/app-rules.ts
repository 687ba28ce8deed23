import type { AppRule, JobOfApp } from './app-rule';
import type { Warning } from './application-rules';
import { archiveAmongCheckpoints } from './archive-among-checkpoints';
import { overlappingTransactionalIds } from './overlapping-transactional-ids';
import { pollingConsumers } from './polling-consumers';
import { sharedConsumerGroup } from './shared-consumer-group';
import { storeKeys } from './store-keys';
import { topicKeys } from './topic-keys';
import { upsertsReadAsRows } from './upserts-read-as-rows';

/** Rules over all jobs of an app, in the order of the documentation. */
export const APP_RULES: AppRule[] = [
  archiveAmongCheckpoints,
  overlappingTransactionalIds,
  pollingConsumers,
  sharedConsumerGroup,
  storeKeys,
  topicKeys,
  upsertsReadAsRows,
];

/** What a job must not do beside the others. */
export function appErrors(job: JobOfApp, earlier: JobOfApp[]): string[] {
  return rulesOf('error').flatMap((rule) => rule.check(job, earlier).map(({ message }) => `${message} [${idOf(rule)}]`));
}

/** Warnings of a job beside the others. */
export function appWarnings(job: JobOfApp, earlier: JobOfApp[]): Warning[] {
  return rulesOf('warning').flatMap((rule) => rule.check(job, earlier).map((finding) => ({ ...finding, id: idOf(rule) })));
}

function rulesOf(level: AppRule['level']): AppRule[] {
  return APP_RULES.filter((rule) => rule.level === level);
}

function idOf({ name }: AppRule): string {
  return `cdk-flink-pipeline:${name}`;
}
