import { Changes, type ConnectorBinding, DeliveryGuarantee, type IConnector, type TableDefinition, TableRole } from '../sql/connector';
import { flinkInteger } from '../sql/flink-notation';
import { requireProps, TEXT } from '../sql/required-props';
import { type BufferFlush, bufferFlushOptions } from './buffer-flush';
import { type JdbcDialect, jdbcArtifacts } from './jdbc-dialect';
import { checkJdbcTable, JDBC_TYPED, type JdbcTableProps, jdbcOptions } from './jdbc-table';
import { checkJdbcUrl } from './jdbc-url';
import { CREDENTIALS } from './prop-kinds';
import { checkRawOptions } from './raw-options';
import { checkWriters, definedOptions } from './typed-value';

/** A table of a relational database as a sink. */
export interface JdbcSinkProps extends JdbcTableProps {
  /** When buffered rows are written. @default - the connector's: 100 rows, 1 second */
  readonly flush?: BufferFlush;
  /** Further attempts of a failed batch before the job fails. @default - the connector's: 3 */
  readonly maxRetries?: number;
  /** Parallel writers. @default - the parallelism of the job */
  readonly writers?: number;
}

/**
 * Writes rows into a table of MySQL, PostgreSQL or Oracle (`jdbc`).
 *
 * With a primary key a row is an upsert (`ON DUPLICATE KEY UPDATE`, `ON CONFLICT`, `MERGE`), so that a replay after a restore
 * changes nothing; the table in the database must have the same key. Without a primary key rows are plainly inserted: a
 * replay inserts them again, or fails on a unique index for ever.
 *
 * @see https://nightlies.apache.org/flink/flink-docs-stable/docs/connectors/table/jdbc/
 */
export class JdbcSink implements IConnector {
  private readonly dialect: JdbcDialect;
  private readonly rendered: { [key: string]: string };

  constructor(private readonly props: JdbcSinkProps) {
    requireProps('JdbcSink', props, { url: TEXT, tableName: TEXT, 'credentials?': CREDENTIALS });
    this.dialect = checkJdbcUrl(props.url, props.driver);
    checkWriters(props.writers);
    this.rendered = {
      ...jdbcOptions(props),
      ...bufferFlushOptions(props.flush),
      ...definedOptions({
        'sink.max-retries': props.maxRetries === undefined ? undefined : flinkInteger('maxRetries', props.maxRetries, 0),
      }),
    };
    checkRawOptions({ identifier: 'jdbc', role: TableRole.SINK, options: props.options ?? {}, typed: TYPED });
  }

  /** @inheritdoc */
  public bind(table: TableDefinition): ConnectorBinding {
    checkJdbcTable(this.dialect, table, false);
    const keyed = table.primaryKey.length > 0;
    return {
      identifier: 'jdbc',
      role: TableRole.SINK,
      options: { ...this.rendered, ...this.props.options },
      sink: {
        // Without a key the planner lets updates pass and the job fails when it runs.
        changes: keyed ? Changes.UPSERT : Changes.INSERT_ONLY,
        guarantee: DeliveryGuarantee.AT_LEAST_ONCE,
        parallelismOption: 'sink.parallelism',
        writers: this.props.writers,
      },
      artifacts: jdbcArtifacts(this.dialect, this.props.driver?.jar),
      secrets: this.props.credentials?._secrets,
      contract: [
        keyed
          ? `upserts by ${table.primaryKey.join(', ')}, which must be the primary key in ${this.dialect.name}`
          : 'inserts only; rows that are written again after a restore are inserted again',
      ],
    };
  }
}

const TYPED = {
  ...JDBC_TYPED,
  'sink.buffer-flush.max-rows': 'flush',
  'sink.buffer-flush.interval': 'flush',
  'sink.max-retries': 'maxRetries',
  'sink.parallelism': 'writers',
};
