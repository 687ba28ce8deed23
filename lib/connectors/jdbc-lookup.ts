import { Changes, type ConnectorBinding, type IConnector, type TableDefinition, TableRole } from '../sql/connector';
import { flinkInteger } from '../sql/flink-notation';
import { requireProps, TEXT } from '../sql/required-props';
import { type JdbcDialect, jdbcArtifacts } from './jdbc-dialect';
import { checkJdbcTable, JDBC_TYPED, type JdbcTableProps, jdbcOptions } from './jdbc-table';
import { checkJdbcUrl } from './jdbc-url';
import { LookupCache } from './lookup-cache';
import { CREDENTIALS, LOOKUP_CACHE } from './prop-kinds';
import { checkRawOptions } from './raw-options';
import { definedOptions } from './typed-value';

/** A table of a relational database that a lookup join probes. */
export interface JdbcLookupProps extends JdbcTableProps {
  /** What is remembered of the table. Without a cache each row of the joining stream waits for a query of its own. */
  readonly cache: LookupCache;
  /** Further attempts of a failed query before the job fails. @default - the connector's: 3 */
  readonly maxRetries?: number;
}

/**
 * A table of MySQL, PostgreSQL or Oracle that a lookup join probes (`jdbc`). Queries are synchronous, one at a time in each
 * subtask; an index on the columns of the join condition keeps them fast.
 *
 * @see https://nightlies.apache.org/flink/flink-docs-stable/docs/connectors/table/jdbc/
 */
export class JdbcLookup implements IConnector {
  private readonly dialect: JdbcDialect;
  private readonly rendered: { [key: string]: string };

  constructor(private readonly props: JdbcLookupProps) {
    requireProps('JdbcLookup', props, { url: TEXT, tableName: TEXT, cache: LOOKUP_CACHE, 'credentials?': CREDENTIALS });
    this.dialect = checkJdbcUrl(props.url, props.driver);
    this.rendered = {
      ...jdbcOptions(props),
      ...props.cache._options(),
      ...definedOptions({
        'lookup.max-retries': props.maxRetries === undefined ? undefined : flinkInteger('maxRetries', props.maxRetries, 0),
      }),
    };
    checkRawOptions({
      identifier: 'jdbc',
      role: TableRole.LOOKUP,
      options: props.options ?? {},
      typed: { ...JDBC_TYPED, ...LookupCache._typed(), 'lookup.max-retries': 'maxRetries' },
    });
  }

  /** @inheritdoc */
  public bind(table: TableDefinition): ConnectorBinding {
    checkJdbcTable(this.dialect, table, true);
    return {
      identifier: 'jdbc',
      role: TableRole.LOOKUP,
      options: { ...this.rendered, ...this.props.options },
      source: { changes: Changes.INSERT_ONLY },
      artifacts: jdbcArtifacts(this.dialect, this.props.driver?.jar),
      secrets: this.props.credentials?._secrets,
    };
  }
}
