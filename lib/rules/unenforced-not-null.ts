import { ColumnKind } from '../sql/column';
import { SqlProgram } from '../sql/sql-program';
import type { Rule } from './rule';
import { valueFormat } from './value-format';

/** Formats that read a null, or nothing, into any column. */
const READS_NULL = /^(json|debezium-json)$/;

/** NOT NULL is enforced at sinks alone; at a source the planner merely believes it. */
export const unenforcedNotNull: Rule = {
  name: 'UnenforcedNotNull',
  level: 'warning',
  looksAt: 'the NOT NULL columns of JSON and Debezium sources beside the primary key',
  description: 'A column of a source is NOT NULL, and its format lets nulls pass.',
  why: "Flink checks no row that it reads. A null, or a field that is missing, passes `WHERE amount IS NOT NULL`, which the planner holds for true, and what computes with it, or keeps it, takes it for `''` or 0: wrong values, and no error tells.",
  cure: "Leave the column nullable, and say in the query what a null means: `WHERE amount IS NOT NULL`, `COALESCE(name, '')`. Acknowledge it where the producer's schema allows no null.",
  check: ({ jobName, program }) =>
    program instanceof SqlProgram
      ? program
          ._usedTables()
          .filter(({ binding }) => binding.source !== undefined && READS_NULL.test(valueFormat(binding)?.identifier ?? ''))
          .flatMap(({ name, columns, primaryKey, watermark }) => {
            // An event time that is null ends the job, which is not silent.
            const strict = columns.filter(
              (column) =>
                column.kind === ColumnKind.PHYSICAL &&
                column.type?.nullable === false &&
                !primaryKey.includes(column.name) &&
                column.name !== watermark?.column,
            );
            return strict.length > 0
              ? [
                  {
                    table: name,
                    message: `table '${name}' of job '${jobName}' declares ${strict.map((column) => column.name).join(', ')} NOT NULL, which Flink does not check when it reads: a null passes IS NOT NULL, and is taken for '' or 0 in silence; leave the column nullable, or acknowledge this where the producer's schema allows no null`,
                  },
                ]
              : [];
          })
      : [],
};
