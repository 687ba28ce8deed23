import { type Column, ColumnKind } from '../sql/column';
import { Changes, TableRole } from '../sql/connector';
import type { SqlTable } from '../sql/sql-table';
import type { QueryResult } from './query-result';

/** What a table of the program gives. */
export function readTable({ name, columns, primaryKey, watermark, binding }: SqlTable): QueryResult {
  const changes = binding.role === TableRole.SOURCE && binding.source !== undefined && binding.source.changes !== Changes.INSERT_ONLY;
  return {
    columns: columns.map((column) => ({
      name: column.name,
      meaning: column.name === watermark?.column ? 'event time' : proctimeOf(column),
      nullable:
        column.kind === ColumnKind.PHYSICAL && column.type?.nullable === true && !primaryKey.includes(column.name)
          ? { table: name, besideKey: primaryKey.length > 0 }
          : undefined,
    })),
    changes: changes ? [{ what: `'${name}'`, kind: 'source' }] : [],
    key: primaryKey.length > 0 ? primaryKey.map((key) => columns.findIndex((column) => column.name === key)) : [-1],
  };
}

function proctimeOf(column: Column): 'processing time' | undefined {
  const isProctime = column.kind === ColumnKind.COMPUTED && /\bAS\s+PROCTIME\s*\(\s*\)/i.test(column._toSql(false));
  return isProctime ? 'processing time' : undefined;
}
