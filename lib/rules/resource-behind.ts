import { CfnResource, Reference, Stack, Token, Tokenization } from 'aws-cdk-lib';
import type { CfnStream } from 'aws-cdk-lib/aws-kinesis';
import type { CfnBucket } from 'aws-cdk-lib/aws-s3';
import type { IConstruct } from 'constructs';

/**
 * A construct as the resource that it is. Its class is not asked for: a plain cdk8s app would load the services of AWS then.
 *
 * @param construct a construct
 * @param type type in CloudFormation: `AWS::Kinesis::Stream`
 */
export function asResource<T extends CfnResource>(construct: IConstruct | undefined, type: string): T | undefined {
  return construct !== undefined && CfnResource.isCfnResource(construct) && construct.cfnResourceType === type
    ? (construct as T)
    : undefined;
}

/**
 * What an ARN stands for, as it is compared within an app: a reference to a stream or bucket with a literal name is the same as an ARN
 * with that name.
 *
 * @param arn ARN of a stream or a bucket, literal or a token
 */
export function resourceBehind(arn: string): string {
  const { firstToken: token, length } = Tokenization.reverseString(arn);
  const target = length === 1 && token !== undefined && Reference.isReference(token) ? token.target : undefined;
  const stream = asResource<CfnStream>(target, 'AWS::Kinesis::Stream');
  if (isLiteral(stream?.name)) {
    const { region, account } = Stack.of(stream!);
    return `kinesis:${region}:${account}:stream/${stream!.name}`;
  }
  const bucketName = asResource<CfnBucket>(target, 'AWS::S3::Bucket')?.bucketName;
  // The partition of an import is a token.
  return isLiteral(bucketName) ? `s3:::${bucketName}` : (target?.node.path ?? arn.replace(/^arn:[^:]*:/, ''));
}

function isLiteral(name: string | undefined): name is string {
  return name !== undefined && !Token.isUnresolved(name);
}
