import type { FlinkApplication } from '../application/flink-application';
import { checkpointLifeCycle } from './checkpoint-life-cycle';
import { checkpointPause } from './checkpoint-pause';
import { checkpointTimeout } from './checkpoint-timeout';
import { compositeDocumentId } from './composite-document-id';
import { crowdedSourceSubtasks } from './crowded-source-subtasks';
import { deletableState } from './deletable-state';
import { droppedDeletes } from './dropped-deletes';
import { emptyPartitions } from './empty-partitions';
import { endlessMaterializer } from './endless-materializer';
import { endlessState } from './endless-state';
import { expiringAggregate } from './expiring-aggregate';
import { expiringJoin } from './expiring-join';
import { feedbackLoop } from './feedback-loop';
import { filesAmongCheckpoints } from './files-among-checkpoints';
import { floatingImageTag } from './floating-image-tag';
import { highAvailabilityOff } from './high-availability-off';
import { idleBeforeCheckpoint } from './idle-before-checkpoint';
import { idleSourceSubtasks } from './idle-source-subtasks';
import { ineffectiveAutoscaler } from './ineffective-autoscaler';
import { insertsWithoutKey } from './inserts-without-key';
import { localStorage } from './local-storage';
import { lookupOverChanges } from './lookup-over-changes';
import { movingDocument } from './moving-document';
import { nullIntoNotNull } from './null-into-not-null';
import { nullableEventTime } from './nullable-event-time';
import { numberedPrefix } from './numbered-prefix';
import { optionWithoutEffect } from './option-without-effect';
import { processMemory } from './process-memory';
import { refusedRecordFailsJob } from './refused-record-fails-job';
import { rocksDbMemory } from './rocks-db-memory';
import { rollbackWithoutHighAvailability } from './rollback-without-high-availability';
import { rowsWaitForCheckpoint } from './rows-wait-for-checkpoint';
import type { Finding, Rule } from './rule';
import { savepointLifeCycle } from './savepoint-life-cycle';
import { savepointOutsideStorage } from './savepoint-outside-storage';
import { shiftedTimestamps } from './shifted-timestamps';
import { shortRetention } from './short-retention';
import { skippedChanges } from './skipped-changes';
import { slowRestart } from './slow-restart';
import { staleFields } from './stale-fields';
import { patchedStateless, statelessUpgrade } from './stateless-upgrade';
import { tooFewSlots } from './too-few-slots';
import { transactionalIds } from './transactional-ids';
import { unclaimedState } from './unclaimed-state';
import { unconfirmedWrites } from './unconfirmed-writes';
import { undiscoveredPartitions } from './undiscovered-partitions';
import { unenforcedNotNull } from './unenforced-not-null';
import { unreadTimestamps } from './unread-timestamps';
import { unusedTable } from './unused-table';
import { updatesIntoAppendOnlySink } from './updates-into-append-only-sink';
import { upsertMaterializeOff } from './upsert-materialize-off';
import { vanishingKeys } from './vanishing-keys';

/** Rules over one job, in the order of the documentation. */
export const APPLICATION_RULES: Rule[] = [
  checkpointLifeCycle,
  checkpointPause,
  checkpointTimeout,
  compositeDocumentId,
  crowdedSourceSubtasks,
  deletableState,
  droppedDeletes,
  emptyPartitions,
  endlessMaterializer,
  endlessState,
  expiringAggregate,
  expiringJoin,
  feedbackLoop,
  filesAmongCheckpoints,
  floatingImageTag,
  highAvailabilityOff,
  idleBeforeCheckpoint,
  idleSourceSubtasks,
  ineffectiveAutoscaler,
  insertsWithoutKey,
  localStorage,
  lookupOverChanges,
  movingDocument,
  nullIntoNotNull,
  nullableEventTime,
  numberedPrefix,
  optionWithoutEffect,
  processMemory,
  refusedRecordFailsJob,
  rocksDbMemory,
  rollbackWithoutHighAvailability,
  rowsWaitForCheckpoint,
  savepointLifeCycle,
  savepointOutsideStorage,
  shiftedTimestamps,
  shortRetention,
  skippedChanges,
  slowRestart,
  staleFields,
  statelessUpgrade,
  tooFewSlots,
  transactionalIds,
  unclaimedState,
  unconfirmedWrites,
  undiscoveredPartitions,
  unenforcedNotNull,
  unreadTimestamps,
  unusedTable,
  updatesIntoAppendOnlySink,
  upsertMaterializeOff,
  vanishingKeys,
];

/** A warning under the id by which it is acknowledged. */
export interface Warning extends Finding {
  readonly id: string;
}

/** Messages of the rules that a job must not break. */
export function applicationErrors(application: FlinkApplication): string[] {
  return rulesOf('error').flatMap((rule) => rule.check(application).map((finding) => `${finding.message} [${idOf(rule)}]`));
}

/** Warnings of a job. */
export function applicationWarnings(application: FlinkApplication): Warning[] {
  return rulesOf('warning').flatMap((rule) => rule.check(application).map((finding) => ({ ...finding, id: idOf(rule) })));
}

/**
 * Warnings of what patches make of a job.
 *
 * @param application the job
 * @param deployment its FlinkDeployment as JSON, with patches
 */
export function patchWarnings(application: FlinkApplication, deployment: object): Warning[] {
  return patchedStateless(application, deployment).map((finding) => ({ ...finding, id: idOf(statelessUpgrade) }));
}

function rulesOf(level: Rule['level']): Rule[] {
  return APPLICATION_RULES.filter((rule) => rule.level === level);
}

function idOf(rule: Rule): string {
  return `cdk-flink-pipeline:${rule.name}`;
}
