import { RemovalPolicy, Token } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import {
  Artifact,
  Changes,
  CustomConnector,
  DimensionTable,
  DynamoDbLookup,
  DynamoDbSink,
  type DynamoDbSinkProps,
  JdbcLookup,
  LookupCache,
  TableRole,
} from '../../lib';
import { newStack } from '../fixtures/stacks';
import { bind, COLUMNS, TOKEN } from './findings';

const TABLE = DimensionTable.external({ tableArn: 'arn:aws:dynamodb:eu-central-1:111122223333:table/users', partitionKey: 'id' });
const KEYED = { primaryKey: ['id'] };
const CACHE = LookupCache.partial({ maxRows: 10_000 });

function sink(changed: Partial<DynamoDbSinkProps> = {}): DynamoDbSink {
  return new DynamoDbSink({ table: TABLE, ...changed });
}

describe('DD-01 the official connector in a lookup join', () => {
  const custom = (identifier: string, role: TableRole) => () =>
    bind(
      new CustomConnector({
        identifier,
        role,
        options: { 'table-name': 'users', 'aws.region': 'eu-central-1' },
        artifacts: [Artifact.file('jars/own.jar')],
        changes: Changes.UPSERT,
      }),
      KEYED,
    );

  test('is refused, for reading too', () => {
    expect(custom('dynamodb', TableRole.LOOKUP)).toThrow("'dynamodb' can only be used as a sink");
    expect(custom('dynamodb', TableRole.SOURCE)).toThrow("'dynamodb' can only be used as a sink");
  });

  test('the lookup of the library goes by another name', () => {
    expect(bind(new DynamoDbLookup({ table: TABLE, cache: CACHE }), KEYED)).toMatchObject({
      identifier: 'dynamodb-lookup',
      role: TableRole.LOOKUP,
    });
  });
});

describe('DD-02 two rows of one key in a batch', () => {
  test('are one: the table is partitioned by the key of the DynamoDB table', () => {
    expect(bind(sink(), KEYED).partitionedBy).toEqual(['id']);
    const sorted = DimensionTable.external({
      tableArn: 'arn:aws:dynamodb:eu-central-1:111122223333:table/t',
      partitionKey: 'id',
      sortKey: 'amount',
    });
    expect(bind(sink({ table: sorted }), { primaryKey: ['id', 'amount'] }).partitionedBy).toEqual(['id', 'amount']);
  });

  test('a table without the key columns is refused', () => {
    const other = DimensionTable.external({ tableArn: 'arn:aws:dynamodb:eu-central-1:111122223333:table/t', partitionKey: 'user_id' });
    expect(() => bind(sink({ table: other }), KEYED)).toThrow('user_id');
    expect(() => bind(sink())).toThrow(/primaryKey|primary key/);
    expect(() => DimensionTable.external({ tableArn: 'arn:aws:dynamodb:eu-central-1:111122223333:table/t', partitionKey: TOKEN })).toThrow(
      'partitionKey must be known at synth because a column of the SQL table is called like it, got a token',
    );
  });
});

/** The template of a table. */
function template(changed: Partial<ConstructorParameters<typeof DimensionTable>[2]> = {}): Template {
  const stack = newStack();
  new DimensionTable(stack, 'Users', { tableName: 'users', partitionKey: 'id', ...changed });
  return Template.fromStack(stack);
}

describe('DD-04 more load than a new table takes', () => {
  test('the capacity that it shall start with is written where it is given', () => {
    const warmThroughput = { readUnitsPerSecond: 30_000, writeUnitsPerSecond: 4_000 };
    template({ warmThroughput }).hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      WarmThroughput: { ReadUnitsPerSecond: 30_000, WriteUnitsPerSecond: 4_000 },
    });
    expect(JSON.stringify(template().toJSON())).not.toContain('WarmThroughput');
    expect(() => template({ warmThroughput: { readUnitsPerSecond: 0 } })).toThrow('warmThroughput.readUnitsPerSecond');
    expect(() => template({ warmThroughput: { readUnitsPerSecond: Token.asNumber({ Ref: 'Units' }) } })).not.toThrow();
  });
});

describe('DD-06 another key schema', () => {
  test('cannot empty a table: it is kept and protected, whatever its name', () => {
    for (const created of [template(), template({ tableName: undefined })]) {
      created.hasResource('AWS::DynamoDB::GlobalTable', {
        DeletionPolicy: 'Retain',
        UpdateReplacePolicy: 'Retain',
        Properties: { Replicas: [{ DeletionProtectionEnabled: true }] },
      });
    }
  });

  test('a table that may go says so twice', () => {
    template({ removalPolicy: RemovalPolicy.DESTROY, deletionProtection: false }).hasResource('AWS::DynamoDB::GlobalTable', {
      DeletionPolicy: 'Delete',
      Properties: { Replicas: [{ DeletionProtectionEnabled: false }] },
    });
  });
});

describe('DD-08 a lookup without a cache', () => {
  const jdbc = (cache?: LookupCache, options?: { [key: string]: string }) => () =>
    bind(new JdbcLookup({ url: 'jdbc:mysql://db/x', tableName: 'users', cache, options } as never), KEYED);

  test('must be meant', () => {
    expect(jdbc()).toThrow('cache');
    expect(() => new DynamoDbLookup({ table: TABLE } as never)).toThrow('cache');
    expect(jdbc(LookupCache.none())().options).toMatchObject({ 'lookup.cache': 'NONE' });
  });

  test('must be meant in a connector by its options, too', () => {
    const mongo = (options: { [option: string]: string }) => () =>
      new CustomConnector({
        identifier: 'mongodb',
        role: TableRole.LOOKUP,
        changes: Changes.INSERT_ONLY,
        options: { uri: 'mongodb://m', database: 'd', collection: 'c', ...options },
      });
    expect(mongo({})).toThrow("'lookup.cache' is missing: 'PARTIAL' with a bound, or 'NONE'");
    expect(mongo({ 'lookup.cache': 'NONE' })).not.toThrow();
    expect(mongo({ 'lookup.cache': Token.asString({ Ref: 'Cache' }) })).not.toThrow();
  });

  test('a cache has bounds, and may forget missing keys', () => {
    expect(() => LookupCache.partial({})).toThrow('a partial lookup cache must have a bound');
    expect(jdbc(LookupCache.partial({ maxRows: 10, cacheMissingKey: false }))().options).toEqual(
      expect.objectContaining({
        'lookup.cache': 'PARTIAL',
        'lookup.partial-cache.max-rows': '10',
        'lookup.partial-cache.cache-missing-key': 'false',
      }),
    );
    expect(() => LookupCache.partial({ maxRows: Token.asNumber({ Ref: 'Rows' }) })).not.toThrow();
  });

  test.each(['lookup.cache.ttl', 'lookup.cache.max-rows'])('%s of earlier versions is refused', (option) => {
    expect(jdbc(CACHE, { [option]: '10' })).toThrow(option);
  });
});

describe('DD-09 batches above 25 items', () => {
  test('are refused', () => {
    expect(() => sink({ batchSize: 26 })).toThrow('batchSize must be a whole number from 1 to 25, got 26');
    expect(() => sink({ options: { 'sink.batch.max-size': '100' } })).toThrow("'sink.batch.max-size' is written by the library");
    expect(bind(sink({ batchSize: 25 }), KEYED).options['sink.batch.max-size']).toBe('25');
    expect(() => sink({ batchSize: Token.asNumber({ Ref: 'Size' }) })).not.toThrow();
  });
});

test('the columns of the cases hold the key', () => {
  expect(COLUMNS.map(({ name }) => name)).toEqual(['id', 'amount']);
});
