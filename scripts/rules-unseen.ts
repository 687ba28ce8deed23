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
    title: 'A column that no field has',
    reason:
      'JSON has no schema: a column whose name is not that of the field, letter for letter, is NULL in every row, and what filters or joins by it gives nothing. So is a field that the producer renames one day.',
    instead:
      'Test each source with a record as the producer writes it (`SqlTest`). Give `failOnMissingField: true` where every field is always there.',
  },
  {
    title: 'Timestamps with a T',
    reason:
      "Flink's default for JSON is a space between day and time, and most producers write ISO 8601: `2026-01-31T12:13:14`. With `MalformedRecords.FAIL` the job fails at the first record; with SKIP there is the rule `UnreadTimestamps`. A TIMESTAMP takes no `Z` at the end, and a TIMESTAMP_LTZ must have it; neither takes an offset such as `+01:00`.",
    instead:
      "Give `TimestampFormat.ISO_8601`. Where producers differ, read text and compute the time: `TRY_CAST(REPLACE(REPLACE(event_time, 'T', ' '), 'Z', '') AS TIMESTAMP(3))`.",
  },
  {
    title: 'Values that do not fit',
    reason:
      'A value with more digits than its DECIMAL is NULL, and one with more decimals is rounded. An INT beyond 2,147,483,647 goes on at the lowest number: in a sum, in `seconds * 1000`, in a CAST of a BIGINT, also with TRY_CAST. An average or a quotient of INT is cut, and so is 1.5 where JSON is read as INT. A text is cut where a STRING goes into a VARCHAR, and two keys may become one; a source that says VARCHAR gives out all of it. No error tells of any of this. A number in JSON beyond its INT does fail the job, as does a division by zero; with `MalformedRecords.SKIP` the number is NULL.',
    instead:
      'Declare amounts as wide as the producer writes them, such as DECIMAL(20, 4), what is added up or multiplied as BIGINT, and texts as STRING, in sinks too: a database refuses what is too long for it. Or cast before: `SUM(CAST(quantity AS BIGINT))`, `AVG(CAST(quantity AS DOUBLE))`.',
  },
  {
    title: 'The first row of each key by what is no time',
    reason:
      'The planner of Flink 2.2 takes the row of `ROW_NUMBER() OVER (PARTITION BY id ORDER BY amount) … = 1` for one that stays, also by several columns; the engine replaces it whenever a row comes that is before it. A sink that only appends gets each as one more record, and a sum over these rows takes none back. `plan` shows `+I` alone.',
    instead:
      'Order by the event time of the table or by its processing time, where the first row does stay. Else give the sink a primary key, and take the least value by `MIN(amount)`.',
  },
  {
    title: 'One key in two partitions',
    reason:
      'Debezium keys records by the primary key of the table. With another `message.key.columns`, a router that changes keys, or partitions that were added later, changes of one row come from two partitions, in any order: the older one may win.',
    instead: 'Leave the key as it is. For more partitions write a new topic, and let Debezium take a snapshot into it.',
  },
  {
    title: 'A row from the future',
    reason:
      'One device with a wrong clock is enough: its event time takes the watermark along, all rows until then are late, and windows drop them, for days. A restore does not help: windows keep the watermark with their state. The alert `FlinkWatermarkAhead` tells.',
    instead:
      "Bound the event time where it is computed: `LEAST(event_time, CAST(CURRENT_TIMESTAMP AS TIMESTAMP(3)) + INTERVAL '1' HOUR)`, or leave such rows out of what windows count.",
  },
  {
    title: 'A source that stood still for longer than its records are kept',
    reason:
      'What the retention took is gone, and the job goes on without a word. A Kafka source that was declared with `KafkaStart.latest()` or `.timestamp()` does worse: where its position is deleted it goes on at the newest record, and skips also what is still there. With `.earliest()` it goes on at the oldest.',
    instead:
      'Keep records for longer than the longest outage, nights and holidays included; raise the retention while the job is down. Start from `KafkaStart.earliest()`, or from `groupOffsets` with `OffsetReset.NONE` once the group has committed, which fails instead.',
  },
  {
    title: 'Minute windows that are hours off in a database',
    reason:
      'Windows over TIMESTAMP are in the time of the producer, those over TIMESTAMP_LTZ are cast by `table.local-time-zone`, which is that of the pods: UTC. A TIMESTAMP column of MySQL converts once more, by `time_zone` of the session, for each reader; a DATETIME column keeps what was written.',
    instead:
      'Keep windows in UTC in a DATETIME column, and convert for readers. In the URL name neither `connectionTimeZone` nor `serverTimezone`; where the column is a TIMESTAMP, `connectionTimeZone=UTC&forceConnectionTimeZoneToSession=true`. Where people count days of their own, set `table.local-time-zone` by `SqlProgram.set`. Compare the newest window with `UTC_TIMESTAMP()` once.',
  },
  {
    title: 'A second unique key in MySQL',
    reason:
      '`INSERT … ON DUPLICATE KEY UPDATE`, by which the sink upserts, takes any unique key for the one of the row, and Flink has it set all columns, the primary key too: a new row with the e-mail address of another takes over that other row, whose own key is gone from the table. Where the key of the new row is in the table already, MySQL refuses the address instead, and the job fails.',
    instead: 'Give the table of the sink no unique key beside its primary key.',
  },
  {
    title: 'An INSERT that takes the state of another',
    reason:
      'With `table.exec.uid.generation` at ALWAYS, which the library derives, the state of an operator belongs to its number in the plan. A synthesis does not know the program that runs: an INSERT that now stands before others, two that change places, or one that went away give the state of one to another of the same kind, and totals go on from foreign numbers.',
    instead:
      'Add INSERTs behind the others. Commit the [lock](lock.md) and run `npx cdk-flink-pipeline lock --check` in CI: its verdict is `misplaced`.',
  },
  {
    title: 'One bad document that holds back all sinks',
    reason:
      'The INSERTs of a program are one job with one checkpoint. A document that Elasticsearch refuses for ever, or a database that is down, restarts all of it: the other sinks stand still, and write the rows since the last checkpoint again. How independent sinks must be is for you to say.',
    instead:
      'Split the job: build its program once for each sink, or group of sinks, that must not wait for the others, and give each to a `FlinkJob` of its own ([how](operations.md#one-sink-must-not-hold-back-the-others)). Move a sink with its state gone only where its query can start anew.',
  },
];
