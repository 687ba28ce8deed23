import { Aws, Token } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { CfnBucket, IBucket } from 'aws-cdk-lib/aws-s3';
import { RegionInfo } from 'aws-cdk-lib/region-info';

/** Where a job keeps its checkpoints, savepoints and high-availability data. */
export class CheckpointStorage {
  /**
   * A prefix in an S3 bucket. The job may read and write that prefix and nothing else of the bucket.
   *
   * Flink reaches it through its Presto file system (`s3p://`), so that a later file sink, which needs the Hadoop one, changes no path.
   *
   * @param bucket the bucket; none of its life-cycle rules may expire objects under the prefix
   * @param prefix prefix of this job alone, such as `user-events`, without a slash at either end
   */
  public static s3(bucket: IBucket, prefix: string): CheckpointStorage {
    if (!Token.isUnresolved(prefix) && !/^[A-Za-z0-9!_.*'()-]+(\/[A-Za-z0-9!_.*'()-]+)*$/.test(prefix)) {
      throw new Error(
        `checkpoint prefix must be path segments of letters, digits and !_.*'()- without a slash at either end, got '${prefix}'`,
      );
    }
    return new CheckpointStorage(`s3p://${bucketName(bucket)}/${prefix}`, bucket, prefix);
  }

  /**
   * Any directory that Flink can reach with the plugins of the image and the permissions that you give.
   *
   * @param uri URI with a scheme, without a slash at the end
   */
  public static location(uri: string): CheckpointStorage {
    if (!Token.isUnresolved(uri) && !/^[a-z][a-z0-9+.-]*:\/\/[^\s]*[^\s/]$/.test(uri)) {
      throw new Error(
        `checkpoint location must be a URI with a scheme and without a slash at the end, such as 's3p://bucket/job', got '${uri}'`,
      );
    }
    return new CheckpointStorage(uri);
  }

  private constructor(
    /** Directory under which checkpoints, savepoints and high-availability data lie. */
    public readonly uri: string,
    /** The bucket, unset for another location. */
    public readonly bucket?: IBucket,
    /** Prefix within the bucket. */
    public readonly prefix?: string,
  ) {}

  /**
   * Permissions on the prefix, the bucket's key included.
   *
   * @param grantee the role of the job
   */
  public grantReadWrite(grantee: IGrantable): Grant {
    if (!this.bucket) {
      return Grant.drop(grantee, `permissions on ${this.uri} are the caller's`);
    }
    this.bucket.encryptionKey?.grantEncryptDecrypt(grantee);
    const objects = Grant.addToPrincipal({
      grantee,
      actions: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:AbortMultipartUpload', 's3:ListMultipartUploadParts'],
      resourceArns: [`${bucketArn(this.bucket)}/${this.prefix}/*`],
    });
    const listing = Grant.addToPrincipal({
      grantee,
      actions: ['s3:ListBucket'],
      resourceArns: [bucketArn(this.bucket)],
      conditions: { StringLike: { 's3:prefix': [`${this.prefix}`, `${this.prefix}/*`] } },
    });
    return objects.combine(listing);
  }

  /**
   * S3 endpoint of the bucket's region: the Presto file system would otherwise ask the endpoint of the partition `aws`.
   *
   * @internal
   */
  public _endpoint(): string | undefined {
    if (!this.bucket) {
      return undefined;
    }
    const region = this.bucket.env.region;
    const suffix = Token.isUnresolved(region) ? Aws.URL_SUFFIX : (RegionInfo.get(region).domainSuffix ?? Aws.URL_SUFFIX);
    return `https://s3.${region}.${suffix}`;
  }
}

/** The name as it was given to the bucket: its attribute is a token even then, and a manifest for GitOps must not hold one. */
function bucketName(bucket: IBucket): string {
  return literalBucketName(bucket) ?? bucket.bucketName;
}

function bucketArn(bucket: IBucket): string {
  const name = literalBucketName(bucket);
  const partition = Token.isUnresolved(bucket.env.region) ? undefined : RegionInfo.get(bucket.env.region).partition;
  return name !== undefined && partition !== undefined ? `arn:${partition}:s3:::${name}` : bucket.bucketArn;
}

function literalBucketName(bucket: IBucket): string | undefined {
  const name = (bucket.node.defaultChild as CfnBucket | undefined)?.bucketName;
  return name === undefined || Token.isUnresolved(name) ? undefined : name;
}
