import type { FlinkApplication } from '../application/flink-application';
import { BUILT_IN_PLUGINS_VARIABLE, builtInPlugins, SCRIPT_DIRECTORY } from '../application/image-context';
import { type PodSettings, renderTolerations } from '../application/pod-settings';
import { LOCAL_DIRECTORY } from '../application/state-backend';
import { secretKeyRef } from './external-secret';
import { SCRIPT_KEY, scriptName } from './sql-config-map';

interface EnvironmentVariable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: object;
}

interface Volume {
  readonly volume: { readonly name: string };
  readonly mount: { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean };
}

/**
 * Pod of the job manager: it alone reads the script and the secrets, since it alone plans the SQL.
 *
 * The operator merges the arrays of a common pod template by position, so each process has a whole template of its own.
 *
 * @param application the job
 */
export function jobManagerPod(application: FlinkApplication): object {
  const variables: EnvironmentVariable[] = [
    ...application._lateValues(),
    ...application
      ._secrets()
      .map((secret) => ({ name: secret.variableName, valueFrom: { secretKeyRef: secretKeyRef(application, secret) } })),
  ];
  const volumes: Volume[] =
    application.script === undefined
      ? []
      : [
          {
            volume: {
              name: 'sql',
              configMap: { name: scriptName(application), items: [{ key: SCRIPT_KEY, path: SCRIPT_KEY }] },
            } as Volume['volume'],
            mount: { name: 'sql', mountPath: SCRIPT_DIRECTORY, readOnly: true },
          },
        ];
  return podTemplate(application, variables, volumes);
}

/**
 * Pod of a TaskManager.
 *
 * @param application the job
 */
export function taskManagerPod(application: FlinkApplication): object {
  const stateBackend = application.settings.stateBackend;
  if (!stateBackend?._needsLocalVolume) {
    return podTemplate(application, [], []);
  }
  const emptyDir = stateBackend._localStorage === undefined ? {} : { sizeLimit: `${stateBackend._localStorage.toMebibytes()}Mi` };
  return podTemplate(
    application,
    [],
    [{ volume: { name: 'local', emptyDir } as Volume['volume'], mount: { name: 'local', mountPath: LOCAL_DIRECTORY } }],
  );
}

function podTemplate(application: FlinkApplication, variables: EnvironmentVariable[], ownVolumes: Volume[]): object {
  const pod: PodSettings = application.settings.pod ?? {};
  const env = [...plugins(application), ...variables, ...userVariables(application, pod)];
  const volumes = [...ownVolumes, ...secretVolumes(pod)];
  return {
    ...((pod.labels || pod.annotations) && { metadata: { labels: pod.labels, annotations: pod.annotations } }),
    spec: {
      imagePullSecrets: pod.imagePullSecrets?.map((name) => ({ name })),
      nodeSelector: nodeSelector(application, pod),
      tolerations: renderTolerations(pod),
      containers: [
        {
          name: 'flink-main-container',
          env: env.length > 0 ? env : undefined,
          volumeMounts: volumes.length > 0 ? volumes.map(({ mount }) => mount) : undefined,
        },
      ],
      volumes: volumes.length > 0 ? volumes.map(({ volume }) => volume) : undefined,
    },
  };
}

/** The image's entry point links the named jars from `opt/` into `plugins/`, and fails where one is missing. */
function plugins(application: FlinkApplication): EnvironmentVariable[] {
  const value = builtInPlugins(application._fileSystems(), application.flinkVersion);
  return value === '' ? [] : [{ name: BUILT_IN_PLUGINS_VARIABLE, value }];
}

/** An image that the library builds has one architecture, and starts on no node of another. */
function nodeSelector(application: FlinkApplication, pod: PodSettings): { [key: string]: string } | undefined {
  const { architecture } = application.image;
  return architecture === undefined ? pod.nodeSelector : { 'kubernetes.io/arch': architecture, ...pod.nodeSelector };
}

function secretVolumes(pod: PodSettings): Volume[] {
  return (pod.secretMounts ?? []).map(({ secretName, mountPath }, index) => {
    const name = `secret-${index}`;
    return { volume: { name, secret: { secretName } } as Volume['volume'], mount: { name, mountPath, readOnly: true } };
  });
}

function userVariables(application: FlinkApplication, pod: PodSettings): EnvironmentVariable[] {
  const taken = new Set(application._lateValues().map((variable) => variable.name));
  return Object.entries(pod.env ?? {}).map(([name, value]) => {
    if (taken.has(name)) {
      throw new Error(
        `pod.env must not set '${name}': the job sets it itself, for a value that is known only at deployment; use another name`,
      );
    }
    return { name, value: value.value, valueFrom: value.valueFrom };
  });
}
