import { join } from 'path';
import { type FoundProgram, requirePrograms } from '../planner/find-programs';
import { readTables } from '../planner/generate-rows';
import { checkLock, lockCheckText } from '../planner/lock-check';
import { lockNames, lockPath, makeLock, type PipelineLock, readLock, whyNotLocked, writeLock } from '../planner/lock-file';
import { type ProbeRequest, probeRestores } from '../planner/lock-probe';
import { checkTablesOfRows, readLockRows } from '../planner/lock-rows';
import { type RestoreProbe, wantsProbe } from '../planner/lock-state';
import { planPrograms } from '../planner/plan-programs';
import type { PlanReport } from '../planner/plan-report';
import { PreparedPlanner } from '../planner/prepared-planner';

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
  const planner = new PreparedPlanner(jars, say);
  const plans = planPrograms(programs, planner);
  const refused = plans.flatMap(whyNotLocked);
  if (refused.length > 0) {
    throw new Error(refused.join('\n'));
  }
  const locked = plans.map(({ program, report }, index): LockedProgram => {
    const path = lockPath(directory, names[index]!);
    return {
      name: names[index]!,
      path,
      program,
      report: report!,
      before: check ? readLock(path) : undefined,
      after: makeLock(program, report!),
    };
  });
  if (!check) {
    for (const { path, after } of locked) {
      writeLock(path, after);
    }
    return { ok: true, text: locked.map(({ path }) => `wrote '${path}'\n`).join('') };
  }
  const probes = probe(locked, directory, planner, say);
  const checks = locked.map((one) => checkLock(one.path, one.before, one.after, probes.get(one)));
  const ok = checks.every(({ status }) => status === 'current');
  return { ok, text: json ? `${JSON.stringify({ version: 1, ok, jobs: checks }, undefined, 2)}\n` : checks.map(lockCheckText).join('') };
}

/** Restore savepoints of the programs whose state the locks alone say nothing certain of. */
function probe(
  locked: LockedProgram[],
  directory: string,
  planner: PreparedPlanner,
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
  const plans = planPrograms(old, planner);
  const requests = changed.map((one, index) => requestOf(one, plans[index]!.report, directory, planner));
  const tried = requests.filter((request) => 'rows' in request);
  const results = tried.length === 0 ? [] : probeRestores(planner.command(), tried);
  return new Map(
    requests.map((request, index) => [changed[index]!, 'rows' in request ? results[tried.indexOf(request)]! : request] as const),
  );
}

/** What to probe, or why a job cannot be: that ends none of the others. */
function requestOf(
  { name, program, report, before, after }: LockedProgram,
  old: PlanReport | undefined,
  directory: string,
  planner: PreparedPlanner,
): ProbeRequest | RestoreProbe {
  if (old?.plan === undefined) {
    return { failure: 'Flink refuses the locked program by now', unreached: [] };
  }
  try {
    const rows = readLockRows(join(directory, `${name}.rows.json`));
    const read = [old.plan, report.plan!].flatMap(readTables);
    checkTablesOfRows(
      rows,
      read.map((table) => table.name),
    );
    return {
      before: { lock: before!, report: old },
      after: { lock: after, report },
      jars: planner.jars(program.coordinates).paths,
      rows,
    };
  } catch (error) {
    return { failure: (error as Error).message, unreached: [] };
  }
}
