import { readFileSync } from 'fs';
import { join } from 'path';

/** Version of `pipeline.json`: a reader refuses one that it does not know. */
export const PIPELINE_VERSION = 2;

/**
 * The `pipeline.json` of a directory.
 *
 * @throws an error when another version of the library has written it
 */
export function readPipelineFile<Pipeline extends object>(directory: string): Pipeline {
  const path = join(directory, 'pipeline.json');
  const pipeline = JSON.parse(readFileSync(path, 'utf8')) as Pipeline & { readonly version?: number };
  if (pipeline.version !== PIPELINE_VERSION) {
    throw new Error(
      `'${path}' has version ${pipeline.version}, this command reads version ${PIPELINE_VERSION}: run 'cdk synth' and this command with ` +
        'the same version of cdk-flink-pipeline',
    );
  }
  return pipeline;
}
