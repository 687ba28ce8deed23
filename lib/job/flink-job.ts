import { Aspects, Lazy, Stack, Stage, Validations } from 'aws-cdk-lib';
import type { IGrantable, IPrincipal, IRole } from 'aws-cdk-lib/aws-iam';
import { type ApiObject, App as Cdk8sApp, Chart } from 'cdk8s';
import { Construct, Dependable, type IDependable } from 'constructs';
import type { DerivedValue } from '../application/derived-value';
import { FlinkApplication } from '../application/flink-application';
import type { FlinkSettings } from '../application/flink-settings';
import { configurationErrors } from '../kubernetes/configuration-errors';
import type { ExternalSecretStore } from '../kubernetes/external-secret-store';
import { createFlinkObjects } from '../kubernetes/flink-objects';
import { claimDirectories, claimTables } from '../rules/app-claims';
import { appErrors, appWarnings } from '../rules/app-rules';
import { applicationErrors, applicationWarnings, patchWarnings, type Warning } from '../rules/application-rules';
import { enterJob } from '../rules/jobs-of-app';
import type { Program } from '../sql/program';
import { instance, requireProps } from '../sql/required-props';
import type { DeploymentTarget } from '../target/deployment-target';
import { placeholders } from '../target/placeholders';
import { acknowledgeGrantedWildcards } from './granted-wildcards';
import { claimJob } from './job-claims';
import { attachJobFiles, jobDirectory } from './job-files';
import { JobIdentity } from './job-identity';
import { jobImage } from './job-image';
import { createJobRole, type JobRole, type JobRoleProps, jobLogicalId } from './job-role';

const TARGET = instance('a DeploymentTarget, such as DeploymentTarget.eksV2(cluster, { namespace })', 'namespace', '_add');

/** A job and its place. */
export interface FlinkJobProps extends FlinkSettings {
  /**
   * Name of the job and of its FlinkDeployment: at most 45 lower case letters, digits and `-`, beginning with a letter.
   * State belongs to this name: another name is another job, which starts from an empty state.
   */
  readonly jobName: string;
  /** What the job runs; it is sealed. */
  readonly program: Program;
  /** Cluster and namespace. */
  readonly target: DeploymentTarget;
  /**
   * IAM role of the job; it must trust the pods, as `identity` has it.
   * @default - a role with exactly the permissions that the program needs
   */
  readonly role?: IRole;
  /** How the pods come to their role. @default JobIdentity.podIdentity() */
  readonly identity?: JobIdentity;
  /**
   * An existing service account that may run Flink; the job then makes neither account nor Kubernetes role.
   * @default - a service account named after the job, with the permissions that a job manager needs
   */
  readonly serviceAccountName?: string;
  /** Store of the External Secrets Operator, for secrets of Secrets Manager. @default - the job uses no such secret */
  readonly externalSecretStore?: ExternalSecretStore;
}

/**
 * A Flink job on Kubernetes, with its IAM role, its permissions and its place in the order of a deployment: identity, topics, script,
 * FlinkDeployment.
 */
export class FlinkJob extends Construct implements IGrantable {
  /** The job without its place: parallelism, configuration, script. */
  public readonly application: FlinkApplication;
  /** IAM role of the pods. */
  public readonly role: IRole;
  /** Grants go to the role. */
  public readonly grantPrincipal: IPrincipal;
  /** The FlinkDeployment, for patches of what the library has no prop for: `addJsonPatch`. */
  public readonly flinkDeployment: ApiObject;
  /** @internal */
  public readonly _target: DeploymentTarget;

  constructor(scope: Construct, id: string, props: FlinkJobProps) {
    super(scope, id);
    requireProps('FlinkJob', props, { target: TARGET });
    const { target } = props;
    this._target = target;
    this.application = inWords(this, () => new FlinkApplication({ ...props, namespace: target.namespace }));

    claimJob(this, target, props.jobName);
    const place = { environment: Stack.of(this).environment, kubernetesCluster: target.clusterName ?? '' };
    claimTables(this, this.application, place);
    claimDirectories(this, this.application, place);

    const roleProps: JobRoleProps = {
      jobName: props.jobName,
      target,
      identity: props.identity ?? JobIdentity.podIdentity(),
      serviceAccountName: props.serviceAccountName ?? props.jobName,
      role: props.role,
    };
    const jobRole = createJobRole(this, roleProps);
    this.role = jobRole.role;
    this.grantPrincipal = this.role.grantPrincipal;
    this.grantAccess();
    if (props.role === undefined) {
      this.pinPolicy(roleProps);
      acknowledgeGrantedWildcards(this.role);
    }

    this.flinkDeployment = this.addObjects(props, jobRole);
    this.warnOfUntoldRole(props, jobRole);
    attachJobFiles(this, this.application);
    const { job, earlier } = enterJob(this, this.application, place);
    this.node.addValidation({
      validate: () => {
        const errors = [...applicationErrors(this.application), ...appErrors(job, earlier)];
        return placeholders([...errors, ...configurationErrors(this.flinkDeployment.toJson())], this);
      },
    });
    this.warn(applicationWarnings(this.application));
    // What else stands in the app, and what patches make of the FlinkDeployment, is known once all of it is there.
    Aspects.of(this).add({
      visit: (construct) => {
        if (construct === this) {
          this.warn([...appWarnings(job, earlier), ...patchWarnings(this.application, this.flinkDeployment.toJson())]);
        }
      },
    });
  }

  /** Every number and setting that was derived, with its reason; what only the deployment knows stands in `${}`. */
  public explain(): DerivedValue[] {
    return placeholders(this.application.explain(), this);
  }

  private warn(warnings: Warning[]): void {
    for (const { id, message, table } of warnings) {
      addWarning(this, id, placeholders(message, this), table);
    }
  }

  private grantAccess(): void {
    this.application.settings.checkpointing.storage.grantReadWrite(this);
    for (const { name, binding } of this.application._bindings()) {
      for (const access of binding.access ?? []) {
        access.grantTo(this, this.application._accessContext(name));
      }
    }
  }

  private pinPolicy(roleProps: JobRoleProps): void {
    const policy = this.role.node.tryFindChild('DefaultPolicy')?.node.defaultChild;
    (policy as { overrideLogicalId(id: string): void } | undefined)?.overrideLogicalId(jobLogicalId(this, roleProps, 'Policy'));
  }

  /** The role of an existing service account stands in its annotation, which is not the job's to write. */
  private warnOfUntoldRole({ serviceAccountName, role, jobName }: FlinkJobProps, { serviceAccountAnnotations }: JobRole): void {
    if (serviceAccountName === undefined || role !== undefined) {
      return;
    }
    for (const annotation of Object.keys(serviceAccountAnnotations)) {
      addWarning(
        this,
        'cdk-flink-pipeline:ServiceAccountRole',
        placeholders(
          `service account '${serviceAccountName}' of job '${jobName}' exists already, so that nothing here tells it the role of the job: set its annotation ${annotation} to the ARN of '${this.role.node.path}' (job.role.roleArn), or give the role that it has`,
          this,
        ),
      );
    }
  }

  /** A literal name makes no dependency for CloudFormation, so each is stated; stages are deployed one by one, and know no dependency. */
  private prerequisites(): IDependable[] {
    const { bucket } = this.application.settings.checkpointing.storage;
    const tables = this.application._bindings().flatMap(({ binding }) => binding.dependsOn ?? []);
    return [this.role, ...tables, ...(bucket ? [bucket] : [])].map((dependable) => withinStage(this, dependable));
  }

  private addObjects(props: FlinkJobProps, jobRole: JobRole): ApiObject {
    const { target, jobName } = props;
    const objects = createFlinkObjects(new Chart(new Cdk8sApp(), 'chart'), this.application, {
      imageName: jobImage(this, this.application),
      serviceAccountName: props.serviceAccountName,
      serviceAccountAnnotations: jobRole.serviceAccountAnnotations,
      externalSecretStore: props.externalSecretStore,
    });
    const file = `${jobDirectory(this, jobName)}/manifests.yaml`;
    const dependencies: IDependable[] = [...this.prerequisites(), ...(jobRole.association ? [jobRole.association] : [])];
    // No name of a job holds a slash, so that 'a/script' is no key of another job.
    if (objects.access.length > 0) {
      dependencies.push(target._add(this, 'Access', { objects: objects.access.map(late), logicalIdKey: `${jobName}/access`, file }));
    }
    if (objects.script) {
      // Earlier scripts stay in the cluster: a rollback and a restart of the old job manager need them.
      const script = target._add(this, 'Script', {
        objects: [late(objects.script)],
        logicalIdKey: `${jobName}/script`,
        file,
        retain: true,
        dependencies,
      });
      dependencies.push(script);
    }
    target._add(this, 'FlinkDeployment', { objects: [late(objects.flinkDeployment)], logicalIdKey: jobName, file, dependencies });
    return objects.flinkDeployment;
  }
}

/** Names in an error may be tokens: here, where there is a stack, they can be told in words. */
function inWords<T>(scope: Construct, create: () => T): T {
  try {
    return create();
  } catch (error) {
    if (error instanceof Error) {
      error.message = placeholders(error.message, scope);
    }
    throw error;
  }
}

/** The part of a dependency that stands in the stage of the job; what is added to it later counts. */
function withinStage(job: Construct, dependable: IDependable): IDependable {
  const part: IDependable = {};
  Dependable.implement(part, {
    get dependencyRoots() {
      return Dependable.of(dependable).dependencyRoots.filter((root) => Stage.of(root) === Stage.of(job));
    },
  });
  return part;
}

/** Rendered at synth, so that patches that were added to the object count. */
function late(object: ApiObject): object {
  return Lazy.any({ produce: () => object.toJson() });
}

/** Since 2.276 the CDK takes a context, by which one table's warning can be acknowledged; earlier versions leave it out. */
function addWarning(scope: Construct, id: string, message: string, table?: string): void {
  const validations = Validations.of(scope) as unknown as {
    addWarning(id: string, message: string, options?: { context: { [key: string]: string } }): void;
  };
  if (table === undefined) {
    validations.addWarning(id, message);
  } else {
    validations.addWarning(id, message, { context: { table } });
  }
}
