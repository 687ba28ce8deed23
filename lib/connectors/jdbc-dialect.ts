import { Artifact } from '../sql/artifact';
import { type DataType, DataTypeRoot } from '../sql/data-type';

/** What the JDBC connector knows of a database. */
export interface JdbcDialect {
  /** Name of the database. */
  readonly name: string;
  /** Beginning of its URLs. */
  readonly urlPrefix: string;
  /** Coordinate of the jar with the dialect. */
  readonly dialectJar: string;
  /** Coordinate of the driver. */
  readonly driverJar: string;
  /** Smallest and largest precision of a TIMESTAMP. */
  readonly timestampPrecision: [number, number];
  /** Whether names are quoted in the statements of the connector. */
  readonly quotesNames: boolean;
  /** Whether ARRAY columns can be read. They can never be written. */
  readonly readsArrays: boolean;
}

/** The databases that have a connector and an upsert statement for Flink 2.2. */
export const JDBC_DIALECTS: JdbcDialect[] = [
  {
    name: 'MySQL',
    urlPrefix: 'jdbc:mysql:',
    dialectJar: 'org.apache.flink:flink-connector-jdbc-mysql',
    driverJar: 'com.mysql:mysql-connector-j',
    timestampPrecision: [0, 6],
    quotesNames: true,
    readsArrays: false,
  },
  {
    name: 'PostgreSQL',
    urlPrefix: 'jdbc:postgresql:',
    dialectJar: 'org.apache.flink:flink-connector-jdbc-postgres',
    driverJar: 'org.postgresql:postgresql',
    timestampPrecision: [1, 6],
    quotesNames: false,
    readsArrays: true,
  },
  {
    name: 'Oracle',
    urlPrefix: 'jdbc:oracle:',
    dialectJar: 'org.apache.flink:flink-connector-jdbc-oracle',
    driverJar: 'com.oracle.database.jdbc:ojdbc11',
    timestampPrecision: [1, 9],
    quotesNames: false,
    readsArrays: false,
  },
];

/**
 * The jars of a dialect: the connector's core, the dialect, the driver. They are separate jars since connector 4.
 *
 * @param dialect the database
 * @param driver jar of another driver
 */
export function jdbcArtifacts(dialect: JdbcDialect, driver: Artifact | undefined): Artifact[] {
  return [
    Artifact.released('org.apache.flink:flink-connector-jdbc-core'),
    Artifact.released(dialect.dialectJar),
    driver ?? Artifact.released(dialect.driverJar),
  ];
}

const ROOTS = [
  DataTypeRoot.CHARACTER_STRING,
  DataTypeRoot.BOOLEAN,
  DataTypeRoot.NUMERIC,
  DataTypeRoot.DATE,
  DataTypeRoot.TIME,
  DataTypeRoot.TIMESTAMP,
];

/**
 * Whether the connector takes a column type. It refuses TIMESTAMP_LTZ in every dialect, and BINARY, though not BYTES.
 *
 * @param dialect the database
 * @param type type of the column
 * @param reading whether the table is read
 */
export function jdbcTakes(dialect: JdbcDialect, type: DataType, reading: boolean): boolean {
  switch (type.root) {
    case DataTypeRoot.TIMESTAMP:
      return type.precision! >= dialect.timestampPrecision[0] && type.precision! <= dialect.timestampPrecision[1];
    case DataTypeRoot.BINARY_STRING:
      return !`${type}`.startsWith('BINARY');
    case DataTypeRoot.ARRAY:
      return reading && dialect.readsArrays;
    default:
      return ROOTS.includes(type.root);
  }
}

/**
 * The types that the connector takes, for messages.
 *
 * @param dialect the database
 */
export function jdbcTypes(dialect: JdbcDialect): string {
  const [minimum, maximum] = dialect.timestampPrecision;
  return `text, BOOLEAN, a number, DATE, TIME, TIMESTAMP(${minimum}) to TIMESTAMP(${maximum}) or BYTES for ${dialect.name} (cast TIMESTAMP_LTZ to TIMESTAMP)`;
}
