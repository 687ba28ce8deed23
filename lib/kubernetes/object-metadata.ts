import type { ApiObjectMetadata } from 'cdk8s';
import type { FlinkApplication } from '../application/flink-application';

/**
 * Name, namespace and labels of an object of a job.
 *
 * @param application the job
 * @param name name of the object
 */
export function objectMetadata(application: FlinkApplication, name: string): ApiObjectMetadata {
  return {
    name,
    namespace: application.namespace,
    labels: { 'app.kubernetes.io/managed-by': 'cdk-flink-pipeline', 'app.kubernetes.io/name': application.jobName },
  };
}
