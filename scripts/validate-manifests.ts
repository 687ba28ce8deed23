import { readFileSync } from 'fs';
import { ManifestJudge } from './kubernetes/manifest-judge';

/**
 * Judges YAML files of Kubernetes objects: `tsx scripts/validate-manifests.ts cdk.out/user-events/UserEvents.user-events/manifests.yaml`.
 *
 * The custom resource definitions are read from `../shared/crds`, or from the folder that `CRDS` names.
 */
function main(files: string[]): void {
  const folder = process.env.CRDS;
  if (!ManifestJudge.available(folder)) {
    console.log('skipped: no folder of custom resource definitions; name one by CRDS');
    return;
  }
  const judge = new ManifestJudge(folder);
  let refused = 0;
  for (const file of files) {
    const findings = judge.judgeYaml(readFileSync(file, 'utf8'));
    console.log(`${findings.length === 0 ? 'accepted' : 'refused'}  ${file}`);
    for (const { object, path, message } of findings) {
      console.log(`  ${object} ${path}: ${message}`);
    }
    refused += findings.length === 0 ? 0 : 1;
  }
  process.exitCode = refused === 0 && files.length > 0 ? 0 : 1;
}

main(process.argv.slice(2));
