import { existsSync, readdirSync } from 'fs';
import { writeImageContext } from '../application/image-context';
import { imageSpecOf } from '../application/pipeline-image';
import { chooseJob } from '../planner/choose-job';
import { findPipelines } from './find-pipelines';

/** What the `image` command is told. */
export interface ImageCommandOptions {
  /** Directory to write the build context into; it must not exist or be empty. */
  readonly directory: string;
  /** Output directory of `cdk synth`. */
  readonly assembly: string;
  /** Job name, or the name of its directory in the assembly. @default - the only job */
  readonly job?: string;
  /** Paths of jar files that the image holds. */
  readonly jars: string[];
}

/**
 * Write the build context of a job's image.
 *
 * @returns what to tell the user: the command that builds the image
 */
export function writeImage(options: ImageCommandOptions): string {
  const { directory } = options;
  if (existsSync(directory) && readdirSync(directory).length > 0) {
    throw new Error(`'${directory}' is not empty: files of an earlier build would end in the image; remove it or name another directory`);
  }
  const pipeline = chooseJob(findPipelines(options.assembly), options.job);
  const spec = imageSpecOf(pipeline.image, options.jars);
  writeImageContext(directory, spec);
  const tag = pipeline.image.name ?? `${pipeline.jobName}:TAG`;
  return `wrote the image of job '${pipeline.jobName}'; build it with\n  docker build --platform linux/${spec.architecture} -t '${tag}' '${directory}'`;
}
