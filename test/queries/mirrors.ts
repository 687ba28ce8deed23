/** Changes that go into a table with a key, and whether Flink puts a SinkUpsertMaterializer before it. */
export interface Mirror {
  readonly query: string;
  readonly primaryKey: string[];
  readonly planner: boolean;
  /** Why the reader may not say so. */
  readonly accepted?: string;
}

const ONE_SOURCE = 'only what a query takes from one source as it is has a key that is known';

/** Queries over the tables of `programOf`, into a table with the columns `id` and `other`. */
export const MIRRORS: { readonly [title: string]: Mirror } = {
  'one key': { query: 'SELECT id, name FROM orders', primaryKey: ['id'], planner: false },
  'a key that holds that of the source': { query: 'SELECT id, name FROM orders', primaryKey: ['id', 'other'], planner: false },
  'another key': { query: 'SELECT id, name FROM orders', primaryKey: ['other'], planner: true },
  'the latest rows by another key': { query: 'SELECT id, name FROM prices', primaryKey: ['other'], planner: true },
  'columns in another place': { query: 'SELECT name, id FROM orders', primaryKey: ['id'], planner: true },
  'another key through a subquery': {
    query: 'SELECT k, n FROM (SELECT id AS k, name AS n FROM orders) WHERE n IS NOT NULL',
    primaryKey: ['other'],
    planner: true,
  },
  'a key that is left out': { query: "SELECT name, name FROM orders WHERE name <> 'x'", primaryKey: ['id'], planner: true },
  'a key within a cast': { query: 'SELECT CAST(id AS STRING), name FROM orders', primaryKey: ['id'], planner: false },
  'a key within a function': { query: 'SELECT UPPER(id), name FROM orders', primaryKey: ['id'], planner: true, accepted: ONE_SOURCE },
  'rows that are only added': { query: 'SELECT id, name FROM clicks', primaryKey: ['other'], planner: false },
  'sums by another key': {
    query: 'SELECT id, name FROM (SELECT id, name, COUNT(*) AS n FROM clicks GROUP BY id, name) WHERE n > 1',
    primaryKey: ['id'],
    planner: true,
    accepted: ONE_SOURCE,
  },
  'a union by another key': {
    query: 'SELECT id, name FROM orders UNION ALL SELECT id, name FROM orders',
    primaryKey: ['other'],
    planner: true,
    accepted: ONE_SOURCE,
  },
  'a lookup beside changes by their key': {
    query: 'SELECT o.id, u.name FROM orders AS o LEFT JOIN users FOR SYSTEM_TIME AS OF o.proc_time AS u ON o.id = u.id',
    primaryKey: ['id'],
    planner: true,
    accepted: ONE_SOURCE,
  },
  'a lookup by its key beside changes by their key': {
    query: 'SELECT o.id, u.name FROM orders AS o LEFT JOIN users_by_id FOR SYSTEM_TIME AS OF o.proc_time AS u ON o.id = u.id',
    primaryKey: ['id'],
    planner: false,
  },
  'a lookup of another column by its key beside changes by their key': {
    query:
      'SELECT o.id, u.name FROM orders AS o LEFT JOIN users_by_id FOR SYSTEM_TIME AS OF o.proc_time AS u ON u.id = UPPER(o.name) WHERE o.amount > 5',
    primaryKey: ['id'],
    planner: false,
  },
  'a lookup by what is not its key beside changes by their key': {
    query: 'SELECT o.id, u.name FROM orders AS o LEFT JOIN users_by_id FOR SYSTEM_TIME AS OF o.proc_time AS u ON o.name = u.name',
    primaryKey: ['id'],
    planner: true,
    accepted: ONE_SOURCE,
  },
  'a lookup beside changes by another key': {
    query: 'SELECT o.id, u.name FROM orders AS o LEFT JOIN users FOR SYSTEM_TIME AS OF o.proc_time AS u ON o.id = u.id',
    primaryKey: ['other'],
    planner: true,
    accepted: ONE_SOURCE,
  },
};
