import { Aws, Token } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { CfnBucket, IBucket } from 'aws-cdk-lib/aws-s3';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import { printed, withoutTokens } from '../sql/printed';
import { grantWithKey } from './grant-with-key';

/** A file system of Flink on S3: the Presto one is for state, the Hadoop one for file sinks. */
export type S3Scheme = 's3p' | 's3a';

/**
 * What each asks S3 for on its objects, as recorded by test/deploy. The Presto one looks at the parts of an upload that it has begun and
 * never aborts one; the Hadoop one aborts an upload that failed.
 */
const OBJECT_ACTIONS: { readonly [scheme in S3Scheme]: string[] } = {
  s3p: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:ListMultipartUploadParts'],
  s3a: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload'],
};

/**
 * A prefix in a bucket as Flink's file systems name it.
 *
 * @param scheme the file system
 * @param bucket the bucket
 * @param prefix prefix of all objects, without a slash at either end; unset for the whole bucket
 */
export function bucketUri(scheme: S3Scheme, bucket: IBucket, prefix: string | undefined): string {
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
 * @param scheme the file system that does it
 * @param bucket the bucket, with its customer key
 * @param prefix prefix of all objects; unset for the whole bucket
 */
export function grantBucketPrefix(grantee: IGrantable, scheme: S3Scheme, bucket: IBucket, prefix: string | undefined): Grant {
  const arn = bucketArn(bucket);
  const objects = grantWithKey(grantee, {
    actions: OBJECT_ACTIONS[scheme],
    resourceArns: [prefix === undefined ? `${arn}/*` : `${arn}/${prefix}/*`],
    key: bucket.encryptionKey,
    // Uploading in parts needs kms:Decrypt, too.
    keyActions: ['kms:Decrypt', 'kms:GenerateDataKey'],
  });
  // Also tells the job that an object is not there: without it S3 says 403, and takes the key of the object for the prefix.
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

/**
 * Refuses a prefix that is no plain directory: `*` and `?` would be patterns in a policy, `..` another directory for some readers.
 *
 * @param what what the prefix is, as the message should call it
 * @param prefix the prefix, which may hold tokens
 */
export function checkPrefix(what: string, prefix: string): void {
  if (!/^[\w!.'()=-]+(\/[\w!.'()=-]+)*$/.test(withoutTokens(prefix, 'token')) || /(^|\/)\.{1,2}(\/|$)/.test(prefix)) {
    throw new Error(
      `${what} must be path segments of letters, digits and !_.'()=-, none of them '.' or '..', without a slash at either end, got ${printed(prefix)}`,
    );
  }
}
