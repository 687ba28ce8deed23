import { App, Aws, CfnParameter, Duration, Fn, Lazy, Stack, Token } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as eksV2 from 'aws-cdk-lib/aws-eks-v2';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as sqs from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { existsSync, mkdtempSync, readFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { parseAllDocuments } from 'yaml';
import { DeploymentTarget } from '../../lib/target/deployment-target';
import { flinkDeployment } from '../fixtures/flink-deployment';

const MANIFEST = 'Custom::AWSCDK-EKS-KubernetesResource';
const FILE = 'Stack.job/manifests.yaml';

function newStack(env?: { account: string; region: string }) {
  const app = new App({ outdir: mkdtempSync(join(tmpdir(), 'target-')) });
  return { app, stack: new Stack(app, 'Stack', { env }) };
}

function cluster(scope: Construct, id = 'Cluster', clusterName = 'main') {
  const kubectlProvider = eks.KubectlProvider.fromKubectlProviderAttributes(scope, `${id}Kubectl`, {
    functionArn: 'arn:aws:lambda:us-east-1:123456789012:function:kubectl',
    kubectlRoleArn: 'arn:aws:iam::123456789012:role/kubectl',
    handlerRole: iam.Role.fromRoleArn(scope, `${id}Handler`, 'arn:aws:iam::123456789012:role/handler'),
  });
  return eks.Cluster.fromClusterAttributes(scope, id, { clusterName, kubectlProvider });
}

function clusterV2(scope: Construct) {
  const kubectlProvider = eksV2.KubectlProvider.fromKubectlProviderAttributes(scope, 'KubectlV2', {
    serviceToken: 'arn:aws:lambda:us-east-1:123456789012:function:kubectl',
  });
  return eksV2.Cluster.fromClusterAttributes(scope, 'ClusterV2', { clusterName: 'main', kubectlProvider });
}

function configMap(name: string, text: string) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { 'job.sql': text } };
}

function read(app: App, file = FILE): object[] {
  const { directory } = app.synth({ force: true });
  return parseAllDocuments(readFileSync(join(directory, file), 'utf8')).map((document) => document.toJS());
}

describe('EKS clusters', () => {
  for (const version of ['v1', 'v2']) {
    test(`${version}: one manifest per group in the scope, ordered, kept only where asked`, () => {
      const { app, stack } = newStack();
      const elsewhere = new Stack(app, 'Clusters');
      const target =
        version === 'v1'
          ? DeploymentTarget.eks(cluster(elsewhere), { namespace: 'streaming' })
          : DeploymentTarget.eksV2(clusterV2(elsewhere), { namespace: 'streaming' });
      const job = new Construct(stack, 'Job');
      const script = target._add(job, 'Script', {
        objects: [configMap('sql', 'SELECT 1')],
        logicalIdKey: 'job/sql',
        file: FILE,
        retain: true,
      });
      target._add(job, 'Deployment', {
        objects: [{ ...configMap('job', ''), data: {} }],
        logicalIdKey: 'job/deployment',
        file: FILE,
        dependencies: [script],
      });

      const template = Template.fromStack(stack);
      template.resourceCountIs(MANIFEST, 2);
      const resources = template.findResources(MANIFEST);
      const [scriptId] = Object.keys(resources).filter((id) => id.startsWith('KubernetesStreamingJobSql'));
      const [deploymentId] = Object.keys(resources).filter((id) => id.startsWith('KubernetesStreamingJobDeployment'));
      expect(resources[scriptId]).toMatchObject({
        DeletionPolicy: 'Retain',
        UpdateReplacePolicy: 'Retain',
        // A retained object may be there already: it is applied, where `kubectl create` would fail.
        Properties: { ClusterName: 'main', Manifest: JSON.stringify([configMap('sql', 'SELECT 1')]), Overwrite: true },
      });
      expect(resources[deploymentId]).toMatchObject({ DeletionPolicy: 'Delete', DependsOn: [scriptId] });
      // An empty map survives, and nothing is pruned.
      expect(JSON.parse(resources[deploymentId].Properties.Manifest)[0].data).toEqual({});
      expect(resources[deploymentId].Properties.Overwrite).toBeUndefined();
      template.allResourcesProperties(MANIFEST, { PruneLabel: Match.absent() });
      Template.fromStack(elsewhere).resourceCountIs(MANIFEST, 0);
      expect(read(app)).toEqual([configMap('sql', 'SELECT 1'), { ...configMap('job', ''), data: {} }]);
    });
  }

  test('a logical id follows from cluster, namespace and key alone', () => {
    const ids = (scopeId: string, clusterId: string, namespace: string, key: string) => {
      const { stack } = newStack();
      const target = DeploymentTarget.eks(cluster(stack, 'Cluster', clusterId), { namespace });
      target._add(new Construct(stack, scopeId), 'Any', { objects: [configMap('a', '')], logicalIdKey: key, file: FILE });
      return Object.keys(Template.fromStack(stack).findResources(MANIFEST))[0];
    };
    const id = ids('Job', 'main', 'streaming', 'user-events/sql');
    expect(id).toMatch(/^KubernetesStreamingUserEventsSql[0-9A-F]{12}$/);
    expect(ids('Renamed', 'main', 'streaming', 'user-events/sql')).toBe(id);
    const others = [
      ids('Job', 'x', 'streaming', 'user-events/sql'),
      ids('Job', 'main', 'x', 'user-events/sql'),
      ids('Job', 'main', 'streaming', 'user/events-sql'),
    ];
    expect(new Set([id, ...others]).size).toBe(4);
    expect(ids('Job', 'main', 'streaming', 'k'.repeat(400)).length).toBeLessThanOrEqual(255);
  });

  test('the logical id of a cluster that is a token does not depend on token numbers', () => {
    const id = (tokensBefore: number) => {
      const { stack } = newStack();
      for (let i = 0; i < tokensBefore; i++) {
        Lazy.string({ produce: () => 'x' });
      }
      const name = new CfnParameter(stack, 'ClusterName').valueAsString;
      DeploymentTarget.eks(cluster(stack, 'Cluster', name), { namespace: 'a' })._add(new Construct(stack, 'Job'), 'M', {
        objects: [configMap('a', '')],
        logicalIdKey: 'a',
        file: FILE,
      });
      return Object.keys(Template.fromStack(stack).findResources(MANIFEST))[0];
    };
    expect(id(7)).toBe(id(0));
  });

  test('tokens reach the template, and the file holds placeholders', () => {
    const { app, stack } = newStack();
    const other = new Stack(app, 'Other');
    const queue = new sqs.Queue(stack, 'Queue');
    const remote = new sqs.Queue(other, 'Remote');
    const count = new CfnParameter(stack, 'Count', { type: 'Number' });
    const logicalId = stack.getLogicalId(queue.node.defaultChild as sqs.CfnQueue);
    const remoteId = other.getLogicalId(remote.node.defaultChild as sqs.CfnQueue);
    const object = {
      kind: 'Demo',
      arn: queue.queueArn,
      url: `${queue.queueUrl}/x`,
      remote: remote.queueArn,
      region: `in ${Aws.REGION}`,
      count: count.valueAsNumber,
      join: Fn.join('-', ['a', queue.queueName]),
      select: Fn.select(0, Fn.split('/', queue.queueUrl)),
      imported: Fn.importValue('shared'),
      lazy: Lazy.string({ produce: () => 'literal' }),
      nothing: undefined,
    };
    DeploymentTarget.eks(cluster(stack), { namespace: 'a' })._add(new Construct(stack, 'Job'), 'M', {
      objects: [object],
      logicalIdKey: 'a',
      file: FILE,
    });
    expect(read(app)).toEqual([
      {
        kind: 'Demo',
        arn: `\${${logicalId}.Arn}`,
        url: `\${${logicalId}}/x`,
        remote: `\${Other.${remoteId}.Arn}`,
        region: 'in ${AWS::Region}',
        count: '${Count}',
        join: `a-\${${logicalId}.QueueName}`,
        select: `\${${JSON.stringify({ 'Fn::Select': [0, `\${${JSON.stringify({ 'Fn::Split': ['/', `\${${logicalId}}`] })}}`] })}}`,
        imported: '${{"Fn::ImportValue":"shared"}}',
        lazy: 'literal',
      },
    ]);
    const manifest = JSON.stringify(Object.values(Template.fromStack(stack).findResources(MANIFEST))[0].Properties.Manifest);
    expect(manifest).toContain(`{"Fn::GetAtt":["${logicalId}","Arn"]}`);
    expect(manifest).not.toContain('Token[');
  });

  test('an object that kubectl cannot apply is refused with its size', () => {
    const synth = (text: string) => {
      const { app, stack } = newStack();
      DeploymentTarget.eks(cluster(stack), { namespace: 'a' })._add(new Construct(stack, 'Job'), 'M', {
        objects: [configMap('sql', text)],
        logicalIdKey: 'a',
        file: FILE,
      });
      app.synth();
    };
    expect(() => synth('x'.repeat(250 * 1024))).not.toThrow();
    expect(() => synth('x'.repeat(256 * 1024))).toThrow(
      /ConfigMap 'sql' takes 262\d{3} bytes as kubectl applies it, more than 262144: make it smaller/,
    );
    // Bytes of UTF-8, not characters.
    expect(() => synth('é'.repeat(150 * 1024))).toThrow(/as kubectl applies it/);
  });

  test('a cluster without kubectl is refused at once, one with it passes', () => {
    const { stack } = newStack();
    const imported = (id: string, attributes: object) =>
      eks.Cluster.fromClusterAttributes(stack, id, { clusterName: 'main', ...attributes });
    const kubectlLayer = lambda.LayerVersion.fromLayerVersionArn(stack, 'Layer', 'arn:aws:lambda:us-east-1:123456789012:layer:kubectl:1');
    const kubectlRoleArn = 'arn:aws:iam::123456789012:role/kubectl';
    const target = (c: eks.ICluster) => () => DeploymentTarget.eks(c, { namespace: 'a' });
    expect(target(imported('Bare', {}))).toThrow(
      /cluster 'Stack\/Bare' has no way to run kubectl: give Cluster.fromClusterAttributes a kubectlProvider/,
    );
    expect(target(imported('Layer1', { kubectlLayer }))).toThrow(/no way to run kubectl/);
    expect(target(imported('Role1', { kubectlRoleArn }))).toThrow(/no way to run kubectl/);
    expect(target(imported('Both', { kubectlLayer, kubectlRoleArn }))).not.toThrow();
    const bare = eksV2.Cluster.fromClusterAttributes(stack, 'BareV2', { clusterName: 'main' });
    expect(() => DeploymentTarget.eksV2(bare, { namespace: 'a' })).toThrow(/give the Cluster kubectlProviderOptions with a kubectlLayer/);
  });

  test('a namespace is checked, a token passes', () => {
    const { stack } = newStack();
    const c = cluster(stack);
    expect(() => DeploymentTarget.eks(c, { namespace: 'Streaming' })).toThrow(/namespace must be 1 to 63 lower case .* got 'Streaming'/);
    expect(() => DeploymentTarget.eks(c, { namespace: 'a'.repeat(64) })).toThrow(/1 to 63/);
    expect(DeploymentTarget.eks(c, { namespace: 'a'.repeat(63) }).clusterName).toBe('main');
    const parameter = new CfnParameter(stack, 'Namespace').valueAsString;
    expect(DeploymentTarget.eks(c, { namespace: parameter }).namespace).toBe(parameter);
  });
});

describe('manifest files', () => {
  test('groups of one scope end in one file, in order, without a resource', () => {
    const { app, stack } = newStack();
    const target = DeploymentTarget.manifests({ namespace: 'streaming' });
    const job = new Construct(stack, 'Job');
    const first = target._add(job, 'First', { objects: [configMap('b', 'yes')], logicalIdKey: 'b', file: FILE });
    target._add(job, 'Second', {
      objects: [configMap('a', '012'), configMap('c', 'on')],
      logicalIdKey: 'a',
      file: FILE,
      dependencies: [first],
    });
    expect(read(app)).toEqual([configMap('b', 'yes'), configMap('a', '012'), configMap('c', 'on')]);
    expect(Object.keys(Template.fromStack(stack).toJSON().Resources ?? {})).toEqual([]);
    expect(target.clusterName).toBeUndefined();
    expect(target._resolvesTokens).toBe(false);
  });

  test('the name of a cluster is checked, a token passes', () => {
    const target = (clusterName?: string) => () => DeploymentTarget.manifests({ namespace: 'a', clusterName });
    for (const name of ['', 'a b', '-a', 'a'.repeat(101)]) {
      expect(target(name)).toThrow(`clusterName must be 1 to 100 letters, digits, '-' and '_', as EKS has it, got '${name}'`);
    }
    for (const name of [undefined, 'Main_1', 'a'.repeat(100), Aws.STACK_NAME]) {
      expect(target(name)).not.toThrow();
    }
  });

  test('two owners of one file are refused', () => {
    const { stack } = newStack();
    const target = DeploymentTarget.manifests({ namespace: 'streaming' });
    const add = (id: string, file: string) =>
      target._add(new Construct(stack, id), 'M', { objects: [configMap('a', '')], logicalIdKey: 'a', file });
    add('One', FILE);
    expect(() => add('Two', FILE)).toThrow(`'Stack/One' and 'Stack/Two' both write the file '${FILE}': give one of them another name`);
    expect(() => add('Three', 'Stack.other/manifests.yaml')).not.toThrow();
  });

  function synthError(object: (stack: Stack) => object, env?: { account: string; region: string }) {
    const { app, stack } = newStack(env);
    DeploymentTarget.manifests({ namespace: 'a' })._add(new Construct(stack, 'Job'), 'M', {
      objects: [object(stack)],
      logicalIdKey: 'a',
      file: FILE,
    });
    try {
      app.synth();
      return undefined;
    } catch (error) {
      expect(existsSync(join(app.outdir, 'Stack.template.json'))).toBe(false);
      return (error as Error).message;
    }
  }

  test('a token is refused by name, with its origin and a cure, before a template is written', () => {
    expect(synthError((stack) => configMap('a', new sqs.Queue(stack, 'Queue').queueArn))).toContain(
      "ConfigMap 'a' holds attribute Arn of 'Stack/Queue', known only when CloudFormation deploys it, in 'data.job.sql'; " +
        "a manifest file cannot hold it: give 'Stack/Queue' a literal name",
    );
    expect(synthError((stack) => configMap('a', stack.region))).toContain(
      "holds pseudo parameter AWS::Region, known only when CloudFormation deploys it, in 'data.job.sql'; a manifest file cannot hold it: give the stack an env",
    );
    expect(synthError((stack) => configMap('a', stack.region), { account: '123456789012', region: 'cn-north-1' })).toBeUndefined();
    expect(synthError((stack) => ({ kind: 'X', count: new CfnParameter(stack, 'Count', { type: 'Number' }).valueAsNumber }))).toContain(
      "X '' holds reference to 'Stack/Count', known only when CloudFormation deploys it, in 'count'; a manifest file cannot hold it: use a literal value instead",
    );
    expect(synthError(() => configMap('a', Fn.importValue('x')))).toMatch(
      /holds the value of {"Fn::ImportValue":"x"}.*: use a literal value$/m,
    );
    const image = Fn.sub('${AWS::AccountId}.dkr.ecr.${AWS::Region}.${AWS::URLSuffix}/assets:1');
    expect(synthError(() => configMap('a', image))).toMatch(/: give the stack an env with a literal account and region$/m);
    expect(synthError(() => configMap('a', Lazy.string({ produce: () => 'SELECT 1' })))).toBeUndefined();
    expect(() => DeploymentTarget.manifests({ namespace: Aws.REGION })).toThrow(
      /namespace must be a literal where manifests are written to files/,
    );
  });

  test('what the API server cannot store is refused', () => {
    const big = (kind: string, size: number) => () => ({ kind, metadata: { name: 'a' }, spec: 'x'.repeat(size) });
    const MIB = 1024 * 1024;
    expect(synthError(() => configMap('a', 'x'.repeat(MIB)))).toBeUndefined();
    expect(synthError(() => configMap('a', 'x'.repeat(MIB + 1)))).toContain("ConfigMap 'a' holds 1048577 bytes of data, more than 1048576");
    expect(synthError(big('Other', 1.4 * MIB))).toBeUndefined();
    expect(synthError(big('Other', 1.5 * MIB))).toMatch(/Other 'a' takes \d+ bytes, more than 1572864/);
    const deployment = (size: number) => () => {
      const object = flinkDeployment();
      object.spec.job.args = ['x'.repeat(size)];
      return object;
    };
    expect(synthError(deployment(0.7 * MIB))).toBeUndefined();
    expect(synthError(deployment(0.75 * MIB))).toMatch(/FlinkDeployment 'orders' takes \d+ bytes, more than 786432/);
  });

  test('annotations above 256 KiB are refused, in pods too', () => {
    const KIB = 1024;
    const annotated = (size: number) => () => ({ kind: 'Other', metadata: { name: 'a', annotations: { note: 'x'.repeat(size - 4) } } });
    expect(synthError(annotated(256 * KIB))).toBeUndefined();
    expect(synthError(annotated(256 * KIB + 1))).toContain(
      "'metadata.annotations' of Other 'a' takes 262145 bytes, more than 262144: shorten or remove some",
    );
    const pod = (size: number) => () => {
      const object = flinkDeployment();
      object.spec.taskManager.podTemplate.metadata = { annotations: { note: 'x'.repeat(size - 4) } };
      return object;
    };
    expect(synthError(pod(256 * KIB))).toBeUndefined();
    expect(synthError(pod(256 * KIB + 1))).toContain(
      "'spec.taskManager.podTemplate.metadata.annotations' of FlinkDeployment 'orders' takes",
    );
  });

  test('what stops the Flink operator is refused', () => {
    expect(synthError(() => flinkDeployment())).toBeUndefined();
    expect(synthError(() => ({ ...flinkDeployment(), spec: { ...flinkDeployment().spec, flinkConfiguration: 'abc' } }))).toContain(
      "'spec.flinkConfiguration' of FlinkDeployment 'orders' must be a map, got 'abc'",
    );
  });

  test('a text that YAML readers disagree about is refused', () => {
    expect(synthError(() => configMap('a', '0o17'))).toContain(
      "'data.job.sql' of ConfigMap 'a' is '0o17', which YAML 1.2 readers take for an octal",
    );
    expect(synthError(() => configMap('a', '0o18'))).toBeUndefined();
  });

  test('the same input gives the same bytes', () => {
    const bytes = (tokensBefore: number) => {
      const { app, stack } = newStack();
      for (let i = 0; i < tokensBefore; i++) {
        Token.asString({ Ref: 'X' });
      }
      DeploymentTarget.manifests({ namespace: 'a' })._add(new Construct(stack, 'Job'), 'M', {
        objects: [configMap('a', `SELECT ${Duration.minutes(1).toSeconds()}\n`)],
        logicalIdKey: 'a',
        file: FILE,
      });
      return readFileSync(join(app.synth().directory, FILE), 'utf8');
    };
    expect(bytes(5)).toBe(bytes(0));
  });
});
