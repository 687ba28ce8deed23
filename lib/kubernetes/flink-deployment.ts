import type { ApiObjectProps } from 'cdk8s';
import type { DerivedValue } from '../application/derived-value';
import type { FlinkApplication } from '../application/flink-application';
import { RUNNER_CLASS, RUNNER_JAR_PATH, SCRIPT_PATH } from '../application/image-context';
import { renderResources } from '../application/process-resources';
import { JobState, UpgradeMode } from '../application/upgrade';
import { objectMetadata } from './object-metadata';
import { jobManagerPod, taskManagerPod } from './pod-template';

/** All annotations of an object may have 256 KiB, and a whole object that `kubectl apply` takes. */
const LARGEST_ANNOTATION = 32 * 1024;

/** Where the derived values of a job stand on its FlinkDeployment. */
export const DERIVED_VALUES_ANNOTATION = 'cdk-flink-pipeline/derived-values';

/**
 * The FlinkDeployment of a job.
 *
 * @param application the job
 * @param imageName image to run
 * @param serviceAccountName service account of its pods
 */
export function flinkDeployment(application: FlinkApplication, imageName: string, serviceAccountName: string): ApiObjectProps {
  const { settings } = application;
  return {
    apiVersion: 'flink.apache.org/v1beta1',
    kind: 'FlinkDeployment',
    metadata: {
      ...objectMetadata(application, application.jobName),
      annotations: { [DERIVED_VALUES_ANNOTATION]: derivedValues(application) },
    },
    spec: {
      image: imageName,
      imagePullPolicy: 'IfNotPresent',
      flinkVersion: application.flinkVersion.operatorName,
      mode: 'native',
      serviceAccount: serviceAccountName,
      restartNonce: settings.restartNonce,
      flinkConfiguration: application.flinkConfiguration,
      jobManager: {
        replicas: 1,
        resource: renderResources('jobManager', settings.jobManager),
        podTemplate: jobManagerPod(application),
      },
      taskManager: {
        resource: renderResources('taskManager', settings.taskManager),
        podTemplate: taskManagerPod(application),
      },
      job: {
        ...entry(application),
        parallelism: application.parallelism,
        upgradeMode: settings.upgradeMode ?? UpgradeMode.SAVEPOINT,
        state: settings.state ?? JobState.RUNNING,
        allowNonRestoredState: settings.allowNonRestoredState,
        initialSavepointPath: settings.initialSavepointPath,
        savepointTriggerNonce: settings.savepointTriggerNonce,
      },
    },
  } as ApiObjectProps;
}

function entry(application: FlinkApplication): { jarURI: string; entryClass?: string; args?: string[] } {
  const program = application.program._entry();
  return program
    ? { jarURI: program.jarUri, entryClass: program.entryClass, args: program.args.length > 0 ? program.args : undefined }
    : { jarURI: `local://${RUNNER_JAR_PATH}`, entryClass: RUNNER_CLASS, args: [SCRIPT_PATH] };
}

function derivedValues(application: FlinkApplication): string {
  const values = application.explain();
  const lines = (some: DerivedValue[]) =>
    some.map(({ name, value, reason, table }) => `${table === undefined ? '' : `${table}: `}${name} = ${value} (${reason})`).join('\n');
  const all = lines(values);
  // The length of a token depends on how many were made before: it must not decide.
  if (Buffer.byteLength(all.replace(/\$\{Token\[[^\]]*\]\}/g, '')) <= LARGEST_ANNOTATION) {
    return all;
  }
  return `${lines(values.filter(({ table }) => table === undefined))}\nvalues of tables: too many for an annotation, see pipeline.json or explain()`;
}
