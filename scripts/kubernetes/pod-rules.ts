import type { Findings } from './finding';

const QUANTITY = /^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)(([KMGTPE]i)|[numkMGTPE]|([eE][+-]?[0-9]+))?$/;
const DNS_LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const VARIABLE = /^[-._a-zA-Z][-._a-zA-Z0-9]*$/;
const VOLUME_NAME = 'name';

interface Named {
  readonly name?: string;
}

interface Container extends Named {
  readonly env?: (Named & { readonly value?: string; readonly valueFrom?: object })[];
  readonly ports?: { readonly containerPort?: number; readonly hostPort?: number }[];
  readonly volumeMounts?: (Named & { readonly mountPath?: string })[];
}

interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

interface PodSpec {
  readonly containers?: Container[];
  readonly initContainers?: Container[];
  readonly volumes?: Named[];
  readonly tolerations?: Toleration[];
}

/** Whether Kubernetes reads a value as a quantity; a number is an int or a text there. */
export function isQuantity(value: unknown): boolean {
  return typeof value === 'number'
    ? Number.isInteger(value) && Math.abs(value) < 2 ** 31
    : typeof value === 'string' && QUANTITY.test(value);
}

/** Whether a quantity stands where these keys lead. */
function isQuantityPlace(keys: string[]): boolean {
  const [first, second, last] = keys.slice(-3);
  return (
    (first === 'resources' && ['limits', 'requests'].includes(second ?? '')) ||
    (second === 'resourceFieldRef' && last === 'divisor') ||
    (second === 'emptyDir' && last === 'sizeLimit') ||
    (keys.length === 3 && first === 'spec' && second === 'overhead')
  );
}

function judgeQuantities(findings: Findings, path: string, value: unknown, keys: string[]): void {
  if (isQuantityPlace(keys)) {
    findings.expect(isQuantity(value), path, `'${value}' is no quantity: it stops the operator`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      judgeQuantities(findings, `${path}.${key}`, item, [...keys, key]);
    }
  }
}

/** What the API server says of pods, of which the definition of a FlinkDeployment knows only the types. */
export function judgePodTemplate(findings: Findings, path: string, template: { readonly spec?: PodSpec } | undefined): void {
  const spec = template?.spec;
  judgeQuantities(findings, path, template, []);
  if (!spec) {
    return;
  }
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const volumes = spec.volumes ?? [];
  unique(findings, `${path}.spec.volumes`, volumes);
  unique(findings, `${path}.spec.containers`, containers);
  for (const volume of volumes) {
    const where = `${path}.spec.volumes[${volume.name}]`;
    findings.expect(DNS_LABEL.test(volume.name ?? ''), where, 'the name of a volume must be a DNS label');
    findings.expect(Object.keys(volume).filter((key) => key !== VOLUME_NAME).length === 1, where, 'a volume has exactly one source');
  }
  for (const container of containers) {
    judgeContainer(findings, `${path}.spec.containers[${container.name}]`, container, new Set(volumes.map(({ name }) => name)));
  }
  for (const [index, toleration] of (spec.tolerations ?? []).entries()) {
    judgeToleration(findings, `${path}.spec.tolerations[${index}]`, toleration);
  }
}

function judgeContainer(findings: Findings, path: string, container: Container, volumes: Set<string | undefined>): void {
  findings.expect(DNS_LABEL.test(container.name ?? ''), path, 'the name of a container must be a DNS label');
  unique(findings, `${path}.env`, container.env ?? []);
  for (const variable of container.env ?? []) {
    const where = `${path}.env[${variable.name}]`;
    findings.expect(VARIABLE.test(variable.name ?? ''), where, 'the name is no name of an environment variable');
    findings.expect(!(variable.value !== undefined && variable.valueFrom), where, 'a variable has a value or a source, not both');
    findings.expect(
      variable.valueFrom === undefined || Object.keys(variable.valueFrom).length === 1,
      `${where}.valueFrom`,
      'exactly one source',
    );
  }
  const paths = (container.volumeMounts ?? []).map(({ mountPath }) => mountPath);
  findings.expect(new Set(paths).size === paths.length, `${path}.volumeMounts`, 'two mounts at one path');
  for (const mount of container.volumeMounts ?? []) {
    const where = `${path}.volumeMounts[${mount.name}]`;
    findings.expect(volumes.has(mount.name), where, 'the volume is not defined');
    findings.expect(/^[^:]+$/.test(mount.mountPath ?? ''), where, 'mountPath must be a path');
  }
  for (const port of container.ports ?? []) {
    for (const number of [port.containerPort, port.hostPort]) {
      findings.expect(number === undefined || (number >= 1 && number <= 65535), `${path}.ports`, `${number} is no port`);
    }
  }
}

function judgeToleration(findings: Findings, path: string, toleration: Toleration): void {
  const { key, operator = 'Equal', value, effect, tolerationSeconds } = toleration;
  findings.expect(['Equal', 'Exists'].includes(operator), path, `the operator '${operator}' is unknown`);
  findings.expect(key !== undefined || operator === 'Exists', path, 'without a key the operator must be Exists');
  findings.expect(operator !== 'Exists' || !value, path, 'with the operator Exists there is no value');
  findings.expect(
    effect === undefined || ['NoSchedule', 'PreferNoSchedule', 'NoExecute'].includes(effect),
    path,
    `the effect '${effect}' is unknown`,
  );
  findings.expect(tolerationSeconds === undefined || effect === 'NoExecute', path, 'tolerationSeconds goes with NoExecute only');
}

function unique(findings: Findings, path: string, list: Named[]): void {
  const names = list.map(({ name }) => name);
  findings.expect(new Set(names).size === names.length, path, `names must be unique, got ${names.join(', ')}`);
}
