import { ColumnKind } from '../sql/column';
import { Changes } from '../sql/connector';
import { SqlProgram } from '../sql/sql-program';
import { dropsNulls, NOT_NULL_ENFORCER } from './not-null-enforcer';
import type { Rule } from './rule';

/** A delete of an upsert stream carries the key alone; the enforcer takes it for a row that lacks values. */
export const droppedDeletes: Rule = {
  name: 'DroppedDeletes',
  level: 'warning',
  looksAt: '`table.exec.sink.not-null-enforcer` and the columns beside the key of upsert sinks',
  description: 'The enforcer is told to drop rows with nulls, and an upsert sink has NOT NULL columns beside its key.',
  why: 'A delete carries the key alone: it is dropped in silence, and the row stays in the sink for ever.',
  cure: 'Leave the columns beside the key nullable, or the enforcer at ERROR.',
  check: (application) => {
    const { jobName, program } = application;
    if (!(program instanceof SqlProgram) || !dropsNulls(application)) {
      return [];
    }
    return program._usedTables().flatMap(({ name, binding, columns, primaryKey }) => {
      const strict = columns.filter(
        (column) => column.kind === ColumnKind.PHYSICAL && column.type?.nullable === false && !primaryKey.includes(column.name),
      );
      return binding.sink?.changes === Changes.UPSERT && strict.length > 0
        ? [
            {
              table: name,
              message: `'${NOT_NULL_ENFORCER}' = 'DROP' drops deletes of table '${name}' of job '${jobName}': a delete carries the key alone, and ${strict.map((column) => column.name).join(', ')} must not be null; make the columns beside the key nullable, or leave the enforcer at ERROR`,
            },
          ]
        : [];
    });
  },
};
