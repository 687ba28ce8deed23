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
  ['GROUP BY', 'SELECT id, MAX(at) FROM `events` GROUP BY id'],
  ['a window', "SELECT id, window_end FROM TABLE(TUMBLE(TABLE `events`, DESCRIPTOR(at), INTERVAL '1' MINUTE)) GROUP BY id, window_end"],
  ['ROW_NUMBER', 'SELECT id, at FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY at DESC) AS n FROM `events`) WHERE n = 1'],
  ['DISTINCT', 'SELECT DISTINCT id, at FROM `events`'],
  ['lower case', 'select id, max(at) from `events` group by id'],
])('rows after %s do not', (_, query) => {
  expect(racing(query)).toEqual([]);
});

test('a column of the name of such a word regroups nothing', () => {
  expect(racing("SELECT id, at FROM `events` WHERE id <> 'GROUP BY' AND id <> `id` /* GROUP */")).toEqual(['out']);
});

test('a view before the INSERT counts', () => {
  const program = programOf({ events: source(), out: sink({}, KEYED) }, 'SELECT id, at FROM `events`');
  const [, out] = program._tables();
  const grouped = programOf({ events: source(), out: sink({}, KEYED) }, 'SELECT id, at FROM `events`');
  const latest = grouped.addView('latest', 'SELECT id, MAX(at) AS at FROM `events` GROUP BY id');
  const plain = program.addView('plain', 'SELECT id, at FROM `events`');
  program.addInsert(out!, `SELECT id, at FROM ${plain}`);
  expect(racingSinks(program, { out: 4 })).toEqual(['out']);

  const behind = programOf({ events: source() });
  behind.addView('latest', 'SELECT id, MAX(at) AS at FROM `events` GROUP BY id');
  const sinkTable = behind.addTable('out', { ...sink({}, KEYED), columns: behind._tables()[0]!.columns });
  behind.addInsert(sinkTable, `SELECT id, at FROM ${latest}`);
  expect(racingSinks(behind, { out: 4 })).toEqual([]);
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
