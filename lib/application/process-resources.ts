import { Size, Token } from 'aws-cdk-lib';

/** CPU and memory of one Flink process. */
export interface ProcessResources {
  /** Memory of the whole process, as the pod requests it. @default Size.gibibytes(2) */
  readonly memory?: Size;
  /** CPU cores, above 0; fractions are fine. @default 1 */
  readonly cpu?: number;
  /** Local disk of the pod. @default - what the cluster gives */
  readonly ephemeralStorage?: Size;
}

const MEBIBYTE = 1024 * 1024;

/**
 * The `resource` of a FlinkDeployment. Flink reads `m` as mebibytes.
 *
 * @param what whose resources they are, as messages should call it
 * @param resources what the user gave
 */
export function renderResources(what: string, resources: ProcessResources = {}): { [key: string]: string | number } {
  const cpu = resources.cpu ?? 1;
  // The operator takes 0 or less in silence: it becomes the number of task slots.
  if (!Token.isUnresolved(cpu) && !(cpu > 0 && Number.isFinite(cpu))) {
    throw new Error(`${what}.cpu must be above 0, got ${cpu}`);
  }
  const memory = resources.memory ?? Size.gibibytes(2);
  return {
    cpu,
    // Below 512 MiB Flink's own budget (metaspace, overhead, network) leaves no heap, and the process fails as it starts.
    memory: `${mebibytes(`${what}.memory`, memory, 512)}m`,
    ...(resources.ephemeralStorage && { ephemeralStorage: kubernetesQuantity(`${what}.ephemeralStorage`, resources.ephemeralStorage) }),
  };
}

/**
 * A size for Kubernetes, which reads `m` as a thousandth and `Mi` as mebibytes.
 *
 * @param what what the size is, as messages should call it
 * @param size the size, 1 MiB at least
 */
export function kubernetesQuantity(what: string, size: Size): string {
  return `${mebibytes(what, size, 1)}Mi`;
}

function mebibytes(what: string, size: Size, min: number): number {
  if (size.isUnresolved()) {
    throw new Error(`${what} must be known at synth, got the token ${size}`);
  }
  if (size.toBytes() < min * MEBIBYTE) {
    throw new Error(`${what} must be at least ${min} MiB, got ${size.toBytes()} bytes`);
  }
  return Math.ceil(size.toBytes() / MEBIBYTE);
}
