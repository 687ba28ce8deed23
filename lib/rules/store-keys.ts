import { DataTypeRoot } from '../sql/data-type';
import { SqlProgram } from '../sql/sql-program';
import type { AppRule, JobOfApp } from './app-rule';
import { addressPlace } from './job-place';

/** What tells one row of a table from another. */
interface Key {
  /** Columns, in the order of the key. */
  readonly columns: string[];
  /** Their kinds of types, in the same order. */
  readonly roots: (DataTypeRoot | undefined)[];
  /** What stands between the values where they become one text. */
  readonly delimiter: string;
}

interface Store {
  readonly connector: RegExp;
  /** What tells one table, collection or index from another: the address of the store first, its own name last. */
  readonly place: (options: { [option: string]: string }) => (string | undefined)[];
  /** Whether one row has the same key in both, as far as their columns tell. */
  readonly sameKey: (left: Key, right: Key) => boolean;
  readonly consequence: string;
  readonly cure: string;
}

const TWICE = 'one row may be there twice, and a delete by one leaves that of the other';

/** Of connectors whose sinks keep one row for a key. */
const STORES: Store[] = [
  {
    connector: /^jdbc$/,
    // What follows the question mark is how to connect.
    place: ({ url, 'table-name': table }) => [url?.split('?')[0], table],
    // ON CONFLICT and its like find a row by the values of columns, whatever their order.
    sameKey: (left, right) => inOrder([...left.columns].sort(), [...right.columns].sort()),
    consequence: 'the database table has one primary key, so one of them upserts and deletes by columns that are none',
    cure: 'give both the primaryKey of the database table',
  },
  {
    connector: /^mongodb$/,
    place: ({ uri, database, collection }) => [uri, database, collection],
    // A single column is the _id itself; several are a sub-document of names and values, in this order.
    sameKey: (left, right) =>
      left.columns.length > 1 ? inOrder(left.columns, right.columns) : right.columns.length === 1 && left.roots[0] === right.roots[0],
    consequence: TWICE,
    cure: 'give both the same primaryKey, in one order',
  },
  {
    connector: /^(elasticsearch-|opensearch)/,
    place: ({ hosts, index }) => [hosts?.split(';').sort().join(';'), index],
    // The id is a text of values without names: columns may be called otherwise, and text may hold what is a number elsewhere.
    sameKey: (left, right) =>
      left.columns.length === right.columns.length &&
      (left.columns.length === 1 || left.delimiter === right.delimiter) &&
      left.roots.every(
        (root, index) => root === right.roots[index] || [root, right.roots[index]].includes(DataTypeRoot.CHARACTER_STRING),
      ) &&
      (inOrder(left.columns, right.columns) || !left.columns.every((column) => right.columns.includes(column))),
    consequence: TWICE,
    cure: 'give both the same primaryKey, in one order, and the same keyDelimiter',
  },
];

interface Writer {
  readonly table: string;
  readonly path: string;
  readonly store: Store;
  readonly place: string;
  readonly placeName: string;
  readonly key: Key;
}

/** Tables of a job that keep one row for a key in a database. */
function writers({ application, place: jobPlace, path }: JobOfApp): Writer[] {
  const { program } = application;
  return program instanceof SqlProgram
    ? program._usedTables().flatMap(({ name, binding: { identifier, options, sink }, columns, primaryKey }) => {
        const store = STORES.find(({ connector }) => connector.test(identifier));
        const place = store?.place(options) ?? [];
        return sink !== undefined && store !== undefined && primaryKey.length > 0
          ? [
              {
                table: name,
                path,
                store,
                place: JSON.stringify([identifier, addressPlace(jobPlace, place[0] ?? ''), ...place.slice(1)]),
                placeName: place.at(-1)!,
                key: {
                  columns: primaryKey,
                  roots: primaryKey.map((column) => columns.find((candidate) => candidate.name === column)?.type?.root),
                  delimiter: options[DELIMITER] ?? DEFAULT_DELIMITER,
                },
              },
            ]
          : [];
      })
    : [];
}

const DELIMITER = 'document-id.key-delimiter';
/** That of the connectors; `ElasticsearchSink` has one of its own. */
const DEFAULT_DELIMITER = '_';

function inOrder(left: string[], right: string[]): boolean {
  return left.length === right.length && left.every((column, index) => column === right[index]);
}

/** The columns, with what stands between their values where the two differ in that alone. */
function inWords({ columns, delimiter }: Key, other: Key): string {
  return columns.join(inOrder(columns, other.columns) && delimiter !== other.delimiter ? ` ${delimiter} ` : ', ');
}

/** Where rows replace one another by key, two keys make two rows of one. */
export const storeKeys: AppRule = {
  name: 'StoreKeys',
  level: 'warning',
  looksAt: 'the primary keys of all tables of the app that write one database table, collection or index',
  description: 'Two tables write one database table, collection or index with different keys.',
  why: 'In MongoDB and Elasticsearch one row has two documents then, and a delete by one table leaves that of the other; a database has one primary key, so that one of the tables upserts and deletes by columns that are none. A document id of Elasticsearch, and an `_id` of one column, hold no names: columns that are called otherwise, in the same number, pass.',
  cure: 'Give both the same `primaryKey`, for documents in the same order and with the same `keyDelimiter`. Acknowledge it where they hold different rows on purpose.',
  check: (job, earlier) => {
    const own = writers(job);
    return own.flatMap((writer, index) => {
      const { store, key } = writer;
      const other = [...earlier.flatMap(writers), ...own.slice(0, index)].find(
        (candidate) => candidate.place === writer.place && !store.sameKey(key, candidate.key),
      );
      return other
        ? [
            {
              table: writer.table,
              message: `table '${writer.table}' of '${writer.path}' and table '${other.table}' of '${other.path}' write '${writer.placeName}' with the primary keys (${inWords(key, other.key)}) and (${inWords(other.key, key)}): ${store.consequence}; ${store.cure}`,
            },
          ]
        : [];
    });
  },
};
