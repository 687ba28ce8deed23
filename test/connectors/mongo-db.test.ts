import { Duration, Token } from 'aws-cdk-lib';
import { MongoDbSink, type MongoDbSinkProps } from '../../lib/connectors/mongo-db-sink';
import { type MongoDbSeedList, MongoDbUri } from '../../lib/connectors/mongo-db-uri';
import { Artifact } from '../../lib/sql/artifact';
import { Column } from '../../lib/sql/column';
import { Changes, DeliveryGuarantee } from '../../lib/sql/connector';
import { DataType } from '../../lib/sql/data-type';
import { SecretRef } from '../../lib/sql/secret-ref';
import { SqlProgram } from '../../lib/sql/sql-program';
import type { SqlTable, SqlTableProps } from '../../lib/sql/sql-table';

const URI = MongoDbUri.seedList({ hosts: ['a:27017', 'b:27017'], replicaSet: 'rs', writeConcern: '1' });
const COLUMNS = [
  Column.physical('user_id', DataType.STRING),
  Column.physical('region', DataType.STRING),
  Column.physical('event_time', DataType.timestamp(3)),
];

function sink(props: Partial<MongoDbSinkProps> = {}): MongoDbSink {
  return new MongoDbSink({ uri: URI, database: 'app_analytics', collection: 'user_last_events', ...props });
}

function table(props: Partial<MongoDbSinkProps> = {}, tableProps: Partial<SqlTableProps> = {}): SqlTable {
  return new SqlProgram().addTable('mongo_sink', { connector: sink(props), columns: COLUMNS, primaryKey: ['user_id'], ...tableProps });
}

describe('URI', () => {
  test.each<[MongoDbSeedList, string]>([
    [{ hosts: ['a:27017', 'b:27017'], replicaSet: 'rs', writeConcern: '1' }, 'mongodb://a:27017,b:27017/?replicaSet=rs&w=1'],
    [{ hosts: ['a'] }, 'mongodb://a/'],
    [
      { hosts: ['[::1]:27017'], tls: true, options: { retryWrites: 'false', appName: 'a&b' } },
      'mongodb://[::1]:27017/?tls=true&retryWrites=false&appName=a%26b',
    ],
  ])('%j', (seeds, uri) => {
    expect(`${MongoDbUri.seedList(seeds)}`).toBe(uri);
  });

  test('tokens pass unchanged', () => {
    const host = Token.asString({ Ref: 'Host' });
    const replicaSet = Token.asString({ Ref: 'Set' });

    expect(`${MongoDbUri.seedList({ hosts: [host], replicaSet })}`).toBe(`mongodb://${host}/?replicaSet=${replicaSet}`);
  });

  test.each<[MongoDbSeedList, string]>([
    [{ hosts: [] }, 'hosts must name one member at least'],
    [{ hosts: ['mongodb://a'] }, "host must be 'host' or 'host:port', got 'mongodb://a'"],
    [{ hosts: ['a:0'] }, "got 'a:0'"],
    [{ hosts: ['a'], writeConcern: '0' }, "writeConcern must not be '0'"],
    [{ hosts: ['a'], options: { W: '1' } }, "must not hold 'W', got '1'; use writeConcern"],
    [{ hosts: ['a'], options: { ssl: 'true' } }, 'use tls'],
    [{ hosts: ['a'], options: { 'a&b': '1' } }, "got 'a&b'"],
    [{ hosts: ['a'], options: { tlsCertificateKeyFilePassword: 'x' } }, 'MongoDbUri.fromSecret'],
    [{ hosts: ['a'], options: { authMechanismProperties: 'AWS_SESSION_TOKEN:x' } }, 'MongoDbUri.fromSecret'],
  ])('%j is refused', (seeds, message) => {
    expect(() => MongoDbUri.seedList(seeds)).toThrow(message);
  });

  test('a password is refused and not repeated', () => {
    const seeds = () => MongoDbUri.seedList({ hosts: ['flink:hunter2@a:27017'] });

    expect(seeds).toThrow('MongoDbUri.fromSecret');
    expect(seeds).not.toThrow('hunter2');
  });
});

describe('options', () => {
  test('of the reference pipeline', () => {
    const { binding } = table();

    expect(binding.options).toEqual({
      uri: 'mongodb://a:27017,b:27017/?replicaSet=rs&w=1',
      database: 'app_analytics',
      collection: 'user_last_events',
    });
    expect(binding.sink).toEqual({
      changes: Changes.UPSERT,
      guarantee: DeliveryGuarantee.AT_LEAST_ONCE,
      parallelismOption: 'sink.parallelism',
      writers: undefined,
    });
    expect(binding.artifacts).toEqual([Artifact.released('org.apache.flink:flink-sql-connector-mongodb')]);
    expect(binding.secrets).toEqual([]);
  });

  test('all others', () => {
    const secret = SecretRef.kubernetes('mongo', 'uri');
    const artifact = Artifact.file('jars/flink-sql-connector-mongodb.jar');
    const { binding } = table({
      uri: MongoDbUri.fromSecret(secret),
      flush: { maxRows: 1000, interval: Duration.seconds(1) },
      maxRetries: 0,
      guarantee: DeliveryGuarantee.NONE,
      writers: 3,
      artifact,
    });

    expect(binding.options).toEqual({
      uri: `${secret}`,
      database: 'app_analytics',
      collection: 'user_last_events',
      'sink.buffer-flush.max-rows': '1000',
      'sink.buffer-flush.interval': '1 s',
      'sink.max-retries': '0',
      'sink.delivery-guarantee': 'none',
    });
    expect(binding).toMatchObject({ secrets: [secret], artifacts: [artifact], sink: { writers: 3, guarantee: DeliveryGuarantee.NONE } });
  });

  test('tokens pass', () => {
    const database = Token.asString({ Ref: 'Database' });
    const { options } = table({ database, maxRetries: Token.asNumber({ Ref: 'Retries' }) }).binding;

    expect(options.database).toBe(database);
    expect(options['sink.max-retries']).toMatch(/^\$\{Token\[/);
  });

  test.each<[string, Partial<MongoDbSinkProps>, string]>([
    ['database with a dot', { database: 'a.b' }, 'database must have 63 bytes at the most'],
    ['empty collection', { collection: '' }, 'collection must not be empty'],
    ['system collection', { collection: 'system.users' }, "collection must not hold '$' or begin with 'system.'"],
    ['negative retries', { maxRetries: -1 }, 'maxRetries must be a whole number of at least 0, got -1'],
    ['exactly once', { guarantee: DeliveryGuarantee.EXACTLY_ONCE }, "got 'exactly-once'"],
    ['empty shard key', { shardKey: [] }, 'shardKey must name a column'],
    ['raw option of a property', { options: { 'sink.max-retries': '5' } }, 'use maxRetries'],
    ['option of no release', { options: { 'sink.ordered-writes': 'true' } }, 'sink.ordered-writes'],
    ['option without effect', { options: { 'sink.retry.interval': '2 s' } }, 'never uses it'],
    ['lookup option', { options: { 'lookup.cache': 'NONE' } }, 'lookup.cache'],
  ])('%s is refused', (_, props, message) => {
    expect(() => sink(props)).toThrow(message);
  });

  test('no rows to flush', () => {
    expect(() => table({ flush: { maxRows: 0 } })).toThrow('maxRows of flush must be a whole number of at least 1, got 0');
    expect(() => table({ flush: { maxRows: 1, interval: Duration.millis(0) } })).not.toThrow();
  });
});

describe('keys', () => {
  test('without a key only inserts are taken', () => {
    const { binding } = table({}, { primaryKey: undefined });

    expect(binding.sink?.changes).toBe(Changes.INSERT_ONLY);
    expect(binding.contract?.join()).toContain('become further documents');
  });

  test('the contract tells the form of _id', () => {
    expect(table().binding.contract).toEqual(['_id: user_id']);
    expect(table({}, { primaryKey: ['region', 'user_id'] }).binding.contract).toEqual([
      '_id: sub-document { region, user_id }, in this order',
    ]);
  });

  test('_id must be the key, alone', () => {
    const columns = [Column.physical('_id', DataType.STRING), ...COLUMNS];

    expect(() => table({}, { columns, primaryKey: ['_id'] })).not.toThrow();
    expect(() => table({}, { columns, primaryKey: ['_id', 'user_id'] })).toThrow(
      'must be its primary key, alone, got the key _id, user_id',
    );
    expect(() => table({}, { columns, primaryKey: undefined })).toThrow('got the key none');
  });

  test.each([DataType.DATE, DataType.time(), DataType.multiset(DataType.INT)])('a column of %s fails the job when it starts', (type) => {
    expect(() => table({}, { columns: [...COLUMNS, Column.physical('c', type)] })).toThrow(
      "column 'c' of table 'mongo_sink' must be of a type that BSON has",
    );
  });

  test('bytes are a column but no key', () => {
    const columns = [Column.physical('id', DataType.BYTES)];

    expect(() => table({}, { columns, primaryKey: undefined })).not.toThrow();
    expect(() => table({}, { columns, primaryKey: ['id'] })).toThrow("key column 'id' of table 'mongo_sink' must be text");
  });

  test('the shard key becomes PARTITIONED BY', () => {
    const program = new SqlProgram();
    program.addTable('t', { connector: sink({ shardKey: ['region'] }), columns: COLUMNS, primaryKey: ['user_id'] });

    expect(program.toSql()).toContain('PARTITIONED BY (`region`)');
  });

  test('a shard key that the table does not have', () => {
    expect(() => table({ shardKey: ['country'] })).toThrow(
      "shardKey must name columns of table 'mongo_sink', got 'country'; columns: user_id, region, event_time",
    );
    expect(() => table({ shardKey: ['region', 'region'] })).toThrow('shardKey must name each column once');
    expect(() => table({ shardKey: ['region'] }, { partitionedBy: ['region'] })).toThrow('both partitionedBy and a shardKey');
    expect(table({}, { partitionedBy: ['region'] }).partitionedBy).toEqual(['region']);
  });
});
