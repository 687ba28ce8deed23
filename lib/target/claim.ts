import { Stack, Stage, Token } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import { placeholders } from './placeholders';

const claimsOfStage = new WeakMap<IConstruct, Map<string, string>>();

/**
 * Refuses a second claimant of what can belong to one alone within a stage.
 *
 * A key that is known only at deployment is compared within its stack, where the same token is the same value; two tokens may turn out
 * to be equal, which nobody can tell here.
 *
 * @param scope the construct that claims
 * @param key what is claimed: its kind, then all that tells it from others
 * @param refusal the error after the names of both claimants: `both write the file 'a': give one of them another name`
 * @param claimant who claims; the same one may claim again
 * @default claimant - the construct, by its path
 */
export function claim(scope: IConstruct, key: string[], refusal: string, claimant = `'${scope.node.path}'`): void {
  const stage = Stage.of(scope) ?? scope.node.root;
  const claims = claimsOfStage.get(stage) ?? new Map<string, string>();
  claimsOfStage.set(stage, claims);

  const place = key.some((part) => Token.isUnresolved(part)) ? Stack.of(scope).node.path : '';
  const identity = JSON.stringify([place, ...key]);
  const owner = claims.get(identity) ?? claimant;
  if (owner !== claimant) {
    throw new Error(`${owner} and ${claimant} ${placeholders(refusal, scope)}`);
  }
  claims.set(identity, claimant);
}
