import { Reference, Tokenization } from 'aws-cdk-lib';

/**
 * Names what a tokenized number comes from, so that a message can say which value to state instead.
 *
 * @param token an unresolved number
 */
export function numberTokenOrigin(token: number): string {
  const resolvable = Tokenization.reverseNumber(token);
  return Reference.isReference(resolvable)
    ? `a token (${resolvable.displayName} of ${resolvable.target.node.path})`
    : 'a token (a value computed later)';
}
