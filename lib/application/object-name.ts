import { Token } from 'aws-cdk-lib';

/**
 * Refuses what the Kubernetes API does not take as the name of an object.
 *
 * @param what what the name is, as messages should call it
 * @param name the name; a token passes
 */
export function checkObjectName(what: string, name: string): void {
  const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
  if (!Token.isUnresolved(name) && !(name.length <= 253 && new RegExp(`^${label}(\\.${label})*$`).test(name))) {
    throw new Error(`${what} must be at most 253 lower case letters, digits, '-' and '.', got '${name}'`);
  }
}
