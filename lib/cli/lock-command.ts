import { existsSync, readFileSync } from 'fs';
import { join } from 'path';
import { connectorJars } from '../planner/connector-jars';
import { type FoundProgram, requirePrograms } from '../planner/find-programs';
import { checkLock, lockCheckText } from '../planner/lock-check';
import { lockNames, lockPath, makeLock, type PipelineLock, readLock, writeLock } from '../planner/lock-file';
import { probeRestores } from '../planner/lock-probe';
import { type RestoreProbe, wantsProbe } from '../planner/lock-state';
import { planPrograms } from '../planner/plan-programs';
import type { PlanReport } from '../planner/plan-report';
import { preparePlanner } from '../planner/planner-home';
import type { GivenToTable } from '../planner/run-request';

/** What the `lock` command is told. */
export interface LockCommandOptions {
  /** Output directory of `cdk synth`. */
  readonly assembly: string;
  /** Directory of the locks. */
  readonly directory: string;
  /** Whether to compare with the locks, and write none. */
  readonly check: boolean;
  /** Whether the comparison is JSON. */
  readonly json: boolean;
  /** Paths of jar files with connectors, formats and functions of the user's own. */
  readonly jars: string[];
}

/** What the command prints, and whether all is well. */
export interface LockCommandResult {
  readonly text: string;
  readonly ok: boolean;
}

/** A program, the lock that it would have, and the one that it has. */
interface LockedProgram {
  readonly name: string;
  readonly path: string;
  readonly program: FoundProgram;
  readonly report: PlanReport;
  readonly before?: PipelineLock;
  readonly after: PipelineLock;
}

/**
 * Write the locks of the SQL programs of a cloud assembly, or compare the programs with them.
 *
 * @param say told what takes long
 * @throws an error when a program has no plan; no lock is written then
 */
export function lockAssembly(options: LockCommandOptions, say: (message: string) => void): LockCommandResult {
  const { assembly, directory, check, json, jars } = options;
  const programs = requirePrograms(assembly);
  const names = lockNames(programs);
  const locked = planPrograms(programs, jars, say).map(({ program, report, error }, index): LockedProgram => {
    if (report === undefined) {
      throw new Error(`job '${program.jobName}' cannot be locked: ${error}`);
    }
    const path = lockPath(directory, names[index]!);
    return { name: names[index]!, path, program, report, before: check ? readLock(path) : undefined, after: makeLock(program, report) };
  });
  if (!check) {
    for (const { path, after } of locked) {
      writeLock(path, after);
    }
    return { ok: true, text: locked.map(({ path }) => `wrote '${path}'\n`).join('') };
  }
  const probes = probe(locked, directory, jars, say);
  const checks = locked.map((one) => checkLock(one.path, one.before, one.after, probes.get(one)));
  const ok = checks.every(({ status }) => status === 'current');
  return { ok, text: json ? `${JSON.stringify({ version: 1, ok, jobs: checks }, undefined, 2)}\n` : checks.map(lockCheckText).join('') };
}

/** Restore savepoints of the programs whose state the locks alone say nothing certain of. */
function probe(
  locked: LockedProgram[],
  directory: string,
  jars: string[],
  say: (message: string) => void,
): Map<LockedProgram, RestoreProbe> {
  const changed = locked.filter(({ before, after }) => before !== undefined && wantsProbe(before, after));
  if (changed.length === 0) {
    return new Map();
  }
  say('restoring savepoints of the locked programs into the new ones');
  const old = changed.map(({ program, before }) => ({
    ...program,
    script: before!.script.join('\n'),
    configuration: { ...before!.configuration },
  }));
  const plans = planPrograms(old, jars, say);
  const command = preparePlanner(say);
  const tried = changed.filter((_one, index) => plans[index]!.report?.plan !== undefined);
  const results = probeRestores(
    command,
    tried.map((one) => ({
      before: { lock: one.before!, report: plans[changed.indexOf(one)]!.report! },
      after: { lock: one.after, report: one.report },
      jars: [...connectorJars(one.program.coordinates, command.javaHome, say).paths, ...jars],
      rows: readRows(join(directory, `${one.name}.rows.json`)),
    })),
  );
  return new Map(
    changed.map((one) => [
      one,
      tried.includes(one) ? results[tried.indexOf(one)]! : { failure: 'Flink refuses the locked program by now', unreached: [] },
    ]),
  );
}

/** Rows by table: `{ "clicks": [{ "record": "…" }, { "op": "+U", "row": { "id": 1 } }] }`. */
function readRows(path: string): { [table: string]: GivenToTable[] } {
  if (!existsSync(path)) {
    return {};
  }
  try {
    const rows = JSON.parse(readFileSync(path, 'utf8')) as { [table: string]: GivenToTable[] };
    return Object.fromEntries(Object.entries(rows).map(([table, all]) => [table, all.map((one) => ({ ...one, phase: one.phase ?? 1 }))]));
  } catch (error) {
    throw new Error(`'${path}' holds no rows by table: ${(error as Error).message}`);
  }
}
