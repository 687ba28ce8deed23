import { Duration, Size, Token } from 'aws-cdk-lib';
import { Endianness, Format, MalformedRecords, TimestampFormat } from '../../lib/connectors/format';
import { LookupCache } from '../../lib/connectors/lookup-cache';
import { checkRawOptions } from '../../lib/connectors/raw-options';
import { Column } from '../../lib/sql/column';
import { Changes, type TableDefinition, TableRole } from '../../lib/sql/connector';
import { DataType } from '../../lib/sql/data-type';
import { flinkDuration, flinkInteger, flinkSize } from '../../lib/sql/flink-notation';
import { SecretRef } from '../../lib/sql/secret-ref';

const NUMBER = Token.asNumber({ Ref: 'Number' });

function table(...columns: Column[]): TableDefinition {
  return { name: 't', columns, primaryKey: [], partitionedBy: [], hasWatermark: false };
}

const LINE = Column.physical('line', DataType.STRING);

describe('format options', () => {
  test.each<[string, Format, { [option: string]: string }]>([
    ['json', Format.json(), { format: 'json' }],
    ['json that fails', Format.json({ malformedRecords: MalformedRecords.FAIL }), { format: 'json' }],
    [
      'json with everything',
      Format.json({ malformedRecords: MalformedRecords.SKIP, timestampFormat: TimestampFormat.ISO_8601, ignoreNullFields: true }),
      {
        format: 'json',
        'json.ignore-parse-errors': 'true',
        'json.timestamp-format.standard': 'ISO-8601',
        'json.encode.ignore-null-fields': 'true',
      },
    ],
    [
      'json that wants every field',
      Format.json({ malformedRecords: MalformedRecords.FAIL, failOnMissingField: true }),
      { format: 'json', 'json.fail-on-missing-field': 'true' },
    ],
    ['raw', Format.raw(), { format: 'raw' }],
    [
      'raw with everything',
      Format.raw({ charset: 'ISO-8859-1', endianness: Endianness.LITTLE_ENDIAN }),
      { format: 'raw', 'raw.charset': 'ISO-8859-1', 'raw.endianness': 'little-endian' },
    ],
    [
      'csv',
      Format.csv({ malformedRecords: MalformedRecords.SKIP, fieldDelimiter: ';', quoteCharacter: "'", nullLiteral: 'NULL' }),
      {
        format: 'csv',
        'csv.ignore-parse-errors': 'true',
        'csv.field-delimiter': ';',
        'csv.quote-character': "'",
        'csv.null-literal': 'NULL',
      },
    ],
    [
      'debezium-json',
      Format.debeziumJson({ schemaInclude: true, malformedRecords: MalformedRecords.SKIP, timestampFormat: TimestampFormat.SQL }),
      {
        format: 'debezium-json',
        'debezium-json.schema-include': 'true',
        'debezium-json.ignore-parse-errors': 'true',
        'debezium-json.timestamp-format.standard': 'SQL',
      },
    ],
    ['avro', Format.avro(), { format: 'avro' }],
    [
      'avro-confluent',
      Format.avroConfluent({ url: 'https://registry:8081', subject: 'orders-value' }),
      { format: 'avro-confluent', 'avro-confluent.url': 'https://registry:8081', 'avro-confluent.subject': 'orders-value' },
    ],
    ['parquet', Format.parquet(), { format: 'parquet' }],
  ])('%s', (_, format, options) => {
    expect(format._options()).toEqual(options);
    expect(Object.keys(format._options())[0]).toBe('format');
    for (const option of Object.keys(options)) {
      expect(format._typed()).toHaveProperty([option]);
    }
  });

  test('a prefix stands before each option', () => {
    const format = Format.json({ timestampFormat: TimestampFormat.ISO_8601 });
    expect(format._options('value.')).toEqual({ 'value.format': 'json', 'value.json.timestamp-format.standard': 'ISO-8601' });
    expect(format._options('key.')).toEqual({ 'key.format': 'json', 'key.json.timestamp-format.standard': 'ISO-8601' });
    expect(format._typed('key.')).toMatchObject({
      'key.format': 'format',
      'key.json.ignore-parse-errors': 'malformedRecords of the format',
    });
    expect(format._inUse('value.')).toEqual({ identifier: 'json', prefix: 'value.json.' });
  });

  test.each([
    Format.json(),
    Format.csv(),
    Format.raw(),
    Format.debeziumJson({ schemaInclude: false }),
    Format.avroConfluent({ url: 'http://r' }),
  ])('every option is one that Flink has %#', (format) => {
    const names = Object.keys(format._typed()).filter((name) => name !== 'format');
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      expect(complaint(format, name)).not.toContain('is no option of the format');
    }
    expect(complaint(format, `${format.identifier}.zz`)).toContain('is no option of the format');
  });
});

/** What the check of raw options says of an option of a format, whatever its value. */
function complaint(format: Format, option: string): string {
  try {
    checkRawOptions({ identifier: 'kinesis', role: TableRole.SINK, formats: [format._inUse()], options: { [option]: 'true' }, typed: {} });
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('format facts', () => {
  test('changes and repetition', () => {
    expect(Format.json().changes).toBe(Changes.INSERT_ONLY);
    expect(Format.json().repeatsEvents).toBe(false);
    expect(Format.debeziumJson({ schemaInclude: false }).changes).toBe(Changes.ALL);
    expect(Format.debeziumJson({ schemaInclude: false }).repeatsEvents).toBe(true);
  });

  test('Debezium must say whether its events hold a schema', () => {
    expect(() => Format.debeziumJson({} as never)).toThrow('schemaInclude of Format.debeziumJson must be true or false; got nothing');
  });

  test('jars beyond the distribution', () => {
    const jars = (format: Format) => format.artifacts.map((artifact) => artifact.coordinate);
    for (const format of [Format.json(), Format.csv(), Format.raw(), Format.debeziumJson({ schemaInclude: false })]) {
      expect(jars(format)).toEqual([]);
    }
    expect(jars(Format.avro())).toEqual(['org.apache.flink:flink-sql-avro']);
    expect(jars(Format.avroConfluent({ url: 'http://r' }))).toEqual(['org.apache.flink:flink-sql-avro-confluent-registry']);
    expect(jars(Format.parquet())).toEqual([
      'org.apache.flink:flink-sql-parquet',
      'org.apache.hadoop:hadoop-client-api:3.3.6',
      'org.apache.hadoop:hadoop-client-runtime:3.3.6',
    ]);
  });

  test('credentials of a registry are secrets', () => {
    const username = SecretRef.kubernetes('registry', 'user');
    const password = SecretRef.kubernetes('registry', 'password');
    const format = Format.avroConfluent({ url: 'https://r', credentials: { username, password } });
    expect(format.secrets).toEqual([username, password]);
    expect(format._options('value.')).toEqual({
      'value.format': 'avro-confluent',
      'value.avro-confluent.url': 'https://r',
      'value.avro-confluent.basic-auth.credentials-source': 'USER_INFO',
      'value.avro-confluent.basic-auth.user-info': `\${env:${username.variableName}}:\${env:${password.variableName}}`,
    });
  });

  test('contract', () => {
    expect(Format.json()._contract()).toBe('format: json, SQL timestamps');
    expect(Format.raw()._contract('key format')).toBe('key format: raw');
  });
});

describe('formats are refused', () => {
  test('skipping malformed records and failing on missing fields exclude each other', () => {
    expect(() => Format.json({ malformedRecords: MalformedRecords.SKIP, failOnMissingField: true })).toThrow(/exclude each other/);
    expect(() => Format.json({ malformedRecords: MalformedRecords.SKIP, failOnMissingField: false })).not.toThrow();
  });

  test('a delimiter is one character', () => {
    expect(() => Format.csv({ fieldDelimiter: '||' })).toThrow('fieldDelimiter of the csv format must be one character, got "||"');
    expect(() => Format.csv({ quoteCharacter: '' })).toThrow('quoteCharacter of the csv format must be one character, got ""');
    expect(() => Format.csv({ fieldDelimiter: '\t' })).not.toThrow();
    expect(() => Format.csv({ fieldDelimiter: Token.asString({ Ref: 'D' }) })).not.toThrow();
  });

  test('the URL of a registry holds no password', () => {
    expect(() => Format.avroConfluent({ url: 'https://flink:hunter2@registry:8081' })).toThrow(
      "url of a schema registry must not hold a password, got 'https://***@registry:8081'; give credentials",
    );
    expect(() => Format.avroConfluent({ url: 'flink:hunter2@registry:8081' })).toThrow("got '***@registry:8081'");
  });

  test('a registry has a URL', () => {
    expect(() => Format.avroConfluent({ url: 'registry:8081' })).toThrow("must begin with http:// or https://, got 'registry:8081'");
    expect(() => Format.avroConfluent({ url: 'http://a:8081,b:8081' })).toThrow(/must begin with/);
    expect(() => Format.avroConfluent({ url: 'http://a:8081,http://b:8081' })).not.toThrow();
    expect(() => Format.avroConfluent({ url: Token.asString({ Ref: 'Url' }) })).not.toThrow();
    expect(() => Format.avroConfluent({ url: 'http://a', subject: '' })).toThrow(/subject .* must not be empty/);
  });

  test.each<[string, Format, Format]>([
    ['json', Format.json(), Format.json({ malformedRecords: MalformedRecords.FAIL })],
    ['csv', Format.csv(), Format.csv({ malformedRecords: MalformedRecords.SKIP })],
    [
      'debezium-json',
      Format.debeziumJson({ schemaInclude: false }),
      Format.debeziumJson({ schemaInclude: false, malformedRecords: MalformedRecords.FAIL }),
    ],
  ])('%s that is read must choose what happens to malformed records', (identifier, silent, stated) => {
    expect(() => silent._checkRead(table(LINE))).toThrow(`format '${identifier}' of table 't' must say what happens to a record`);
    expect(() => stated._checkRead(table(LINE))).not.toThrow();
    expect(() => silent._checkWrite(table(LINE))).not.toThrow();
  });

  test('debezium-json cannot be written with its schema', () => {
    expect(() => Format.debeziumJson({ schemaInclude: true })._checkWrite(table(LINE))).toThrow(/schemaInclude: false for a sink/);
    const read = Format.debeziumJson({ schemaInclude: true, malformedRecords: MalformedRecords.FAIL });
    expect(() => read._checkRead(table(LINE))).not.toThrow();
  });

  test('raw holds one column', () => {
    const raw = Format.raw();
    expect(() => raw._checkRead(table(LINE, Column.computed('p', 'PROCTIME()')))).not.toThrow();
    expect(() => raw._checkRead(table(LINE, Column.physical('b', DataType.INT)))).toThrow(
      "format 'raw' of table 't' must have one physical column, got line, b",
    );
    expect(() => raw._checkRead(table(Column.computed('p', 'PROCTIME()')))).toThrow('got none');
    expect(() => raw._checkWrite(table(LINE, Column.physical('b', DataType.INT)))).toThrow(/one physical column/);
    expect(() => raw._checkRead(table(LINE, Column.physical('b', DataType.INT)), [LINE])).not.toThrow();
  });

  test.each([
    [DataType.BYTES, true],
    [DataType.varchar(10).notNull(), true],
    [DataType.BIGINT, true],
    [DataType.DOUBLE, true],
    [DataType.BOOLEAN, true],
    [DataType.decimal(10, 2), false],
    [DataType.timestamp(3), false],
    [DataType.array(DataType.STRING), false],
  ])('raw and a column of %s', (type, fits) => {
    const check = () => Format.raw()._checkRead(table(Column.physical('c', type)));
    if (fits) {
      expect(check).not.toThrow();
    } else {
      expect(check).toThrow(`got ${type} for 'c'`);
    }
  });

  test('parquet makes files', () => {
    expect(() => Format.parquet()._checkWrite(table(LINE))).toThrow(/makes files and cannot hold one record/);
    expect(() => Format.parquet()._checkRead(table(LINE))).toThrow(/makes files/);
    expect(() => Format.parquet()._checkColumns(table(LINE))).not.toThrow();
  });

  test('avro-confluent needs a subject where no topic gives one', () => {
    expect(() => Format.avroConfluent({ url: 'http://r' })._checkSubject(table(LINE))).toThrow(/give subject, such as 't-value'/);
    expect(() => Format.avroConfluent({ url: 'http://r', subject: 's' })._checkSubject(table(LINE))).not.toThrow();
    expect(() => Format.avro()._checkSubject(table(LINE))).not.toThrow();
  });
});

describe('lookup cache', () => {
  test('none', () => {
    expect(LookupCache.none()._options()).toEqual({ 'lookup.cache': 'NONE' });
    expect(LookupCache.none().cachesMissingKeys).toBe(false);
  });

  test('partial', () => {
    const cache = LookupCache.partial({
      maxRows: 10_000,
      expireAfterWrite: Duration.minutes(30),
      expireAfterAccess: Duration.hours(1),
      cacheMissingKey: false,
    });
    expect(Object.entries(cache._options())).toEqual([
      ['lookup.cache', 'PARTIAL'],
      ['lookup.partial-cache.max-rows', '10000'],
      ['lookup.partial-cache.expire-after-write', '30 min'],
      ['lookup.partial-cache.expire-after-access', '1 h'],
      ['lookup.partial-cache.cache-missing-key', 'false'],
    ]);
    expect(cache.cachesMissingKeys).toBe(false);
    expect(Object.keys(LookupCache._typed())).toEqual(Object.keys(cache._options()));
  });

  test('one bound at least', () => {
    expect(() => LookupCache.partial({})).toThrow(/must have a bound/);
    expect(() => LookupCache.partial({ cacheMissingKey: false })).toThrow(/must have a bound/);
    expect(LookupCache.partial({ maxRows: 1 }).cachesMissingKeys).toBe(true);
  });

  test('bounds', () => {
    expect(() => LookupCache.partial({ maxRows: 0 })).toThrow('maxRows of a lookup cache must be a whole number of at least 1, got 0');
    expect(() => LookupCache.partial({ expireAfterWrite: Duration.seconds(0) })).toThrow(/expireAfterWrite .* must be longer than 0/);
    expect(() => LookupCache.partial({ expireAfterAccess: Duration.millis(1) })).not.toThrow();
    expect(() => LookupCache.partial({ maxRows: NUMBER, expireAfterWrite: Duration.minutes(NUMBER) })).not.toThrow();
  });
});

describe('notation', () => {
  test.each([
    [Duration.minutes(30), '30 min'],
    [Duration.seconds(5), '5 s'],
    [Duration.seconds(60), '1 min'],
    [Duration.seconds(90), '90 s'],
    [Duration.millis(500), '500 ms'],
    [Duration.seconds(1.5), '1500 ms'],
    [Duration.hours(36), '36 h'],
    [Duration.days(7), '7 d'],
    [Duration.seconds(0), '0 s'],
  ])('duration %#', (duration, text) => {
    expect(flinkDuration(duration)).toBe(text);
  });

  test('a duration below a millisecond is refused', () => {
    expect(() => flinkDuration(Duration.millis(0.5))).toThrow(/whole number of milliseconds/);
  });

  test.each([
    [Size.mebibytes(5), '5 mb'],
    [Size.kibibytes(1536), '1536 kb'],
    [Size.gibibytes(2), '2 gb'],
    [Size.bytes(1000), '1000 b'],
    [Size.bytes(0), '0 b'],
  ])('size %#', (size, text) => {
    expect(flinkSize(size)).toBe(text);
  });

  test.each([
    ['ms', Duration.millis(NUMBER)],
    ['s', Duration.seconds(NUMBER)],
    ['min', Duration.minutes(NUMBER)],
    ['h', Duration.hours(NUMBER)],
    ['d', Duration.days(NUMBER)],
  ])('a token keeps its unit %s', (unit, duration) => {
    const text = flinkDuration(duration);
    expect(Token.isUnresolved(text)).toBe(true);
    expect(text).toMatch(new RegExp(`\\} ${unit}$`));
  });

  test('other tokens pass', () => {
    expect(flinkSize(Size.mebibytes(NUMBER))).toMatch(/\} mb$/);
    expect(Token.isUnresolved(flinkInteger('n', NUMBER, 1, 2))).toBe(true);
  });

  test.each([0, 26, 1.5, Number.NaN])('the whole number %p is refused', (value) => {
    expect(() => flinkInteger('batchSize', value, 1, 25)).toThrow(`batchSize must be a whole number from 1 to 25, got ${value}`);
  });
});
