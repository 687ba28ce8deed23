import { dataFlow } from '../planner/data-flow';
import { requirePrograms } from '../planner/find-programs';
import { planPrograms } from '../planner/plan-programs';
import { PreparedPlanner } from '../planner/prepared-planner';
import { reportText } from '../planner/report-text';

/** What the `plan` command is told. */
export interface PlanCommandOptions {
  /** Output directory of `cdk synth`. */
  readonly assembly: string;
  /** Whether the report is JSON. */
  readonly json: boolean;
  /** Paths of jar files with connectors, formats and functions of the user's own. */
  readonly jars: string[];
}

/** What the command prints, and whether Flink takes every program. */
export interface PlanCommandResult {
  readonly text: string;
  readonly ok: boolean;
}

/**
 * Plan every SQL program of a cloud assembly.
 *
 * @param say told what takes long
 */
export function planAssembly({ assembly, json, jars }: PlanCommandOptions, say: (message: string) => void): PlanCommandResult {
  const programs = requirePrograms(assembly);
  const plans = planPrograms(programs, new PreparedPlanner(jars, say));
  const ok = plans.every(({ report }) => report?.ok);
  if (!json) {
    return { ok, text: plans.map(reportText).join('\n') };
  }
  const jobs = plans.map(({ program, report, error }) => ({
    job: program.jobName,
    directory: program.directoryName,
    ...(report ?? { ok: false, error }),
    ...(report?.plan ? { mermaid: dataFlow(report.plan) } : {}),
  }));
  return { ok, text: `${JSON.stringify({ version: 1, ok, jobs }, undefined, 2)}\n` };
}
