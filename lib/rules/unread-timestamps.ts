import { ColumnKind } from '../sql/column';
import { DataTypeRoot } from '../sql/data-type';
import { SqlProgram } from '../sql/sql-program';
import type { Rule } from './rule';
import { skipsMalformed, valueFormat } from './value-format';

const STANDARD = 'timestamp-format.standard';
const TIMES: (DataTypeRoot | undefined)[] = [DataTypeRoot.TIMESTAMP, DataTypeRoot.TIMESTAMP_LTZ];

/** Most producers write ISO 8601, and Flink reads SQL's notation unless it is told. */
export const unreadTimestamps: Rule = {
  name: 'UnreadTimestamps',
  level: 'warning',
  looksAt: '`timestampFormat` of JSON sources that skip what they cannot read, and their TIMESTAMP columns',
  description: 'A JSON source with TIMESTAMP columns skips what it cannot read, and no `timestampFormat` is given.',
  why: 'The default reads `2026-01-31 12:13:14`. Each `2026-01-31T12:13:14` becomes NULL without a trace; with `MalformedRecords.FAIL` the first record would have told.',
  cure: 'Give `timestampFormat`: `TimestampFormat.ISO_8601` for a `T` between day and time, or `TimestampFormat.SQL`.',
  check: ({ jobName, program }) =>
    program instanceof SqlProgram
      ? program._usedTables().flatMap(({ name, binding, columns }) => {
          const format = binding.source && valueFormat(binding);
          const times = columns.filter(({ kind, type }) => kind === ColumnKind.PHYSICAL && TIMES.includes(type?.root));
          return format?.identifier === 'json' && skipsMalformed(format) && format.options[STANDARD] === undefined && times.length > 0
            ? [
                {
                  table: name,
                  message: `table '${name}' of job '${jobName}' skips what it cannot read, and does not say how timestamps stand in its JSON: ${times.map((column) => column.name).join(', ')} is NULL for each text such as '2026-01-31T12:13:14'; give timestampFormat: TimestampFormat.ISO_8601, or SQL for a space between day and time`,
                },
              ]
            : [];
        })
      : [],
};
