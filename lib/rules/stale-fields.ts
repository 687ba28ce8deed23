import { updatesRows } from '../queries/updated-rows';
import { ColumnKind } from '../sql/column';
import { Changes, type ConnectorBinding } from '../sql/connector';
import { type DataType, DataTypeRoot } from '../sql/data-type';
import { SqlProgram } from '../sql/sql-program';
import type { SqlTable } from '../sql/sql-table';
import type { Rule } from './rule';

/** `opensearch-3` replaces documents. */
const UPDATES_IN_PART = /^(elasticsearch-\d+|opensearch|opensearch-2)$/;
const IGNORE_NULLS = 'json.encode.ignore-null-fields';
const MERGED: DataTypeRoot[] = [DataTypeRoot.MAP, DataTypeRoot.MULTISET];

/** An upsert is an update in part: what a document does not name stays as it was. */
export const staleFields: Rule = {
  name: 'StaleFields',
  level: 'warning',
  looksAt:
    'the format and the MAP columns of Elasticsearch and OpenSearch sinks with a primary key, the queries into them, and the sources under these',
  description:
    'A query updates rows in a sink that updates documents in part, and leaves out nulls (`ignoreNullFields`) or has a MAP, by itself or in a ROW.',
  why: 'A field that is not in the update stays as it was: a column that becomes NULL keeps its former value, and an entry that was removed from a map stays in the document. No error tells.',
  cure: 'Leave `ignoreNullFields` out, and write a map as an ARRAY of ROW, or as text. Acknowledge it where columns never become NULL and maps only grow.',
  check: ({ jobName, program }) => {
    const inserts = program instanceof SqlProgram ? program._inserts() : [];
    const updated = inserts.filter(({ table: { binding }, query }) => updatesInPart(binding) && updatesRows(query));
    return [...new Set(updated.map(({ table }) => table))].flatMap((table) =>
      keeping(table).map((what) => ({
        table: table.name,
        message: `table '${table.name}' of job '${jobName}' updates documents in part, and ${what}; acknowledge this where columns never become NULL and maps only grow`,
      })),
    );
  },
};

function updatesInPart({ identifier, sink }: ConnectorBinding): boolean {
  return UPDATES_IN_PART.test(identifier) && sink?.changes === Changes.UPSERT;
}

function keeping({ binding, columns }: SqlTable): string[] {
  const maps = columns.filter(({ kind }) => kind === ColumnKind.PHYSICAL).flatMap(({ name, type }) => mapsIn(name, type));
  return [
    ...(binding.options[IGNORE_NULLS]?.toLowerCase() === 'true'
      ? ['leaves out nulls: a column that becomes NULL keeps its former value; leave ignoreNullFields out']
      : []),
    ...(maps.length > 0
      ? [`an entry that is removed from ${maps.join(', ')} stays in the document; write a map as an ARRAY of ROW, or as text`]
      : []),
  ];
}

/** Paths of the maps that an update merges: those in rows, too, but not in an array, which is replaced as a whole. */
function mapsIn(path: string, type: DataType | undefined): string[] {
  return type === undefined
    ? []
    : MERGED.includes(type.root)
      ? [path]
      : type._fields.flatMap((field) => mapsIn(`${path}.${field.name}`, field.type));
}
