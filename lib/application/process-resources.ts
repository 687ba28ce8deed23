import { Size, Token } from 'aws-cdk-lib';
import { sizeInBytes } from '../sql/flink-notation';
import { NUMBER, requireProps, SIZE } from '../sql/required-props';

/** CPU and memory of one Flink process. */
export interface ProcessResources {
  /** Memory of the whole process, as the pod requests it. @default Size.gibibytes(2) */
  readonly memory?: Size;
  /** CPU cores, from 0.001 to 1,000,000; fractions are fine. @default 1 */
  readonly cpu?: number;
  /** Local disk of the pod. @default - what the cluster gives */
  readonly ephemeralStorage?: Size;
}

const MEBIBYTE = 1024 * 1024;

/** Memory of a process for which none is stated. */
export const DEFAULT_MEMORY = Size.gibibytes(2);

/**
 * Least memory of a process under Flink's defaults, found by trying Flink 2.2.1: metaspace, overhead, off-heap, and on a TaskManager network
 * and managed memory too, must fit in. One mebibyte less fails when the job is deployed.
 */
export const LEAST_MEMORY = { jobManager: Size.mebibytes(577), taskManager: Size.mebibytes(982) };

/** Below it no division of Flink's leaves a heap, and the process fails as it starts. */
const FLOOR = Size.mebibytes(512);

/**
 * What is wrong with too little memory.
 *
 * @param process the process
 * @param memory what the user gave
 * @param ofJob ` of job '…'`, where it is known
 */
export function tooLittleMemory(process: keyof typeof LEAST_MEMORY, memory: Size, ofJob = ''): string {
  const least = `must be at least ${LEAST_MEMORY[process].toMebibytes()} MiB with Flink's default budget`;
  const bytes = sizeInBytes(`${process}.memory`, memory);
  const cure = bytes < FLOOR.toBytes() ? '' : `, or divide it by ${process.toLowerCase()}.memory.* in flinkConfiguration`;
  return `${process}.memory${ofJob} ${least}, got ${bytes / MEBIBYTE} MiB: the process would not start; raise it${cure}`;
}

/** Kubernetes counts thousandths; the bound above keeps every notation of the number free of an exponent. */
const CPU = { least: 0.001, most: 1_000_000 };

/**
 * The `resource` of a FlinkDeployment. Flink reads `m` as mebibytes.
 *
 * @param process whose resources they are
 * @param resources what the user gave
 */
export function renderResources(process: keyof typeof LEAST_MEMORY, resources: ProcessResources = {}): { [key: string]: string | number } {
  requireProps(process, resources, { 'memory?': SIZE, 'cpu?': NUMBER, 'ephemeralStorage?': SIZE });
  const cpu = resources.cpu ?? 1;
  // The operator takes 0 or less in silence: it becomes the number of task slots.
  if (!Token.isUnresolved(cpu) && !(cpu >= CPU.least && cpu <= CPU.most)) {
    throw new Error(`${process}.cpu must be from ${CPU.least} to ${CPU.most}, got ${cpu}`);
  }
  const memory = resources.memory ?? DEFAULT_MEMORY;
  if (!memory.isUnresolved() && sizeInBytes(`${process}.memory`, memory) < FLOOR.toBytes()) {
    throw new Error(tooLittleMemory(process, memory));
  }
  return {
    cpu,
    memory: `${wholeMebibytes(`${process}.memory`, memory)}m`,
    ...(resources.ephemeralStorage && { ephemeralStorage: kubernetesQuantity(`${process}.ephemeralStorage`, resources.ephemeralStorage) }),
  };
}

/**
 * A size for Kubernetes, which reads `m` as a thousandth and `Mi` as mebibytes.
 *
 * @param what what the size is, as messages should call it
 * @param size the size, 1 MiB at least
 */
export function kubernetesQuantity(what: string, size: Size): string {
  return `${wholeMebibytes(what, size)}Mi`;
}

/**
 * A size in mebibytes, rounded up.
 *
 * @param what what the size is, as messages should call it
 * @param size the size, 1 MiB at least
 */
export function wholeMebibytes(what: string, size: Size): number {
  if (size.isUnresolved()) {
    throw new Error(`${what} must be known at synth, got a token`);
  }
  const bytes = sizeInBytes(what, size);
  if (!(bytes >= MEBIBYTE)) {
    throw new Error(`${what} must be at least 1 MiB, got ${bytes} bytes`);
  }
  return Math.ceil(bytes / MEBIBYTE);
}
