import { type Column, ColumnKind } from '../sql/column';
import { SqlProgram } from '../sql/sql-program';
import type { Rule } from './rule';

/** Connectors whose rows others write. */
const FROM_OUTSIDE = /^(kafka|upsert-kafka|kinesis|filesystem)$/;
/** Functions that give NULL for text that they cannot read. */
const MAY_FAIL = /\b(TRY_CAST|TO_TIMESTAMP|TO_TIMESTAMP_LTZ|JSON_VALUE)\s*\(/i;
const GUARD = /\b(COALESCE|IFNULL|CASE)\b/i;

/** Flink cannot place a row without a time. */
export const nullableEventTime: Rule = {
  name: 'NullableEventTime',
  level: 'warning',
  looksAt: 'the event-time columns of Kafka, Kinesis and file sources',
  description: 'The column under a watermark can be null.',
  why: 'The first row without an event time ends the job, and again after each restart: one bad record stops all its sinks.',
  cure: "Make it a computed column with a time that is late instead of null: `COALESCE(clicked_at, TIMESTAMP '1970-01-01 00:00:00.000')`, and leave those rows out where they do not count. Acknowledge it where the producer always writes a time.",
  check: ({ jobName, program }) =>
    program instanceof SqlProgram
      ? program
          ._usedTables()
          .filter(({ binding, columns, watermark }) => {
            const column = columns.find(({ name }) => name === watermark?.column);
            return binding.source !== undefined && FROM_OUTSIDE.test(binding.identifier) && column !== undefined && mayBeNull(column);
          })
          .map(({ name, watermark }) => ({
            table: name,
            message: `the event time '${watermark!.column}' of table '${name}' of job '${jobName}' can be null, and the first null ends the job, again after each restart; compute it by COALESCE(…, TIMESTAMP '1970-01-01 00:00:00.000'), or acknowledge this where the producer always writes it`,
          }))
      : [],
};

function mayBeNull(column: Column): boolean {
  if (column.kind === ColumnKind.COMPUTED) {
    const sql = column._toSql(false);
    return MAY_FAIL.test(sql) && !GUARD.test(sql);
  }
  return column.kind === ColumnKind.PHYSICAL && column.type?.nullable === true;
}
