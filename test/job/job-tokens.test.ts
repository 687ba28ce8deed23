import { type App, Aws, CfnParameter, SecretValue, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { existsSync, readdirSync } from 'fs';
import { join } from 'path';
import { parseAllDocuments } from 'yaml';
import {
  CheckpointStorage,
  Column,
  Credentials,
  DataType,
  DeploymentTarget,
  EventStream,
  ExternalSecretStore,
  FlinkImage,
  Format,
  JdbcSink,
  KinesisSource,
  SecretRef,
  SqlProgram,
  StartPosition,
} from '../../lib';
import { filesOf, newApp, synthesize } from '../fixtures/assembly';
import type { Json } from '../fixtures/json';
import {
  ENVIRONMENT,
  eksCluster,
  externalStream,
  job,
  MANIFEST,
  manifest,
  newStack,
  only,
  printed,
  resources,
  statements,
} from '../fixtures/stacks';

const TOKEN = /\$\{Token\[|Fn::|"Ref"|AWS::/;

describe('a stack without an environment, on EKS', () => {
  const app = newApp();
  const stack = newStack({}, app);
  const stream = new EventStream(stack, 'Events', { shardCount: 3 });
  const created = job(stack, {
    program: printed(stream),
    checkpointing: { storage: CheckpointStorage.s3(new Bucket(stack, 'Any'), 'clicks') },
  });
  const files = filesOf(app.synth().directory);

  test('has the same script whatever the tokens become', () => {
    const { objects, resource } = manifest(stack, 'ConfigMap');
    expect(typeof resource.Properties.Manifest).toBe('string');
    expect(objects[0].data['job.sql']).not.toMatch(TOKEN);
    expect(objects[0].data['job.sql']).toContain("'stream.arn' = '${env:TABLE_EVENTS_STREAM_ARN}'");
    expect(objects[0].immutable).toBe(true);
  });

  test('hands the values to the job manager alone', () => {
    const { spec } = manifest(stack, 'FlinkDeployment').objects[0];
    const variables = (pod: Json) =>
      Object.fromEntries(pod.podTemplate.spec.containers[0].env.map(({ name, value }: Json) => [name, value]));
    const streamId = only(stack, 'AWS::Kinesis::Stream').id;

    expect(variables(spec.jobManager)).toMatchObject({
      TABLE_EVENTS_STREAM_ARN: `<${JSON.stringify({ 'Fn::GetAtt': [streamId, 'Arn'] })}>`,
      TABLE_EVENTS_AWS_REGION: `<${JSON.stringify({ Ref: 'AWS::Region' })}>`,
    });
    expect(Object.keys(variables(spec.taskManager))).toEqual(['ENABLE_BUILT_IN_PLUGINS']);
  });

  test('permits what the tokens name', () => {
    const [statement] = statements(stack).filter(({ Action }) => Action.includes('kinesis:GetRecords'));
    expect(statement!.Resource).toEqual({ 'Fn::GetAtt': [only(stack, 'AWS::Kinesis::Stream').id, 'Arn'] });
  });

  test('asks the endpoint of the region and partition of the deployment', () => {
    const { flinkConfiguration } = manifest(stack, 'FlinkDeployment').objects[0].spec;
    expect(flinkConfiguration['s3.endpoint']).toBe('https://s3.<{"Ref":"AWS::Region"}>.<{"Ref":"AWS::URLSuffix"}>');
  });

  test('writes placeholders into every file, no token', () => {
    const streamId = only(stack, 'AWS::Kinesis::Stream').id;
    const deployment = parseAllDocuments(files['Stack.clicks/manifests.yaml']!)
      .map((document) => document.toJS())
      .find(({ kind }) => kind === 'FlinkDeployment');
    expect(deployment.spec.jobManager.podTemplate.spec.containers[0].env).toContainEqual({
      name: 'TABLE_EVENTS_STREAM_ARN',
      value: `\${${streamId}.Arn}`,
    });
    expect(JSON.parse(files['Stack.clicks/pipeline.json']!).environment).toContainEqual({
      name: 'TABLE_EVENTS_STREAM_ARN',
      value: `\${${streamId}.Arn}`,
    });
    for (const [path, text] of Object.entries(files)) {
      expect({ path, token: /\$\{Token\[[^\]]*\]\}/.exec(text)?.[0] }).toEqual({ path, token: undefined });
    }
  });

  test('derives the parallelism from the shards all the same', () => {
    expect(created.application.parallelism).toBe(3);
  });

  test('has a script of the same name whatever was made before', () => {
    const name = (tokens: number) => {
      const other = newStack({});
      for (let i = 0; i < tokens; i++) {
        new CfnParameter(other, `Parameter${i}`).valueAsString;
      }
      job(other, { program: printed(new EventStream(other, 'Events', { shardCount: 3 })) });
      return manifest(other, 'ConfigMap').objects[0].metadata.name;
    };
    expect(name(0)).toMatch(/^clicks-sql-[0-9a-f]{10}$/);
    expect(name(9)).toBe(name(0));
  });

  test('has a script of another name for another script', () => {
    const name = (shift: string) => {
      const other = newStack({});
      const program = printed(new EventStream(other, 'Events', { shardCount: 3 }));
      program.set('table.local-time-zone', shift);
      job(other, { program });
      return manifest(other, 'ConfigMap').objects[0].metadata.name;
    };
    expect(name('UTC')).not.toBe(name('Asia/Shanghai'));
  });
});

describe('tokens in names', () => {
  test('a namespace that is a parameter reaches objects, association and trust', () => {
    const stack = newStack();
    const namespace = new CfnParameter(stack, 'Namespace').valueAsString;
    job(stack, { target: DeploymentTarget.eks(eksCluster(stack), { namespace }) });

    expect(only(stack, 'AWS::EKS::PodIdentityAssociation').resource.Properties.Namespace).toEqual({ Ref: 'Namespace' });
    expect(manifest(stack, 'FlinkDeployment').objects[0].metadata.namespace).toBe('<{"Ref":"Namespace"}>');
  });

  test('a cluster name that is a parameter', () => {
    const stack = newStack();
    const name = new CfnParameter(stack, 'ClusterName').valueAsString;
    job(stack, { target: DeploymentTarget.eks(eksCluster(stack, name), { namespace: 'streaming' }) });
    expect(only(stack, 'AWS::EKS::PodIdentityAssociation').resource.Properties.ClusterName).toEqual({ Ref: 'ClusterName' });
  });

  test('an image that is a parameter', () => {
    const stack = newStack();
    job(stack, { image: FlinkImage.named(new CfnParameter(stack, 'Image').valueAsString) });
    expect(manifest(stack, 'FlinkDeployment').objects[0].spec.image).toBe('<{"Ref":"Image"}>');
  });

  test('a job name that is a token is refused by name', () => {
    const stack = newStack();
    expect(() => job(stack, { jobName: new CfnParameter(stack, 'JobName').valueAsString })).toThrow(
      /jobName must be known at synth.*\$\{JobName\}/,
    );
  });

  test('a shard count that is a token is refused with stream and cure', () => {
    const stack = newStack();
    const shardCount = new CfnParameter(stack, 'Shards', { type: 'Number' }).valueAsNumber;
    const stream = new EventStream(stack, 'Events', { streamName: 'events', shardCount });
    expect(() => job(stack, { program: printed(stream) })).toThrow(
      /parallelism of job 'clicks' cannot be derived: the shard count of stream events is not known at synth \(.*state it as a number\); state parallelism of the job/,
    );
    expect(() => job(newStack(), { program: printed(stream), parallelism: 4 })).not.toThrow();
  });

  test('a pod variable of the name that a token needs is refused', () => {
    const stack = newStack({});
    const program = printed(new EventStream(stack, 'Events', { shardCount: 3 }));
    const env = { TABLE_EVENTS_STREAM_ARN: { value: 'mine' } };
    expect(() => job(stack, { program, pod: { env } })).toThrow("pod.env must not set 'TABLE_EVENTS_STREAM_ARN'");
  });
});

describe('files for GitOps', () => {
  const target = () => DeploymentTarget.manifests({ namespace: 'streaming', clusterName: 'main' });

  test('hold every object, and the template none', () => {
    const app = newApp();
    const stack = newStack({ env: ENVIRONMENT }, app);
    job(stack, { program: printed(new EventStream(stack, 'Events', { streamName: 'events', shardCount: 3 })), target: target() });
    const files = filesOf(app.synth().directory);

    expect(Object.keys(resources(stack, MANIFEST))).toEqual([]);
    expect(only(stack, 'AWS::EKS::PodIdentityAssociation').resource.Properties.ClusterName).toBe('main');
    const objects = parseAllDocuments(files['Stack.clicks/manifests.yaml']!).map((document) => document.toJS());
    expect(objects.map(({ kind }) => kind)).toEqual(['ServiceAccount', 'Role', 'RoleBinding', 'ConfigMap', 'FlinkDeployment']);
    expect(files['Stack.clicks/manifests.yaml']).not.toMatch(/\$\{(?!env:)/);
    expect(files['Stack.clicks/job.sql']).toContain("'stream.arn' = 'arn:aws:kinesis:eu-central-1:111122223333:stream/events'");
  });

  test.each([
    [
      'a generated stream name',
      (stack: Stack) => ({ program: printed(new EventStream(stack, 'Events', { shardCount: 3 })) }),
      "holds attribute Arn of 'Stack/Events",
      'a literal name and its stack an env with a literal account and region',
    ],
    [
      'a generated bucket name',
      (stack: Stack) => ({ checkpointing: { storage: CheckpointStorage.s3(new Bucket(stack, 'Any'), 'clicks') } }),
      "holds reference to 'Stack/Any'",
      "give 'Stack/Any' a literal name",
    ],
    [
      'an image that is a parameter',
      (stack: Stack) => ({ image: FlinkImage.named(new CfnParameter(stack, 'Image').valueAsString) }),
      "in 'spec.image'",
      'use a literal value instead of a CloudFormation parameter',
    ],
    [
      'the region of nobody',
      () => ({ checkpointing: { storage: CheckpointStorage.location(`s3p://state-${Aws.REGION}/clicks`) } }),
      'holds pseudo parameter AWS::Region',
      'give the stack an env with a literal account and region',
    ],
  ])('refuse %s with its place, its origin and the cure, and no template is written', (_, props, origin, cure) => {
    const app = newApp();
    const stack = newStack({ env: ENVIRONMENT }, app);
    job(stack, { ...props(stack), target: target() });

    const message = messageOf(() => app.synth());
    expect(message).toContain(origin);
    expect(message).toContain(cure);
    expect(message).toMatch(/FlinkDeployment 'clicks' holds .*in '[^']*(spec|annotations)\./);
    expect(readdirSync(app.outdir).filter((file) => file.endsWith('.template.json'))).toEqual([]);
    expect(existsSync(join(app.outdir, 'Stack.clicks'))).toBe(false);
  });

  test('refuse a namespace that is a token where it is given', () => {
    const stack = newStack();
    const namespace = new CfnParameter(stack, 'Namespace').valueAsString;
    expect(() => DeploymentTarget.manifests({ namespace })).toThrow("got reference to 'Stack/Namespace'");
  });
});

describe('across stacks', () => {
  const build = (app: App, streamName?: string) => {
    const [streams, jobs, clusters] = ['Streams', 'Jobs', 'Clusters'].map((id) => new Stack(app, id, { env: ENVIRONMENT })) as [
      Stack,
      Stack,
      Stack,
    ];
    const key = new Key(streams, 'Key', { alias: 'events' });
    const stream = new EventStream(streams, 'Events', { streamName, shardCount: 3, encryptionKey: key });
    job(jobs, { program: printed(stream), target: DeploymentTarget.eks(eksCluster(clusters), { namespace: 'streaming' }) });
    return { streams, jobs, clusters };
  };

  test.each([
    ['a literal name', 'events'],
    ['a generated name', undefined],
  ])('a stream with %s in one, the job in another, the cluster in a third', (_, name) => {
    const app = newApp();
    const { streams, jobs, clusters } = build(app, name);
    app.synth();

    expect(Object.keys(resources(jobs, MANIFEST))).toHaveLength(3);
    expect(Object.keys(resources(clusters, MANIFEST))).toHaveLength(0);
    expect(jobs.dependencies).toEqual(expect.arrayContaining([streams]));
    expect(streams.dependencies).toEqual([]);
    const [statement] = statements(jobs).filter(({ Action }) => Action.includes('kinesis:GetRecords'));
    const arn = JSON.stringify(statement!.Resource);
    expect(arn).toContain(name === undefined ? 'Fn::ImportValue' : 'stream/events');
  });

  test('a literal name is no export, which would block a later change of the stream', () => {
    const app = newApp();
    const { streams } = build(app, 'events');
    app.synth();
    expect(JSON.stringify(Template.fromStack(streams).findOutputs('*'))).not.toContain('Events');
  });

  test('the script of a stream elsewhere keeps its name', () => {
    const app = newApp();
    const { jobs } = build(app);
    app.synth();
    const { objects } = manifest(jobs, 'ConfigMap');
    expect(objects[0].data['job.sql']).toContain('${env:TABLE_EVENTS_STREAM_ARN}');
    expect(objects[0].data['job.sql']).not.toMatch(TOKEN);
  });
});

describe('a secret', () => {
  const CANARY = 'canary-7f3a9c';

  test('stands in no file of a job, whatever knows it', () => {
    const references: SecretRef[] = [];
    const build = (app: App) => {
      const secrets = new Stack(app, 'Secrets', { env: ENVIRONMENT });
      // Written in clear by the user, into the one template that must hold it.
      const secret = new Secret(secrets, 'Secret', {
        secretName: 'shop/mysql',
        secretObjectValue: { password: SecretValue.unsafePlainText(CANARY) },
      });
      const stack = newStack({ env: ENVIRONMENT }, app);
      const program = new SqlProgram();
      const columns = [Column.physical('id', DataType.STRING)];
      const source = program.addTable('events', {
        connector: new KinesisSource({ stream: externalStream(), start: StartPosition.latest(), format: Format.raw() }),
        columns,
      });
      references.push(SecretRef.secretsManager(secret, 'password'), SecretRef.kubernetes('mysql', 'password'));
      references.forEach((reference, index) => {
        // What the JVM will find in its environment is nothing that a synthesis looks at.
        process.env[reference.variableName] = CANARY;
        const connector = new JdbcSink({
          url: 'jdbc:mysql://mysql:3306/shop',
          tableName: 'clicks',
          credentials: Credentials.of('flink', reference),
        });
        program.addInsert(program.addTable(`sink${index}`, { connector, columns, primaryKey: ['id'] }), `SELECT id FROM ${source}`);
      });
      job(stack, { program, externalSecretStore: ExternalSecretStore.cluster('aws') });
    };
    const files = synthesize(build);
    for (const { variableName } of references) {
      delete process.env[variableName];
    }

    const holding = Object.keys(files).filter((path) => files[path]!.includes(CANARY));
    expect(holding.filter((path) => path !== 'tree.json')).toEqual(['Secrets.template.json']);
    // The tree repeats templates: it may hold the value under the stack of the secret alone.
    const { children } = JSON.parse(files['tree.json']!).tree;
    expect(JSON.stringify({ ...children, Secrets: undefined })).not.toContain(CANARY);
    for (const [path, text] of Object.entries(files)) {
      expect({ path, reads: text.includes('{{resolve:') }).toEqual({ path, reads: false });
    }
    for (const { variableName } of references) {
      expect(files['Stack.clicks/job.sql']).toContain(`'password' = '\${env:${variableName}}'`);
      expect(JSON.parse(files['Stack.clicks/pipeline.json']!).environment).toContainEqual({ name: variableName, secret: true });
    }
  });
});

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('nothing was thrown');
}
