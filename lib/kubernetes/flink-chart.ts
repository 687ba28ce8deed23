import { type ApiObject, Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import type { FlinkApplication } from '../application/flink-application';
import { claimDirectories, claimTables } from '../rules/app-claims';
import { appErrors, appWarnings } from '../rules/app-rules';
import { applicationErrors, applicationWarnings, patchWarnings, type Warning } from '../rules/application-rules';
import { enterJob } from '../rules/jobs-of-app';
import { flinkDeploymentErrors } from '../target/flink-deployment-errors';
import { objectName } from '../target/kubernetes-object';
import { literalOnly } from '../target/literal-only';
import { storedSizeErrors } from '../target/object-limits';
import { yamlErrors } from '../target/yaml';
import { clusterOfChart } from './cluster-of-chart';
import { configurationErrors } from './configuration-errors';
import type { ExternalSecretStore } from './external-secret-store';
import { createFlinkObjects, type FlinkObjects } from './flink-objects';

/** A job in a plain cdk8s app. */
export interface FlinkChartProps {
  /** The job. It must name its image, since a cdk8s app builds none. */
  readonly application: FlinkApplication;
  /**
   * An existing service account that may run Flink; the chart then makes neither account nor role.
   * @default - a service account named after the job, with the permissions that a job manager needs
   */
  readonly serviceAccountName?: string;
  /**
   * Annotations of the job's own service account, such as `eks.amazonaws.com/role-arn`.
   * @default - none
   */
  readonly serviceAccountAnnotations?: { [key: string]: string };
  /** Store of the External Secrets Operator, for secrets of Secrets Manager. @default - the job uses no such secret */
  readonly externalSecretStore?: ExternalSecretStore;
}

/**
 * A Flink job as Kubernetes objects, for a cdk8s app without CDK: service account and role, SQL script, FlinkDeployment.
 *
 * What needs AWS is up to you: the role that the service account stands for, the streams, the topics. There is no stack that could resolve
 * tokens, so every value must be a literal. Warnings go to standard error.
 */
export class FlinkChart extends Chart {
  /** The FlinkDeployment, for patches of what the library has no prop for. */
  public readonly flinkDeployment: ApiObject;

  private readonly told = new Set<string>();

  constructor(scope: Construct, id: string, props: FlinkChartProps) {
    super(scope, id);
    const { application } = props;
    const imageName = application.image.imageName;
    if (imageName === undefined) {
      throw new Error(
        `job '${application.jobName}' in a cdk8s app must name its image: nothing builds one here; give image: FlinkImage.named('registry/repository:tag')`,
      );
    }
    const objects = createFlinkObjects(this, application, { ...props, imageName });
    this.flinkDeployment = objects.flinkDeployment;
    for (const object of allObjects(objects)) {
      checkLiterals(object.toJson());
    }
    // A cdk8s app has no accounts and regions.
    const place = { environment: '', kubernetesCluster: clusterOfChart(this, application) };
    claimTables(this, application, place);
    claimDirectories(this, application, place);
    const { job, earlier } = enterJob(this, application, place);
    this.node.addValidation({
      validate: () => {
        // Patches may have been added since, with tokens too.
        const written = allObjects(objects).map((object) => object.toJson());
        this.warn(patchWarnings(application, objects.flinkDeployment.toJson()));
        const tokens = tokenErrors(written);
        return tokens.length > 0
          ? tokens
          : [
              ...applicationErrors(application),
              ...appErrors(job, earlier),
              ...written.flatMap(flinkDeploymentErrors),
              ...configurationErrors(objects.flinkDeployment.toJson()),
              ...storedSizeErrors(written),
              ...yamlErrors(written),
            ];
      },
    });
    this.warn([...applicationWarnings(application), ...appWarnings(job, earlier)]);
  }

  /** cdk8s validates a chart more than once. */
  private warn(warnings: Warning[]): void {
    for (const { id, message } of warnings) {
      const line = `[warning] ${this.node.path}: ${id}: ${message}\n`;
      if (!this.told.has(line)) {
        this.told.add(line);
        process.stderr.write(line);
      }
    }
  }
}

function checkLiterals(object: object): void {
  literalOnly(object, objectName(object));
}

function tokenErrors(objects: object[]): string[] {
  return objects.flatMap((object) => {
    try {
      checkLiterals(object);
      return [];
    } catch (error) {
      return [(error as Error).message];
    }
  });
}

function allObjects(objects: FlinkObjects): ApiObject[] {
  return [...objects.access, ...(objects.script ? [objects.script] : []), objects.flinkDeployment];
}
