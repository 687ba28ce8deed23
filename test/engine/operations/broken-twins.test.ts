import { Column, DataType } from '../../../lib';
import { operationsSql } from '../../../lib/cli/sql-command';
import { findPrograms } from '../../../lib/planner/find-programs';
import type { PlannerProcess } from '../../../lib/planner/planner-process';
import type { GivenToTable } from '../../../lib/planner/run-request';
import { type Row, row } from '../../../lib/testing/given';
import { assemblyOf, EVERY_TYPE, HOSTILE, hostile, mirror } from '../../fixtures/operations';
import { startPlanner } from '../planner/planner';
import { jarsOf } from './jars-of';

jest.setTimeout(300_000);

let planner: PlannerProcess;
beforeAll(() => {
  planner = startPlanner();
});
afterAll(() => planner.close());

/** What the three levels say: rows of a report by its name. */
async function reconcile(assembly: string, tables: { [table: string]: GivenToTable[] }) {
  const script = operationsSql({ kind: 'reconcile', assembly });
  const { sinks } = await planner.run({ program: { script, jars: jarsOf(assembly, 'clicks') }, tables, endOfInput: true });
  return (report: string) => [...sinks[report]!.rows].map((found) => Object.values(found)).sort();
}

const upsert = (columns: Row) => row(columns, { op: '+U' });

const text = DataType.STRING;
const VALUES: { readonly [column: string]: { readonly type: DataType; readonly right: unknown; readonly wrong: readonly unknown[] } } = {
  a_text: { type: text, right: 'a', wrong: ['A', 'a ', '', null] },
  a_null: { type: text, right: null, wrong: ['NULL', ''] },
  a_decimal: { type: DataType.decimal(38, 18), right: '1.000000000000000001', wrong: ['1.000000000000000002', '1', null] },
  a_whole: { type: DataType.decimal(38, 0), right: '9'.repeat(38), wrong: ['8'.repeat(38)] },
  a_double: { type: DataType.DOUBLE, right: 1e-9, wrong: [2e-9, -1e-9] },
  an_int: { type: DataType.INT, right: 0, wrong: [null, 1] },
  a_time: { type: DataType.time(0), right: '10:00:00', wrong: ['10:00:01'] },
  an_instant: { type: DataType.timestampLtz(3), right: '2026-01-01T00:00:00.001Z', wrong: ['2026-01-01T00:00:00.002Z'] },
  bytes: { type: DataType.BYTES, right: '//4=', wrong: ['//0='] },
  texts: { type: DataType.array(text), right: ['a, b', null], wrong: [['a', 'b', null], ['a, b', 'NULL'], ['a, b'], null, []] },
  times: { type: DataType.array(DataType.DATE), right: ['2026-01-01'], wrong: [['2026-01-02'], []] },
  dated: {
    type: DataType.row(
      { name: 'DATE', type: text },
      { name: 'b', type: text, comment: 'a DATE' },
      { name: 'day', type: DataType.DATE },
      { name: 'time', type: DataType.time(0).notNull() },
    ),
    right: { DATE: 'x, y', b: 'z', day: '2026-01-01', time: '10:00:00' },
    wrong: [
      { DATE: 'x', b: 'y, z', day: '2026-01-01', time: '10:00:00' },
      { DATE: 'x, y', b: 'z', day: '2026-01-02', time: '10:00:00' },
      { DATE: 'x, y', b: 'z', day: '2026-01-01', time: '10:00:01' },
    ],
  },
  map: { type: DataType.map(text, text), right: { a: '1, b=2' }, wrong: [{ a: '1', b: '2' }, { a: null }] },
  nested: {
    type: DataType.row(
      { name: "x'y", type: text, comment: "it's" },
      { name: 'z', type: DataType.row({ name: 'n', type: DataType.INT.notNull() }) },
    ),
    right: { "x'y": 'a, b', z: { n: 1 } },
    wrong: [
      { "x'y": 'a, b', z: { n: 2 } },
      { "x'y": null, z: { n: 1 } },
      { "x'y": 'a, b', z: null },
    ],
  },
};
const COLUMNS = Object.entries(VALUES).map(([name, { type }]) => Column.physical(name, type));
const RIGHT: Row = Object.fromEntries(Object.entries(VALUES).map(([name, { right }]) => [name, right]));
const WRONG: Row[] = Object.entries(VALUES).flatMap(([name, { wrong }]) => wrong.map((value) => ({ ...RIGHT, [name]: value })));

test('by key: each wrong value is told, by its key, and no right one', async () => {
  const assembly = assemblyOf(mirror([Column.physical('id', text), ...COLUMNS], ['id']));
  const ids = WRONG.map((_, index) => `wrong ${String(index).padStart(2, '0')}`);
  const report = await reconcile(assembly, {
    given: ['right', ...ids].map((id) => row({ id, ...RIGHT })),
    kept: [upsert({ id: 'right', ...RIGHT }), ...WRONG.map((columns, index) => upsert({ id: ids[index], ...columns }))],
  });
  expect(report('kept_counts').map(([, count]) => count)).toEqual([ids.length + 1, ids.length + 1]);
  expect(report('kept_differences')).toEqual(ids.map((id) => ['differs', id]));
});

test('without a key: each wrong value is a row that is missing and one that is not expected', async () => {
  const assembly = assemblyOf(mirror([Column.physical('id', text), ...COLUMNS]));
  const ids = WRONG.map((_, index) => `wrong ${String(index).padStart(2, '0')}`);
  const report = await reconcile(assembly, {
    given: ['right', ...ids].map((id) => row({ id, ...RIGHT })),
    kept: [row({ id: 'right', ...RIGHT }), ...WRONG.map((columns, index) => row({ id: ids[index], ...columns }))],
  });
  const told = report('kept_differences').map(([difference, columns]) => [difference, `${columns}`.slice(0, ids[0]!.length)]);
  expect(told).toEqual([...ids.map((id) => ['missing', id]), ...ids.map((id) => ['not expected', id])]);
});

describe('what each level promises', () => {
  const columns = [
    Column.physical('id', text),
    Column.physical('amount', DataType.decimal(20, 4)),
    Column.physical('ratio', DataType.DOUBLE),
  ];
  const one = (id: string, amount: string | null, ratio: number | null = 1) => ({ id, amount, ratio });
  const given = [one('a', '1.0000'), one('b', '2.0000'), one('c', null, null)];
  const seen = (report: (name: string) => unknown[][]) =>
    ['counts', 'sums'].map((level) => {
      const [expected, written] = report(`kept_${level}`);
      return JSON.stringify(expected?.slice(1)) === JSON.stringify(written?.slice(1)) ? 'equal' : 'differ';
    });

  test.each<[string, Row[], string[], string[][]]>([
    ['nothing wrong', given, ['equal', 'equal'], []],
    ['a row twice', [...given, given[2]!], ['differ', 'equal'], [['not expected', 'c | NULL | NULL']]],
    ['a row missing', given.slice(1), ['differ', 'differ'], [['missing', 'a | 1.0000 | 1.0']]],
    [
      'one missing, one twice',
      [given[0]!, given[1]!, given[1]!],
      ['equal', 'differ'],
      [
        ['missing', 'c | NULL | NULL'],
        ['not expected', 'b | 2.0000 | 1.0'],
      ],
    ],
    [
      'two values exchanged',
      [one('a', '2.0000'), one('b', '1.0000'), given[2]!],
      ['equal', 'equal'],
      [
        ['missing', 'a | 1.0000 | 1.0'],
        ['missing', 'b | 2.0000 | 1.0'],
        ['not expected', 'a | 2.0000 | 1.0'],
        ['not expected', 'b | 1.0000 | 1.0'],
      ],
    ],
    [
      '0 for NULL',
      [given[0]!, given[1]!, one('c', '0', 0)],
      ['equal', 'equal'],
      [
        ['missing', 'c | NULL | NULL'],
        ['not expected', 'c | 0.0000 | 0.0'],
      ],
    ],
    [
      'rounded',
      [one('a', '1.0001'), given[1]!, given[2]!],
      ['equal', 'differ'],
      [
        ['missing', 'a | 1.0000 | 1.0'],
        ['not expected', 'a | 1.0001 | 1.0'],
      ],
    ],
  ])('%s', async (_what, kept, levels, differences) => {
    const report = await reconcile(assemblyOf(mirror(columns)), {
      given: given.map((columnsOfRow) => row(columnsOfRow)),
      kept: kept.map((columnsOfRow) => row(columnsOfRow)),
    });
    expect([seen(report), report('kept_differences')]).toEqual([levels, differences]);
  });

  test('sums of numbers that no DECIMAL holds leave them out, and the rows tell', async () => {
    const floats = [Column.physical('id', text), Column.physical('ratio', DataType.DOUBLE)];
    const query = "SELECT id, CASE WHEN id = 'n' THEN CAST('NaN' AS DOUBLE) ELSE ratio END FROM `given`";
    const report = await reconcile(assemblyOf(mirror(floats, ['id'], query)), {
      given: [row({ id: 'n', ratio: 0 }), row({ id: 'huge', ratio: 1e300 }), row({ id: 'small', ratio: 1e-9 })],
      kept: [upsert({ id: 'n', ratio: 0 }), upsert({ id: 'huge', ratio: 1e300 }), upsert({ id: 'small', ratio: 1e-9 })],
    });
    expect(report('kept_sums').map(([, sum]) => Number(sum))).toEqual([1e-9, 1e-9]);
    expect(report('kept_differences')).toEqual([['differs', 'n']]);
  });
});

test('a key of many types, in another order than the columns', async () => {
  const nested = DataType.row({ name: 'a', type: text }, { name: 'b', type: DataType.INT });
  const columns = [
    Column.physical('amount', DataType.INT),
    Column.physical('at', DataType.timestampLtz(3)),
    Column.physical('bytes', DataType.binary(2)),
    Column.physical('price', DataType.decimal(38, 18)),
    Column.physical('nested', nested),
    Column.physical('texts', DataType.array(text)),
    Column.physical('time', DataType.time(0)),
  ];
  const assembly = assemblyOf(mirror(columns, ['texts', 'nested', 'time', 'price', 'bytes', 'at']));
  const key = {
    at: '2026-01-01T00:00:00Z',
    bytes: '//4=',
    price: '0.000000000000000001',
    nested: { a: 'x', b: 1 },
    texts: ['p, q'],
    time: '10:00:00',
  };
  const other = { ...key, bytes: '//0=' };
  const report = await reconcile(assembly, {
    given: [row({ ...key, amount: 1 }), row({ ...other, amount: 1 })],
    kept: [upsert({ ...key, amount: 2 }), upsert({ ...key, texts: ['p', 'q'], amount: 1 })],
  });
  const shown = (texts: string, bytes: string) =>
    `${texts} | {"a":"x","b":1} | 10:00:00 | 0.000000000000000001 | "${bytes}" | 2026-01-01 00:00:00.000`;
  expect(
    report('kept_differences').map(([difference, columnsOfKey]) => [
      difference,
      `${columnsOfKey}`.replace(/ \d\d:00:00\.000$/, ' 00:00:00.000'),
    ]),
  ).toEqual([
    ['differs', shown('["p, q"]', '//4=')],
    ['missing', shown('["p, q"]', '//0=')],
    ['not expected', shown('["p","q"]', '//4=')],
  ]);
});

test('what a job has written of every type, cut and rounded as its sink has it, is right', async () => {
  const columns = EVERY_TYPE.map(({ name, type }) => Column.physical(name, type!));
  const program = mirror(
    columns,
    ['a_string', 'a_char'],
    `SELECT ${EVERY_TYPE.map(({ name }) => {
      const wider: { [column: string]: string } = {
        a_char: "CAST('x' AS CHAR(1))",
        a_varchar: "CAST('longer than four' AS STRING)",
        a_digit: '1.23456',
        a_float: 'CAST(1 AS SMALLINT)',
        a_binary: "x'01'",
        a_timestamp: "TIMESTAMP '2026-01-01 00:00:00.123456789'",
      };
      return wider[name] ?? `\`${name}\``;
    }).join(', ')} FROM \`given\``,
  );
  const assembly = assemblyOf(program);
  const { script, configuration } = findPrograms(assembly)[0]!;
  const value: Row = {
    a_char: 'abc',
    a_varchar: 'abcd',
    a_string: 's',
    a_boolean: true,
    a_binary: '//4=',
    a_varbinary: '//4=',
    a_bytes: '//4=',
    a_tinyint: 1,
    a_smallint: 1,
    an_int: 1,
    a_bigint: 1,
    a_float: 0.1,
    a_double: 0.1,
    a_digit: '1.00',
    a_fraction: '0.01',
    a_decimal: '1',
    a_date: '2026-01-01',
    a_time: '10:00:00',
    a_timestamp: '2026-01-01T00:00:00.123456789',
    an_instant: '2026-01-01T00:00:00.001Z',
  };
  const given = [row(value)];
  const { sinks } = await planner.run({
    program: { script, configuration, jars: jarsOf(assembly, 'clicks') },
    tables: { given },
    endOfInput: true,
  });
  const kept = sinks.kept!.rows.map((found) => upsert(found));
  expect(kept).toHaveLength(1);
  const report = await reconcile(assembly, { given, kept });
  expect(report('kept_differences')).toEqual([]);
  const [expected, written] = report('kept_sums');
  expect(expected!.slice(1)).toEqual(written!.slice(1));
});

test('names with whatever SQL, JSON and comments make something of', async () => {
  const assembly = assemblyOf(hostile());
  const [first, second, ...others] = HOSTILE.columns as [string, string, ...string[]];
  const columns = (id: string, number: number) => ({
    [first]: id,
    [second]: "it's",
    ...Object.fromEntries(others.map((name) => [name, name])),
    number,
  });
  const kept = `${HOSTILE.table} kept`;
  const report = await reconcile(assembly, {
    [HOSTILE.table]: [['a', 1] as const, ['b', 2] as const, ["c' | `", 3] as const].map(([id, number]) =>
      row({ ...columns(id, number), 'ta`ken': '2026-01-01T00:00:00Z' }),
    ),
    [kept]: [upsert(columns('a', 1)), upsert(columns('b', 3))],
  });
  expect(report(`${kept}_differences`)).toEqual([
    ['differs', "it's | b"],
    ['missing', "it's | c' | `"],
  ]);
});
