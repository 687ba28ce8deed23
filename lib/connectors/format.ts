import { Token } from 'aws-cdk-lib';
import { Artifact } from '../sql/artifact';
import { type Column, ColumnKind } from '../sql/column';
import { Changes, type TableDefinition } from '../sql/connector';
import { DataTypeRoot } from '../sql/data-type';
import { secretComplaint } from '../sql/literal-secret';
import { redacted } from '../sql/redacted';
import { FLAG, requireProps, SECRET, TEXT } from '../sql/required-props';
import type { SecretRef } from '../sql/secret-ref';
import type { FormatInUse } from './raw-options';

const REGISTRY_CREDENTIALS = {
  is: 'credentials with a username and a password, each a SecretRef',
  fits: (value: unknown) => ['username', 'password'].every((part) => SECRET.fits((value as { [part: string]: unknown } | null)?.[part])),
};

/** What happens to a record that the format cannot read. */
export enum MalformedRecords {
  /** The job fails, and fails again after each restart until the record has left the stream or topic. Nothing is lost unseen. */
  FAIL = 'fail',
  /** The record is skipped, or the field becomes NULL, without a trace in log or metrics. */
  SKIP = 'skip',
}

/** How timestamps stand in JSON text. */
export enum TimestampFormat {
  /** `2026-01-31 12:13:14.123`, and `2026-01-31 12:13:14.123Z` for TIMESTAMP_LTZ. */
  SQL = 'SQL',
  /** `2026-01-31T12:13:14.123`, and `2026-01-31T12:13:14.123Z` for TIMESTAMP_LTZ. */
  ISO_8601 = 'ISO-8601',
}

/** Byte order of a number in the raw format. */
export enum Endianness {
  /** Most significant byte first. */
  BIG_ENDIAN = 'big-endian',
  /** Least significant byte first. */
  LITTLE_ENDIAN = 'little-endian',
}

/** How JSON is read and written. */
export interface JsonFormatOptions {
  /**
   * What happens to a record that is no JSON or does not fit the columns.
   * @default - none for a table that is written; a table that is read must choose
   */
  readonly malformedRecords?: MalformedRecords;
  /** How timestamps stand in the text. @default TimestampFormat.SQL */
  readonly timestampFormat?: TimestampFormat;
  /** Whether a record without one of the columns fails the job; otherwise the column is NULL. @default false */
  readonly failOnMissingField?: boolean;
  /** Whether NULL columns are left out when rows are written. @default false */
  readonly ignoreNullFields?: boolean;
}

/** How text of delimited fields is read and written. */
export interface CsvFormatOptions {
  /**
   * What happens to a record that does not fit the columns.
   * @default - none for a table that is written; a table that is read must choose
   */
  readonly malformedRecords?: MalformedRecords;
  /** One character between two fields. @default , */
  readonly fieldDelimiter?: string;
  /** One character around a field that holds the delimiter. @default " */
  readonly quoteCharacter?: string;
  /** Text that stands for NULL. @default - none: an empty field is an empty string */
  readonly nullLiteral?: string;
}

/** How bytes become one column. */
export interface RawFormatOptions {
  /** Character set of a text column. @default UTF-8 */
  readonly charset?: string;
  /** Byte order of a number column. @default Endianness.BIG_ENDIAN */
  readonly endianness?: Endianness;
}

/** How change events of Debezium are read and written. */
export interface DebeziumJsonFormatOptions {
  /**
   * Whether each record carries its schema beside the payload: true where Kafka Connect runs with
   * `value.converter.schemas.enable = true`, which is its default. A wrong choice makes every record malformed. A table that is
   * written takes false only.
   */
  readonly schemaInclude: boolean;
  /**
   * What happens to a record that is no change event.
   * @default - none for a table that is written; a table that is read must choose
   */
  readonly malformedRecords?: MalformedRecords;
  /** How timestamps stand in the text. @default TimestampFormat.SQL */
  readonly timestampFormat?: TimestampFormat;
}

/** User and password for a schema registry. */
export interface SchemaRegistryCredentials {
  /** User or API key. */
  readonly username: SecretRef;
  /** Password or API secret. */
  readonly password: SecretRef;
}

/** Where Avro schemas are registered. */
export interface AvroConfluentFormatOptions {
  /** URL of the schema registry; several, separated by commas. */
  readonly url: string;
  /**
   * Subject under which the schema of written rows is registered.
   * @default - `<topic>-key` or `<topic>-value` for Kafka; any other connector that writes must state it
   */
  readonly subject?: string;
  /** Basic authentication at the registry. @default - none */
  readonly credentials?: SchemaRegistryCredentials;
}

/** An option of a format, the property that sets it, and its value where the property was given. */
type FormatOption = [option: string, property: string, value: string | undefined];

/** What tells one format from another. */
interface FormatDefinition {
  readonly identifier: string;
  readonly options?: FormatOption[];
  readonly changes?: Changes;
  readonly repeatsEvents?: boolean;
  readonly files?: boolean;
  readonly artifacts?: Artifact[];
  readonly secrets?: SecretRef[];
  /** Set where a table that is read must say what happens to malformed records, and whether it did. */
  readonly malformedRecordsChosen?: boolean;
  readonly schemaInclude?: boolean;
  readonly describe?: string;
}

/** Hadoop's client without the third-party classes that clash with others: the two jars together. */
const HADOOP_CLIENT = [
  Artifact.maven('org.apache.hadoop:hadoop-client-api:3.3.6'),
  Artifact.maven('org.apache.hadoop:hadoop-client-runtime:3.3.6'),
];

/**
 * How rows stand in the records of a stream or topic, or in files.
 *
 * @see https://nightlies.apache.org/flink/flink-docs-release-2.2/docs/connectors/table/formats/overview/
 */
export class Format {
  /**
   * One JSON object in a record.
   *
   * @param options how it is read and written; `malformedRecords` must be chosen for a table that is read
   */
  public static json(options: JsonFormatOptions = {}): Format {
    if (options.malformedRecords === MalformedRecords.SKIP && options.failOnMissingField) {
      throw new Error(
        'malformedRecords SKIP and failOnMissingField exclude each other; choose MalformedRecords.FAIL to refuse records with missing fields',
      );
    }
    return new Format({
      identifier: 'json',
      options: [
        ['ignore-parse-errors', 'malformedRecords', skip(options.malformedRecords)],
        ['fail-on-missing-field', 'failOnMissingField', flag(options.failOnMissingField)],
        ['timestamp-format.standard', 'timestampFormat', options.timestampFormat],
        ['encode.ignore-null-fields', 'ignoreNullFields', flag(options.ignoreNullFields)],
      ],
      malformedRecordsChosen: options.malformedRecords !== undefined,
      describe: `json, ${options.timestampFormat ?? TimestampFormat.SQL} timestamps`,
    });
  }

  /**
   * Fields in their order, separated by a character.
   *
   * @param options how they are read and written; `malformedRecords` must be chosen for a table that is read
   */
  public static csv(options: CsvFormatOptions = {}): Format {
    checkCharacter('fieldDelimiter', options.fieldDelimiter);
    checkCharacter('quoteCharacter', options.quoteCharacter);
    return new Format({
      identifier: 'csv',
      options: [
        ['ignore-parse-errors', 'malformedRecords', skip(options.malformedRecords)],
        ['field-delimiter', 'fieldDelimiter', options.fieldDelimiter],
        ['quote-character', 'quoteCharacter', options.quoteCharacter],
        ['null-literal', 'nullLiteral', options.nullLiteral],
      ],
      malformedRecordsChosen: options.malformedRecords !== undefined,
    });
  }

  /**
   * The bytes of a record as the one column of the table: a line of text, a number, the bytes themselves. A record can never be
   * malformed, so that the query decides what it takes: `IS JSON` and `JSON_VALUE` tell good lines from bad ones.
   *
   * @param options character set, byte order
   */
  public static raw(options: RawFormatOptions = {}): Format {
    return new Format({
      identifier: 'raw',
      options: [
        ['charset', 'charset', options.charset],
        ['endianness', 'endianness', options.endianness],
      ],
    });
  }

  /**
   * Change events of Debezium in JSON: the row before and after, and the operation.
   *
   * The rows are inserts, updates and deletes. Debezium repeats events when it restarts; with a primary key the job removes the
   * repetitions (`table.exec.source.cdc-events-duplicate`). PostgreSQL tables need `REPLICA IDENTITY FULL`.
   *
   * @param options whether events carry their schema; `malformedRecords` must be chosen for a table that is read
   */
  public static debeziumJson(options: DebeziumJsonFormatOptions): Format {
    requireProps('Format.debeziumJson', options, { schemaInclude: FLAG });
    return new Format({
      identifier: 'debezium-json',
      options: [
        ['schema-include', 'schemaInclude', flag(options.schemaInclude)],
        ['ignore-parse-errors', 'malformedRecords', skip(options.malformedRecords)],
        ['timestamp-format.standard', 'timestampFormat', options.timestampFormat],
      ],
      changes: Changes.ALL,
      repeatsEvents: true,
      malformedRecordsChosen: options.malformedRecords !== undefined,
      schemaInclude: options.schemaInclude,
      describe: `debezium-json, ${options.timestampFormat ?? TimestampFormat.SQL} timestamps`,
    });
  }

  /** Avro without a registry: the schema is derived from the columns, so readers and writers must agree on them exactly. */
  public static avro(): Format {
    return new Format({ identifier: 'avro', artifacts: [Artifact.released('org.apache.flink:flink-sql-avro')] });
  }

  /**
   * Avro with schemas in a Confluent-compatible registry: a schema id stands before each record.
   *
   * @param options URL, subject, credentials
   */
  public static avroConfluent(options: AvroConfluentFormatOptions): Format {
    requireProps('Format.avroConfluent', options, { url: TEXT, 'credentials?': REGISTRY_CREDENTIALS });
    if (!Token.isUnresolved(options.url) && !options.url.split(',').every((url) => /^https?:\/\/[^\s/]+/.test(url.trim()))) {
      throw new Error(`url of a schema registry must begin with http:// or https://, got '${redacted(options.url)}'`);
    }
    if (secretComplaint('url', options.url, []) !== undefined) {
      throw new Error(
        `url of a schema registry must not hold a password, got '${redacted(options.url)}'; give credentials, each part as a SecretRef`,
      );
    }
    if (options.subject === '') {
      throw new Error('subject of a schema registry must not be empty; leave it out for the default subject of a Kafka topic');
    }
    const { credentials } = options;
    return new Format({
      identifier: 'avro-confluent',
      options: [
        ['url', 'url', options.url],
        ['subject', 'subject', options.subject],
        ['basic-auth.credentials-source', 'credentials', credentials && 'USER_INFO'],
        ['basic-auth.user-info', 'credentials', credentials && `${credentials.username}:${credentials.password}`],
      ],
      artifacts: [Artifact.released('org.apache.flink:flink-sql-avro-confluent-registry')],
      secrets: credentials ? [credentials.username, credentials.password] : [],
    });
  }

  /**
   * Parquet files, for file systems only. A file is closed at each checkpoint.
   *
   * The writer needs Hadoop's classes, which neither Flink's image nor its Parquet jar holds (and the file system plugin hides):
   * they come with the format. An image that you name yourself must hold them too.
   */
  public static parquet(): Format {
    return new Format({
      identifier: 'parquet',
      files: true,
      artifacts: [Artifact.released('org.apache.flink:flink-sql-parquet'), ...HADOOP_CLIENT],
    });
  }

  /** Identifier of the format: `json`. */
  public readonly identifier: string;
  /** What may happen to a row after it was first emitted. */
  public readonly changes: Changes;
  /** Whether events may come again when the producer restarts. */
  public readonly repeatsEvents: boolean;
  /** Jars beyond the Flink distribution. */
  public readonly artifacts: Artifact[];
  /** Secrets that the options refer to. */
  public readonly secrets: SecretRef[];

  private constructor(private readonly definition: FormatDefinition) {
    this.identifier = definition.identifier;
    this.changes = definition.changes ?? Changes.INSERT_ONLY;
    this.repeatsEvents = definition.repeatsEvents ?? false;
    this.artifacts = definition.artifacts ?? [];
    this.secrets = definition.secrets ?? [];
  }

  /**
   * The table options, `<prefix>format` first.
   *
   * @param prefix what stands before `format`: nothing, `key.` or `value.`
   *
   * @internal
   */
  public _options(prefix: '' | 'key.' | 'value.' = ''): { [option: string]: string } {
    const rendered: { [option: string]: string } = { [`${prefix}format`]: this.identifier };
    for (const [option, , value] of this.definition.options ?? []) {
      if (value !== undefined) {
        rendered[`${prefix}${this.identifier}.${option}`] = value;
      }
    }
    return rendered;
  }

  /**
   * Every table option that a property of the format owns, with that property, for the check of raw options.
   *
   * @internal
   */
  public _typed(prefix: '' | 'key.' | 'value.' = ''): { [option: string]: string } {
    const typed: { [option: string]: string } = { [`${prefix}format`]: 'format' };
    for (const [option, property] of this.definition.options ?? []) {
      typed[`${prefix}${this.identifier}.${option}`] = `${property} of the format`;
    }
    return typed;
  }

  /**
   * The format as the check of raw options wants it.
   *
   * @internal
   */
  public _inUse(prefix: '' | 'key.' | 'value.' = ''): FormatInUse {
    return { identifier: this.identifier, prefix: `${prefix}${this.identifier}.` };
  }

  /**
   * A line for the contract of the table.
   *
   * @param what what the format is for: `format`, `key format`
   *
   * @internal
   */
  public _contract(what: string = 'format'): string {
    return `${what}: ${this.definition.describe ?? this.identifier}`;
  }

  /**
   * Refuses the format for a table that is read record by record.
   *
   * @param table the table
   * @param columns the columns that stand in the record
   * @default columns - all physical columns
   *
   * @internal
   */
  public _checkRead(table: TableDefinition, columns: Column[] = physicalColumns(table)): void {
    this.checkRecords(table);
    this._checkColumns(table, columns);
    if (this.definition.malformedRecordsChosen === false) {
      throw new Error(
        `format '${this.identifier}' of table '${table.name}' must say what happens to a record that cannot be read: give malformedRecords: MalformedRecords.FAIL (the job stops at the record, again after each restart) or MalformedRecords.SKIP (the record is lost, or a field becomes NULL, without a trace)`,
      );
    }
  }

  /**
   * Refuses the format for a table that is written record by record.
   *
   * @param table the table
   * @param columns the columns that stand in the record
   * @default columns - all physical columns
   *
   * @internal
   */
  public _checkWrite(table: TableDefinition, columns: Column[] = physicalColumns(table)): void {
    this.checkRecords(table);
    this._checkColumns(table, columns);
    if (this.definition.schemaInclude) {
      throw new Error(
        `format '${this.identifier}' of table '${table.name}' cannot write events with their schema; give schemaInclude: false for a sink`,
      );
    }
  }

  /**
   * Refuses the format for a writer that names no subject of its own, as Kafka does after its topic.
   *
   * @param table the table
   *
   * @internal
   */
  public _checkSubject(table: TableDefinition): void {
    if (this.identifier === 'avro-confluent' && !(`${this.identifier}.subject` in this._options())) {
      throw new Error(
        `format 'avro-confluent' of table '${table.name}' must name the subject under which its schema is registered; give subject, such as '${table.name}-value'`,
      );
    }
  }

  /**
   * Refuses columns that the format cannot hold.
   *
   * @param table the table
   * @param columns the columns that stand in the record or file
   * @default columns - all physical columns
   *
   * @internal
   */
  public _checkColumns(table: TableDefinition, columns: Column[] = physicalColumns(table)): void {
    if (this.identifier !== 'raw') {
      return;
    }
    if (columns.length !== 1) {
      const names = columns.map((column) => column.name).join(', ') || 'none';
      throw new Error(
        `format 'raw' of table '${table.name}' must have one physical column, got ${names}; a record is the value of that column`,
      );
    }
    const [column] = columns;
    if (!fitsRaw(column!)) {
      throw new Error(
        `format 'raw' of table '${table.name}' must have a column of text, bytes, BOOLEAN, an integer, FLOAT, DOUBLE or RAW, got ${column!.type} for '${column!.name}'`,
      );
    }
  }

  private checkRecords(table: TableDefinition): void {
    if (this.definition.files) {
      throw new Error(
        `format '${this.identifier}' of table '${table.name}' makes files and cannot hold one record; use Format.json(), Format.avro() or Format.csv()`,
      );
    }
  }
}

function physicalColumns(table: TableDefinition): Column[] {
  return table.columns.filter((column) => column.kind === ColumnKind.PHYSICAL);
}

/** @see https://nightlies.apache.org/flink/flink-docs-release-2.2/docs/connectors/table/formats/raw/#data-type-mapping */
function fitsRaw(column: Column): boolean {
  switch (column.type?.root) {
    case DataTypeRoot.CHARACTER_STRING:
    case DataTypeRoot.BINARY_STRING:
    case DataTypeRoot.BOOLEAN:
    case DataTypeRoot.RAW:
      return true;
    case DataTypeRoot.NUMERIC:
      return !`${column.type}`.startsWith('DECIMAL');
    default:
      return false;
  }
}

function skip(malformedRecords: MalformedRecords | undefined): string | undefined {
  return malformedRecords === MalformedRecords.SKIP ? 'true' : undefined;
}

function flag(value: boolean | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

function checkCharacter(prop: string, value: string | undefined): void {
  if (value !== undefined && !Token.isUnresolved(value) && value.length !== 1) {
    throw new Error(`${prop} of the csv format must be one character, got ${JSON.stringify(value)}`);
  }
}
