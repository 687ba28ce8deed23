import { type App, Validations } from 'aws-cdk-lib';
import { spawnSync } from 'child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { pathToFileURL } from 'url';
import { OrderItemsStack } from '../../../bin/order-items-stack';
import { UserEventsStack } from '../../../bin/user-events-stack';
import { BlackholeSink, Column, DataType, FlinkPlanCheck } from '../../../lib';
import type { FoundProgram } from '../../../lib/planner/find-programs';
import { checkLock, lockErrors } from '../../../lib/planner/lock-check';
import { lockText, makeLock, type PipelineLock } from '../../../lib/planner/lock-file';
import { type ProbeRequest, probeRestores } from '../../../lib/planner/lock-probe';
import { type RestoreProbe, stateVerdict } from '../../../lib/planner/lock-state';
import { preparePlanner } from '../../../lib/planner/planner-home';
import type { PlannerProcess } from '../../../lib/planner/planner-process';
import { newApp } from '../../fixtures/assembly';
import { command } from '../../fixtures/command';
import { externalStream, job, newStack, printed } from '../../fixtures/stacks';
import { startPlanner } from './planner';

jest.setTimeout(300_000);

/** A planner from the first to the last test of a describe: none where all of them are left out, since nothing would end it. */
function plannerOfTests(): Pick<PlannerProcess, 'plan' | 'run'> {
  let planner: PlannerProcess;
  beforeAll(() => {
    planner = startPlanner();
  });
  afterAll(() => planner.close());
  return { plan: (program) => planner.plan(program), run: (run) => planner.run(run) };
}

const LOCKS = join(__dirname, '..', '..', '..', 'bin');

const lock = (...args: string[]) => command('lock', ...args);

const ACCOUNT = '111122223333';

function orderItems(app: App): App {
  new OrderItemsStack(app, 'OrderItems', { env: { account: ACCOUNT, region: 'eu-central-1' } });
  return app;
}

describe('the reference apps', () => {
  const directory = mkdtempSync(join(tmpdir(), 'locks-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  test('are what their locks say, in another Java process than the one that wrote them', () => {
    const app = orderItems(newApp());
    new UserEventsStack(app, 'UserEvents', { env: { account: ACCOUNT, region: 'cn-north-1' } });
    const { code, out } = lock(app.synth().directory, '--check', '--directory', LOCKS);
    expect(out.split('\n').map((line) => line.split(':')[0])).toEqual(['order-items', 'order-status', 'user-events', '']);
    expect(code).toBe(0);
  });

  test('a lock is written once, and says what is missing, stale or broken', () => {
    const assembly = orderItems(newApp()).synth().directory;
    expect(lock(assembly, '--check', '--directory', directory)).toMatchObject({ code: 1, out: expect.stringContaining('is missing') });
    expect(lock(assembly, '--directory', directory).code).toBe(0);
    const path = join(directory, 'order-items.lock.json');
    const written = readFileSync(path, 'utf8');
    expect(JSON.parse(written)).toEqual(JSON.parse(readFileSync(join(LOCKS, 'order-items.lock.json'), 'utf8')));

    writeFileSync(path, written.replace('eaed5eb4f7c21d1756a233804eba9ed6', '0'.repeat(32)).replace('"splits": 6', '"splits": 3'));
    const { code, out } = lock(assembly, '--check', '--directory', directory);
    expect(code).toBe(1);
    expect(out).toContain('state: refused');
    expect(out).toContain(
      "'GroupAggregate[6]' (00000000000000000000000000000000), which keeps the aggregates of each group for INSERT 1 into",
    );
    expect(out).toContain('INCOMPATIBLE dwd_order_item: partition count changed from 3 to 6');
    const json = JSON.parse(lock(assembly, '--check', '--json', '--directory', directory).out);
    expect(json).toMatchObject({
      version: 1,
      ok: false,
      jobs: [{ status: 'stale', state: { verdict: 'refused' } }, { status: 'current' }],
    });

    const app = orderItems(newApp());
    Validations.of(app).addPlugins(new FlinkPlanCheck({ lockDirectory: directory }));
    expect(() => app.synth()).toThrow('state is refused');
  });

  test('a synthesis passes with the locks that stand', () => {
    const current = mkdtempSync(join(tmpdir(), 'locks-'));
    cpSync(LOCKS, current, { recursive: true });
    const app = orderItems(newApp());
    Validations.of(app).addPlugins(new FlinkPlanCheck({ lockDirectory: current }));
    expect(() => app.synth()).not.toThrow();
    rmSync(current, { recursive: true });
  });
});

describe('changes of a program', () => {
  const planner = plannerOfTests();

  const kafka = (topic: string) => `'connector' = 'kafka', 'topic' = '${topic}', 'properties.bootstrap.servers' = 'b:9092',
    'scan.startup.mode' = 'earliest-offset', 'format' = 'json'`;
  const SOURCE = `CREATE TABLE clicks (user_id STRING, amount INT) WITH (${kafka('clicks')});
    CREATE TABLE visits (user_id STRING, amount INT) WITH (${kafka('visits')});`;
  const SINK = `CREATE TABLE totals (user_id STRING, total BIGINT) WITH ('connector' = 'print');`;
  const rows = 'SELECT user_id, amount FROM clicks UNION ALL SELECT user_id, amount FROM visits';
  const insert = (aggregate = 'SUM(amount)', from = rows) =>
    `INSERT INTO totals SELECT user_id, ${aggregate} FROM (${from}) GROUP BY user_id;`;
  const BASE = `${SOURCE}${SINK}${insert()}`;

  async function lockOf(script: string, configuration: { [option: string]: string } = {}): Promise<PipelineLock> {
    const settings = { 'parallelism.default': '2', 'pipeline.max-parallelism': '720', ...configuration };
    const program: FoundProgram = {
      directoryName: 'Stack.j',
      jobName: 'j',
      flinkVersion: '2.2.1',
      script,
      configuration: settings,
      coordinates: [],
      jarFiles: [],
      tables: [],
      inserts: [],
    };
    return makeLock(program, await planner.plan({ script, configuration: settings }));
  }

  async function verdict(script: string, configuration?: { [option: string]: string }) {
    return stateVerdict(await lockOf(BASE), await lockOf(script, configuration));
  }

  test('none: planned twice, the lock is the same', async () => {
    expect(lockText(await lockOf(BASE))).toBe(lockText(await lockOf(BASE)));
    expect(await verdict(BASE)).toEqual({ verdict: 'identical', reasons: [] });
  });

  test('a comment leaves the state as it is, and nothing but the text changed', async () => {
    const check = checkLock('j.lock.json', await lockOf(BASE), await lockOf(`-- why\n${BASE}`));
    expect(check).toMatchObject({ status: 'stale', changed: ['script'], script: [], state: { verdict: 'identical' }, contract: [] });
  });

  test('another aggregate keeps the ids: never called identical', async () => {
    const { verdict: result, reasons } = await verdict(`${SOURCE}${SINK}${insert('CAST(AVG(amount) AS BIGINT)')}`);
    expect(result).toBe('unknown');
    expect(reasons).toContainEqual(expect.stringContaining("INSERT into 'totals' changed"));
  });

  test('a name within a query is none of the plan', async () => {
    const renamed = rows.replaceAll('amount FROM', 'amount AS value_of_it FROM');
    expect((await verdict(`${SOURCE}${SINK}${insert('SUM(value_of_it)', renamed)}`)).verdict).toBe('identical');
  });

  test('a type that is read decides what an aggregate holds', async () => {
    const { verdict: result, reasons } = await verdict(BASE.replaceAll('amount INT', 'amount SMALLINT'));
    expect(result).toBe('unknown');
    expect(reasons).toContainEqual(expect.stringContaining("INSERT into 'totals' changed"));
  });

  test('a source that is gone', async () => {
    const { verdict: result, reasons } = await verdict(`${SOURCE}${SINK}${insert('SUM(amount)', 'SELECT * FROM clicks')}`);
    expect(result).toBe('refused');
    expect(reasons.join('\n')).toContain('Source: ');
  });

  test('a sink more, in front of the others', async () => {
    const more = 'EXECUTE STATEMENT SET BEGIN INSERT INTO copies SELECT user_id FROM clicks;';
    const script = `${SOURCE}${SINK}CREATE TABLE copies (user_id STRING) WITH ('connector' = 'print');${more}${insert()}END;`;
    const { verdict: result, reasons } = await verdict(script);
    expect(result).not.toBe('identical');
    expect(reasons.length).toBeGreaterThan(0);
  });

  test('parallelism', async () => {
    const { verdict: result, reasons } = await verdict(BASE, { 'parallelism.default': '4' });
    expect(result).toBe('unknown');
    expect(reasons).toContainEqual("option 'parallelism.default' changed from 2 to 4");
  });

  test('maximum parallelism', async () => {
    expect((await verdict(BASE, { 'pipeline.max-parallelism': '360' })).verdict).toBe('refused');
  });

  test('a time to live', async () => {
    expect((await verdict(BASE, { 'table.exec.state.ttl': '1 d' })).reasons).toContainEqual(
      expect.stringContaining("'table.exec.state.ttl'"),
    );
  });

  describe('with ids by number', () => {
    const NUMBERED = { 'table.exec.uid.generation': 'ALWAYS' };
    const TABLES = `${SOURCE}CREATE TABLE parts (id STRING, clicked BIGINT, visited BIGINT) WITH ('connector' = 'print');
      CREATE TABLE amounts (amount INT, total BIGINT) WITH ('connector' = 'print');`;
    const clicked = 'INSERT INTO parts (id, clicked) SELECT user_id, COUNT(*) FROM clicks GROUP BY user_id;';
    const visited = 'INSERT INTO parts (id, visited) SELECT user_id, COUNT(*) FROM visits GROUP BY user_id;';
    const paid = 'INSERT INTO amounts SELECT amount, COUNT(*) FROM clicks GROUP BY amount;';
    const set = (...inserts: string[]) => `${TABLES}EXECUTE STATEMENT SET BEGIN ${inserts.join('\n')} END;`;
    const between = async (before: string, after: string) => checkLock('j', await lockOf(before, NUMBERED), await lockOf(after, NUMBERED));

    test('INSERTs into parts of one table that change places: each takes the totals of the other', async () => {
      const check = await between(set(clicked, visited), set(visited, clicked));
      expect(check.state!.verdict).toBe('misplaced');
      expect(check.state!.reasons).toContainEqual(
        expect.stringMatching(
          /^'GroupAggregate\[\d+]' \(\w+\) for INSERT 1 into 'parts' takes the aggregates of each group .* now: leave the INSERTs in their order, and put new ones last$/,
        ),
      );
      expect(check.state!.reasons).toContainEqual(expect.stringContaining('takes the position in each split'));
      expect(lockErrors(check)).not.toEqual([]);
    });

    test('a new INSERT in front takes the totals of the next, also where they share a source that has one column more now', async () => {
      expect((await between(set(clicked), set(visited, clicked))).state!.verdict).toBe('misplaced');
      expect((await between(set(clicked), set(paid, clicked))).state!.verdict).toBe('misplaced');
    });

    test('where INSERTs are taken out, those that stood first keep what is theirs, and those behind take what is not', async () => {
      for (const other of [paid, visited]) {
        const first = (await between(set(clicked, other), set(clicked))).state!;
        expect(first.reasons).toContainEqual(expect.stringMatching(/^no operator of the new job has the id of 'GroupAggregate\[\d+]'/));
        expect(first.reasons).not.toContainEqual(expect.stringContaining(' takes '));
        const second = (await between(set(clicked, other), set(other))).state!;
        expect(second.reasons).toContainEqual(expect.stringMatching(/'GroupAggregate\[\d+]' .* takes the aggregates of each group/));
      }
    });

    test('a new INSERT behind the others takes nothing', async () => {
      const { state } = await between(set(clicked), set(clicked, visited));
      expect(state!.verdict).toBe('unknown');
      expect(state!.reasons).not.toContainEqual(expect.stringContaining('takes'));
    });
  });

  test('INSERTs into files that change places: each writer would go on with the open files of the other', async () => {
    const files = (name: string) =>
      `CREATE TABLE ${name} (user_id STRING) WITH ('connector' = 'filesystem', 'path' = 'file:///files/${name}', 'format' = 'json');`;
    const write = (name: string) => `INSERT INTO ${name} SELECT user_id FROM clicks;`;
    const set = (...names: string[]) =>
      `${SOURCE}${files('early_files')}${files('late_files')}EXECUTE STATEMENT SET BEGIN ${names.map(write).join(' ')} END;`;
    const numbered = { 'table.exec.uid.generation': 'ALWAYS' };
    const before = await lockOf(set('early_files', 'late_files'), numbered);
    const { verdict: result, reasons } = stateVerdict(before, await lockOf(set('late_files', 'early_files'), numbered));
    expect(result).toBe('misplaced');
    expect(reasons[0]).toBe("INSERT 1 into 'early_files' and INSERT 2 into 'late_files' changed places");
    expect(
      reasons.filter((reason) => /^'StreamingFileWriter\[\d]' .* takes what the connector of 'StreamingFileWriter/.test(reason)),
    ).toHaveLength(2);
  });

  test('a session keeps its rows, a window that begins by the clock none', async () => {
    const timed = SOURCE.replace('amount INT)', 'amount INT, seen TIMESTAMP(3), WATERMARK FOR seen AS seen)');
    const windows = (window: string) =>
      `${timed}${SINK}INSERT INTO totals SELECT user_id, CAST(EXTRACT(SECOND FROM window_end) AS BIGINT) FROM TABLE(${window}, DESCRIPTOR(seen), INTERVAL '1' MINUTE));`;
    const kept = async (window: string) =>
      (await lockOf(windows(window))).vertices
        .flatMap(({ operators }) => operators)
        .filter(({ name }) => name.startsWith('WindowTableFunction['))
        .map(({ state }) => state);
    expect(await kept('SESSION(TABLE clicks PARTITION BY user_id')).toEqual(['the rows of each session']);
    expect(await kept('TUMBLE(TABLE clicks')).toEqual([undefined]);
  });

  test.each([
    ["RANGE BETWEEN INTERVAL '1' MINUTE PRECEDING AND CURRENT ROW", 'the frame', true],
    ['ROWS BETWEEN 2 PRECEDING AND CURRENT ROW', 'an entry for each partition, for ever', false],
    ['RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW', 'an entry for each partition, for ever', false],
  ])('a frame of OVER, %s, is bounded by %s', async (frame, bound, bounded) => {
    const timed = SOURCE.replace('amount INT)', 'amount INT, proc AS PROCTIME())');
    const over = `SELECT user_id, CAST(SUM(amount) OVER (PARTITION BY user_id ORDER BY proc ${frame}) AS BIGINT) FROM clicks`;
    const { plan } = await planner.plan({ script: `${timed}${SINK}INSERT INTO totals ${over};` });
    expect(plan!.operators.find(({ type }) => type === 'OverAggregate')!.state).toMatchObject({ bound, bounded, keyed: true });
  });

  test('an option of a source', async () => {
    const { verdict: result, reasons } = await verdict(BASE.replace("'topic' = 'clicks'", "'topic' = 'clicks2'"));
    expect(result).toBe('unknown');
    expect(reasons).toEqual([expect.stringMatching(/the table of 'Source: clicks\[1]' .* changed/)]);
  });
});

describe('a lookup that waits for answers', () => {
  const planner = plannerOfTests();

  const TABLES = `CREATE TABLE clicks (user_id STRING, page STRING, proc AS PROCTIME()) WITH ('connector' = 'kafka', 'topic' = 'clicks',
    'properties.bootstrap.servers' = 'b:9092', 'scan.startup.mode' = 'earliest-offset', 'format' = 'json');
    CREATE TABLE users (user_id STRING, level STRING, PRIMARY KEY (user_id) NOT ENFORCED)
      WITH ('connector' = 'dynamodb-lookup', 'table-name' = 'users', 'aws.region' = 'eu-west-1');
    CREATE TABLE levels (user_id STRING, level STRING) WITH ('connector' = 'print');`;
  const program = (key = 'user_id') => ({
    script: `${TABLES} INSERT INTO levels SELECT c.${key}, u.level FROM clicks AS c
      LEFT JOIN users FOR SYSTEM_TIME AS OF c.proc AS u ON c.user_id = u.user_id;`,
  });
  const tables = {
    clicks: [{ phase: 1, row: { user_id: 'u1', page: 'p' } }],
    users: [{ phase: 1, row: { user_id: 'u1', level: 'gold' } }],
  };
  const named = (id: string) => [{ type: 'LookupJoin', place: 1, id }];

  test('keeps state in the plan', async () => {
    const { plan } = await planner.plan(program());
    expect(plan!.operators.find(({ type }) => type === 'LookupJoin')!.state).toEqual({
      holds: 'the rows that wait for an answer',
      bound: "the capacity of the lookup's buffer",
      bounded: true,
      keyed: false,
    });
    const { plan: synchronous } = await planner.plan({
      script: program().script.replace("'table-name'", "'lookup.async' = 'false', 'table-name'"),
    });
    expect(synchronous!.operators.find(({ type }) => type === 'LookupJoin')!.state).toBeUndefined();
  });

  test('has it in every savepoint, also where none waits: Flink wants it back under its id, and with its columns', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'lookup-'));
    const savepointDirectory = pathToFileURL(directory).href;
    const { states } = await planner.run({ program: program(), tables, operators: named('lookup-1'), savepointDirectory });
    expect(states!.filter(({ keyed, operator }) => keyed || operator)).toEqual([{ id: 'lookup-1', keyed: false, operator: true }]);
    const restored = { program: program(), tables, restoreFrom: savepointDirectory };
    await expect(planner.run({ ...restored, operators: named('lookup-1') })).resolves.toBeDefined();
    await expect(planner.run({ ...restored, operators: named('lookup-2') })).rejects.toThrow(
      'Cannot map checkpoint/savepoint state for operator',
    );
    await expect(planner.run({ ...restored, program: program('page'), operators: named('lookup-1') })).rejects.toThrow(
      'must not be incompatible',
    );
    rmSync(directory, { recursive: true });
  });
});

describe('a function and a model that wait for answers', () => {
  const planner = plannerOfTests();
  const directory = mkdtempSync(join(tmpdir(), 'functions-'));
  const jar = join(directory, 'functions.jar');
  afterAll(() => rmSync(directory, { recursive: true }));

  beforeAll(() => {
    const { args, javaHome } = preparePlanner(() => undefined);
    const tool = (name: string, ...of: string[]) => {
      const { status, stderr } = spawnSync(join(javaHome, 'bin', name), of, { encoding: 'utf8' });
      expect(status === 0 ? '' : stderr).toBe('');
    };
    const classes = join(directory, 'classes');
    tool('javac', '-cp', args[args.indexOf('-cp') + 1]!, '-d', classes, join(__dirname, 'AsyncFunctions.java'));
    const services = join(classes, 'META-INF', 'services');
    mkdirSync(services, { recursive: true });
    writeFileSync(join(services, 'org.apache.flink.table.factories.Factory'), 'AsyncFunctions$SameModels\n');
    tool('jar', 'cf', jar, '-C', classes, '.');
  });

  test.each([
    ['AsyncCalc', 'SELECT same(user_id) FROM clicks'],
    ['MLPredictTableFunction', 'SELECT same_id FROM ML_PREDICT(TABLE clicks, MODEL same_model, DESCRIPTOR(user_id))'],
  ])('%s has state in the plan and in each savepoint', async (type, query) => {
    const program = {
      script: `CREATE TEMPORARY FUNCTION same AS 'AsyncFunctions$Same';
        CREATE MODEL same_model INPUT (id STRING) OUTPUT (same_id STRING) WITH ('provider' = 'same');
        CREATE TABLE clicks (user_id STRING) WITH ('connector' = 'kafka', 'topic' = 'clicks', 'properties.bootstrap.servers' = 'b:9092',
          'scan.startup.mode' = 'earliest-offset', 'format' = 'json');
        CREATE TABLE users (user_id STRING) WITH ('connector' = 'print');
        INSERT INTO users ${query};`,
      jars: [jar],
    };
    const { plan, statements } = await planner.plan(program);
    expect(statements.flatMap(({ errors }) => errors)).toEqual([]);
    expect(plan!.operators.filter(({ state }) => state !== undefined).map((operator) => [operator.type, operator.state!.holds])).toEqual([
      ['TableSourceScan', 'the position in each split'],
      [type, 'the rows that wait for an answer'],
    ]);
    const { states, sinks } = await planner.run({
      program,
      tables: { clicks: [{ phase: 1, row: { user_id: 'u1' } }] },
      operators: [{ type, place: 1, id: 'asks' }],
      savepointDirectory: pathToFileURL(join(directory, type)).href,
    });
    expect(sinks.users!.rows).toEqual([{ user_id: 'u1' }]);
    expect(states!.filter(({ keyed, operator }) => keyed || operator)).toEqual([{ id: 'asks', keyed: false, operator: true }]);
  });
});

describe('a probe', () => {
  const CLICKS = `CREATE TABLE clicks (user_id STRING, page STRING, proc AS PROCTIME()) WITH ('connector' = 'kafka', 'topic' = 'clicks',
    'properties.bootstrap.servers' = 'b:9092', 'scan.startup.mode' = 'earliest-offset', 'format' = 'json');`;
  const lookup = (table: string, key: string, value: string, options = '') => `CREATE TABLE ${table} (${key} STRING, ${value} STRING,
    PRIMARY KEY (${key}) NOT ENFORCED) WITH ('connector' = 'dynamodb-lookup', ${options} 'table-name' = '${table}', 'aws.region' = 'eu-west-1');`;
  const LOOKUPS = `${CLICKS}${lookup('pages', 'page', 'title', "'lookup.async' = 'false',")}${lookup('users', 'user_id', 'level')}
    CREATE TABLE levels (user_id STRING, title STRING, level STRING) WITH ('connector' = 'print');`;
  const levels = (title: string) => `${LOOKUPS}INSERT INTO levels SELECT c.user_id, ${title}, u.level FROM clicks AS c
    LEFT JOIN pages FOR SYSTEM_TIME AS OF c.proc AS p ON c.page = p.page
    LEFT JOIN users FOR SYSTEM_TIME AS OF c.proc AS u ON c.user_id = u.user_id;`;
  const COUNTS = `CREATE TABLE counts (user_id STRING, n BIGINT) WITH ('connector' = 'print');`;
  const counts = (value: string) => `${CLICKS}${COUNTS}INSERT INTO counts SELECT user_id, ${value} FROM clicks GROUP BY user_id;`;
  const values = (value: string) => `${COUNTS}INSERT INTO counts SELECT v.a, ${value} FROM (VALUES ('x'), ('y')) AS v(a) GROUP BY v.a;`;
  const PAYMENTS = `CREATE TABLE payments (id BIGINT, merchant STRING, amount DECIMAL(18, 2), status STRING, paid_at TIMESTAMP(3),
    PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'kafka', 'topic' = 'payments', 'properties.bootstrap.servers' = 'b:9092',
    'scan.startup.mode' = 'earliest-offset', 'value.format' = 'debezium-json');
    CREATE TABLE totals (merchant STRING, total DECIMAL(38, 2)) WITH ('connector' = 'print');
    CREATE TEMPORARY VIEW settled AS SELECT * FROM payments WHERE status = 'SETTLED' AND paid_at > TIMESTAMP '2026-05-01 00:00:00';`;
  const totals = (of: string) => `${PAYMENTS}EXECUTE STATEMENT SET BEGIN
    INSERT INTO totals SELECT merchant, ${of} FROM settled WHERE amount > 100 GROUP BY merchant;
    INSERT INTO totals SELECT merchant, ${of} FROM payments WHERE status IN ('OPEN', 'HELD') AND merchant LIKE 'shop-%' GROUP BY merchant; END;`;
  const hashed = (value: string) => counts(value).replace('GROUP BY', "WHERE MD5(user_id) = 'c4ca4238a0b923820dcc509a6f75849b' GROUP BY");
  const changes = {
    'a lookup that waits for no answer before one that does': [levels('p.title'), levels('UPPER(p.title)')],
    'conditions of a view and of INSERTs, several in one row': [totals('SUM(amount)'), totals('SUM(-amount)')],
    'a condition on what a function makes of a column': [hashed('COUNT(*)'), hashed('COUNT(page)')],
    'a program that takes the state and fails on the next row': [counts('COUNT(*) + 1'), counts('10 / (2 - COUNT(*))')],
    'a program that ends by itself': [values('COUNT(*) + 1'), values('COUNT(*) + 2')],
  };
  const probes: { [change: string]: RestoreProbe } = {};

  beforeAll(async () => {
    const planner = startPlanner();
    const probed = async (script: string) => {
      const configuration = { 'parallelism.default': '1', 'table.exec.uid.generation': 'ALWAYS' };
      const report = await planner.plan({ script, configuration });
      const program = { jobName: 'j', flinkVersion: '2.2.1', script, configuration, coordinates: [], jarFiles: [], tables: [] };
      return { lock: makeLock(program as unknown as FoundProgram, report), report };
    };
    const rows = { path: 'j.rows.json', tables: { clicks: [{ phase: 1, row: { user_id: 'u1', page: 'p' } }] } };
    // Tables without rows of the user's own get those made of the script.
    const requests: ProbeRequest[] = [];
    for (const [before, after] of Object.values(changes)) {
      requests.push({ before: await probed(before!), after: await probed(after!), jars: [], rows });
    }
    planner.close();
    const results = probeRestores(
      preparePlanner(() => undefined),
      requests,
    );
    for (const [index, change] of Object.keys(changes).entries()) {
      probes[change] = results[index]!;
    }
  });

  test.each<[keyof typeof changes, RestoreProbe]>([
    ['a lookup that waits for no answer before one that does', { unreached: [] }],
    ['conditions of a view and of INSERTs, several in one row', { unreached: [] }],
    ['a condition on what a function makes of a column', { unreached: [expect.stringMatching(/^GroupAggregate\[\d]$/)] }],
    [
      'a program that takes the state and fails on the next row',
      { failure: 'the new program failed, but not in its restore: / by zero', unreached: [] },
    ],
    ['a program that ends by itself', { failure: 'the old program ends by itself: it has no state to restore', unreached: [] }],
  ])('%s is no refusal', (change, probe) => {
    expect(probes[change]).toEqual(probe);
  });
});

test('a job that Flink refuses is not compared, and the statement says why', () => {
  const stack = newStack();
  const program = printed(externalStream());
  const sink = program.addTable('nothing', { connector: new BlackholeSink(), columns: [Column.physical('n', DataType.BIGINT)] });
  program.addInsert(sink, 'SELECT nonsense FROM `events`');
  job(stack, { program });
  const { directory } = (stack.node.root as App).synth();
  for (const check of [[], ['--check']]) {
    const { code, out, error } = lock(directory, '--directory', join(directory, 'locks'), ...check);
    expect([code, out]).toEqual([1, '']);
    expect(error).toMatch(
      /job 'clicks' cannot be locked, Flink refuses statement \d+, line \d+ \(INSERT INTO `nothing`.*\): Column 'nonsense' not found/,
    );
  }
});

describe('a savepoint of the locked program', () => {
  const directory = mkdtempSync(join(tmpdir(), 'locks-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  const assembly = join(directory, 'assembly');
  const script = join(assembly, 'UserEvents.user-events', 'job.sql');
  let original: string;

  beforeAll(() => {
    const app = newApp();
    new UserEventsStack(app, 'UserEvents', { env: { account: ACCOUNT, region: 'cn-north-1' } });
    cpSync(app.synth().directory, assembly, { recursive: true });
    original = readFileSync(script, 'utf8');
    expect(lock(assembly, '--directory', directory).code).toBe(0);
  });

  function verdictOf(change: (text: string) => string, rows = true): { verdict: string; reasons: string[] } {
    const path = join(directory, 'user-events.rows.json');
    rmSync(path, { force: true });
    if (rows) {
      cpSync(join(LOCKS, 'user-events.rows.json'), path);
    }
    const changed = change(original);
    expect(changed).not.toBe(original);
    writeFileSync(script, changed);
    return JSON.parse(lock(assembly, '--check', '--json', '--directory', directory).out).jobs[0].state;
  }

  test('a time to live: restored, nothing else is another', () => {
    const { verdict, reasons } = verdictOf((text) => `SET 'table.exec.state.ttl' = '1 d';\n${text}`);
    expect(reasons.join()).not.toContain('no row of the probe');
    expect(verdict).toMatch(/^restores/);
  });

  test('another expression in a count: restored under the same ids, with another meaning', () => {
    const change = (text: string) => text.replace("'|', event_type, '|'", "'/', event_type, '/'");
    expect(verdictOf(change).verdict).toBe('restores, meaning changed');
  });

  test('another state behind the same id: Flink refuses', () => {
    const { verdict, reasons } = verdictOf((text) =>
      text
        .replace('COUNT(DISTINCT CONCAT(CAST(event_time AS STRING)', 'MAX(CHAR_LENGTH(CONCAT(CAST(event_time AS STRING)')
        .replace("COALESCE(page_url, '')))", "COALESCE(page_url, ''))))"),
    );
    expect(verdict).toBe('refused');
    expect(reasons[0]).toMatch(
      /^a savepoint of the old program was not restored: in '\w+Aggregate\[\d+]' \([0-9a-f]{32}\), which keeps .*/,
    );
    expect(reasons[0]).toMatch(/for INSERT \d+ into 'jdbc_sink'/);
    expect(reasons[0]).not.toMatch(/@[0-9a-f]|org\.apache/);
  });

  test('rows of the user that fit no table are told with their file', () => {
    writeFileSync(script, original.replace("'|', event_type, '|'", "'/', event_type, '/'"));
    writeFileSync(join(directory, 'user-events.rows.json'), '{ "kinesis_sourze": [{ "record": "{}" }] }');
    const { code, out } = lock(assembly, '--check', '--directory', directory);
    expect(code).toBe(1);
    expect(out).toContain('state: unknown');
    expect(out).toContain("user-events.rows.json': no program reads a table 'kinesis_sourze'; read are dim_users, kinesis_source");
  });

  test('where Flink refuses the locked program by now, rows that only that one reads are no mistake', () => {
    const path = join(directory, 'user-events.lock.json');
    const written = readFileSync(path, 'utf8');
    const broken = written.replace('FROM `kinesis_source`', 'FROM `old_source`');
    expect(broken).not.toBe(written);
    writeFileSync(path, broken);
    writeFileSync(script, original.replace("'|', event_type, '|'", "'/', event_type, '/'"));
    writeFileSync(join(directory, 'user-events.rows.json'), '{ "old_source": [{ "record": "{}" }] }');
    const { code, out } = lock(assembly, '--check', '--directory', directory);
    writeFileSync(path, written);
    expect(code).toBe(1);
    expect(out).toContain('no savepoint could be tried: Flink refuses the locked program by now');
  });

  test('without rows of the user, those that are made of the script reach each operator', () => {
    const { verdict } = verdictOf((text) => text.replace("'|', event_type, '|'", "'/', event_type, '/'"), false);
    expect(verdict).toBe('restores, meaning changed');
  });
});
