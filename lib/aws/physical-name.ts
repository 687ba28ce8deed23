import { Token } from 'aws-cdk-lib';

/**
 * Refuses a concrete physical name that the service would refuse at deployment. CloudFormation's own schemas leave some of
 * these patterns out (DynamoDB, Firehose), so that without the check a deployment fails half way.
 *
 * @param prop the prop that gave the name, for the message
 * @param name the name; an unset one or a token passes
 */
export function checkPhysicalName(prop: string, name: string | undefined, minimum: number, maximum: number): void {
  if (name === undefined || Token.isUnresolved(name)) {
    return;
  }
  if (name.length < minimum || name.length > maximum || !/^[a-zA-Z0-9_.-]+$/.test(name)) {
    throw new Error(`${prop} must have ${minimum} to ${maximum} characters out of letters, digits, '_', '.' and '-', got '${name}'`);
  }
}
