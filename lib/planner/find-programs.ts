import { existsSync, readFileSync } from 'fs';
import { basename, join } from 'path';
import { pipelineDirectories } from '../application/pipeline-directories';
import { readPipelineFile } from '../application/pipeline-file';
import type { ScriptInsert, ScriptTable } from '../sql/sql-script';

/** A SQL program of a cloud assembly. */
export interface FoundProgram {
  /** Directory of the job within its assembly: `<stack artifact id>.<job name>`. */
  readonly directoryName: string;
  readonly jobName: string;
  /** Where the job stands in the construct tree. */
  readonly constructPath?: string;
  /** Namespace of the job. */
  readonly namespace?: string;
  readonly flinkVersion: string;
  /** The script, with placeholders for values that are not known at synth. */
  readonly script: string;
  /** Flink options that bear on a plan. */
  readonly configuration: { [option: string]: string };
  /** Maven coordinates of the jars that the image holds. */
  readonly coordinates: string[];
  /** Names of jar files of the user's own that the image holds. */
  readonly jarFiles: string[];
  /** SHA-256 of those, by name, as far as they were there at synth. */
  readonly jarDigests?: { readonly [fileName: string]: string };
  /** Where and how the state is kept, which no plan shows. */
  readonly keeps?: { readonly backend: string; readonly savepointFormat: string };
  /** Its tables, and what their connectors promise. */
  readonly tables: FoundTable[];
  readonly inserts: ScriptInsert[];
}

/** A table of a program as its connector describes it. */
export interface FoundTable extends ScriptTable {
  /** Shards or partitions. Unset where there are none, or nobody knows. */
  readonly splits?: number;
  /** What others may rely on, each line a name and a text. */
  readonly contract?: string[];
}

/** The parts of `pipeline.json` that a plan needs. */
interface Pipeline {
  readonly jobName: string;
  readonly constructPath?: string;
  readonly namespace?: string;
  readonly flinkVersion: string;
  readonly parallelism?: number;
  readonly script?: string;
  readonly image: { readonly coordinates: string[]; readonly files: { readonly fileName: string; readonly sha256?: string }[] };
  readonly flinkConfiguration: { readonly [option: string]: string };
  readonly tables: FoundTable[];
  readonly inserts: ScriptInsert[];
}

/**
 * The SQL programs of a cloud assembly; a job that is a JAR has none.
 *
 * @param assembly output directory of `cdk synth`
 * @throws an error when it is no cloud assembly, or was written by another version of the library
 */
export function findPrograms(assembly: string): FoundProgram[] {
  if (!existsSync(join(assembly, 'manifest.json'))) {
    throw new Error(`'${assembly}' is no cloud assembly: it has no manifest.json; run 'cdk synth' first, or name its output directory`);
  }
  return programsIn(assembly);
}

/**
 * The SQL programs of a cloud assembly that must hold one.
 *
 * @throws an error when it holds none, or as `findPrograms` does
 */
export function requirePrograms(assembly: string): FoundProgram[] {
  const programs = findPrograms(assembly);
  if (programs.length === 0) {
    throw new Error(`'${assembly}' holds no SQL program: none of its stacks names a job that has one`);
  }
  return programs;
}

/** The SQL programs below a directory that is being written by a synthesis. */
export function programsIn(directory: string): FoundProgram[] {
  return pipelineDirectories(directory).flatMap((path) => {
    const program = readProgram(path);
    return program ? [program] : [];
  });
}

function readProgram(directory: string): FoundProgram | undefined {
  const pipeline = readPipelineFile<Pipeline>(directory);
  if (pipeline.script === undefined) {
    return undefined;
  }
  return {
    directoryName: basename(directory),
    jobName: pipeline.jobName,
    constructPath: pipeline.constructPath,
    namespace: pipeline.namespace,
    flinkVersion: pipeline.flinkVersion,
    script: readFileSync(join(directory, pipeline.script), 'utf8'),
    configuration: planConfiguration(pipeline),
    coordinates: pipeline.image.coordinates,
    jarFiles: pipeline.image.files.map(({ fileName }) => fileName),
    jarDigests: Object.fromEntries(
      pipeline.image.files.flatMap(({ fileName, sha256 }) => (sha256 === undefined ? [] : [[fileName, sha256]])),
    ),
    keeps: {
      backend: pipeline.flinkConfiguration['state.backend.type'] ?? 'hashmap',
      savepointFormat: pipeline.flinkConfiguration['kubernetes.operator.savepoint.format.type'] ?? 'CANONICAL',
    },
    tables: pipeline.tables,
    inserts: pipeline.inserts,
  };
}

/** Options of tables and of the topology. Paths, addresses and what only the running job reads stay out, and with them every token. */
function planConfiguration(pipeline: Pipeline): { [option: string]: string } {
  const options = Object.entries(pipeline.flinkConfiguration).filter(
    ([option, value]) => /^(table|pipeline)\./.test(option) && !/^pipeline\.(jars|classpaths)$/.test(option) && !value.includes('${'),
  );
  return {
    ...Object.fromEntries(options),
    ...(pipeline.parallelism === undefined ? {} : { 'parallelism.default': String(pipeline.parallelism) }),
  };
}
