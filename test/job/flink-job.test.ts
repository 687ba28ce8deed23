import { CfnParameter, CfnResource, Duration, Lazy, Stack, type StackProps, Stage } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { JsonPatch } from 'cdk8s';
import { Construct } from 'constructs';
import { existsSync, readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import { parseAllDocuments } from 'yaml';
import {
  Artifact,
  CheckpointStorage,
  Column,
  CompactedTopic,
  DataType,
  DeploymentTarget,
  EventStream,
  FlinkImage,
  FlinkJob,
  type FlinkJobProps,
  Format,
  JarProgram,
  KafkaCluster,
  KinesisSource,
  MalformedRecords,
  PrintSink,
  SqlProgram,
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
  MANIFEST,
  manifest,
  newStack,
  only,
  printed,
  resources,
} from '../fixtures/stacks';

const TARGETS: [string, (scope: Construct) => DeploymentTarget][] = [
  ['eks', (scope) => DeploymentTarget.eks(eksCluster(scope), { namespace: 'streaming' })],
  ['eksV2', (scope) => DeploymentTarget.eksV2(eksV2Cluster(scope), { namespace: 'streaming' })],
];

describe.each(TARGETS)('%s', (_, target) => {
  const stack = newStack();
  const stream = new EventStream(stack, 'Events', { streamName: 'events', shardCount: 3 });
  job(stack, { program: printed(stream), target: target(stack) });

  test('access, script and FlinkDeployment are manifests of their own', () => {
    expect(Object.keys(resources(stack, MANIFEST))).toHaveLength(3);
    expect(manifest(stack, 'ServiceAccount').objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`)).toEqual(
      ['ServiceAccount streaming/clicks', 'Role streaming/clicks', 'RoleBinding streaming/clicks'],
    );
    expect(manifest(stack, 'ConfigMap').objects).toHaveLength(1);
    expect(manifest(stack, 'FlinkDeployment').objects).toHaveLength(1);
  });

  test('the FlinkDeployment comes after role, permissions, identity, access, bucket, stream and script', () => {
    const { resource } = manifest(stack, 'FlinkDeployment');
    const expected = [
      only(stack, 'AWS::IAM::Role').id,
      only(stack, 'AWS::IAM::Policy').id,
      only(stack, 'AWS::EKS::PodIdentityAssociation').id,
      only(stack, 'AWS::S3::Bucket').id,
      only(stack, 'AWS::Kinesis::Stream').id,
      manifest(stack, 'ServiceAccount').id,
      manifest(stack, 'ConfigMap').id,
    ];
    expect(resource.DependsOn).toEqual(expect.arrayContaining(expected));
  });

  test('the script comes after the access, so that it goes before it', () => {
    expect(manifest(stack, 'ConfigMap').resource.DependsOn).toContain(manifest(stack, 'ServiceAccount').id);
    expect(manifest(stack, 'ServiceAccount').resource.DependsOn ?? []).not.toContain(manifest(stack, 'ConfigMap').id);
  });

  test('earlier scripts stay, everything else goes with the job, nothing is pruned', () => {
    expect(manifest(stack, 'ConfigMap').resource.DeletionPolicy).toBe('Retain');
    expect(manifest(stack, 'FlinkDeployment').resource.DeletionPolicy).toBe('Delete');
    expect(manifest(stack, 'ServiceAccount').resource.DeletionPolicy).toBe('Delete');
    for (const { Properties } of Object.values(resources(stack, MANIFEST))) {
      expect(Properties.PruneLabel).toBeUndefined();
    }
    // Nor by a GitOps tool that applies the file.
    expect(manifest(stack, 'ConfigMap').objects[0].metadata.annotations).toEqual({
      'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
      'kustomize.toolkit.fluxcd.io/prune': 'disabled',
    });
    expect(Object.keys(manifest(stack, 'FlinkDeployment').objects[0].metadata.annotations)).toEqual(['cdk-flink-pipeline/derived-values']);
    expect(manifest(stack, 'ServiceAccount').objects[0].metadata.annotations).toBeUndefined();
  });

  test('only the script, which may be there from an earlier deployment, is taken over', () => {
    expect(manifest(stack, 'ConfigMap').resource.Properties.Overwrite).toBe(true);
    expect(manifest(stack, 'FlinkDeployment').resource.Properties.Overwrite).toBeUndefined();
    expect(manifest(stack, 'ServiceAccount').resource.Properties.Overwrite).toBeUndefined();
  });
});

describe('logical ids', () => {
  const ids = (build: (stack: Stack) => void, type: string) => {
    const stack = newStack();
    build(stack);
    return Object.keys(resources(stack, type));
  };
  const state = (stack: Stack) => new Bucket(stack, 'State', { bucketName: 'state' });
  const plain = (stack: Stack) => job(stack);
  const moved = (stack: Stack) => {
    const target = DeploymentTarget.eks(eksCluster(stack), { namespace: 'streaming' });
    const checkpointing = { storage: CheckpointStorage.s3(state(stack), 'clicks'), interval: Duration.seconds(30) };
    job(new Construct(stack, 'Elsewhere'), { target, checkpointing }, 'Renamed');
  };

  test.each([MANIFEST, 'AWS::IAM::Role', 'AWS::IAM::Policy', 'AWS::EKS::PodIdentityAssociation'])(
    'of %s stay when the construct is renamed and moved',
    (type) => {
      expect(ids(plain, type)).not.toEqual([]);
      expect(ids(moved, type)).toEqual(ids(plain, type));
    },
  );

  test.each([
    ['another job', { jobName: 'views' }],
    ['another namespace', { namespace: 'staging' }],
    ['another cluster', { cluster: 'other' }],
  ])('differ for %s', (_, changed: { jobName?: string; namespace?: string; cluster?: string }) => {
    for (const type of [MANIFEST, 'AWS::IAM::Role', 'AWS::IAM::Policy', 'AWS::EKS::PodIdentityAssociation']) {
      const others = ids(
        (stack) =>
          job(stack, {
            ...(changed.jobName !== undefined && { jobName: changed.jobName }),
            target: DeploymentTarget.eks(eksCluster(stack, changed.cluster), { namespace: changed.namespace ?? 'streaming' }),
          }),
        type,
      );
      expect(others.filter((id) => ids(plain, type).includes(id))).toEqual([]);
    }
  });

  test('and names do not depend on constructs that were added before', () => {
    const template = (before: boolean) => {
      const stack = newStack();
      if (before) {
        new CfnResource(stack, 'Before', { type: 'AWS::SNS::Topic' });
        new EventStream(stack, 'Unrelated', { shardCount: 1 });
      }
      job(stack, { program: printed(new EventStream(stack, 'Events', { shardCount: 3 })) });
      return Object.fromEntries(
        Object.entries({ ...resources(stack, MANIFEST), ...resources(stack, 'AWS::IAM::Policy'), ...resources(stack, 'AWS::IAM::Role') }),
      );
    };
    expect(template(true)).toEqual(template(false));
  });
});

describe('two jobs', () => {
  test('share a stack', () => {
    const stack = newStack();
    const target = DeploymentTarget.eks(eksCluster(stack), { namespace: 'streaming' });
    job(stack, { target });
    job(stack, { target, jobName: 'views' }, 'Other');

    expect(Object.keys(resources(stack, MANIFEST))).toHaveLength(6);
    expect(Object.keys(resources(stack, 'AWS::IAM::Role'))).toHaveLength(2);
  });

  test('of one name are refused, with both constructs', () => {
    const stack = newStack();
    const target = DeploymentTarget.eks(eksCluster(stack), { namespace: 'streaming' });
    job(stack, { target });

    expect(() => job(stack, { target }, 'Again')).toThrow(
      "'Stack/Job' and 'Stack/Again' are both job 'clicks' in namespace 'streaming' of cluster 'main', and would overwrite each other: give one of them another jobName",
    );
  });

  test('have manifests of their own whatever their names', () => {
    const stack = newStack();
    const target = DeploymentTarget.eks(eksCluster(stack), { namespace: 'streaming' });
    for (const jobName of ['a', 'a-script', 'a-access']) {
      job(stack, { target, jobName }, jobName);
    }
    expect(Object.keys(resources(stack, MANIFEST))).toHaveLength(9);
  });

  test('of one name are refused in two namespaces of one stack, whose directories would be one', () => {
    const stack = newStack();
    const cluster = eksCluster(stack);
    job(stack, { target: DeploymentTarget.eks(cluster, { namespace: 'streaming' }) });
    expect(() => job(stack, { target: DeploymentTarget.eks(cluster, { namespace: 'staging' }) }, 'Again')).toThrow(
      "'Stack/Job' and 'Stack/Again' are both job 'clicks' of one stack, and would write one directory of the cloud assembly, whatever their namespaces and clusters: put one of them into another stack, or give it another jobName",
    );
  });

  test('of one name are refused across stacks, which know the cluster each in its own way', () => {
    const app = newApp();
    job(newStack({ env: ENVIRONMENT }, app));
    const target = DeploymentTarget.manifests({ namespace: 'streaming', clusterName: 'main' });

    expect(() => job(new Stack(app, 'Other', { env: ENVIRONMENT }), { target })).toThrow(
      "'Stack/Job' and 'Other/Job' are both job 'clicks'",
    );
  });

  test.each<[string, StackProps, string, string]>([
    ['another region', { env: { ...ENVIRONMENT, region: 'eu-west-1' } }, 'streaming', 'main'],
    ['another namespace', { env: ENVIRONMENT }, 'staging', 'main'],
    ['another cluster', { env: ENVIRONMENT }, 'streaming', 'other'],
  ])('of one name are two jobs in %s', (_, props, namespace, cluster) => {
    const app = newApp();
    job(newStack({ env: ENVIRONMENT }, app));
    const other = new Stack(app, 'Other', props);

    expect(() => job(other, { target: DeploymentTarget.eks(eksCluster(other, cluster), { namespace }) })).not.toThrow();
  });

  test('of one name may be in clusters that nobody can compare, and in two stages', () => {
    const app = newApp();
    const jobIn = (stack: Stack) =>
      job(stack, {
        target: DeploymentTarget.eks(eksCluster(stack, new CfnParameter(stack, 'ClusterName').valueAsString), { namespace: 'streaming' }),
      });
    jobIn(new Stack(app, 'A', { env: ENVIRONMENT }));
    expect(() => jobIn(new Stack(app, 'B', { env: ENVIRONMENT }))).not.toThrow();

    job(new Stack(new Stage(app, 'One', { env: ENVIRONMENT }), 'Stack'));
    expect(() => job(new Stack(new Stage(app, 'Two', { env: ENVIRONMENT }), 'Stack'))).not.toThrow();
  });

  test('of one name are refused where the cluster is a token of their stack', () => {
    const stack = newStack();
    const clusterName = new CfnParameter(stack, 'ClusterName').valueAsString;
    const target = DeploymentTarget.eks(eksCluster(stack, clusterName), { namespace: 'streaming' });
    job(stack, { target });

    expect(() => job(stack, { target }, 'Again')).toThrow(
      "'Stack/Job' and 'Stack/Again' are both job 'clicks' in namespace 'streaming' of cluster '${ClusterName}'",
    );
  });

  test('of one program are refused, with both names', () => {
    const stack = newStack();
    const target = DeploymentTarget.eks(eksCluster(stack), { namespace: 'streaming' });
    const program = printed(externalStream());
    job(stack, { target, program });

    expect(() => job(stack, { target, program, jobName: 'views' }, 'Other')).toThrow(
      "a program belongs to one job: it was handed to 'clicks' and cannot be handed to 'views'",
    );
  });

  test('take no more tables once they have the program', () => {
    const program = printed(externalStream());
    job(newStack(), { program });

    expect(() => program.addTable('late', { connector: new PrintSink(), columns: [Column.physical('line', DataType.STRING)] })).toThrow(
      "the program is sealed since it was handed to the job 'clicks'",
    );
  });
});

test('a stream of another stage is read without a dependency, one of another stack with it', () => {
  const app = newApp();
  const streamOf = (scope: Construct) =>
    new EventStream(new Stack(scope, 'Streams', { env: ENVIRONMENT }), 'Events', { streamName: 'events', shardCount: 2 });
  const far = streamOf(new Stage(app, 'Far'));
  const near = new Stage(app, 'Near');
  const [first, second] = [new Stack(near, 'First', { env: ENVIRONMENT }), new Stack(near, 'Second', { env: ENVIRONMENT })];
  job(first, { program: printed(far) });
  job(second, { program: printed(streamOf(near)), jobName: 'views' });
  const [firstArtifact, secondArtifact] = [first, second].map(({ artifactId }) => near.synth().getStackArtifact(artifactId));

  const stacksBefore = (artifact: typeof firstArtifact) =>
    artifact!.dependencies.map(({ id }) => id).filter((id) => !id.endsWith('.assets'));
  expect(stacksBefore(firstArtifact)).toEqual([]);
  expect(stacksBefore(secondArtifact)).toEqual([expect.stringContaining('Streams')]);
});

test('an order: topic, script, FlinkDeployment', () => {
  const stack = newStack();
  const topic = new CompactedTopic(stack, 'Topic', {
    cluster: KafkaCluster.msk({
      clusterArn: 'arn:aws:kafka:eu-central-1:111122223333:cluster/shop/11111111-2222-3333-4444-555555555555-2',
      bootstrapServers: ['b-1.shop:9098'],
      kafkaVersion: '3.8.1',
    }),
    topicName: 'latest',
    partitions: 2,
    replicationFactor: 3,
    slowestReaderAbsence: Duration.days(1),
  });
  const program = new SqlProgram();
  const columns = [Column.physical('id', DataType.STRING)];
  const source = program.addTable('events', {
    connector: new KinesisSource({
      stream: externalStream(),
      start: StartPosition.latest(),
      format: Format.json({ malformedRecords: MalformedRecords.FAIL }),
    }),
    columns,
  });
  const latest = program.addTable('latest', {
    connector: new UpsertKafkaSink({ topic, keyFormat: Format.json(), valueFormat: Format.json() }),
    columns,
    primaryKey: ['id'],
  });
  program.addInsert(latest, `SELECT id FROM ${source}`);
  job(stack, { program });

  const created = only(stack, 'AWS::MSK::Topic').id;
  expect(manifest(stack, 'ConfigMap').resource.DependsOn).toContain(created);
  expect(manifest(stack, 'FlinkDeployment').resource.DependsOn).toContain(created);
});

describe('the FlinkDeployment', () => {
  test('takes patches up to the synthesis, in template and file', () => {
    const app = newApp();
    const stack = newStack({ env: ENVIRONMENT }, app);
    const created = job(stack);
    created.flinkDeployment.addJsonPatch(JsonPatch.add('/spec/podTemplate', { spec: { priorityClassName: 'high' } }));

    expect(manifest(stack, 'FlinkDeployment').objects[0].spec.podTemplate).toEqual({ spec: { priorityClassName: 'high' } });
    const file = parseAllDocuments(readFileSync(join(app.outdir, 'Stack.clicks', 'manifests.yaml'), 'utf8')).map((one) => one.toJS());
    expect(file.find(({ kind }) => kind === 'FlinkDeployment').spec.podTemplate).toEqual({ spec: { priorityClassName: 'high' } });
  });

  test.each<[string, JsonPatch, string]>([
    ['a parallelism above an int', JsonPatch.replace('/spec/job/parallelism', 99999999999), 'got 99999999999'],
    ['a configuration that is no map', JsonPatch.replace('/spec/flinkConfiguration', 'abc'), "must be a map, got 'abc'"],
    [
      'an option that Flink refuses',
      JsonPatch.add('/spec/flinkConfiguration/web.timeout', 'soon'),
      "flinkConfiguration of FlinkDeployment 'clicks': 'web.timeout' must be a duration",
    ],
    ['a null', JsonPatch.add('/spec/restartNonce', null), "'spec.restartNonce' of FlinkDeployment 'clicks' is null"],
    [
      'a number that JSON does not know',
      JsonPatch.add('/spec/restartNonce', Number.NaN),
      "'spec.restartNonce' of FlinkDeployment 'clicks' is null",
    ],
    ['a bad name', JsonPatch.replace('/metadata/name', 'Bad_Name'), "'metadata.name' of FlinkDeployment 'Bad_Name'"],
  ])('is judged as it is patched: %s', (_, patch, message) => {
    for (const changed of [{}, { target: DeploymentTarget.manifests({ namespace: 'streaming', clusterName: 'main' }) }]) {
      const app = newApp();
      job(newStack({ env: ENVIRONMENT }, app), changed).flinkDeployment.addJsonPatch(patch);
      expect(() => app.synth()).toThrow(message);
      expect(existsSync(join(app.outdir, 'Stack.template.json'))).toBe(false);
    }
  });

  test('may be patched with texts that only the deployment knows, on EKS', () => {
    const app = newApp();
    const stack = newStack({}, app);
    const { flinkDeployment } = job(stack);
    flinkDeployment.addJsonPatch(JsonPatch.add('/spec/serviceAccount', new CfnParameter(stack, 'Account').valueAsString));
    flinkDeployment.addJsonPatch(JsonPatch.add('/spec/taskManager/podTemplate/spec/hostname', `flink-${stack.region}`));
    expect(() => app.synth()).not.toThrow();
  });

  test.each([undefined, ''])('needs the name of an image, got %p at the end', (name) => {
    const app = newApp();
    job(newStack({ env: ENVIRONMENT }, app), { image: FlinkImage.named(Lazy.string({ produce: () => name })) });
    expect(() => app.synth()).toThrow("'spec.image' of FlinkDeployment 'clicks' must name an image");
  });

  test('tells what was derived, as explain() does', () => {
    const stack = newStack();
    const created = job(stack);
    const annotation = manifest(stack, 'FlinkDeployment').objects[0].metadata.annotations['cdk-flink-pipeline/derived-values'];

    expect(created.explain()[0]).toEqual({
      name: 'job.parallelism',
      value: '4',
      reason: expect.stringContaining('shards of stream clicks'),
    });
    expect(annotation.split('\n')).toHaveLength(created.explain().length);
    for (const { name, value, reason } of created.explain()) {
      expect(annotation).toContain(`${name} = ${value} (${reason})`);
    }
  });

  test('explain() hands out a copy', () => {
    const created = job(newStack());
    created.explain().pop();
    expect(created.explain().length).toBeGreaterThan(1);
    expect(created.explain()).toEqual(created.application.explain());
  });
});

describe('the image', () => {
  const REPOSITORY = 'cdk-hnb659fds-container-assets-111122223333';

  test('is an asset in the assembly, built for the architecture', () => {
    const app = newApp();
    const stack = newStack({ env: ENVIRONMENT }, app);
    job(stack, { image: FlinkImage.generated() });
    const { image } = manifest(stack, 'FlinkDeployment').objects[0].spec;
    const [asset] = Object.entries<Json>(JSON.parse(readFileSync(join(app.outdir, 'Stack.assets.json'), 'utf8')).dockerImages);

    expect(image).toBe(`111122223333.dkr.ecr.eu-central-1.amazonaws.com/${REPOSITORY}-eu-central-1:${asset![0]}`);
    expect(asset![1].source).toMatchObject({ platform: 'linux/amd64' });
    expect(readFileSync(join(app.outdir, asset![1].source.directory, 'Dockerfile'), 'utf8')).toContain('flink:2.2.1-scala_2.12-java17');
  });

  test.each([
    ['cn-north-1', 'amazonaws.com.cn'],
    ['us-gov-west-1', 'amazonaws.com'],
  ])('has a literal URI in %s, so that a file can hold it', (region, suffix) => {
    const stack = newStack({ env: { account: '111122223333', region } });
    job(stack, { image: FlinkImage.generated(), target: DeploymentTarget.manifests({ namespace: 'streaming', clusterName: 'main' }) });

    const { directory } = (stack.node.root as ReturnType<typeof newApp>).synth();
    expect(readFileSync(join(directory, 'Stack.clicks', 'manifests.yaml'), 'utf8')).toMatch(
      new RegExp(`image: 111122223333\\.dkr\\.ecr\\.${region}\\.${suffix.replace(/\./g, '\\.')}/${REPOSITORY}-${region}:[0-9a-f]{64}`),
    );
  });

  test('that is named makes no asset', () => {
    const app = newApp();
    job(newStack({ env: ENVIRONMENT }, app));
    app.synth();
    expect(JSON.parse(readFileSync(join(app.outdir, 'Stack.assets.json'), 'utf8')).dockerImages).toEqual({});
  });
});

describe('a JAR', () => {
  const program = () =>
    new JarProgram({
      jarUri: 'local:///opt/flink/usrlib/job.jar',
      entryClass: 'com.example.Job',
      args: ['--verbose'],
      eventStreams: [externalStream(6)],
      artifacts: [Artifact.maven('com.example:codec:1.0.0')],
    });

  test('has no script, and the same job otherwise', () => {
    const app = newApp();
    const stack = newStack({ env: ENVIRONMENT }, app);
    job(stack, { program: program() });

    expect(Object.keys(resources(stack, MANIFEST))).toHaveLength(2);
    const { spec } = manifest(stack, 'FlinkDeployment').objects[0];
    expect(spec.job).toMatchObject({
      jarURI: 'local:///opt/flink/usrlib/job.jar',
      entryClass: 'com.example.Job',
      args: ['--verbose'],
      parallelism: 6,
    });
    expect(spec.jobManager.podTemplate.spec.volumes).toBeUndefined();
    const pipeline = JSON.parse(readFileSync(join(app.outdir, 'Stack.clicks', 'pipeline.json'), 'utf8'));
    expect(pipeline.script).toBeUndefined();
    expect(pipeline.image.coordinates).toEqual(['com.example:codec:1.0.0']);
  });

  test.each([
    ['stateTtl', { stateTtl: Duration.days(1) }],
    ['upsertMaterialize', { upsertMaterialize: 'FORCE' }],
    ['sourceIdleTimeout', { sourceIdleTimeout: Duration.minutes(1) }],
  ])('refuses %s, which is for SQL', (name, changed) => {
    expect(() => job(newStack(), { program: program(), ...(changed as Partial<FlinkJobProps>) })).toThrow(
      `${name} is for SQL programs; job 'clicks' runs a JAR, which sets it in its own code`,
    );
  });
});

describe('pipeline.json', () => {
  test('is versioned and tells parallelism, tables, image and files', () => {
    const app = newApp();
    job(newStack({ env: ENVIRONMENT }, app));
    const pipeline = JSON.parse(readFileSync(join(app.synth().directory, 'Stack.clicks', 'pipeline.json'), 'utf8'));

    expect(pipeline).toMatchObject({
      version: 2,
      jobName: 'clicks',
      namespace: 'streaming',
      flinkVersion: '2.2.1',
      parallelism: 4,
      script: 'job.sql',
      manifests: 'manifests.yaml',
      image: { name: 'registry/clicks:1.0.0', flinkVersion: '2.2.1', fileSystems: ['s3-fs-presto'] },
      environment: [],
    });
    expect(pipeline.tables).toEqual([
      expect.objectContaining({ name: 'events', connector: 'kinesis', role: 'source', splits: 4, contract: ['format: raw'] }),
      expect.objectContaining({ name: 'printed', connector: 'print', role: 'sink' }),
    ]);
    expect(pipeline.derivedValues[0]).toMatchObject({ name: 'job.parallelism', value: '4' });
  });

  test('names jars by their file, with a digest, and never by a path', () => {
    const app = newApp();
    const jar = join(app.outdir, 'udf.jar');
    writeFileSync(jar, 'bytes');
    const program = printed(externalStream());
    program.addFunction('MASK', { className: 'com.example.Mask', jar: Artifact.file(jar) });
    job(newStack({ env: ENVIRONMENT }, app), { program });
    const text = readFileSync(join(app.synth().directory, 'Stack.clicks', 'pipeline.json'), 'utf8');

    expect(JSON.parse(text).image.files).toEqual([
      { fileName: 'udf.jar', sha256: '277089d91c0bdf4f2e6862ba7e4a07605119431f5d13f726dd352b06f1b206a9' },
    ]);
    expect(text).not.toContain(app.outdir);
  });

  test('and the SQL stand in the assembly of a stage', () => {
    const app = newApp();
    const stage = new Stage(app, 'Prod', { env: ENVIRONMENT });
    const stack = new Stack(stage, 'Stack');
    job(stack);
    const nested = app.synth().getNestedAssembly('assembly-Prod').directory;
    expect(readFileSync(join(nested, `${stack.artifactId}.clicks`, 'job.sql'), 'utf8')).toContain('INSERT INTO `printed`');
  });
});

test('is a construct that takes grants', () => {
  const stack = newStack();
  const created = job(stack);
  new EventStream(stack, 'Extra', { streamName: 'extra', shardCount: 1 }).grantWrite(created);
  expect(created).toBeInstanceOf(FlinkJob);
  expect(created.grantPrincipal).toBe(created.role.grantPrincipal);
  expect(JSON.stringify(only(stack, 'AWS::IAM::Policy').resource)).toContain('kinesis:PutRecords');
});
