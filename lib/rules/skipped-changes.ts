import { Changes } from '../sql/connector';
import type { Rule } from './rule';
import { skipsMalformed, valueFormat } from './value-format';

/** An event that is left out is a row less; a change that is left out makes all that follows wrong. */
export const skippedChanges: Rule = {
  name: 'SkippedChanges',
  level: 'warning',
  looksAt: '`malformedRecords` of sources whose rows are updated or deleted later',
  description: 'A source of changes reads with `MalformedRecords.SKIP`.',
  why: 'Copies and sums that miss a change are wrong for ever, without a trace. What the producer writes otherwise is skipped as a whole: with Debezium all events where `schemaInclude` is not that of its converter, all updates where a PostgreSQL table has no `REPLICA IDENTITY FULL`; DECIMAL and TIMESTAMP columns are NULL with `decimal.handling.mode = precise` and with times as numbers.',
  cure: 'Read changes with `MalformedRecords.FAIL`. Acknowledge it for as long as one bad record must be passed.',
  check: (application) =>
    application
      ._bindings()
      .filter(({ binding }) => {
        const format = valueFormat(binding);
        return (
          binding.source !== undefined && binding.source.changes !== Changes.INSERT_ONLY && format !== undefined && skipsMalformed(format)
        );
      })
      .map(({ name }) => ({
        table: name,
        message: `table '${name}' of job '${application.jobName}' skips changes that it cannot read: copies and sums that miss one are wrong for ever, without a trace; read them with MalformedRecords.FAIL, or acknowledge this for as long as one bad record must be passed`,
      })),
};
