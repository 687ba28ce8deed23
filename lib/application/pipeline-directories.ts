import { existsSync, readdirSync, readFileSync } from 'fs';
import { join } from 'path';

/** What `manifest.json` says of a cloud assembly, as far as we need it. */
interface Manifest {
  readonly artifacts?: { readonly [id: string]: { readonly type: string; readonly properties?: { readonly directoryName?: string } } };
}

/**
 * Directories of a cloud assembly that hold a job, those of its stages included. A stage that is no more has left its directory there,
 * and the manifest does not name it.
 *
 * @param assembly output directory of `cdk synth`
 */
export function pipelineDirectories(assembly: string): string[] {
  const { artifacts = {} } = JSON.parse(readFileSync(join(assembly, 'manifest.json'), 'utf8')) as Manifest;
  const stages = Object.values(artifacts).flatMap(({ type, properties }) =>
    type === 'cdk:cloud-assembly' && properties?.directoryName !== undefined ? [join(assembly, properties.directoryName)] : [],
  );
  return [...jobDirectories(assembly), ...stages.flatMap(pipelineDirectories)];
}

/** Directories of jobs that lie in a directory itself. */
export function jobDirectories(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('asset.'))
    .map((entry) => join(directory, entry.name))
    .filter((child) => existsSync(join(child, 'pipeline.json')))
    .sort();
}
