import { Stack } from 'aws-cdk-lib';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import { type IOpenIdConnectProvider, Role } from 'aws-cdk-lib/aws-iam';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { App } from 'cdk8s';
import type { Construct } from 'constructs';
import {
  CheckpointStorage,
  Credentials,
  DeploymentTarget,
  FlinkApplication,
  FlinkArchitecture,
  FlinkChart,
  FlinkImage,
  FlinkJob,
  JobIdentity,
  SecretRef,
  type SqlProgram,
} from '../lib';

export function eksTargets(stack: Stack): DeploymentTarget {
  const cluster = eksv2.Cluster.fromClusterAttributes(stack, 'Cluster', {
    clusterName: 'streaming',
    kubectlProvider: eksv2.KubectlProvider.fromKubectlProviderAttributes(stack, 'Kubectl', {
      serviceToken: 'arn:aws:lambda:eu-central-1:111122223333:function:kubectl-handler',
    }),
  });
  return DeploymentTarget.eksV2(cluster, { namespace: 'streaming' });
}

export function importedCluster(stack: Stack): eks.ICluster {
  return eks.Cluster.fromClusterAttributes(stack, 'ClassicCluster', {
    clusterName: 'streaming',
    kubectlProvider: eks.KubectlProvider.fromKubectlProviderAttributes(stack, 'ClassicKubectl', {
      functionArn: 'arn:aws:lambda:eu-central-1:111122223333:function:kubectl-handler',
      kubectlRoleArn: 'arn:aws:iam::111122223333:role/kubectl',
      handlerRole: Role.fromRoleName(stack, 'KubectlHandler', 'kubectl-handler'),
    }),
  });
}

export function eksClassic(cluster: eks.ICluster): DeploymentTarget {
  return DeploymentTarget.eks(cluster, { namespace: 'streaming' });
}

export function gitOps(scope: Construct, program: SqlProgram): FlinkJob {
  const stack = new Stack(scope, 'UserEvents', { env: { account: '111122223333', region: 'eu-central-1' } });
  return new FlinkJob(stack, 'Job', {
    jobName: 'user-events',
    program,
    target: DeploymentTarget.manifests({ namespace: 'streaming', clusterName: 'streaming' }),
    checkpointing: { storage: CheckpointStorage.s3(Bucket.fromBucketName(stack, 'State', 'flink-state'), 'user-events') },
  });
}

export function identity(stack: Stack, program: SqlProgram, target: DeploymentTarget, provider: IOpenIdConnectProvider): FlinkJob {
  return new FlinkJob(stack, 'Job', {
    jobName: 'user-events',
    program,
    target,
    identity: JobIdentity.irsa(provider),
    image: FlinkImage.generated({ architecture: FlinkArchitecture.ARM_64 }),
    checkpointing: { storage: CheckpointStorage.s3(Bucket.fromBucketName(stack, 'State', 'flink-state'), 'user-events') },
  });
}

export function secrets(stack: Stack): Credentials[] {
  const fromKubernetes = Credentials.of('flink', SecretRef.kubernetes('mysql-analytics', 'password'));

  const secret = Secret.fromSecretNameV2(stack, 'Analytics', 'analytics/mysql');
  const fromSecretsManager = Credentials.fromSecrets(
    SecretRef.secretsManager(secret, 'username'),
    SecretRef.secretsManager(secret, 'password'),
  );
  return [fromKubernetes, fromSecretsManager];
}

export function chart(program: SqlProgram): void {
  const app = new App();
  const application = new FlinkApplication({
    jobName: 'user-events',
    namespace: 'streaming',
    program,
    image: FlinkImage.named('registry.example.com/user-events:1.0.0'),
    checkpointing: { storage: CheckpointStorage.location('s3p://flink-state/user-events') },
  });
  new FlinkChart(app, 'UserEvents', {
    application,
    serviceAccountAnnotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/user-events' },
  });
  app.synth();
}
