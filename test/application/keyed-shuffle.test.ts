import { racingSinks } from '../../lib/application/keyed-shuffle';
import { Changes } from '../../lib/sql/connector';
import { programOf, sink, source, type Table } from '../fixtures/programs';

const KEYED = { primaryKey: ['id'] };

function racing(query: string | undefined, changed: { out?: Table; events?: Table; writers?: number } = {}): string[] {
  const program = programOf({ events: changed.events ?? source(), out: changed.out ?? sink({}, KEYED) }, query);
  return racingSinks(program, { out: changed.writers ?? 4 });
}

test('rows that are written as they were read race on a key', () => {
  expect(racing('SELECT id, at FROM `events` WHERE id IS NOT NULL')).toEqual(['out']);
});

test.each([
  [
    'a window grouped by another key',
    "SELECT id, window_end FROM TABLE(TUMBLE(TABLE `events`, DESCRIPTOR(at), INTERVAL '1' MINUTE)) GROUP BY id, at, window_end",
  ],
  [
    'the first row by another key',
    'SELECT id, at FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY at ORDER BY at) AS n FROM `events`) WHERE n = 1',
  ],
  ['a comparison that is spelled DISTINCT', "SELECT id, at FROM `events` WHERE id IS DISTINCT FROM 'a'"],
  ['one part of a union', 'SELECT id, at FROM `events` UNION ALL SELECT id, MAX(at) FROM `events` GROUP BY id'],
])('and so they may after %s', (_, query) => {
  expect(racing(query)).toEqual(['out']);
});

test('sources are found behind views', () => {
  const program = programOf({ events: source({ changes: Changes.ALL }), out: sink({}, KEYED) });
  const [, out] = program._tables();
  const view = program.addView('view', 'SELECT id, at FROM `events`');
  program.addInsert(out!, `SELECT id, at FROM ${view}`);
  expect(racingSinks(program, { out: 4 })).toEqual([]);
});

test.each([
  ['one writer', { writers: 1 }],
  ['no key', { out: sink() }],
  ['a sink that takes inserts alone', { out: sink({ changes: Changes.INSERT_ONLY }, KEYED) }],
  ['a source of changes, which Flink shuffles by its key', { events: source({ changes: Changes.ALL }) }],
  ['a source of upserts', { events: source({ changes: Changes.UPSERT }) }],
])('there is no race with %s', (_, changed) => {
  expect(racing('SELECT id, at FROM `events`', changed)).toEqual([]);
});

test('there is a race with two writers, told once for several INSERTs', () => {
  const program = programOf({ events: source(), out: sink({}, KEYED) }, 'SELECT id, at FROM `events`');
  program.addInsert(program._tables()[1]!, "SELECT id, at FROM `events` WHERE id = 'a'");
  expect(racingSinks(program, { out: 2 })).toEqual(['out']);
});
