import connectorCalls from '../../deploy/connector-calls.json';
import { CHECKPOINTS_ON_REQUEST, type JobDetails } from '../kafka/cluster';
import { expectReasons, type Reasons } from '../kafka/differences';
import { until } from '../kafka/order-items';
import { Deployment, ENDS, STATE, synthesize, USER_EVENTS_REASONS, USERS } from './user-events';

jest.setTimeout(300_000);

const TASK_MANAGERS = [0, 1, 2];

interface Checkpoints {
  readonly latest: {
    readonly completed: { readonly id: number; readonly external_path: string } | null;
    readonly restored: { readonly id: number; readonly restore_timestamp: number } | null;
  };
}

interface Document {
  readonly user_id: string;
  readonly event_time: string;
  readonly level: string | null;
  readonly event_type: string;
}

interface LastEvent {
  readonly user_id: string;
  readonly event_type: string;
  readonly event_time: string;
}

interface Count {
  readonly user_id: string;
  readonly window_time: string;
  readonly event_count: number;
}

const job = synthesize();
const SHARDS = Array.from({ length: job.pipeline.parallelism }, (_, index) => index);
let deployment: Deployment;

beforeAll(async () => {
  deployment = await Deployment.create(job);
  await deployment.amazon.putItem(USERS, { user_id: { S: 'known' }, level: { S: 'gold' }, region: { S: 'north' } });
  const ends = Object.entries(ENDS).map(([end, what]) => `${end}: ${what}`);
  console.log(['the ends', ...ends].join('\n'));
  await start(USER_EVENTS_REASONS);
});
afterAll(() => deployment?.remove());

async function start(reasons: Reasons): Promise<void> {
  const { cluster } = deployment;
  cluster.start(TASK_MANAGERS.length);
  expectReasons(job, cluster, reasons);
  await until('the job runs', () => cluster.isRunning(), 120_000).catch((error) => {
    throw new Error(`${error.message}\n${cluster.log().slice(-8000)}`);
  });
}

const line = (user: string, time: string, type = 'click', page = '/') =>
  JSON.stringify({ user_id: user, event_type: type, page_url: page, event_time: time });

/** An event of that time in each shard: a file for each of the readers, which take turns. None is left to hold back the watermark. */
function passTo(time: string): void {
  deployment.write(...SHARDS.map(() => [line('later', time)]));
}

const starting = (column: string, prefix: string) => `WHERE starts_with(${column}, '${prefix}')`;
const documents = (prefix: string) =>
  deployment.postgres.query<Document>(`SELECT * FROM documents ${starting('user_id', prefix)} ORDER BY user_id, event_time`);
const lastEvents = (prefix: string) =>
  deployment.postgres.query<LastEvent>(`SELECT * FROM user_last_events ${starting('user_id', prefix)} ORDER BY user_id`);
const counts = (prefix: string) =>
  deployment.postgres.query<Count>(`SELECT * FROM user_event_count ${starting('user_id', prefix)} ORDER BY user_id, window_time`);
const checkpoints = async () => (await deployment.cluster.job<Checkpoints>('/checkpoints'))!;

const checkpoint = () => until('a completed checkpoint', () => deployment.cluster.checkpoint());

/** The delivered lines, once there are so many: the checkpoint after a line makes its file whole. */
async function delivered(prefix: string, number: number): Promise<string[]> {
  return until(`${number} lines in the archive`, async () => {
    const lines = deployment.archive().filter((found) => found.startsWith(prefix));
    if (new Set(lines).size >= number) {
      return lines;
    }
    await checkpoint();
    return undefined;
  });
}

test('each vertex has the parallelism that was derived', async () => {
  const derived = (name: string) => Number(job.pipeline.derivedValues.find((value) => value.name === name)!.value);
  const { vertices } = (await deployment.cluster.job<JobDetails>())!;
  expect(vertices).toHaveLength(7);
  // The table sink of files ends in an operator that does nothing, once.
  const ofTheJob = vertices.filter(({ name }) => name !== 'end: Writer');
  for (const { name, parallelism, maxParallelism } of ofTheJob) {
    expect([name, parallelism, maxParallelism]).toEqual([name, derived('job.parallelism'), derived('pipeline.max-parallelism')]);
  }
});

test('checkpoints and every other setting are as they were derived', async () => {
  const settings = await deployment.cluster.job<object>('/checkpoints/config');
  expect(settings).toMatchObject({
    mode: 'exactly_once',
    interval: 30_000,
    min_pause: 10_000,
    timeout: 60_000,
    max_concurrent: 1,
    externalization: { enabled: true, delete_on_cancellation: false },
    state_backend: 'HashMapStateBackend',
    unaligned_checkpoints: false,
    tolerable_failed_checkpoints: 3,
  });
  const { text } = await deployment.cluster.get('/jobmanager/config');
  const configured = Object.fromEntries(JSON.parse(text).map(({ key, value }: { key: string; value: string }) => [key, value]));
  expect(configured).toMatchObject({ ...job.pipeline.flinkConfiguration, ...deployment.changedSettings });
});

test('events and lines reach their ends', async () => {
  const malformed = [
    'not JSON',
    '{"user_id":"ends-u1","event_type":"click"',
    '',
    ' {"event_type":"click","event_time":"2026-01-01T00:00:01Z"}\t',
    '{"user_id":"ends-u1","event_type":"raw","event_time":"2026-01-01T00:00:01Z"}',
    '{"user_id":"ends-u1","event_type":"click","event_time":"yesterday"}',
    '["user_id"]',
    `quote ' back\\slash "double" ü 日本 \u{1f600}`,
  ];
  deployment.write([
    line('ends-u1', '2026-01-01T00:00:10.000Z', 'second'),
    line('ends-u1', '2026-01-01T00:00:05.000Z', 'first'),
    ...malformed,
    line('ends-u2', '2026-01-01T00:00:00.000Z'),
    line('ends-u2', '2026-01-01T00:00:59.999Z'),
    line('ends-u2', '2026-01-01T00:00:59.999Z'),
    line('ends-u2', '2026-01-01T00:01:00.000Z', 'last'),
  ]);
  await until('the documents', async () => (await documents('ends-')).length === 5);
  passTo('2026-01-01T00:10:00.000Z');
  const counted = [
    { user_id: 'ends-u1', window_time: '2026-01-01T00:00:00', event_count: 2 },
    { user_id: 'ends-u2', window_time: '2026-01-01T00:00:00', event_count: 2 },
    { user_id: 'ends-u2', window_time: '2026-01-01T00:01:00', event_count: 1 },
  ];
  await until('the counts of the minutes', async () => (await counts('ends-')).length === counted.length);
  // Too late for its minute, which is closed, and for no other end.
  deployment.write([line('ends-u1', '2026-01-01T00:00:07.000Z', 'late')]);
  await until('the late document', async () => (await documents('ends-')).length === 6);
  passTo('2026-01-01T00:20:00.000Z');
  await until('the next minutes are closed', async () => (await counts('later')).length === 1);
  expect(await counts('ends-')).toEqual(counted);
  expect(await documents('ends-')).toEqual([
    { user_id: 'ends-u1', event_time: '2026-01-01T00:00:05', level: null, event_type: 'first' },
    { user_id: 'ends-u1', event_time: '2026-01-01T00:00:07', level: null, event_type: 'late' },
    { user_id: 'ends-u1', event_time: '2026-01-01T00:00:10', level: null, event_type: 'second' },
    { user_id: 'ends-u2', event_time: '2026-01-01T00:00:00', level: null, event_type: 'click' },
    { user_id: 'ends-u2', event_time: '2026-01-01T00:00:59.999', level: null, event_type: 'click' },
    { user_id: 'ends-u2', event_time: '2026-01-01T00:01:00', level: null, event_type: 'last' },
  ]);
  expect(await lastEvents('ends-')).toEqual([
    { user_id: 'ends-u1', event_type: 'second', event_time: '2026-01-01T00:00:10' },
    { user_id: 'ends-u2', event_type: 'last', event_time: '2026-01-01T00:01:00' },
  ]);
  expect((await delivered('', malformed.length)).sort()).toEqual([...malformed].sort());
});

test('a user that the dimension lacks has no level, and gets it after an expiry of its own', async () => {
  const { amazon } = deployment;
  let second = 0;
  /** @returns the levels that the shards find, and so the task managers: each has a cache of its own. */
  const levels = async (user: string) => {
    const time = `2026-01-01T00:21:${String(++second).padStart(2, '0')}`;
    deployment.write(...SHARDS.map((shard) => [line(user, `${time}.${100 + shard}Z`)]));
    const found = () => documents(user).then((all) => all.filter(({ event_time }) => event_time.startsWith(time)));
    const rows = await until(`the events of ${user}`, async () => {
      const all = await found();
      return all.length === SHARDS.length && all;
    });
    return [...new Set(rows.map(({ level }) => level))];
  };
  expect([await levels('known'), await levels('new')]).toEqual([['gold'], [null]]);
  await amazon.putItem(USERS, { user_id: { S: 'known' }, level: { S: 'platinum' } });
  await amazon.putItem(USERS, { user_id: { S: 'new' }, level: { S: 'silver' } });
  await until('the level of the new user', async () => (await levels('new')).join() === 'silver');
  // That one is remembered for half an hour.
  expect(await levels('known')).toEqual(['gold']);
});

/** A run of three batches, in an hour of its own. */
class Run {
  private static readonly USERS = 36;

  constructor(
    private readonly name: string,
    private readonly hour: string,
  ) {}

  /** Write a batch, in as many files at once as there are task managers. */
  public write(batch: number): void {
    const files = TASK_MANAGERS.map((file) =>
      this.users(file).flatMap((user) => [
        // The first batches share a minute, and the last one has another.
        line(user, `2026-01-01T${this.hour}:0${batch === 2 ? 1 : 0}:${batch}0.000Z`, `batch ${batch}`),
        `${this.name} unrecognised ${user} ${batch}`,
      ]),
    );
    deployment.write(...files);
  }

  public async written(batch: number): Promise<void> {
    await until(`batch ${batch} of ${this.name}`, async () => {
      const last = await lastEvents(`${this.name}-`);
      const found = await documents(`${this.name}-`);
      return (
        last.length === Run.USERS && last.every((row) => row.event_type === `batch ${batch}`) && found.length === Run.USERS * (batch + 1)
      );
    });
  }

  /** What the ends hold once all minutes are closed, without name and hour. */
  public async ends() {
    passTo(`2026-01-01T${this.hour}:10:00.000Z`);
    await until(`the counts of ${this.name}`, async () => (await counts(`${this.name}-`)).length === Run.USERS * 2);
    const archived = await delivered(`${this.name} `, Run.USERS * 3);
    const held = [await documents(`${this.name}-`), await lastEvents(`${this.name}-`), await counts(`${this.name}-`)];
    const plain = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll(this.name, 'run').replaceAll(`T${this.hour}:`, 'Thh:'));
    return { tables: plain(held), lines: plain([...new Set(archived)].sort()), archived: archived.length };
  }

  private users(file: number): string[] {
    const each = Run.USERS / TASK_MANAGERS.length;
    return Array.from({ length: each }, (_, index) => `${this.name}-${String(file * each + index).padStart(2, '0')}`);
  }
}

test('the job goes on from a savepoint, with checkpoints on request', async () => {
  const savepoint = await deployment.cluster.stopWithSavepoint();
  await deployment.deploy({ ...CHECKPOINTS_ON_REQUEST, 'execution.state-recovery.path': savepoint });
  await start({
    ...USER_EVENTS_REASONS,
    'no window is to depend on the speed of the machine': /^setting execution\.checkpointing\.(interval|min-pause):/,
    'the operator knows the savepoint': /^setting execution\.state-recovery\.path:/,
  });
});

test('task managers that are killed between two checkpoints: the ends are those of a run without failure', async () => {
  const { cluster } = deployment;
  const calm = new Run('calm', '01');
  for (const batch of [0, 1, 2]) {
    calm.write(batch);
    await calm.written(batch);
  }
  const expected = await calm.ends();
  expect(expected.archived).toBe(expected.lines.length);

  const killed = new Run('killed', '02');
  killed.write(0);
  await killed.written(0);
  const before = await checkpoint();
  killed.write(1);
  await killed.written(1);
  const since = Date.now();
  await Promise.all(TASK_MANAGERS.map((index) => cluster.killTaskManager(index)));
  expect((await checkpoints()).latest.completed!.id).toBe(before);
  cluster.start(TASK_MANAGERS.length);
  const restored = await until('a restored job', async () => {
    const latest = (await cluster.job<Checkpoints>('/checkpoints'))?.latest.restored;
    return latest != null && latest.restore_timestamp >= since && latest.id;
  });
  expect(restored).toBe(before);
  await until('the job runs again', () => cluster.isRunning());
  killed.write(2);
  await killed.written(2);
  const found = await killed.ends();
  console.log(`lines in the archive: ${expected.archived} without failure, ${found.archived} after the kill`);
  // The tables are upserted by their keys: the same rows. A line comes at least once.
  expect(found.tables).toEqual(expected.tables);
  expect(found.lines).toEqual(expected.lines);
});

test('the state is in the bucket, under the prefix of the job', async () => {
  const { amazon, cluster } = deployment;
  const { external_path } = (await checkpoints()).latest.completed!;
  const savepoint = await cluster.stopWithSavepoint();
  const objects = await amazon.objects(STATE.bucket);
  expect(objects.filter((key) => !key.startsWith(STATE.prefix))).toEqual([]);
  for (const path of [external_path, savepoint]) {
    expect(objects).toContain(`${path.replace(`s3p://${STATE.bucket}/`, '')}/_metadata`);
  }
});

test('whatever the job asked of DynamoDB and S3 is among the calls that its role is checked for', () => {
  const { actions } = deployment.amazon;
  console.log(`asked for: ${[...actions.keys()].sort().join(', ')}`);
  const checked = (caller: string) =>
    connectorCalls.filter((call) => call.job === 'user-events' && call.caller.startsWith(caller)).flatMap((call) => call.actions);
  const asked = (service: string) => [...actions.keys()].filter((action) => action.startsWith(service));
  for (const [service, caller] of [
    ['dynamodb:', 'lookup of table dim_users'],
    ['s3:', 'checkpoints, savepoints and high availability'],
  ] as const) {
    expect(asked(service)).not.toEqual([]);
    expect(checked(caller)).toEqual(expect.arrayContaining(asked(service)));
  }
  const resources = [...actions].filter(([action]) => action.startsWith('s3:')).flatMap(([, found]) => [...found]);
  const outside = resources.filter((resource) => !/^[^/?]+[/?]user-events(\/|$)/.test(resource));
  expect(outside).toEqual([]);
});
