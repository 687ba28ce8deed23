/** A trap of the first week in production that no rule can see. */
export interface Unseen {
  /** What it is, in a few words. */
  readonly title: string;
  /** What happens, and why nothing in the app tells. */
  readonly reason: string;
  /** What to do about it. */
  readonly instead: string;
}

/** In the order in which rows pass: at the producer, in the job, at the sinks. */
export const UNSEEN: Unseen[] = [
  {
    title: 'Debezium with schemas, read as if without, or the other way round',
    reason:
      'The converter is set in Kafka Connect: `value.converter.schemas.enable` is true by default, and `schemaInclude` must be the same. A wrong one makes every event malformed.',
    instead:
      'Look at one record: with schemas it begins with `{"schema":`. Set the converter to false where you can: the schema is most of each record. Read with `MalformedRecords.FAIL`, so that the first event tells.',
  },
  {
    title: 'Decimals of Debezium as base64',
    reason:
      'With `decimal.handling.mode = precise`, its default, Debezium writes a DECIMAL as the bytes of an integer, which stand as base64 in JSON. A DECIMAL column cannot read them.',
    instead: 'Set `decimal.handling.mode = string` in the connector of Debezium. Not `double`, which rounds amounts.',
  },
  {
    title: 'Times of Debezium as numbers',
    reason:
      'With `time.precision.mode = adaptive`, or `adaptive_time_microseconds`, which is the default for MySQL, a DATETIME is a number of milliseconds or microseconds since 1970, by its precision, and a DATE a number of days. A TIMESTAMP column cannot read them. A TIMESTAMP of MySQL, and a `timestamptz` of PostgreSQL, is text as ISO 8601 writes it, in UTC.',
    instead:
      'Declare a number as BIGINT, and compute the time: `TO_TIMESTAMP_LTZ(update_time, 3)`, or `/ 1000` before it for microseconds; with the mode `connect` every DATETIME is milliseconds. For text give `TimestampFormat.ISO_8601` and TIMESTAMP_LTZ. One format reads one notation: where a table has both, a transform in Kafka Connect must make them alike.',
  },
  {
    title: 'PostgreSQL without a replica identity',
    reason:
      'The write-ahead log holds the row before a change only with `REPLICA IDENTITY FULL`; otherwise the event of an update has no `before`, and that of a delete only the key. The job fails at the first update, and deletes take nulls from sums.',
    instead:
      '`ALTER TABLE orders REPLICA IDENTITY FULL` before the snapshot of Debezium, and after each new table. For MySQL `binlog_row_image` must be FULL, which is its default.',
  },
  {
    title: 'Timestamps with a T',
    reason:
      "Flink's default for JSON is a space between day and time, and most producers write ISO 8601: `2026-01-31T12:13:14`. With `MalformedRecords.FAIL` the job fails at the first record; with SKIP there is the rule `UnreadTimestamps`. A TIMESTAMP takes no `Z` at the end, and a TIMESTAMP_LTZ must have it.",
    instead:
      "Give `TimestampFormat.ISO_8601`. Where producers differ, read text and compute the time: `TRY_CAST(REPLACE(REPLACE(event_time, 'T', ' '), 'Z', '') AS TIMESTAMP(3))`.",
  },
  {
    title: 'A query that updates, under a lookup join or an expiring sum',
    reason:
      'The rules `LookupOverChanges` and `ExpiringAggregate` look at sources. A join, a ranking or a GROUP BY makes updates, too, out of rows that are only added; SQL read as text does not tell all of them.',
    instead: '`npx cdk-flink-pipeline plan` shows the changes of each operator, and refuses an expiring sum over them as `aggregate-ttl`.',
  },
  {
    title: 'Minute windows that are hours off in a database',
    reason:
      'Windows over TIMESTAMP are in the time of the producer, those over TIMESTAMP_LTZ are cast by `table.local-time-zone`, which is that of the pods: UTC. A TIMESTAMP column of MySQL converts once more, by `time_zone` of the session, for each reader; a DATETIME column keeps what was written.',
    instead:
      'Keep windows in UTC in a DATETIME column, and convert for readers. In the URL name neither `connectionTimeZone` nor `serverTimezone`; where the column is a TIMESTAMP, `connectionTimeZone=UTC&forceConnectionTimeZoneToSession=true`. Where people count days of their own, set `table.local-time-zone` by `SqlProgram.set`. Compare the newest window with `UTC_TIMESTAMP()` once.',
  },
  {
    title: 'One bad document that holds back all sinks',
    reason:
      'The INSERTs of a program are one job with one checkpoint. A document that Elasticsearch refuses for ever, or a database that is down, restarts all of it: the other sinks stand still, and write the rows since the last checkpoint again. How independent sinks must be is for you to say.',
    instead:
      'Split the job: a `FlinkJob` with a program of its own for each sink, or group of sinks, that must not wait for the others. Each reads the source itself, by its own consumer group; three or more readers of one Kinesis stream want `enhancedFanOut`. Move a sink with its state gone only where its query can start anew.',
  },
];
