import { type Duration, Token } from 'aws-cdk-lib';
import { type DataType, DataTypeRoot } from '../sql/data-type';
import { flinkDuration, flinkInteger } from '../sql/flink-notation';
import { checkDuration, definedOptions } from './typed-value';

/** Random values of a column. */
export interface RandomFieldOptions {
  /** Smallest number, for a numeric column. @default - the smallest of the type */
  readonly min?: number;
  /** Largest number, for a numeric column. @default - the largest of the type */
  readonly max?: number;
  /** Length of text or bytes, elements of an array, a multiset or a map. @default - Flink's: 100, elements 3 */
  readonly length?: number;
  /** How far a timestamp may lie in the past. @default - none: all are the time of the machine */
  readonly maxPast?: Duration;
  /** Share of NULLs, 0 to 1. @default 0 */
  readonly nullRate?: number;
}

/** How the values of a generated column are made. */
export class DataGenField {
  /**
   * Random values.
   *
   * @param options bounds that suit the type of the column
   */
  public static random(options: RandomFieldOptions = {}): DataGenField {
    const { min, max, nullRate } = options;
    checkNumber('min', min);
    checkNumber('max', max);
    checkNumber('nullRate', nullRate);
    if (isConcrete(min) && isConcrete(max) && min > max) {
      throw new Error(`min of a random field must not be above max, got min ${min} and max ${max}`);
    }
    if (isConcrete(nullRate) && (nullRate < 0 || nullRate > 1)) {
      throw new Error(`nullRate of a random field must be from 0 to 1, got ${nullRate}`);
    }
    checkDuration('maxPast of a random field', options.maxPast, 0);
    return new DataGenField({
      min: min === undefined ? undefined : numberText(min),
      max: max === undefined ? undefined : numberText(max),
      length: options.length === undefined ? undefined : flinkInteger('length of a random field', options.length, 1),
      'max-past': options.maxPast && flinkDuration(options.maxPast),
      'null-rate': nullRate === undefined ? undefined : numberText(nullRate),
    });
  }

  /**
   * The whole numbers from `start` to `end`, each once, divided among the parallel subtasks. The table ends with them.
   *
   * @param start first number
   * @param end last number, `start` at least
   */
  public static sequence(start: number, end: number): DataGenField {
    const rendered = {
      kind: 'sequence',
      start: flinkInteger('start of a sequence', start, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
      end: flinkInteger('end of a sequence', end, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
    };
    if (isConcrete(start) && isConcrete(end) && start > end) {
      throw new Error(`end of a sequence must not be below start, got start ${start} and end ${end}`);
    }
    return new DataGenField(rendered);
  }

  private constructor(private readonly settings: { [setting: string]: string | undefined }) {}

  /**
   * Refuses a setting that does not suit the column.
   *
   * @internal
   */
  public _check(column: string, type: DataType): void {
    for (const [setting, { property, roots }] of Object.entries(SETTINGS)) {
      if (this.settings[setting] !== undefined && !roots.includes(type.root)) {
        throw new Error(`${property} must be for a column of type ${roots.join(', ')}, got the column '${column}' of type ${type}`);
      }
    }
    const nullRate = this.settings['null-rate'];
    if (nullRate !== undefined && nullRate !== '0' && !type.nullable) {
      throw new Error(`nullRate must be 0 for the column '${column}', which is NOT NULL, got ${nullRate}`);
    }
  }

  /** @internal */
  public _options(column: string): { [key: string]: string } {
    const entries = Object.entries(definedOptions(this.settings));
    return Object.fromEntries(entries.map(([setting, value]) => [`fields.${column}.${setting}`, value]));
  }
}

/** Settings that not every type has. */
const SETTINGS: { [setting: string]: { property: string; roots: DataTypeRoot[] } } = {
  min: { property: 'min of a random field', roots: [DataTypeRoot.NUMERIC] },
  max: { property: 'max of a random field', roots: [DataTypeRoot.NUMERIC] },
  length: {
    property: 'length of a random field',
    roots: [DataTypeRoot.CHARACTER_STRING, DataTypeRoot.BINARY_STRING, DataTypeRoot.ARRAY, DataTypeRoot.MULTISET, DataTypeRoot.MAP],
  },
  'max-past': { property: 'maxPast of a random field', roots: [DataTypeRoot.TIMESTAMP, DataTypeRoot.TIMESTAMP_LTZ] },
  kind: { property: 'a sequence', roots: [DataTypeRoot.NUMERIC, DataTypeRoot.CHARACTER_STRING] },
};

function isConcrete(value: number | undefined): value is number {
  return value !== undefined && !Token.isUnresolved(value);
}

function checkNumber(name: string, value: number | undefined): void {
  if (value !== undefined && Token.isUnresolved(value)) {
    throw new Error(`${name} of a random field must be known at synth, got a token; state the number`);
  }
  if (value !== undefined && !Number.isFinite(value)) {
    throw new Error(`${name} of a random field must be a number, got ${value}`);
  }
}

/** JavaScript writes very large and very small numbers with an exponent, which Flink does not read for integers. */
function numberText(value: number): string {
  return Number.isInteger(value) ? BigInt(value).toString() : `${value}`;
}
