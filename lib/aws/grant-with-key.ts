import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';

/** Actions on a resource, and on the customer key that its data is encrypted with. */
export interface GrantWithKeyProps {
  readonly actions: string[];
  readonly resourceArns: string[];
  readonly key?: IKey;
  readonly keyActions: string[];
}

/**
 * Grants on the side of the identity, which needs no resource of the other stack to change and so cannot make two stacks
 * depend on each other. A resource of another account needs a resource policy of its owner on top.
 */
export function grantWithKey(grantee: IGrantable, props: GrantWithKeyProps): Grant {
  const grant = Grant.addToPrincipal({ grantee, actions: props.actions, resourceArns: props.resourceArns });
  return props.key ? grant.combine(props.key.grant(grantee, ...props.keyActions)) : grant;
}
