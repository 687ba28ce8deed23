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

const MINIMUM = Size.mebibytes(512);

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
  // Below this Flink's own memory budget (metaspace, overhead, network) leaves no heap, and the process fails as it starts.
  if (!memory.isUnresolved() && memory.toBytes() < MINIMUM.toBytes()) {
    throw new Error(`${what}.memory must be at least 512 MiB, got ${memory.toBytes()} bytes`);
  }
  return {
    cpu,
    memory: `${mebibytes(memory)}m`,
    ...(resources.ephemeralStorage && { ephemeralStorage: kubernetesQuantity(resources.ephemeralStorage) }),
  };
}

/** Kubernetes reads `m` as a thousandth, so its quantities are written in `Mi`. */
export function kubernetesQuantity(size: Size): string {
  return `${mebibytes(size)}Mi`;
}

function mebibytes(size: Size): number {
  return Math.ceil(size.toBytes() / (1024 * 1024));
}
