import { type Size, SizeRoundingBehavior, Token } from 'aws-cdk-lib';
import { printed } from '../sql/printed';
import { NUMBER, requireProps, SIZE } from '../sql/required-props';
import { checkWholeNumber } from '../sql/whole-number';

/**
 * The load that a stream must carry at its peak.
 *
 * A shard takes 1 MiB/s and 1,000 records/s, and gives 2 MiB/s to all its polling consumers together
 * (https://docs.aws.amazon.com/streams/latest/dev/service-sizes-and-limits.html).
 */
export interface StreamLoad {
  /** What is written in one second: `Size.mebibytes(12)` is 12 MiB/s. */
  readonly writtenPerSecond: Size;

  /** Records written in one second. */
  readonly recordsPerSecond: number;

  /**
   * Consumers that poll the stream and share its read throughput: Flink jobs, Lambda functions, delivery streams. Consumers
   * with enhanced fan-out have throughput of their own and do not count.
   *
   * @default 1
   */
  readonly pollingConsumers?: number;
}

/** The ways to state a capacity. */
export interface StreamCapacityProps {
  readonly shardCount?: number;
  readonly load?: StreamLoad;
  readonly onDemand?: boolean;
  readonly expectedShardCount?: number;
}

/** A capacity, and how many shards are known of it at synth. */
export interface StreamCapacity extends KnownShards {
  /** For the template; unset for an on-demand stream, where CloudFormation refuses one. */
  readonly provisionedShardCount?: number;
}

/** How many shards are known at synth and why, or why not. */
export interface KnownShards {
  readonly shardCount?: number;
  readonly shardCountReason?: string;
  readonly shardCountUnknownBecause?: string;
}

/** Turns the stated capacity into shards. Throws unless exactly one is stated. */
export function streamCapacity(props: StreamCapacityProps): StreamCapacity {
  const stated = [
    ...(props.shardCount !== undefined ? ['shardCount'] : []),
    ...(props.load !== undefined ? ['load'] : []),
    ...(props.onDemand ? ['onDemand'] : []),
  ];
  if (stated.length !== 1) {
    throw new Error(`an event stream takes exactly one of shardCount, load and onDemand, got ${stated.join(' and ') || 'none of them'}`);
  }
  if (props.expectedShardCount !== undefined && !props.onDemand) {
    throw new Error(`expectedShardCount is for an on-demand stream only, got it with ${stated[0]}; remove it`);
  }
  if (props.onDemand) {
    return onDemandShards(props.expectedShardCount);
  }
  if (props.load) {
    const sized = shardsForLoad(props.load);
    checkWholeNumber('the shard count for load', sized.shardCount, 1);
    return { provisionedShardCount: sized.shardCount, ...sized };
  }
  return { provisionedShardCount: props.shardCount, ...statedShards(props.shardCount!) };
}

/** Shards that somebody typed, of our own or of an existing stream. */
export function statedShards(shardCount: number): KnownShards {
  if (Token.isUnresolved(shardCount)) {
    return { shardCountUnknownBecause: `shardCount is ${printed(shardCount)}; state it as a number` };
  }
  checkWholeNumber('shardCount', shardCount, 1);
  return { shardCount, shardCountReason: 'stated as shardCount' };
}

function onDemandShards(expected?: number): KnownShards {
  if (expected === undefined) {
    return { shardCountUnknownBecause: 'the stream is on-demand, its shards follow the load; state expectedShardCount' };
  }
  if (Token.isUnresolved(expected)) {
    throw new Error(`expectedShardCount must be a number known at synth, got ${printed(expected)}`);
  }
  checkWholeNumber('expectedShardCount', expected, 1);
  return { shardCount: expected, shardCountReason: 'stated as expectedShardCount of an on-demand stream' };
}

function shardsForLoad(load: StreamLoad): Required<Pick<KnownShards, 'shardCount' | 'shardCountReason'>> {
  requireProps('load', load, { writtenPerSecond: SIZE, recordsPerSecond: NUMBER, 'pollingConsumers?': NUMBER });
  const consumers = load.pollingConsumers ?? 1;
  if (load.writtenPerSecond.isUnresolved() || Token.isUnresolved(load.recordsPerSecond) || Token.isUnresolved(consumers)) {
    throw new Error(
      'load must be made of numbers known at synth, got a token; shards cannot be computed from one, state shardCount instead',
    );
  }
  if (!(load.recordsPerSecond > 0) || !Number.isFinite(load.recordsPerSecond)) {
    throw new Error(`load.recordsPerSecond must be greater than 0, got ${load.recordsPerSecond}`);
  }
  checkWholeNumber('load.pollingConsumers', consumers, 1);
  const bytes = load.writtenPerSecond.toBytes({ rounding: SizeRoundingBehavior.NONE });
  if (bytes <= 0) {
    throw new Error(`load.writtenPerSecond must be greater than 0, got ${bytes} bytes`);
  }

  const mebibyte = 1024 * 1024;
  const mebibytes = Number((bytes / mebibyte).toPrecision(4));
  const needs = [
    { shardCount: Math.ceil(bytes / mebibyte), reason: `${mebibytes} MiB/s written, 1 MiB/s per shard` },
    {
      shardCount: Math.ceil(load.recordsPerSecond / 1000),
      reason: `${load.recordsPerSecond} records/s written, 1,000 records/s per shard`,
    },
    {
      shardCount: Math.ceil((bytes * consumers) / (2 * mebibyte)),
      reason: `${mebibytes} MiB/s read by each of ${consumers} polling consumer${consumers > 1 ? 's' : ''}, 2 MiB/s per shard`,
    },
  ];
  const largest = needs.reduce((most, need) => (need.shardCount > most.shardCount ? need : most));
  return { shardCount: largest.shardCount, shardCountReason: largest.reason };
}
