import { join } from 'path';
import { type FoundProgram, requirePrograms } from '../planner/find-programs';
import { readTables } from '../planner/generate-rows';
import { checkLock, lockCheckText } from '../planner/lock-check';
import { lockNames, lockPath, makeLock, type PipelineLock, readLock, whyNotLocked, writeLock } from '../planner/lock-file';
import { probeRestores } from '../planner/lock-probe';
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
  const rows = changed.map(({ name }) => readLockRows(join(directory, `${name}.rows.json`)));
  say('restoring savepoints of the locked programs into the new ones');
  const old = changed.map(({ program, before }) => ({
    ...program,
    script: before!.script.join('\n'),
    configuration: { ...before!.configuration },
  }));
  const plans = planPrograms(old, planner).map(({ report }) => report);
  for (const [index, { report }] of changed.entries()) {
    const both = [plans[index]?.plan, report.plan].flatMap((plan) => (plan === undefined ? [] : readTables(plan)));
    checkTablesOfRows(
      rows[index]!,
      both.map(({ name }) => name),
    );
  }
  const tried = changed.filter((_one, index) => plans[index]?.plan !== undefined);
  const results = probeRestores(
    planner.command(),
    tried.map((one) => ({
      before: { lock: one.before!, report: plans[changed.indexOf(one)]! },
      after: { lock: one.after, report: one.report },
      jars: planner.jars(one.program.coordinates).paths,
      rows: rows[changed.indexOf(one)]!,
    })),
  );
  return new Map(
    changed.map((one) => [
      one,
      tried.includes(one) ? results[tried.indexOf(one)]! : { failure: 'Flink refuses the locked program by now', unreached: [] },
    ]),
  );
}
