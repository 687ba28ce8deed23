import { readFileSync } from 'fs';
import { join } from 'path';

/** Version of `pipeline.json`: a reader refuses one that it does not know. */
export const PIPELINE_VERSION = 2;

/** What every reader relies on, and whether a value is it. */
const PARTS: { readonly [part: string]: (value: unknown) => boolean } = {
  jobName: (value) => typeof value === 'string',
  image: (value) => isObject(value) && [value.coordinates, value.files].every(Array.isArray),
};

/** What readers of programs rely on besides. */
const PROGRAM_PARTS: typeof PARTS = {
  script: (value) => typeof value === 'string',
  flinkVersion: (value) => typeof value === 'string',
  flinkConfiguration: isObject,
  tables: Array.isArray,
  inserts: Array.isArray,
};

/**
 * The `pipeline.json` of a directory.
 *
 * @throws an error with its path, when it is missing or broken, or another version of the library has written it
 */
export function readPipelineFile<Pipeline extends object>(directory: string): Pipeline {
  const path = join(directory, 'pipeline.json');
  let pipeline: unknown;
  try {
    pipeline = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`'${path}' is no pipeline.json: ${(error as Error).message}; run 'cdk synth' again`);
  }
  const found: { readonly [part: string]: unknown } = isObject(pipeline) ? pipeline : {};
  if (found.version !== PIPELINE_VERSION) {
    throw new Error(
      `'${path}' has version ${found.version}, this command reads version ${PIPELINE_VERSION}: run 'cdk synth' and this command with ` +
        'the same version of cdk-flink-pipeline',
    );
  }
  const parts = found.script === undefined ? PARTS : { ...PARTS, ...PROGRAM_PARTS };
  const broken = Object.keys(parts).filter((part) => !parts[part]!(found[part]));
  if (broken.length > 0) {
    throw new Error(`'${path}' is no whole pipeline.json: ${broken.join(', ')} is missing or of another kind; run 'cdk synth' again`);
  }
  return found as unknown as Pipeline;
}

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
