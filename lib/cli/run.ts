import { parseArgs } from 'util';
import { writeImage } from './image-command';

const HELP = `usage: cdk-flink-pipeline image DIR [ASSEMBLY] [--job NAME] [--jar PATH]...

Write the build context of a job's container image: Dockerfile, POM of its connectors, sources of the SQL runner.

  DIR         directory to write into; it must not exist or be empty
  ASSEMBLY    output directory of 'cdk synth' (default: cdk.out)
  --job NAME  the job, where the assembly holds several: its name or its directory in the assembly
  --jar PATH  a jar file of your own that the image holds; may be given several times
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
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (error) {
    output.error(`cdk-flink-pipeline: ${(error as Error).message}\n\n${HELP}`);
    return 2;
  }
  const { values, positionals } = parsed;
  if (values.help) {
    output.out(HELP);
    return 0;
  }
  const [command, directory, assembly = 'cdk.out', ...rest] = positionals;
  if (command !== 'image' || directory === undefined || rest.length > 0) {
    output.error(`cdk-flink-pipeline: ${wrongCall(command, directory, rest)}\n\n${HELP}`);
    return 2;
  }
  try {
    output.out(`${writeImage({ directory, assembly, job: values.job, jars: values.jar ?? [] })}\n`);
    return 0;
  } catch (error) {
    output.error(`cdk-flink-pipeline: ${(error as Error).message}\n`);
    return 1;
  }
}

function parse(args: string[]) {
  return parseArgs({
    args,
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' }, job: { type: 'string' }, jar: { type: 'string', multiple: true } },
  });
}

function wrongCall(command: string | undefined, directory: string | undefined, rest: string[]): string {
  if (command === undefined) {
    return 'no command given';
  }
  if (command !== 'image') {
    return `there is no command '${command}'`;
  }
  return directory === undefined ? 'no directory given to write into' : `too many arguments: '${rest.join("', '")}'`;
}
