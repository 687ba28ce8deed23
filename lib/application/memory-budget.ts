import { Token } from 'aws-cdk-lib';
import { parseFlinkMemorySize } from '../sql/option-value';

const MEBIBYTE = 1024 * 1024;

/** Options of a process that have a value in Flink 2.2 where nothing is set: sizes in bytes, fractions. */
const DEFAULTS = {
  'jvm-metaspace.size': 256 * MEBIBYTE,
  'jvm-overhead.fraction': 0.1,
  'jvm-overhead.min': 192 * MEBIBYTE,
  'jvm-overhead.max': 1024 * MEBIBYTE,
  'framework.heap.size': 128 * MEBIBYTE,
  'framework.off-heap.size': 128 * MEBIBYTE,
  'task.off-heap.size': 0,
  'managed.fraction': 0.4,
  'network.fraction': 0.1,
  'network.min': 64 * MEBIBYTE,
  'network.max': Number.POSITIVE_INFINITY,
  'off-heap.size': 128 * MEBIBYTE,
};

/** What a process is told of its memory. */
class MemoryOptions {
  private readonly options: Map<string, string>;

  constructor(prefix: string, configuration: { [key: string]: string }) {
    const own = Object.entries(configuration).filter(([key]) => key.startsWith(prefix));
    this.options = new Map(own.map(([key, value]) => [key.slice(prefix.length), value]));
  }

  public get areKnown(): boolean {
    return ![...this.options.values()].some((value) => Token.isUnresolved(value));
  }

  public stated(name: string): number | undefined {
    return parseFlinkMemorySize(this.options.get(name) ?? '');
  }

  public size(name: keyof typeof DEFAULTS): number {
    return this.stated(name) ?? DEFAULTS[name];
  }

  public share(name: keyof typeof DEFAULTS, whole: number): number {
    return Math.floor(Number.parseFloat(this.options.get(name) ?? String(DEFAULTS[name])) * whole);
  }

  public shareWithin(name: 'jvm-overhead' | 'network', whole: number): number {
    return Math.min(Math.max(this.share(`${name}.fraction`, whole), this.size(`${name}.min`)), this.size(`${name}.max`));
  }
}

/** Parts of a whole in bytes, by their names. */
interface Division {
  readonly whole: number;
  readonly parts: { readonly [part: string]: number };
}

/**
 * How the memory of a process is divided, where its parts do not make up the whole: Flink divides as `TaskExecutorProcessUtils` and
 * `JobManagerProcessUtils` do, and does not start where they do not.
 *
 * @param process the process
 * @param total memory of the process in bytes
 * @param configuration Flink options
 * @returns the sum in words; undefined where it fits, and where only the deployment knows an option
 */
export function overbookedMemory(
  process: 'jobManager' | 'taskManager',
  total: number,
  configuration: { [key: string]: string },
): string | undefined {
  const options = new MemoryOptions(`${process.toLowerCase()}.memory.`, configuration);
  if (!options.areKnown) {
    return undefined;
  }
  const overbooked = divisions(process, total, options).find(({ whole, parts }) => sum(parts) > whole);
  return turnedBounds(process, options) ?? (overbooked ? inWords(overbooked) : leftOver(process, total, options));
}

/** A part with bounds has a least that is not above its most, whatever else divides the memory. */
function turnedBounds(process: 'jobManager' | 'taskManager', options: MemoryOptions): string | undefined {
  const parts = process === 'jobManager' ? (['jvm-overhead'] as const) : (['jvm-overhead', 'network'] as const);
  return parts
    .map((part) => ({ part, least: options.size(`${part}.min`), most: options.size(`${part}.max`) }))
    .filter(({ least, most }) => least > most)
    .map(({ part, least, most }) => `${part}.min ${mebibytes(least)} MiB, more than ${part}.max, ${mebibytes(most)} MiB`)[0];
}

/** Where Flink's own part is stated, the rest is the overhead, which has bounds of its own. */
function leftOver(process: 'jobManager' | 'taskManager', total: number, options: MemoryOptions): string | undefined {
  const heap = process === 'jobManager' ? options.stated('heap.size') : undefined;
  const flink = heap === undefined ? options.stated('flink.size') : heap + options.size('off-heap.size');
  const [overhead, most] = [total - options.size('jvm-metaspace.size') - (flink ?? total), options.size('jvm-overhead.max')];
  return overhead > most ? `${mebibytes(overhead)} MiB left over for jvm-overhead, more than its most, ${mebibytes(most)} MiB` : undefined;
}

function divisions(process: 'jobManager' | 'taskManager', total: number, options: MemoryOptions): Division[] {
  const metaspace = options.size('jvm-metaspace.size');
  const flinkSize = options.stated('flink.size');
  const heap = options.stated(process === 'jobManager' ? 'heap.size' : 'task.heap.size');
  // Where Flink's own part is stated, the overhead is what is left over.
  const derived =
    flinkSize === undefined && (heap === undefined || (process === 'taskManager' && options.stated('managed.size') === undefined));
  const overhead = derived ? options.shareWithin('jvm-overhead', total) : options.size('jvm-overhead.min');
  const flink = flinkSize ?? total - metaspace - overhead;
  const inner = {
    ...(process === 'jobManager'
      ? { 'off-heap': options.size('off-heap.size') }
      : {
          'framework heap': options.size('framework.heap.size'),
          'framework off-heap': options.size('framework.off-heap.size'),
          'task off-heap': options.size('task.off-heap.size'),
          managed: options.stated('managed.size') ?? options.share('managed.fraction', flink),
          network: heap === undefined ? options.shareWithin('network', flink) : options.size('network.min'),
        }),
    // A job manager without a byte of heap does not start.
    heap: heap ?? (process === 'jobManager' ? 1 : 0),
  };
  const outer = { metaspace, overhead };
  return flinkSize === undefined
    ? [{ whole: total, parts: { ...outer, ...inner } }]
    : [
        { whole: total, parts: { ...outer, 'flink.size': flinkSize } },
        { whole: flinkSize, parts: inner },
      ];
}

function sum(parts: { readonly [part: string]: number }): number {
  return Object.values(parts).reduce((all, part) => all + part, 0);
}

function mebibytes(bytes: number): number {
  return Math.ceil(bytes / MEBIBYTE);
}

function inWords({ whole, parts }: Division): string {
  const told = Object.entries(parts).filter(([, bytes]) => bytes > 0);
  return `${told.map(([part, bytes]) => `${part} ${mebibytes(bytes)}`).join(' + ')} MiB, more than ${mebibytes(whole)} MiB`;
}
