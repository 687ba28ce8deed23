import { Token } from 'aws-cdk-lib';

/**
 * Refuses a concrete number that is not whole or is out of range.
 *
 * @param prop the prop that gave the number, for the message
 * @param value the number; an unset one or a token passes
 */
export function checkWholeNumber(prop: string, value: number | undefined, minimum: number, maximum?: number): void {
  if (value === undefined || Token.isUnresolved(value)) {
    return;
  }
  if (!Number.isInteger(value) || value < minimum || (maximum !== undefined && value > maximum)) {
    const range = maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
    throw new Error(`${prop} must be a whole number ${range}, got ${value}`);
  }
}
