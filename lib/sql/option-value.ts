import { quotedAlternatives } from './nearest-names';

/*
 * How Flink 2.2.1 reads the text of an option (ConfigurationUtils, TimeUtils, MemorySize), case included: a value that is
 * refused here stops the job manager ("Could not parse value …") or the planner.
 */

const DURATION_UNIT_MILLIS = new Map<string, number>([
  ['', 1],
  ...['d', 'day', 'days'].map((unit): [string, number] => [unit, 86_400_000]),
  ...['h', 'hour', 'hours'].map((unit): [string, number] => [unit, 3_600_000]),
  ...['min', 'm', 'minute', 'minutes'].map((unit): [string, number] => [unit, 60_000]),
  ...['s', 'sec', 'secs', 'second', 'seconds'].map((unit): [string, number] => [unit, 1_000]),
  ...['ms', 'milli', 'millis', 'millisecond', 'milliseconds'].map((unit): [string, number] => [unit, 1]),
  ...['µs', 'micro', 'micros', 'microsecond', 'microseconds'].map((unit): [string, number] => [unit, 1e-3]),
  ...['ns', 'nano', 'nanos', 'nanosecond', 'nanoseconds'].map((unit): [string, number] => [unit, 1e-6]),
]);

const MEMORY_UNIT_BYTES = new Map<string, number>([
  ...['', 'b', 'bytes'].map((unit): [string, number] => [unit, 1]),
  ...['k', 'kb', 'kibibytes'].map((unit): [string, number] => [unit, 1024]),
  ...['m', 'mb', 'mebibytes'].map((unit): [string, number] => [unit, 1024 ** 2]),
  ...['g', 'gb', 'gibibytes'].map((unit): [string, number] => [unit, 1024 ** 3]),
  ...['t', 'tb', 'tebibytes'].map((unit): [string, number] => [unit, 1024 ** 4]),
]);

const ISO_DURATION = /^P(?=[\dT])(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d{1,9})?)S)?)?$/i;
const JAVA_FLOATING = /^[+-]?(?:NaN|Infinity|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?)$/;

/** Milliseconds of a Flink duration (`10 s`, `1min`, `PT10S`; a bare number is milliseconds), undefined where Flink refuses it. */
export function parseFlinkDuration(text: string): number | undefined {
  const iso = ISO_DURATION.exec(text.trim());
  if (iso) {
    const [days, hours, minutes, seconds] = iso.slice(1).map((part) => Number((part ?? '0').replace(',', '.')));
    return ((days * 24 + hours) * 60 + minutes) * 60_000 + seconds * 1_000;
  }
  return parseWithUnit(text, DURATION_UNIT_MILLIS);
}

/** Bytes of a Flink memory size (`64mb`; a bare number is bytes), undefined where Flink refuses it (`2Gi`). */
export function parseFlinkMemorySize(text: string): number | undefined {
  return parseWithUnit(text, MEMORY_UNIT_BYTES);
}

function parseWithUnit(text: string, units: Map<string, number>): number | undefined {
  const parts = /^([0-9]+)\s*([^0-9\s]*)$/.exec(text.trim());
  const factor = parts ? units.get(parts[2].toLowerCase()) : undefined;
  return parts && factor !== undefined ? Number(parts[1]) * factor : undefined;
}

/** The number that a value of a numeric type stands for (a duration in milliseconds, a size in bytes), for range checks. */
export function numberOfValue(type: string, text: string): number | undefined {
  switch (type) {
    case 'Duration':
      return parseFlinkDuration(text);
    case 'MemorySize':
      return parseFlinkMemorySize(text);
    case 'Integer':
    case 'Long':
    case 'Double':
    case 'Float':
      return Number.parseFloat(text);
    default:
      return undefined;
  }
}

/**
 * What a value must be, undefined where Flink takes it: completes the sentence "'key' must be …".
 *
 * @param type type of the option: `Boolean`, `Integer`, `Long`, `Double`, `Float`, `Duration`, `MemorySize`, an enum, or
 * `List<…>` of one of them; every other type takes any text
 * @param text the value
 * @param values the values of an enum, matched without case as Flink does
 */
export function expectedValue(type: string, text: string, values?: readonly string[]): string | undefined {
  const element = /^List<(.+)>$/.exec(type)?.[1];
  if (element !== undefined) {
    const wrong = listElements(text).some((part) => expectedValue(element, part, values) !== undefined);
    return wrong ? `a list, separated by ';', of ${values ? quotedAlternatives(values) : element}` : undefined;
  }
  if (values) {
    return values.some((value) => value.toUpperCase() === text.toUpperCase()) ? undefined : quotedAlternatives(values);
  }
  switch (type) {
    case 'Boolean':
      return /^(true|false)$/i.test(text) ? undefined : `'true' or 'false'`;
    case 'Integer':
      return isWholeNumber(text, 2n ** 31n) ? undefined : 'a whole number (32 bits)';
    case 'Long':
      return isWholeNumber(text, 2n ** 63n) ? undefined : 'a whole number';
    case 'Double':
    case 'Float':
      return JAVA_FLOATING.test(text.trim()) ? undefined : 'a number';
    case 'Duration':
      return parseFlinkDuration(text) === undefined ? `a duration such as '500 ms', '10 s', '5 min', '1 h' or '7 d'` : undefined;
    case 'MemorySize':
      return parseFlinkMemorySize(text) === undefined ? `a memory size such as '64 mb' or '2 gb' (units b, kb, mb, gb, tb)` : undefined;
    default:
      return undefined;
  }
}

function isWholeNumber(text: string, limit: bigint): boolean {
  if (!/^[+-]?[0-9]+$/.test(text)) {
    return false;
  }
  const value = BigInt(text.replace(/^\+/, ''));
  return value >= -limit && value < limit;
}

function listElements(text: string): string[] {
  const flow = /^\[(.*)\]$/s.exec(text.trim());
  return (flow ? flow[1].split(',') : text.split(';')).map((part) => part.trim()).filter((part) => part !== '');
}
