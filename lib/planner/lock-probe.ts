import { mkdtempSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { pathToFileURL } from 'url';
import { generateRows } from './generate-rows';
import type { PipelineLock } from './lock-file';
import { plannedState, type RestoreProbe } from './lock-state';
import type { PlanReport } from './plan-report';
import { askBatch, type PlannerAnswer } from './planner-batch';
import type { PlannerCommand } from './planner-home';
import type { GivenToTable, RunRequest } from './run-request';

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
  /** Rows of the user's own, by table. */
  readonly rows: { readonly [table: string]: GivenToTable[] };
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
    return requests.map(({ before }, index) => outcome(before.lock, answers.slice(3 * index)));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function runOf({ jars, rows }: ProbeRequest, { lock, report }: ProbedProgram): RunRequest {
  const script = lock.script.join('\n');
  const generated = generateRows(script, report.plan!, report.tables);
  const own = Object.entries(rows).filter(([table]) => table in generated);
  return {
    program: { script, configuration: lock.configuration, jars },
    tables: { ...generated, ...Object.fromEntries(own) },
    operators: plannedState(lock).map(({ id, name }) => ({ id, type: name.slice(0, name.indexOf('[')) })),
  };
}

function outcome(before: PipelineLock, [old, restored, alone]: PlannerAnswer[]): RestoreProbe {
  if (old!.result === undefined) {
    return { failure: `the old program did not run: ${old!.error}`, unreached: [] };
  }
  if (alone!.result === undefined) {
    return { failure: `the new program did not run: ${alone!.error}`, unreached: [] };
  }
  // Not by what belongs to no key: a window operator keeps its watermark before it has seen a row.
  const held = new Set(old!.result.states?.filter(({ keyed }) => keyed).map(({ id }) => id));
  return {
    refusal: restored!.error,
    unreached: plannedState(before)
      .filter(({ id }) => !held.has(id))
      .map(({ name }) => name),
  };
}
