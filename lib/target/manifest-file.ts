import { attachCustomSynthesis } from 'aws-cdk-lib/core';
import type { Construct, IConstruct } from 'constructs';
import { mkdirSync, writeFileSync } from 'fs';
import { dirname, join } from 'path';
import { claim } from './claim';
import { placeholders } from './placeholders';
import { toYaml } from './yaml';

const filesOfOwner = new WeakMap<IConstruct, Map<string, object[]>>();

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
  claim(owner, ['manifest file', path], `both write the file '${path}': give one of them another name`);
  const files = filesOfOwner.get(owner) ?? new Map<string, object[]>();
  filesOfOwner.set(owner, files);

  const existing = files.get(path);
  if (existing) {
    existing.push(...objects);
    return;
  }

  const written = [...objects];
  files.set(path, written);
  attachCustomSynthesis(group, {
    onSynthesize: (session) => {
      const absolute = join(session.outdir, path);
      mkdirSync(dirname(absolute), { recursive: true });
      writeFileSync(absolute, toYaml(plainJson(placeholders(written, owner))));
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
