import { Duration, Token } from 'aws-cdk-lib';
import type { FlinkApplicationProps } from '../../lib/application/flink-application';
import { Format, MalformedRecords, TimestampFormat } from '../../lib/connectors/format';
import { JdbcDriver } from '../../lib/connectors/jdbc-driver';
import { JdbcSink } from '../../lib/connectors/jdbc-sink';
import { UpsertKafkaSource } from '../../lib/connectors/upsert-kafka-source';
import { CleanupPolicy } from '../../lib/kafka/topic-configuration';
import { Artifact } from '../../lib/sql/artifact';
import { Column } from '../../lib/sql/column';
import { DataType } from '../../lib/sql/data-type';
import type { SqlProgram } from '../../lib/sql/sql-program';
import { Watermark } from '../../lib/sql/watermark';
import { COLUMNS } from '../cases/findings';
import { sink } from '../fixtures/programs';
import {
  beside,
  CHANGES,
  GROUPED,
  JOINED,
  LOOKUP,
  minutes,
  mySql,
  reading,
  readingBy,
  records,
  SOME_CHANGES,
  SOME_JSON,
  STRICT,
  TIMED,
} from './source-programs';
import { warnings as warningsOf } from './warnings';

const JSON_RECORDS = Format.json({ malformedRecords: MalformedRecords.FAIL });

const warnings = (program: SqlProgram, changed: Partial<FlinkApplicationProps> = {}) => warningsOf({ program, ...changed });

/** The latest row of each key of a compacted topic. */
function latest(valueFormat: Format): UpsertKafkaSource {
  return new UpsertKafkaSource({ topic: records(CleanupPolicy.COMPACT), keyFormat: JSON_RECORDS, valueFormat });
}

const ROWS = 'SELECT id, amount FROM events';
const APPENDED = 'SELECT c.id, d.amount FROM clicks AS c JOIN clicks AS d ON c.id = d.id';

describe('ExpiringAggregate', () => {
  const stateTtl = Duration.days(1);

  test.each([
    ['a sum over changes', reading(CHANGES, {}, GROUPED)],
    ['a sum over the latest row of each key', readingBy(latest(JSON_RECORDS), { primaryKey: ['id'] }, GROUPED)],
    ['changes, summed beside rows that are only added', beside(`${GROUPED} UNION ALL SELECT id, amount FROM clicks`)],
    ['a sum over a name of WITH', beside(`WITH e AS (${ROWS}) ${GROUPED.replace('FROM events', 'FROM e')}`)],
    ['a sum in a subquery', reading(CHANGES, {}, `SELECT id, s FROM (${GROUPED.replace('SUM(amount)', 'SUM(amount) AS s')})`)],
  ])('fires for %s', (_, program) => {
    expect(warnings(program, { stateTtl })).toEqual([
      expect.stringMatching(
        /^cdk-flink-pipeline:ExpiringAggregate out: the query into 'out' of job 'orders' groups rows of 'events', which are updated/,
      ),
    ]);
  });

  test('fires for a sum in a view, and for a time to live of the program', () => {
    const program = reading(CHANGES);
    const totals = program.addView('totals', GROUPED);
    program.addInsert(program._tables().at(-1)!, `SELECT * FROM ${totals}`);
    program.set('table.exec.state.ttl', '1 d');
    expect(warnings(program)).toEqual([expect.stringContaining('ExpiringAggregate out')]);
  });

  test.each([
    ['rows that are only added', reading(JSON_RECORDS, {}, GROUPED)],
    ['changes that are not summed', reading(CHANGES)],
    ['rows that are only added, summed beside changes', beside(`${GROUPED.replaceAll('events', 'clicks')} UNION ALL ${ROWS}`)],
    ['the same in a view', beside(`SELECT * FROM summed UNION ALL ${ROWS}`, { summed: GROUPED.replaceAll('events', 'clicks') })],
    ['a query with a hint', reading(CHANGES, {}, GROUPED.replace('SELECT', "SELECT /*+ STATE_TTL('events' = '0s') */"))],
  ])('passes for %s', (_, program) => {
    expect(warnings(program, { stateTtl })).toEqual([]);
  });

  test.each([
    ['a GROUP BY without a window', 'SELECT n, COUNT(*) FROM (SELECT id, COUNT(*) AS n FROM events GROUP BY id) GROUP BY n'],
    ['an outer join', 'SELECT e.id, SUM(o.amount) FROM events AS e LEFT JOIN events AS o ON e.id = o.id GROUP BY e.id'],
    [
      'a ROW_NUMBER',
      'SELECT id, SUM(amount) FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY proc_time DESC) AS n FROM events) WHERE n = 1 GROUP BY id',
    ],
    ['a SELECT DISTINCT', 'SELECT id, SUM(amount) FROM (SELECT DISTINCT id, amount FROM events) GROUP BY id'],
  ])('fires for a sum over what a query has made itself: %s', (what, query) => {
    expect(warnings(reading(JSON_RECORDS, {}, query), { stateTtl })).toEqual([
      expect.stringContaining(
        `ExpiringAggregate out: the query into 'out' of job 'orders' groups rows of ${what}, which are updated or deleted`,
      ),
    ]);
  });

  test.each([
    ['distinct changes', 'SELECT DISTINCT id, amount FROM events'],
    ['a sum of all changes', "SELECT 'all', SUM(amount) FROM events"],
  ])('fires for %s', (_, query) => {
    expect(warnings(reading(CHANGES, {}, query), { stateTtl })).toEqual([expect.stringContaining("groups rows of 'events'")]);
  });

  test('passes where state never expires: that is EndlessState, which advises no stateTtl then', () => {
    expect(warnings(reading(CHANGES, {}, GROUPED))).toEqual([
      expect.stringMatching(
        /^cdk-flink-pipeline:EndlessState.*; stateTtl would make it wrong, since rows of 'events' are updated or deleted later/,
      ),
    ]);
    expect(warnings(reading(JSON_RECORDS, {}, GROUPED))).toEqual([
      expect.stringMatching(/^cdk-flink-pipeline:EndlessState.*; give stateTtl,/),
    ]);
    const program = reading(CHANGES, {}, GROUPED);
    program.set('table.exec.state.ttl', '0 ms');
    expect(warnings(program)).toEqual([]);
  });
});

describe('ExpiringJoin', () => {
  const stateTtl = Duration.days(1);

  test('fires for changes, by themselves and in a view', () => {
    expect(warnings(reading(CHANGES, {}, JOINED), { stateTtl })).toEqual([
      expect.stringMatching(
        /^cdk-flink-pipeline:ExpiringJoin out: the query into 'out' of job 'orders' joins rows of 'events', which are updated or deleted/,
      ),
    ]);
    const program = reading(CHANGES);
    const joined = program.addView('joined', JOINED);
    program.addInsert(program._tables().at(-1)!, `SELECT * FROM ${joined}`);
    program.set('table.exec.state.ttl', '1 d');
    expect(warnings(program)).toEqual([expect.stringContaining('ExpiringJoin out')]);
  });

  test.each([
    ['a comma', 'SELECT e.id, c.amount FROM events AS e, clicks AS c WHERE e.id = c.id'],
    ['IN', `${ROWS} WHERE id IN (SELECT id FROM clicks)`],
    ['NOT IN, in parentheses', `${ROWS} WHERE (amount > 1 AND id NOT IN (SELECT id FROM clicks))`],
    ['EXISTS', 'SELECT e.id, e.amount FROM events AS e WHERE EXISTS (SELECT 1 FROM clicks AS c WHERE c.id = e.id)'],
    ['a value of another query', `${ROWS} WHERE amount > (SELECT MAX(amount) FROM clicks)`],
    ['a query for each row', 'SELECT e.id, c.amount FROM events AS e, LATERAL (SELECT amount FROM clicks WHERE clicks.id = e.id) AS c'],
    ['a join in parentheses', 'SELECT e.id, e.amount FROM (events AS e JOIN clicks AS c ON e.id = c.id)'],
    ['a join in a subquery', `SELECT id, amount FROM (${JOINED})`],
    ['a join of a name of WITH', `WITH e AS (${ROWS}) SELECT e.id, c.amount FROM e JOIN clicks AS c ON e.id = c.id`],
    ['a join beside a lookup', `${LOOKUP} JOIN clicks AS c ON c.id = e.id`],
    ['a join between amounts', `${JOINED} WHERE e.amount BETWEEN 1 AND 5`],
    ['a join of what is not old', `${JOINED} WHERE e.at > CURRENT_TIMESTAMP - INTERVAL '1' DAY`],
    ['a join with a distance in its rows', JOINED.replace('SELECT', "SELECT e.at + INTERVAL '1' DAY,")],
    ['a join within an hour, or of one value', `${JOINED} AND (e.at BETWEEN o.at - INTERVAL '1' HOUR AND o.at OR e.amount = 1)`],
    ['a join with one bound', `${JOINED} AND e.at > o.at - INTERVAL '1' HOUR AND e.amount < 5`],
    ['two joins of which one is bounded', `${JOINED} AND e.at BETWEEN o.at AND o.at + INTERVAL '1' HOUR JOIN clicks AS c ON c.id = e.id`],
    [
      'a list of values as a table, which expires, too',
      'SELECT e.id, v.amount FROM events AS e CROSS JOIN (VALUES (1), (2)) AS v (amount)',
    ],
    ['IN such a list', `${ROWS} WHERE id IN (SELECT * FROM (VALUES ('a'), ('b')) AS v (id))`],
  ])('fires for %s', (_, query) => {
    expect(warnings(beside(query), { stateTtl }).filter((text) => text.includes(':Expiring'))).toEqual([
      expect.stringContaining("ExpiringJoin out: the query into 'out' of job 'orders' joins rows of 'events', which are updated"),
    ]);
  });

  test.each([
    ['rows that are only added, joined beside changes', `${APPENDED} UNION ALL ${ROWS}`],
    ['the same in a view', `SELECT * FROM appended UNION ALL ${ROWS}`],
    ['a lookup by a comma', 'SELECT e.id, u.amount FROM events AS e, users FOR SYSTEM_TIME AS OF e.proc_time AS u WHERE e.id = u.id'],
    ['elements of each row', 'SELECT e.id, i.amount FROM events AS e CROSS JOIN UNNEST(e.items) AS i (amount)'],
    ['elements by a comma', 'SELECT e.id, i.amount FROM events AS e, UNNEST(e.items) AS i (amount)'],
    ['a function of each row', 'SELECT e.id, i.amount FROM events AS e, LATERAL TABLE(parts(e.id)) AS i (amount)'],
    ['a list of values', `${ROWS} WHERE id IN ('a', 'b') AND amount IN (1, ABS(2))`],
    ['a time between two others', `${JOINED} AND e.at BETWEEN o.at - INTERVAL '1' HOUR AND o.at`],
    [
      'the same in WHERE, without names',
      "SELECT id, amount FROM events, (SELECT id AS other, proc_time AS sent FROM clicks) WHERE id = other AND proc_time BETWEEN sent AND sent + INTERVAL '1' HOUR",
    ],
    ['a distance in time', `${JOINED} AND e.at = o.at + INTERVAL '1' HOUR`],
    ['a bound in ON and one in WHERE', `${JOINED} AND e.at <= o.at WHERE e.at > o.at - INTERVAL '1' HOUR`],
    ['one window', `${JOINED} AND e.window_start = o.window_start AND e.window_end = o.window_end`],
    ['one window by USING', JOINED.replace('ON e.id = o.id', 'USING (id, window_start, window_end)')],
    [
      'one window of a subquery',
      'SELECT e.id, e.amount FROM events AS e WHERE EXISTS (SELECT 1 FROM clicks AS c WHERE c.id = e.id AND c.window_start = e.window_start AND c.window_end = e.window_end)',
    ],
  ])('passes for %s', (_, query) => {
    expect(
      warnings(beside(query, query.includes('appended') ? { appended: APPENDED } : {}), { stateTtl }).filter((text) =>
        text.includes(':Expiring'),
      ),
    ).toEqual([]);
  });

  test('a hint holds within its query or view', () => {
    const joined = beside("SELECT /*+ STATE_TTL('j' = '90d') */ * FROM joined AS j", { joined: JOINED });
    expect(warnings(joined, { stateTtl })).toEqual([expect.stringContaining('ExpiringJoin out')]);
    const hinted = JOINED.replace('SELECT', "SELECT /*+ STATE_TTL('e' = '90d', 'o' = '90d') */");
    expect(warnings(beside('SELECT * FROM joined', { joined: hinted }), { stateTtl })).toEqual([]);
  });

  test.each([
    ['rows that are only added', reading(JSON_RECORDS, {}, JOINED)],
    ['changes that are not joined', reading(CHANGES)],
    ['a join with a hint', reading(CHANGES, {}, JOINED.replace('SELECT', "SELECT /*+ STATE_TTL('e' = '90d', 'o' = '90d') */"))],
    [
      'a join within an hour',
      reading(CHANGES, {}, `${JOINED} AND e.proc_time > o.proc_time - INTERVAL '1' HOUR AND e.proc_time <= o.proc_time`),
    ],
  ])('passes for %s', (_, program) => {
    expect(warnings(program, { stateTtl })).toEqual([]);
  });

  test('passes where state never expires: that is EndlessState', () => {
    expect(warnings(reading(CHANGES, {}, JOINED))).toEqual([expect.stringMatching(/^cdk-flink-pipeline:EndlessState/)]);
  });
});

describe('LookupOverChanges', () => {
  test('fires for changes, and for the latest row of each key', () => {
    expect(warnings(reading(CHANGES, {}, LOOKUP))).toEqual([
      expect.stringContaining(
        "LookupOverChanges out: the query into 'out' of job 'orders' looks up 'users' for rows of 'events', which are",
      ),
    ]);
    expect(warnings(readingBy(latest(JSON_RECORDS), { primaryKey: ['id'] }, LOOKUP))).toHaveLength(1);
  });

  test('passes for rows that are only added', () => {
    expect(warnings(reading(JSON_RECORDS, {}, LOOKUP))).toEqual([]);
  });

  test('passes for changes without a lookup', () => {
    expect(warnings(reading(CHANGES))).toEqual([]);
  });

  test.each([
    ['beside changes', `${LOOKUP.replace('events', 'clicks')} UNION ALL ${ROWS}`, 0],
    ['of changes, beside others', `${LOOKUP} UNION ALL SELECT id, amount FROM clicks`, 1],
    ['by a comma', 'SELECT e.id, u.amount FROM events AS e, users FOR SYSTEM_TIME AS OF e.proc_time AS u WHERE e.id = u.id', 1],
  ])('looks at the rows that are looked up: %s', (_, query, count) => {
    expect(warnings(beside(query))).toHaveLength(count);
  });

  test('passes where Flink keeps what it looked up', () => {
    const program = reading(CHANGES, {}, LOOKUP);
    program.set('table.optimizer.non-deterministic-update.strategy', 'TRY_RESOLVE');
    expect(warnings(program)).toEqual([]);
    const ignoring = reading(CHANGES, {}, LOOKUP);
    ignoring.set('table.optimizer.non-deterministic-update.strategy', 'IGNORE');
    expect(warnings(ignoring)).toHaveLength(1);
  });
});

describe('ShiftedTimestamps', () => {
  test.each([
    ['?connectionTimeZone=Asia/Shanghai', 'Asia/Shanghai'],
    ['?useSSL=true&serverTimezone=Europe%2FBerlin', 'Europe/Berlin'],
    ['?connectionTimeZone=%2B08:00&preserveInstants=true', '+08:00'],
  ])('fires for %s', (parameters, zone) => {
    expect(warnings(minutes(mySql(parameters)))).toEqual([
      `cdk-flink-pipeline:ShiftedTimestamps out: the url of table 'out' of job 'orders' names the time zone '${zone}', and the pods run in UTC: the driver shifts window_start by the difference; leave connectionTimeZone and serverTimezone out, or acknowledge this where the shift is meant`,
    ]);
  });

  test.each([
    '',
    '?connectionTimeZone=UTC',
    '?connectionTimeZone=LOCAL&forceConnectionTimeZoneToSession=true',
    '?serverTimezone=SERVER',
    '?connectionTimeZone=Asia/Shanghai&preserveInstants=false',
    `?connectionTimeZone=${Token.asString({ Ref: 'Zone' })}`,
  ])('passes for %p', (parameters) => {
    expect(warnings(minutes(mySql(parameters)))).toEqual([]);
  });

  test('passes for a table without times', () => {
    const program = reading(JSON_RECORDS);
    const totals = { connector: mySql('?connectionTimeZone=Asia/Shanghai'), columns: COLUMNS, primaryKey: ['id'] };
    program.addInsert(program.addTable('totals', totals), 'SELECT id, amount FROM events');
    expect(warnings(program)).toEqual([]);
  });

  test('passes for another database and another driver, which know other properties', () => {
    const url = 'jdbc:postgresql://db/shop?serverTimezone=Asia/Shanghai';
    expect(warnings(minutes(new JdbcSink({ url, tableName: 'totals' })))).toEqual([]);
    const driver = JdbcDriver.of('org.mariadb.jdbc.Driver', Artifact.maven('org.mariadb.jdbc:mariadb-java-client:3.5.6'));
    expect(warnings(minutes(mySql('?permitMysqlScheme&connectionTimeZone=Asia/Shanghai', { driver })))).toEqual([]);
  });
});

describe('SkippedChanges', () => {
  test('fires for changes of a database', () => {
    expect(warnings(reading(SOME_CHANGES))).toEqual([
      expect.stringContaining("SkippedChanges events: table 'events' of job 'orders' skips changes that it cannot read"),
    ]);
  });

  test('fires for the latest row of each key', () => {
    expect(warnings(readingBy(latest(SOME_JSON), { primaryKey: ['id'] }))).toEqual([expect.stringContaining('SkippedChanges events')]);
  });

  test('fires beside a key that is read on its own', () => {
    const key = { format: JSON_RECORDS, fields: ['id'] };
    expect(warnings(reading(SOME_CHANGES, {}, undefined, key))).toHaveLength(1);
  });

  test('passes for rows that are only added, and for changes that fail', () => {
    expect(warnings(reading(SOME_JSON))).toEqual([]);
    expect(warnings(reading(CHANGES))).toEqual([]);
  });
});

describe('UnenforcedNotNull', () => {
  test.each([
    ['changes', reading(CHANGES, { columns: STRICT })],
    ['JSON', reading(JSON_RECORDS, { columns: STRICT })],
    ['the latest row of each key', readingBy(latest(JSON_RECORDS), { columns: STRICT, primaryKey: ['id'] })],
  ])('fires for %s', (_, program) => {
    expect(warnings(program)).toEqual([
      expect.stringContaining(
        "UnenforcedNotNull events: table 'events' of job 'orders' declares amount NOT NULL, which Flink does not check",
      ),
    ]);
  });

  test('passes for a primary key', () => {
    expect(warnings(reading(CHANGES, { columns: STRICT, primaryKey: ['amount'] }))).toEqual([]);
  });

  test('passes for an event time, whose null ends the job', () => {
    const columns = [...COLUMNS, Column.physical('at', DataType.timestamp(3).notNull())];
    expect(warnings(reading(JSON_RECORDS, { columns, watermark: Watermark.ascending('at') }))).toEqual([
      expect.stringContaining('NullableEventTime'),
    ]);
  });

  test('passes for metadata, for a format that holds its columns to it, and for a sink', () => {
    const columns = [...COLUMNS, Column.metadata('written_at', DataType.timestampLtz(3).notNull(), { from: 'timestamp' })];
    expect(warnings(reading(JSON_RECORDS, { columns }))).toEqual([]);
    expect(warnings(reading(Format.avro(), { columns: STRICT }))).toEqual([]);
    const program = reading(JSON_RECORDS);
    program.addInsert(program.addTable('strict', { ...sink(), columns: STRICT }), 'SELECT id, COALESCE(amount, 0) FROM events');
    expect(warnings(program)).toEqual([]);
  });
});

describe('UnreadTimestamps', () => {
  test.each([
    ['a TIMESTAMP', TIMED],
    ['a TIMESTAMP_LTZ', [...COLUMNS, Column.physical('at', DataType.timestampLtz(3))]],
  ])('fires for %s', (_, columns) => {
    expect(warnings(reading(SOME_JSON, { columns }))).toEqual([
      expect.stringContaining("UnreadTimestamps events: table 'events' of job 'orders' skips what it cannot read, and does not say how"),
    ]);
  });

  test.each([TimestampFormat.SQL, TimestampFormat.ISO_8601])('passes where %s is said', (timestampFormat) => {
    const format = Format.json({ malformedRecords: MalformedRecords.SKIP, timestampFormat });
    expect(warnings(reading(format, { columns: TIMED }))).toEqual([]);
  });

  test('passes where the first record tells', () => {
    expect(warnings(reading(JSON_RECORDS, { columns: TIMED }))).toEqual([]);
  });

  test('passes for columns that are no times, or not of the record', () => {
    const columns = [...COLUMNS, Column.metadata('at', DataType.timestampLtz(3), { from: 'timestamp' })];
    expect(warnings(reading(SOME_JSON))).toEqual([]);
    expect(warnings(reading(SOME_JSON, { columns }))).toEqual([]);
  });
});
