import {
  CleanupPolicy,
  Column,
  DataType,
  Format,
  JdbcSink,
  KafkaSource,
  KafkaStart,
  MalformedRecords,
  SqlProgram,
  TimestampFormat,
  UpsertKafkaSink,
} from '../../lib';
import { operationsSql, type SqlCommandOptions } from '../../lib/cli/sql-command';
import { topic } from '../connectors/kafka-fixtures';
import { command } from '../fixtures/command';
import { assemblyOf, DEBEZIUM, EVERY_TYPE, read, settledPayments } from '../fixtures/operations';

const smoke = (program: SqlProgram, options: Partial<SqlCommandOptions> = {}) =>
  operationsSql({ kind: 'smoke', assembly: assemblyOf(program), ...options });

/** Conditions in the head of a script. */
const conditions = (text: string) =>
  [...text.matchAll(/^-- {4}((?:WHERE|ON|USING|HAVING) ?.*|and \d+ more)$/gm)].map(([, condition]) => condition);

/** What the update changes. */
const changed = (text: string) => /^-- 3\. --step update: the row appears again, with what comes of (.*); where/m.exec(text)?.[1];

/** A job over two sources of changes, into a database. */
function joined(query: string, key: string[] = ['id']): SqlProgram {
  const program = new SqlProgram();
  const columns = ['id', 'shop', 'kind', 'size'].map((name) => Column.physical(name, name === 'size' ? DataType.INT : DataType.STRING));
  for (const name of ['orders', 'shops']) {
    program.addTable(name, {
      connector: new KafkaSource({ topic: topic(name), format: DEBEZIUM, start: KafkaStart.earliest() }),
      columns,
      primaryKey: ['id'],
    });
  }
  const results = program.addTable('results', {
    connector: new JdbcSink({ url: 'jdbc:postgresql://db/shop', tableName: 'results' }),
    columns: ['id', 'kind', 'total'].map((name) => Column.physical(name, name === 'total' ? DataType.BIGINT : DataType.STRING)),
    primaryKey: key,
  });
  program.addInsert(results, query);
  return program;
}

const overOrders = (query: string, key?: string[]) => smoke(joined(query, key), { table: 'orders' });

describe('what the queries ask of the row', () => {
  test('stands in the head as it is written: through views, names of AS and computed columns', () => {
    const text = smoke(settledPayments());
    expect(conditions(text)).toEqual([
      "WHERE p.state = 'SETTLED'",
      'WHERE deleted_at IS NULL',
      "WHERE is_high OR paid_in = 'EUR'",
      'HAVING SUM(amount) > 0',
    ]);
    expect(text).toContain('--step insert: the row appears with its first values, where it meets the conditions below');
    expect(text).toContain('-- The queries over payments leave a row out that does not meet these, and nothing comes out then');
  });

  test('a job that asks nothing says nothing of it', () => {
    expect(smoke(read(EVERY_TYPE, { format: DEBEZIUM }))).not.toMatch(/leave a row out|conditions below|could be read/);
  });

  test.each<[string, string, string[]]>([
    ['a partner that must be there', 'JOIN shops AS s ON o.shop = s.id AND s.kind = 1', ['ON o.shop = s.id']],
    ['a partner that may be missing', 'LEFT JOIN shops AS s ON o.shop = s.id', []],
    ['a row that is the partner', 'RIGHT JOIN shops AS s ON o.shop = s.id', ['ON o.shop = s.id']],
    ['a column that both have', 'JOIN shops AS s USING (`shop`)', ['USING (`shop`)']],
    ['conditions on the other table', "JOIN shops AS s ON TRUE WHERE s.kind = 'a' AND s.size > 3", []],
    [
      'a test in parentheses',
      'WHERE (o.size > 3 AND EXISTS (SELECT 1 FROM shops AS s WHERE s.id = o.shop))',
      ['WHERE o.size > 3', 'WHERE EXISTS (SELECT 1 FROM shops AS s WHERE s.id = o.shop)'],
    ],
  ])('of a join: %s', (_what, join, expected) => {
    const text = overOrders(`SELECT o.id, o.kind, CAST(o.size AS BIGINT) FROM orders AS o ${join}`);
    expect(conditions(text)).toEqual(expected);
  });

  test('of WITH and of each side of a union; a number among rows is none of its columns', () => {
    const text =
      overOrders(`WITH large AS (SELECT id, kind AS sort, size, ROW_NUMBER() OVER (PARTITION BY shop ORDER BY size DESC) AS place FROM orders)
SELECT id, sort, CAST(size AS BIGINT) FROM large WHERE place = 1 AND sort <> 'x'
UNION ALL SELECT id, kind, 0 FROM shops WHERE kind = 'no row of orders'`);
    expect(conditions(text)).toEqual(["WHERE sort <> 'x'"]);
    expect(changed(text)).toBe('size 2');
  });

  test('at most ten, each cut where it is long', () => {
    const many = Array.from({ length: 12 }, (_, index) => `size <> ${index}`).join(' AND ');
    const text = overOrders(`SELECT id, kind, CAST(size AS BIGINT) FROM orders WHERE ${many} AND kind = '${'x'.repeat(300)}'`);
    expect(conditions(text)).toHaveLength(11);
    expect(conditions(text).at(-1)).toBe('and 3 more');
    expect(conditions(overOrders(`SELECT id, kind, 1 FROM orders WHERE kind = '${'x'.repeat(300)}'`))[0]).toMatch(
      /^WHERE kind = 'x{152}…$/,
    );
  });

  test('in one line and without comments, however long a line of dashes is', () => {
    const line = '-'.repeat(200);
    const from = performance.now();
    const text = overOrders(`SELECT id, kind, CAST(size AS BIGINT) FROM orders
WHERE size > 3 ${line}
  AND kind -- of the order
    = 'it''s  --  so' /* ${line} */ AND shop<>'x'`);
    expect(conditions(text)).toEqual(['WHERE size > 3', "WHERE kind = 'it''s -- so'", "WHERE shop<>'x'"]);
    expect(performance.now() - from).toBeLessThan(5_000);
  });

  test('says where it could not be read', () => {
    const text = overOrders(`SELECT * FROM orders MATCH_RECOGNIZE (
  PARTITION BY id ORDER BY proc MEASURES A.kind AS kind, 1 AS total ONE ROW PER MATCH PATTERN (A) DEFINE A AS A.size > 3)`);
    expect(text).toContain('-- Not all that the queries over orders ask of a row could be read (MATCH_RECOGNIZE)');
  });
});

describe('the update', () => {
  test('changes no column that makes another row of it', () => {
    expect(changed(smoke(settledPayments()))).toBe('amount 2');
    expect(smoke(settledPayments(), { set: ['amount=12.50'] })).toContain(
      '-- 3. --step update: changes nothing, and nothing need come out',
    );
    expect(changed(overOrders('SELECT id, kind, COUNT(*) FROM orders GROUP BY id, kind, size'))).toBe('shop 2');
    expect(changed(overOrders('SELECT o.id, s.kind, 1 FROM orders AS o LEFT JOIN shops AS s ON o.size = s.size'))).toBe('shop 2, kind 2');
    const numbered = 'ROW_NUMBER() OVER (PARTITION BY size ORDER BY shop) AS place';
    expect(changed(overOrders(`SELECT id, kind, place FROM (SELECT id, kind, ${numbered} FROM orders)`))).toBe('shop 2, kind 2');
  });

  test('changes figures; where there are none, whatever may change', () => {
    expect(changed(overOrders('SELECT id, kind, CAST(size AS BIGINT) FROM orders'))).toBe('size 2');
    expect(changed(overOrders('SELECT id, kind, 1 FROM orders WHERE size > 0'))).toBe('shop 2, kind 2');
    expect(changed(overOrders('SELECT DISTINCT shop, kind, 1 FROM orders WHERE size > 0'))).toBeUndefined();
  });

  test('leaves the key of a sink as it is, also under another name', () => {
    expect(changed(overOrders('SELECT shop, kind, 1 FROM orders WHERE size > 0', ['id', 'kind']))).toBeUndefined();
    expect(changed(overOrders('SELECT shop, kind, 1 FROM orders WHERE size > 0', ['kind']))).toBe('shop 2');
  });
});

describe('--set', () => {
  const set = (...values: string[]) => smoke(read(EVERY_TYPE, { format: DEBEZIUM }, ['a_bigint']), { step: 'update', set: values });

  test('gives columns their values in both rows of an update, a column of the key, too', () => {
    const text = set(
      'a_string=it=\'s "x"',
      'a_bigint=9007199254740993',
      'a_decimal=12345678901234567890123456789012345678',
      'a_boolean=true',
    );
    const row = `"a_string":"it=''s \\"x\\"","a_boolean":true,`;
    expect(text.split(row)).toHaveLength(3);
    expect(text).toContain(`VALUES ('{"a_bigint":9007199254740993}', '{"before":`);
    expect(text.split('"a_decimal":12345678901234567890123456789012345678,')).toHaveLength(3);
    expect(changed(text)).not.toMatch(/a_string|a_bigint|a_decimal|a_boolean/);
  });

  test('NULL is none', () => {
    const text = smoke(settledPayments(), { set: ['deleted_at=NULL', 'state=SETTLED'] });
    expect(text).toContain('"state":"SETTLED","amount":1,"level":1,"deleted_at":null}');
  });

  test('times are as the format has them', () => {
    const values = ['a_timestamp=2026-01-31T10:00:00.5', 'an_instant=2026-01-31 10:00:00Z', 'a_date=2026-01-31'];
    expect(set(...values)).toContain(
      '"a_date":"2026-01-31","a_time":"00:00:01","a_timestamp":"2026-01-31 10:00:00.5","an_instant":"2026-01-31 10:00:00Z"}',
    );
    const format = Format.debeziumJson({
      schemaInclude: false,
      malformedRecords: MalformedRecords.FAIL,
      timestampFormat: TimestampFormat.ISO_8601,
    });
    expect(smoke(read(EVERY_TYPE, { format }), { set: values })).toContain(
      '"a_timestamp":"2026-01-31T10:00:00.5","an_instant":"2026-01-31T10:00:00Z"}',
    );
  });

  test.each<[string[], RegExp]>([
    [['a_string'], /--set must be column=value, got 'a_string'/],
    [['nothing=1'], /--set: 'nothing' is no column of table 'rows' that its records have; there are a_char, a_varchar/],
    [['an_int=1', 'an_int=2'], /--set gives column 'an_int' twice/],
    [['a_char=euro'], /--set a_char must be at most 3 characters for column 'a_char' of table 'rows', which is CHAR\(3\) here/],
    [['a_string=NULL'], /--set a_string must be a value, since it is NOT NULL, for column 'a_string'/],
    [['a_tinyint=128'], /--set a_tinyint must be a whole number from -128 to 127 .* which is TINYINT, got '128'/],
    [['an_int=1.5'], /must be a whole number from/],
    [['a_digit=12.1'], /must be a number of at most 1 digits before the point and 2 after it/],
    [['a_double=much'], /must be a number for column/],
    [['a_boolean=yes'], /must be true or false for column/],
    [['a_timestamp=today'], /must be such as 2026-01-31 10:00:00 for column/],
    [['a_varbinary=abc'], /must be at most 2 bytes of text/],
    [['a_string=${env:HOME}'], /--set must not hold '\$\{env:'/],
  ])('refuses %p', (values, message) => {
    expect(() => set(...values)).toThrow(message);
  });

  test('may be given several times on the command line', () => {
    const { out, error } = command('sql', 'smoke', assemblyOf(settledPayments()), '--set', 'state=SETTLED', '--set', 'level=3');
    expect(error).toBe('');
    expect(out).toContain('"state":"SETTLED","amount":1,"level":3,');
    expect(command('sql', 'load', '--set', 'a=b').error).toContain("'sql load' has no option --set");
  });
});

describe('texts', () => {
  test('are as short as can be, and have room in the sinks', () => {
    const text = smoke(settledPayments());
    expect(text).toContain('"payment_id":"smoke-check","currency":"1","region":"1","state":"1",');
    expect(text).toContain('-- Beside its key: currency 1, region 1, state 1, amount 1, level 1, deleted_at 2026-01-01 00:00:01\n');
    expect(() => smoke(settledPayments(), { set: ['currency=euro'] })).toThrow(
      /at most 3 characters .* which is VARCHAR\(3\) here or in a sink/,
    );
  });

  test('a key that a database may have no room for: the head says so, and what --key-value may be', () => {
    const text = smoke(settledPayments());
    expect(text).toContain(
      '-- A database column with room for less than 11 characters refuses payment_id, and the job fails at the row again and again',
    );
    const limited = smoke(
      read([Column.physical('code', DataType.char(5)), Column.physical('number', DataType.SMALLINT)], { format: DEBEZIUM }, [
        'code',
        'number',
      ]),
    );
    expect(limited).toContain('the same in each step: code at most 5 characters, number a whole number from -32768 to 32767; by --set');
    expect(limited).not.toContain('A database column');
  });

  test('of a load have room in the sinks, and the head names those that a database may refuse', () => {
    const load = operationsSql({ kind: 'load', assembly: assemblyOf(settledPayments()) });
    expect(load).toContain('CAST(filler AS VARCHAR(3)) AS `currency`');
    expect(load).toContain('CAST(filler AS VARCHAR(20)) AS `region`');
    expect(load).toContain('CAST(filler AS STRING) AS `state`');
    expect(load).toContain('-- Texts of 100 characters: state. A database column with room for less refuses them');
    expect(() => operationsSql({ kind: 'load', assembly: assemblyOf(settledPayments()), key: 'currency' })).toThrow(
      /--keys must be at most 1 for column 'currency', which is VARCHAR\(3\) here or in a sink/,
    );
  });

  test('of the lines of a load, too', () => {
    const program = new SqlProgram();
    const lines = program.addTable('lines', {
      connector: new KafkaSource({ topic: topic('lines'), format: Format.raw(), start: KafkaStart.earliest() }),
      columns: [Column.physical('line', DataType.STRING)],
    });
    const prices = program.addTable('prices', {
      connector: new UpsertKafkaSink({
        topic: topic('prices', { cleanupPolicy: CleanupPolicy.COMPACT }),
        keyFormat: Format.json(),
        valueFormat: Format.json(),
      }),
      columns: [
        Column.physical('id', DataType.STRING),
        Column.physical('currency', DataType.varchar(3)),
        Column.physical('note', DataType.STRING),
      ],
      primaryKey: ['id'],
    });
    program.addInsert(
      prices,
      `SELECT JSON_VALUE(line, '$.id'), JSON_VALUE(line, '$.price.currency'), JSON_VALUE(line, '$.note') FROM ${lines}`,
    );
    const load = operationsSql({ kind: 'load', assembly: assemblyOf(program) });
    expect(load).toContain("KEY 'currency' VALUE CAST(filler AS VARCHAR(3))");
    expect(load).toContain('-- Texts of 100 characters: note.');
  });
});
