import { type Acknowledgment, Validations } from 'aws-cdk-lib';
import type { IRole, Policy } from 'aws-cdk-lib/aws-iam';
import { wildcardAcknowledgment } from '../aws/wildcard-acknowledgment';

/**
 * Acknowledges the wildcards that the grants of a program have put into the policy of its role. A wildcard that is added later is
 * still found, and so is one that no grant of the library makes (every resource, actions other than those on keys) where a connector
 * of the user's own has asked for it.
 *
 * @param role the job's own role, with all grants of the program
 */
export function acknowledgeGrantedWildcards(role: IRole): void {
  const policy = role.node.tryFindChild('DefaultPolicy') as Policy | undefined;
  const statements: { Action: string | string[]; Resource: string | string[] }[] = policy?.document.toJSON()?.Statement ?? [];
  const acknowledgments = new Map<string, Acknowledgment>();
  for (const statement of statements) {
    for (const resource of [statement.Resource].flat().filter((text) => text.includes('*') && text !== '*')) {
      const acknowledgment = wildcardAcknowledgment(
        role,
        resource,
        "Flink makes up the names of its objects, consumers and transactions; only their prefix, which is the job's own, is known",
      );
      acknowledgments.set(acknowledgment.id, acknowledgment);
    }
    for (const action of [statement.Action].flat().filter((text) => /^kms:\w+\*$/.test(text))) {
      const id = `AwsSolutions-IAM5[Action::${action}]`;
      acknowledgments.set(id, { id, reason: 'the variants of one action on one key, which AWS services ask for by either name' });
    }
  }
  if (acknowledgments.size > 0) {
    Validations.of(role).acknowledge(...acknowledgments.values());
  }
}
