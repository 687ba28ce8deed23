import { Changes, TableRole } from '../../sql/connector';
import type { SqlQuery } from '../../sql/sql-program';
import type { SqlTable } from '../../sql/sql-table';
import { tableReferences } from '../../sql/table-references';
import { allSelects, type SelectPart } from './select-parts';

/** The sources of a query, through its views, whose rows are updated or deleted later. */
export function changingSources({ tables }: SqlQuery): SqlTable[] {
  return [...tables].filter(isChanging);
}

/**
 * The sources under those SELECTs of a query and its views that are meant, whose rows are updated or deleted later.
 *
 * @param query a query with its views
 * @param isMeant whether a SELECT is meant, which is given without those in its parentheses
 * @param passes whether a query or view is passed over with all its SELECTs
 */
export function changingSourcesUnder(
  query: SqlQuery,
  isMeant: (part: SelectPart) => boolean,
  passes: (query: SqlQuery) => boolean,
): SqlTable[] {
  const queries = [query, ...[...query.views].map((view) => view._query)].filter((one) => !passes(one));
  const found = queries.flatMap((one) =>
    allSelects(one.tokens)
      .filter(isMeant)
      .flatMap((part) => sourcesOf(part, one)),
  );
  return [...query.tables].filter((table) => found.includes(table));
}

/** A name that is neither a table nor a view is one of WITH: what it reads is anything that the query reads. */
function sourcesOf({ tokens }: SelectPart, query: SqlQuery): SqlTable[] {
  return tableReferences(tokens).flatMap(({ name }) => {
    const view = [...query.views].find((one) => one.name === name);
    const table = [...query.tables].find((one) => one.name === name);
    return view === undefined && table !== undefined ? [table].filter(isChanging) : changingSources(view?._query ?? query);
  });
}

function isChanging({ binding }: SqlTable): boolean {
  return binding.role === TableRole.SOURCE && binding.source !== undefined && binding.source.changes !== Changes.INSERT_ONLY;
}
