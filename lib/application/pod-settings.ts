import { Token } from 'aws-cdk-lib';
import type { EnvValue } from 'cdk8s-plus-27';
import { checkObjectName } from './object-name';

/** How Kubernetes treats a taint of a node. */
export interface Toleration {
  /** Key of the taint. @default - every key, with the operator `Exists` */
  readonly key?: string;
  /** `Equal` or `Exists`. @default - `Equal` where a value is given, else `Exists` */
  readonly operator?: string;
  /** Value of the taint. @default - none */
  readonly value?: string;
  /** `NoSchedule`, `PreferNoSchedule` or `NoExecute`. @default - every effect */
  readonly effect?: string;
  /** Seconds to stay under a `NoExecute` taint. @default - for ever */
  readonly tolerationSeconds?: number;
}

/** The keys of a Secret as files in the Flink container: a key store, a trust store. */
export interface SecretMount {
  /** Name of the Secret in the namespace of the job. */
  readonly secretName: string;
  /** Directory for the files; it must not lie in one that Flink or the library uses. */
  readonly mountPath: string;
}

/** What the pods of a job carry, job manager and TaskManagers alike. */
export interface PodSettings {
  /** Labels. @default - none beyond the operator's */
  readonly labels?: { [key: string]: string };
  /** Annotations. @default - none */
  readonly annotations?: { [key: string]: string };
  /** Labels that a node must have. @default - any node */
  readonly nodeSelector?: { [key: string]: string };
  /** Taints that the pods tolerate. @default - none */
  readonly tolerations?: Toleration[];
  /** Environment variables of the Flink container: values, or keys of Secrets and ConfigMaps. @default - none */
  readonly env?: { [name: string]: EnvValue };
  /** Secrets as files of the Flink container. @default - none */
  readonly secretMounts?: SecretMount[];
  /** Names of the Secrets to pull the image with. @default - none */
  readonly imagePullSecrets?: string[];
}

const LABEL_NAME = /^([A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)$/;
const LABEL_PREFIX = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;
const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];
const OPERATORS = ['Equal', 'Exists'];

/** Refuses what the Kubernetes API refuses, and what would take the place of something of the library's own. */
export function checkPodSettings(pod: PodSettings): void {
  checkLabels('pod.labels', pod.labels, true);
  checkLabels('pod.annotations', pod.annotations, false);
  checkLabels('pod.nodeSelector', pod.nodeSelector, true);
  for (const [name, variable] of Object.entries(pod.env ?? {})) {
    if (typeof variable !== 'object' || variable === null || (variable.value === undefined && variable.valueFrom === undefined)) {
      throw new Error(
        `pod.env must give '${name}' an EnvValue of cdk8s-plus-27, such as EnvValue.fromValue('x'), got ${JSON.stringify(variable)}`,
      );
    }
    if (variable.value !== undefined && typeof variable.value !== 'string') {
      throw new Error(`pod.env must give '${name}' text, got ${JSON.stringify(variable.value)}`);
    }
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      throw new Error(`pod.env names must be letters, digits and underscores, got '${name}'`);
    }
    if (name === 'ENABLE_BUILT_IN_PLUGINS' || name.startsWith('SECRET_')) {
      throw new Error(`pod.env must not set '${name}': the library sets it itself`);
    }
    if (name === 'FLINK_PROPERTIES' || name === 'FLINK_CONF_DIR') {
      throw new Error(`pod.env must not set '${name}', which goes round every check of the configuration: use flinkConfiguration`);
    }
  }
  checkMounts(pod.secretMounts ?? []);
  for (const name of pod.imagePullSecrets ?? []) {
    checkObjectName('a name of pod.imagePullSecrets', name);
  }
  (pod.tolerations ?? []).forEach(checkToleration);
}

/** The parts of a pod spec that every pod of the job has. */
export function renderTolerations(pod: PodSettings): { [key: string]: string | number | undefined }[] | undefined {
  return pod.tolerations?.map(({ key, operator, value, effect, tolerationSeconds }) => ({
    key,
    operator: operator ?? (value === undefined ? 'Exists' : 'Equal'),
    value,
    effect,
    tolerationSeconds,
  }));
}

function checkToleration({ key, operator, value, effect, tolerationSeconds }: Toleration): void {
  checkOneOf('effect of a toleration', effect, EFFECTS);
  checkOneOf('operator of a toleration', operator, OPERATORS);
  if (key !== undefined) {
    checkLabels('a toleration', { [key]: value ?? '' }, true);
  }
  if (operator === 'Exists' && value !== undefined) {
    throw new Error(`a toleration with the operator Exists takes no value, got '${value}'`);
  }
  if (key === undefined && value !== undefined) {
    throw new Error(`a toleration without a key takes no value, got '${value}'`);
  }
  if (key === undefined && operator === 'Equal') {
    throw new Error("a toleration without a key takes the operator Exists only, got 'Equal'");
  }
  if (tolerationSeconds === undefined) {
    return;
  }
  if (effect !== 'NoExecute') {
    throw new Error(`tolerationSeconds goes with the effect NoExecute only, got the effect '${effect ?? ''}'`);
  }
  // A number that Kubernetes cannot hold can stop the operator for every job of the cluster.
  if (!Number.isInteger(tolerationSeconds) || tolerationSeconds < 0 || tolerationSeconds > 2_147_483_647) {
    throw new Error(
      `tolerationSeconds must be a whole number from 0 to 2147483647, got ${Token.isUnresolved(tolerationSeconds) ? 'a token' : tolerationSeconds}`,
    );
  }
}

/** A mount hides what the image has at its path. */
function checkMounts(mounts: SecretMount[]): void {
  const paths = new Set<string>();
  for (const { secretName, mountPath } of mounts) {
    if (!Token.isUnresolved(secretName) && !/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(secretName)) {
      throw new Error(`secretName of pod.secretMounts must be the name of a Kubernetes Secret, got '${secretName}'`);
    }
    if (!/^(\/[^/:\s]+)+$/.test(mountPath) || /\/\.{1,2}(\/|$)/.test(mountPath) || hidesFlink(`${mountPath}/`)) {
      throw new Error(
        `mountPath of pod.secretMounts must be an absolute path that is not one of Flink's own directories, such as '/opt/flink/certificates', got '${mountPath}'`,
      );
    }
    if (paths.has(mountPath)) {
      throw new Error(`mountPath of pod.secretMounts must be given once, got '${mountPath}' twice`);
    }
    paths.add(mountPath);
  }
}

const FLINK_DIRECTORIES = ['bin', 'conf', 'lib', 'local', 'log', 'opt', 'plugins', 'sql', 'usrlib'].map((name) => `/opt/flink/${name}/`);

function hidesFlink(path: string): boolean {
  return FLINK_DIRECTORIES.some((directory) => directory.startsWith(path) || path.startsWith(directory));
}

function checkLabels(what: string, labels: { [key: string]: string } | undefined, values: boolean): void {
  for (const [key, value] of Object.entries(labels ?? {})) {
    const slash = key.indexOf('/');
    const [prefix, name] = slash === -1 ? [undefined, key] : [key.slice(0, slash), key.slice(slash + 1)];
    if (!LABEL_NAME.test(name) || (prefix !== undefined && !LABEL_PREFIX.test(prefix))) {
      throw new Error(`${what} has the key '${key}', which is none: [prefix/]name of at most 63 letters, digits, '-', '_' and '.'`);
    }
    if (typeof value !== 'string') {
      throw new Error(`${what} must have string values, got ${JSON.stringify(value)} for '${key}'`);
    }
    if (values && !Token.isUnresolved(value) && value !== '' && !LABEL_NAME.test(value)) {
      throw new Error(
        `${what} has the value '${value}' for '${key}', which is none: at most 63 letters, digits, '-', '_' and '.', beginning and ending with a letter or digit`,
      );
    }
  }
}

function checkOneOf(what: string, value: string | undefined, allowed: string[]): void {
  if (value !== undefined && !allowed.includes(value)) {
    throw new Error(`${what} must be one of ${allowed.join(', ')}, got '${value}'`);
  }
}
