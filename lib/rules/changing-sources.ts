import { Changes, TableRole } from '../sql/connector';
import type { SqlQuery } from '../sql/sql-program';
import type { SqlTable } from '../sql/sql-table';

/** The sources of a query, through its views, whose rows are updated or deleted later. */
export function changingSources({ tables }: SqlQuery): SqlTable[] {
  return [...tables].filter(
    ({ binding }) => binding.role === TableRole.SOURCE && binding.source !== undefined && binding.source.changes !== Changes.INSERT_ONLY,
  );
}
