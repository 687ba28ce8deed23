import type { Findings, KubernetesObject } from './finding';
import { isQuantity, judgePodTemplate } from './pod-rules';

const MIB = 1024 * 1024;

/** Numbers of 64 bits in the operator and in Kubernetes; every other whole one has 32, and a larger one stops the operator. */
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

const FORBIDDEN_KEYS = ['kubernetes.cluster-id', 'kubernetes.namespace', 'high-availability.cluster-id'];
const CHECKPOINT_DIRECTORY = ['execution.checkpointing.dir', 'state.checkpoints.dir'];
const SAVEPOINT_DIRECTORY = ['execution.checkpointing.savepoint-dir', 'state.savepoints.dir'];

/** Least memory of a process with Flink's defaults: below it, Flink's own budget does not add up and the deployment fails. */
const LEAST_MEMORY = { jobManager: 577 * MIB, taskManager: 982 * MIB };

/**
 * What the Flink Kubernetes Operator refuses, what stops it, and what it takes in silence and then does something else, measured for
 * operator 1.15; the API server accepts all of it.
 */
export function judgeFlinkDeployment(findings: Findings, object: KubernetesObject): void {
  const { metadata, spec } = object;
  findings.expect(
    /^[a-z]([-a-z0-9]{0,43}[a-z0-9])?$/.test(metadata?.name ?? ''),
    'metadata.name',
    'at most 45 lower case letters, digits and -, beginning with a letter',
  );
  if (typeof spec !== 'object' || spec === null) {
    return;
  }
  findings.expect(!!spec.serviceAccount, 'spec.serviceAccount', 'the operator refuses a job without a service account');
  findings.expect(!!spec.image, 'spec.image', 'without an image another Flink version runs');
  findings.expect(
    spec.flinkVersion !== undefined && !/^v1_1[0-5]$/.test(spec.flinkVersion),
    'spec.flinkVersion',
    'a missing or old version leaves the status empty',
  );
  findings.expect(
    spec.imagePullPolicy === undefined || ['Always', 'IfNotPresent', 'Never'].includes(spec.imagePullPolicy),
    'spec.imagePullPolicy',
    `'${spec.imagePullPolicy}' fails at deploy`,
  );
  for (const key of Object.keys(spec.logConfiguration ?? {})) {
    findings.expect(
      ['log4j-console.properties', 'logback-console.xml'].includes(key),
      'spec.logConfiguration',
      `the operator refuses the key '${key}'`,
    );
  }
  const options = judgeConfiguration(findings, spec.flinkConfiguration);
  judgeJob(findings, spec.job, spec.mode ?? 'native', options);
  judgeProcesses(findings, spec, options);
  judgeIntegers(findings, 'spec', spec);
}

function judgeConfiguration(findings: Findings, configuration: unknown): Map<string, string> {
  const options = new Map<string, string>();
  if (typeof configuration !== 'object' || configuration === null || Array.isArray(configuration)) {
    findings.expect(false, 'spec.flinkConfiguration', 'what is no map stops the operator');
    return options;
  }
  const flatten = (prefix: string, value: unknown) => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      for (const [key, item] of Object.entries(value)) {
        flatten(`${prefix}.${key}`, item);
      }
    } else {
      const key = prefix.slice(1);
      findings.expect(value !== null, `spec.flinkConfiguration.${key}`, 'null becomes the text "null"');
      options.set(key, Array.isArray(value) ? value.join(';') : String(value));
    }
  };
  flatten('', configuration);
  for (const key of FORBIDDEN_KEYS) {
    findings.expect(!options.has(key), `spec.flinkConfiguration.${key}`, 'the operator sets this key itself and refuses it');
  }
  if (options.get('kubernetes.operator.deployment.rollback.enabled') === 'true') {
    findings.expect(highlyAvailable(options), 'spec.flinkConfiguration', 'a rollback needs high availability');
  }
  if (options.has('kubernetes.operator.periodic.savepoint.interval')) {
    findings.expect(hasAny(options, SAVEPOINT_DIRECTORY), 'spec.flinkConfiguration', 'periodic savepoints need a savepoint directory');
  }
  for (const [key, value] of options) {
    if (/^(kubernetes\.operator\.)?job\.autoscaler\..*(target|factor|threshold)$/.test(key)) {
      findings.expect(Number(value) >= 0, `spec.flinkConfiguration.${key}`, `the operator refuses ${value}`);
    }
  }
  return options;
}

function judgeJob(findings: Findings, job: KubernetesObject | undefined, mode: string, options: Map<string, string>): void {
  if (!job) {
    findings.expect(false, 'spec.job', 'a session cluster is no job');
    return;
  }
  const parallelism = job.parallelism;
  findings.expect(
    Number.isInteger(parallelism) && parallelism >= 1,
    'spec.job.parallelism',
    `the operator refuses the parallelism ${parallelism}`,
  );
  if (mode === 'native') {
    findings.expect(typeof job.jarURI === 'string' && URL.canParse(job.jarURI), 'spec.job.jarURI', 'a job in native mode needs a jar');
  }
  findings.expect(!/\s/.test(job.jarURI ?? ''), 'spec.job.jarURI', 'a space is no part of a URI');
  const upgradeMode = job.upgradeMode ?? 'stateless';
  if (upgradeMode !== 'stateless') {
    findings.expect(hasAny(options, CHECKPOINT_DIRECTORY), 'spec.job.upgradeMode', `${upgradeMode} needs a checkpoint directory`);
  }
  if (upgradeMode === 'savepoint' || job.savepointTriggerNonce !== undefined) {
    findings.expect(hasAny(options, SAVEPOINT_DIRECTORY), 'spec.job', 'savepoints need a savepoint directory');
  }
}

function judgeProcesses(findings: Findings, spec: KubernetesObject, options: Map<string, string>): void {
  findings.expect(
    spec.taskManager?.replicas === undefined,
    'spec.taskManager.replicas',
    'the parallelism of the job would be ignored: replicas × slots',
  );
  const replicas = spec.jobManager?.replicas ?? 1;
  findings.expect(Number.isInteger(replicas) && replicas >= 1, 'spec.jobManager.replicas', `the operator refuses ${replicas}`);
  findings.expect(replicas === 1 || highlyAvailable(options), 'spec.jobManager.replicas', 'more than one needs high availability');
  for (const process of ['jobManager', 'taskManager'] as const) {
    const path = `spec.${process}`;
    const { cpu, memory, ephemeralStorage } = spec[process]?.resource ?? {};
    findings.expect(typeof cpu === 'number' && cpu > 0, `${path}.resource.cpu`, `${cpu} becomes the number of task slots`);
    findings.expect(
      ephemeralStorage === undefined || isQuantity(ephemeralStorage),
      `${path}.resource.ephemeralStorage`,
      `'${ephemeralStorage}' is no quantity`,
    );
    const bytes = memoryBytes(memory);
    findings.expect(bytes !== undefined, `${path}.resource.memory`, `'${memory}' is no amount of memory`);
    if (bytes !== undefined && !overridesMemory(options, process)) {
      findings.expect(bytes >= LEAST_MEMORY[process], `${path}.resource.memory`, `'${memory}' is too small for Flink's own budget`);
    }
    judgePodTemplate(findings, `${path}.podTemplate`, spec[process]?.podTemplate);
  }
  judgePodTemplate(findings, 'spec.podTemplate', spec.podTemplate);
}

function judgeIntegers(findings: Findings, path: string, value: unknown): void {
  if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      judgeIntegers(findings, `${path}.${key}`, item);
    }
  } else if (typeof value === 'number' && !path.endsWith('.resource.cpu')) {
    const bits = LONGS.includes(
      path
        .replace(/\.[0-9]+$/, '')
        .split('.')
        .at(-1)!,
    )
      ? 63
      : 31;
    findings.expect(
      Math.abs(value) < 2 ** bits,
      path,
      `${value} is above 2^${bits} - 1: it stops the operator, and with it every other job`,
    );
  }
}

/** Bytes of an amount as Flink and the operator read it, whose units are all binary. */
export function memoryBytes(memory: unknown): number | undefined {
  const match = /^([0-9]+)\s*(b|bytes|k|kb|ki|kib|m|mb|mi|mib|g|gb|gi|gib|t|tb|ti|tib)?$/i.exec(typeof memory === 'string' ? memory : '');
  if (!match) {
    return undefined;
  }
  const exponent = { k: 1, m: 2, g: 3, t: 4 }[match[2]?.[0]?.toLowerCase() ?? ''] ?? 0;
  return Number(match[1]) * 1024 ** exponent;
}

function overridesMemory(options: Map<string, string>, process: 'jobManager' | 'taskManager'): boolean {
  return [...options.keys()].some((key) => key.startsWith(`${process.toLowerCase()}.memory.`));
}

function highlyAvailable(options: Map<string, string>): boolean {
  const type = options.get('high-availability.type') ?? options.get('high-availability');
  return type !== undefined && type.toUpperCase() !== 'NONE';
}

function hasAny(options: Map<string, string>, keys: string[]): boolean {
  return keys.some((key) => options.has(key));
}
