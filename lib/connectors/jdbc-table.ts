import type { Duration } from 'aws-cdk-lib';
import type { TableDefinition } from '../sql/connector';
import { flinkDuration } from '../sql/flink-notation';
import { checkColumnTypes, physicalColumns } from './column-types';
import type { Credentials } from './credentials';
import { type JdbcDialect, jdbcTakes, jdbcTypes } from './jdbc-dialect';
import type { JdbcDriver } from './jdbc-driver';
import { checkNoMetadata } from './table-checks';
import { checkDuration, definedOptions, textOption } from './typed-value';

/** A table of a relational database. */
export interface JdbcTableProps {
  /**
   * URL of the database, without credentials: `jdbc:mysql://host:3306/analytics`. It must begin with `jdbc:mysql:`,
   * `jdbc:postgresql:` or `jdbc:oracle:`; the rest may hold tokens.
   */
  readonly url: string;
  /** Name of the table, with its schema where needed. */
  readonly tableName: string;
  /** User name and password. @default - the database asks for none */
  readonly credentials?: Credentials;
  /** Another driver. @default - Connector/J, pgJDBC or ojdbc11 */
  readonly driver?: JdbcDriver;
  /** How long a lost connection is tried again, in whole seconds, 1 at least. @default - the connector's: 1 minute */
  readonly connectionMaxRetryTimeout?: Duration;
  /** Raw table options beside the typed ones. @default - none */
  readonly options?: { [key: string]: string };
}

/** Options that the properties of every JDBC table own. */
export const JDBC_TYPED = {
  url: 'url',
  'table-name': 'tableName',
  username: 'credentials',
  password: 'credentials',
  driver: 'driver',
  'connection.max-retry-timeout': 'connectionMaxRetryTimeout',
};

/**
 * The options that every JDBC table has.
 *
 * @param props properties of the table
 */
export function jdbcOptions(props: JdbcTableProps): { [key: string]: string } {
  const timeout = props.connectionMaxRetryTimeout;
  checkDuration('connectionMaxRetryTimeout', timeout, 1000);
  if (timeout && !timeout.isUnresolved() && timeout.toMilliseconds() % 1000 !== 0) {
    throw new Error(`connectionMaxRetryTimeout must be whole seconds, got ${timeout.toMilliseconds()} ms`);
  }
  return {
    url: props.url,
    'table-name': textOption('tableName', props.tableName),
    ...props.credentials?._options(),
    ...definedOptions({ driver: props.driver?.className, 'connection.max-retry-timeout': timeout && flinkDuration(timeout) }),
  };
}

/**
 * Refuses a table that the dialect cannot read or write.
 *
 * @param dialect the database
 * @param table the table
 * @param reading whether the table is read
 */
export function checkJdbcTable(dialect: JdbcDialect, table: TableDefinition, reading: boolean): void {
  checkNoMetadata(table, "the connector 'jdbc' supplies none; leave the column out");
  const names = physicalColumns(table).map((column) => column.name);
  checkColumnTypes(table, names, 'column', (type) => jdbcTakes(dialect, type, reading), jdbcTypes(dialect));
  const unquotable = dialect.quotesNames ? undefined : names.find((name) => !/^[\p{L}_][\p{L}\p{N}_$]*$/u.test(name));
  if (unquotable !== undefined) {
    throw new Error(
      `column '${unquotable}' of table '${table.name}' must be letters, digits, _ and $: the connector does not quote names for ${dialect.name}`,
    );
  }
}
