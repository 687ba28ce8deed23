import { Reference, Stack, Token, Tokenization } from 'aws-cdk-lib';
import { CfnStream } from 'aws-cdk-lib/aws-kinesis';
import { CfnBucket } from 'aws-cdk-lib/aws-s3';

/**
 * What an ARN stands for, as it is compared within an app: a reference to a stream or bucket with a literal name is the same as an ARN
 * with that name.
 *
 * @param arn ARN of a stream or a bucket, literal or a token
 */
export function resourceBehind(arn: string): string {
  const token = Tokenization.reverseCompleteString(arn);
  const target = Reference.isReference(token) ? token.target : undefined;
  if (target instanceof CfnStream && isLiteral(target.name)) {
    const { region, account } = Stack.of(target);
    return `kinesis:${region}:${account}:stream/${target.name}`;
  }
  if (target instanceof CfnBucket && isLiteral(target.bucketName)) {
    return `s3:::${target.bucketName}`;
  }
  // The partition of an import is a token.
  return target?.node.path ?? arn.replace(/^arn:[^:]*:/, '');
}

function isLiteral(name: string | undefined): name is string {
  return name !== undefined && !Token.isUnresolved(name);
}
