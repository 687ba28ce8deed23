import type { Duration } from 'aws-cdk-lib';
import { isWholeWithin, wholeRange } from './whole-number';

/** Units by the method of `Duration` that makes one. */
const UNITS = {
  millis: { words: 'milliseconds', amount: (duration: Duration) => duration.toMilliseconds({ integral: false }) },
  seconds: { words: 'seconds', amount: (duration: Duration) => duration.toSeconds({ integral: false }) },
  hours: { words: 'hours', amount: (duration: Duration) => duration.toHours({ integral: false }) },
  days: { words: 'days', amount: (duration: Duration) => duration.toDays({ integral: false }) },
};

/**
 * The number of milliseconds, seconds, hours or days of a duration, where only whole ones will do.
 *
 * @param prop the prop that gave the duration, for the message
 * @param duration the duration; a token passes where it is given in that unit, since it cannot be converted
 * @param unit the unit
 * @param minimum the smallest number allowed
 * @param maximum the largest number allowed
 * @default maximum - as many as a number holds exactly
 */
export function durationIn(
  prop: string,
  duration: Duration,
  unit: keyof typeof UNITS,
  minimum: number,
  maximum: number = Number.MAX_SAFE_INTEGER,
): number {
  const { words, amount } = UNITS[unit];
  if (duration.isUnresolved()) {
    if (duration.unitLabel() !== unit) {
      throw new Error(
        `${prop} must be a literal, or a token of ${words} (Duration.${unit}): CloudFormation cannot convert ${duration.unitLabel()}`,
      );
    }
    return amount(duration);
  }
  const given = amount(duration);
  if (!isWholeWithin(given, minimum, maximum)) {
    const range = wholeRange(given, minimum, maximum);
    throw new Error(`${prop} must be a whole number of ${words} ${range}, got ${duration.toHumanString()}`);
  }
  return given;
}

/**
 * The milliseconds of a duration that is known at synth.
 *
 * @param prop the prop that gave the duration, for the message
 * @param duration the duration; a token is refused
 * @param minimum the smallest number of milliseconds allowed
 * @param maximum the largest number of milliseconds allowed
 */
export function knownMillis(prop: string, duration: Duration, minimum: number, maximum?: number): number {
  if (duration.isUnresolved()) {
    throw new Error(`${prop} must be known at synth, got a token of ${duration.unitLabel()}`);
  }
  return durationIn(prop, duration, 'millis', minimum, maximum);
}
