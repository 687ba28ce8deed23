import { Token } from 'aws-cdk-lib';
import { Artifact } from '../sql/artifact';
import { Changes, type ConnectorBinding, DeliveryGuarantee, type IConnector, type TableDefinition, TableRole } from '../sql/connector';
import { DataTypeRoot } from '../sql/data-type';
import { redacted } from '../sql/redacted';
import { LIST, requireProps, TEXT } from '../sql/required-props';
import { BackOff } from './back-off';
import { type BulkFlush, bulkFlushOptions } from './bulk-flush';
import { checkColumnTypes } from './column-types';
import type { Credentials } from './credentials';
import { checkIndex, checkIndexPlaceholder } from './elasticsearch-index';
import { Format } from './format';
import { isOpenSearchEndpoint } from './open-search-endpoint';
import { ARTIFACT, CREDENTIALS, FORMAT } from './prop-kinds';
import { checkRawOptions } from './raw-options';
import { checkNoMetadata } from './table-checks';
import { checkWriters, definedOptions, textOption } from './typed-value';

/** An Elasticsearch 7 index as a sink. */
export interface ElasticsearchSinkProps {
  /** Nodes of the cluster, each as `http://host:port` or `https://host:port`. */
  readonly hosts: string[];
  /**
   * Index, or a pattern with one placeholder: `{column}`, `{column|yyyy-MM-dd}` for a date or time column, and without a
   * primary key `{now()|yyyy-MM-dd}`. A column in the pattern must never change for a key: an update would go to another index.
   */
  readonly index: string;
  /** User name and password. @default - the cluster asks for none */
  readonly credentials?: Credentials;
  /**
   * What stands between the columns of a composite primary key in the document id. With a character that occurs in the
   * values, two keys can make one id: `a_b`, `c` and `a`, `b_c`.
   * @default |
   */
  readonly keyDelimiter?: string;
  /** When bulk requests are sent. @default - the connector's: 1,000 actions, 2 MiB, 1 second */
  readonly bulkFlush?: BulkFlush;
  /** What happens when the cluster rejects a request. @default BackOff.exponential() */
  readonly backOff?: BackOff;
  /** Path before each request, for a cluster behind a proxy: `/search`. @default - none */
  readonly pathPrefix?: string;
  /**
   * How rows become documents: JSON. Elasticsearch recognises dates by itself only with `TimestampFormat.ISO_8601`; with the
   * default, the index needs a mapping that names the format `yyyy-MM-dd HH:mm:ss.SSS`.
   * @default Format.json()
   */
  readonly format?: Format;
  /** `NONE` or `AT_LEAST_ONCE`; Elasticsearch has no transactions. @default DeliveryGuarantee.AT_LEAST_ONCE */
  readonly guarantee?: DeliveryGuarantee;
  /** Parallel writers. @default - the parallelism of the job */
  readonly writers?: number;
  /** Jar of the connector. @default - `flink-sql-connector-elasticsearch7`, in the release for the Flink version of the job */
  readonly artifact?: Artifact;
  /** Raw table options beside the typed ones. @default - none */
  readonly options?: { [key: string]: string };
}

/**
 * Writes rows as documents of an Elasticsearch 7 index (`elasticsearch-7`).
 *
 * With a primary key a row is an upsert: the document id is made of the key, so that a replay after a restore writes the same
 * documents. It changes the fields of the table's columns and leaves other fields of the document alone. Ids have 512 bytes at
 * the most. Without a key Elasticsearch makes the ids and a replay makes new documents.
 *
 * The timeouts of the connector (`connection.timeout`, `connection.request-timeout`, `socket.timeout`) are no props: release
 * 4.0.0 takes the seconds of the value for milliseconds, later sources do not, so that no value is right in both.
 *
 * @see https://nightlies.apache.org/flink/flink-docs-release-2.2/docs/connectors/table/elasticsearch/
 */
export class ElasticsearchSink implements IConnector {
  private readonly format: Format;

  constructor(private readonly props: ElasticsearchSinkProps) {
    requireProps('ElasticsearchSink', props, {
      hosts: LIST,
      index: TEXT,
      'credentials?': CREDENTIALS,
      'format?': FORMAT,
      'artifact?': ARTIFACT,
    });
    if (props.hosts.length === 0) {
      throw new Error('hosts must name one node at least, got none');
    }
    props.hosts.forEach(checkHost);
    checkIndex(props.index);
    checkKeyDelimiter(props.keyDelimiter);
    checkPathPrefix(props.pathPrefix);
    this.format = props.format ?? Format.json();
    if (this.format.identifier !== 'json') {
      throw new Error(`format must be json, got '${this.format.identifier}': a document is a JSON object`);
    }
    if (props.guarantee === DeliveryGuarantee.EXACTLY_ONCE) {
      throw new Error(
        "guarantee must be 'none' or 'at-least-once', got 'exactly-once'; with a primary key, at-least-once leaves each row once in the index",
      );
    }
    checkWriters(props.writers);
    checkRawOptions({
      identifier: IDENTIFIER,
      role: TableRole.SINK,
      formats: [this.format._inUse()],
      options: props.options ?? {},
      typed: { ...TYPED, ...this.format._typed() },
    });
  }

  /** @inheritdoc */
  public bind(table: TableDefinition): ConnectorBinding {
    const { props } = this;
    const { name, primaryKey } = table;
    checkNoMetadata(table, `the connector '${IDENTIFIER}' supplies none; leave the column out`);
    checkColumnTypes(
      table,
      primaryKey,
      'key column',
      (type) => KEY_ROOTS.includes(type.root),
      'text, a number, BOOLEAN, a date, a time or an interval: it becomes a part of the document id',
    );
    checkIndexPlaceholder(props.index, table);
    if (primaryKey.length < 2 && props.keyDelimiter !== undefined) {
      throw new Error(
        `keyDelimiter has nothing to separate in table '${name}': its primary key has ${primaryKey.length} columns; remove it`,
      );
    }
    const keyDelimiter = primaryKey.length > 1 ? (props.keyDelimiter ?? '|') : undefined;
    return {
      identifier: IDENTIFIER,
      role: TableRole.SINK,
      options: {
        hosts: props.hosts.join(';'),
        index: props.index,
        ...props.credentials?._options(),
        ...definedOptions({ 'document-id.key-delimiter': keyDelimiter, 'connection.path-prefix': props.pathPrefix }),
        ...this.format._options(),
        ...bulkFlushOptions(props.bulkFlush),
        ...(props.backOff ?? BackOff.exponential())._options(),
        ...definedOptions({ 'sink.delivery-guarantee': props.guarantee }),
        ...props.options,
      },
      sink: {
        // The connector would take updates without a key, too: as new documents, and it fails at the first delete.
        changes: primaryKey.length > 0 ? Changes.UPSERT : Changes.INSERT_ONLY,
        guarantee: props.guarantee ?? DeliveryGuarantee.AT_LEAST_ONCE,
        parallelismOption: 'sink.parallelism',
        writers: props.writers,
      },
      artifacts: [props.artifact ?? Artifact.released('org.apache.flink:flink-sql-connector-elasticsearch7')],
      secrets: props.credentials?._secrets,
      contract: [this.format._contract(), documentId(primaryKey, keyDelimiter)],
    };
  }
}

const IDENTIFIER = 'elasticsearch-7';

const KEY_ROOTS = [
  DataTypeRoot.CHARACTER_STRING,
  DataTypeRoot.BOOLEAN,
  DataTypeRoot.NUMERIC,
  DataTypeRoot.DATE,
  DataTypeRoot.TIME,
  DataTypeRoot.TIMESTAMP,
  DataTypeRoot.TIMESTAMP_LTZ,
  DataTypeRoot.INTERVAL,
];

const TYPED = {
  hosts: 'hosts',
  index: 'index',
  username: 'credentials',
  password: 'credentials',
  'document-id.key-delimiter': 'keyDelimiter',
  'connection.path-prefix': 'pathPrefix',
  'sink.bulk-flush.max-actions': 'bulkFlush',
  'sink.bulk-flush.max-size': 'bulkFlush',
  'sink.bulk-flush.interval': 'bulkFlush',
  'sink.bulk-flush.backoff.strategy': 'backOff',
  'sink.bulk-flush.backoff.max-retries': 'backOff',
  'sink.bulk-flush.backoff.delay': 'backOff',
  'sink.delivery-guarantee': 'guarantee',
  'sink.parallelism': 'writers',
};

function checkHost(host: string): void {
  textOption('host', host);
  if (Token.isUnresolved(host)) {
    return;
  }
  const parts = /^https?:\/\/([^\s/:@?#;,]+|\[[0-9A-Fa-f:.]+\]):(\d{1,5})$/.exec(host);
  if (!parts || Number(parts[2]) < 1 || Number(parts[2]) > 65_535) {
    throw new Error(
      `host must be 'http://host:port' or 'https://host:port', got '${redacted(host)}'; a user name goes into credentials, a path into pathPrefix`,
    );
  }
  if (isOpenSearchEndpoint(parts[1]!)) {
    throw new Error(
      `host must be an Elasticsearch 7 node, got the Amazon OpenSearch endpoint '${host}'; use CustomConnector with the identifier 'opensearch-2' (OpenSearch 1: 'opensearch') and the jar of that connector`,
    );
  }
}

function checkKeyDelimiter(keyDelimiter: string | undefined): void {
  if (keyDelimiter !== undefined && /\s/.test(textOption('keyDelimiter', keyDelimiter))) {
    throw new Error(`keyDelimiter must not hold spaces, got '${keyDelimiter}'; a document id has none`);
  }
}

function checkPathPrefix(pathPrefix: string | undefined): void {
  if (pathPrefix !== undefined && !Token.isUnresolved(pathPrefix) && !/^\/[^\s?#]+$/.test(textOption('pathPrefix', pathPrefix))) {
    throw new Error(`pathPrefix must begin with '/', got '${pathPrefix}'`);
  }
}

function documentId(primaryKey: string[], keyDelimiter: string | undefined): string {
  if (primaryKey.length === 0) {
    return 'document id: made by Elasticsearch; rows that are written again after a restore become further documents';
  }
  return `document id: ${primaryKey.join(` ${keyDelimiter} `)}; an update changes the columns of this table and leaves other fields alone`;
}
