import { Token } from 'aws-cdk-lib';
import { type SourceBinding, type Splits, TableRole } from '../sql/connector';
import type { ProgramBinding } from '../sql/program';
import type { DerivedValue } from './derived-value';

/** A source that is read in splits. */
export interface SplitSource {
  readonly name: string;
  readonly source: SourceBinding;
  readonly splits: Splits;
}

/** The sources of a program that are read in splits. */
export function splitSources(bindings: ProgramBinding[]): SplitSource[] {
  return bindings.flatMap(({ name, binding: { role, source } }) =>
    role === TableRole.SOURCE && source?.splits ? [{ name, source, splits: source.splits }] : [],
  );
}

/** Parallelism of a job and where it comes from. */
export interface Parallelism {
  readonly value: number;
  readonly reason: string;
}

/**
 * The parallelism of a job: what the user states, else the shards of the largest Kinesis source, which cannot have a parallelism of
 * its own in SQL, else the partitions of the largest Kafka source.
 */
export function deriveParallelism(
  jobName: string,
  stated: number | undefined,
  maxParallelism: number,
  bindings: ProgramBinding[],
): Parallelism {
  if (stated !== undefined) {
    if (Token.isUnresolved(stated)) {
      throw new Error(`parallelism of job '${jobName}' must be known at synth, got the token ${stated}; give a number`);
    }
    if (!Number.isInteger(stated) || stated < 1 || stated > maxParallelism) {
      throw new Error(`parallelism of job '${jobName}' must be a whole number from 1 to maxParallelism (${maxParallelism}), got ${stated}`);
    }
    return { value: stated, reason: 'stated; a reshard needs no restart of the job' };
  }
  const sources = splitSources(bindings);
  const shards = sources.filter((source) => source.splits.unit === 'shard');
  const leading = shards.length > 0 ? shards : sources;
  if (leading.length === 0) {
    throw new Error(`parallelism of job '${jobName}' cannot be derived: none of its sources has shards or partitions; state parallelism`);
  }
  const unknown = leading.find((source) => source.splits.count === undefined);
  if (unknown) {
    throw new Error(
      `parallelism of job '${jobName}' cannot be derived: the ${unknown.splits.unit} count of ${unknown.splits.of} is not known at synth (${unknown.splits.unknownBecause ?? 'it was not stated'}); state parallelism of the job`,
    );
  }
  const largest = leading.reduce((left, right) => (right.splits.count! > left.splits.count! ? right : left));
  const { count, unit, of, countReason } = largest.splits;
  checkCount(largest.splits);
  if (count! > maxParallelism) {
    throw new Error(
      `parallelism of job '${jobName}' would be ${count}, the ${unit}s of ${of}, above maxParallelism (${maxParallelism}); state parallelism, or a higher maxParallelism for a new job`,
    );
  }
  return {
    value: count!,
    reason: `${unit}s of ${of}${leading.length > 1 ? `, the largest of ${leading.length} such sources` : ''}${countReason === undefined ? '' : `: ${countReason}`}`,
  };
}

/** A connector of the user's own may say anything. */
function checkCount({ count, unit, of }: Splits): void {
  if (Token.isUnresolved(count) || !Number.isInteger(count) || count! < 1) {
    throw new Error(
      `the ${unit} count of ${of} must be a whole number of at least 1, got ${count}; leave it out where it is not known at synth`,
    );
  }
}

/** Options by table. */
export type TableOptions = { [table: string]: { [key: string]: string } };

/** Parallelism of single sources and sinks, where it differs from that of the job. */
export interface VertexParallelism {
  readonly options: TableOptions;
  readonly derived: DerivedValue[];
  /** The largest parallelism of a vertex: as many slots the job needs. */
  readonly largest: Parallelism;
  /** Writers of each sink. */
  readonly writers: { [table: string]: number };
}

/** The parallelism of each source and sink that can have one of its own. */
export function deriveVertexParallelism(job: Parallelism, maxParallelism: number, bindings: ProgramBinding[]): VertexParallelism {
  const options: TableOptions = {};
  const derived: DerivedValue[] = [];
  const writers: { [table: string]: number } = {};
  let largest: Parallelism = { value: job.value, reason: 'parallelism of the job' };
  const set = (table: string, name: string, value: number, reason: string) => {
    options[table] = { ...options[table], [name]: String(value) };
    derived.push({ name, value: String(value), reason, table });
    if (!Number.isInteger(value) || value < 1 || value > maxParallelism) {
      throw new Error(`${name} of table '${table}' must be a whole number from 1 to maxParallelism (${maxParallelism}), got ${value}`);
    }
    if (value > largest.value) {
      largest = { value, reason: `${name} of ${table}` };
    }
  };
  for (const { name, source, splits } of splitSources(bindings)) {
    if (splits.count !== undefined) {
      checkCount(splits);
    }
    if (source.parallelismOption && splits.count !== undefined && splits.count < job.value) {
      set(
        name,
        source.parallelismOption,
        splits.count,
        `${splits.of} has ${splits.count} ${splits.unit}s: more readers than that would idle`,
      );
    }
  }
  for (const { name, binding } of bindings) {
    const sink = binding.sink;
    if (!sink) {
      continue;
    }
    writers[name] = sink.writers ?? job.value;
    if (!sink.parallelismOption) {
      continue;
    }
    if (sink.writers !== undefined) {
      set(name, sink.parallelismOption, sink.writers, 'stated as writers of the connector');
    } else if (sink.splits?.count !== undefined) {
      checkCount(sink.splits);
      writers[name] = Math.min(sink.splits.count, job.value);
      set(
        name,
        sink.parallelismOption,
        writers[name],
        `least of the ${sink.splits.count} ${sink.splits.unit}s of ${sink.splits.of} and the parallelism of the job (${job.value})`,
      );
    }
  }
  return { options, derived, largest, writers };
}
