import type { CfnResource } from 'aws-cdk-lib';
import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Construct, type IDependable } from 'constructs';
import { objectName } from './kubernetes-object';
import { addToFile, plainJson } from './manifest-file';
import { appliedSizeErrors, storedSizeErrors } from './object-limits';
import { placeholders, unresolvedTokens } from './placeholders';
import { stableLogicalId } from './stable-logical-id';
import { yamlErrors } from './yaml';

/** Kubernetes objects that are created, changed and deleted together. */
export interface ObjectGroup {
  /** The objects as plain JSON, in the order in which they are applied. */
  readonly objects: object[];
  /**
   * What the objects are called within their namespace, stable over refactorings: the logical id follows from it, because a
   * changed logical id would create the objects anew (which fails) and then delete them.
   */
  readonly logicalIdKey: string;
  /** Path of the YAML file in the cloud assembly; groups of the same scope may share one. */
  readonly file: string;
  /**
   * Leave the objects in the cluster when the stack no longer has them. They also bear `NEVER_PRUNED`, for where no stack applies them.
   * @default false
   */
  readonly retain?: boolean;
  /** What must be there before. @default - nothing */
  readonly dependencies?: IDependable[];
}

/** Puts Kubernetes objects where a target wants them. */
export interface ObjectWriter {
  /** Creates one construct `id` in `scope` for the group. */
  add(scope: Construct, id: string, group: ObjectGroup): Construct;
}

/** Props that the `KubernetesManifest`s of both EKS modules take. */
export interface EksManifest {
  readonly manifest: object[];
  readonly removalPolicy: RemovalPolicy;
  readonly overwrite: boolean | undefined;
}

/** Creates the `KubernetesManifest` of one of the EKS modules. */
export type ManifestFactory = (scope: Construct, id: string, manifest: EksManifest) => Construct;

/** Applies objects to an EKS cluster through the CDK's kubectl handler. */
export class EksWriter implements ObjectWriter {
  public constructor(
    private readonly clusterName: string,
    private readonly namespace: string,
    private readonly createManifest: ManifestFactory,
  ) {}

  public add(scope: Construct, id: string, group: ObjectGroup): Construct {
    const stack = Stack.of(scope);
    const manifest = this.createManifest(scope, id, {
      manifest: group.objects,
      removalPolicy: group.retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      // Retained objects are still there after a first deployment was rolled back, or when a stack is deployed again: `kubectl create` would
      // fail on them, `kubectl apply` takes them over. Only here is that safe: where an old resource of the same objects is cleaned up after
      // the new one was applied, they would be deleted (aws/aws-cdk#33406), and a retained resource never is.
      overwrite: group.retain ? true : undefined,
    });
    (manifest.node.defaultChild as CfnResource).overrideLogicalId(
      stableLogicalId('Kubernetes', scope, this.clusterName, this.namespace, group.logicalIdKey),
    );
    manifest.node.addValidation({ validate: () => appliedSizeErrors(stack.resolve(group.objects)) });
    addToFile(manifest, group.file, group.objects);
    return manifest;
  }
}

/** Writes objects as YAML for a GitOps tool. */
export class FileWriter implements ObjectWriter {
  public add(scope: Construct, id: string, group: ObjectGroup): Construct {
    const construct = new Construct(scope, id);
    construct.node.addValidation({ validate: () => fileErrors(construct, group.objects) });
    addToFile(construct, group.file, group.objects);
    return construct;
  }
}

function fileErrors(scope: Construct, objects: object[]): string[] {
  const errors = objects.flatMap((object) => tokenErrors(scope, object));
  if (errors.length > 0) {
    return errors;
  }
  const written = plainJson(placeholders(objects, scope));
  return [...storedSizeErrors(written), ...yamlErrors(written)];
}

/** One error for each unknown value, however often it stands in the object. */
function tokenErrors(scope: Construct, object: object): string[] {
  const byOrigin = new Map<string, { cure: string; paths: string[] }>();
  for (const { path, description, cure } of unresolvedTokens(object, scope)) {
    const origin = byOrigin.get(description) ?? { cure, paths: [] };
    origin.paths.push(`'${path.join('.')}'`);
    byOrigin.set(description, origin);
  }
  return [...byOrigin].map(
    ([description, { cure, paths }]) =>
      `${objectName(placeholders(object, scope))} holds ${description}, known only when CloudFormation deploys it, in ` +
      `${[...new Set(paths)].join(', ')}; a manifest file cannot hold it: ${cure}`,
  );
}
