import { parseArgs } from 'util';
import { writeImage } from './image-command';
import { planAssembly } from './plan-command';

const HELP = `usage: cdk-flink-pipeline image DIR [ASSEMBLY] [--job NAME] [--jar PATH]...
       cdk-flink-pipeline plan [ASSEMBLY] [--json] [--jar PATH]...

image: write the build context of a job's container image: Dockerfile, POM of its connectors, sources of the SQL runner
plan:  plan every SQL program of an assembly on the real Flink planner, and say what it is made of; it needs a JDK 17,
       and Maven on its first use

  DIR         directory to write into; it must not exist or be empty
  ASSEMBLY    output directory of 'cdk synth' (default: cdk.out)
  --job NAME  the job, where the assembly holds several: its name or its directory in the assembly
  --jar PATH  a jar file of your own that the image holds; may be given several times
  --json      write the report as JSON
  --help      show this text
`;

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
    output.error(`cdk-flink-pipeline: ${(error as Error).message}\n\n${HELP}`);
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

/** A command with its arguments; it says whether all is well. */
type Call = (output: Output) => boolean;

/** @returns undefined where help is wanted */
function readCall(args: string[]): Call | undefined {
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
      refuse(rest, values.json ? 'json' : undefined, command);
      return (output) => {
        output.out(`${writeImage({ directory, assembly, job: values.job, jars })}\n`);
        return true;
      };
    }
    case 'plan': {
      const [assembly = 'cdk.out', ...rest] = operands;
      refuse(rest, values.job === undefined ? undefined : 'job', command);
      return (output) => {
        const { text, ok } = planAssembly({ assembly, jars, json: values.json ?? false }, (message) =>
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
    },
  });
}
