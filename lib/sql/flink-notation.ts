import { type Duration, Size, SizeRoundingBehavior, Token, Tokenization } from 'aws-cdk-lib';
import { durationIn } from './duration-in';
import { checkWholeNumber } from './whole-number';

/** Units of Flink durations from the largest to the smallest, in milliseconds. */
const DURATION_UNITS: [string, number][] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
  ['ms', 1],
];

/** Units of Flink memory sizes from the largest to the smallest, in bytes: they are powers of 1024 whatever their name says. */
const SIZE_UNITS: [string, number][] = [
  ['tb', 1024 ** 4],
  ['gb', 1024 ** 3],
  ['mb', 1024 ** 2],
  ['kb', 1024],
  ['b', 1],
];

/** Milliseconds of the longest duration that Flink counts in nanoseconds, in a `long` of Java: 106,751 days. */
export const LONGEST_FLINK_MILLIS = 9_223_372_036_854;

/** Flink and Kubernetes hold a number of bytes in 64 bits, with a sign: it must be smaller than this. */
const SIZE_LIMIT = Size.pebibytes(8 * 1024);

/**
 * A duration as Flink options take it, in the largest unit that holds it without a fraction: `30 min`, `5 s`, `500 ms`.
 *
 * @param duration the duration; a token keeps the unit that it was given in
 * @param what what the duration is, as messages should call it
 * @param minimum the smallest number of milliseconds allowed
 */
export function flinkDuration(duration: Duration, what: string = 'a duration for Flink', minimum: number = 0): string {
  if (duration.isUnresolved()) {
    return unresolvedDuration(duration);
  }
  const milliseconds = durationIn(what, duration, 'millis', minimum, LONGEST_FLINK_MILLIS);
  return milliseconds === 0 ? '0 s' : inLargestUnit(milliseconds, DURATION_UNITS);
}

/**
 * A size as Flink options take it, in the largest unit that holds it without a fraction: `5 mb`.
 *
 * @param size the size; a token must be given in mebibytes, since it cannot be converted
 * @param what what the size is, as messages should call it
 */
export function flinkSize(size: Size, what: string = 'a size for Flink'): string {
  if (size.isUnresolved()) {
    return `${Tokenization.stringifyNumber(tokenMebibytes(what, size))} mb`;
  }
  const bytes = sizeInBytes(what, size);
  if (!Number.isInteger(bytes)) {
    throw new Error(`${what} must be a whole number of bytes, got ${bytes}`);
  }
  return bytes === 0 ? '0 b' : inLargestUnit(bytes, SIZE_UNITS);
}

/**
 * The bytes of a literal size, a fraction included, where they are not too many.
 *
 * @param what what the size is, as messages should call it
 * @param size the size
 */
export function sizeInBytes(what: string, size: Size): number {
  const bytes = size.toBytes({ rounding: SizeRoundingBehavior.NONE });
  if (!(bytes < SIZE_LIMIT.toBytes())) {
    throw new Error(`${what} must be smaller than ${SIZE_LIMIT.toPebibytes()} PiB, got ${bytes / Size.pebibytes(1).toBytes()} PiB`);
  }
  return bytes;
}

/**
 * The mebibytes of a size that is a token.
 *
 * @param what what the size is, as messages should call it
 * @param size the size
 */
export function tokenMebibytes(what: string, size: Size): number {
  try {
    return size.toMebibytes();
  } catch {
    // `Size` does not tell the unit that it was given in.
    throw new Error(`${what} must be a literal, or a token of mebibytes (Size.mebibytes): CloudFormation cannot convert another unit`);
  }
}

/**
 * A whole number as Flink options take it.
 *
 * @param what what the number is, as the message should call it
 * @param value the number; a token passes and is resolved at deployment
 * @param min the smallest number allowed
 * @param max the largest number allowed
 * @default max - 2,147,483,647: options of 64 bits state theirs
 */
export function flinkInteger(what: string, value: number, min: number, max?: number): string {
  if (Token.isUnresolved(value)) {
    return Tokenization.stringifyNumber(value);
  }
  checkWholeNumber(what, value, min, max);
  return String(value);
}

function inLargestUnit(amount: number, units: [string, number][]): string {
  const [unit, factor] = units.find(([, size]) => amount % size === 0)!;
  return `${amount / factor} ${unit}`;
}

function unresolvedDuration(duration: Duration): string {
  switch (duration.unitLabel()) {
    case 'millis':
      return `${Tokenization.stringifyNumber(duration.toMilliseconds())} ms`;
    case 'seconds':
      return `${Tokenization.stringifyNumber(duration.toSeconds())} s`;
    case 'minutes':
      return `${Tokenization.stringifyNumber(duration.toMinutes())} min`;
    case 'hours':
      return `${Tokenization.stringifyNumber(duration.toHours())} h`;
    default:
      return `${Tokenization.stringifyNumber(duration.toDays())} d`;
  }
}
