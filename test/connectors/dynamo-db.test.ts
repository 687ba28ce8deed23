import { App, Duration, Stack, Token } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { DimensionTable } from '../../lib/aws/dimension-table';
import { DYNAMODB_LOOKUP_OPTIONS, DynamoDbLookup, type DynamoDbLookupProps } from '../../lib/connectors/dynamo-db-lookup';
import { DynamoDbSink, type DynamoDbSinkProps } from '../../lib/connectors/dynamo-db-sink';
import { LookupCache } from '../../lib/connectors/lookup-cache';
import { Column } from '../../lib/sql/column';
import { Changes, type ConnectorBinding, DeliveryGuarantee, type IConnector, TableRole } from '../../lib/sql/connector';
import { DataType } from '../../lib/sql/data-type';
import { SqlProgram } from '../../lib/sql/sql-program';
import type { SqlTable, SqlTableProps } from '../../lib/sql/sql-table';

const ARN = 'arn:aws-cn:dynamodb:cn-north-1:123456789012:table/user-dim';
const USERS = DimensionTable.external({ tableArn: ARN, partitionKey: 'user_id' });
const ORDERS = DimensionTable.external({ tableArn: ARN, partitionKey: 'user_id', sortKey: 'order_id' });
const CACHE = LookupCache.partial({ maxRows: 10_000, expireAfterWrite: Duration.minutes(30) });
const USER_ID = Column.physical('user_id', DataType.STRING);
const ORDER_ID = Column.physical('order_id', DataType.BIGINT);
const LEVEL = Column.physical('level', DataType.STRING);
const NUMBER = Token.asNumber({ Ref: 'Number' });

function add(connector: IConnector, table: Partial<SqlTableProps>): SqlTable {
  return new SqlProgram().addTable('dim', { connector, columns: [USER_ID, LEVEL], primaryKey: ['user_id'], ...table });
}

function lookup(props: Partial<DynamoDbLookupProps> = {}, table: Partial<SqlTableProps> = {}): ConnectorBinding {
  return add(new DynamoDbLookup({ table: USERS, cache: CACHE, ...props }), table).binding;
}

function sink(props: Partial<DynamoDbSinkProps> = {}, table: Partial<SqlTableProps> = {}): SqlTable {
  return add(new DynamoDbSink({ table: USERS, ...props }), table);
}

/** What a role may do once the table has granted its access. */
function grantedActions(binding: (table: DimensionTable) => ConnectorBinding): string[] {
  const stack = new Stack(new App(), 'Stack');
  const table = new DimensionTable(stack, 'Users', { partitionKey: 'user_id' });
  const role = new Role(stack, 'Role', { assumedBy: new ServicePrincipal('ec2.amazonaws.com') });
  const bound = binding(table);
  expect(bound.dependsOn).toEqual([table.dependable]);
  for (const access of bound.access ?? []) {
    access.grantTo(role, {});
  }
  const policies = Object.values(Template.fromStack(stack).findResources('AWS::IAM::Policy'));
  return policies.flatMap((policy) => policy.Properties.PolicyDocument.Statement).flatMap((statement) => statement.Action);
}

describe('dynamodb lookup', () => {
  test('binding of the reference table', () => {
    const binding = lookup();
    expect(binding.identifier).toBe('dynamodb-lookup');
    expect(binding.role).toBe(TableRole.LOOKUP);
    expect(Object.entries(binding.options)).toEqual([
      ['table-name', 'user-dim'],
      ['aws.region', 'cn-north-1'],
      ['lookup.cache', 'PARTIAL'],
      ['lookup.partial-cache.max-rows', '10000'],
      ['lookup.partial-cache.expire-after-write', '30 min'],
    ]);
    expect(binding.source).toEqual({ changes: Changes.INSERT_ONLY });
    expect(binding.artifacts ?? []).toEqual([]);
    expect(binding.dependsOn).toEqual([]);
  });

  test('every typed option', () => {
    const binding = lookup({ asynchronous: false, consistentRead: true, maxRetries: 5, missingKeyExpiry: Duration.seconds(10) });
    expect(binding.options).toEqual({
      'table-name': 'user-dim',
      'aws.region': 'cn-north-1',
      'lookup.async': 'false',
      'lookup.consistent-read': 'true',
      'lookup.max-retries': '5',
      'lookup.cache': 'PARTIAL',
      'lookup.partial-cache.max-rows': '10000',
      'lookup.partial-cache.expire-after-write': '30 min',
      'lookup.partial-cache.missing-key.expire-after-write': '10 s',
    });
    const known: string[] = Object.values(DYNAMODB_LOOKUP_OPTIONS);
    expect(Object.keys(binding.options).filter((option) => !known.includes(option))).toEqual([]);
  });

  test('bad values', () => {
    expect(() => lookup({ maxRetries: -1 })).toThrow('maxRetries must be a whole number of at least 0, got -1');
    expect(() => lookup({ maxRetries: 0 })).not.toThrow();
    expect(() => lookup({ maxRetries: NUMBER, missingKeyExpiry: Duration.seconds(NUMBER) })).not.toThrow();
    expect(() => lookup({ missingKeyExpiry: Duration.seconds(0) })).toThrow(/missingKeyExpiry must be longer than 0/);
    expect(() => lookup({ missingKeyExpiry: Duration.seconds(1), cache: LookupCache.none() })).toThrow(/needs a partial cache/);
    const forgetful = LookupCache.partial({ maxRows: 1, cacheMissingKey: false });
    expect(() => lookup({ missingKeyExpiry: Duration.seconds(1), cache: forgetful })).toThrow(/remembers missing keys/);
  });

  test('raw options', () => {
    expect(lookup({ options: { 'lookup.batch.max-size': '100' } }).options).toMatchObject({ 'lookup.batch.max-size': '100' });
    expect(() => lookup({ options: { 'lookup.batch.max-size': '101' } })).toThrow(/from 1 to 100, got 101/);
    expect(() => lookup({ options: { 'lookup.cache': 'NONE' } })).toThrow(/must be set by the property cache/);
    expect(() => lookup({ options: { 'lookup.cache.ttl': '1 min' } })).toThrow(/'lookup.cache.ttl' is unknown to a DynamoDB lookup/);
  });

  test('the key of the DynamoDB table is the primary key', () => {
    expect(() => lookup({}, { columns: [LEVEL], primaryKey: ['level'] })).toThrow(
      "table 'dim' must have a physical column 'user_id', which is part of the key of the DynamoDB table",
    );
    expect(() => lookup({}, { columns: [LEVEL, Column.computed('user_id', "'a'")], primaryKey: undefined })).toThrow(
      /physical column 'user_id'/,
    );
    expect(() => lookup({}, { primaryKey: ['level'] })).toThrow(
      "primaryKey of table 'dim' must be the key of the DynamoDB table, user_id, got level",
    );
    expect(() => lookup({}, { primaryKey: undefined })).toThrow(/got none/);
    expect(() => lookup({ table: ORDERS }, { columns: [USER_ID, ORDER_ID], primaryKey: ['user_id'] })).toThrow(
      /user_id, order_id, got user_id/,
    );
    expect(() => lookup({ table: ORDERS }, { columns: [ORDER_ID, USER_ID], primaryKey: ['order_id', 'user_id'] })).not.toThrow();
    const flag = Column.physical('user_id', DataType.BOOLEAN);
    expect(() => lookup({}, { columns: [flag, LEVEL] })).toThrow(/must be of text, a number or bytes, as DynamoDB keys are, got BOOLEAN/);
  });

  test('metadata columns are refused', () => {
    expect(() => lookup({}, { columns: [USER_ID, Column.metadata('m', DataType.STRING)] })).toThrow(/metadata column 'm'/);
  });

  test('access is to get items, never to scan', () => {
    expect(grantedActions((table) => lookup({ table })).sort()).toEqual([
      'dynamodb:BatchGetItem',
      'dynamodb:DescribeTable',
      'dynamodb:GetItem',
    ]);
  });
});

describe('dynamodb sink', () => {
  test('binding', () => {
    const { binding, partitionedBy } = sink();
    expect(binding.identifier).toBe('dynamodb');
    expect(binding.role).toBe(TableRole.SINK);
    expect(Object.entries(binding.options)).toEqual([
      ['table-name', 'user-dim'],
      ['aws.region', 'cn-north-1'],
    ]);
    expect(binding.sink).toEqual({ changes: Changes.UPSERT, guarantee: DeliveryGuarantee.AT_LEAST_ONCE });
    expect(partitionedBy).toEqual(['user_id']);
    expect(binding.artifacts?.map((artifact) => artifact.coordinate)).toEqual(['org.apache.flink:flink-sql-connector-dynamodb']);
  });

  test('typed options', () => {
    expect(sink({ batchSize: 25, failOnError: true, ignoreNulls: true }).binding.options).toEqual({
      'table-name': 'user-dim',
      'aws.region': 'cn-north-1',
      'sink.batch.max-size': '25',
      'sink.fail-on-error': 'true',
      'sink.ignore-nulls': 'true',
    });
    expect(() => sink({ batchSize: 26 })).toThrow('batchSize must be a whole number from 1 to 25, got 26');
    expect(() => sink({ batchSize: NUMBER })).not.toThrow();
  });

  test('raw options', () => {
    expect(sink({ options: { 'sink.requests.max-inflight': '10' } }).binding.options).toMatchObject({ 'sink.requests.max-inflight': '10' });
    for (const [option, value] of [
      ['sink.parallelism', '2'],
      ['sink.insert-only', 'true'],
      ['format', 'json'],
      ['sink.batch.max-size', '10'],
    ] as const) {
      expect(() => sink({ options: { [option]: value } })).toThrow(option);
    }
  });

  test('PARTITIONED BY is the key, the partition key first', () => {
    const both = { columns: [ORDER_ID, USER_ID, LEVEL], primaryKey: ['order_id', 'user_id'] };
    expect(sink({ table: ORDERS }, both).partitionedBy).toEqual(['user_id', 'order_id']);
    expect(sink({ table: ORDERS }, { ...both, partitionedBy: ['order_id', 'user_id'] }).partitionedBy).toEqual(['user_id', 'order_id']);
    expect(() => sink({ table: ORDERS }, { ...both, partitionedBy: ['user_id'] })).toThrow(
      "partitionedBy of table 'dim' must be the key of the DynamoDB table, user_id, order_id, got user_id; leave it out",
    );
    expect(() => sink({ table: ORDERS })).toThrow(/must have a physical column 'order_id'/);
    expect(() => sink({}, { primaryKey: ['level'] })).toThrow(/primaryKey of table 'dim' must be the key/);
  });

  test('the contract tells what a delete does', () => {
    expect(sink().binding.contract).toContain('deletes: fail the job (FLINK-35500)');
    expect(sink({}, { columns: [USER_ID] }).binding.contract).toContain('deletes: remove the item');
    expect(sink({}, { columns: [USER_ID, Column.computed('p', 'PROCTIME()')] }).binding.contract).toContain('deletes: remove the item');
  });

  test('what it cannot write is refused', () => {
    const row = DataType.row({ name: 'a', type: DataType.INT });
    expect(() => sink({}, { columns: [USER_ID, Column.physical('r', row)] })).toThrow(/column 'r' of table 'dim' must not hold a ROW/);
    expect(() => sink({}, { columns: [USER_ID, Column.physical('r', DataType.array(row))] })).toThrow(/must not hold a ROW/);
    expect(() => sink({}, { columns: [USER_ID, Column.physical('m', DataType.map(DataType.STRING, DataType.INT))] })).not.toThrow();
    expect(() => sink({}, { columns: [USER_ID, Column.metadata('m', DataType.STRING)] })).toThrow(/metadata column 'm'/);
  });

  test('access is to write', () => {
    const actions = grantedActions((table) => sink({ table }).binding);
    expect(actions).toContain('dynamodb:BatchWriteItem');
    expect(actions).not.toContain('dynamodb:GetItem');
  });
});
