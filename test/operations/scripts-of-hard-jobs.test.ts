import { Duration, Token } from 'aws-cdk-lib';
import { readFileSync, writeFileSync } from 'fs';
import { join } from 'path';
import {
  CleanupPolicy,
  Column,
  DataType,
  Format,
  KafkaCluster,
  KafkaSource,
  KafkaStart,
  KafkaTopic,
  MalformedRecords,
  PrintSink,
  SqlProgram,
  UpsertKafkaSink,
  Watermark,
} from '../../lib';
import { operationsSql, type SqlCommandOptions } from '../../lib/cli/sql-command';
import { topic } from '../connectors/kafka-fixtures';
import { assemblyOf, copies, DEBEZIUM, EVERY_TYPE, read } from '../fixtures/operations';

const sql = (kind: string, program: SqlProgram, options: Partial<SqlCommandOptions> = {}) =>
  operationsSql({ kind, assembly: assemblyOf(program), ...options });

describe('pipeline.json', () => {
  const pipeline = JSON.parse(readFileSync(join(assemblyOf(copies()), 'Stack.clicks', 'pipeline.json'), 'utf8'));

  test('tells kind, type and use of each column, whatever comments say', () => {
    const physical = (name: string, type: string) => ({ name, kind: 'physical', type, nullable: true, writable: true });
    const rows = [physical('id', 'STRING'), physical('amount', 'DECIMAL(5, 2)'), physical('labels', 'MAP<STRING, STRING>')];
    const tables = pipeline.tables.map(({ name, columns }: { name: string; columns: object[] }) => ({ name, columns }));
    expect(tables).toEqual([
      {
        name: 'clicks',
        columns: [
          ...rows,
          { name: 'offset', kind: 'metadata', type: 'BIGINT', nullable: true, metadataKey: 'offset', writable: true },
          { name: 'doubled', kind: 'computed', writable: false },
        ],
      },
      {
        name: 'copies',
        columns: [
          ...rows,
          { name: 'sent_at', kind: 'metadata', type: 'TIMESTAMP_LTZ(3)', nullable: true, metadataKey: 'timestamp', writable: true },
        ],
      },
      { name: 'copies_expected', columns: [physical('id', 'STRING')] },
    ]);
  });

  test('tells the INSERTs in their order', () => {
    expect(pipeline.inserts).toEqual([
      { table: 'copies', columns: [], query: expect.stringMatching(/^SELECT id, amount \+ 0\.001, labels, .*-- the large ones\n$/) },
      { table: 'copies', columns: ['amount', 'id'], query: 'SELECT amount, id FROM `clicks` WHERE amount < 10' },
      { table: 'copies_expected', columns: [], query: 'SELECT id FROM `load_rows`' },
    ]);
  });
});

describe('reconcile', () => {
  test('a view has every column that its query fills, metadata too, which is not compared', () => {
    const text = sql('reconcile', copies());
    expect(text).toContain('CREATE TEMPORARY VIEW `copies_query_1` (`id`, `amount`, `labels`, `sent_at`) AS\nSELECT id');
    expect(text).toContain('CREATE TEMPORARY VIEW `copies_query_2` (`amount`, `id`) AS\nSELECT amount');
    expect(text).toContain('-- Metadata is not compared: copies.sent_at');
    expect(text.slice(text.indexOf('EXECUTE STATEMENT SET'))).not.toContain('sent_at');
  });

  test('takes no name that the job has', () => {
    const text = sql('reconcile', copies());
    expect(text.match(/CREATE (TABLE|TEMPORARY VIEW) `copies_expected\w*`/g)).toEqual([
      'CREATE TABLE `copies_expected`',
      'CREATE TEMPORARY VIEW `copies_expected_2`',
    ]);
    expect(text).toContain("SELECT 'expected', COUNT(*) FROM `copies_expected_2` GROUP BY");
  });

  test('what two INSERTs write is taken together, as the types of the sink, NULL where one fills nothing', () => {
    expect(sql('reconcile', copies())).toContain(`CREATE TEMPORARY VIEW \`copies_expected_2\` AS
SELECT CAST(\`id\` AS STRING) AS \`id\`, CAST(\`amount\` AS DECIMAL(5, 2)) AS \`amount\`, CAST(\`labels\` AS MAP<STRING, STRING>) AS \`labels\` FROM \`copies_query_1\`
UNION ALL
SELECT CAST(\`id\` AS STRING) AS \`id\`, CAST(\`amount\` AS DECIMAL(5, 2)) AS \`amount\`, CAST(NULL AS MAP<STRING, STRING>) AS \`labels\` FROM \`copies_query_2\`;`);
  });
});

describe('values that only the deployment knows', () => {
  const cluster = KafkaCluster.selfManaged({ bootstrapServers: [Token.asString({ Ref: 'Brokers' })] });
  const program = () =>
    read([Column.physical('id', DataType.STRING)], {
      topic: KafkaTopic.fromTopicAttributes({ cluster, topicName: 'rows', partitions: 1 }),
      format: DEBEZIUM,
    });

  test.each(['load', 'smoke'])('%s says what to do about them', (kind) => {
    const text = sql(kind, program());
    expect(text).toContain("'properties.bootstrap.servers' = '${env:TABLE_ROWS_PROPERTIES_BOOTSTRAP_SERVERS}'");
    expect(text).toContain('-- ${env:NAME} is a variable of the job manager of clicks: TABLE_ROWS_PROPERTIES_BOOTSTRAP_SERVERS.\n');
    expect(text).toContain('--   kubectl -n streaming exec deploy/clicks -- printenv NAME\n');
  });

  test('the command that watches a topic takes them from the shell', () => {
    const changes = program();
    const columns = [Column.physical('id', DataType.STRING.notNull())];
    const sink = changes.addTable('latest', {
      connector: new UpsertKafkaSink({
        topic: KafkaTopic.fromTopicAttributes({ cluster, topicName: 'latest', partitions: 1, cleanupPolicy: CleanupPolicy.COMPACT }),
        keyFormat: Format.json(),
        valueFormat: Format.json(),
      }),
      columns,
      primaryKey: ['id'],
    });
    changes.addInsert(sink, 'SELECT id FROM `rows`');
    const text = sql('smoke', changes);
    expect(text).toContain('--bootstrap-server "${TABLE_LATEST_PROPERTIES_BOOTSTRAP_SERVERS}" --topic latest ');
    expect(text).toContain('of clicks: TABLE_LATEST_PROPERTIES_BOOTSTRAP_SERVERS, TABLE_ROWS_PROPERTIES_BOOTSTRAP_SERVERS.');
  });

  test('a script without them says nothing', () => {
    expect(sql('load', read(EVERY_TYPE))).not.toMatch(/\$\{|printenv/);
  });
});

describe('load', () => {
  test('writes a table of its own, without what the connector alone fills, and without reading options', () => {
    const text = sql('load', copies());
    expect(text).toContain('CREATE TABLE `clicks` (\n  `id` STRING,\n  `amount` DECIMAL(5, 2),\n  `labels` MAP<STRING, STRING>\n) WITH (');
    expect(text).toContain('-- Always NULL: labels\n');
    expect(text).not.toMatch(/scan\.|group\.id|METADATA/);
  });

  const keyOf = (text: string) => /'key\.fields' = '([^']*)'/.exec(text)?.[1];
  const noteOf = (text: string) => /^-- (?:Record|Partition) key: .*$/m.exec(text)?.[0];

  test('the primary key of changes, in its order, is the record key; all of it has the skew unless a part is named', () => {
    const columns = [
      Column.physical('item', DataType.SMALLINT),
      Column.physical('order', DataType.STRING),
      Column.physical('day', DataType.DATE),
    ];
    const assembly = assemblyOf(read(columns, { format: DEBEZIUM }, ['order', 'item', 'day']));
    const whole = operationsSql({ kind: 'load', assembly });
    expect(keyOf(whole)).toBe('order;item;day');
    expect(whole).toContain('of 1000000 keys (order, item, day).');
    expect(whole).toContain('CAST(-1 - MOD(key_number, 10000) AS SMALLINT) AS `item`');
    expect(whole).toContain("CAST('2026-01-01' AS DATE) AS `day`");
    expect(noteOf(whole)).toBe(
      '-- Record key: order, item, day; the rows of a key are in one partition and keep their order, and a few hot keys make hot partitions.',
    );
    const part = operationsSql({ kind: 'load', assembly, key: 'order' });
    expect(part).toContain('of 1000000 keys (order).');
    expect(noteOf(part)).toBe(
      '-- Record key: order, item, day; item differs from row to row, so that the rows of a hot key are in every partition.',
    );
  });

  test.each<[string, SqlProgram, RegExp]>([
    [
      'plain rows',
      read([Column.physical('id', DataType.STRING)]),
      /^-- The table of the job does not tell what key the real records have \(key of its KafkaSource\): these have none, and are spread evenly/m,
    ],
    [
      'changes without a primary key',
      read([Column.physical('id', DataType.STRING)], { format: DEBEZIUM }),
      /^-- The table of the job has no primary key, which Debezium makes the key of a record of: these have none/m,
    ],
    [
      'a name that the option cannot hold',
      read([Column.physical("it's;", DataType.STRING)], { format: DEBEZIUM }, ["it's;"]),
      /^-- Flink's option key.fields cannot hold the name of the key column it's;: these have none/m,
    ],
  ])('%s: no key can be told', (_what, program, note) => {
    const text = sql('load', program);
    expect(text).toMatch(note);
    expect(keyOf(text)).toBeUndefined();
  });

  test('a record key that the job reads beside a line has the skew, and so has the field of its name', () => {
    const program = new SqlProgram();
    const lines = program.addTable('lines', {
      connector: new KafkaSource({
        topic: topic('lines'),
        format: Format.raw(),
        key: { format: Format.raw(), fields: ['k_user'], fieldsPrefix: 'k_' },
        start: KafkaStart.earliest(),
      }),
      columns: [Column.physical('k_user', DataType.STRING), Column.physical('line', DataType.STRING)],
    });
    program.addInsert(
      program.addTable('printed', { connector: new PrintSink(), columns: [Column.physical('t', DataType.STRING)] }),
      `SELECT JSON_VALUE(line, '$.session_id') || JSON_VALUE(line, '$.user') FROM ${lines}`,
    );
    const assembly = assemblyOf(program);
    const text = operationsSql({ kind: 'load', assembly });
    expect(text).toContain("CAST(CONCAT('key-', CAST(key_number AS STRING)) AS STRING) AS `k_user`,");
    expect(text).toContain("KEY 'session_id' VALUE filler, KEY 'user' VALUE CONCAT('key-', CAST(key_number AS STRING))");
    expect(noteOf(text)).toMatch(/^-- Record key: k_user; the rows of a key are in one partition/);
    expect(operationsSql({ kind: 'load', assembly, key: 'user' })).toBe(text);
    expect(operationsSql({ kind: 'load', assembly, key: 'k_user' })).toBe(text);
    const other = operationsSql({ kind: 'load', assembly, key: 'session_id' });
    expect(other).toContain('CAST(filler AS STRING) AS `k_user`');
    expect(noteOf(other)).toMatch(/^-- Record key: k_user; it differs from row to row/);
  });

  test('a column of the primary key is NOT NULL, as it is in the job', () => {
    const program = read([Column.physical('id', DataType.STRING), Column.physical('name', DataType.STRING)], { format: DEBEZIUM }, ['id']);
    expect(sql('load', program)).toContain('CREATE TABLE `rows` (\n  `id` STRING NOT NULL,\n  `name` STRING\n)');
  });

  test('takes no name of the source', () => {
    const program = new SqlProgram();
    const source = program.addTable('load_rows', {
      connector: new KafkaSource({
        topic: topic('rows'),
        format: Format.json({ malformedRecords: MalformedRecords.FAIL }),
        start: KafkaStart.earliest(),
      }),
      columns: [Column.physical('id', DataType.STRING)],
    });
    const columns = [Column.physical('id', DataType.STRING)];
    program.addInsert(program.addTable('printed', { connector: new PrintSink(), columns }), `SELECT id FROM ${source}`);
    expect(sql('load', program)).toMatch(/CREATE TABLE `load_rows_2` \([\s\S]*FROM `load_rows_2`;[\s\S]*INSERT INTO `load_rows` /);
  });

  test.each<[string, SqlProgram, Partial<SqlCommandOptions>, RegExp]>([
    [
      'a type that no value is made for',
      read([Column.physical('id', DataType.STRING), Column.physical('tags', DataType.array(DataType.INT).notNull())]),
      {},
      /'tags' of table 'rows', which is ARRAY<INT> NOT NULL: write its rows/,
    ],
    [
      'keys that are cut off',
      read(EVERY_TYPE),
      { key: 'a_varchar' },
      /--keys must be at most 1 for column 'a_varchar', which is VARCHAR\(4\) here or in a sink, got 1000000/,
    ],
    [
      'keys that overflow',
      read(EVERY_TYPE),
      { key: 'a_tinyint' },
      /--keys must be at most 100 for column 'a_tinyint', which is TINYINT, got 1000000/,
    ],
    [
      'keys of a type that has too few',
      read(EVERY_TYPE),
      { key: 'a_date' },
      /'a_date' is no column of table 'rows' that keys can stand in/,
    ],
    [
      'no column for keys',
      read([Column.physical('at', DataType.DATE)]),
      {},
      /no column of table 'rows' that keys can stand in, .* there are none/,
    ],
    [
      'lines that nobody reads',
      read([Column.physical('line', DataType.STRING)], { format: Format.raw() }),
      {},
      /no query takes a field out of 'line'/,
    ],
    [
      'schemas',
      read(EVERY_TYPE, { format: Format.debeziumJson({ schemaInclude: true, malformedRecords: MalformedRecords.FAIL }) }),
      {},
      /Flink writes no schema into Debezium records, and 'rows' is read with one/,
    ],
  ])('refuses %s', (_what, program, options, message) => {
    expect(() => sql('load', program, options)).toThrow(message);
  });

  test.each([
    [
      'clicked_at',
      DataType.STRING,
      'CAST(CAST(LOCALTIMESTAMP AS STRING) AS STRING) AS `clicked_at`',
      /clicked_at: the time of writing, as 2026/,
    ],
    [
      'clicked_at',
      DataType.BIGINT,
      'CAST(MOD(number, 1000) AS BIGINT) AS `clicked_at`',
      /clicked_at: no time, although .* windows give out nothing/,
    ],
  ])('a %s that the watermark is read from, through computed columns: %s', (name, type, expression, note) => {
    const program = new SqlProgram();
    const clicks = program.addTable('clicks', {
      connector: new KafkaSource({
        topic: topic('clicks'),
        format: Format.json({ malformedRecords: MalformedRecords.FAIL }),
        start: KafkaStart.earliest(),
      }),
      columns: [
        Column.physical('user_id', DataType.STRING),
        Column.physical('page', DataType.STRING),
        Column.physical(name, type),
        Column.computed('text', `CAST(${name} AS STRING)`),
        Column.computed('event_time', "COALESCE(TRY_CAST(`text` AS TIMESTAMP(3)), TIMESTAMP '1970-01-01 00:00:00.000')"),
      ],
      watermark: Watermark.delayed('event_time', Duration.seconds(5)),
    });
    program.addInsert(
      program.addTable('printed', { connector: new PrintSink(), columns: [Column.physical('page', DataType.STRING)] }),
      `SELECT page FROM ${clicks}`,
    );
    const text = sql('load', program);
    expect(text).toContain(expression);
    expect(text).toMatch(note);
    expect(text).toContain('CAST(filler AS STRING) AS `page`');
  });

  test('fields however they are asked for, those that a query compares with the text that it wants', () => {
    const program = new SqlProgram();
    const lines = program.addTable('lines', {
      connector: new KafkaSource({ topic: topic('lines'), format: Format.raw(), start: KafkaStart.earliest() }),
      columns: [Column.physical('line', DataType.STRING)],
    });
    program.addInsert(
      program.addTable('printed', { connector: new PrintSink(), columns: [Column.physical('user', DataType.STRING)] }),
      `SELECT JSON_VALUE(CAST(line AS VARCHAR(10)), 'lax $.user')
FROM ${lines} WHERE JSON_VALUE(line, '$.type') = 'it''s' AND JSON_EXISTS(line, '$.tags[0]') AND JSON_VALUE('line', '$.no') IS NULL`,
    );
    const text = sql('load', program);
    expect(text).toContain("KEY 'user' VALUE CONCAT('key-', CAST(key_number AS STRING)), KEY 'type' VALUE 'it''s')");
    expect(text).toContain('Each line has the fields user, type.');
    expect(text).toContain('The queries also ask for $.tags[0], which no line has');
  });

  test('of two tables of lines each has its own fields, whatever their columns are called', () => {
    const program = new SqlProgram();
    const lines = (name: string, ...computed: Column[]) =>
      program.addTable(name, {
        connector: new KafkaSource({ topic: topic(name), format: Format.raw(), start: KafkaStart.earliest() }),
        columns: [Column.physical('line', DataType.STRING), ...computed],
      });
    const clicks = lines(
      'clicks',
      Column.computed('click_id', "JSON_VALUE(line, '$.click_id')"),
      Column.computed('doc', 'CAST(line AS STRING)'),
    );
    const orders = lines('orders', Column.computed('order_id', "JSON_VALUE(line, '$.order_id')"));
    const renamed = program.addView('renamed', `SELECT c.line AS text, CURRENT_DATE AS line FROM ${clicks} AS c`);
    const sink = program.addTable('printed', { connector: new PrintSink(), columns: [Column.physical('t', DataType.STRING)] });
    program.addInsert(sink, `SELECT JSON_VALUE(line, '$.page') FROM ${clicks} UNION ALL SELECT JSON_VALUE(line, '$.total') FROM ${orders}`);
    program.addInsert(
      sink,
      `SELECT JSON_VALUE(c.line, '$.user') FROM ${clicks} AS c JOIN ${orders} o ON JSON_VALUE(c.line, '$.cart') = JSON_VALUE(o.line, '$.basket')`,
    );
    program.addInsert(sink, `SELECT JSON_VALUE(text, '$.place') FROM ${renamed} WHERE JSON_VALUE(CAST(line AS STRING), '$.date') IS NULL`);
    program.addInsert(
      sink,
      `WITH o AS (SELECT *, 1 AS one FROM ${orders}), c (body) AS (SELECT doc FROM ${clicks})
SELECT JSON_VALUE(body, '$.deep') FROM (SELECT * FROM c) WHERE EXISTS (SELECT 1 FROM o WHERE JSON_VALUE(o.line, '$.cents') = JSON_VALUE(body, '$.price'))`,
    );
    const assembly = assemblyOf(program);
    const fieldsOf = (table: string) =>
      /Each line has the fields (.*)\./
        .exec(operationsSql({ kind: 'load', assembly, table }))![1]!
        .split(', ')
        .sort();
    expect(fieldsOf('clicks')).toEqual(['cart', 'click_id', 'deep', 'page', 'place', 'price', 'user']);
    expect(fieldsOf('orders')).toEqual(['basket', 'cents', 'order_id', 'total']);
  });

  test('a field that the watermark is read from, whatever it is called', () => {
    const program = new SqlProgram();
    const lines = program.addTable('lines', {
      connector: new KafkaSource({ topic: topic('lines'), format: Format.raw(), start: KafkaStart.earliest() }),
      columns: [
        Column.physical('line', DataType.STRING),
        Column.computed(
          'event_time',
          "COALESCE(TRY_CAST(JSON_VALUE(line, '$.meta.ts') AS TIMESTAMP(3)), TIMESTAMP '1970-01-01 00:00:00.000')",
        ),
        Column.computed('user_id', "JSON_VALUE(line, '$.user_id' RETURNING INT)"),
      ],
      watermark: Watermark.delayed('event_time', Duration.seconds(5)),
    });
    program.addInsert(
      program.addTable('printed', { connector: new PrintSink(), columns: [Column.physical('t', DataType.STRING)] }),
      `SELECT JSON_VALUE(line, '$.page') FROM ${lines}`,
    );
    const text = sql('load', program);
    expect(text).toContain(
      "JSON_OBJECT(KEY 'meta' VALUE JSON_OBJECT(KEY 'ts' VALUE CAST(LOCALTIMESTAMP AS STRING)), KEY 'user_id' VALUE -1 - key_number, KEY 'page' VALUE filler)",
    );
    expect(text).toContain('-- meta.ts: the time of writing');
    expect(text).toContain('-- Keys that are numbers are below 0');
  });

  test('fields of a line: objects within objects, numbers, names with any character', () => {
    const program = new SqlProgram();
    const lines = program.addTable('lines', {
      connector: new KafkaSource({ topic: topic('lines'), format: Format.raw(), start: KafkaStart.earliest() }),
      columns: [
        Column.physical('li(ne', DataType.STRING),
        Column.computed('user_id', "JSON_VALUE(`li(ne`, '$.user.id')"),
        // JSON_VALUE(`li(ne`, '$.comment') is no code
        Column.computed('clicks', "JSON_VALUE(`li(ne`, '$.clicks' RETURNING INT) /* JSON_VALUE(`li(ne`, '$.comment') */"),
      ],
    });
    program.addInsert(
      program.addTable('printed', { connector: new PrintSink(), columns: [Column.physical('t', DataType.STRING)] }),
      `SELECT JSON_VALUE(l.\`li(ne\`, '$.user.name') FROM ${lines} AS l WHERE JSON_VALUE('other', '$.x') IS NULL`,
    );
    expect(sql('load', program)).toContain(
      "CAST(JSON_OBJECT(KEY 'user' VALUE JSON_OBJECT(KEY 'id' VALUE CONCAT('key-', CAST(key_number AS STRING)), KEY 'name' VALUE filler), KEY 'clicks' VALUE number) AS STRING) AS `li(ne`",
    );
  });
});

describe('smoke', () => {
  test('asks which source where there are several, as load does', () => {
    const program = read(EVERY_TYPE, { format: DEBEZIUM });
    const more = program.addTable('more', {
      connector: new KafkaSource({ topic: topic('more'), format: DEBEZIUM, start: KafkaStart.earliest() }),
      columns: [Column.physical('id', DataType.STRING)],
    });
    const [printed] = program._inserts().map(({ table }) => table);
    program.addInsert(printed!, `SELECT id FROM ${more}`);
    const assembly = assemblyOf(program);
    for (const kind of ['smoke', 'load']) {
      expect(() => operationsSql({ kind, assembly })).toThrow(/job 'clicks' has several sources .*: name one by --table: rows, more/);
      expect(() => operationsSql({ kind, assembly, table: 'most' })).toThrow(/job 'clicks' has no source 'most' .*; there are rows, more/);
    }
    expect(operationsSql({ kind: 'smoke', assembly, table: 'more' })).toContain("'topic' = 'more'");
  });

  test('the record key has the columns of the primary key in its order', () => {
    const columns = [
      Column.physical('a', DataType.INT),
      Column.physical('b', DataType.decimal(38, 18)),
      Column.physical('c', DataType.STRING),
    ];
    const text = sql('smoke', read(columns, { format: DEBEZIUM }, ['c', 'a', 'b']));
    expect(text).toContain(`VALUES ('{"c":"smoke-check","a":-2147483648,"b":-99999999999999999999}', `);
  });

  test('a key may hold anything but a variable of the job', () => {
    const program = read([Column.physical('id', DataType.STRING)], { format: DEBEZIUM }, ['id']);
    const assembly = assemblyOf(program);
    const text = operationsSql({ kind: 'smoke', assembly, keyValue: "-it's\n`;--" });
    expect(text).toContain(`VALUES ('{"id":"-it''s\\n\`;--"}', `);
    expect(text).toContain("-- The row: id -it's `;--\n");
    expect(text).not.toContain('UNSIGNED');
    expect(() => operationsSql({ kind: 'smoke', assembly, keyValue: '${env:HOME}' })).toThrow(/--key-value must not hold '\$\{env:'/);
  });

  test('refuses a type that no value is made for', () => {
    const tags = Column.physical('tags', DataType.array(DataType.INT).notNull());
    expect(() => sql('smoke', read([tags], { format: DEBEZIUM }))).toThrow(
      /'tags' of table 'rows', which is ARRAY<INT> NOT NULL: send a change/,
    );
  });
});

test('a script that was changed after the synthesis is refused', () => {
  const program = copies();
  const assembly = assemblyOf(program);
  const path = join(assembly, 'Stack.clicks', 'job.sql');
  writeFileSync(path, readFileSync(path, 'utf8').replace('WHERE amount < 10', 'WHERE amount < 11'));
  expect(() => operationsSql({ kind: 'reconcile', assembly })).toThrow(/job.sql does not end in the INSERTs that pipeline.json tells/);
});
