import { SqlProgram } from '../sql/sql-program';
import { filledColumns } from './queries/filled-columns';
import { outerColumns } from './queries/outer-columns';
import type { Rule } from './rule';

/** EXPLAIN does not see it: the enforcer of NOT NULL stands at the sink, and looks at rows. */
export const nullIntoNotNull: Rule = {
  name: 'NullIntoNotNull',
  level: 'warning',
  looksAt:
    'the columns that a query takes from the side of an outer join that may have no row, and the columns of the sink that they go to',
  description: 'A column that is null where an outer join finds no row goes into a column that must not be null.',
  why: 'The planner lets it pass, and the first row without a match fails the job, again after each restart.',
  cure: "Make the column of the sink nullable, or give a value for no match: `COALESCE(u.name, '')`. Acknowledge it where every row has a match.",
  check: ({ jobName, program }) =>
    program instanceof SqlProgram
      ? program._inserts().flatMap(({ table, query, columns: given }) => {
          const columns = filledColumns(table, given);
          const strict = outerColumns(query).filter(({ position }) => {
            const column = table.columns.find(({ name }) => name === columns[position]);
            return column !== undefined && (column.type?.nullable === false || table.primaryKey.includes(column.name));
          });
          return strict.length > 0
            ? [
                {
                  table: table.name,
                  message: `the query into '${table.name}' of job '${jobName}' takes ${strict.map(({ name }) => name).join(', ')} from an outer join into ${strict.map(({ position }) => columns[position]).join(', ')}, which must not be null: the first row without a match fails the job; make the column nullable, or give a value by COALESCE`,
                },
              ]
            : [];
        })
      : [],
};
