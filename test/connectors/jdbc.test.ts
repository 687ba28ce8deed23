import { Duration, Token } from 'aws-cdk-lib';
import { Credentials } from '../../lib/connectors/credentials';
import { JdbcDriver } from '../../lib/connectors/jdbc-driver';
import { JdbcLookup, type JdbcLookupProps } from '../../lib/connectors/jdbc-lookup';
import { JdbcSink, type JdbcSinkProps } from '../../lib/connectors/jdbc-sink';
import { LookupCache } from '../../lib/connectors/lookup-cache';
import { Artifact } from '../../lib/sql/artifact';
import { Column } from '../../lib/sql/column';
import { Changes, DeliveryGuarantee, TableRole } from '../../lib/sql/connector';
import { DataType } from '../../lib/sql/data-type';
import { SecretRef } from '../../lib/sql/secret-ref';
import { SqlProgram } from '../../lib/sql/sql-program';
import type { SqlTable, SqlTableProps } from '../../lib/sql/sql-table';

const PASSWORD = SecretRef.kubernetes('mysql', 'password');
const MARIADB = JdbcDriver.of('org.mariadb.jdbc.Driver', Artifact.maven('org.mariadb.jdbc:mariadb-java-client:3.5.6'));
const MYSQL = 'jdbc:mysql://mysql-host:3306/analytics';
const POSTGRES = 'jdbc:postgresql://h/d';
const ORACLE = 'jdbc:oracle:thin:@//h:1521/XE';
const COLUMNS = [
  Column.physical('user_id', DataType.STRING),
  Column.physical('window_time', DataType.timestamp(3)),
  Column.physical('event_count', DataType.BIGINT),
];

function sink(props: Partial<JdbcSinkProps> = {}): JdbcSink {
  return new JdbcSink({ url: MYSQL, tableName: 'user_event_count', ...props });
}

function table(props: Partial<JdbcSinkProps> = {}, tableProps: Partial<SqlTableProps> = {}): SqlTable {
  return new SqlProgram().addTable('jdbc_sink', {
    connector: sink(props),
    columns: COLUMNS,
    primaryKey: ['user_id', 'window_time'],
    ...tableProps,
  });
}

function lookup(props: Partial<JdbcLookupProps> = {}, columns = COLUMNS): SqlTable {
  const connector = new JdbcLookup({ url: MYSQL, tableName: 'user_dim', cache: LookupCache.none(), ...props });
  return new SqlProgram().addTable('dim', { connector, columns });
}

function columnsWith(type: DataType): Column[] {
  return [...COLUMNS, Column.physical('c', type)];
}

describe('sink', () => {
  test('options of the reference pipeline', () => {
    const { binding } = table({
      credentials: Credentials.of('u', PASSWORD),
      flush: { maxRows: 1000, interval: Duration.seconds(5) },
      maxRetries: 3,
    });

    expect(binding.options).toEqual({
      url: MYSQL,
      'table-name': 'user_event_count',
      username: 'u',
      password: `${PASSWORD}`,
      'sink.buffer-flush.max-rows': '1000',
      'sink.buffer-flush.interval': '5 s',
      'sink.max-retries': '3',
    });
    expect(binding).toMatchObject({ identifier: 'jdbc', role: TableRole.SINK, secrets: [PASSWORD] });
    expect(binding.sink).toEqual({
      changes: Changes.UPSERT,
      guarantee: DeliveryGuarantee.AT_LEAST_ONCE,
      parallelismOption: 'sink.parallelism',
      writers: undefined,
    });
  });

  test("the connector's defaults stand where nothing is set", () => {
    expect(table().binding.options).toEqual({ url: MYSQL, 'table-name': 'user_event_count' });
  });

  test.each([
    [MYSQL, 'flink-connector-jdbc-mysql', 'com.mysql:mysql-connector-j'],
    [POSTGRES, 'flink-connector-jdbc-postgres', 'org.postgresql:postgresql'],
    [ORACLE, 'flink-connector-jdbc-oracle', 'com.oracle.database.jdbc:ojdbc11'],
  ])('jars of %s', (url, dialect, driver) => {
    expect(table({ url }).binding.artifacts?.map((artifact) => artifact.coordinate)).toEqual([
      'org.apache.flink:flink-connector-jdbc-core',
      `org.apache.flink:${dialect}`,
      driver,
    ]);
  });

  test('MariaDB by its own driver', () => {
    const { binding } = table({ url: `${MYSQL}?permitMysqlScheme`, driver: MARIADB });

    expect(binding.options.driver).toBe('org.mariadb.jdbc.Driver');
    expect(binding.artifacts).toContain(MARIADB.jar);
    expect(binding.artifacts?.map((artifact) => artifact.coordinate)).not.toContain('com.mysql:mysql-connector-j');
  });

  test('without a key only inserts are taken, and the contract says what a restore does', () => {
    const { binding } = table({}, { primaryKey: undefined });

    expect(binding.sink?.changes).toBe(Changes.INSERT_ONLY);
    expect(binding.contract?.join()).toContain('inserted again');
  });

  test('tokens pass, behind the beginning of the URL', () => {
    const url = `jdbc:mysql://${Token.asString({ Ref: 'Host' })}:3306/analytics`;
    const { options } = table({ url, tableName: Token.asString({ Ref: 'Table' }), maxRetries: Token.asNumber({ Ref: 'Retries' }) }).binding;

    expect(options.url).toBe(url);
    expect(options['sink.max-retries']).toMatch(/^\$\{Token\[/);
  });

  test.each<[string, Partial<JdbcSinkProps>, string]>([
    ['URL without jdbc:', { url: 'h:3306/d' }, "url must begin with one of 'jdbc:mysql:', 'jdbc:postgresql:', 'jdbc:oracle:'"],
    ['URL of ClickHouse', { url: 'jdbc:clickhouse://h/d' }, 'other databases need CustomConnector'],
    ['URL of MariaDB', { url: 'jdbc:mariadb://h/d' }, "url must begin with 'jdbc:mysql:' for MariaDB"],
    ['URL that is a token', { url: Token.asString({ Ref: 'Url' }) }, 'a token may stand for the rest'],
    ['URL with a space', { url: `${MYSQL} ` }, 'hold no spaces'],
    ['MariaDB driver without the permission', { driver: MARIADB }, "the parameter 'permitMysqlScheme'"],
    [
      'misspelt parameter',
      { url: `${MYSQL}?rewriteBatchStatements=true` },
      "spell the parameter 'rewriteBatchedStatements', got 'rewriteBatchStatements'",
    ],
    ['parameter in lower case', { url: `${MYSQL}?a=b&rewritebatchedstatements=true` }, "got 'rewritebatchedstatements'"],
    ['batches switched off', { url: `${MYSQL}?rewriteBatchedStatements=false` }, 'url must not switch rewriteBatchedStatements off'],
    ['empty table name', { tableName: '' }, 'tableName must not be empty'],
    ['negative retries', { maxRetries: -1 }, 'maxRetries must be a whole number of at least 0, got -1'],
    ['no rows to flush', { flush: { maxRows: 0 } }, 'maxRows of flush must be a whole number of at least 1, got 0'],
    [
      'timeout of 500 ms',
      { connectionMaxRetryTimeout: Duration.millis(500) },
      'connectionMaxRetryTimeout must be at least 1000 ms, got 500 ms',
    ],
    ['timeout of 1.5 s', { connectionMaxRetryTimeout: Duration.millis(1500) }, 'must be whole seconds, got 1500 ms'],
    ['no writers', { writers: 0 }, 'writers must be a whole number from 1 to 32768, got 0'],
    ['raw option of a property', { options: { username: 'u' } }, 'use credentials'],
    ['former option', { options: { 'sink.buffer-flush.max-retries': '3' } }, "use 'sink.max-retries'"],
    ['lookup option', { options: { 'lookup.max-retries': '3' } }, 'lookup.max-retries'],
  ])('%s is refused', (_, props, message) => {
    expect(() => sink(props)).toThrow(message);
  });

  test.each<[string, Partial<JdbcSinkProps>]>([
    ['batches on', { url: `${MYSQL}?rewriteBatchedStatements=true` }],
    ['parameter with a similar name', { url: `${MYSQL}?useServerPrepStmts=true` }],
    ['timeout of 1 s', { connectionMaxRetryTimeout: Duration.seconds(1) }],
    ['flush without interval', { flush: { interval: Duration.seconds(0) } }],
    ['no retries', { maxRetries: 0 }],
    ['an at-sign in a parameter', { url: `${MYSQL}?sessionVariables=x=@y` }],
  ])('nearest valid: %s', (_, props) => {
    expect(() => sink(props)).not.toThrow();
  });

  test.each([
    'jdbc:mysql://flink:hunter2@h:3306/d',
    'jdbc:mysql://h:3306/d?user=flink&password=hunter2',
    'jdbc:postgresql://h/d?PASSWORD=hunter2',
    'jdbc:oracle:thin:flink/hunter2@//h:1521/XE',
    'jdbc:sqlserver://h;password=hunter2',
  ])('a password in %s is refused and not repeated', (url) => {
    expect(() => sink({ url })).toThrow('url must');
    expect(() => sink({ url })).not.toThrow('hunter2');
  });
});

describe('columns', () => {
  test.each<[string, DataType]>([
    [MYSQL, DataType.timestampLtz(3)],
    [POSTGRES, DataType.timestampLtz(3)],
    [MYSQL, DataType.timestamp(9)],
    [POSTGRES, DataType.timestamp(0)],
    [MYSQL, DataType.binary(4)],
    [MYSQL, DataType.row({ name: 'a', type: DataType.INT })],
    [POSTGRES, DataType.array(DataType.INT)],
  ])('%s does not write %s', (url, type) => {
    expect(() => table({ url }, { columns: columnsWith(type) })).toThrow("column 'c' of table 'jdbc_sink' must be text, BOOLEAN, a number");
  });

  test.each<[string, DataType]>([
    [MYSQL, DataType.timestamp(0)],
    [MYSQL, DataType.timestamp(6)],
    [ORACLE, DataType.timestamp(9)],
    [MYSQL, DataType.BYTES],
    [MYSQL, DataType.varbinary(4)],
  ])('%s writes %s', (url, type) => {
    expect(() => table({ url }, { columns: columnsWith(type) })).not.toThrow();
  });

  test('PostgreSQL reads arrays, MySQL does not', () => {
    const columns = columnsWith(DataType.array(DataType.INT));

    expect(() => lookup({ url: POSTGRES }, columns)).not.toThrow();
    expect(() => lookup({ url: MYSQL }, columns)).toThrow("column 'c' of table 'dim'");
  });

  test('names that need quotes, which PostgreSQL and Oracle do not get', () => {
    const columns = [...COLUMNS, Column.physical('page-url', DataType.STRING)];

    expect(() => table({ url: POSTGRES }, { columns })).toThrow("column 'page-url' of table 'jdbc_sink' must be letters, digits, _ and $");
    expect(() => table({ url: MYSQL }, { columns })).not.toThrow();
  });

  test('metadata columns are refused', () => {
    expect(() => table({}, { columns: [...COLUMNS, Column.metadata('m', DataType.STRING)] })).toThrow("the connector 'jdbc' supplies none");
  });
});

describe('lookup', () => {
  test('options', () => {
    const { binding } = lookup({
      credentials: Credentials.of('u', PASSWORD),
      cache: LookupCache.partial({ maxRows: 10_000, expireAfterWrite: Duration.minutes(30) }),
      maxRetries: 5,
    });

    expect(binding).toMatchObject({ role: TableRole.LOOKUP, source: { changes: Changes.INSERT_ONLY }, secrets: [PASSWORD] });
    expect(binding.sink).toBeUndefined();
    expect(binding.options).toEqual({
      url: MYSQL,
      'table-name': 'user_dim',
      username: 'u',
      password: `${PASSWORD}`,
      'lookup.cache': 'PARTIAL',
      'lookup.partial-cache.max-rows': '10000',
      'lookup.partial-cache.expire-after-write': '30 min',
      'lookup.max-retries': '5',
    });
    expect(binding.artifacts).toHaveLength(3);
  });

  test.each<[string, Partial<JdbcLookupProps>, string]>([
    ['negative retries', { maxRetries: -1 }, 'maxRetries must be a whole number of at least 0, got -1'],
    ['former cache option', { options: { 'lookup.cache.ttl': '1 min' } }, "use 'lookup.partial-cache.expire-after-write'"],
    ['asynchronous lookups', { options: { 'lookup.async': 'true' } }, 'synchronous'],
    ['sink option', { options: { 'sink.max-retries': '1' } }, 'sink.max-retries'],
  ])('%s', (_, props, message) => {
    expect(() => lookup(props)).toThrow(message);
  });
});

test('a driver is a Java class', () => {
  expect(() => JdbcDriver.of('Driver', MARIADB.jar)).toThrow(
    "driver must be a Java class name with its package such as 'org.mariadb.jdbc.Driver', got 'Driver'",
  );
});
