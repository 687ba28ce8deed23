import { Token } from 'aws-cdk-lib';
import { printed } from './printed';

/** The largest `int` of Java: what Flink, Kafka and the APIs of AWS hold a count in. */
export const INT_MAX = 2 ** 31 - 1;

/**
 * Refuses a concrete number that is not whole or is out of range.
 *
 * @param prop the prop that gave the number, for the message
 * @param value the number; an unset one or a token passes
 * @param minimum the smallest number allowed
 * @param maximum the largest number allowed
 * @default maximum - 2,147,483,647
 */
export function checkWholeNumber(prop: string, value: number | undefined, minimum: number, maximum: number = INT_MAX): void {
  if (value !== undefined && !Token.isUnresolved(value) && !isWholeWithin(value, minimum, maximum)) {
    throw new Error(`${prop} must be a whole number ${wholeRange(value, minimum, maximum)}, got ${value}`);
  }
}

/**
 * Refuses a number that is a token, is not whole or is out of range.
 *
 * @param prop the prop that gave the number, for the message
 * @param value the number; an unset one passes
 * @param minimum the smallest number allowed
 * @param maximum the largest number allowed
 * @default maximum - 2,147,483,647
 */
export function checkKnownWhole(prop: string, value: number | undefined, minimum: number, maximum: number = INT_MAX): void {
  if (value !== undefined && Token.isUnresolved(value)) {
    throw new Error(`${prop} must be known at synth, got ${printed(value)}`);
  }
  checkWholeNumber(prop, value, minimum, maximum);
}

/** The range in words; a maximum that only a machine sets is told to who exceeds it. */
export function wholeRange(value: number, minimum: number, maximum: number): string {
  return maximum >= INT_MAX && !(value > maximum) ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
}

/** Whether a number is whole and in range. */
export function isWholeWithin(value: number, minimum: number, maximum: number): boolean {
  return Number.isInteger(value) && value >= minimum && value <= maximum;
}
