import { Artifact } from '../../lib/sql/artifact';
import { Column } from '../../lib/sql/column';
import { DataType } from '../../lib/sql/data-type';
import { SqlProgram } from '../../lib/sql/sql-program';
import { renderScript } from '../../lib/sql/sql-script';
import { FixedConnector } from './fixed-connector';
import { identifiersOf, readStatements } from './sql-reader';

const id = Column.physical('id', DataType.STRING);
const name = Column.physical('name', DataType.STRING);

/** A program with a source, a lookup table, a view and a sink. */
function pipeline() {
  const program = new SqlProgram();
  const events = program.addTable('events', { connector: FixedConnector.source(), columns: [id, Column.computed('now', 'PROCTIME()')] });
  const users = program.addTable('users', { connector: FixedConnector.lookup(), columns: [id, name], primaryKey: ['id'] });
  const named = program.addView(
    'named',
    `SELECT e.id, u.name FROM ${events} AS e LEFT JOIN ${users} FOR SYSTEM_TIME AS OF e.now AS u ON e.id = u.id`,
  );
  const search = program.addTable('search', { connector: FixedConnector.sink(), columns: [id, name], primaryKey: ['id'] });
  return { program, events, users, named, search };
}

describe('names', () => {
  test('tables, views and functions print as quoted names', () => {
    const { program, events, named } = pipeline();
    const mask = program.addFunction('Mask It', { className: 'com.example.Mask$Inner' });
    expect([`${events}`, `${named}`, `${mask}`]).toEqual(['`events`', '`named`', '`Mask It`']);
    expect([events.sqlName, named.sqlName, mask.sqlName]).toEqual(['`events`', '`named`', '`Mask It`']);
  });

  test('are unique among tables and views', () => {
    const { program, events } = pipeline();
    const table = { connector: FixedConnector.source(), columns: [id] };
    expect(() => program.addTable('events', table)).toThrow("'events' is there already as a table");
    expect(() => program.addTable('named', table)).toThrow("'named' is there already as a view");
    expect(() => program.addView('events', `SELECT * FROM ${events}`)).toThrow("'events' is there already as a table");
    expect(() => program.addView('named', `SELECT * FROM ${events}`)).toThrow("'named' is there already as a view");
    expect(() => program.addTable('Events', table)).not.toThrow();
    expect(() => program.addFunction('events', { className: 'com.example.Events' })).not.toThrow();
  });

  test('of functions are unique whatever their case', () => {
    const { program } = pipeline();
    program.addFunction('mask', { className: 'com.example.Mask' });
    expect(() => program.addFunction('MASK', { className: 'com.example.Mask' })).toThrow("function 'MASK' is there already");
  });

  test('are usable', () => {
    const { program, events } = pipeline();
    expect(() => program.addView(' ', `SELECT * FROM ${events}`)).toThrow('name of a view must not be empty');
    expect(() => program.addFunction('a\nb', { className: 'C' })).toThrow('name of a function must not hold control characters');
    expect(() => program.addTable('', { connector: FixedConnector.source(), columns: [id] })).toThrow('name of a table must not be empty');
  });
});

test.each(['', 'com.example.', '.Mask', 'com.1x.Mask', "com.Mask' LANGUAGE PYTHON", 'com.example.Mask;'])(
  '%j is no class name',
  (className) => {
    expect(() => new SqlProgram().addFunction('mask', { className })).toThrow(
      `className of function 'mask' must be a Java class name such as 'com.example.MyFunction', got '${className}'`,
    );
  },
);

describe('a query', () => {
  test.each<[string, string]>([
    ['must not be empty', ' \n'],
    ["must be one piece of SQL without ';'", 'SELECT * FROM events; DROP TABLE events'],
    ["must be one piece of SQL without ';'", 'SELECT * FROM events;'],
    ["must be one piece of SQL without ';'", 'SELECT 1 -- note\r; DROP TABLE events'],
    ['has parentheses that do not match', 'SELECT (1 FROM events'],
    ['has parentheses that do not match', 'SELECT 1) FROM (events'],
    ["has a quote ' that is not closed", "SELECT 'it''s FROM events"],
    ['has a quote ` that is not closed', 'SELECT `id FROM events'],
    ['has a double quote, which Flink SQL does not know', 'SELECT "id" FROM events'],
    ["has a comment '/*' that is not closed", 'SELECT * FROM events /* all'],
    ['holds a printed object', 'SELECT * FROM [object Object]'],
    ['holds a printed object', 'SELECT * FROM <cdk_flink_pipeline.SqlTable object at 0x7f3a>'],
    ['has the space "\u00a0" (U+00A0), which Flink SQL does not take', 'SELECT id FROM\u00a0events'],
    ["must not hold '${env:'", "SELECT '${env:PASSWORD}' FROM events"],
    ['may hold tokens in string literals only', 'SELECT ${Token[TOKEN.12]} FROM events'],
    ['may hold tokens in string literals only', 'SELECT `${Token[TOKEN.12]}` FROM events'],
    ['may hold tokens in string literals only', "SELECT '${Token[TOKEN.12]}' FROM events -- ${Token[TOKEN.12]}"],
    ['must begin with SELECT, WITH, VALUES or TABLE, got "INSERT INTO events SELECT 1"', 'INSERT INTO events SELECT 1'],
    ['must begin with SELECT, WITH, VALUES or TABLE', '`SELECT` 1'],
    ['must begin with SELECT, WITH, VALUES or TABLE', '-- nothing'],
    ["reads 'evnts', which is no table or view of this program; known so far: events, users, search, named", 'SELECT * FROM evnts'],
    ["reads 'Events', which is no table or view", 'SELECT * FROM Events'],
    ["reads the lookup table 'users' as a whole, which would be read once", 'SELECT id FROM events JOIN users USING (id)'],
    ["reads the lookup table 'users' as a whole", 'SELECT id, name FROM users'],
    ["reads 'search', which is a sink; declare a source table for reading it back", 'SELECT * FROM events JOIN search ON TRUE'],
  ])('%s: %j', (message, query) => {
    const { program, search } = pipeline();
    expect(() => program.addInsert(search, query)).toThrow(`query into 'search' ${message}`);
    expect(() => program.addView('view', query)).toThrow(`query of view 'view' ${message}`);
    expect(program._inserts()).toEqual([]);
    expect(program.toSql()).not.toContain('`view`');
  });

  test.each([
    "SELECT ';', '--', '/*', '\"', '${x}' FROM events",
    'SELECT `id` FROM events /* ; */ -- ; (',
    '((SELECT id FROM events))',
    'with q as (SELECT id FROM events) select * from q',
    "VALUES ('a', '\u00a0') /* \u00a0 */",
    'TABLE named',
    "SELECT 'object at night' FROM events WHERE id <> '[object]'",
    'SELECT id // all of them\nFROM events',
  ])('takes %j', (query) => {
    const { program, search } = pipeline();
    expect(() => program.addInsert(search, query)).not.toThrow();
    expect(readStatements(program.toSql())).toHaveLength(4 + 2);
  });

  test('names no table of an empty program', () => {
    expect(() => new SqlProgram().addView('v', 'SELECT * FROM t')).toThrow(
      "reads 't', which is no table or view of this program; known so far: none",
    );
  });

  test('a view may read earlier views only', () => {
    const { program } = pipeline();
    expect(() => program.addView('a', 'SELECT * FROM b')).toThrow("query of view 'a' reads 'b'");
    program.addView('b', 'SELECT * FROM named');
    expect(() => program.addView('a', 'SELECT * FROM b')).not.toThrow();
    expect(() => program.addView('c', 'SELECT * FROM c')).toThrow("query of view 'c' reads 'c'");
  });
});

describe('an INSERT', () => {
  test('goes into a sink', () => {
    const { program, events, users } = pipeline();
    expect(() => program.addInsert(events, 'SELECT 1')).toThrow(
      "cannot insert into 'events': its connector 'datagen' is a source; use a sink connector",
    );
    expect(() => program.addInsert(users, 'SELECT 1')).toThrow("cannot insert into 'users': its connector 'dynamodb-lookup' is a lookup");
  });

  test('goes into a table of this program', () => {
    const { program } = pipeline();
    const other = pipeline().search;
    expect(() => program.addInsert(other, 'SELECT 1')).toThrow(
      "cannot insert into 'search': it is not a table of this program; add it with addTable first",
    );
  });

  test('fills columns that can be written, each once', () => {
    const { program } = pipeline();
    const offset = Column.metadata('offset', DataType.BIGINT, { virtual: true });
    const sink = program.addTable('sink', {
      connector: FixedConnector.sink(),
      columns: [id, name, Column.computed('both', 'id || name'), offset],
    });
    expect(() => program.addInsert(sink, 'SELECT 1 FROM events', { columns: ['offset'] })).toThrow(
      "no column 'offset' that can be written",
    );
    expect(() => program.addInsert(sink, 'SELECT id FROM events', { columns: ['idd'] })).toThrow(
      "cannot insert into 'sink': it has no column 'idd' that can be written; columns: id, name",
    );
    expect(() => program.addInsert(sink, 'SELECT id FROM events', { columns: ['both'] })).toThrow(
      "it has no column 'both' that can be written",
    );
    expect(() => program.addInsert(sink, 'SELECT id, id FROM events', { columns: ['id', 'id'] })).toThrow(
      "cannot insert into 'sink': each column stands once in columns, got id, id",
    );
    program.addInsert(sink, 'SELECT id, id FROM events', { columns: ['name', 'id'] });
    expect(() => program.addInsert(sink, 'SELECT id, name FROM named', { columns: [] })).toThrow(
      'columns must name one at least, got an empty list',
    );
    program.addInsert(sink, 'SELECT id, name FROM named');
    expect(program.toSql()).toContain('INSERT INTO `sink` (`name`, `id`)\nSELECT id, id FROM events;\nINSERT INTO `sink`\nSELECT id, name');
  });

  test('may go twice into one sink', () => {
    const { program, search } = pipeline();
    program.addInsert(search, 'SELECT id, name FROM named');
    program.addInsert(search, "SELECT id, 'x' FROM events");
    expect(program._inserts()).toHaveLength(2);
  });
});

describe('SET', () => {
  test('takes options of the table planner, each once', () => {
    const program = new SqlProgram();
    program.set('table.exec.state.ttl', '7 d');
    expect(() => program.set('table.exec.state.ttl', '8 d')).toThrow("'table.exec.state.ttl' is set already, to '7 d'");
    expect(program.toSql()).toBe("SET 'table.exec.state.ttl' = '7 d';\n");
  });

  test.each(['parallelism.default', 'pipeline.name', 'table.', "table.x' = 'y", 'Table.exec.state.ttl'])('refuses %j', (key) => {
    expect(() => new SqlProgram().set(key, 'x')).toThrow(
      `a program sets options of the table planner, which begin with 'table.', got '${key}'; give any other option to flinkConfiguration of the job`,
    );
  });

  test('takes no secret and no token', () => {
    expect(() => new SqlProgram().set('table.local-time-zone', '${env:ZONE}')).toThrow(
      "value of 'table.local-time-zone' must not hold '${env:'",
    );
    expect(() => new SqlProgram().set('table.local-time-zone', '${Token[Z.1]}')).toThrow('must be known at synth');
  });
});

test('a sealed program takes nothing more and belongs to one job', () => {
  const { program, search } = pipeline();
  program.addInsert(search, 'SELECT id, name FROM named');
  const before = program.toSql();
  program._seal('user-events');
  const sealed = "the program is sealed since it was handed to the job 'user-events'; add it before the job is created";
  expect(() => program.addTable('t', { connector: FixedConnector.source(), columns: [id] })).toThrow(`cannot add table 't': ${sealed}`);
  expect(() => program.addView('v', 'SELECT 1')).toThrow(`cannot add view 'v': ${sealed}`);
  expect(() => program.addFunction('f', { className: 'F' })).toThrow(`cannot add function 'f': ${sealed}`);
  expect(() => program.addInsert(search, 'SELECT 1')).toThrow(`cannot insert into 'search': ${sealed}`);
  expect(() => program.set('table.exec.state.ttl', '1 d')).toThrow(`cannot set 'table.exec.state.ttl': ${sealed}`);
  expect(() => program._seal('other')).toThrow("it was handed to 'user-events' and cannot be handed to 'other'; build a second program");
  expect(program.toSql()).toBe(before);
});

describe('what a program uses', () => {
  test('tables that no INSERT touches cost nothing', () => {
    const { program, search } = pipeline();
    program.addTable('unused', { connector: FixedConnector.sink(), columns: [id] });
    program.addView('unread', "SELECT * FROM users FOR SYSTEM_TIME AS OF TIMESTAMP '2026-01-01 00:00:00'");
    expect(program._bindings()).toEqual([]);
    program.addInsert(search, 'SELECT id, id FROM events');
    expect(program._bindings().map(({ name }) => name)).toEqual(['events', 'search']);
    program.addInsert(search, 'SELECT id, name FROM named');
    expect(program._bindings().map(({ name }) => name)).toEqual(['events', 'users', 'search']);
  });

  test('what no INSERT touches stands in the program, not in the script of a job', () => {
    const { program, search } = pipeline();
    program.addTable('unused', { connector: FixedConnector.sink(), columns: [id] });
    program.addView('unread', 'SELECT * FROM events');
    program.addInsert(search, 'SELECT id, id FROM events');
    const script = renderScript(program._script({}, {}));
    expect(script).not.toMatch(/unused|unread|users|named/);
    expect(script).toContain('CREATE TABLE `events`');
    expect(program.toSql()).toMatch(/`unused`[\s\S]*`unread`/);
    program.addInsert(search, 'SELECT id, name FROM named');
    expect(renderScript(program._script({}, {}))).toMatch(/CREATE TABLE `users`[\s\S]*CREATE TEMPORARY VIEW `named`/);
  });

  test('an INSERT reads through its views, each once', () => {
    const { program, events, users, search, named } = pipeline();
    const again = program.addView('again', `SELECT a.* FROM ${named} AS a JOIN ${named} AS b ON a.id = b.id`);
    program.addInsert(search, `SELECT id, name FROM ${again} JOIN ${named} USING (id)`);
    const { query } = program._inserts()[0]!;
    expect([...query.tables]).toEqual([events, users]);
    expect([...query.views]).toEqual([again, named]);
  });

  test('a name that WITH hides in one query is read by another', () => {
    const { program, events, search } = pipeline();
    program.addInsert(search, `WITH events AS (SELECT id FROM ${events}) SELECT id, id FROM events`);
    expect([...program._inserts()[0]!.query.tables]).toEqual([events]);
  });

  test('jars of functions are jars of the program', () => {
    const program = new SqlProgram();
    const jar = Artifact.file('functions.jar');
    program.addFunction('a', { className: 'A', jar });
    program.addFunction('b', { className: 'B' });
    expect(program._artifacts()).toEqual([jar]);
  });
});

describe('the script', () => {
  test('has settings, functions, tables, views, and one statement set', () => {
    const { program, search } = pipeline();
    program.set('table.local-time-zone', 'UTC');
    program.set('table.exec.state.ttl', '7 d');
    program.addFunction('mask', { className: 'com.example.Mask' });
    program.addInsert(search, 'SELECT id, mask(name) FROM named -- masked');
    program.addInsert(search, 'SELECT id, id FROM events', { columns: ['id', 'name'] });
    expect(program.toSql()).toBe(`SET 'table.exec.state.ttl' = '7 d';
SET 'table.local-time-zone' = 'UTC';

CREATE TEMPORARY FUNCTION \`mask\` AS 'com.example.Mask' LANGUAGE JAVA;

-- events: source (datagen)
--   key: none
--   columns: id, now
CREATE TABLE \`events\` (
  \`id\` STRING,
  \`now\` AS PROCTIME()
) WITH (
  'connector' = 'datagen'
);

-- users: lookup (dynamodb-lookup)
--   key: id
--   columns: id, name
CREATE TABLE \`users\` (
  \`id\` STRING NOT NULL,
  \`name\` STRING,
  PRIMARY KEY (\`id\`) NOT ENFORCED
) WITH (
  'connector' = 'dynamodb-lookup'
);

-- search: sink (blackhole)
--   key: id
--   columns: id, name
CREATE TABLE \`search\` (
  \`id\` STRING NOT NULL,
  \`name\` STRING,
  PRIMARY KEY (\`id\`) NOT ENFORCED
) WITH (
  'connector' = 'blackhole'
);

CREATE TEMPORARY VIEW \`named\` AS
SELECT e.id, u.name FROM \`events\` AS e LEFT JOIN \`users\` FOR SYSTEM_TIME AS OF e.now AS u ON e.id = u.id;

EXECUTE STATEMENT SET BEGIN
INSERT INTO \`search\`
SELECT id, mask(name) FROM named -- masked
;
INSERT INTO \`search\` (\`id\`, \`name\`)
SELECT id, id FROM events;
END;
`);
  });

  test('is the same every time, and holds no statement set without an INSERT', () => {
    const { program } = pipeline();
    expect(program.toSql()).toBe(pipeline().program.toSql());
    expect(program.toSql()).not.toContain('STATEMENT SET');
    expect(new SqlProgram().toSql()).toBe('\n');
  });

  test('takes what the job derives: settings beneath those of the program, options above those of the connector', () => {
    const program = new SqlProgram();
    program.set('table.exec.state.ttl', '7 d');
    const t = program.addTable('t', {
      connector: FixedConnector.source('kafka', { topic: "it's", 'scan.parallelism': '1' }),
      columns: [id],
    });
    program.addInsert(program.addTable('out', { connector: FixedConnector.sink(), columns: [id] }), `SELECT id FROM ${t}`);
    const script = renderScript(
      program._script(
        { 'table.exec.state.ttl': '1 d', 'table.exec.source.idle-timeout': '1 min' },
        { t: { 'scan.parallelism': '6', 'properties.group.id': 'g' }, other: { x: 'y' } },
      ),
    );
    expect(script).toContain("SET 'table.exec.source.idle-timeout' = '1 min';\nSET 'table.exec.state.ttl' = '7 d';\n\n");
    expect(script).toContain(`WITH (
  'connector' = 'kafka',
  'topic' = 'it''s',
  'scan.parallelism' = '6',
  'properties.group.id' = 'g'
);`);
    expect(program.toSql()).toContain("'scan.parallelism' = '1'");
  });

  test('tells in a comment what other teams may rely on, in the order of the key', () => {
    const program = new SqlProgram();
    program.addTable('dwd_order_item', {
      connector: FixedConnector.sink('upsert-kafka').with({
        contract: ['key format: json', 'a null value: the row\nis deleted'],
        partitionedBy: ['id'],
      }),
      columns: [name, id],
      primaryKey: ['id', 'name'],
      comment: "order items, the warehouse's",
    });
    expect(program.toSql()).toBe(`-- dwd_order_item: sink (upsert-kafka)
--   key: id, name
--   columns: name, id
--   key format: json
--   a null value: the row is deleted
CREATE TABLE \`dwd_order_item\` (
  \`name\` STRING NOT NULL,
  \`id\` STRING NOT NULL,
  PRIMARY KEY (\`id\`, \`name\`) NOT ENFORCED
) COMMENT 'order items, the warehouse''s' PARTITIONED BY (\`id\`) WITH (
  'connector' = 'upsert-kafka'
);
`);
  });

  test('no comment line ends early', () => {
    const program = new SqlProgram();
    program.addTable('a\u2028;DROP', { connector: FixedConnector.source(), columns: [Column.physical('b\u0085;DROP', DataType.INT)] });
    const statements = readStatements(program.toSql());
    expect(statements).toHaveLength(1);
    expect(identifiersOf(statements[0]!)).toEqual(['a\u2028;DROP', 'b\u0085;DROP']);
    expect(program.toSql()).toContain('-- a ;DROP: source');
    expect(program.toSql()).toContain('columns: b ;DROP');
  });
});
