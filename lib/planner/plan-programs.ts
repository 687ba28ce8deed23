import { connectorJars } from './connector-jars';
import type { FoundProgram } from './find-programs';
import type { PlanReport } from './plan-report';
import { planBatch } from './planner-batch';
import { preparePlanner } from './planner-home';

/** A program and what Flink's planner says of it. */
export interface ProgramPlan {
  readonly program: FoundProgram;
  /** Unset where the planner has none. */
  readonly report?: PlanReport;
  /** Why there is no report. */
  readonly error?: string;
}

/** The versions that the planner speaks for. */
const PLANNED_VERSION = /^2\.2\./;

/**
 * Plan programs on the real Flink planner, all in one Java process.
 *
 * @param programs the programs
 * @param jars paths of jars of the user's own
 * @param say told what takes long
 * @throws an error that says what to install
 */
export function planPrograms(programs: FoundProgram[], jars: string[], say: (message: string) => void): ProgramPlan[] {
  const planned = programs.filter(({ flinkVersion }) => PLANNED_VERSION.test(flinkVersion));
  if (planned.length === 0) {
    return programs.map(otherVersion);
  }
  const command = preparePlanner(say);
  const answers = planBatch(
    command,
    planned.map(({ script, configuration, coordinates }) => ({
      script,
      configuration,
      jars: [...connectorJars(coordinates, command.javaHome, say), ...jars],
    })),
  );
  return programs.map((program) => {
    const index = planned.indexOf(program);
    return index < 0 ? otherVersion(program) : { program, report: answers[index]!.report, error: answers[index]!.error };
  });
}

function otherVersion(program: FoundProgram): ProgramPlan {
  return { program, error: `the planner is that of Flink 2.2, and the job runs on Flink ${program.flinkVersion}` };
}
