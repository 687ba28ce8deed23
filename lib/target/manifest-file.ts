import { Stage } from 'aws-cdk-lib';
import { attachCustomSynthesis } from 'aws-cdk-lib/core';
import type { Construct, IConstruct } from 'constructs';
import { mkdirSync, writeFileSync } from 'fs';
import { dirname, join } from 'path';
import { placeholders } from './placeholders';
import { toYaml } from './yaml';

interface ManifestFile {
  readonly owner: IConstruct;
  readonly objects: object[];
}

const filesOfStage = new WeakMap<IConstruct, Map<string, ManifestFile>>();

/**
 * Adds objects to a YAML file in the cloud assembly. Objects of the same owner end in one file, in the order in which they
 * were added. Tokens are written as placeholders.
 *
 * @param group construct of these objects, a child of the owner without a synthesis of its own
 * @param path path of the file in the cloud assembly
 * @param objects Kubernetes objects as plain JSON
 */
export function addToFile(group: Construct, path: string, objects: object[]): void {
  const owner = group.node.scope!;
  const stage = Stage.of(group) ?? group.node.root;
  const files = filesOfStage.get(stage) ?? new Map<string, ManifestFile>();
  filesOfStage.set(stage, files);

  const file = files.get(path);
  if (file) {
    if (file.owner !== owner) {
      throw new Error(`'${file.owner.node.path}' and '${owner.node.path}' both write the file '${path}': give one of them another name`);
    }
    file.objects.push(...objects);
    return;
  }

  const created: ManifestFile = { owner, objects: [...objects] };
  files.set(path, created);
  attachCustomSynthesis(group, {
    onSynthesize: (session) => {
      const absolute = join(session.outdir, path);
      mkdirSync(dirname(absolute), { recursive: true });
      writeFileSync(absolute, toYaml(plainJson(placeholders(created.objects, owner))));
    },
  });
}

/**
 * JSON without what JSON does not know: an undefined member would become an explicit null in YAML, which server-side apply
 * refuses.
 *
 * @param objects objects without tokens
 */
export function plainJson(objects: object[]): object[] {
  return JSON.parse(JSON.stringify(objects));
}
