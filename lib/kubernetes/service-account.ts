import type { ApiObjectProps } from 'cdk8s';
import type { FlinkApplication } from '../application/flink-application';
import { objectMetadata } from './object-metadata';

/** What the job manager does with pods and ConfigMaps: it starts TaskManagers and keeps the leader and the last checkpoint. */
const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/**
 * The service account of a job.
 *
 * @param application the job
 * @param annotations annotations of the account, such as the IAM role
 */
export function serviceAccount(application: FlinkApplication, annotations: { [key: string]: string }): ApiObjectProps {
  return {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { ...objectMetadata(application, application.jobName), ...(Object.keys(annotations).length > 0 && { annotations }) },
  };
}

/**
 * What the job manager may do in its namespace, as the operator's own role for jobs has it, without wildcards.
 *
 * @param application the job
 */
export function role(application: FlinkApplication): object & ApiObjectProps {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: objectMetadata(application, application.jobName),
    rules: [
      { apiGroups: [''], resources: ['pods', 'configmaps'], verbs: VERBS },
      { apiGroups: ['apps'], resources: ['deployments', 'deployments/finalizers'], verbs: VERBS },
    ],
  } as ApiObjectProps;
}

/**
 * Gives the service account its role.
 *
 * @param application the job
 */
export function roleBinding(application: FlinkApplication): ApiObjectProps {
  const name = application.jobName;
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: objectMetadata(application, name),
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
    subjects: [{ kind: 'ServiceAccount', name, namespace: application.namespace }],
  } as ApiObjectProps;
}
