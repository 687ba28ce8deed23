import { objectName } from './kubernetes-object';
import { isIntrinsic } from './placeholders';
import { quantityComplaint } from './quantity';

const LARGEST_INT = 2 ** 31 - 1;
const LARGEST_LONG = 2 ** 63;

/** Whole numbers of 64 bits; every other one of the operator and of pods has 32. */
const LONGS = [
  'restartNonce',
  'savepointTriggerNonce',
  'savepointRedeployNonce',
  'checkpointTriggerNonce',
  'autoscalerResetNonce',
  'tolerationSeconds',
  'terminationGracePeriodSeconds',
  'activeDeadlineSeconds',
  'runAsUser',
  'runAsGroup',
  'fsGroup',
  'supplementalGroups',
  'expirationSeconds',
];

const FLINK_CONTAINER = 'flink-main-container';
const FORBIDDEN_OPTIONS = ['kubernetes.cluster-id', 'kubernetes.namespace', 'high-availability.cluster-id'];
const CHECKPOINT_DIRECTORY = ['execution.checkpointing.dir', 'state.checkpoints.dir'];
const SAVEPOINT_DIRECTORY = ['execution.checkpointing.savepoint-dir', 'state.savepoints.dir'];
const LOG_FILES = ['log4j-console.properties', 'logback-console.xml'];
const MEMORY = /^[0-9]+\s*(b|bytes|k|kb|ki|kib|m|mb|mi|mib|g|gb|gi|gib|t|tb|ti|tib)$/i;
/** Paths of quantities that are counted in bytes; in `resource.memory` of a process, which Flink reads, `m` is mebibytes. */
const BYTES = /\.(sizeLimit|memory|ephemeral-storage|ephemeralStorage)$/;
const STOPS = 'else it stops the operator, and with it every other job of the cluster';

/** Options of Flink, nested maps flattened. */
type Options = ReadonlyMap<string, unknown>;

interface Json {
  readonly [member: string]: unknown;
}

/**
 * Errors for what the Flink operator refuses, what stops it, and what it takes in silence and then does something else: a patch may have
 * written anything. Measured for operator 1.15; the API server accepts most of it.
 *
 * A text that only the deployment knows passes, a number by which a job is derived does not.
 *
 * @param object a FlinkDeployment as plain JSON, as it is written; intrinsic functions where CloudFormation resolves them. An object of
 * another kind has no errors
 */
export function flinkDeploymentErrors(object: object): string[] {
  if ((object as Json).kind !== 'FlinkDeployment') {
    return [];
  }
  const errors = new Errors(objectName(object));
  const { metadata, spec } = object as Json;
  const name = record(metadata).name;
  errors.expect(
    isIntrinsic(name) || (typeof name === 'string' && /^[a-z]([-a-z0-9]{0,43}[a-z0-9])?$/.test(name)),
    'metadata.name',
    `must be at most 45 lower case letters, digits and '-', beginning with a letter, got ${text(name)}`,
  );
  checkNulls(errors, '', object);
  const parts = record(spec);
  checkSpec(errors, parts);
  const options = checkOptions(errors, parts.flinkConfiguration);
  checkJob(errors, record(parts.job), parts.mode ?? 'native', options);
  checkProcesses(errors, parts, options);
  const { flinkConfiguration: _options, ...rest } = parts;
  checkNumbers(errors, 'spec', rest);
  return errors.list;
}

class Errors {
  public readonly list: string[] = [];

  constructor(private readonly name: string) {}

  public expect(condition: boolean, path: string, message: string): void {
    if (!condition) {
      this.list.push(`'${path}' of ${this.name} ${message}`);
    }
  }

  public oneOf(path: string, value: unknown, allowed: string[]): void {
    this.expect(
      value === undefined || value === null || isIntrinsic(value) || allowed.includes(value as string),
      path,
      `must be one of ${allowed.join(', ')}, got ${text(value)}`,
    );
  }
}

function checkNulls(errors: Errors, path: string, value: unknown): void {
  // The writer of cdk8s makes a null of what is undefined.
  errors.expect(
    value !== null && value !== undefined,
    path,
    'is null, which server-side apply refuses and Flink takes for a text: remove it',
  );
  if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      checkNulls(errors, path === '' ? key : `${path}.${key}`, item);
    }
  }
}

function checkSpec(errors: Errors, spec: Json): void {
  const { image } = spec;
  errors.expect(
    isIntrinsic(image) || (typeof image === 'string' && /^\S*[^\s:/@]$/.test(image)),
    'spec.image',
    `must name an image, got ${text(image)}: without one, another Flink version runs`,
  );
  errors.expect(
    isIntrinsic(spec.serviceAccount) || (typeof spec.serviceAccount === 'string' && spec.serviceAccount !== ''),
    'spec.serviceAccount',
    `must name a service account, got ${text(spec.serviceAccount)}`,
  );
  // Which versions there are follows from the operator, which is checked where both are given.
  errors.expect(
    /^v(1_(1[6-9]|20)|2_\d+)$/.test(String(spec.flinkVersion)),
    'spec.flinkVersion',
    `must be a version that the operator runs, such as v2_2: with any other, or none, it does nothing; got '${spec.flinkVersion}'`,
  );
  errors.oneOf('spec.mode', spec.mode, ['native', 'standalone']);
  for (const file of Object.keys(record(spec.logConfiguration))) {
    errors.oneOf('a key of spec.logConfiguration', file, LOG_FILES);
  }
  errors.oneOf('spec.imagePullPolicy', spec.imagePullPolicy, ['Always', 'IfNotPresent', 'Never']);
}

function checkJob(errors: Errors, job: Json, mode: unknown, options: Options): void {
  errors.expect(
    isWhole(job.parallelism) && job.parallelism >= 1 && job.parallelism <= LARGEST_INT,
    'spec.job.parallelism',
    `must be a literal whole number from 1 to ${LARGEST_INT}, got ${text(job.parallelism)}; more stops the operator, and with it every other job of the cluster`,
  );
  errors.oneOf('spec.job.upgradeMode', job.upgradeMode, ['savepoint', 'last-state', 'stateless']);
  errors.oneOf('spec.job.state', job.state, ['running', 'suspended']);
  const { jarURI } = job;
  errors.expect(
    isIntrinsic(jarURI) || (jarURI === undefined && mode !== 'native') || (typeof jarURI === 'string' && /^\S+$/.test(jarURI)),
    'spec.job.jarURI',
    `must be the URI of a jar, without a space, got ${text(jarURI)}`,
  );
  const has = (keys: string[]) => keys.some((key) => options.has(key));
  const { upgradeMode } = job;
  errors.expect(
    !['savepoint', 'last-state'].includes(upgradeMode as string) || has(CHECKPOINT_DIRECTORY),
    'spec.job.upgradeMode',
    `'${upgradeMode}' needs '${CHECKPOINT_DIRECTORY[0]}' in flinkConfiguration`,
  );
  errors.expect(
    upgradeMode !== 'savepoint' || has(SAVEPOINT_DIRECTORY),
    'spec.job.upgradeMode',
    `'savepoint' needs '${SAVEPOINT_DIRECTORY[0]}' in flinkConfiguration`,
  );
}

/** Flink puts its image into the container of that name alone. */
function checkContainers(errors: Errors, path: string, podTemplate: unknown): void {
  const { containers } = record(record(podTemplate).spec);
  for (const container of Array.isArray(containers) ? containers : []) {
    const { name, image } = record(container);
    errors.expect(
      isIntrinsic(name) || name === FLINK_CONTAINER || (image !== undefined && image !== ''),
      `${path}.spec.containers`,
      `has the container ${text(name)} without an image: a sidecar needs one, and what is meant for Flink stands in '${FLINK_CONTAINER}'`,
    );
  }
}

function checkProcesses(errors: Errors, spec: Json, options: Options): void {
  checkQuantities(errors, 'spec.podTemplate', spec.podTemplate, []);
  checkContainers(errors, 'spec.podTemplate', spec.podTemplate);
  const replicas = record(spec.jobManager).replicas;
  errors.expect(
    replicas === undefined || (isWhole(replicas) && replicas >= 1),
    'spec.jobManager.replicas',
    `must be a literal whole number of at least 1, got ${text(replicas)}`,
  );
  errors.expect(
    !(isWhole(replicas) && replicas > 1) || /^(?!none$)/i.test(String(options.get('high-availability.type') ?? 'none')),
    'spec.jobManager.replicas',
    `must be 1 without high availability, got ${text(replicas)}`,
  );
  errors.expect(
    record(spec.taskManager).replicas === undefined,
    'spec.taskManager.replicas',
    'must be left out: the parallelism of the job would be ignored',
  );
  for (const process of ['jobManager', 'taskManager']) {
    const { resource, podTemplate } = record(spec[process]);
    const { cpu, memory, ephemeralStorage } = record(resource);
    const path = `spec.${process}.resource`;
    errors.expect(
      typeof cpu === 'number' && cpu > 0,
      `${path}.cpu`,
      `must be a literal number above 0, got ${text(cpu)}: otherwise it becomes the number of task slots`,
    );
    errors.expect(
      typeof memory === 'string' && MEMORY.test(memory),
      `${path}.memory`,
      `must be a whole number with a unit, such as '2048m', got ${text(memory)}`,
    );
    if (ephemeralStorage !== undefined) {
      checkQuantity(errors, `${path}.ephemeralStorage`, ephemeralStorage);
    }
    checkQuantities(errors, `spec.${process}.podTemplate`, podTemplate, []);
    checkContainers(errors, `spec.${process}.podTemplate`, podTemplate);
  }
}

/** Where pods hold quantities, by the keys that lead there. */
function isQuantityPlace(keys: string[]): boolean {
  const [map, parent, key] = [keys.at(-3), keys.at(-2), keys.at(-1)];
  return (
    (map === 'resources' && (parent === 'limits' || parent === 'requests')) ||
    (parent === 'resourceFieldRef' && key === 'divisor') ||
    (parent === 'emptyDir' && key === 'sizeLimit') ||
    (keys.length === 3 && map === 'spec' && parent === 'overhead')
  );
}

function checkQuantities(errors: Errors, path: string, value: unknown, keys: string[]): void {
  if (isQuantityPlace(keys)) {
    checkQuantity(errors, path, value);
  } else if (typeof value === 'object' && value !== null && !isIntrinsic(value)) {
    for (const [key, item] of Object.entries(value)) {
      checkQuantities(errors, `${path}.${key}`, item, [...keys, key]);
    }
  }
}

function checkQuantity(errors: Errors, path: string, value: unknown): void {
  const complaint = value === null || isIntrinsic(value) ? undefined : quantityComplaint(value);
  errors.expect(complaint === undefined, path, `${complaint}, ${STOPS}`);
  errors.expect(
    !(BYTES.test(path) && typeof value === 'string' && /[0-9.]m$/.test(value)),
    path,
    `must be bytes, got ${text(value)}, thousandths of a byte for Kubernetes: write Mi`,
  );
}

function checkOptions(errors: Errors, configuration: unknown): Options {
  const options = new Map<string, unknown>();
  if (typeof configuration !== 'object' || configuration === null || Array.isArray(configuration) || isIntrinsic(configuration)) {
    errors.expect(false, 'spec.flinkConfiguration', `must be a map, got ${text(configuration)}, ${STOPS}`);
    return options;
  }
  // The operator flattens nested maps.
  const visit = (key: string, value: unknown): void => {
    const path = `spec.flinkConfiguration.${key}`;
    errors.expect(!FORBIDDEN_OPTIONS.includes(key), path, 'is set by the operator, which refuses it: remove it');
    errors.expect(value !== 'null', path, "is the text 'null', which is what a missing value becomes: remove it");
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && !isIntrinsic(value)) {
      for (const [part, item] of Object.entries(value)) {
        visit(`${key}.${part}`, item);
      }
    } else {
      options.set(key, value);
    }
  };
  for (const [key, value] of Object.entries(configuration)) {
    visit(key, value);
  }
  return options;
}

function checkNumbers(errors: Errors, path: string, value: unknown): void {
  if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      checkNumbers(errors, `${path}.${key}`, item);
    }
    return;
  }
  // The cpu of a process is a fraction; quantities of pods and the parallelism have a message of their own.
  if (typeof value !== 'number' || path.endsWith('.resource.cpu') || path === 'spec.job.parallelism' || isQuantityPlace(path.split('.'))) {
    return;
  }
  const field = path
    .replace(/\.[0-9]+$/, '')
    .split('.')
    .at(-1)!;
  const isLong = LONGS.includes(field);
  const within = isLong ? Math.abs(value) < LARGEST_LONG : Math.abs(value) <= LARGEST_INT;
  errors.expect(
    Number.isInteger(value) && within,
    path,
    `must be a whole number of at most 2^${isLong ? 63 : 31} - 1, got ${value}, ${STOPS}`,
  );
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value);
}

function record(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

/** A value in a message. */
function text(value: unknown): string {
  if (value === undefined) {
    return 'nothing';
  }
  if (isIntrinsic(value)) {
    return 'a value known only at deployment';
  }
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}
