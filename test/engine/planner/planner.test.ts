import { spawnSync } from 'child_process';
import type { PlanReport } from '../../../lib/planner/plan-report';
import { planBatch } from '../../../lib/planner/planner-batch';
import { preparePlanner } from '../../../lib/planner/planner-home';
import { PlannerProcess } from '../../../lib/planner/planner-process';
import { TRAINING_PROGRAM } from '../../../lib/planner/training-program';
import { startPlanner } from './planner';

jest.setTimeout(300_000);

let planner: PlannerProcess;
beforeAll(() => {
  planner = startPlanner();
});
afterAll(() => planner.close());

const ORDERS = `CREATE TABLE orders (id STRING NOT NULL, user_id STRING, amount INT, at_time TIMESTAMP(3), proc AS PROCTIME(), PRIMARY KEY (id) NOT ENFORCED)
WITH ('connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'b:9092', 'properties.group.id' = 'g', 'value.format' = 'debezium-json');
`;
const CLICKS = `CREATE TABLE clicks (user_id STRING, page STRING, at_time TIMESTAMP(3), proc AS PROCTIME(), WATERMARK FOR at_time AS at_time)
WITH ('connector' = 'kinesis', 'stream.arn' = 'arn:aws:kinesis:eu-west-1:111122223333:stream/s', 'aws.region' = 'eu-west-1', 'format' = 'json');
`;
const USERS = `CREATE TABLE users (user_id STRING NOT NULL, level STRING, region STRING, PRIMARY KEY (user_id) NOT ENFORCED)
WITH ('connector' = 'dynamodb-lookup', 'table-name' = 'u', 'aws.region' = 'eu-west-1');
`;
const totals = (connector = `'connector' = 'print'`) =>
  `CREATE TABLE totals (user_id STRING, total INT, PRIMARY KEY (user_id) NOT ENFORCED) WITH (${connector});\n`;
const SUMS = 'INSERT INTO totals SELECT user_id, SUM(amount) FROM orders GROUP BY user_id;\n';

const errorsOf = ({ statements }: PlanReport) =>
  statements.flatMap(({ number, table, errors }) => errors.map((error) => ({ number, table, error })));

describe('statements', () => {
  test('all errors of a script, each at its statement, and what follows from them', async () => {
    const script = `${ORDERS}
CREATE TABLE bad_sink (id STRING) WITH ('connector' = 'firehose', 'delivery-stream' = 's', 'format' = 'json', 'sink.parallelism' = '2');
CREATE TABLE bad_source (id STRING)
  WITH ('connector' = 'kinesis', 'stream' = 's', 'aws.region' = 'eu-west-1', 'format' = 'json');
CREATE VIEW v AS SELECT id FROM bad_source;
EXECUTE STATEMENT SET BEGIN
INSERT INTO bad_sink SELECT id FROM v;
INSERT INTO bad_sink SELECT id
  FROM orders
  WHERE nonsense = 1;
END;`;
    const report = await planner.plan({ script });
    expect(report.ok).toBe(false);
    expect(report.plan).toBeUndefined();
    expect(errorsOf(report)).toEqual([
      { number: 2, table: 'bad_sink', error: expect.stringContaining("Unsupported options found for 'firehose'") },
      { number: 3, table: 'bad_source', error: expect.stringContaining('stream.arn') },
      { number: 4, table: 'v', error: "uses table 'bad_source', which is refused (statement 3, line 5)" },
      { number: 5, table: 'bad_sink', error: expect.stringContaining("'v' not found") },
      { number: 6, table: 'bad_sink', error: expect.stringContaining("Column 'nonsense' not found in any table (line 12)") },
    ]);
  });

  test('a syntax error says where, without the list of what would be right', async () => {
    const report = await planner.plan({ script: `${ORDERS}INSERT INTO orders SELEC 1;` });
    expect(errorsOf(report)).toEqual([{ number: 2, table: 'orders', error: expect.stringMatching(/Encountered "SELEC"|Non-query/) }]);
    expect(errorsOf(report)[0]!.error).not.toContain('Was expecting');
  });

  test.each([
    [
      'an updating query into an insert-only sink',
      `'connector' = 'firehose', 'delivery-stream' = 's', 'format' = 'json'`,
      "doesn't support",
    ],
    ['a connector that nobody has', `'connector' = 'clickhouse'`, 'Could not find any factory for identifier'],
  ])('%s is refused', async (_, connector, message) => {
    const sink = totals(connector).replace(', PRIMARY KEY (user_id) NOT ENFORCED', '');
    const report = await planner.plan({ script: ORDERS + sink + SUMS });
    expect(
      errorsOf(report)
        .map(({ error }) => error)
        .join(),
    ).toContain(message);
  });

  test('a script that writes nothing is refused', async () => {
    const report = await planner.plan({ script: ORDERS });
    expect(errorsOf(report)[0]!.error).toContain('there is no job to run');
  });

  test('a CDK token never reaches the planner', async () => {
    await expect(planner.plan({ script: ORDERS.replace("'t'", "'${Token[TOKEN.7]}'") })).rejects.toThrow('unresolved CDK token');
  });

  test('placeholders stand for values that fit their options', async () => {
    const script = `CREATE TABLE s (id STRING) WITH ('connector' = 'kinesis', 'stream.arn' = '\${env:ARN}', 'aws.region' = '\${env:REGION}', 'format' = 'json');
CREATE TABLE t (id STRING) WITH ('connector' = 'jdbc', 'url' = '\${env:URL}', 'table-name' = '\${env:NAME}', 'username' = '\${env:U}', 'password' = '\${env:P}',
  'sink.parallelism' = '\${env:WRITERS}', 'connection.max-retry-timeout' = '\${env:TIMEOUT}');
CREATE TABLE m (id STRING) WITH ('connector' = 'mongodb', 'uri' = 'mongodb://\${env:U}:\${env:P}@h:27017', 'database' = 'd', 'collection' = 'c');
CREATE TABLE e (id STRING) WITH ('connector' = 'elasticsearch-7', 'hosts' = 'http://\${env:HOST}:\${env:PORT}', 'index' = 'i');
EXECUTE STATEMENT SET BEGIN INSERT INTO t SELECT id FROM s; INSERT INTO m SELECT id FROM s; INSERT INTO e SELECT id FROM s; END;`;
    expect(errorsOf(await planner.plan({ script }))).toEqual([]);
  });
});

describe('the plan', () => {
  test('says of each sink what it is given, by which key, and whether rows are put in order', async () => {
    const script = `${ORDERS}${totals()}CREATE TABLE mirror (id STRING, amount INT, PRIMARY KEY (amount) NOT ENFORCED)
WITH ('connector' = 'jdbc', 'url' = 'jdbc:mysql://h/d', 'table-name' = 't');
EXECUTE STATEMENT SET BEGIN ${SUMS} INSERT INTO mirror SELECT id, amount FROM orders; END;`;
    const { ok, plan, connectors } = await planner.plan({ script, configuration: { 'parallelism.default': '3' } });
    expect(ok).toBe(true);
    expect(connectors).toEqual([
      { identifier: 'jdbc' },
      { identifier: 'kafka', factory: 'org.apache.flink.streaming.connectors.kafka.table.KafkaDynamicTableFactory' },
      { identifier: 'print', factory: expect.stringContaining('PrintTableSinkFactory') },
    ]);
    expect(plan!.sinks).toMatchObject([
      {
        table: 'totals',
        changes: ['+I', '-U', '+U', '-D'],
        primaryKey: ['user_id'],
        upsertKeys: [['user_id']],
        keys: 'equal',
        materializer: false,
      },
      { table: 'mirror', primaryKey: ['amount'], upsertKeys: [['id']], keys: 'different', materializer: true },
    ]);
    expect(plan!.operators.find(({ type }) => type === 'GroupAggregate')!.state).toMatchObject({ bounded: false });
    expect(plan!.vertices.every(({ parallelism }) => parallelism === 3)).toBe(true);
    expect(plan!.vertices.flatMap(({ chain }) => chain.map(({ id }) => id)).every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true);
  });

  test('counts the lookup joins that one row reaches, and warns of several', async () => {
    const enriched =
      'SELECT c.user_id, c.page, u.level, u.region FROM clicks AS c LEFT JOIN users FOR SYSTEM_TIME AS OF c.proc AS u ON c.user_id = u.user_id';
    const sinks = ['a', 'b', 'c'].map((name) => `CREATE TABLE ${name} (x STRING, y STRING) WITH ('connector' = 'print');`).join('\n');
    const script = `${CLICKS}${USERS}${sinks} CREATE TEMPORARY VIEW enriched AS ${enriched};
EXECUTE STATEMENT SET BEGIN
INSERT INTO a SELECT user_id, level FROM enriched;
INSERT INTO b SELECT page, region FROM enriched;
INSERT INTO c SELECT page, level FROM enriched WHERE region = 'eu';
END;`;
    const { plan, problems } = await planner.plan({ script });
    expect(plan!.lookups).toMatchObject([
      { table: 'users', connector: 'dynamodb-lookup', async: true, keys: ['user_id'], probes: { clicks: 3 } },
    ]);
    expect(problems).toMatchObject([{ severity: 'warning', rule: 'repeated-lookup', table: 'users' }]);

    const once = await planner.plan({ script: script.replace(/INSERT INTO b[\s\S]*?eu';\n/, '') });
    expect(once.plan!.lookups).toMatchObject([{ probes: { clicks: 1 } }]);
    expect(once.problems).toEqual([]);
  });

  describe('a lookup in DynamoDB', () => {
    const PRICES = `CREATE TABLE prices (page STRING, region STRING, price INT, tags ARRAY<STRING>, PRIMARY KEY (region, page) NOT ENFORCED)
WITH ('connector' = 'dynamodb-lookup', 'table-name' = 'p', 'aws.region' = 'eu-west-1');
`;
    const joined = (on: string, prices = PRICES) =>
      `${CLICKS}${prices}CREATE TABLE a (x STRING, y INT) WITH ('connector' = 'print');
INSERT INTO a SELECT c.user_id, p.price FROM clicks AS c LEFT JOIN prices FOR SYSTEM_TIME AS OF c.proc AS p ON ${on};`;

    test.each([
      ['the whole key in another order', 'c.page = p.page AND c.user_id = p.region'],
      ['more than the key', 'c.page = p.page AND c.user_id = p.region AND p.price = 3'],
      ['a key that is a constant', "c.page = p.page AND p.region = 'eu'"],
    ])('takes %s', async (_, on) => {
      expect(errorsOf(await planner.plan({ script: joined(on) }))).toEqual([]);
    });

    test.each([
      ['half of the key', 'c.page = p.page', "the DynamoDB table 'p' must compare its whole key, region, page, got page: it reads by key"],
      ['a column beside the key', 'c.page = p.page AND p.price = 3', 'its whole key, region, page, got'],
      ['an array', 'c.page = p.page AND c.user_id = p.region AND p.tags = ARRAY[c.page]', "got 'tags' of type ARRAY<STRING>"],
    ])('refuses a join that compares %s', async (_, on, message) => {
      expect(errorsOf(await planner.plan({ script: joined(on) }))).toEqual([
        { number: 4, table: 'a', error: expect.stringContaining(message) },
      ]);
    });

    test.each([
      ['no key', ', PRIMARY KEY (region, page) NOT ENFORCED', '', 'must declare the key of the DynamoDB table'],
      ['a key of three', '(region, page)', '(region, page, price)', 'got region, page, price'],
      ['a key of another type', 'region STRING', 'region BOOLEAN', "key column 'region' must be of text, a number or bytes"],
    ])('refuses a table with %s', async (_, part, instead, message) => {
      const script = joined('c.page = p.page', PRICES.replace(part, instead));
      expect(errorsOf(await planner.plan({ script }))).toContainEqual({
        number: 2,
        table: 'prices',
        error: expect.stringContaining(message),
      });
    });
  });

  test('a TTL on an aggregate that takes updates is an error, on other operators it is a bound', async () => {
    const ttl = "SET 'table.exec.state.ttl' = '7 d';\n";
    const wrong = await planner.plan({ script: ttl + ORDERS + totals() + SUMS });
    expect(wrong.ok).toBe(false);
    expect(wrong.problems).toMatchObject([{ severity: 'error', rule: 'aggregate-ttl', message: expect.stringContaining('TTL 7 d') }]);

    const appends = CLICKS.replace('page STRING', 'amount INT').replaceAll('clicks', 'orders');
    const risky = await planner.plan({ script: ttl + appends + totals() + SUMS });
    expect(risky.ok).toBe(true);
    expect(risky.problems).toMatchObject([{ severity: 'warning', rule: 'aggregate-ttl' }]);

    const hinted = SUMS.replace('SELECT', "SELECT /*+ STATE_TTL('orders' = '1 d') */");
    expect((await planner.plan({ script: ORDERS + totals() + hinted })).problems).toMatchObject([
      { rule: 'aggregate-ttl', message: expect.stringContaining('1 d by hint') },
    ]);

    const latest = `INSERT INTO totals SELECT user_id, amount FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY at_time DESC) AS n FROM orders) WHERE n = 1;`;
    const bounded = await planner.plan({ script: ttl + appends + totals() + latest });
    expect(bounded.problems).toEqual([]);
    expect(bounded.plan!.operators.find(({ type }) => /Rank|Deduplicate/.test(type))!.state).toMatchObject({
      bound: 'TTL 7 d',
      bounded: true,
    });
  });

  test.each([
    ['Join', 'SELECT c.user_id, o.amount FROM clicks AS c JOIN orders AS o ON c.user_id = o.user_id', false],
    [
      'IntervalJoin',
      "SELECT a.user_id, 1 FROM clicks AS a JOIN clicks AS b ON a.user_id = b.user_id AND a.at_time BETWEEN b.at_time AND b.at_time + INTERVAL '1' HOUR",
      true,
    ],
    [
      'GlobalWindowAggregate',
      "SELECT user_id, CAST(COUNT(*) AS INT) FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(at_time), INTERVAL '1' MINUTE)) GROUP BY user_id, window_start, window_end",
      true,
    ],
    ['ChangelogNormalize', 'SELECT user_id, amount FROM orders', false],
  ])('%s keeps state', async (type, query, bounded) => {
    const sink = totals().replace(', PRIMARY KEY (user_id) NOT ENFORCED', '');
    const { plan, statements } = await planner.plan({
      script: `${CLICKS}${ORDERS}${sink} INSERT INTO totals ${query};`,
      configuration: { 'table.exec.source.cdc-events-duplicate': 'true' },
    });
    expect(statements.flatMap(({ errors }) => errors)).toEqual([]);
    expect(plan!.operators.find((operator) => operator.type === type)?.state).toMatchObject({ bounded });
  });

  test.each<{ [option: string]: string }>([{}, { 'table.exec.uid.generation': 'ALWAYS' }])(
    'the same program gives the same report, whatever was planned before: %j',
    async (configuration) => {
      const program = { script: ORDERS + totals() + SUMS, configuration };
      expect(await planner.plan(program)).toEqual(await planner.plan(program));
    },
  );
});

describe('the process', () => {
  const command = preparePlanner(() => {});

  test('a batch is answered in order; nothing but answers reaches standard output', () => {
    const answers = planBatch(command, [{ script: ORDERS + totals() + SUMS }, { script: ';' }]);
    expect(answers).toMatchObject([
      { id: 0, report: { ok: true } },
      { id: 1, error: 'the script holds no statement' },
    ]);
  });

  test('it ends when its parent goes', () => {
    const { status, stdout } = spawnSync(command.java, command.args, { input: '', encoding: 'utf8', timeout: 60_000 });
    expect([status, stdout]).toEqual([0, '']);
  });

  test('a Java that dies is told with its last words', async () => {
    const dying = { ...command, args: ['-Xmx1g', 'no.such.Main'] };
    expect(() => planBatch(dying, [{ script: 'x' }])).toThrow(/ended before it had answered \(exit code 1\)[\s\S]*no.such.Main/);
    const process = new PlannerProcess(dying);
    await expect(process.plan({ script: 'x' })).rejects.toThrow('no.such.Main');
    await expect(process.plan({ script: 'x' })).rejects.toThrow('no.such.Main');
    await process.close();
  });
});

test('the program that the class archive is trained on is one that Flink takes: all its classes are loaded', async () => {
  expect(await planner.plan({ script: TRAINING_PROGRAM })).toMatchObject({ ok: true });
});
