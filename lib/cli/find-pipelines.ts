import { existsSync, readFileSync } from 'fs';
import { basename, join } from 'path';
import { pipelineDirectories } from '../application/pipeline-directories';
import type { PipelineImage } from '../application/pipeline-image';

/** A job that a cloud assembly holds. */
export interface FoundPipeline {
  /** Directory of the job within its assembly: `<stack artifact id>.<job name>`. */
  readonly directoryName: string;
  /** Name of the job. */
  readonly jobName: string;
  /** What its image is made of. */
  readonly image: PipelineImage;
}

/** The version of `pipeline.json` that this library writes and reads. */
const PIPELINE_VERSION = 1;

/**
 * The jobs of a cloud assembly, those of its stages included, in the order of their directories.
 *
 * @throws an error when the directory is no cloud assembly, holds no job, or was written by another version of the library
 */
export function findPipelines(assembly: string): FoundPipeline[] {
  if (!existsSync(join(assembly, 'manifest.json'))) {
    throw new Error(`'${assembly}' is no cloud assembly: it has no manifest.json; run 'cdk synth' first, or name its output directory`);
  }
  const pipelines = pipelineDirectories(assembly).map(readPipeline);
  if (pipelines.length === 0) {
    throw new Error(`'${assembly}' holds no Flink job: none of its directories has a pipeline.json`);
  }
  return pipelines;
}

function readPipeline(directory: string): FoundPipeline {
  const path = join(directory, 'pipeline.json');
  const pipeline = JSON.parse(readFileSync(path, 'utf8')) as { version?: number; jobName?: string; image?: PipelineImage };
  if (pipeline.version !== PIPELINE_VERSION || !pipeline.jobName || !pipeline.image) {
    throw new Error(
      `'${path}' has version ${pipeline.version}, this command reads version ${PIPELINE_VERSION}: run 'cdk synth' and this command with ` +
        'the same version of cdk-flink-pipeline',
    );
  }
  return { directoryName: basename(directory), jobName: pipeline.jobName, image: pipeline.image };
}
