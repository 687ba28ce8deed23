import { Stage } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { readFileSync, rmSync } from 'fs';
import { basename, join } from 'path';
import { jobDirectories } from '../application/pipeline-directories';

const namesOfStage = new WeakMap<IConstruct, Set<string>>();

/** Say that a directory of the assembly is that of a job of this app. */
export function keepDirectory(scope: IConstruct, name: string): void {
  const stage = stageOf(scope);
  namesOfStage.set(stage, (namesOfStage.get(stage) ?? new Set()).add(name));
}

/**
 * Remove the directories of jobs that an earlier synthesis has written and this app does not have: renamed or removed since, they would
 * still be planned, locked and deployed. The CDK leaves what it finds in its output directory.
 *
 * @param outdir directory of the assembly
 */
export function removeLeftoverDirectories(scope: IConstruct, outdir: string): void {
  const names = namesOfStage.get(stageOf(scope));
  for (const directory of jobDirectories(outdir).filter((path) => !names?.has(basename(path)) && isOurs(path))) {
    rmSync(directory, { recursive: true });
  }
}

/** An output directory may hold what others have put there, under the same name of a file. */
function isOurs(directory: string): boolean {
  const text = readFileSync(join(directory, 'pipeline.json'), 'utf8');
  return ['jobName', 'constructPath', 'flinkVersion'].every((key) => text.includes(`"${key}"`));
}

function stageOf(scope: IConstruct): IConstruct {
  return Stage.of(scope) ?? scope.node.root;
}
