import { Token } from 'aws-cdk-lib';
import { Artifact } from '../sql/artifact';
import { Changes, type ConnectorBinding, DeliveryGuarantee, type IConnector, type TableDefinition, TableRole } from '../sql/connector';
import { type DataType, DataTypeRoot } from '../sql/data-type';
import { flinkInteger } from '../sql/flink-notation';
import { instance, LIST, requireProps, TEXT } from '../sql/required-props';
import { type BufferFlush, bufferFlushOptions } from './buffer-flush';
import { checkColumnTypes, physicalColumns } from './column-types';
import type { MongoDbUri } from './mongo-db-uri';
import { ARTIFACT } from './prop-kinds';
import { checkRawOptions } from './raw-options';
import { checkNoMetadata } from './table-checks';
import { checkWriters, definedOptions, textOption } from './typed-value';

/** A MongoDB collection as a sink. */
export interface MongoDbSinkProps {
  /** Where the deployment is. */
  readonly uri: MongoDbUri;
  /** Database. */
  readonly database: string;
  /** Collection. */
  readonly collection: string;
  /** When buffered rows are written. @default - the connector's: 1,000 rows, 1 second */
  readonly flush?: BufferFlush;
  /** Further attempts of a failed write before the job fails. @default - the connector's: 3 */
  readonly maxRetries?: number;
  /**
   * Columns of the shard key of a sharded collection, in their order, where `_id` alone is not the shard key: without them
   * the server cannot route an upsert. They become PARTITIONED BY of the table. A shard key must never change for a key.
   * @default - PARTITIONED BY of the table
   */
  readonly shardKey?: string[];
  /** `NONE` or `AT_LEAST_ONCE`; the connector writes without transactions. @default DeliveryGuarantee.AT_LEAST_ONCE */
  readonly guarantee?: DeliveryGuarantee;
  /** Parallel writers. @default - the parallelism of the job */
  readonly writers?: number;
  /**
   * Jar of the connector. There is no release for Flink 2: give a jar that you built, or name an image that holds one.
   * @default - `flink-sql-connector-mongodb`, in the release for the Flink version of the job
   */
  readonly artifact?: Artifact;
  /** Raw table options beside the typed ones. @default - none */
  readonly options?: { [key: string]: string };
}

/**
 * Writes rows as documents of a MongoDB collection (`mongodb`).
 *
 * With a primary key a row is an upsert by `_id`, which is the key column, or for a composite key a sub-document of the key
 * columns in their order: another order makes other documents. A text that looks like an ObjectId (24 hexadecimal digits)
 * becomes one. Without a key rows are only inserted, and a replay after a restore inserts them again.
 *
 * @see https://nightlies.apache.org/flink/flink-docs-stable/docs/connectors/table/mongodb/
 */
export class MongoDbSink implements IConnector {
  private readonly maxRetries?: string;

  constructor(private readonly props: MongoDbSinkProps) {
    requireProps('MongoDbSink', props, {
      uri: instance('a MongoDbUri, such as MongoDbUri.fromSecret(secret)', '_secrets', 'uri'),
      database: TEXT,
      collection: TEXT,
      'shardKey?': LIST,
      'artifact?': ARTIFACT,
    });
    checkDatabase(props.database);
    checkCollection(props.collection);
    this.maxRetries = props.maxRetries === undefined ? undefined : flinkInteger('maxRetries', props.maxRetries, 0);
    if (props.shardKey?.length === 0) {
      throw new Error('shardKey must name a column, got an empty list; leave it out for a collection that is sharded by _id or not at all');
    }
    if (props.guarantee === DeliveryGuarantee.EXACTLY_ONCE) {
      throw new Error(
        "guarantee must be 'none' or 'at-least-once', got 'exactly-once'; with a primary key, at-least-once leaves each row once in the collection",
      );
    }
    checkWriters(props.writers);
    checkRawOptions({
      identifier: IDENTIFIER,
      role: TableRole.SINK,
      options: props.options ?? {},
      typed: TYPED,
      secrets: props.uri._secrets,
    });
  }

  /** @inheritdoc */
  public bind(table: TableDefinition): ConnectorBinding {
    const { props } = this;
    checkNoMetadata(table, `the connector '${IDENTIFIER}' supplies none; leave the column out`);
    checkIdColumn(table);
    checkColumnTypes(
      table,
      physicalColumns(table).map((column) => column.name),
      'column',
      takes,
      'of a type that BSON has: no DATE, TIME, MULTISET, RAW or VARIANT; cast it to TIMESTAMP or STRING',
    );
    checkColumnTypes(
      table,
      table.primaryKey,
      'key column',
      (type) => !COLLECTION_ROOTS.includes(type.root),
      'text, a number, BOOLEAN, TIMESTAMP, TIMESTAMP_LTZ or an interval',
    );
    return {
      identifier: IDENTIFIER,
      role: TableRole.SINK,
      options: {
        uri: `${props.uri}`,
        database: props.database,
        collection: props.collection,
        ...bufferFlushOptions(props.flush),
        ...definedOptions({ 'sink.max-retries': this.maxRetries, 'sink.delivery-guarantee': props.guarantee }),
        ...props.options,
      },
      partitionedBy: this.shardKeyOf(table),
      sink: {
        changes: table.primaryKey.length > 0 ? Changes.UPSERT : Changes.INSERT_ONLY,
        guarantee: props.guarantee ?? DeliveryGuarantee.AT_LEAST_ONCE,
        parallelismOption: 'sink.parallelism',
        writers: props.writers,
      },
      artifacts: [props.artifact ?? Artifact.released('org.apache.flink:flink-sql-connector-mongodb')],
      secrets: props.uri._secrets,
      contract: [documentId(table.primaryKey)],
    };
  }

  private shardKeyOf(table: TableDefinition): string[] | undefined {
    const { shardKey } = this.props;
    if (shardKey === undefined) {
      return undefined;
    }
    if (table.partitionedBy.length > 0) {
      throw new Error(`table '${table.name}' must not have both partitionedBy and a shardKey; leave partitionedBy out`);
    }
    const names = physicalColumns(table).map((column) => column.name);
    const missing = shardKey.filter((column) => !names.includes(column));
    if (missing.length > 0) {
      throw new Error(`shardKey must name columns of table '${table.name}', got '${missing.join("', '")}'; columns: ${names.join(', ')}`);
    }
    if (new Set(shardKey).size !== shardKey.length) {
      throw new Error(`shardKey must name each column once, got ${shardKey.join(', ')}`);
    }
    return shardKey;
  }
}

const IDENTIFIER = 'mongodb';

const TYPED = {
  uri: 'uri',
  database: 'database',
  collection: 'collection',
  'sink.buffer-flush.max-rows': 'flush',
  'sink.buffer-flush.interval': 'flush',
  'sink.max-retries': 'maxRetries',
  'sink.delivery-guarantee': 'guarantee',
  'sink.parallelism': 'writers',
};

/** Types that the connector finds out about only when the job starts. */
const NO_BSON_ROOTS = [DataTypeRoot.DATE, DataTypeRoot.TIME, DataTypeRoot.MULTISET, DataTypeRoot.RAW, DataTypeRoot.VARIANT];
const COLLECTION_ROOTS = [DataTypeRoot.BINARY_STRING, DataTypeRoot.ARRAY, DataTypeRoot.MAP, DataTypeRoot.ROW];

function takes(type: DataType): boolean {
  return !NO_BSON_ROOTS.includes(type.root);
}

function checkDatabase(database: string): void {
  textOption('database', database);
  if (!Token.isUnresolved(database) && (/[/\\. "$*<>:|?]/.test(database) || Buffer.byteLength(database) > 63)) {
    throw new Error(`database must have 63 bytes at the most and none of / \\ . " $ * < > : | ? or a space, got '${database}'`);
  }
}

function checkCollection(collection: string): void {
  textOption('collection', collection);
  if (!Token.isUnresolved(collection) && (collection.includes('$') || collection.startsWith('system.'))) {
    throw new Error(`collection must not hold '$' or begin with 'system.', got '${collection}'`);
  }
}

function checkIdColumn(table: TableDefinition): void {
  const hasId = table.columns.some((column) => column.name === '_id');
  if (hasId && (table.primaryKey.length !== 1 || table.primaryKey[0] !== '_id')) {
    const key = table.primaryKey.length === 0 ? 'none' : table.primaryKey.join(', ');
    throw new Error(
      `the column '_id' of table '${table.name}' must be its primary key, alone, got the key ${key}; rename the column otherwise`,
    );
  }
}

function documentId(primaryKey: string[]): string {
  switch (primaryKey.length) {
    case 0:
      return '_id: made by MongoDB; rows that are written again after a restore become further documents';
    case 1:
      return `_id: ${primaryKey[0]}`;
    default:
      return `_id: sub-document { ${primaryKey.join(', ')} }, in this order`;
  }
}
