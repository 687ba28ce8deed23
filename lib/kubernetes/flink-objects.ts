import { ApiObject, type ApiObjectProps } from 'cdk8s';
import type { Construct } from 'constructs';
import type { FlinkApplication } from '../application/flink-application';
import { checkObjectName } from '../application/object-name';
import { externalSecrets } from './external-secret';
import type { ExternalSecretStore } from './external-secret-store';
import { flinkDeployment } from './flink-deployment';
import { PatchedDeployment } from './patched-deployment';
import { role, roleBinding, serviceAccount } from './service-account';
import { sqlConfigMap } from './sql-config-map';

/** Where a job runs and as whom. */
export interface FlinkObjectsProps {
  /** Image to run. */
  readonly imageName: string;
  /** An existing service account. @default - one of the job's own, with the permissions that a job manager needs */
  readonly serviceAccountName?: string;
  /** Annotations of the job's own service account. @default - none */
  readonly serviceAccountAnnotations?: { [key: string]: string };
  /** Store that reads Secrets Manager. @default - the job uses no such secret */
  readonly externalSecretStore?: ExternalSecretStore;
}

/** The Kubernetes objects of a job, in the order in which they must be applied. */
export interface FlinkObjects {
  /** Service account, its role, the secrets. */
  readonly access: ApiObject[];
  /** The SQL script. @default - the job runs a JAR */
  readonly script?: ApiObject;
  /** The job. */
  readonly flinkDeployment: ApiObject;
}

/**
 * Creates the objects of a job.
 *
 * @param scope a chart
 * @param application the job
 * @param props where it runs and as whom
 */
export function createFlinkObjects(scope: Construct, application: FlinkApplication, props: FlinkObjectsProps): FlinkObjects {
  const create = (id: string, object: ApiObjectProps) => new ApiObject(scope, id, object);
  const access: ApiObject[] = [];
  if (props.serviceAccountName !== undefined) {
    checkObjectName('serviceAccountName', props.serviceAccountName);
  } else {
    access.push(
      create('ServiceAccount', serviceAccount(application, props.serviceAccountAnnotations ?? {})),
      create('Role', role(application)),
      create('RoleBinding', roleBinding(application)),
    );
  }
  externalSecrets(application, props.externalSecretStore).forEach((secret, index) => {
    access.push(create(`ExternalSecret${index}`, secret));
  });
  return {
    access,
    ...(application.script !== undefined && { script: create('Script', sqlConfigMap(application)) }),
    flinkDeployment: new PatchedDeployment(
      scope,
      'FlinkDeployment',
      flinkDeployment(application, props.imageName, props.serviceAccountName ?? application.jobName),
    ),
  };
}
