import { Stack } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { createHash } from 'crypto';

/** File systems take names of 255 bytes. */
const LONGEST = 200;

/**
 * Name of a directory in the cloud assembly: stack and names, joined by dots. The end of a very long one is a digest.
 *
 * @param scope where the stack is
 * @param names what tells the directory from others of the stack
 */
export function assemblyDirectory(scope: IConstruct, ...names: string[]): string {
  const name = [Stack.of(scope).artifactId, ...names].join('.');
  if (name.length <= LONGEST) {
    return name;
  }
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 12);
  return `${name.slice(0, LONGEST - digest.length - 1)}-${digest}`;
}
