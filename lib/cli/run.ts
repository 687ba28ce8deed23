import { parseArgs } from 'util';
import { writeImage } from './image-command';
import { lockAssembly } from './lock-command';
import { planAssembly } from './plan-command';
import { readSqlCall, SQL_HELP } from './sql-command';

const HELP = `usage: cdk-flink-pipeline image DIR [ASSEMBLY] [--job NAME] [--jar PATH]...
       cdk-flink-pipeline plan [ASSEMBLY] [--json] [--jar PATH]...
       cdk-flink-pipeline lock [ASSEMBLY] [--directory DIR] [--check] [--json] [--jar PATH]...

image: write the build context of a job's container image: Dockerfile, POM of its connectors, sources of the runtime
plan:  plan every SQL program of an assembly on the real Flink planner, and say what it is made of; it needs a JDK 17,
       and Maven on its first use
lock:  write JOB.lock.json for every SQL program of an assembly: what state it keeps, what its tables promise; or, with
       --check, say what changed since, and fail where anything did; it needs what plan needs

  DIR         directory to write into; it must not exist or be empty
  ASSEMBLY    output directory of 'cdk synth' (default: cdk.out)
  --job NAME  the job, where the assembly holds several: its name or its directory in the assembly
  --jar PATH  a jar file of your own that the image holds; may be given several times
  --directory DIR  where the locks are (default: the current directory)
  --check     compare with the locks, write none
  --json      write the report as JSON; with lock, that of --check
  --help      show this text

${SQL_HELP}`;

/** Where the command writes to. */
export interface Output {
  /** Write to standard output. */
  out(text: string): void;
  /** Write to standard error. */
  error(text: string): void;
}

/**
 * Run the command line.
 *
 * @param args arguments after the name of the program
 * @returns the exit code: 0, 1 for a failure, 2 for a wrong call
 */
export function run(args: string[], output: Output): number {
  let call: Call | undefined;
  try {
    call = readCall(args);
  } catch (error) {
    output.error(`cdk-flink-pipeline: ${wrongCall(error as Error)}; see 'cdk-flink-pipeline --help'\n`);
    return 2;
  }
  if (call === undefined) {
    output.out(HELP);
    return 0;
  }
  try {
    return call(output) ? 0 : 1;
  } catch (error) {
    output.error(`cdk-flink-pipeline: ${(error as Error).message}\n`);
    return 1;
  }
}

/** What is wrong with a call. Node goes on with advice for those who name their files like options. */
function wrongCall(error: Error & { code?: string }): string {
  if (!error.code?.startsWith('ERR_PARSE_ARGS')) {
    return error.message;
  }
  const [what] = error.message.split(/\. |\.?\n/, 1);
  const [, option] = /use '(--[\w-]+=)-XYZ'/.exec(error.message) ?? [];
  return option === undefined ? what! : `${what}: write ${option}VALUE where the value begins with a hyphen`;
}

/** A command with its arguments; it says whether all is well. */
type Call = (output: Output) => boolean;

/** @returns undefined where help is wanted */
function readCall(args: string[]): Call | undefined {
  // Its options are its own.
  if (args[0] === 'sql') {
    return readSqlCall(args.slice(1));
  }
  const { values, positionals } = parse(args);
  if (values.help) {
    return undefined;
  }
  const [command, ...operands] = positionals;
  const jars = values.jar ?? [];
  switch (command) {
    case undefined:
      throw new Error('no command given');
    case 'image': {
      const [directory, assembly = 'cdk.out', ...rest] = operands;
      if (directory === undefined) {
        throw new Error('no directory given to write into');
      }
      refuse(rest, given(values, 'json', 'check', 'directory'), command);
      return (output) => {
        output.out(`${writeImage({ directory, assembly, job: values.job, jars })}\n`);
        return true;
      };
    }
    case 'plan': {
      const [assembly = 'cdk.out', ...rest] = operands;
      refuse(rest, given(values, 'job', 'check', 'directory'), command);
      return (output) => {
        const { text, ok } = planAssembly({ assembly, jars, json: values.json ?? false }, (message) =>
          output.error(`cdk-flink-pipeline: ${message}\n`),
        );
        output.out(text);
        return ok;
      };
    }
    case 'lock': {
      const [assembly = 'cdk.out', ...rest] = operands;
      const { check = false, json = false, directory = '.' } = values;
      refuse(rest, given(values, 'job', ...(check ? [] : (['json'] as const))), command);
      return (output) => {
        const { text, ok } = lockAssembly({ assembly, directory, check, json, jars }, (message) =>
          output.error(`cdk-flink-pipeline: ${message}\n`),
        );
        output.out(text);
        return ok;
      };
    }
    default:
      throw new Error(`there is no command '${command}'`);
  }
}

/** The first of some options that is given. */
function given<Options extends object>(values: Options, ...names: (keyof Options & string)[]): string | undefined {
  return names.find((name) => values[name] !== undefined);
}

function refuse(operands: string[], option: string | undefined, command: string): void {
  if (operands.length > 0) {
    throw new Error(`too many arguments: '${operands.join("', '")}'`);
  }
  if (option !== undefined) {
    throw new Error(`'${command}' has no option --${option}`);
  }
}

function parse(args: string[]) {
  return parseArgs({
    args,
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      job: { type: 'string' },
      jar: { type: 'string', multiple: true },
      json: { type: 'boolean' },
      check: { type: 'boolean' },
      directory: { type: 'string' },
    },
  });
}
