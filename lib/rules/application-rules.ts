import type { FlinkApplication } from '../application/flink-application';
import { checkpointLifeCycle } from './checkpoint-life-cycle';
import { checkpointTimeout } from './checkpoint-timeout';
import { crowdedSourceSubtasks } from './crowded-source-subtasks';
import { filesAmongCheckpoints } from './files-among-checkpoints';
import { floatingImageTag } from './floating-image-tag';
import { highAvailabilityOff } from './high-availability-off';
import { idleSourceSubtasks } from './idle-source-subtasks';
import { processMemory } from './process-memory';
import type { Finding, Rule } from './rule';
import { savepointOutsideStorage } from './savepoint-outside-storage';
import { unusedTable } from './unused-table';

/** Rules over one job, in the order of the documentation. */
export const APPLICATION_RULES: Rule[] = [
  checkpointLifeCycle,
  checkpointTimeout,
  crowdedSourceSubtasks,
  filesAmongCheckpoints,
  floatingImageTag,
  highAvailabilityOff,
  idleSourceSubtasks,
  processMemory,
  savepointOutsideStorage,
  unusedTable,
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

function rulesOf(level: Rule['level']): Rule[] {
  return APPLICATION_RULES.filter((rule) => rule.level === level);
}

function idOf(rule: Rule): string {
  return `cdk-flink-pipeline:${rule.name}`;
}
