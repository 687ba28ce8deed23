import { checkedTables } from '../planner/check-given';
import { chooseJob } from '../planner/choose-job';
import { connectorJars } from '../planner/connector-jars';
import { type FoundProgram, requirePrograms } from '../planner/find-programs';
import { findJava } from '../planner/java-home';
import { findEngine, say } from './engine';
import type { Given } from './given';
import { SqlTestResult } from './sql-test-result';

/** How a program is run. */
export interface SqlTestOptions {
  /**
   * Paths of jars of your own: connectors that the library does not know, formats, functions.
   *
   * @default - connectors of the image that Maven has; stand-ins for the others that the library knows
   */
  readonly jars?: string[];

  /**
   * Whether the sources end after their last row: every window closes, as it never does in production.
   *
   * @default false
   */
  readonly endOfInput?: boolean;
}

/**
 * Runs the SQL program of a job on Flink's own engine, in a test: the script that is deployed, with its settings, at parallelism 1. Its
 * factories check the options of every table; then rows take the place of what the connectors would read, and what they would write is kept.
 *
 * It needs a JDK 17 and, on its first use, Maven.
 *
 * ```ts
 * const test = SqlTest.ofAssembly(app.synth().directory, 'user-events');
 * const result = await test.run({ kinesis_source: [record('{"user_id":"u1"}')], dim_users: [row({ user_id: 'u1', level: 'gold' })] });
 * expect(result.rows('es_sink')).toEqual([{ user_id: 'u1', level: 'gold' }]);
 * ```
 */
export class SqlTest {
  /**
   * The program of a job of a cloud assembly.
   *
   * @param assembly output directory of a synthesis: `app.synth().directory`, or `cdk.out`
   * @param jobName name of the job, or of its directory in the assembly
   * @throws an error where the assembly has no such job, or several
   */
  public static ofAssembly(assembly: string, jobName: string, options: SqlTestOptions = {}): SqlTest {
    return new SqlTest(chooseJob(requirePrograms(assembly), jobName, 'SQL job'), options);
  }

  private constructor(
    private readonly program: FoundProgram,
    private readonly options: SqlTestOptions,
  ) {}

  /**
   * Run the program once, from empty state.
   *
   * @param tables by source or lookup table, what it is given; one that is left out is empty
   * @throws an error that names the table and the row that do not fit, the statement that Flink refuses, or why the job failed
   */
  public run(tables: { readonly [table: string]: readonly Given[] }): Promise<SqlTestResult> {
    // What fails later, in another process, knows nothing of the line that waits for it.
    const caller: { stack?: string } = {};
    Error.captureStackTrace(caller, this.run);
    return this.runProgram(tables).catch((cause: Error) => {
      // The error may be that of other runs too: an engine that has died tells all of them the same.
      const stack = `${cause.name}: ${cause.message}${caller.stack?.slice(caller.stack.indexOf('\n'))}`;
      throw Object.assign(new Error(cause.message, { cause }), { stack });
    });
  }

  private async runProgram(tables: { readonly [table: string]: readonly Given[] }): Promise<SqlTestResult> {
    // Plain JavaScript, and jest without a type check, take a row for what `row()` makes of it.
    const checked = checkedTables(tables, "row({ … }) or record('…')");
    const engine = findEngine();
    const { script, configuration, coordinates, jobName } = this.program;
    const { paths } = connectorJars(coordinates, findJava().directory, say);
    const { sinks } = await engine.run({
      program: { script, configuration, jars: [...paths, ...(this.options.jars ?? [])] },
      tables: checked,
      endOfInput: this.options.endOfInput,
    });
    return new SqlTestResult(jobName, sinks);
  }
}
