import { CfnParameter, Fn, Stack, Validations } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { Cluster, KubectlProvider, OpenIdConnectProvider } from 'aws-cdk-lib/aws-eks';
import { PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { AwsSolutionsChecks } from 'cdk-nag';
import { Construct } from 'constructs';
import {
  ArchiveDeliveryStream,
  CheckpointStorage,
  Column,
  Credentials,
  DataGenSource,
  DataType,
  DeliveryGuarantee,
  DeploymentTarget,
  DimensionTable,
  DynamoDbLookup,
  DynamoDbSink,
  EventStream,
  ExternalSecretStore,
  FileSystemSink,
  FirehoseSink,
  Format,
  type IConnector,
  JarProgram,
  JdbcSink,
  JobIdentity,
  KafkaCluster,
  KafkaSource,
  KafkaStart,
  KafkaTopic,
  KinesisSink,
  KinesisSource,
  LookupCache,
  MalformedRecords,
  PrintSink,
  SecretRef,
  SqlProgram,
  type SqlTable,
  StartPosition,
  UpsertKafkaSink,
} from '../../lib';
import { newApp } from '../fixtures/assembly';
import type { Json } from '../fixtures/json';
import {
  ENVIRONMENT,
  eksCluster,
  eksV2Cluster,
  externalStream,
  job,
  manifest,
  newStack,
  only,
  printed,
  resources,
  statements,
} from '../fixtures/stacks';

const COLUMNS = [Column.physical('id', DataType.STRING)];
const ACCOUNT = ENVIRONMENT.account;

/** Statements without those for the checkpoints, which every job has. */
function tableStatements(stack: Stack) {
  return statements(stack).filter(({ Resource }) => !JSON.stringify(Resource).includes(':s3:::state'));
}

/** A program that reads the stream `clicks` into one sink. */
function into(connector: IConnector, primaryKey?: string[]): SqlProgram {
  const program = new SqlProgram();
  const source = clicks(program);
  program.addInsert(program.addTable('target', { connector, columns: COLUMNS, primaryKey }), `SELECT id FROM ${source}`);
  return program;
}

function clicks(program: SqlProgram): SqlTable {
  return program.addTable('clicks', {
    connector: new KinesisSource({
      stream: externalStream(),
      start: StartPosition.latest(),
      format: Format.json({ malformedRecords: MalformedRecords.FAIL }),
    }),
    columns: [...COLUMNS, Column.computed('proc_time', 'PROCTIME()')],
  });
}

const CLICKS = {
  Action: ['kinesis:DescribeStreamSummary', 'kinesis:GetRecords', 'kinesis:GetShardIterator', 'kinesis:ListShards'],
  Effect: 'Allow',
  Resource: `arn:aws:kinesis:eu-central-1:${ACCOUNT}:stream/clicks`,
};

function msk(): KafkaCluster {
  return KafkaCluster.msk({
    clusterArn: `arn:aws:kafka:eu-central-1:${ACCOUNT}:cluster/shop/11111111-2222-3333-4444-555555555555-2`,
    bootstrapServers: ['b-1.shop:9098'],
    kafkaVersion: '3.8.1',
  });
}

const MSK = (kind: string, name?: string) =>
  `arn:aws:kafka:eu-central-1:${ACCOUNT}:${kind}/shop/11111111-2222-3333-4444-555555555555-2${name === undefined ? '' : `/${name}`}`;

describe('permissions are exactly those of', () => {
  test('checkpoints: the objects of the prefix, and a listing of it', () => {
    const stack = newStack();
    job(stack);

    expect(statements(stack).filter(({ Resource }) => String(Resource).includes('state'))).toEqual([
      {
        Action: ['s3:DeleteObject', 's3:GetObject', 's3:ListMultipartUploadParts', 's3:PutObject'],
        Effect: 'Allow',
        Resource: 'arn:aws:s3:::state/clicks/*',
      },
      {
        Action: 's3:ListBucket',
        Condition: { StringLike: { 's3:prefix': ['clicks', 'clicks/*'] } },
        Effect: 'Allow',
        Resource: 'arn:aws:s3:::state',
      },
    ]);
  });

  test.each([
    ['cn-north-1', 'aws-cn'],
    ['us-gov-west-1', 'aws-us-gov'],
  ])('checkpoints in %s', (region, partition) => {
    const stack = newStack({ env: { account: ACCOUNT, region } });
    job(stack);
    expect(statements(stack).map(({ Resource }) => Resource)).toEqual(
      expect.arrayContaining([`arn:${partition}:s3:::state/clicks/*`, `arn:${partition}:s3:::state`]),
    );
    expect(JSON.stringify(statements(stack).filter(({ Resource }) => String(Resource).includes('s3')))).not.toContain('arn:aws:');
  });

  test('an encrypted bucket: its key, too', () => {
    const stack = newStack();
    const bucket = new Bucket(stack, 'State', { bucketName: 'state', encryptionKey: new Key(stack, 'Key') });
    job(stack, { checkpointing: { storage: CheckpointStorage.s3(bucket, 'clicks') } });

    const [statement] = statements(stack).filter(({ Action }) => [Action].flat().some((action) => action.startsWith('kms:')));
    expect(statement!.Resource).toEqual({ 'Fn::GetAtt': [only(stack, 'AWS::KMS::Key').id, 'Arn'] });
    expect(statement!.Action).toEqual(['kms:Decrypt', 'kms:GenerateDataKey']);
  });

  test('another location: none', () => {
    const stack = newStack();
    job(stack, { checkpointing: { storage: CheckpointStorage.location('s3a://elsewhere/clicks') } });
    expect(statements(stack)).toEqual([CLICKS]);
  });

  test('a Kinesis source', () => {
    const stack = newStack();
    job(stack);
    expect(tableStatements(stack)).toEqual([CLICKS]);
  });

  test('a Kinesis source with enhanced fan-out: no polling', () => {
    const stack = newStack();
    const program = new SqlProgram();
    const source = program.addTable('clicks', {
      connector: new KinesisSource({
        stream: externalStream(),
        start: StartPosition.latest(),
        format: Format.raw(),
        enhancedFanOut: { consumerName: 'clicks-clicks' },
      }),
      columns: COLUMNS,
    });
    program.addInsert(
      program.addTable('copy', {
        connector: new KinesisSink({
          stream: EventStream.external({ streamArn: arnOf('stream/copy'), shardCount: 1 }),
          format: Format.raw(),
        }),
        columns: COLUMNS,
      }),
      `SELECT id FROM ${source}`,
    );
    job(stack, { program });

    const actions = tableStatements(stack).flatMap(({ Action }) => Action);
    expect(actions).not.toContain('kinesis:GetRecords');
    expect(tableStatements(stack)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          Action: expect.arrayContaining(['kinesis:SubscribeToShard']),
          Resource: [CLICKS.Resource, `${CLICKS.Resource}/consumer/*`],
        }),
        { Action: 'kinesis:PutRecords', Effect: 'Allow', Resource: arnOf('stream/copy') },
      ]),
    );
  });

  test('a DynamoDB lookup: reads by key, no scan', () => {
    const stack = newStack();
    const program = new SqlProgram();
    const source = clicks(program);
    const users = program.addTable('users', {
      connector: new DynamoDbLookup({
        table: new DimensionTable(stack, 'Users', { tableName: 'users', partitionKey: 'id' }),
        cache: LookupCache.none(),
      }),
      columns: COLUMNS,
      primaryKey: ['id'],
    });
    const copy = program.addTable('copy', {
      connector: new KinesisSink({
        stream: EventStream.external({ streamArn: arnOf('stream/copy'), shardCount: 1 }),
        format: Format.raw(),
      }),
      columns: COLUMNS,
    });
    program.addInsert(copy, `SELECT u.id FROM ${source} AS c JOIN ${users} FOR SYSTEM_TIME AS OF c.proc_time AS u ON c.id = u.id`);
    job(stack, { program });

    expect(tableStatements(stack).filter(({ Action }) => String(Action).includes('dynamodb'))).toEqual([
      {
        Action: ['dynamodb:BatchGetItem', 'dynamodb:DescribeTable', 'dynamodb:GetItem'],
        Effect: 'Allow',
        Resource: `arn:aws:dynamodb:eu-central-1:${ACCOUNT}:table/users`,
      },
    ]);
  });

  test('a Firehose sink', () => {
    const stack = newStack();
    const deliveryStream = ArchiveDeliveryStream.external({
      deliveryStreamArn: `arn:aws:firehose:eu-central-1:${ACCOUNT}:deliverystream/raw`,
    });
    job(stack, { program: into(new FirehoseSink({ deliveryStream, format: Format.raw() })) });
    expect(tableStatements(stack)).toEqual([
      CLICKS,
      { Action: 'firehose:PutRecordBatch', Effect: 'Allow', Resource: `arn:aws:firehose:eu-central-1:${ACCOUNT}:deliverystream/raw` },
    ]);
  });

  test('files in S3: their prefix', () => {
    const stack = newStack();
    const bucket = Bucket.fromBucketName(stack, 'Lake', 'lake');
    job(stack, { program: into(new FileSystemSink({ bucket, prefix: 'clicks', format: Format.json() })) });

    expect(statements(stack).filter(({ Action }) => Action.includes('s3:AbortMultipartUpload'))).toEqual([
      {
        Action: ['s3:AbortMultipartUpload', 's3:DeleteObject', 's3:GetObject', 's3:PutObject'],
        Effect: 'Allow',
        Resource: 'arn:aws:s3:::lake/clicks/*',
      },
    ]);
    expect(JSON.stringify(statements(stack))).not.toMatch(/lake\/\*|s3:\*/);
  });

  test('an exactly-once Kafka sink on MSK: topic and transactional ids of this job alone', () => {
    const stack = newStack();
    const topic = KafkaTopic.fromTopicAttributes({ cluster: msk(), topicName: 'latest', partitions: 2 });
    job(stack, {
      program: into(
        new UpsertKafkaSink({ topic, keyFormat: Format.json(), valueFormat: Format.json(), guarantee: DeliveryGuarantee.EXACTLY_ONCE }),
        ['id'],
      ),
    });
    expect(tableStatements(stack)).toEqual([
      CLICKS,
      { Action: 'kafka-cluster:Connect', Effect: 'Allow', Resource: MSK('cluster') },
      { Action: ['kafka-cluster:DescribeTopic', 'kafka-cluster:WriteData'], Effect: 'Allow', Resource: MSK('topic', 'latest') },
      {
        Action: ['kafka-cluster:AlterTransactionalId', 'kafka-cluster:DescribeTransactionalId'],
        Effect: 'Allow',
        Resource: MSK('transactional-id', 'streaming.clicks.target-*'),
      },
    ]);
  });

  test('a Kafka source on MSK: topic and consumer group of this job alone', () => {
    const stack = newStack();
    const topic = KafkaTopic.fromTopicAttributes({ cluster: msk(), topicName: 'orders', partitions: 2 });
    const program = new SqlProgram();
    const source = program.addTable('orders', {
      connector: new KafkaSource({ topic, start: KafkaStart.earliest(), format: Format.raw() }),
      columns: COLUMNS,
    });
    const copy = program.addTable('copy', {
      connector: new KinesisSink({ stream: externalStream(), format: Format.raw() }),
      columns: COLUMNS,
    });
    program.addInsert(copy, `SELECT id FROM ${source}`);
    job(stack, { program });
    expect(tableStatements(stack)).toEqual(
      expect.arrayContaining([
        { Action: 'kafka-cluster:Connect', Effect: 'Allow', Resource: MSK('cluster') },
        { Action: ['kafka-cluster:DescribeTopic', 'kafka-cluster:ReadData'], Effect: 'Allow', Resource: MSK('topic', 'orders') },
        {
          Action: ['kafka-cluster:AlterGroup', 'kafka-cluster:DescribeGroup'],
          Effect: 'Allow',
          Resource: MSK('group', 'streaming.clicks'),
        },
      ]),
    );
    expect(tableStatements(stack)).toHaveLength(4);
  });

  test('the inputs of a JAR', () => {
    const stack = newStack();
    job(stack, { program: new JarProgram({ jarUri: 'local:///opt/flink/usrlib/a.jar', eventStreams: [externalStream()] }) });
    expect(tableStatements(stack)).toEqual([CLICKS]);
  });

  test('tables that a statement uses: an unused one gets nothing', () => {
    const stack = newStack();
    const program = printed(externalStream());
    program.addTable('unused', {
      connector: new DynamoDbLookup({ table: new DimensionTable(stack, 'Users', { partitionKey: 'id' }), cache: LookupCache.none() }),
      columns: COLUMNS,
      primaryKey: ['id'],
    });
    const created = job(stack, { program });
    Validations.of(created).acknowledge({ id: 'cdk-flink-pipeline:UnusedTable', reason: 'it is what the test is about' });
    expect(JSON.stringify(statements(stack))).not.toContain('dynamodb');
  });
});

describe('AWS Solutions checks', () => {
  const check = (change: (created: ReturnType<typeof job>) => void, program?: SqlProgram) => {
    const app = newApp();
    const stack = newStack({ env: ENVIRONMENT }, app);
    const key = new Key(stack, 'Key', { enableKeyRotation: true });
    const bucket = Bucket.fromBucketAttributes(stack, 'State', { bucketName: 'state', encryptionKey: key });
    const table = new DimensionTable(stack, 'Table', { partitionKey: 'id', encryptionKey: key });
    change(
      job(stack, {
        program: program ?? into(new DynamoDbSink({ table }), ['id']),
        checkpointing: { storage: CheckpointStorage.s3(bucket, 'clicks') },
      }),
    );
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    return () => app.synth();
  };

  test('find nothing in the grants of a program', () => {
    expect(check(() => {})).not.toThrow();
  });

  test('find a wildcard that is added to the role later', () => {
    const widen = (created: ReturnType<typeof job>) =>
      created.role.addToPrincipalPolicy(new PolicyStatement({ actions: ['s3:GetObject'], resources: ['arn:aws:s3:::other/*'] }));
    expect(check(widen)).toThrow('AwsSolutions-IAM5[Resource::arn:aws:s3:::other/*]');
  });

  test.each([
    ['every resource', { actions: ['s3:GetObject'], resources: ['*'] }, 'AwsSolutions-IAM5[Resource::*]'],
    ['every action', { actions: ['s3:*'], resources: ['arn:aws:s3:::other'] }, 'AwsSolutions-IAM5[Action::s3:*]'],
  ])("find %s that a connector of one's own asks for", (_, statement, finding) => {
    const sink = new PrintSink();
    const connector: IConnector = {
      bind: (table) => ({
        ...sink.bind(table),
        access: [{ grantTo: (grantee) => void grantee.grantPrincipal.addToPrincipalPolicy(new PolicyStatement(statement)) }],
      }),
    };
    expect(check(() => {}, into(connector))).toThrow(finding);
  });
});

describe("jobs that would get in each other's way", () => {
  const exactlyOnce = (transactionalIdPrefix?: string, clusterName = 'shop') => {
    const cluster = KafkaCluster.msk({
      clusterArn: `arn:aws:kafka:eu-central-1:${ACCOUNT}:cluster/${clusterName}/11111111-2222-3333-4444-555555555555-2`,
      bootstrapServers: ['b-1.shop:9098'],
    });
    const topic = KafkaTopic.fromTopicAttributes({ cluster, topicName: 'latest', partitions: 2 });
    const format = Format.json();
    return into(
      new UpsertKafkaSink({
        topic,
        keyFormat: format,
        valueFormat: format,
        guarantee: DeliveryGuarantee.EXACTLY_ONCE,
        transactionalIdPrefix,
      }),
      ['id'],
    );
  };
  /** Reads the stream once by each consumer. */
  const fannedOut = (...consumerNames: string[]) => {
    const program = new SqlProgram();
    const copy = program.addTable('copy', { connector: new PrintSink(), columns: COLUMNS });
    consumerNames.forEach((consumerName, index) => {
      const connector = new KinesisSource({
        stream: externalStream(),
        start: StartPosition.latest(),
        format: Format.raw(),
        enhancedFanOut: { consumerName },
      });
      program.addInsert(copy, `SELECT id FROM ${program.addTable(`clicks${index}`, { connector, columns: COLUMNS })}`);
    });
    return program;
  };
  /** The first job and, in a stack of its own, the second. */
  const two = (first: SqlProgram, second: SqlProgram) => {
    const app = newApp();
    job(newStack({ env: ENVIRONMENT }, app), { program: first });
    const other = new Stack(app, 'Other', { env: ENVIRONMENT });
    return () => job(other, { program: second, jobName: 'views' });
  };

  test('by one transactional id prefix in a Kafka cluster are refused, with both tables', () => {
    expect(two(exactlyOnce('shop'), exactlyOnce('shop'))).toThrow(
      "table 'target' of 'Stack/Job' and table 'target' of 'Other/Job' have the transactional id prefix 'shop' in one Kafka cluster, and would fence each other: give one of them another transactionalIdPrefix",
    );
    expect(two(exactlyOnce(), exactlyOnce('streaming.clicks.target'))).toThrow("the transactional id prefix 'streaming.clicks.target'");
    expect(two(exactlyOnce(), exactlyOnce())).not.toThrow();
    expect(two(exactlyOnce('shop'), exactlyOnce('shop', 'archive'))).not.toThrow();
  });

  test('by one consumer of enhanced fan-out are refused, across jobs and within one', () => {
    const refusal = `read stream '${CLICKS.Resource}' as consumer 'one', which holds one subscription for each shard: give one of them another consumerName`;
    expect(two(fannedOut('one'), fannedOut('one'))).toThrow(`table 'clicks0' of 'Stack/Job' and table 'clicks0' of 'Other/Job' ${refusal}`);
    expect(() => job(newStack(), { program: fannedOut('one', 'one') })).toThrow(
      `table 'clicks0' of 'Stack/Job' and table 'clicks1' of 'Stack/Job' ${refusal}`,
    );
    expect(two(fannedOut('one', 'two'), fannedOut('three'))).not.toThrow();
  });
});

describe('identity', () => {
  const irsaCluster = (stack: Stack, name: string) =>
    Cluster.fromClusterAttributes(stack, 'Irsa', {
      clusterName: 'main',
      openIdConnectProvider: OpenIdConnectProvider.fromOpenIdConnectProviderArn(stack, 'Provider', name),
      kubectlProvider: KubectlProvider.fromKubectlProviderAttributes(stack, 'IrsaKubectl', {
        functionArn: 'arn:aws:lambda:eu-central-1:111122223333:function:kubectl',
        kubectlRoleArn: 'arn:aws:iam::111122223333:role/kubectl',
        handlerRole: Role.fromRoleName(stack, 'IrsaHandler', 'handler'),
      }),
    });

  test('is Pod Identity: an association of the service account with the role', () => {
    const stack = newStack();
    job(stack);
    const role = only(stack, 'AWS::IAM::Role');

    expect(only(stack, 'AWS::EKS::PodIdentityAssociation').resource.Properties).toEqual({
      ClusterName: 'main',
      Namespace: 'streaming',
      ServiceAccount: 'clicks',
      RoleArn: { 'Fn::GetAtt': [role.id, 'Arn'] },
    });
    expect(role.resource.Properties.AssumeRolePolicyDocument.Statement).toEqual([
      { Action: ['sts:AssumeRole', 'sts:TagSession'], Effect: 'Allow', Principal: { Service: 'pods.eks.amazonaws.com' } },
    ]);
    expect(manifest(stack, 'ServiceAccount').objects[0].metadata.annotations).toBeUndefined();
  });

  test("is, by IRSA, a trust in the cluster's provider for this service account alone", () => {
    const stack = newStack();
    const arn = `arn:aws:iam::${ACCOUNT}:oidc-provider/oidc.eks.eu-central-1.amazonaws.com/id/ABC`;
    job(stack, { target: DeploymentTarget.eks(irsaCluster(stack, arn), { namespace: 'streaming' }), identity: JobIdentity.irsa() });
    const role = only(stack, 'AWS::IAM::Role');

    expect(Object.keys(resources(stack, 'Custom::AWSCDKCfnJson'))).toEqual([]);
    expect(Object.keys(resources(stack, 'AWS::EKS::PodIdentityAssociation'))).toEqual([]);
    expect(manifest(stack, 'ServiceAccount').objects[0].metadata.annotations['eks.amazonaws.com/role-arn']).toContain(role.id);
    const [statement] = role.resource.Properties.AssumeRolePolicyDocument.Statement;
    expect(statement).toMatchObject({ Action: 'sts:AssumeRoleWithWebIdentity', Effect: 'Allow', Principal: { Federated: arn } });
    expect(statement.Condition).toEqual({
      StringEquals: {
        'oidc.eks.eu-central-1.amazonaws.com/id/ABC:aud': 'sts.amazonaws.com',
        'oidc.eks.eu-central-1.amazonaws.com/id/ABC:sub': 'system:serviceaccount:streaming:clicks',
      },
    });
  });

  test('takes the conditions from CloudFormation where the provider is a token', () => {
    const stack = newStack();
    const arn = new CfnParameter(stack, 'ProviderArn').valueAsString;
    job(stack, { target: DeploymentTarget.eks(irsaCluster(stack, arn), { namespace: 'streaming' }), identity: JobIdentity.irsa() });
    const [role] = Object.entries(resources(stack, 'AWS::IAM::Role')).filter(([id]) => id.startsWith('FlinkJob'));
    const [statement] = role![1].Properties.AssumeRolePolicyDocument.Statement;
    const json = only(stack, 'Custom::AWSCDKCfnJson');

    expect(statement.Condition).toEqual({ StringEquals: { 'Fn::GetAtt': [json.id, 'Value'] } });
    expect(JSON.stringify(json.resource.Properties.Value)).toContain('system:serviceaccount:streaming:clicks');
  });

  test("takes a provider of one's own", () => {
    const stack = newStack();
    const provider = OpenIdConnectProvider.fromOpenIdConnectProviderArn(
      stack,
      'Own',
      `arn:aws:iam::${ACCOUNT}:oidc-provider/issuer.example.com`,
    );
    job(stack, {
      identity: JobIdentity.irsa(provider),
      target: DeploymentTarget.manifests({ namespace: 'streaming' }),
      role: Role.fromRoleArn(stack, 'R', `arn:aws:iam::${ACCOUNT}:role/flink`),
    });
    expect(Object.keys(resources(stack, 'AWS::IAM::Role'))).toEqual([]);
  });

  test('needs a cluster name for Pod Identity, and says so', () => {
    expect(() => job(newStack(), { target: DeploymentTarget.manifests({ namespace: 'streaming' }) })).toThrow(
      "job 'clicks' cannot be given a role by Pod Identity: DeploymentTarget.manifests does not name the cluster; give it clusterName, or use identity: JobIdentity.irsa(provider)",
    );
  });

  test('needs a provider for IRSA, and says so', () => {
    const imported = newStack();
    for (const target of [
      DeploymentTarget.eks(eksCluster(imported), { namespace: 'streaming' }),
      DeploymentTarget.eksV2(eksV2Cluster(imported), { namespace: 'streaming' }),
    ]) {
      expect(() => job(newStack(), { target, identity: JobIdentity.irsa() })).toThrow(
        'knows no OpenID Connect provider; give JobIdentity.irsa(provider)',
      );
    }
    expect(() => job(newStack(), { target: DeploymentTarget.manifests({ namespace: 'streaming' }), identity: JobIdentity.irsa() })).toThrow(
      "job 'clicks' cannot be given a role by IRSA: its target knows no OpenID Connect provider; give JobIdentity.irsa(provider)",
    );
  });

  test('may be a role that is there: it gets the permissions and no other role is made', () => {
    const stack = newStack();
    const role = Role.fromRoleArn(stack, 'Given', `arn:aws:iam::${ACCOUNT}:role/flink`);
    const created = job(stack, { role });

    expect(created.role).toBe(role);
    expect(Object.keys(resources(stack, 'AWS::IAM::Role'))).toEqual([]);
    expect(only(stack, 'AWS::IAM::Policy').resource.Properties.Roles).toEqual(['flink']);
    expect(only(stack, 'AWS::EKS::PodIdentityAssociation').resource.Properties.RoleArn).toBe(`arn:aws:iam::${ACCOUNT}:role/flink`);
    expect(manifest(stack, 'FlinkDeployment').resource.DependsOn).toContain(only(stack, 'AWS::IAM::Policy').id);
  });

  test('may be a service account that is there: neither account nor Kubernetes role is made', () => {
    const stack = newStack();
    job(stack, { serviceAccountName: 'flink' });

    expect(() => manifest(stack, 'ServiceAccount')).toThrow('0 manifests');
    expect(manifest(stack, 'FlinkDeployment').objects[0].spec.serviceAccount).toBe('flink');
    expect(only(stack, 'AWS::EKS::PodIdentityAssociation').resource.Properties.ServiceAccount).toBe('flink');
  });

  test('is one of a service account: Pod Identity takes no second association', () => {
    const stack = newStack();
    const target = DeploymentTarget.eks(eksCluster(stack), { namespace: 'streaming' });
    const role = Role.fromRoleArn(stack, 'Shared', `arn:aws:iam::${ACCOUNT}:role/flink`);
    job(stack, { target, serviceAccountName: 'flink', role });

    expect(() => job(stack, { target, jobName: 'views', serviceAccountName: 'flink', role }, 'Views')).toThrow(
      "'Stack/Job' and 'Stack/Views' both run as service account 'flink' in namespace 'streaming' of cluster 'main', and EKS takes one Pod Identity association for it: " +
        'leave serviceAccountName out, or share a role and use identity: JobIdentity.irsa()',
    );
    // The account that a job would make itself is the same account.
    expect(() => job(stack, { target, jobName: 'flink' }, 'Flink')).toThrow("both run as service account 'flink'");
    const staging = DeploymentTarget.eks(eksCluster(new Construct(stack, 'Twin')), { namespace: 'staging' });
    expect(() => job(stack, { target: staging, jobName: 'orders', serviceAccountName: 'flink' }, 'Orders')).not.toThrow();
  });

  test('by IRSA may be shared, as one role', () => {
    const stack = newStack();
    const provider = OpenIdConnectProvider.fromOpenIdConnectProviderArn(
      stack,
      'Own',
      `arn:aws:iam::${ACCOUNT}:oidc-provider/issuer.example.com`,
    );
    const shared = {
      target: DeploymentTarget.eks(eksCluster(stack), { namespace: 'streaming' }),
      identity: JobIdentity.irsa(provider),
      role: Role.fromRoleArn(stack, 'Shared', `arn:aws:iam::${ACCOUNT}:role/flink`),
      serviceAccountName: 'flink',
    };
    job(stack, shared);
    expect(() => job(stack, { ...shared, jobName: 'views' }, 'Views')).not.toThrow();
    Annotations.fromStack(stack).hasNoWarning('*', Match.stringLikeRegexp('ServiceAccountRole'));
  });

  describe('of a role that an existing service account must name', () => {
    const irsaJob = (stack: Stack, changed: object = {}) =>
      job(stack, {
        identity: JobIdentity.irsa(
          OpenIdConnectProvider.fromOpenIdConnectProviderArn(stack, 'Own', `arn:aws:iam::${ACCOUNT}:oidc-provider/issuer.example.com`),
        ),
        serviceAccountName: 'flink',
        ...changed,
      });

    test('is warned of, with the annotation', () => {
      const stack = newStack();
      irsaJob(stack);
      Annotations.fromStack(stack).hasWarning(
        '/Stack/Job',
        Match.stringLikeRegexp(
          "service account 'flink' of job 'clicks' exists already.*set its annotation eks.amazonaws.com/role-arn to the ARN of 'Stack/Job/Role'.*cdk-flink-pipeline:ServiceAccountRole",
        ),
      );
    });

    test('is silent once it is acknowledged', () => {
      const stack = newStack();
      Validations.of(irsaJob(stack)).acknowledge({ id: 'cdk-flink-pipeline:ServiceAccountRole', reason: 'annotated by the platform team' });
      Annotations.fromStack(stack).hasNoWarning('*', Match.anyValue());
    });

    test.each([
      ["the job's own account", { serviceAccountName: undefined }],
      ['Pod Identity, which needs no annotation', { identity: JobIdentity.podIdentity() }],
    ])('is no matter of %s', (_, changed) => {
      const stack = newStack();
      irsaJob(stack, changed);
      Annotations.fromStack(stack).hasNoWarning('*', Match.anyValue());
    });
  });

  test('of the image registry: pull secrets in both pods', () => {
    const stack = newStack();
    job(stack, { pod: { imagePullSecrets: ['registry'] } });
    const { spec } = manifest(stack, 'FlinkDeployment').objects[0];
    for (const { podTemplate } of [spec.jobManager, spec.taskManager]) {
      expect(podTemplate.spec.imagePullSecrets).toEqual([{ name: 'registry' }]);
    }
  });
});

describe('secrets of Secrets Manager', () => {
  const jdbc = (stack: Stack) => {
    const secret = Secret.fromSecretNameV2(stack, 'Secret', 'shop/mysql');
    return into(
      new JdbcSink({
        url: 'jdbc:mysql://mysql:3306/shop',
        tableName: 'clicks',
        credentials: Credentials.fromSecrets(SecretRef.secretsManager(secret, 'username'), SecretRef.secretsManager(secret, 'password')),
      }),
      ['id'],
    );
  };

  test.each([
    ['ClusterSecretStore', ExternalSecretStore.cluster('aws')],
    ['SecretStore', ExternalSecretStore.namespaced('aws')],
  ])('come by one ExternalSecret from a %s, before the job', (kind, externalSecretStore) => {
    const stack = newStack();
    job(stack, { program: jdbc(stack), externalSecretStore });
    const { id, objects } = manifest(stack, 'ExternalSecret');
    const external = objects.filter((object) => object.kind === 'ExternalSecret');
    const { name } = external[0].metadata;

    expect(external).toHaveLength(1);
    expect(name).toMatch(/^clicks-secret-[0-9a-f]{8}$/);
    expect(external[0]).toMatchObject({
      apiVersion: 'external-secrets.io/v1',
      metadata: { namespace: 'streaming' },
      spec: {
        secretStoreRef: { kind, name: 'aws' },
        target: { name, creationPolicy: 'Owner' },
        data: [
          { secretKey: 'password', remoteRef: { key: 'shop/mysql', property: 'password' } },
          { secretKey: 'username', remoteRef: { key: 'shop/mysql', property: 'username' } },
        ],
      },
    });
    const deployment = manifest(stack, 'FlinkDeployment');
    expect(deployment.resource.DependsOn).toContain(id);
    const { env } = deployment.objects[0].spec.jobManager.podTemplate.spec.containers[0];
    expect(env.filter((variable: Json) => variable.name.startsWith('SECRET_'))).toEqual([
      { name: expect.stringMatching(/^SECRET_.*PASSWORD/), valueFrom: { secretKeyRef: { name, key: 'password' } } },
      { name: expect.stringMatching(/^SECRET_.*USERNAME/), valueFrom: { secretKeyRef: { name, key: 'username' } } },
    ]);
    // TaskManagers plan nothing, so they know no secret.
    expect(JSON.stringify(deployment.objects[0].spec.taskManager)).not.toContain('SECRET_');
  });

  test('taken whole, have no property', () => {
    const stack = newStack();
    const secret = Secret.fromSecretNameV2(stack, 'Secret', 'shop/password');
    const program = into(
      new JdbcSink({
        url: 'jdbc:mysql://mysql:3306/shop',
        tableName: 'c',
        credentials: Credentials.of('flink', SecretRef.secretsManager(secret)),
      }),
      ['id'],
    );
    job(stack, { program, externalSecretStore: ExternalSecretStore.cluster('aws') });
    const [external] = manifest(stack, 'ExternalSecret').objects.filter((object) => object.kind === 'ExternalSecret');
    expect(external.spec.data).toEqual([{ secretKey: 'value', remoteRef: { key: 'shop/password' } }]);
  });

  test('need a store, and say so', () => {
    const stack = newStack();
    expect(() => job(stack, { program: jdbc(stack) })).toThrow(
      "job 'clicks' uses secrets of Secrets Manager: name the store of the External Secrets Operator that reads them",
    );
  });

  test('the store must have a name', () => {
    for (const name of ['', ' ', 'Store', 'my_store', '-store', 'a'.repeat(254)]) {
      expect(() => ExternalSecretStore.cluster(name)).toThrow(`name of a secret store must be up to 253 lower case letters`);
    }
    expect(ExternalSecretStore.namespaced('team-a.aws-secrets').name).toBe('team-a.aws-secrets');
    expect(ExternalSecretStore.cluster(Fn.ref('Store')).kind).toBe('ClusterSecretStore');
  });

  test('a Kubernetes Secret needs no store', () => {
    const stack = newStack();
    const credentials = Credentials.of('flink', SecretRef.kubernetes('mysql', 'password'));
    job(stack, { program: into(new JdbcSink({ url: 'jdbc:mysql://mysql:3306/shop', tableName: 'c', credentials }), ['id']) });
    expect(() => manifest(stack, 'ExternalSecret')).toThrow('0 manifests');
    const { env } = manifest(stack, 'FlinkDeployment').objects[0].spec.jobManager.podTemplate.spec.containers[0];
    expect(env[1].valueFrom).toEqual({ secretKeyRef: { name: 'mysql', key: 'password' } });
  });
});

function arnOf(resource: string): string {
  return `arn:aws:kinesis:eu-central-1:${ACCOUNT}:${resource}`;
}

test('a secret, its field of the same name as the whole and a field that is no key of Kubernetes are three keys', () => {
  const stack = newStack();
  const secret = Secret.fromSecretNameV2(stack, 'Secret', 'shop/password');
  const program = new SqlProgram();
  const columns = [Column.physical('id', DataType.STRING)];
  const source = program.addTable('source', { connector: new DataGenSource({}), columns });
  const url = 'jdbc:mysql://mysql:3306/shop';
  const sink = (name: string, credentials: Credentials) =>
    program.addInsert(
      program.addTable(name, { connector: new JdbcSink({ url, tableName: name, credentials }), columns, primaryKey: ['id'] }),
      `SELECT id FROM ${source}`,
    );
  sink('a', Credentials.fromSecrets(SecretRef.secretsManager(secret), SecretRef.secretsManager(secret, 'value')));
  sink('b', Credentials.of('flink', SecretRef.secretsManager(secret, 'pass word')));
  job(stack, { program, parallelism: 1, externalSecretStore: ExternalSecretStore.cluster('aws') });
  const [external] = manifest(stack, 'ExternalSecret').objects.filter((object) => object.kind === 'ExternalSecret');
  const keys = external.spec.data.map(({ secretKey }: { secretKey: string }) => secretKey);
  expect(new Set(keys).size).toBe(3);
  expect(keys).toContain('value');
  for (const key of keys) {
    expect(key).toMatch(/^[-._A-Za-z0-9]+$/);
  }
  expect(() => SecretRef.secretsManager(secret, ' ')).toThrow('field of a Secrets Manager secret must not be empty');
});
