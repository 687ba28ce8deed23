import { checkNoVariable } from '../sql/identifier';
import type { PhysicalColumn } from './job-script';
import { keyRange } from './smoke-key';
import { isBytes, isText, typeParts, wholeDigits } from './type-kinds';

/** A value of the row. */
export interface SmokeValue {
  /** As people read it. */
  readonly text: string;
  /** As the record has it: a BIGINT and a DECIMAL may have more digits than a number of JavaScript. */
  readonly json: string;
}

/** A text or a number. */
export function textOrNumber(value: string | bigint): SmokeValue {
  return typeof value === 'bigint' ? plain(`${value}`) : { text: value, json: JSON.stringify(value) };
}

const NULL = plain('null');

/**
 * A value as Debezium writes it, that fits the type, whatever its size.
 *
 * @param table name of the table, for messages
 * @param column the column
 * @param version 1 for the row that is inserted, 2 for what the update makes of it
 * @param iso whether times have a T between day and hour
 */
export function madeValue(table: string, { name: column, type, nullable }: PhysicalColumn, version: 1 | 2, iso: boolean): SmokeValue {
  const { name, length, scale } = typeParts(type);
  const digits = wholeDigits(type);
  if (digits !== undefined) {
    return plain(`${digits === 0 ? version / 10 ** scale! : version}`);
  }
  // A database column may have room for a single character, whatever the type says here.
  const text = `${version}`;
  if (isText(type)) {
    return textOrNumber(text);
  }
  switch (name) {
    case 'BOOLEAN':
      return plain(`${version === 1}`);
    case 'BINARY':
    case 'VARBINARY':
    case 'BYTES':
      return bytes(name === 'BINARY' ? text.repeat(length!) : text);
    case 'DATE':
      return textOrNumber(`2026-01-0${version}`);
    case 'TIME':
      return textOrNumber(`00:00:0${version}`);
    case 'TIMESTAMP':
      return textOrNumber(`2026-01-01${iso ? 'T' : ' '}00:00:0${version}`);
    case 'TIMESTAMP_LTZ':
      return textOrNumber(`2026-01-01${iso ? 'T' : ' '}00:00:0${version}Z`);
    default:
      if (!nullable) {
        throw new Error(
          `no value is made for column '${column}' of table '${table}', which is ${type} NOT NULL: send a change of your own`,
        );
      }
      return NULL;
  }
}

const NUMBER = /^-?(0|[1-9]\d*)(\.(\d+))?$/;
const FORMS: { readonly [name: string]: RegExp } = {
  BOOLEAN: /^(true|false)$/,
  DATE: /^\d{4}-\d\d-\d\d$/,
  TIME: /^\d\d:\d\d:\d\d(\.\d+)?$/,
  TIMESTAMP: /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?$/,
  TIMESTAMP_LTZ: /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?Z$/,
};
const EXAMPLES: { readonly [name: string]: string } = {
  BOOLEAN: 'true or false',
  DATE: 'such as 2026-01-31',
  TIME: 'such as 10:00:00',
  TIMESTAMP: 'such as 2026-01-31 10:00:00',
  TIMESTAMP_LTZ: 'such as 2026-01-31 10:00:00Z',
};

/**
 * A stated value, `NULL` where there is to be none.
 *
 * @param table name of the table, for messages
 * @param column the column
 * @param text the value as it stands on the command line
 * @param iso whether times have a T between day and hour
 */
export function statedValue(table: string, column: PhysicalColumn, text: string, iso: boolean): SmokeValue {
  const { type } = column;
  const { name, length, scale = 0 } = typeParts(type);
  const check = (holds: boolean, what: string) => {
    if (!holds) {
      throw new Error(
        `--set ${column.name} must be ${what} for column '${column.name}' of table '${table}', which is ${type}${isText(type) ? ' here or in a sink' : ''}, got '${text}'`,
      );
    }
  };
  checkNoVariable('--set', text);
  if (text === 'NULL') {
    check(column.nullable === true, 'a value, since it is NOT NULL,');
    return NULL;
  }
  if (isText(type)) {
    check(text.length <= (length ?? Number.POSITIVE_INFINITY), `at most ${length} characters`);
    return textOrNumber(text);
  }
  if (isBytes(type)) {
    check(Buffer.byteLength(text) <= (length ?? Number.POSITIVE_INFINITY), `at most ${length} bytes of text`);
    return bytes(text);
  }
  const digits = wholeDigits(type);
  const number = NUMBER.exec(text);
  if (name === 'DECIMAL') {
    const fits = number !== null && number[1]!.replace(/^0$/, '').length <= digits! && (number[3] ?? '').length <= scale;
    check(fits, `a number of at most ${digits} digits before the point and ${scale} after it`);
    return plain(text);
  }
  if (name === 'FLOAT' || name === 'DOUBLE') {
    check(number !== null, 'a number');
    return plain(text);
  }
  if (digits !== undefined) {
    const { least, most } = keyRange(type)!;
    const whole = number !== null && number[2] === undefined ? BigInt(text) : undefined;
    check(whole !== undefined && whole >= least && whole <= most, `a whole number from ${least} to ${most}`);
    return plain(text);
  }
  check(FORMS[name] !== undefined, 'left out, since no value can be given');
  check(FORMS[name]!.test(text), EXAMPLES[name]!);
  return name === 'BOOLEAN' ? plain(text) : textOrNumber(text.replace(/[ T]/, iso ? 'T' : ' '));
}

function plain(text: string): SmokeValue {
  return { text, json: text };
}

function bytes(text: string): SmokeValue {
  return { text, json: JSON.stringify(Buffer.from(text).toString('base64')) };
}
