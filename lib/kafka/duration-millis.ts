import { type Duration, Tokenization } from 'aws-cdk-lib';
import { durationIn } from '../sql/duration-in';

/**
 * A duration as Kafka writes it, in milliseconds.
 *
 * @param prop the prop that gave the duration, for the message
 * @param duration the duration; a token passes where it is one of milliseconds
 * @param minimum least number of milliseconds
 */
export function durationMillis(prop: string, duration: Duration | undefined, minimum: number): string | undefined {
  return duration && Tokenization.stringifyNumber(durationIn(prop, duration, 'millis', minimum));
}
