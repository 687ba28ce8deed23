import { findEngine } from '../../../lib/testing/engine';

jest.setTimeout(120_000);

interface Case {
  readonly columns: string;
  readonly select: string;
  readonly sink: string;
  readonly records: object[];
  /** Options of the source. */
  readonly options?: { readonly [option: string]: string };
}

const KAFKA = { connector: 'kafka', topic: 't', 'properties.bootstrap.servers': 'b:9092', 'scan.startup.mode': 'earliest-offset' };

function table(name: string, columns: string, options: { readonly [option: string]: string }): string {
  const pairs = Object.entries(options).map(([option, value]) => `'${option}' = '${value}'`);
  return `CREATE TABLE ${name} (${columns}) WITH (${pairs.join(', ')});`;
}

/** The values of the last change that each record gives. */
async function written({ columns, select, sink, records, options = { format: 'json' } }: Case): Promise<unknown[][]> {
  const source = table('source', columns, { ...KAFKA, ...options });
  const script = `${source}${table('sink', sink, { connector: 'print' })}INSERT INTO sink SELECT ${select} FROM source;`;
  const tables = { source: records.map((record, index) => ({ phase: index + 1, record: JSON.stringify(record) })) };
  const { sinks } = await findEngine().run({ program: { script }, tables });
  return records.map((_, index) => Object.values(sinks.sink!.changes.filter(({ phase }) => phase === index + 1).at(-1)?.row ?? {}));
}

const SKIP = { format: 'json', 'json.ignore-parse-errors': 'true' };
const ISO = { format: 'json', 'json.timestamp-format.standard': 'ISO-8601' };
const DEBEZIUM = { format: 'debezium-json' };
const created = (after: object) => ({ before: null, after, op: 'c' });

/** What `What no rule can see` of docs/rules.md says, and other pages of values. */
const CASES: [what: string, given: Case, expected: unknown[][]][] = [
  [
    'a DECIMAL with more digits than its type is NULL, one with more decimals is rounded',
    { columns: 'd DECIMAL(5, 2)', select: 'd', sink: 'd DECIMAL(5, 2)', records: [{ d: 1234.5 }, { d: '1.005' }] },
    [[null], [1.01]],
  ],
  [
    'a DECIMAL that a sink has no place for is NULL',
    { columns: 'd DECIMAL(10, 4)', select: 'd', sink: 'd DECIMAL(6, 2)', records: [{ d: 12345.6 }] },
    [[null]],
  ],
  [
    'INT goes on at the lowest number in sums, products and casts, and a BIGINT sink changes nothing',
    {
      columns: 'i INT, b BIGINT',
      select: 'SUM(i), MAX(i * 1000), MAX(CAST(b AS INT)), MAX(TRY_CAST(b AS INT))',
      sink: 'a BIGINT, b BIGINT, c INT, d INT',
      records: [
        { i: 1_767_225_600, b: 2_147_483_648 },
        { i: 1_000_000_000, b: 2_147_483_648 },
      ],
    },
    [
      [1_767_225_600, 1_994_041_344, -2_147_483_648, -2_147_483_648],
      [-1_527_741_696, 1_994_041_344, -2_147_483_648, -2_147_483_648],
    ],
  ],
  [
    'what is cast before is right',
    {
      columns: 'i INT',
      select: 'SUM(CAST(i AS BIGINT)), MAX(CAST(i AS BIGINT) * 1000), AVG(CAST(i AS DOUBLE))',
      sink: 'a BIGINT, b BIGINT, c DOUBLE',
      records: [{ i: 1_767_225_600 }, { i: 1_767_225_601 }],
    },
    [
      [1_767_225_600, 1_767_225_600_000, 1_767_225_600],
      [3_534_451_201, 1_767_225_601_000, 1_767_225_600.5],
    ],
  ],
  [
    'averages and quotients of INT, and 1.5 as INT, are cut',
    { columns: 'i INT', select: 'AVG(i), MAX(i / 2)', sink: 'a INT, b INT', records: [{ i: 1.5 }, { i: 2 }] },
    [
      [1, 0],
      [1, 1],
    ],
  ],
  [
    'a text is cut where STRING goes into VARCHAR, and not where a source says VARCHAR',
    { columns: 's STRING, v VARCHAR(3)', select: 's, v', sink: 's VARCHAR(3), v VARCHAR(3)', records: [{ s: 'abcdef', v: 'abcdef' }] },
    [['abc', 'abcdef']],
  ],
  [
    'with SKIP a number beyond INT is NULL, and its record stays',
    { columns: 'i INT, n INT', select: 'i, n', sink: 'i INT, n INT', records: [{ i: 2_147_483_648, n: 1 }], options: SKIP },
    [[null, 1]],
  ],
  [
    'a column that no field has is NULL, also where only a letter is large',
    { columns: 'user_id STRING', select: 'user_id', sink: 'u STRING', records: [{ userId: 'u' }, { USER_ID: 'u' }] },
    [[null], [null]],
  ],
  [
    'text of any notation becomes a time, but for one with an offset',
    {
      columns: 't STRING',
      select: "TRY_CAST(REPLACE(REPLACE(t, 'T', ' '), 'Z', '') AS TIMESTAMP(3))",
      sink: 't TIMESTAMP(3)',
      records: ['2026-01-31T12:13:14', '2026-01-31T12:13:14.5Z', '2026-01-31 12:13:14', '2026-01-31T12:13:14+01:00'].map((t) => ({ t })),
    },
    [['2026-01-31T12:13:14'], ['2026-01-31T12:13:14.5'], ['2026-01-31T12:13:14'], [null]],
  ],
  [
    'ISO 8601 with a Z is read as TIMESTAMP_LTZ',
    {
      columns: 't TIMESTAMP_LTZ(3)',
      select: 'CAST(t AS TIMESTAMP(3))',
      sink: 't TIMESTAMP(3)',
      records: [{ t: '2026-01-31T12:13:14Z' }],
      options: ISO,
    },
    [['2026-01-31T12:13:14']],
  ],
  [
    'milliseconds become a time',
    {
      columns: 't BIGINT',
      select: 'CAST(TO_TIMESTAMP_LTZ(t, 3) AS TIMESTAMP(3))',
      sink: 't TIMESTAMP(3)',
      records: [{ t: 1_767_225_600_123 }],
    },
    [['2026-01-01T00:00:00.123']],
  ],
  [
    'a time from the future is bound',
    {
      columns: 't TIMESTAMP(3)',
      select: "LEAST(t, CAST(CURRENT_TIMESTAMP AS TIMESTAMP(3)) + INTERVAL '1' HOUR) < t",
      sink: 'b BOOLEAN',
      records: [{ t: '9999-01-01 00:00:00' }, { t: '2020-01-01 00:00:00' }],
    },
    [[true], [false]],
  ],
  [
    'without a replica identity a delete takes a null from the sum',
    {
      columns: 'id INT, n INT',
      select: 'SUM(n), COUNT(*)',
      sink: 'n INT, c BIGINT',
      records: [created({ id: 1, n: 5 }), created({ id: 2, n: 7 }), { before: { id: 1 }, after: null, op: 'd' }],
      options: DEBEZIUM,
    },
    [
      [5, 1],
      [12, 2],
      [12, 1],
    ],
  ],
];

test.each(CASES)('%s', async (_what, given, expected) => {
  expect(await written(given)).toEqual(expected);
});

const one = (columns: string, record: object, options?: Case['options'], select = '*'): Case => ({
  columns,
  select,
  sink: columns.replace(/ NOT NULL/g, ''),
  records: [record],
  options,
});

test.each<[string, Case, RegExp]>([
  ['a number beyond INT', one('i INT', { i: 2_147_483_648 }), /Fail to deserialize at field: i/],
  ['a division of INT by zero', one('i INT', { i: 0 }, undefined, '1 / i'), /by zero/],
  ['a division of DECIMAL by zero', one('i DECIMAL(5, 2)', { i: 0 }, undefined, 'CAST(1 / i AS DECIMAL(5, 2))'), /by zero/],
  ['a T where SQL has a blank', one('t TIMESTAMP(3)', { t: '2026-01-31T12:13:14' }), /at field: t/],
  ['a Z in a TIMESTAMP', one('t TIMESTAMP(3)', { t: '2026-01-31T12:13:14Z' }, ISO), /at field: t/],
  ['a TIMESTAMP_LTZ without a Z', one('t TIMESTAMP_LTZ(3)', { t: '2026-01-31T12:13:14' }, ISO), /at field: t/],
  ['a TIMESTAMP_LTZ with another offset', one('t TIMESTAMP_LTZ(3)', { t: '2026-01-31T12:13:14+01:00' }, ISO), /at field: t/],
  ['a missing field that must be there', one('u STRING', {}, { format: 'json', 'json.fail-on-missing-field': 'true' }), /missing/],
  ['a DECIMAL of Debezium as base64', one('n DECIMAL(10, 2)', created({ n: 'B9A=' }), DEBEZIUM), /Corrupt Debezium/],
  ['a number as TIMESTAMP', one('t TIMESTAMP(3)', created({ t: 1_767_225_600_123 }), DEBEZIUM), /Corrupt Debezium/],
  ['a number as DATE', one('t DATE', created({ t: 20_454 }), DEBEZIUM), /Corrupt Debezium/],
  ['an update without before', one('n INT', { before: null, after: { n: 1 }, op: 'u' }, DEBEZIUM), /REPLICA IDENTITY/],
  ['an event with its schema, read without', one('n INT', { schema: {}, payload: created({ n: 1 }) }, DEBEZIUM), /Corrupt Debezium/],
  [
    'an event without a schema, read with',
    one('n INT', created({ n: 1 }), { ...DEBEZIUM, 'debezium-json.schema-include': 'true' }),
    /Corrupt Debezium/,
  ],
])('%s fails', async (_what, given, message) => {
  await expect(written(given)).rejects.toThrow(message);
});
