import {
  Changes,
  Column,
  CustomConnector,
  DataType,
  DeliveryGuarantee,
  MongoDbSink,
  type MongoDbSinkProps,
  MongoDbUri,
  TableRole,
} from '../../lib';
import { AGGREGATE, bind, into, mirrored, refused, shownAfter, TOKEN, TOP, warned } from './findings';

const KEYED = { primaryKey: ['id'] };
const COMPOSITE = { columns: ['id', 'amount'].map((name) => Column.physical(name, DataType.STRING)), primaryKey: ['id', 'amount'] };

function sink(changed: Partial<MongoDbSinkProps> = {}): MongoDbSink {
  return new MongoDbSink({ uri: MongoDbUri.seedList({ hosts: ['mongo:27017'] }), database: 'shop', collection: 'totals', ...changed });
}

describe('MG-02 a composite key', () => {
  test('is a sub-document: a warning, silent once acknowledged', () => {
    expect(warned(into(sink(), COMPOSITE))).toEqual(['CompositeDocumentId']);
    expect(warned(into(sink(), KEYED))).toEqual([]);
    expect(shownAfter('CompositeDocumentId', into(sink(), COMPOSITE))).toEqual([]);
  });

  test('stands in the order of the primary key', () => {
    expect(into(sink(), COMPOSITE).toSql()).toContain('PRIMARY KEY (`id`, `amount`) NOT ENFORCED');
    expect(bind(sink(), COMPOSITE).contract).toContain('_id: sub-document { id, amount }, in this order');
  });
});

describe('MG-03 a sharded collection', () => {
  const columns = ['id', 'region'].map((name) => Column.physical(name, DataType.STRING));

  test('is written by its shard key', () => {
    const program = into(sink({ shardKey: ['region'] }), { columns, ...KEYED }, 'SELECT id, id FROM events');
    expect(program.toSql()).toContain('PARTITIONED BY (`region`)');
    expect(() => bind(sink({ shardKey: ['country'] }), { columns, ...KEYED })).toThrow(
      "shardKey must name columns of table 'out', got 'country'",
    );
    expect(() => bind(sink({ shardKey: ['region'] }), { columns, ...KEYED, partitionedBy: ['region'] })).toThrow(/both/);
    expect(() => bind(sink({ collection: TOKEN, shardKey: ['region'] }), { columns, ...KEYED })).not.toThrow();
  });
});

describe('MG-04 exactly-once', () => {
  test('is refused, as a prop and as an option', () => {
    expect(() => sink({ guarantee: DeliveryGuarantee.EXACTLY_ONCE })).toThrow(
      "guarantee must be 'none' or 'at-least-once', got 'exactly-once'",
    );
    const options = { uri: 'mongodb://h:27017', database: 'd', collection: 'c', 'sink.delivery-guarantee': 'exactly-once' };
    expect(() =>
      bind(new CustomConnector({ identifier: 'mongodb', role: TableRole.SINK, changes: Changes.UPSERT, options }), KEYED),
    ).toThrow('sink.delivery-guarantee');
  });

  test.each([DeliveryGuarantee.NONE, DeliveryGuarantee.AT_LEAST_ONCE, undefined])('%s passes', (guarantee) => {
    expect(() => sink({ guarantee })).not.toThrow();
  });
});

describe('MG-05 a collection without a primary key', () => {
  test('takes no aggregate, no best rows and no changes of a database', () => {
    for (const query of [AGGREGATE, TOP]) {
      expect(refused(into(sink(), {}, query))).toEqual([expect.stringContaining('the mongodb table only appends')]);
      expect(refused(into(sink(), KEYED, query))).toEqual([]);
    }
    expect(refused(mirrored(sink()))).toEqual([expect.stringContaining('the mongodb table only appends')]);
    expect(refused(mirrored(sink(), KEYED))).toEqual([]);
  });

  test('gets documents twice after a restore: a warning, silent once acknowledged', () => {
    expect(warned(into(sink()))).toEqual(['InsertsWithoutKey']);
    expect(warned(into(sink({ guarantee: DeliveryGuarantee.NONE })))).toEqual([]);
    expect(shownAfter('InsertsWithoutKey', into(sink()))).toEqual([]);
  });
});
