import { type Column, ColumnKind } from '../../sql/column';
import { Changes, TableRole } from '../../sql/connector';
import type { SqlTable } from '../../sql/sql-table';
import type { QueryResult } from './query-result';

/** What a table of the program gives. */
export function readTable({ name, columns, watermark, binding }: SqlTable): QueryResult {
  const changes = binding.role === TableRole.SOURCE && binding.source !== undefined && binding.source.changes !== Changes.INSERT_ONLY;
  return {
    columns: columns.map((column) => ({
      name: column.name,
      meaning: column.name === watermark?.column ? 'event time' : proctimeOf(column),
    })),
    changes: changes ? [{ what: `'${name}'`, kind: 'source' }] : [],
  };
}

function proctimeOf(column: Column): 'processing time' | undefined {
  const isProctime = column.kind === ColumnKind.COMPUTED && /\bAS\s+PROCTIME\s*\(\s*\)/i.test(column._toSql(false));
  return isProctime ? 'processing time' : undefined;
}
