import { mkdtempSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { pathToFileURL } from 'url';
import { generateRows } from './generate-rows';
import type { PipelineLock } from './lock-file';
import { planNumber } from './lock-operators';
import type { LockRows } from './lock-rows';
import type { RestoreProbe } from './lock-state';
import { describe, plannedState, typeAndPlace } from './placed-operators';
import type { PlanReport } from './plan-report';
import { askBatch, type PlannerAnswer } from './planner-batch';
import type { PlannerCommand } from './planner-home';
import type { RunRequest } from './run-request';

/** A program of a probe. */
export interface ProbedProgram {
  readonly lock: PipelineLock;
  readonly report: PlanReport;
}

/** What to probe. */
export interface ProbeRequest {
  readonly before: ProbedProgram;
  readonly after: ProbedProgram;
  /** Paths of the jars of the connectors. */
  readonly jars: string[];
  /** Rows of the user's own. */
  readonly rows: LockRows;
}

/**
 * Run the old program on Flink until its operators keep something, stop it with a savepoint, and restore that into the new program, which
 * then reads rows of its own.
 *
 * Rows take the place of what connectors would read, so this tells of the operators between them. They get the ids that they have in the
 * deployed job.
 */
export function probeRestores(command: PlannerCommand, requests: ProbeRequest[]): RestoreProbe[] {
  const work = mkdtempSync(join(tmpdir(), 'cdk-flink-pipeline-'));
  try {
    const savepoints = requests.map((_request, index) => pathToFileURL(join(work, String(index))).href);
    const answers = askBatch(
      command,
      requests.flatMap((request, index) => [
        { run: { ...runOf(request, request.before), savepointDirectory: savepoints[index] } },
        { run: { ...runOf(request, request.after), restoreFrom: savepoints[index] } },
        // Without the savepoint: a program that fails by itself says nothing of the restore.
        { run: runOf(request, request.after) },
      ]),
    );
    return requests.map((request, index) => outcome(request, answers.slice(3 * index)));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function runOf({ jars, rows }: ProbeRequest, { lock, report }: ProbedProgram): RunRequest {
  const script = lock.script.join('\n');
  const generated = generateRows(script, report.plan!, report.tables);
  const own = Object.entries(rows.tables).filter(([table]) => table in generated);
  return {
    program: { script, configuration: lock.configuration, jars },
    tables: { ...generated, ...Object.fromEntries(own) },
    operators: plannedState(lock).map((operator) => ({ id: operator.id, ...typeAndPlace(lock, operator) })),
  };
}

function outcome({ before, rows }: ProbeRequest, [old, restored, alone]: PlannerAnswer[]): RestoreProbe {
  if (old!.result === undefined) {
    return { failure: `the old program did not run: ${withFile(old!.error!, rows)}`, unreached: [] };
  }
  if (alone!.result === undefined) {
    return { failure: `the new program did not run: ${withFile(alone!.error!, rows)}`, unreached: [] };
  }
  const { savepoint, states = [] } = old!.result;
  if (savepoint === undefined) {
    return { failure: 'the old program ends by itself: it has no state to restore', unreached: [] };
  }
  if (restored!.error !== undefined && restored!.operators === undefined) {
    return { failure: `the new program failed, but not in its restore: ${flinkWords(restored!.error)}`, unreached: [] };
  }
  const held = new Set(states.filter(({ keyed, operator }) => keyed || operator).map(({ id }) => id));
  const keyed = new Set(states.filter((state) => state.keyed).map(({ id }) => id));
  const unkeyed = new Set(before.report.plan!.operators.filter(({ state }) => state?.keyed === false).map(({ id }) => id));
  return {
    refusal: restored!.error === undefined ? undefined : refusalText(restored!, before),
    // What belongs to no key tells of no row: a window operator keeps its watermark before it has seen one. It counts where an operator
    // keeps nothing else, as one that waits for answers.
    unreached: plannedState(before.lock)
      .filter(({ id, name }) => !(unkeyed.has(planNumber(name)) ? held : keyed).has(id))
      .map(({ name }) => name),
  };
}

/** Rows that do not fit their table are told by Flink, which knows no file. */
function withFile(error: string, { path, tables }: LockRows): string {
  const table = /^table '(.*?)', row \d/.exec(error)?.[1];
  return table !== undefined && Object.hasOwn(tables, table) ? `'${path}', ${error}` : error;
}

/** Why Flink did not restore: in which operator, of which INSERT, and which state; then its own words. */
function refusalText({ error = '', operators = [] }: PlannerAnswer, { lock }: ProbedProgram): string {
  const places = plannedState(lock)
    .filter(({ id }) => operators.includes(id))
    .map((operator) => describe(lock, operator));
  return [...(places.length === 0 ? [] : [`in ${places.join(', or in ')}`]), flinkWords(error)].join(': ');
}

/** A message of Flink without addresses of objects, packages, files of the probe and options of a command that nobody has called. */
function flinkWords(message: string): string {
  return message
    .replace(/^Failed to rollback to checkpoint\/savepoint \S+ /, '')
    .replace(/ If you want to allow to skip this, .*$/s, '')
    .replace(/@[0-9a-f]{4,}\b/g, '')
    .replace(/\b(?:[a-z][\w$]*\.){2,}([A-Z])/g, '$1');
}
