import type { Artifact } from '../sql/artifact';
import {
  Changes,
  type ConnectorBinding,
  DeliveryGuarantee,
  type IConnector,
  type Splits,
  type TableDefinition,
  TableRole,
} from '../sql/connector';
import { listOf, MAP, oneOf, requireProps, TEXT } from '../sql/required-props';
import type { SecretRef } from '../sql/secret-ref';
import type { Format } from './format';
import { missingArtifact } from './missing-artifact';
import { ARTIFACT, FORMAT } from './prop-kinds';
import { checkRawOptions } from './raw-options';
import { checkWriters } from './typed-value';

/** An external system that the library has no connector for. */
export interface CustomConnectorProps {
  /** Factory identifier, the `connector` option: `clickhouse`, `opensearch-2`, `mysql-cdc`. */
  readonly identifier: string;
  /** What the table is for. */
  readonly role: TableRole;
  /** Table options apart from `connector`, secrets and the format. */
  readonly options: { [key: string]: string };
  /** Table options that are secrets. @default - none */
  readonly secretOptions?: { [key: string]: SecretRef };
  /** How rows stand in records. @default - the connector has none, or `options` names it */
  readonly format?: Format;
  /** What a source emits, or what a sink takes with the primary key that the table has. */
  readonly changes: Changes;
  /** What a reader of the sink may find after a restore. Ask the documentation of the connector. @default DeliveryGuarantee.AT_LEAST_ONCE */
  readonly guarantee?: DeliveryGuarantee;
  /** Jars of the connector. @default - none: the connector is a part of Flink, or of an image that you name */
  readonly artifacts?: Artifact[];
  /**
   * The table option by which the connector takes a parallelism of its own: `scan.parallelism` or `sink.parallelism`.
   * @default - it takes none
   */
  readonly parallelismOption?: string;
  /** Parallel writers of a sink, where the connector has a `parallelismOption`. @default - the parallelism of the job */
  readonly writers?: number;
  /** Pieces that a source is read in, or a sink is written in: `{ unit: 'partition', of: 'topic clicks', count: 12 }`. @default - none */
  readonly splits?: Splits;
}

/**
 * Any Flink SQL connector, by its identifier and options: ClickHouse, Redis, OpenSearch, a CDC source.
 *
 * The library adds what it adds to every table: secrets stay out of the SQL, jars get into the image, the parallelism is
 * derived. It cannot know the options of a connector that is not its own, so that a wrong one shows only when the job starts;
 * those of the connectors that it knows are checked here, too. Permissions in AWS are yours to grant: `job.grantPrincipal`.
 *
 * ```ts
 * new CustomConnector({
 *   identifier: 'opensearch-2',
 *   role: TableRole.SINK,
 *   options: { hosts: 'https://search.example.com:443', index: 'user-events', username: 'flink' },
 *   secretOptions: { password: SecretRef.kubernetes('opensearch', 'password') },
 *   artifacts: [Artifact.file('jars/flink-sql-connector-opensearch2.jar')],
 *   changes: Changes.UPSERT,
 *   parallelismOption: 'sink.parallelism',
 * });
 * new CustomConnector({
 *   identifier: 'mysql-cdc',
 *   role: TableRole.SOURCE,
 *   options: { hostname: 'mysql', 'database-name': 'shop', 'table-name': 'orders', username: 'flink', 'server-id': '5400-5403' },
 *   secretOptions: { password: SecretRef.kubernetes('mysql', 'password') },
 *   artifacts: [Artifact.file('jars/flink-sql-connector-mysql-cdc.jar')],
 *   changes: Changes.ALL,
 * });
 * ```
 */
export class CustomConnector implements IConnector {
  private readonly rendered: { [key: string]: string };
  private readonly secrets: SecretRef[];

  constructor(private readonly props: CustomConnectorProps) {
    requireProps('CustomConnector', props, {
      identifier: TEXT,
      role: oneOf('TableRole', TableRole),
      options: MAP,
      changes: oneOf('Changes', Changes),
      'secretOptions?': MAP,
      'format?': FORMAT,
      'artifacts?': listOf(ARTIFACT),
    });
    const { identifier, role, options, secretOptions = {}, format } = props;
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(identifier)) {
      throw new Error(`identifier must be the name of a connector such as 'opensearch-2', got '${identifier}'`);
    }
    const twice = Object.keys(options).find((key) => Object.hasOwn(secretOptions, key));
    if (twice !== undefined) {
      throw new Error(`option '${twice}' must stand in options or in secretOptions, got both`);
    }
    const formatOptions = format?._options() ?? {};
    const typedTwice = [...Object.keys(options), ...Object.keys(secretOptions)].find((key) => Object.hasOwn(formatOptions, key));
    if (typedTwice !== undefined) {
      throw new Error(`option '${typedTwice}' must not be given beside format, which sets it`);
    }
    this.secrets = [...Object.values(secretOptions), ...(format?.secrets ?? [])];
    this.rendered = {
      ...options,
      ...Object.fromEntries(Object.entries(secretOptions).map(([key, secret]) => [key, `${secret}`])),
      ...formatOptions,
    };
    checkParallelism(props);
    checkRawOptions({ identifier, role, options: this.rendered, secrets: this.secrets });
  }

  /** @inheritdoc */
  public bind(table: TableDefinition): ConnectorBinding {
    const { identifier, role, changes, splits, parallelismOption, format, options, artifacts = [] } = this.props;
    format?._checkColumns(table);
    return {
      identifier,
      role,
      options: { ...this.rendered },
      ...(role === TableRole.SINK
        ? {
            sink: {
              changes,
              guarantee: this.props.guarantee ?? DeliveryGuarantee.AT_LEAST_ONCE,
              splits,
              parallelismOption,
              writers: this.props.writers,
            },
          }
        : { source: { changes, splits, parallelismOption, repeatsEvents: format?.repeatsEvents } }),
      artifacts: [...artifacts, ...(format?.artifacts ?? [])],
      needsArtifact: missingArtifact(identifier, options, artifacts),
      secrets: this.secrets,
      contract: format && [format._contract()],
    };
  }
}

function checkParallelism(props: CustomConnectorProps): void {
  const { role, parallelismOption, writers, guarantee } = props;
  if (role !== TableRole.SINK && writers !== undefined) {
    throw new Error(`writers must be for a sink, got ${writers} for a ${role}`);
  }
  if (role !== TableRole.SINK && guarantee !== undefined) {
    throw new Error(`guarantee must be for a sink, got '${guarantee}' for a ${role}`);
  }
  if (writers !== undefined && parallelismOption === undefined) {
    throw new Error(`writers must come with the parallelismOption by which the connector takes them, got ${writers} without it`);
  }
  if (parallelismOption !== undefined && Object.hasOwn(props.options, parallelismOption)) {
    throw new Error(`option '${parallelismOption}' must not stand in options, got '${props.options[parallelismOption]}'; use writers`);
  }
  checkWriters(writers);
}
