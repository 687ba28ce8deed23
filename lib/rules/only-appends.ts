import { Changes } from '../sql/connector';
import type { SqlTable } from '../sql/sql-table';

/**
 * Whether a sink takes rows that are only added: it can do no more, or it has no key by which it would find the row to change. A sink with
 * PARTITIONED BY, such as DynamoDB, has its key there.
 */
export function onlyAppends({ binding: { sink }, primaryKey, partitionedBy }: SqlTable): boolean {
  const keyless = primaryKey.length === 0 && partitionedBy.length === 0;
  return sink?.changes === Changes.INSERT_ONLY || (sink?.changes === Changes.UPSERT && keyless);
}
