import { type Duration, type Size, Token } from 'aws-cdk-lib';
import { flinkInteger } from '../sql/flink-notation';
import { redacted } from '../sql/redacted';
import { DURATION, requireKind, SIZE } from '../sql/required-props';

/**
 * A text as a table option.
 *
 * @param prop the prop that gave the text, for the message
 * @param value the text; a token passes
 */
export function textOption(prop: string, value: string): string {
  if (typeof value !== 'string') {
    throw new Error(`${prop} must be text, got ${value === undefined ? 'nothing' : `a value of type ${typeof value}`}`);
  }
  if (value.trim() === '') {
    throw new Error(`${prop} must not be empty, got '${value}'`);
  }
  if (value.includes('${env:')) {
    throw new Error(
      `${prop} must not hold '\${env:', got '${redacted(value)}'; only secrets are put in when the job starts: give a SecretRef`,
    );
  }
  return value;
}

/**
 * Refuses a number of writers that is no whole number. The job computes with it, so a token cannot stand for it.
 *
 * @param writers what the prop `writers` says
 */
export function checkWriters(writers: number | undefined): void {
  if (writers === undefined) {
    return;
  }
  if (Token.isUnresolved(writers)) {
    throw new Error('writers must be known at synth, got a token; state the number');
  }
  flinkInteger('writers', writers, 1, MAX_PARALLELISM);
}

/** Flink's upper bound of a parallelism (`pipeline.max-parallelism`). */
const MAX_PARALLELISM = 32_768;

/**
 * Refuses a concrete duration below a minimum.
 *
 * @param prop the prop that gave the duration, for the message
 * @param duration the duration; an unset one or a token passes
 * @param minimumMillis shortest duration in milliseconds
 */
export function checkDuration(prop: string, duration: Duration | undefined, minimumMillis: number): void {
  if (duration === undefined) {
    return;
  }
  requireKind(prop, duration, DURATION);
  if (!duration.isUnresolved() && duration.toMilliseconds({ integral: false }) < minimumMillis) {
    throw new Error(`${prop} must be at least ${minimumMillis} ms, got ${duration.toMilliseconds({ integral: false })} ms`);
  }
}

/**
 * Refuses a concrete size of nothing.
 *
 * @param prop the prop that gave the size, for the message
 * @param size the size; an unset one or a token passes
 */
export function checkSize(prop: string, size: Size | undefined): void {
  if (size === undefined) {
    return;
  }
  requireKind(prop, size, SIZE);
  if (!size.isUnresolved() && size.toBytes() < 1) {
    throw new Error(`${prop} must be at least 1 byte, got ${size.toBytes()} bytes`);
  }
}

/**
 * Leaves out what is unset, so that the connector's own default stands.
 *
 * @param options options, some of them unset
 */
export function definedOptions(options: { [key: string]: string | undefined }): { [key: string]: string } {
  return Object.fromEntries(Object.entries(options).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
