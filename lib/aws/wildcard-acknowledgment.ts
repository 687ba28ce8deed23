import { type Acknowledgment, Stack } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/**
 * Acknowledges that a policy ends in a wildcard on one resource, by the name that cdk-nag gives to that finding, so that any
 * other wildcard in the same policy is still found.
 *
 * @param scope a construct in the stack of the policy
 * @param resource ARN of the policy's resource
 */
export function wildcardAcknowledgment(scope: IConstruct, resource: string, reason: string): Acknowledgment {
  return { id: `AwsSolutions-IAM5[Resource::${flatten(Stack.of(scope).resolve(resource))}]`, reason };
}

/** cdk-nag's spelling of a template value: `<LogicalId.Arn>/*`, `arn:<AWS::Partition>:s3:::archive/*`. */
function flatten(value: unknown): string {
  if (typeof value !== 'object' || value === null) {
    return String(value);
  }
  const [[intrinsic, argument]] = Object.entries(value);
  switch (intrinsic) {
    case 'Ref':
      return `<${argument}>`;
    case 'Fn::GetAtt':
      return `<${argument.join('.')}>`;
    case 'Fn::Join':
      return argument[1].map(flatten).join(argument[0]);
    default:
      return JSON.stringify(value);
  }
}
