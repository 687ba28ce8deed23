import { Token } from 'aws-cdk-lib';
import { checkLiteral, checkName, quoteIdentifier, quoteString } from './identifier';

/** The family of a data type, for connectors that take some types only. */
export enum DataTypeRoot {
  /** CHAR, VARCHAR and STRING. */
  CHARACTER_STRING = 'character string',
  /** BOOLEAN. */
  BOOLEAN = 'boolean',
  /** BINARY, VARBINARY and BYTES. */
  BINARY_STRING = 'binary string',
  /** DECIMAL, the integers, FLOAT and DOUBLE. */
  NUMERIC = 'numeric',
  /** DATE. */
  DATE = 'date',
  /** TIME. */
  TIME = 'time',
  /** TIMESTAMP, a wall-clock time without a zone. */
  TIMESTAMP = 'timestamp',
  /** TIMESTAMP_LTZ, an instant. */
  TIMESTAMP_LTZ = 'timestamp_ltz',
  /** INTERVAL. */
  INTERVAL = 'interval',
  /** ARRAY. */
  ARRAY = 'array',
  /** MULTISET. */
  MULTISET = 'multiset',
  /** MAP. */
  MAP = 'map',
  /** ROW. */
  ROW = 'row',
  /** RAW. */
  RAW = 'raw',
  /** VARIANT. */
  VARIANT = 'variant',
}

/** A field of a ROW type. */
export interface RowField {
  /** Name of the field. */
  readonly name: string;
  /** Type of the field. */
  readonly type: DataType;
  /** Comment of the field. @default - none */
  readonly comment?: string;
}

/**
 * A data type of Flink SQL. Types are nullable, as in SQL; `notNull()` gives the other one.
 *
 * @see https://nightlies.apache.org/flink/flink-docs-release-2.2/docs/dev/table/types/
 */
export class DataType {
  /** Text of any length. */
  public static readonly STRING = new DataType('STRING', DataTypeRoot.CHARACTER_STRING);
  /** TRUE or FALSE. */
  public static readonly BOOLEAN = new DataType('BOOLEAN', DataTypeRoot.BOOLEAN);
  /** Bytes of any length. */
  public static readonly BYTES = new DataType('BYTES', DataTypeRoot.BINARY_STRING);
  /** 1-byte integer. */
  public static readonly TINYINT = new DataType('TINYINT', DataTypeRoot.NUMERIC);
  /** 2-byte integer. */
  public static readonly SMALLINT = new DataType('SMALLINT', DataTypeRoot.NUMERIC);
  /** 4-byte integer. */
  public static readonly INT = new DataType('INT', DataTypeRoot.NUMERIC);
  /** 8-byte integer. */
  public static readonly BIGINT = new DataType('BIGINT', DataTypeRoot.NUMERIC);
  /** 4-byte floating point number. */
  public static readonly FLOAT = new DataType('FLOAT', DataTypeRoot.NUMERIC);
  /** 8-byte floating point number. */
  public static readonly DOUBLE = new DataType('DOUBLE', DataTypeRoot.NUMERIC);
  /** Calendar day. */
  public static readonly DATE = new DataType('DATE', DataTypeRoot.DATE);
  /** Semi-structured value, since Flink 2.1. */
  public static readonly VARIANT = new DataType('VARIANT', DataTypeRoot.VARIANT);

  /**
   * Text of exactly `length` characters.
   *
   * @param length 1 to 2,147,483,647
   */
  public static char(length: number): DataType {
    return new DataType(`CHAR(${checkInteger('length of CHAR', length, 1, MAX_LENGTH)})`, DataTypeRoot.CHARACTER_STRING);
  }

  /**
   * Text of at most `length` characters.
   *
   * @param length 1 to 2,147,483,647
   */
  public static varchar(length: number): DataType {
    return new DataType(`VARCHAR(${checkInteger('length of VARCHAR', length, 1, MAX_LENGTH)})`, DataTypeRoot.CHARACTER_STRING);
  }

  /**
   * Exactly `length` bytes.
   *
   * @param length 1 to 2,147,483,647
   */
  public static binary(length: number): DataType {
    return new DataType(`BINARY(${checkInteger('length of BINARY', length, 1, MAX_LENGTH)})`, DataTypeRoot.BINARY_STRING);
  }

  /**
   * At most `length` bytes.
   *
   * @param length 1 to 2,147,483,647
   */
  public static varbinary(length: number): DataType {
    return new DataType(`VARBINARY(${checkInteger('length of VARBINARY', length, 1, MAX_LENGTH)})`, DataTypeRoot.BINARY_STRING);
  }

  /**
   * Exact number.
   *
   * @param precision digits in all, 1 to 38
   * @param scale digits after the point, 0 to `precision`
   */
  public static decimal(precision: number, scale: number): DataType {
    checkInteger('precision of DECIMAL', precision, 1, 38);
    checkInteger('scale of DECIMAL', scale, 0, precision);
    return new DataType(`DECIMAL(${precision}, ${scale})`, DataTypeRoot.NUMERIC);
  }

  /**
   * Time of day. Flink SQL keeps milliseconds at the most, whatever the precision says.
   *
   * @param precision digits of the fraction of a second, 0 to 9
   * @default precision - 0
   */
  public static time(precision: number = 0): DataType {
    return new DataType(`TIME(${checkInteger('precision of TIME', precision, 0, 9)})`, DataTypeRoot.TIME);
  }

  /**
   * Wall-clock time without a zone.
   *
   * @param precision digits of the fraction of a second, 0 to 9; an event time under a watermark takes 3 at the most
   */
  public static timestamp(precision: number): DataType {
    return new DataType(`TIMESTAMP(${checkInteger('precision of TIMESTAMP', precision, 0, 9)})`, DataTypeRoot.TIMESTAMP, precision);
  }

  /**
   * Instant, shown in the time zone of the session.
   *
   * @param precision digits of the fraction of a second, 0 to 9; an event time under a watermark takes 3 at the most
   */
  public static timestampLtz(precision: number): DataType {
    return new DataType(
      `TIMESTAMP_LTZ(${checkInteger('precision of TIMESTAMP_LTZ', precision, 0, 9)})`,
      DataTypeRoot.TIMESTAMP_LTZ,
      precision,
    );
  }

  /**
   * Span of years and months: for a CAST in a query, since no column can have it.
   *
   * @param yearPrecision digits of the years, 1 to 4
   * @default yearPrecision - 2
   */
  public static intervalYearToMonth(yearPrecision: number = 2): DataType {
    const digits = checkInteger('year precision of INTERVAL', yearPrecision, 1, 4);
    return new DataType(`INTERVAL YEAR(${digits}) TO MONTH`, DataTypeRoot.INTERVAL);
  }

  /**
   * Span of days to fractions of a second: for a CAST in a query, since no column can have it.
   *
   * @param dayPrecision digits of the days, 1 to 3: Flink 2.2 plans no more
   * @param fractionalPrecision digits of the fraction of a second, 1 to 9
   * @default - 2 digits of days, 6 of the fraction
   */
  public static intervalDayToSecond(dayPrecision: number = 2, fractionalPrecision: number = 6): DataType {
    const days = checkInteger('day precision of INTERVAL', dayPrecision, 1, 3);
    const fraction = checkInteger('fractional precision of INTERVAL', fractionalPrecision, 1, 9);
    return new DataType(`INTERVAL DAY(${days}) TO SECOND(${fraction})`, DataTypeRoot.INTERVAL);
  }

  /**
   * List of elements of one type.
   *
   * @param element type of the elements
   */
  public static array(element: DataType): DataType {
    return new DataType(`ARRAY<${part('ARRAY', element)}>`, DataTypeRoot.ARRAY);
  }

  /**
   * Bag of elements of one type.
   *
   * @param element type of the elements
   */
  public static multiset(element: DataType): DataType {
    return new DataType(`MULTISET<${part('MULTISET', element)}>`, DataTypeRoot.MULTISET);
  }

  /**
   * Map from keys of one type to values of one type.
   *
   * @param key type of the keys
   * @param value type of the values
   */
  public static map(key: DataType, value: DataType): DataType {
    return new DataType(`MAP<${part('MAP', key)}, ${part('MAP', value)}>`, DataTypeRoot.MAP);
  }

  /**
   * Structure of named fields.
   *
   * @param fields one field at least, each name once
   */
  public static row(...fields: RowField[]): DataType {
    if (fields.length === 0) {
      throw new Error('ROW must have one field at least, got none');
    }
    const names = new Set<string>();
    for (const field of fields) {
      checkName('name of a ROW field', field.name);
      if (names.has(field.name)) {
        throw new Error(`ROW must not have two fields of one name, got '${field.name}' twice`);
      }
      names.add(field.name);
    }
    const rendered = fields.map((field) => {
      checkLiteral(`comment of the ROW field '${field.name}'`, field.comment ?? '');
      const comment = field.comment === undefined ? '' : ` ${quoteString(field.comment)}`;
      return `${quoteIdentifier(field.name)} ${part('ROW', field.type)}${comment}`;
    });
    return new DataType(`ROW<${rendered.join(', ')}>`, DataTypeRoot.ROW, undefined, true, fields);
  }

  /**
   * A value that only its own serializer can read.
   *
   * @param className class of the value
   * @param serializerSnapshot the serializer snapshot in Base64, as `DataType.getLogicalType().asSerializableString()` prints it
   */
  public static raw(className: string, serializerSnapshot: string): DataType {
    checkLiteral('class of RAW', className);
    checkLiteral('serializer snapshot of RAW', serializerSnapshot);
    return new DataType(`RAW(${quoteString(className)}, ${quoteString(serializerSnapshot)})`, DataTypeRoot.RAW);
  }

  private constructor(
    private readonly rendered: string,
    /** Family of the type. */
    public readonly root: DataTypeRoot,
    /** Digits of the fraction of a second of a TIMESTAMP or TIMESTAMP_LTZ. @default - another type */
    public readonly precision?: number,
    /** Whether a value may be NULL. */
    public readonly nullable: boolean = true,
    /**
     * Fields of a ROW.
     *
     * @internal
     */
    public readonly _fields: RowField[] = [],
  ) {}

  /** The same type without NULL. */
  public notNull(): DataType {
    return new DataType(this.rendered, this.root, this.precision, false, this._fields);
  }

  /** The type as it stands in SQL. */
  public toString(): string {
    return this.nullable ? this.rendered : `${this.rendered} NOT NULL`;
  }
}

const MAX_LENGTH = 2_147_483_647;

/** The parser takes an INTERVAL neither as the type of a column nor within one. */
function part(whole: string, type: DataType): string {
  if (type.root === DataTypeRoot.INTERVAL) {
    throw new Error(`${whole} must not hold an INTERVAL, which only expressions take, got ${type}`);
  }
  return `${type}`;
}

function checkInteger(what: string, value: number, min: number, max: number): number {
  if (Token.isUnresolved(value)) {
    throw new Error(`${what} must be known at synth, got an unresolved token; give a literal number`);
  }
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new Error(`${what} must be a whole number from ${min} to ${max}, got ${value}`);
  }
  return value;
}
