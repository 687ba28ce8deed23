import { existsSync } from 'fs';
import { basename, join } from 'path';
import { pipelineDirectories } from '../application/pipeline-directories';
import { readPipelineFile } from '../application/pipeline-file';
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

/**
 * The jobs of a cloud assembly, then those of its stages.
 *
 * @throws an error when the directory is no cloud assembly, holds no job, or was written by another version of the library
 */
export function findPipelines(assembly: string): FoundPipeline[] {
  if (!existsSync(join(assembly, 'manifest.json'))) {
    throw new Error(`'${assembly}' is no cloud assembly: it has no manifest.json; run 'cdk synth' first, or name its output directory`);
  }
  const pipelines = pipelineDirectories(assembly).map(readPipeline);
  if (pipelines.length === 0) {
    throw new Error(`'${assembly}' holds no Flink job: none of its stacks names one`);
  }
  return pipelines;
}

function readPipeline(directory: string): FoundPipeline {
  const { jobName, image } = readPipelineFile<FoundPipeline>(directory);
  return { directoryName: basename(directory), jobName, image };
}
