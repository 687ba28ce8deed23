import { existsSync, readdirSync } from 'fs';
import { join } from 'path';

/**
 * Directories of a cloud assembly that hold a job, those of its stages included, in the order of their names.
 *
 * @param assembly output directory of `cdk synth`
 */
export function pipelineDirectories(assembly: string): string[] {
  return readdirSync(assembly, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('asset.'))
    .map((entry) => join(assembly, entry.name))
    .sort()
    .flatMap((child) => (existsSync(join(child, 'pipeline.json')) ? [child] : pipelineDirectories(child)));
}
