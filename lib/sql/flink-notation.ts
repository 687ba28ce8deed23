import { type Duration, type Size, Token, Tokenization } from 'aws-cdk-lib';

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

/**
 * A duration as Flink options take it, in the largest unit that holds it without a fraction: `30 min`, `5 s`, `500 ms`.
 *
 * @param duration the duration; a token keeps the unit that it was given in
 */
export function flinkDuration(duration: Duration): string {
  if (duration.isUnresolved()) {
    return unresolvedDuration(duration);
  }
  const milliseconds = duration.toMilliseconds({ integral: false });
  if (!Number.isInteger(milliseconds)) {
    throw new Error(`a duration for Flink must be a whole number of milliseconds, got ${duration.toHumanString()}`);
  }
  return milliseconds === 0 ? '0 s' : inLargestUnit(milliseconds, DURATION_UNITS);
}

/**
 * A size as Flink options take it, in the largest unit that holds it without a fraction: `5 mb`.
 *
 * @param size the size; a token must be given in mebibytes, since it cannot be converted
 */
export function flinkSize(size: Size): string {
  if (size.isUnresolved()) {
    return `${flinkInteger('size', size.toMebibytes(), 0)} mb`;
  }
  const bytes = size.toBytes();
  return bytes === 0 ? '0 b' : inLargestUnit(bytes, SIZE_UNITS);
}

/**
 * A whole number as Flink options take it.
 *
 * @param what what the number is, as the message should call it
 * @param value the number; a token passes and is resolved at deployment
 * @param min the smallest number allowed
 * @param max the largest number allowed
 */
export function flinkInteger(what: string, value: number, min: number, max?: number): string {
  if (Token.isUnresolved(value)) {
    return Tokenization.stringifyNumber(value);
  }
  if (!Number.isInteger(value) || value < min || (max !== undefined && value > max)) {
    throw new Error(`${what} must be a whole number ${max === undefined ? `of at least ${min}` : `from ${min} to ${max}`}, got ${value}`);
  }
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
