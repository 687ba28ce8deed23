import { Token } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { bucketUri, checkPrefix, grantBucketPrefix } from '../aws/bucket-prefix';
import { redacted } from '../sql/redacted';
import { instance, requireProps, TEXT } from '../sql/required-props';

const BUCKET = instance('a Bucket of aws-s3', 'bucketName', 'bucketArn');

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
    requireProps('CheckpointStorage.s3', { bucket, prefix }, { bucket: BUCKET, prefix: TEXT });
    checkPrefix('checkpoint prefix', prefix);
    return new CheckpointStorage(bucketUri('s3p', bucket, prefix), bucket, prefix);
  }

  /**
   * Any directory that Flink can reach with the plugins of the image and the permissions that you give.
   *
   * @param uri URI with a scheme, without a slash at the end
   */
  public static location(uri: string): CheckpointStorage {
    requireProps('CheckpointStorage.location', { uri }, { uri: TEXT });
    if (!Token.isUnresolved(uri) && !/^[a-z][a-z0-9+.-]*:\/\/[^\s*?]*[^\s*?/]$/.test(uri)) {
      throw new Error(
        `checkpoint location must be a URI with a scheme, without patterns and without a slash at the end, such as 's3p://bucket/job', got '${redacted(uri)}'`,
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
    return grantBucketPrefix(grantee, 's3p', this.bucket, this.prefix);
  }
}
