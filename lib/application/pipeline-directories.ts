import { readFileSync } from 'fs';
import { join } from 'path';

/** Type of the metadata by which a stack of a cloud assembly names the directory of a job. */
export const JOB_METADATA = 'cdk-flink-pipeline:job';

/** Metadata of a stack, by the path of a construct. */
interface Metadata {
  readonly [path: string]: readonly { readonly type: string; readonly data?: unknown }[];
}

/** What `manifest.json` says of a cloud assembly, as far as we need it. */
interface Manifest {
  readonly artifacts?: {
    readonly [id: string]: {
      readonly type: string;
      readonly properties?: { readonly directoryName?: string };
      /** The CDK writes it into the manifest, or into a file of its own, as its version has it. */
      readonly metadata?: Metadata;
      readonly additionalMetadataFile?: string;
    };
  };
}

/**
 * Directories of the jobs of a cloud assembly, those of its stages included. Only those that its stacks name: the CDK leaves in its output
 * directory what earlier syntheses have written there, jobs and stages that are no more among them.
 *
 * @param assembly output directory of `cdk synth`
 */
export function pipelineDirectories(assembly: string): string[] {
  const artifacts = Object.values(read<Manifest>(assembly, 'manifest.json').artifacts ?? {});
  const jobs = artifacts.flatMap(({ metadata, additionalMetadataFile }) => [
    ...jobsIn(metadata),
    ...(additionalMetadataFile === undefined ? [] : jobsIn(read<Metadata>(assembly, additionalMetadataFile))),
  ]);
  const stages = artifacts.flatMap(({ type, properties }) =>
    type === 'cdk:cloud-assembly' && properties?.directoryName !== undefined ? [join(assembly, properties.directoryName)] : [],
  );
  return [...[...new Set(jobs)].sort().map((job) => join(assembly, job)), ...stages.flatMap(pipelineDirectories)];
}

function jobsIn(metadata: Metadata = {}): string[] {
  return Object.values(metadata)
    .flat()
    .filter(({ type }) => type === JOB_METADATA)
    .map(({ data }) => data as string);
}

function read<Content>(assembly: string, file: string): Content {
  return JSON.parse(readFileSync(join(assembly, file), 'utf8')) as Content;
}
