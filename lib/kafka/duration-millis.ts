import { type Duration, Token, Tokenization } from 'aws-cdk-lib';

/**
 * A duration as Kafka writes it, in milliseconds.
 *
 * @param prop the prop that gave the duration, for the message
 * @param duration the duration; a token passes where it is one of milliseconds
 * @param minimum least number of milliseconds
 */
export function durationMillis(prop: string, duration: Duration | undefined, minimum: number): string | undefined {
  if (duration === undefined) {
    return undefined;
  }
  if (duration.isUnresolved() && duration.unitLabel() !== 'millis') {
    throw new Error(
      `${prop} must be a literal, or a token of milliseconds (Duration.millis): CloudFormation cannot convert ${duration.unitLabel()}`,
    );
  }
  const millis = duration.toMilliseconds();
  if (!Token.isUnresolved(millis) && millis < minimum) {
    throw new Error(`${prop} must be at least ${minimum} ms, got ${millis} ms`);
  }
  return Tokenization.stringifyNumber(millis);
}
