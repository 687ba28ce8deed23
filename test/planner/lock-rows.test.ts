import { mkdtempSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { checkTablesOfRows, readLockRows } from '../../lib/planner/lock-rows';

const directory = mkdtempSync(join(tmpdir(), 'rows-'));
afterAll(() => rmSync(directory, { recursive: true }));
const path = join(directory, 'j.rows.json');

function read(rows: unknown) {
  writeFileSync(path, typeof rows === 'string' ? rows : JSON.stringify(rows));
  return readLockRows(path);
}

test('rows by table, each in a phase; no file is no rows', () => {
  expect(readLockRows(join(directory, 'none.rows.json'))).toEqual({ path: join(directory, 'none.rows.json'), tables: {} });
  const record = { record: '{"id":1}' };
  const row = { op: '+U', row: { id: 1, note: null }, phase: 2 };
  expect(read({ clicks: [record, row], users: [] })).toEqual({ path, tables: { clicks: [{ phase: 1, ...record }, row], users: [] } });
});

test.each([
  ['{ "clicks": [', 'is no JSON: '],
  [[], 'must hold rows by table'],
  [{ clicks: { row: {} } }, `, table 'clicks': must be a list of rows, got {"row":{}}`],
  [{ clicks: ['{"id":1}'] }, `, table 'clicks', row 1: give { "row": { … } } or { "record": "…" }, got "{\\"id\\":1}"`],
  [
    { clicks: [{ record: 'a' }, { rows: {} }] },
    ', table \'clicks\', row 2: give { "row": { … } } or { "record": "…" }; there is no key \'rows\', there are row, record, op, phase',
  ],
  [{ clicks: [{ row: [1] }] }, 'row 1: row must be an object of columns, got [1]'],
  [{ clicks: [{ record: { id: 1 } }] }, 'row 1: record must be a text, got {"id":1}'],
  [{ clicks: [{ row: {}, op: 'insert' }] }, 'row 1: op must be one of +I, -U, +U, -D, got "insert"'],
  [{ clicks: [{ row: {}, phase: 1.5 }] }, 'row 1: phase must be a whole number from 1 to 2147483647, got 1.5'],
  [{ clicks: [{ row: {}, phase: 3_000_000_000 }] }, 'row 1: phase must be a whole number from 1 to 2147483647, got 3000000000'],
  [{ clicks: [{ row: {}, phase: 0 }] }, 'from 1 to 2147483647, got 0'],
  [{ clicks: [{ row: {}, phase: null }] }, 'from 1 to 2147483647, got null'],
  [{ clicks: [{ op: '+I' }] }, 'row 1: give { "row": { … } } or { "record": "…" }, one of the two'],
  [{ clicks: [{ row: {}, record: 'a' }] }, 'row 1: give { "row": { … } } or { "record": "…" }, one of the two'],
  [{ clicks: [{ record: 'a', op: '-D' }] }, 'row 1: a record has no op'],
])('%j is refused with its place', (rows, message) => {
  expect(() => read(rows)).toThrow(message);
  expect(() => read(rows)).toThrow(`'${path}'`);
});

test('a table that nobody reads is refused', () => {
  const rows = read({ clicks: [], clickz: [] });
  expect(() => checkTablesOfRows(rows, ['clicks', 'clickz'])).not.toThrow();
  expect(() => checkTablesOfRows(rows, ['users', 'clicks', 'users'])).toThrow(
    `'${path}': no program reads a table 'clickz'; read are clicks, users`,
  );
});
