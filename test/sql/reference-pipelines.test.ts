import { Duration } from 'aws-cdk-lib';
import { Column } from '../../lib/sql/column';
import { DataType } from '../../lib/sql/data-type';
import { SqlProgram } from '../../lib/sql/sql-program';
import { renderScript } from '../../lib/sql/sql-script';
import { Watermark } from '../../lib/sql/watermark';
import { FixedConnector } from './fixed-connector';
import { readStatements } from './sql-reader';

/** A JSON line is an event when it has a user, a type other than raw, and a time. */
const IS_EVENT = `\`line\` IS JSON OBJECT AND JSON_VALUE(\`line\`, '$.user_id') IS NOT NULL
  AND COALESCE(JSON_VALUE(\`line\`, '$.event_type'), 'raw') <> 'raw' AND \`event_time\` > TIMESTAMP '1970-01-01 00:00:00.000'`;

function userEvents(): SqlProgram {
  const program = new SqlProgram();
  const lines = program.addTable('kinesis_source', {
    connector: FixedConnector.source('kinesis', {
      'stream.arn': 'arn:aws-cn:kinesis:cn-north-1:123456789012:stream/user-events',
      'aws.region': 'cn-north-1',
      'source.init.position': 'LATEST',
      format: 'raw',
    }),
    columns: [
      Column.physical('line', DataType.STRING),
      Column.computed(
        'event_time',
        "COALESCE(TRY_CAST(REPLACE(REPLACE(JSON_VALUE(`line`, '$.event_time'), 'T', ' '), 'Z', '') AS TIMESTAMP(3)), TIMESTAMP '1970-01-01 00:00:00.000')",
        { comment: 'the epoch stands in for a time that cannot be read' },
      ),
      Column.computed('proc_time', 'PROCTIME()'),
    ],
    watermark: Watermark.delayed('event_time', Duration.seconds(5)),
  });
  const dimension = program.addTable('dim_users', {
    connector: FixedConnector.lookup('dynamodb-lookup', {
      'table-name': 'user-dim',
      'aws.region': 'cn-north-1',
      'lookup.cache': 'PARTIAL',
      'lookup.partial-cache.max-rows': '10000',
      'lookup.partial-cache.expire-after-write': '30 min',
    }),
    columns: [
      Column.physical('user_id', DataType.STRING),
      Column.physical('level', DataType.STRING),
      Column.physical('region', DataType.STRING),
    ],
    primaryKey: ['user_id'],
  });
  const search = program.addTable('es_sink', {
    connector: FixedConnector.sink('elasticsearch-7', {
      hosts: 'http://es-node-1:9200',
      index: 'user-events',
      'document-id.key-delimiter': '_',
      'sink.bulk-flush.max-actions': '1000',
    }).with({ contract: ['document id: user_id_event_time'] }),
    columns: [
      Column.physical('user_id', DataType.STRING),
      Column.physical('event_time', DataType.timestamp(3)),
      Column.physical('level', DataType.STRING),
      Column.physical('event_type', DataType.STRING),
    ],
    primaryKey: ['user_id', 'event_time'],
  });
  const latest = program.addTable('mongo_sink', {
    connector: FixedConnector.sink('mongodb', {
      uri: '${env:SECRET_MONGO_URI_0A1B2C}',
      database: 'app_analytics',
      collection: 'user_last_events',
    }),
    columns: [
      Column.physical('user_id', DataType.STRING),
      Column.physical('event_type', DataType.STRING),
      Column.physical('event_time', DataType.timestamp(3)),
    ],
    primaryKey: ['user_id'],
  });
  const counts = program.addTable('jdbc_sink', {
    connector: FixedConnector.sink('jdbc', { url: 'jdbc:mysql://mysql-host:3306/analytics', 'table-name': 'user_event_count' }),
    columns: [
      Column.physical('user_id', DataType.STRING),
      Column.physical('window_time', DataType.timestamp(3)),
      Column.physical('event_count', DataType.BIGINT),
    ],
    primaryKey: ['user_id', 'window_time'],
  });
  const archive = program.addTable('firehose_sink', {
    connector: FixedConnector.sink('firehose', { 'delivery-stream': 'raw-logs-archive', 'aws.region': 'cn-north-1', format: 'raw' }),
    columns: [Column.physical('line', DataType.STRING)],
  });
  const events = program.addView(
    'events',
    `SELECT JSON_VALUE(\`line\`, '$.user_id') AS user_id, JSON_VALUE(\`line\`, '$.event_type') AS event_type,
  JSON_VALUE(\`line\`, '$.page_url') AS page_url, event_time, proc_time
FROM ${lines}
WHERE ${IS_EVENT}`,
  );
  const enriched = program.addView(
    'enriched',
    `SELECT e.user_id, u.\`level\`, u.region, e.event_type, e.event_time
FROM ${events} AS e LEFT JOIN ${dimension} FOR SYSTEM_TIME AS OF e.proc_time AS u ON e.user_id = u.user_id`,
  );
  program.addInsert(search, `SELECT user_id, event_time, \`level\`, event_type FROM ${enriched}`);
  program.addInsert(
    latest,
    `SELECT user_id, event_type, event_time
FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY event_time DESC) AS rn FROM ${events}) WHERE rn = 1`,
  );
  program.addInsert(
    counts,
    `SELECT user_id, window_start, COUNT(DISTINCT CONCAT(CAST(event_time AS STRING), '|', event_type, '|', COALESCE(page_url, '')))
FROM TABLE(TUMBLE(TABLE ${events}, DESCRIPTOR(event_time), INTERVAL '1' MINUTE)) GROUP BY user_id, window_start, window_end`,
  );
  program.addInsert(archive, `SELECT \`line\` FROM ${lines} WHERE NOT (${IS_EVENT})`);
  return program;
}

function orderItems(): SqlProgram {
  const program = new SqlProgram();
  program.set('table.exec.source.cdc-events-duplicate', 'true');
  const changes = program.addTable('orders_cdc', {
    connector: FixedConnector.source('kafka', {
      topic: 'mysql.shop.order_item',
      'properties.bootstrap.servers': 'b:9092',
      'scan.startup.mode': 'earliest-offset',
      'value.format': 'debezium-json',
    }),
    columns: [
      Column.physical('order_id', DataType.STRING.notNull()),
      Column.physical('item_id', DataType.STRING.notNull()),
      Column.physical('change_id', DataType.BIGINT),
      Column.physical('quantity', DataType.INT),
      Column.physical('amount', DataType.decimal(18, 2)),
      Column.physical('order_status', DataType.STRING),
    ],
    primaryKey: ['change_id'],
  });
  const item = program.addTable('dwd_order_item', {
    connector: FixedConnector.sink('upsert-kafka', {
      topic: 'dwd_order_item',
      'properties.bootstrap.servers': 'b:9092',
      'key.format': 'json',
      'value.format': 'json',
      'sink.delivery-guarantee': 'exactly-once',
    }).with({ contract: ['key format: json', 'null value: the row is deleted'] }),
    columns: [
      Column.physical('order_id', DataType.STRING),
      Column.physical('item_id', DataType.STRING),
      Column.physical('quantity', DataType.BIGINT),
      Column.physical('amount', DataType.decimal(38, 2)),
      Column.physical('order_status', DataType.STRING),
    ],
    primaryKey: ['order_id', 'item_id'],
  });
  program.addInsert(
    item,
    `SELECT order_id, item_id, SUM(quantity), SUM(amount), LAST_VALUE(order_status) FROM ${changes} GROUP BY order_id, item_id`,
  );
  return program;
}

test('user-events: one source and one lookup, fanned out to four sinks in one statement set', () => {
  const program = userEvents();
  const script = program.toSql();
  expect(script).toMatchSnapshot();
  expect(script).toBe(userEvents().toSql());
  // six tables, two views, four INSERTs the first of which opens the set, END
  expect(readStatements(script)).toHaveLength(6 + 2 + 4 + 1);
  expect(program._inserts().map(({ query }) => [...query.tables].map((table) => table.name))).toEqual([
    ['kinesis_source', 'dim_users'],
    ['kinesis_source'],
    ['kinesis_source'],
    ['kinesis_source'],
  ]);
  expect(program._usedTables()).toHaveLength(6);
});

test('order-items: changes aggregated into a compacted topic', () => {
  const program = orderItems();
  const transactional = { 'sink.transactional-id-prefix': 'streaming.order-items.dwd_order_item', 'sink.parallelism': '6' };
  const script = renderScript(
    program._script({}, { orders_cdc: { 'properties.group.id': 'streaming.order-items' }, dwd_order_item: transactional }),
  );
  expect(script).toMatchSnapshot();
  expect(script).toBe(
    renderScript(
      orderItems()._script({}, { orders_cdc: { 'properties.group.id': 'streaming.order-items' }, dwd_order_item: transactional }),
    ),
  );
  expect(readStatements(script)).toHaveLength(1 + 2 + 1 + 1);
});
