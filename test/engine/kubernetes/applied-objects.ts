import { readdirSync, readFileSync } from 'fs';
import { join } from 'path';
import type { KubernetesObject } from '../../../scripts/kubernetes/finding';

interface Template {
  readonly Resources: { readonly [logicalId: string]: { readonly Type: string; readonly Properties: { readonly Manifest?: unknown } } };
}

/**
 * The Kubernetes objects in the templates of a cloud assembly, as the kubectl handler gets them, with a word for each value that only the
 * deployment knows.
 */
export function appliedObjects(directory: string): KubernetesObject[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.template.json'))
    .map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')) as Template)
    .flatMap(({ Resources }) => Object.values(Resources))
    .filter(({ Type }) => Type === 'Custom::AWSCDK-EKS-KubernetesResource')
    .flatMap(({ Properties }) => JSON.parse(deployed(Properties.Manifest)) as KubernetesObject[]);
}

function deployed(value: unknown): string {
  if (typeof value === 'string') {
    return value;
  }
  const join = (value as { 'Fn::Join'?: [string, unknown[]] })['Fn::Join'];
  return join ? join[1].map((part) => deployed(part)).join(join[0]) : 'deployed';
}
