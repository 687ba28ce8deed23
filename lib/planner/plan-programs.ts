import { basename } from 'path';
import type { FoundProgram } from './find-programs';
import type { PlanReport } from './plan-report';
import { planBatch } from './planner-batch';
import type { PreparedPlanner } from './prepared-planner';

/** A program and what Flink's planner says of it. */
export interface ProgramPlan {
  readonly program: FoundProgram;
  /** Unset where the planner has none. */
  readonly report?: PlanReport;
  /** Why there is no report. */
  readonly error?: string;
}

/** How Flink says that a connector, a format or a class of a function is not there. */
const LACKS_A_JAR = /Could not find any (format )?factory for identifier|class not found/;

/** The versions that the planner speaks for. */
const PLANNED_VERSION = /^2\.2\./;

/**
 * Plan programs on the real Flink planner, all in one Java process.
 *
 * @throws an error that says what to install
 */
export function planPrograms(programs: FoundProgram[], planner: PreparedPlanner): ProgramPlan[] {
  const planned = programs.filter(({ flinkVersion }) => PLANNED_VERSION.test(flinkVersion));
  if (planned.length === 0) {
    return programs.map(otherVersion);
  }
  const jars = planned.map(({ coordinates }) => planner.jars(coordinates));
  const answers = planBatch(
    planner.command(),
    planned.map(({ script, configuration }, index) => ({ script, configuration, jars: jars[index]!.paths })),
  );
  return programs.map((program) => {
    const index = planned.indexOf(program);
    return index < 0 ? otherVersion(program) : judged({ program, ...answers[index]! }, jars[index]!.absent, planner.ownJars);
  });
}

/** A refusal says nothing where the planner lacked a jar that the image has. */
function judged({ program, report, error }: ProgramPlan, absent: string[], jars: string[]): ProgramPlan {
  const missing = (report?.statements ?? []).flatMap(({ errors }) => errors.filter((message) => LACKS_A_JAR.test(message)));
  const given = jars.map((path) => basename(path));
  const wanted = [...absent, ...program.jarFiles.filter((fileName) => !given.includes(fileName))];
  if (missing.length === 0 || wanted.length === 0) {
    return { program, report, error };
  }
  return {
    program,
    error:
      `not judged: ${missing[0]!.split(/\.?\n/)[0]}; the image holds ${wanted.join(', ')}, which no Maven repository has or the planner was not given: ` +
      'give the paths of such jars (--jar PATH, or new FlinkPlanCheck({ jars }))',
  };
}

function otherVersion(program: FoundProgram): ProgramPlan {
  return { program, error: `the planner is that of Flink 2.2, and the job runs on Flink ${program.flinkVersion}` };
}
