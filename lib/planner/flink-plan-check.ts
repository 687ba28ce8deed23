import type { IPolicyValidationContext, IPolicyValidationPlugin, PolicyValidationPluginReport, PolicyViolation } from 'aws-cdk-lib/core';
import { dirname, sep } from 'path';
import { programsIn } from './find-programs';
import { checkLock, lockErrors } from './lock-check';
import { lockNames, lockPath, makeLock, readLock } from './lock-file';
import { type ProgramPlan, planPrograms } from './plan-programs';
import { PreparedPlanner } from './prepared-planner';
import { statementErrors } from './report-text';

/** How `FlinkPlanCheck` plans. */
export interface FlinkPlanCheckProps {
  /**
   * Paths of jars of your own: connectors that the library does not know, formats, functions.
   *
   * @default - connectors of the image that Maven has; stand-ins for the others that the library knows
   */
  readonly jars?: string[];

  /**
   * Directory of the locks that the command `lock` wrote. Where a job has one there, state that Flink refuses to restore and a broken
   * contract are violations.
   *
   * @default - the current working directory
   */
  readonly lockDirectory?: string;
}

/**
 * Makes `cdk synth` fail on SQL that Flink refuses, and on plans that are wrong: all jobs of the app are planned on the real Flink planner.
 *
 * It needs a JDK 17 and, on its first use, Maven; without it a synthesis needs neither.
 *
 * ```ts
 * Validations.of(app).addPlugins(new FlinkPlanCheck());
 * ```
 */
export class FlinkPlanCheck implements IPolicyValidationPlugin {
  /** Name of the plugin in the report of the CDK. */
  public readonly name = 'cdk-flink-pipeline-plan';

  /** Ids of its rules. */
  public readonly ruleIds?: string[] = ['flink-refuses', 'not-planned', 'aggregate-ttl', 'lock'];

  private readonly jars: string[];

  private readonly lockDirectory: string;

  constructor(props: FlinkPlanCheckProps = {}) {
    this.jars = props.jars ?? [];
    this.lockDirectory = props.lockDirectory ?? '.';
  }

  /** Plans the jobs of the app; called by the CDK. */
  public validate(context: IPolicyValidationContext): PolicyValidationPluginReport {
    const plans = this.plans(context);
    const names = lockNames(plans.map(({ plan }) => plan.program));
    const violations = plans.flatMap(({ path, plan }, index) =>
      [...violationsOf(plan), ...lockViolations(plan, lockPath(this.lockDirectory, names[index]!))].map((violation) => at(violation, path)),
    );
    return { success: violations.length === 0, violations };
  }

  private plans(context: IPolicyValidationContext): { path: string; plan: ProgramPlan }[] {
    const directories = [...new Set(context.templatePaths.map((path) => dirname(path)))];
    // A stage lies within the directory of its app, which is read to its depth.
    const roots = directories.filter((one) => !directories.some((other) => one !== other && one.startsWith(other + sep)));
    const programs = roots.flatMap(programsIn);
    if (programs.length === 0) {
      return [];
    }
    try {
      const planner = new PreparedPlanner(this.jars, (message) => process.stderr.write(`cdk-flink-pipeline: ${message}\n`));
      return planPrograms(programs, planner).map((plan) => ({ path: plan.program.constructPath ?? plan.program.directoryName, plan }));
    } catch (error) {
      const [program] = programs;
      return [{ path: program!.constructPath ?? '', plan: { program: program!, error: (error as Error).message } }];
    }
  }
}

interface Finding {
  readonly ruleName: string;
  readonly description: string;
  readonly location: string;
  readonly fix?: string;
}

function violationsOf({ program, report, error }: ProgramPlan): Finding[] {
  if (report === undefined) {
    return [{ ruleName: 'not-planned', description: `job '${program.jobName}': ${error}`, location: 'job.sql' }];
  }
  return [
    ...statementErrors(report).map(({ statement, message }) => ({
      ruleName: 'flink-refuses',
      description: `job '${program.jobName}', ${statement}: ${message}`,
      location: `${program.directoryName}/job.sql, ${statement}`,
    })),
    ...report.problems
      .filter(({ severity }) => severity === 'error')
      .map(({ rule, message }) => ({
        ruleName: rule,
        description: `job '${program.jobName}': ${message}`,
        location: program.directoryName,
      })),
  ];
}

/** A job that is merely another than the locked one is no violation: the command says so, where a change is reviewed. */
function lockViolations({ program, report }: ProgramPlan, path: string): Finding[] {
  if (report?.plan === undefined) {
    return [];
  }
  try {
    const lock = readLock(path);
    return lock === undefined
      ? []
      : lockErrors(checkLock(path, lock, makeLock(program, report))).map((message) => ({
          ruleName: 'lock',
          description: `job '${program.jobName}': ${message}`,
          location: path,
          fix: "where it is meant, read what 'cdk-flink-pipeline lock --check' says, then run 'lock' and commit it",
        }));
  } catch (error) {
    return [{ ruleName: 'lock', description: (error as Error).message, location: path }];
  }
}

function at({ ruleName, description, location, fix }: Finding, constructPath: string): PolicyViolation {
  return { ruleName, description, fix, severity: 'error', violatingResources: [{ constructPath, locations: [location] }] };
}
