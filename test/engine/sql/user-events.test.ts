import { UserEventsStack } from '../../../bin/user-events-stack';
import { type Given, record, row, SqlTest } from '../../../lib/testing';
import { newApp } from '../../fixtures/assembly';

jest.setTimeout(120_000);

const app = newApp();
new UserEventsStack(app, 'UserEvents', { env: { account: '111122223333', region: 'cn-north-1' } });
const userEvents = SqlTest.ofAssembly(app.synth().directory, 'user-events');

const line = (userId: string, time: string, type = 'click', page = '/') =>
  JSON.stringify({ user_id: userId, event_type: type, page_url: page, event_time: time });
const event = (userId: string, time: string, type?: string, page?: string): Given => record(line(userId, time, type, page));

const run = (lines: Given[], users: Given[] = []) => userEvents.run({ kinesis_source: lines, dim_users: users });

/** Closes the minutes before 00:10. */
const LATER = event('later', '2026-01-01T00:10:00.000Z');

test('lookup miss: the event of a user that the dimension does not know has no level', async () => {
  const result = await run(
    [event('u1', '2026-01-01T00:00:01.000Z'), event('nobody', '2026-01-01T00:00:02.000Z')],
    [row({ user_id: 'u1', level: 'gold', region: 'north' }), row({ user_id: 'u2', level: 'silver' })],
  );
  expect(result.rows('es_sink')).toEqual([
    { user_id: 'u1', event_time: '2026-01-01T00:00:01', level: 'gold', event_type: 'click' },
    { user_id: 'nobody', event_time: '2026-01-01T00:00:02', level: null, event_type: 'click' },
  ]);
});

test('a dimension that changes is read as it is when the event comes', async () => {
  const result = await run(
    [
      event('u1', '2026-01-01T00:00:01.000Z'),
      record(line('u1', '2026-01-01T00:00:02.000Z'), { phase: 2 }),
      record(line('u1', '2026-01-01T00:00:03.000Z'), { phase: 3 }),
    ],
    [
      row({ user_id: 'u1', level: 'silver' }),
      row({ user_id: 'u1', level: 'gold' }, { op: '+U', phase: 2 }),
      row({ user_id: 'u1' }, { op: '-D', phase: 3 }),
    ],
  );
  expect(result.changes('es_sink').map(({ phase, row: { level } }) => [phase, level])).toEqual([
    [1, 'silver'],
    [2, 'gold'],
    [3, null],
  ]);
});

test('late event: it misses the count of a minute that is closed, and nothing else', async () => {
  const result = await run([
    event('u1', '2026-01-01T00:00:10.000Z'),
    event('u1', '2026-01-01T00:01:04.998Z', 'early enough'),
    event('u1', '2026-01-01T00:00:20.000Z'),
    event('u1', '2026-01-01T00:01:04.999Z', 'closes the minute'),
    event('u1', '2026-01-01T00:00:30.000Z', 'late'),
  ]);
  expect(result.rows('jdbc_sink')).toEqual([{ user_id: 'u1', window_time: '2026-01-01T00:00:00', event_count: 2 }]);
  expect(result.rows('es_sink')).toHaveLength(5);
  expect(result.rows('firehose_sink')).toEqual([]);
});

test('minute boundary: the last millisecond of a minute belongs to it, the next one to the next', async () => {
  const result = await run([
    event('u1', '2026-01-01T00:00:00.000Z'),
    event('u1', '2026-01-01T00:00:59.999Z'),
    event('u1', '2026-01-01T00:01:00.000Z'),
    LATER,
  ]);
  expect(result.rows('jdbc_sink')).toEqual([
    { user_id: 'u1', window_time: '2026-01-01T00:00:00', event_count: 2 },
    { user_id: 'u1', window_time: '2026-01-01T00:01:00', event_count: 1 },
  ]);
});

test('duplicate event: it counts once, and writes the same document again', async () => {
  const twice = event('u1', '2026-01-01T00:00:10.000Z');
  const result = await run([twice, event('u1', '2026-01-01T00:00:10.000Z', 'view'), twice, LATER]);
  expect(result.rows('jdbc_sink')).toEqual([{ user_id: 'u1', window_time: '2026-01-01T00:00:00', event_count: 2 }]);
  expect(result.changes('es_sink')).toHaveLength(4);
  expect(result.rows('es_sink')).toHaveLength(2);
});

test('malformed lines go into the archive byte for byte, and nowhere else', async () => {
  const malformed = [
    'not JSON',
    '{"user_id":"u1","event_type":"click"',
    '',
    ' {"event_type":"click","event_time":"2026-01-01T00:00:01Z"}\t',
    '{"user_id":"u1","event_type":"raw","event_time":"2026-01-01T00:00:01Z"}',
    '{"user_id":"u1","event_type":"click","event_time":"yesterday"}',
    '["user_id"]',
    `quote ' back\\slash "double" \u00fc \u65e5\u672c \u{1f600}`,
  ];
  const result = await run([event('u1', '2026-01-01T00:00:01.000Z'), ...malformed.map((text) => record(text))]);
  expect(result.records('firehose_sink')).toEqual(malformed);
  expect(result.rows('es_sink')).toHaveLength(1);
  expect(result.rows('mongo_sink')).toHaveLength(1);
});

test('two events of one user out of order: the latest by event time stays', async () => {
  const result = await run([
    event('u1', '2026-01-01T00:00:10.000Z', 'second'),
    event('u1', '2026-01-01T00:00:05.000Z', 'first'),
    event('u2', '2026-01-01T00:00:01.000Z', 'only'),
  ]);
  expect(result.rows('mongo_sink')).toEqual([
    { user_id: 'u1', event_type: 'second', event_time: '2026-01-01T00:00:10' },
    { user_id: 'u2', event_type: 'only', event_time: '2026-01-01T00:00:01' },
  ]);
});
