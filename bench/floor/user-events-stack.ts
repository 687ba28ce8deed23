import { ArnFormat, Duration, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { AttributeType, Billing, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { CfnPodIdentityAssociation, Cluster, type ICluster, KubectlProvider, KubernetesManifest } from 'aws-cdk-lib/aws-eks';
import { Effect, PolicyDocument, PolicyStatement, Role, ServicePrincipal, SessionTagsPrincipal } from 'aws-cdk-lib/aws-iam';
import { Stream, StreamEncryption, StreamMode } from 'aws-cdk-lib/aws-kinesis';
import { CfnDeliveryStream } from 'aws-cdk-lib/aws-kinesisfirehose';
import { LogGroup, LogStream, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { type ApiObject, App, Chart } from 'cdk8s';
import type { Construct, IDependable } from 'constructs';
import { access, flinkDeployment, script } from './kubernetes-objects';

/** The resources of `bin/user-events.ts`, written by hand. */
export class UserEventsStack extends Stack {
  constructor(scope: Construct, id: string, props: StackProps) {
    super(scope, id, props);
    const events = new Stream(this, 'Events', {
      streamName: 'user-events',
      streamMode: StreamMode.PROVISIONED,
      shardCount: 12,
      encryption: StreamEncryption.MANAGED,
      retentionPeriod: Duration.hours(24),
      removalPolicy: RemovalPolicy.RETAIN,
    });
    const users = new TableV2(this, 'Users', {
      tableName: 'user-dim',
      partitionKey: { name: 'user_id', type: AttributeType.STRING },
      billing: Billing.onDemand(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    const archive = this.createArchive();
    const cluster = this.importCluster();
    const state = new Bucket(this, 'State', {
      bucketName: `flink-state-${this.account}-${this.region}`,
      encryption: BucketEncryption.S3_MANAGED,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      lifecycleRules: [{ abortIncompleteMultipartUploadAfter: Duration.days(7) }],
    });

    const role = this.createJobRole();
    const association = new CfnPodIdentityAssociation(this, 'PodIdentityAssociation', {
      clusterName: cluster.clusterName,
      namespace: 'streaming',
      serviceAccount: 'user-events',
      roleArn: role.roleArn,
    });
    this.apply(cluster, [role, association, events, users, ...archive, state]);
  }

  private createArchive(): IDependable[] {
    const bucket = new Bucket(this, 'ArchiveBucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      lifecycleRules: [{ id: 'archive', abortIncompleteMultipartUploadAfter: Duration.days(7) }],
      removalPolicy: RemovalPolicy.RETAIN,
    });
    const logGroup = new LogGroup(this, 'ArchiveLogGroup', { retention: RetentionDays.ONE_MONTH, removalPolicy: RemovalPolicy.RETAIN });
    const logStream = new LogStream(this, 'ArchiveLogStream', { logGroup, removalPolicy: RemovalPolicy.RETAIN });
    const role = new Role(this, 'ArchiveRole', {
      assumedBy: new ServicePrincipal('firehose.amazonaws.com'),
      inlinePolicies: {
        Deliver: new PolicyDocument({
          statements: [
            allow(['s3:GetBucketLocation', 's3:ListBucket', 's3:ListBucketMultipartUploads'], bucket.bucketArn),
            allow(['s3:AbortMultipartUpload', 's3:GetObject', 's3:PutObject'], bucket.arnForObjects('*')),
            allow(
              ['logs:PutLogEvents'],
              this.formatArn({
                service: 'logs',
                resource: 'log-group',
                resourceName: `${logGroup.logGroupName}:log-stream:${logStream.logStreamName}`,
                arnFormat: ArnFormat.COLON_RESOURCE_NAME,
              }),
            ),
          ],
        }),
      },
    });
    const deliveryStream = new CfnDeliveryStream(this, 'Archive', {
      deliveryStreamName: 'raw-logs-archive',
      deliveryStreamType: 'DirectPut',
      deliveryStreamEncryptionConfigurationInput: { keyType: 'AWS_OWNED_CMK' },
      extendedS3DestinationConfiguration: {
        bucketArn: bucket.bucketArn,
        roleArn: role.roleArn,
        bufferingHints: { intervalInSeconds: 300, sizeInMBs: 4 },
        compressionFormat: 'GZIP',
        errorOutputPrefix: 'errors/!{firehose:error-output-type}/!{timestamp:yyyy/MM/dd}/',
        processingConfiguration: {
          enabled: true,
          processors: [{ type: 'AppendDelimiterToRecord', parameters: [{ parameterName: 'Delimiter', parameterValue: '\\n' }] }],
        },
        cloudWatchLoggingOptions: { enabled: true, logGroupName: logGroup.logGroupName, logStreamName: logStream.logStreamName },
      },
    });
    return [bucket, logGroup, logStream, role, deliveryStream];
  }

  private importCluster(): ICluster {
    return Cluster.fromClusterAttributes(this, 'Cluster', {
      clusterName: 'streaming',
      kubectlProvider: KubectlProvider.fromKubectlProviderAttributes(this, 'Kubectl', {
        functionArn: this.formatArn({
          service: 'lambda',
          resource: 'function',
          resourceName: 'kubectl-handler',
          arnFormat: ArnFormat.COLON_RESOURCE_NAME,
        }),
        kubectlRoleArn: this.formatArn({ service: 'iam', region: '', resource: 'role', resourceName: 'kubectl' }),
        handlerRole: Role.fromRoleName(this, 'KubectlHandler', 'kubectl-handler'),
      }),
    });
  }

  private createJobRole(): Role {
    const state = `arn:aws-cn:s3:::flink-state-${this.account}-${this.region}`;
    const arn = (service: string, resource: string) => `arn:aws-cn:${service}:${this.region}:${this.account}:${resource}`;
    const role = new Role(this, 'Role', {
      assumedBy: new SessionTagsPrincipal(new ServicePrincipal('pods.eks.amazonaws.com')),
      description: 'Flink job user-events',
    });
    for (const statement of [
      allow(['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:ListMultipartUploadParts'], `${state}/user-events/*`),
      new PolicyStatement({
        actions: ['s3:ListBucket'],
        resources: [state],
        conditions: { StringLike: { 's3:prefix': ['user-events', 'user-events/*'] } },
      }),
      allow(
        ['kinesis:DescribeStreamSummary', 'kinesis:ListShards', 'kinesis:GetRecords', 'kinesis:GetShardIterator'],
        arn('kinesis', 'stream/user-events'),
      ),
      allow(['dynamodb:BatchGetItem', 'dynamodb:DescribeTable', 'dynamodb:GetItem'], arn('dynamodb', 'table/user-dim')),
      allow(['firehose:PutRecordBatch'], arn('firehose', 'deliverystream/raw-logs-archive')),
    ]) {
      role.addToPolicy(statement);
    }
    return role;
  }

  private apply(cluster: ICluster, prerequisites: IDependable[]): void {
    const chart = new Chart(new App(), 'chart');
    const create = (id: string, objects: ApiObject[], removalPolicy: RemovalPolicy) =>
      new KubernetesManifest(this, id, {
        cluster,
        manifest: objects.map((object) => object.toJson()),
        removalPolicy,
        // What stays may be there already.
        overwrite: removalPolicy === RemovalPolicy.RETAIN ? true : undefined,
        prune: false,
      });
    const accessManifest = create('AccessManifest', access(chart), RemovalPolicy.DESTROY);
    const scriptManifest = create('ScriptManifest', [script(chart)], RemovalPolicy.RETAIN);
    const flinkManifest = create('FlinkManifest', [flinkDeployment(chart)], RemovalPolicy.DESTROY);
    scriptManifest.node.addDependency(...prerequisites, accessManifest);
    flinkManifest.node.addDependency(...prerequisites, accessManifest, scriptManifest);
  }
}

function allow(actions: string[], resource: string): PolicyStatement {
  return new PolicyStatement({ effect: Effect.ALLOW, actions, resources: [resource] });
}
