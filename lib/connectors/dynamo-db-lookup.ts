import { type Duration, Token } from 'aws-cdk-lib';
import type { IDimensionTable } from '../aws/dimension-table';
import { tableReadAlarms } from '../aws/dimension-table-alarms';
import { Changes, type ConnectorBinding, type IConnector, type TableDefinition, TableRole } from '../sql/connector';
import { flinkDuration, flinkInteger } from '../sql/flink-notation';
import { requireProps } from '../sql/required-props';
import { checkKey } from './dynamo-db-key';
import { LookupCache } from './lookup-cache';
import { DIMENSION_TABLE, LOOKUP_CACHE } from './prop-kinds';
import { checkRawOptions } from './raw-options';
import { checkNoMetadata } from './table-checks';

/** Factory identifier of the lookup connector in the runtime jar. */
export const DYNAMODB_LOOKUP = 'dynamodb-lookup';

/** Every option of the lookup connector, as the runtime jar reads them. Those that Flink has a name for bear that name. */
export const DYNAMODB_LOOKUP_OPTIONS = {
  /** Name of the DynamoDB table; required. */
  tableName: 'table-name',
  /** Region of the DynamoDB table; required. */
  region: 'aws.region',
  /** URL of another endpoint than the region's, for tests. */
  endpoint: 'aws.endpoint',
  /** Whether rows are looked up without waiting for the one before; true unless stated. */
  asynchronous: 'lookup.async',
  /** Whether reads are strongly consistent; false unless stated. */
  consistentRead: 'lookup.consistent-read',
  /** Keys that go into one BatchGetItem, 1 to 100. */
  batchSize: 'lookup.batch.max-size',
  /** How often a refused or failed read is tried again; 3 unless stated. */
  maxRetries: 'lookup.max-retries',
  cache: 'lookup.cache',
  cacheMaxRows: 'lookup.partial-cache.max-rows',
  cacheExpireAfterWrite: 'lookup.partial-cache.expire-after-write',
  cacheExpireAfterAccess: 'lookup.partial-cache.expire-after-access',
  cacheMissingKey: 'lookup.partial-cache.cache-missing-key',
  /** How long a key without an item is remembered. */
  missingKeyExpireAfterWrite: 'lookup.partial-cache.missing-key.expire-after-write',
} as const;

/** A DynamoDB table that rows are joined with by key. */
export interface DynamoDbLookupProps {
  /** The DynamoDB table. */
  readonly table: IDimensionTable;
  /**
   * What is remembered of the DynamoDB table. There is no default: without a cache each row is a read, with one a joined value may be
   * as old as the cache lets it be.
   */
  readonly cache: LookupCache;
  /**
   * How long a key without an item is remembered: a user who is new must not stay unknown for as long as a known one is remembered.
   *
   * @default - as long as any other key
   */
  readonly missingKeyExpiry?: Duration;
  /**
   * Whether a row sees each write before it, at twice the capacity; with a cache, each write before the read that the cache keeps.
   *
   * @default false
   */
  readonly consistentRead?: boolean;
  /** How often a refused or failed read is tried again before the job fails, 0 or more. @default 3 */
  readonly maxRetries?: number;
  /** Whether rows are looked up without waiting for the one before. Rows keep their order either way. @default true */
  readonly asynchronous?: boolean;
  /** Options that have no property here: `lookup.batch.max-size`, `aws.endpoint`. @default - none */
  readonly options?: { [key: string]: string };
}

/**
 * Looks rows up in a DynamoDB table, for a join `FOR SYSTEM_TIME AS OF` a processing time.
 *
 * Flink's own `dynamodb` connector only writes. This one, `dynamodb-lookup`, is a jar of this library that each image which it builds holds.
 *
 * The columns are attributes of the item by name. The join must compare the whole key: the partition key, and the sort key where
 * there is one; it reads by key and never scans. Declare the key as `primaryKey`.
 *
 * A row without a match in a LEFT JOIN has NULL in each column: a sink column that is NOT NULL then fails the job.
 */
export class DynamoDbLookup implements IConnector {
  private readonly options: { [option: string]: string };

  constructor(private readonly props: DynamoDbLookupProps) {
    requireProps('DynamoDbLookup', props, { table: DIMENSION_TABLE, cache: LOOKUP_CACHE });
    const { table, cache, missingKeyExpiry, consistentRead, maxRetries, asynchronous } = props;
    const raw = props.options ?? {};
    checkMissingKeyExpiry(cache, missingKeyExpiry);
    const names = DYNAMODB_LOOKUP_OPTIONS;
    const typed: { [option: string]: string } = {
      [names.tableName]: 'table',
      [names.region]: 'table',
      [names.asynchronous]: 'asynchronous',
      [names.consistentRead]: 'consistentRead',
      [names.maxRetries]: 'maxRetries',
      ...LookupCache._typed(),
      [names.missingKeyExpireAfterWrite]: 'missingKeyExpiry',
    };
    checkLookupOptions(raw, typed);
    checkRawOptions({ identifier: DYNAMODB_LOOKUP, role: TableRole.LOOKUP, options: raw, typed });
    this.options = {
      [names.tableName]: table.tableName,
      [names.region]: table.region,
      ...(asynchronous === undefined ? {} : { [names.asynchronous]: String(asynchronous) }),
      ...(consistentRead === undefined ? {} : { [names.consistentRead]: String(consistentRead) }),
      ...(maxRetries === undefined ? {} : { [names.maxRetries]: flinkInteger('maxRetries', maxRetries, 0) }),
      ...cache._options(),
      ...(missingKeyExpiry === undefined ? {} : { [names.missingKeyExpireAfterWrite]: flinkDuration(missingKeyExpiry) }),
      ...raw,
    };
  }

  public bind(table: TableDefinition): ConnectorBinding {
    const dimension = this.props.table;
    checkNoMetadata(table, 'a lookup in DynamoDB supplies the attributes of the item alone');
    checkKey(table, dimension);
    return {
      identifier: DYNAMODB_LOOKUP,
      role: TableRole.LOOKUP,
      options: { ...this.options },
      source: { changes: Changes.INSERT_ONLY },
      access: [{ grantTo: (grantee) => void dimension.grantLookup(grantee) }],
      dependsOn: dimension.dependable ? [dimension.dependable] : [],
      alarms: tableReadAlarms(dimension),
    };
  }
}

function checkMissingKeyExpiry(cache: LookupCache, expiry: Duration | undefined): void {
  if (expiry === undefined) {
    return;
  }
  if (!cache.cachesMissingKeys) {
    throw new Error('missingKeyExpiry needs a partial cache that remembers missing keys; leave it out, or give LookupCache.partial');
  }
  if (!expiry.isUnresolved() && expiry.toMilliseconds({ integral: false }) <= 0) {
    throw new Error(
      `missingKeyExpiry must be longer than 0, got ${expiry.toHumanString()}; set cacheMissingKey: false to remember no missing key`,
    );
  }
}

/** The connector is ours, so no list of Flink's options knows it. */
function checkLookupOptions(raw: { [key: string]: string }, typed: { [option: string]: string }): void {
  const known: string[] = Object.values(DYNAMODB_LOOKUP_OPTIONS);
  for (const [key, value] of Object.entries(raw)) {
    if (key in typed) {
      throw new Error(`option '${key}' of a DynamoDB lookup must be set by the property ${typed[key]}`);
    }
    if (!known.includes(key)) {
      throw new Error(`option '${key}' is unknown to a DynamoDB lookup; known: ${known.filter((name) => !(name in typed)).join(', ')}`);
    }
    if (key === DYNAMODB_LOOKUP_OPTIONS.batchSize && !Token.isUnresolved(value)) {
      flinkInteger(`option '${key}'`, Number(value), 1, 100);
    }
  }
}
