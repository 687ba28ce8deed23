import { Token } from 'aws-cdk-lib';
import type { ICluster } from 'aws-cdk-lib/aws-eks';
import { KubernetesManifest } from 'aws-cdk-lib/aws-eks';
import type { ICluster as IClusterV2 } from 'aws-cdk-lib/aws-eks-v2';
import { KubernetesManifest as KubernetesManifestV2 } from 'aws-cdk-lib/aws-eks-v2';
import type { IOpenIdConnectProvider } from 'aws-cdk-lib/aws-iam';
import type { Construct, IDependable } from 'constructs';
import type { ObjectGroup, ObjectWriter } from './object-writer';
import { EksWriter, FileWriter } from './object-writer';
import { describeToken } from './placeholders';

/** Where in an EKS cluster the objects go. */
export interface EksTargetProps {
  /** Namespace of the objects; it must exist. */
  readonly namespace: string;
}

/** What manifest files are written for. */
export interface ManifestsTargetProps {
  /** Namespace of the objects; it must exist. A literal, since no deployment resolves tokens in files. */
  readonly namespace: string;
  /**
   * Name of the EKS cluster that the files are applied to, for the Pod Identity association of the job's role.
   * @default - unknown: no Pod Identity association can be made
   */
  readonly clusterName?: string;
}

/**
 * Where Kubernetes objects go.
 *
 * The target writes no namespace, operator or add-on: they must be there.
 */
export class DeploymentTarget {
  /**
   * A cluster of `aws-eks`: `cdk deploy` applies the objects.
   *
   * @param cluster the cluster; an imported one needs a kubectl provider
   * @param props the namespace
   */
  public static eks(cluster: ICluster, props: EksTargetProps): DeploymentTarget {
    if (!cluster.kubectlProvider && !(cluster.kubectlRole && cluster.kubectlLayer)) {
      throw new Error(
        `cluster '${cluster.node.path}' has no way to run kubectl: give Cluster.fromClusterAttributes a kubectlProvider ` +
          '(KubectlProvider.fromKubectlProviderAttributes), or a kubectlRoleArn and a kubectlLayer',
      );
    }
    const writer = new EksWriter(
      cluster.clusterName,
      props.namespace,
      (scope, id, manifest) => new KubernetesManifest(scope, id, { cluster, ...manifest, prune: false }),
    );
    return new DeploymentTarget(props.namespace, cluster.clusterName, true, writer, () => cluster.openIdConnectProvider);
  }

  /**
   * A cluster of `aws-eks-v2`: `cdk deploy` applies the objects.
   *
   * @param cluster the cluster, with a kubectl provider
   * @param props the namespace
   */
  public static eksV2(cluster: IClusterV2, props: EksTargetProps): DeploymentTarget {
    if (!cluster.kubectlProvider) {
      throw new Error(
        `cluster '${cluster.node.path}' has no way to run kubectl: give the Cluster kubectlProviderOptions with a kubectlLayer, ` +
          'or give Cluster.fromClusterAttributes a kubectlProvider (KubectlProvider.fromKubectlProviderAttributes)',
      );
    }
    const writer = new EksWriter(
      cluster.clusterName,
      props.namespace,
      (scope, id, manifest) => new KubernetesManifestV2(scope, id, { cluster, ...manifest, prune: false }),
    );
    return new DeploymentTarget(props.namespace, cluster.clusterName, true, writer, () => cluster.openIdConnectProvider);
  }

  /**
   * YAML files in the cloud assembly, for Argo CD, Flux or `kubectl apply --server-side`.
   *
   * Files hold no CDK tokens: a value that is known only at deployment is an error of the synthesis that says what to make
   * literal.
   *
   * @param props namespace and cluster
   */
  public static manifests(props: ManifestsTargetProps): DeploymentTarget {
    if (Token.isUnresolved(props.namespace)) {
      throw new Error(`namespace must be a literal where manifests are written to files, got ${describeToken(props.namespace)}`);
    }
    return new DeploymentTarget(props.namespace, props.clusterName, false, new FileWriter());
  }

  private constructor(
    /** Namespace of the objects. */
    public readonly namespace: string,
    /** Name of the EKS cluster, unset where nobody said which one files are applied to. */
    public readonly clusterName: string | undefined,
    private readonly appliesObjects: boolean,
    private readonly writer: ObjectWriter,
    private readonly openIdConnectProvider?: () => IOpenIdConnectProvider,
  ) {
    checkNamespace(namespace);
  }

  /**
   * Whether a deployment resolves tokens in the objects.
   *
   * @internal
   */
  public get _resolvesTokens(): boolean {
    return this.appliesObjects;
  }

  /**
   * The cluster's OpenID Connect provider for IAM roles for service accounts; an own cluster makes one when asked.
   *
   * @internal
   */
  public _openIdConnectProvider(): IOpenIdConnectProvider | undefined {
    return this.openIdConnectProvider?.();
  }

  /**
   * Adds objects as one construct in `scope`.
   *
   * @internal
   */
  public _add(scope: Construct, id: string, group: ObjectGroup): IDependable {
    const construct = this.writer.add(scope, id, group);
    construct.node.addDependency(...(group.dependencies ?? []));
    return construct;
  }
}

function checkNamespace(namespace: string): void {
  if (!Token.isUnresolved(namespace) && !/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(namespace)) {
    throw new Error(
      `namespace must be 1 to 63 lower case letters, digits and '-', starting and ending with a letter or digit, got '${namespace}'`,
    );
  }
}
