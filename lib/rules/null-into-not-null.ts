import { filledColumns } from '../queries/filled-columns';
import { type NullColumn, nullColumns } from '../queries/null-columns';
import { SqlProgram } from '../sql/sql-program';
import type { SqlTable } from '../sql/sql-table';
import { dropsNulls } from './not-null-enforcer';
import type { Rule } from './rule';

/** EXPLAIN does not see it: the enforcer of NOT NULL stands at the sink, and looks at rows. */
export const nullIntoNotNull: Rule = {
  name: 'NullIntoNotNull',
  level: 'warning',
  looksAt:
    'the columns that a query takes as they are from a table, or from the side of an outer join that may have no row, and the columns of the sink that they go to',
  description:
    'A column that is null where an outer join finds no row, or that is nullable in its table, goes into a column that must not be null, and the query asks for no null, nor does `table.exec.sink.not-null-enforcer` drop such rows. A key column of the sink counts for rows of a table that has a primary key of its own, in which that column is not.',
  why: 'The planner lets it pass, and the first row with a null, or without a match, fails the job, again after each restart.',
  cure: "Leave such rows out: `WHERE merchant_id IS NOT NULL`; make the column of the sink nullable, or give a value: `COALESCE(u.name, '')`. Acknowledge it where every row has a match, or where no row has a null, and one is to stop the job.",
  check: (application) => {
    const { jobName, program } = application;
    return program instanceof SqlProgram && !dropsNulls(application)
      ? program._inserts().flatMap(({ table, query, columns: given }) => {
          const columns = filledColumns(table, given);
          const strict = nullColumns(query).filter((found) => mustNotBeNull(table, columns[found.position], found));
          return strict.length > 0
            ? [
                {
                  table: table.name,
                  message: `the query into '${table.name}' of job '${jobName}' takes ${strict.map(inWords).join(', ')} into ${strict.map(({ position }) => columns[position]).join(', ')}, which must not be null: the first ${strict.some(({ of }) => of !== undefined) ? 'null' : 'row without a match'} fails the job, again after each restart; leave such rows out, make the column nullable, or give a value by COALESCE`,
                },
              ]
            : [];
        })
      : [];
  },
};

function mustNotBeNull({ columns, primaryKey }: SqlTable, name: string | undefined, { of }: NullColumn): boolean {
  const column = columns.find((one) => one.name === name);
  // Without a key of its own a table says nothing of what is null in it: its columns are nullable since types are.
  const asKey = of === undefined || of.besideKey;
  return column !== undefined && (column.type?.nullable === false || (asKey && primaryKey.includes(column.name)));
}

function inWords({ name, of }: NullColumn): string {
  return of === undefined ? `${name} (from an outer join)` : `${name} (nullable in '${of.table}')`;
}
