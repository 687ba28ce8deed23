import { SqlProgram } from '../sql/sql-program';
import type { AppRule, JobOfApp } from './app-rule';

/** What tells one table, collection or index from another, by connector. */
const PLACE: [connector: RegExp, options: string[]][] = [
  [/^jdbc$/, ['url', 'table-name']],
  [/^mongodb$/, ['uri', 'database', 'collection']],
  [/^(elasticsearch-|opensearch)/, ['hosts', 'index']],
];

interface Writer {
  readonly table: string;
  readonly path: string;
  readonly place: string;
  readonly placeName: string;
  readonly key: string;
}

/** Tables of a job that keep one row for a key in a database. */
function writers({ application, environment, path }: JobOfApp): Writer[] {
  const { program } = application;
  return program instanceof SqlProgram
    ? program._usedTables().flatMap(({ name, binding: { identifier, options, sink }, primaryKey }) => {
        const [, parts = []] = PLACE.find(([connector]) => connector.test(identifier)) ?? [];
        return sink !== undefined && parts.length > 0 && primaryKey.length > 0
          ? [
              {
                table: name,
                path,
                place: JSON.stringify([environment, identifier, ...parts.map((part) => options[part])]),
                placeName: options[parts.at(-1)!]!,
                key: primaryKey.join(', '),
              },
            ]
          : [];
      })
    : [];
}

/** Where rows replace one another by key, two keys make two rows of one. */
export const storeKeys: AppRule = {
  name: 'StoreKeys',
  level: 'warning',
  looksAt: 'the primary keys of all tables of the app that write one database table, collection or index',
  description: 'Two tables write one database table, collection or index with different primary keys.',
  why: 'In MongoDB and Elasticsearch one row has two documents then, and a delete by one table leaves that of the other; a database has one primary key, so that one of the tables upserts and deletes by columns that are none.',
  cure: 'Give both the same `primaryKey`, in the same order. Acknowledge it where they hold different rows on purpose.',
  check: (job, earlier) => {
    const own = writers(job);
    return own.flatMap((writer, index) => {
      const other = [...earlier.flatMap(writers), ...own.slice(0, index)].find(
        ({ place, key }) => place === writer.place && key !== writer.key,
      );
      return other
        ? [
            {
              table: writer.table,
              message: `table '${writer.table}' of '${writer.path}' and table '${other.table}' of '${other.path}' write '${writer.placeName}' with the primary keys (${writer.key}) and (${other.key}): one row may be there twice, and a delete by one leaves that of the other; give both the same primaryKey, in one order`,
            },
          ]
        : [];
    });
  },
};
