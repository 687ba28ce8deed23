import { Aws, Token } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { CfnBucket, IBucket } from 'aws-cdk-lib/aws-s3';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import { grantWithKey } from './grant-with-key';

/**
 * A prefix in a bucket as Flink's file systems name it.
 *
 * @param scheme `s3p` for the Presto file system, `s3a` for the Hadoop one
 * @param bucket the bucket
 * @param prefix prefix of all objects, without a slash at either end; unset for the whole bucket
 */
export function bucketUri(scheme: string, bucket: IBucket, prefix: string | undefined): string {
  return `${scheme}://${literalName(bucket) ?? bucket.bucketName}/${prefix ?? ''}`;
}

/**
 * S3 endpoint of a bucket's region: Flink's file systems would otherwise ask that of the partition `aws`.
 *
 * @param bucket the bucket
 */
export function bucketEndpoint(bucket: IBucket): string {
  const { region } = bucket.env;
  const suffix = Token.isUnresolved(region) ? Aws.URL_SUFFIX : (RegionInfo.get(region).domainSuffix ?? Aws.URL_SUFFIX);
  return `https://s3.${region}.${suffix}`;
}

/**
 * Permits to write, continue and clean up files under a prefix, and nothing else of the bucket.
 *
 * @param grantee the role of the job
 * @param bucket the bucket, with its customer key
 * @param prefix prefix of all objects; unset for the whole bucket
 */
export function grantBucketPrefix(grantee: IGrantable, bucket: IBucket, prefix: string | undefined): Grant {
  const arn = bucketArn(bucket);
  const objects = grantWithKey(grantee, {
    actions: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload', 's3:ListMultipartUploadParts'],
    resourceArns: [prefix === undefined ? `${arn}/*` : `${arn}/${prefix}/*`],
    key: bucket.encryptionKey,
    // Uploading in parts needs kms:Decrypt, too.
    keyActions: ['kms:Decrypt', 'kms:GenerateDataKey'],
  });
  const listing = Grant.addToPrincipal({
    grantee,
    actions: ['s3:ListBucket'],
    resourceArns: [arn],
    conditions: prefix === undefined ? undefined : { StringLike: { 's3:prefix': [prefix, `${prefix}/*`] } },
  });
  return objects.combine(listing);
}

function bucketArn(bucket: IBucket): string {
  const name = literalName(bucket);
  const partition = Token.isUnresolved(bucket.env.region) ? undefined : RegionInfo.get(bucket.env.region).partition;
  return name !== undefined && partition !== undefined ? `arn:${partition}:s3:::${name}` : bucket.bucketArn;
}

/** The name as it was given to the bucket: its attribute is a token even then, and a manifest for GitOps must not hold one. */
function literalName(bucket: IBucket): string | undefined {
  const name = (bucket.node.defaultChild as CfnBucket | undefined)?.bucketName;
  return name === undefined || Token.isUnresolved(name) ? undefined : name;
}
