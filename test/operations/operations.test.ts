import { readFileSync } from 'fs';
import { join } from 'path';
import { OrderItemsStack } from '../../bin/order-items-stack';
import { UserEventsStack } from '../../bin/user-events-stack';
import { operationsSql, type SqlCommandOptions } from '../../lib/cli/sql-command';
import { findPrograms } from '../../lib/planner/find-programs';
import type { SqlProgram } from '../../lib/sql/sql-program';
import { definitionsOf, renderScript } from '../../lib/sql/sql-script';
import { newApp } from '../fixtures/assembly';
import { command } from '../fixtures/command';

const app = newApp();
const orders = new OrderItemsStack(app, 'OrderItems', { env: { account: '111122223333', region: 'eu-central-1' } });
const events = new UserEventsStack(app, 'UserEvents', { env: { account: '111122223333', region: 'cn-north-1' } });
const { directory: assembly } = app.synth();

const sql = (kind: string, job: string, options: Partial<SqlCommandOptions> = {}) => operationsSql({ kind, assembly, job, ...options });

describe.each([
  ['order-items', orders.orderItems],
  ['order-status', orders.orderStatus],
  ['user-events', events.job],
])('the script of %s', (_, { application }) => {
  const program = application.program as SqlProgram;
  const found = findPrograms(assembly).find(({ jobName }) => jobName === application.jobName)!;

  test('is found in its parts as the program wrote it', () => {
    expect(
      found.tables.map(({ name, role, primaryKey, columns }) => ({
        name,
        role,
        primaryKey,
        columns: columns.map((column) => column.name),
      })),
    ).toEqual(
      program._usedTables().map(({ name, binding, primaryKey, columns }) => ({
        name,
        role: binding.role,
        primaryKey,
        columns: columns.map((column) => column.name),
      })),
    );
    for (const [index, table] of program._usedTables().entries()) {
      expect(found.tables[index]!.connector).toBe(table.binding.identifier);
      expect(found.tables[index]!.options).toMatchObject(table.binding.options);
      for (const [option, value] of Object.entries(found.tables[index]!.options)) {
        expect(application.script).toContain(`  '${option}' = '${value.replaceAll("'", "''")}'`);
      }
    }
    expect(found.inserts).toEqual(
      program._inserts().map(({ table, query, columns }) => ({ table: table.name, query: query.sql, columns })),
    );
    expect(renderScript({ definitions: definitionsOf(found.script, found.inserts), inserts: found.inserts })).toBe(application.script);
  });
});

describe('reconcile', () => {
  test('compares each sink that can be read with its query, by count, sum and key', () => {
    const text = sql('reconcile', 'order-items');
    for (const part of [
      'CREATE TEMPORARY VIEW `dwd_order_item_query` (`order_id`, `item_id`, `quantity`, `amount`, `order_status`) AS\nSELECT order_id',
      'CREATE TEMPORARY VIEW `dwd_order_item_expected` AS\nSELECT CAST(`order_id` AS STRING) AS `order_id`',
      'SUM(CAST(`amount` AS DECIMAL(38, 2)))',
      'FULL OUTER JOIN `dwd_order_item` AS w ON e.`order_id` = w.`order_id` AND e.`item_id` = w.`item_id`',
      'e.`quantity` IS NOT DISTINCT FROM w.`quantity`',
    ]) {
      expect(text).toContain(part);
    }
  });

  test('reads committed records up to now, and leaves the consumer group of the job alone', () => {
    const text = sql('reconcile', 'order-items');
    expect(text).toContain(`ALTER TABLE \`dwd_order_item\` SET (
  'scan.bounded.mode' = 'latest-offset',
  'properties.isolation.level' = 'read_committed',
  'properties.group.id' = 'streaming.order-items.reconcile'
);`);
  });

  test('tells what its role and its database user need', () => {
    const text = sql('reconcile', 'order-items');
    expect(text).toContain(
      'Needs: read on the topics mysql.shop.order_item, dwd_order_item, with the consumer group streaming.order-items.reconcile; SELECT on order_item_totals.',
    );
    expect(text).toContain("topic.grantRead(job, 'streaming.order-items.reconcile')");
  });

  test('adds up in batches, or each row would be a change in the log', () => {
    expect(sql('reconcile', 'order-items')).toMatch(
      /'table.exec.mini-batch.enabled' = 'true';\nSET 'table.exec.mini-batch.allow-latency' = '5 s';\nSET 'table.exec.mini-batch.size' = '50000';/,
    );
  });

  test('forgets nothing, although the job does', () => {
    expect(sql('reconcile', 'order-status')).toMatch(/SET 'table.exec.state.ttl' = '0 s';(?![\s\S]*'table.exec.state.ttl')/);
  });

  test('names the sinks that it cannot read, and the streams that have no end', () => {
    const text = sql('reconcile', 'user-events');
    expect(text).toMatch(/compare them by hand: es_sink, mongo\w*, firehose_sink/);
    expect(text).toMatch(/A stream has no end.*kinesis_source/);
  });

  test('says where the job has skipped what a source still has', () => {
    expect(sql('reconcile', 'user-events')).toContain('The job did not start at the oldest record of kinesis_source: what it has skipped');
    expect(sql('reconcile', 'order-items')).not.toContain('did not start at');
  });
});

describe('smoke', () => {
  test('sends a change of one row, and says how to see it', () => {
    const text = sql('smoke', 'order-items', { step: 'update' });
    expect(text).toContain('"op":"u"');
    expect(text).toMatch(/before":\{"order_id":"smoke-check".*"quantity":1.*after":\{"order_id":"smoke-check".*"quantity":2/);
    expect(text).toContain(
      'kafka-console-consumer.sh --bootstrap-server b-1.shop.abc123.c2.kafka.eu-central-1.amazonaws.com:9098 --topic dwd_order_item ' +
        '--consumer.config client.properties --group streaming.order-items.smoke --consumer-property enable.auto.commit=false ' +
        '--isolation-level read_committed',
    );
    expect(text).not.toMatch(/properties\.group\.id|isolation\.level'/);
  });

  test('has the key of no real row, names it, and says what becomes of a row that has it', () => {
    const text = sql('smoke', 'order-items', { step: 'delete' });
    expect(text).toMatch(/"before":\{"order_id":"smoke-check","item_id":"smoke-check","change_id":-9223372036854775808,.*"quantity":2/);
    expect(text).toContain(
      '-- The row: order_id smoke-check, item_id smoke-check, change_id -9223372036854775808, user_id smoke-check, sku_id smoke-check\n' +
        '-- A row that already has this key is replaced and then deleted',
    );
    expect(text).toContain(
      'Needs: write on the topic mysql.shop.order_item. Where the brokers ask IAM the role of the job has it by topic.grantWrite(job)',
    );
  });

  test('sends each step with the key that Debezium gives it: one partition, one order', () => {
    for (const step of ['insert', 'update', 'delete']) {
      expect(sql('smoke', 'order-items', { step })).toContain(
        `'value.format' = 'raw',
  'key.format' = 'raw',
  'key.fields' = 'record_key',
  'value.fields-include' = 'EXCEPT_KEY'
);

EXECUTE STATEMENT SET BEGIN
INSERT INTO smoke_changes VALUES ('{"change_id":-9223372036854775808}', '{"before":`,
      );
    }
  });

  test('takes another key, which fits each column of the key', () => {
    const text = sql('smoke', 'order-items', { step: 'insert', keyValue: '9007199254740993' });
    expect(text).toContain('"order_id":"9007199254740993","item_id":"9007199254740993","change_id":9007199254740993,');
    expect(text).not.toContain('UNSIGNED');
    expect(() => sql('smoke', 'order-items', { keyValue: '9223372036854775808' })).toThrow(
      /--key-value must be a whole number from -9223372036854775808 to 9223372036854775807 for column 'change_id' of table 'orders_cdc', which is BIGINT, got '9223372036854775808'/,
    );
    expect(() => sql('smoke', 'order-items', { keyValue: 'nobody' })).toThrow(/got 'nobody'/);
  });

  test('needs a source of changes and a known step', () => {
    expect(() => sql('smoke', 'user-events')).toThrow(/has no source that is one Kafka topic of changes \(debezium-json\)/);
    expect(() => sql('smoke', 'order-items', { step: 'upsert' })).toThrow(/--step must be one of insert, update, delete, got 'upsert'/);
  });
});

describe('load', () => {
  test('has the stated skew, rate and size', () => {
    const text = sql('load', 'order-items', { key: 'order_id', rowsPerSecond: '5000', hotShare: '90', size: '40' });
    expect(text).toContain("'rows-per-second' = '5000'");
    expect(text).toContain('CASE WHEN share < 90 THEN MOD(spread, 1000) ELSE 1000 + MOD(spread, 999000) END AS key_number');
    expect(text).toContain("'fields.filler.length' = '40'");
    expect(text).toContain("CAST(CONCAT('key-', CAST(key_number AS STRING)) AS STRING) AS `order_id`");
  });

  test('names the line of the topic or stream, and what its role needs', () => {
    const topic = sql('load', 'order-items', { key: 'order_id' });
    expect(topic).toContain("put its name into 'topic' of CREATE TABLE `orders_cdc` below");
    expect(topic).toContain('Needs: write on the topic mysql.shop.order_item.');
    const stream = sql('load', 'user-events');
    expect(stream).toContain("put its name into 'stream.arn' of CREATE TABLE `kinesis_source` below");
    expect(stream).toContain(
      'Needs: write on arn:aws-cn:kinesis:cn-north-1:111122223333:stream/user-events. The role of the job has it by stream.grantWrite(job)',
    );
  });

  test('has the record key that Debezium makes, or the partition key where the skew is, and says where the skew is to be seen', () => {
    const byKey = sql('load', 'order-items');
    expect(byKey).toContain("  'key.format' = 'json',\n  'key.fields' = 'change_id'\n);");
    expect(byKey).toContain(
      '-- Record key: change_id; the rows of a key are in one partition and keep their order, and a few hot keys make hot',
    );
    expect(sql('load', 'order-items', { key: 'order_id' })).toContain(
      '-- Record key: change_id; it differs from row to row, so that the rows of a hot key are in every partition.\n',
    );
    const stream = sql('load', 'user-events');
    expect(stream).toContain(") PARTITIONED BY (`user_id`) WITH (\n  'connector' = 'kinesis',");
    expect(stream).toContain("  'format' = 'json'\n);");
    expect(stream).toContain('-- Partition key: user_id, where the skew is, since the table of the job tells no other');
  });

  test('keys that are numbers are below those of real rows', () => {
    const text = sql('load', 'order-items', { key: 'order_id' });
    expect(text).toContain('CAST(-1 - MOD(part, 999999999999999999) AS BIGINT) AS `change_id`');
    expect(text).toContain('Keys that are numbers are below 0');
    expect(sql('load', 'order-items', { key: 'change_id' })).toContain('CAST(-1 - key_number AS BIGINT) AS `change_id`');
    expect(text).toContain('Other numbers are 0 to 999');
    expect(sql('load', 'user-events')).not.toMatch(/Keys that are numbers|Other numbers/);
  });

  test('makes the fields of a line that the queries take out of it', () => {
    const text = sql('load', 'user-events');
    expect(text).not.toContain('source.init.position');
    expect(text).toContain('Each line has the fields event_time, user_id, event_type, page_url.');
    expect(text).toContain(`SELECT
  CAST(CAST(LOCALTIMESTAMP AS STRING) AS STRING) AS \`event_time\`,
  CAST(CONCAT('key-', CAST(key_number AS STRING)) AS STRING) AS \`user_id\`,
  CAST(filler AS STRING) AS \`event_type\`,
  CAST(filler AS STRING) AS \`page_url\`
FROM`);
  });

  test.each([
    [
      { key: 'nobody' },
      /'nobody' is no column of table 'orders_cdc' that keys can stand in, which text, bytes and numbers can; there are order_id/,
    ],
    [{ hotKeys: '5', keys: '5' }, /--hot-keys must be a whole number from 1 to 4, got 5/],
    [{ hotShare: 'many' }, /--hot-share must be a whole number, got 'many'/],
    [{ hotShare: '' }, /--hot-share must be a whole number, got ''/],
    [{ hotShare: '101' }, /--hot-share must be a whole number from 0 to 100, got 101/],
    [{ table: 'nowhere' }, /has no source 'nowhere' that can be written \(kafka with one topic, kinesis\); there are orders_cdc/],
  ])('refuses %p', (options, message) => {
    expect(() => sql('load', 'order-items', options)).toThrow(message);
  });
});

test('a job is named where there are several', () => {
  expect(() => operationsSql({ kind: 'load', assembly })).toThrow(
    /several SQL jobs: choose one with --job; there are order-items \(OrderItems.order-items\)/,
  );
  expect(() => sql('rows', 'order-items')).toThrow(/there is no SQL 'rows': write reconcile, smoke or load/);
});

describe('the command line', () => {
  const call = (...args: string[]) => command('sql', ...args);

  test('writes the SQL to standard output', () => {
    const { code, out, error } = call(
      'load',
      assembly,
      '--job',
      'order-items',
      '--key',
      'order_id',
      '--hot-share',
      '60',
      '--hot-keys',
      '7',
    );
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(out).toContain('CASE WHEN share < 60');
    expect(out).toContain('7 of 1000000 keys (order_id)');
  });

  test('the commands of the page work', () => {
    const page = readFileSync(join(__dirname, '..', '..', 'docs', 'operations.md'), 'utf8');
    const calls = [...page.matchAll(/^ *npx cdk-flink-pipeline sql +(\S+) +cdk\.out (.*) > \S+\.sql$/gm)];
    expect(new Set(calls.map(([, kind]) => kind))).toEqual(new Set(['reconcile', 'smoke', 'load']));
    for (const [, kind, options] of calls) {
      expect(call(kind!, assembly, ...options!.split(' '))).toMatchObject({ code: 0, error: '' });
    }
  });

  test.each([
    [[], 2, /no SQL named: write sql reconcile/],
    [['rows'], 2, /there is no SQL 'rows'/],
    [['reconcile', 'a', 'b'], 2, /too many arguments: 'b'/],
    [['reconcile', '--step', 'insert'], 2, /'sql reconcile' has no option --step/],
    [['load', '--key-value', '1'], 2, /'sql load' has no option --key-value/],
    [['smoke', '--rows', '1'], 2, /Unknown option '--rows'/],
    [['reconcile', 'nowhere'], 1, /'nowhere' is no cloud assembly/],
  ])('%p fails', (args, code, message) => {
    const result = call(...args);
    expect(result.code).toBe(code);
    expect(result.error).toMatch(message);
  });

  test.each([['--help'], ['smoke', '--help'], ['load', 'a', 'b', '-h']])('helps with sql alone: %p', (...args) => {
    const { code, out, error } = call(...args);
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(out).toMatch(/^usage: cdk-flink-pipeline sql reconcile \[ASSEMBLY\]/);
    expect(out).not.toContain('cdk-flink-pipeline image');
    expect(out.split('\n').filter((line) => line.length > 125)).toEqual([]);
    expect(command('--help').out).toContain(out);
  });
});
