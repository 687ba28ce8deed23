import { ColumnKind } from '../sql/column';
import { Changes } from '../sql/connector';
import { DataTypeRoot } from '../sql/data-type';
import { SqlProgram } from '../sql/sql-program';
import type { SqlTable } from '../sql/sql-table';
import type { Rule } from './rule';

/** `opensearch-3` replaces documents. */
const UPDATES_IN_PART = /^(elasticsearch-\d+|opensearch|opensearch-2)$/;
const IGNORE_NULLS = 'json.encode.ignore-null-fields';
const MERGED: (DataTypeRoot | undefined)[] = [DataTypeRoot.MAP, DataTypeRoot.MULTISET];

/** An upsert is an update in part: what a document does not name stays as it was. */
export const staleFields: Rule = {
  name: 'StaleFields',
  level: 'warning',
  looksAt: 'the format and the MAP columns of Elasticsearch and OpenSearch sinks with a primary key',
  description: 'A sink that updates documents in part leaves out nulls (`ignoreNullFields`), or has a MAP column.',
  why: 'A field that is not in the update stays as it was: a column that becomes NULL keeps its former value, and an entry that was removed from a map stays in the document. No error tells.',
  cure: 'Leave `ignoreNullFields` out, and write a map as an ARRAY of ROW, or as text. Acknowledge it where columns never become NULL and maps only grow.',
  check: ({ jobName, program }) =>
    program instanceof SqlProgram
      ? program
          ._usedTables()
          .filter(({ binding }) => UPDATES_IN_PART.test(binding.identifier) && binding.sink?.changes === Changes.UPSERT)
          .flatMap((table) =>
            keeping(table).map((what) => ({
              table: table.name,
              message: `table '${table.name}' of job '${jobName}' updates documents in part, and ${what}; acknowledge this where columns never become NULL and maps only grow`,
            })),
          )
      : [],
};

function keeping({ binding, columns }: SqlTable): string[] {
  const maps = columns.filter(({ kind, type }) => kind === ColumnKind.PHYSICAL && MERGED.includes(type?.root)).map(({ name }) => name);
  return [
    ...(binding.options[IGNORE_NULLS]?.toLowerCase() === 'true'
      ? ['leaves out nulls: a column that becomes NULL keeps its former value; leave ignoreNullFields out']
      : []),
    ...(maps.length > 0
      ? [`an entry that is removed from ${maps.join(', ')} stays in the document; write a map as an ARRAY of ROW, or as text`]
      : []),
  ];
}
