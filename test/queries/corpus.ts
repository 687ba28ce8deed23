import type { Query } from './tables';

/** A query, and what is so of its plan. */
export interface Judged extends Query {
  /**
   * The word of Flink's planner, in the order of the alphabet.
   *
   * - `updates`: rows are updated or deleted after they were given
   * - `keeps …`: state grows with each new key: of groups, joins, ranks, frames of OVER, versions, matches, or rows of a source
   * - `changing …`: groups, joins, ranks or lookups take rows that are updated or deleted
   * - `null …`: a column of a query with an outer join, or of one that reads `payments`, may be null
   */
  readonly planner: string[];
  /** Where the readers say otherwise, and why they may: what they do not see, or see where it is not. */
  readonly accepted?: { readonly [fact: string]: string };
}

const AGAIN = 'a row is given once more as it was: only a sink that appends is refused it, and UpdatesIntoAppendOnlySink says so';
const AS_THE_TABLE = 'it is as large as the table itself, one row for each key, which whoever reads such a table wants';
const AS_YOUNG = 'what a query itself makes changes only while its state lives, and that of the next was written with it';
const COARSE = 'the condition is not read that far';
const CONSTANT = 'one value, which stays';
const ENDS = 'the source ends, and its state with it';
const IN_WORDS = 'it is told in other words: of the join, or of the INTERSECT';
const KEY = 'the planner knows that each group is one row';
const NAMED = 'whoever names a column in a condition has thought of its nulls';
const NO_JOIN = 'the null comes of no join';
const NO_ROW_LEFT = 'rows without a match are left out, which the planner does not see';
const NOT_BY_TTL = 'a pattern is bounded by WITHIN, not by stateTtl';
const NUMBERS = 'a number that leaves no row out is not looked for';
const ONCE = 'a value that changes once';
const ONE_GROUP = 'one group, or the first rows of one order: it does not grow';
const STAR = 'the columns of a star over USING are not read';
const UPDATED = 'the planner says that rows are only added, and the engine updates them: a run with a smaller value gives +U';
const WITHIN_AN_AGGREGATE = 'what an aggregate makes of a null is not read';

/** Queries over the tables of `programOf`, by what they are. */
export const CORPUS: { readonly [title: string]: Judged } = {
  // Rows as they are.
  'rows as they are': {
    query: 'SELECT id, amount FROM clicks',
    planner: [],
  },
  'rows that are left out': {
    query: "SELECT id, amount FROM clicks WHERE amount > 5 AND name <> 'GROUP BY'",
    planner: [],
  },
  'two streams together': {
    query: 'SELECT id, amount FROM clicks UNION ALL SELECT id, amount FROM shows',
    planner: [],
  },
  'no table': {
    query: "VALUES ('a', 1), ('b', 2)",
    planner: [],
  },
  'values in a subquery': {
    query: "SELECT id, amount FROM (VALUES ('a', 1), ('b', 2)) AS v (id, amount)",
    planner: [],
  },
  'no FROM': {
    query: "SELECT 'a', 1",
    planner: [],
  },
  'a comment with other words': {
    query: 'SELECT id, /* GROUP BY id -- */ amount -- LEFT JOIN orders\nFROM clicks',
    planner: [],
  },
  'names of keywords': {
    query: 'SELECT `group`, `limit` FROM (SELECT id AS `group`, amount AS `limit` FROM clicks)',
    planner: [],
  },
  'a hostile name': {
    query: "SELECT `a`` JOIN '(b`, amount FROM (SELECT id AS `a`` JOIN '(b`, amount FROM clicks)",
    planner: [],
  },
  'a column called left': {
    query: 'SELECT `left`.id, `left`.amount FROM clicks AS `left`',
    planner: [],
  },
  'the functions LEFT and RIGHT': {
    query: 'SELECT LEFT(id, 2), CHAR_LENGTH(RIGHT(name, 2)) FROM clicks',
    planner: [],
  },
  'a list in IN': {
    query: "SELECT id, amount FROM clicks WHERE id IN ('a', 'b')",
    planner: [],
  },
  'a long list in IN': {
    query:
      'SELECT id, amount FROM clicks WHERE amount IN (0, 7, 14, 21, 28, 35, 42, 49, 56, 63, 70, 77, 84, 91, 98, 105, 112, 119, 126, 133, 140, 147, 154, 161, 168, 175, 182, 189, 196, 203)',
    planner: [],
  },
  'distinct from a value': {
    query: "SELECT id, amount FROM clicks WHERE name IS DISTINCT FROM 'x'",
    planner: [],
  },
  'extract and trim': {
    query: "SELECT TRIM(BOTH ' ' FROM id), EXTRACT(DAY FROM `at`) FROM clicks",
    planner: [],
  },
  'changes as they are': {
    query: 'SELECT id, amount FROM orders',
    planner: ['updates'],
  },
  'the latest rows': {
    query: 'SELECT id, amount FROM prices',
    planner: ['keeps rows of a source', 'updates'],
    accepted: { 'keeps rows of a source': AS_THE_TABLE },
  },
  'changes in a union': {
    query: 'SELECT id, amount FROM clicks UNION ALL SELECT id, amount FROM orders',
    planner: ['updates'],
  },
  'changes through a view': {
    query: 'SELECT id, amount FROM view_of_orders',
    views: { view_of_orders: 'SELECT * FROM orders WHERE amount > 1' },
    planner: ['updates'],
  },
  'changes in WITH': {
    query: 'WITH o AS (SELECT * FROM orders) SELECT id, amount FROM o',
    planner: ['updates'],
  },
  'a name of WITH that hides a table': {
    query: 'WITH orders AS (SELECT * FROM clicks) SELECT id, amount FROM orders',
    planner: [],
  },
  'a name of WITH that is a table, read beneath': {
    query: 'WITH clicks AS (SELECT * FROM orders) SELECT id, amount FROM clicks',
    planner: ['updates'],
  },
  'a table with its path': {
    query: 'SELECT id, amount FROM default_catalog.default_database.orders',
    planner: ['updates'],
  },
  'TABLE instead of SELECT': {
    query: 'SELECT id, amount FROM (TABLE `pairs`)',
    views: { pairs: 'SELECT id, amount FROM clicks' },
    planner: [],
  },
  'a view by TABLE': {
    query: 'TABLE pairs_of_orders',
    views: { pairs_of_orders: 'SELECT id, amount FROM orders' },
    planner: ['updates'],
  },

  // Aggregates, and queries of two.
  'a sum of each key': {
    query: 'SELECT id, SUM(amount) FROM clicks GROUP BY id',
    planner: ['keeps groups', 'updates'],
  },
  'a sum of all': {
    query: "SELECT 'all', SUM(amount) FROM clicks",
    planner: ['keeps groups', 'updates'],
    accepted: { 'keeps groups': ONE_GROUP },
  },
  'a count of all in a subquery': {
    query: "SELECT 'all', n FROM (SELECT COUNT(*) AS n FROM clicks)",
    planner: ['keeps groups', 'updates'],
    accepted: { 'keeps groups': ONE_GROUP },
  },
  'a sum with HAVING': {
    query: 'SELECT id, SUM(amount) FROM clicks GROUP BY id HAVING SUM(amount) > 5',
    planner: ['keeps groups', 'updates'],
  },
  'HAVING without GROUP BY': {
    query: "SELECT 'all', COUNT(*) FROM clicks HAVING COUNT(*) > 5",
    planner: ['keeps groups', 'updates'],
    accepted: { 'keeps groups': ONE_GROUP },
  },
  'a sum in a view': {
    query: 'SELECT id, amount FROM sums',
    views: { sums: 'SELECT id, SUM(amount) AS amount FROM clicks GROUP BY id' },
    planner: ['keeps groups', 'updates'],
  },
  'a sum in a view of a view': {
    query: 'SELECT id, amount FROM outer_sums',
    views: {
      inner_sums: 'SELECT id, SUM(amount) AS amount FROM clicks GROUP BY id',
      outer_sums: 'SELECT * FROM inner_sums WHERE amount > 5',
    },
    planner: ['keeps groups', 'updates'],
  },
  'a sum in WITH': {
    query: 'WITH s AS (SELECT id, SUM(amount) AS amount FROM clicks GROUP BY id) SELECT id, amount FROM s',
    planner: ['keeps groups', 'updates'],
  },
  'a sum of a sum': {
    query: 'SELECT name, SUM(amount) FROM (SELECT id, name, SUM(amount) AS amount FROM clicks GROUP BY id, name) GROUP BY name',
    planner: ['changing groups', 'keeps groups', 'updates'],
  },
  'a sum of changes': {
    query: 'SELECT id, SUM(amount) FROM orders GROUP BY id',
    planner: ['updates'],
    accepted: { 'changing groups': KEY, 'keeps groups': KEY },
  },
  'a sum of all changes': {
    query: "SELECT 'all', SUM(amount) FROM orders",
    planner: ['changing groups', 'keeps groups', 'updates'],
    accepted: { 'keeps groups': ONE_GROUP },
  },
  'a sum of the latest rows': {
    query: 'SELECT name, SUM(amount) FROM prices GROUP BY name',
    planner: ['changing groups', 'keeps groups', 'keeps rows of a source', 'updates'],
    accepted: { 'keeps rows of a source': AS_THE_TABLE },
  },
  'a sum beside changes': {
    query: 'SELECT id, SUM(amount) FROM clicks GROUP BY id UNION ALL SELECT id, amount FROM orders',
    planner: ['keeps groups', 'updates'],
  },
  'distinct rows': {
    query: 'SELECT DISTINCT id, amount FROM clicks',
    planner: ['keeps groups', 'updates'],
    accepted: { updates: AGAIN },
  },
  'distinct rows of changes': {
    query: 'SELECT DISTINCT name, amount FROM orders',
    planner: ['changing groups', 'keeps groups', 'updates'],
  },
  'a distinct count': {
    query: 'SELECT id, COUNT(DISTINCT name) FROM clicks GROUP BY id',
    planner: ['keeps groups', 'updates'],
  },
  'a distinct count of all': {
    query: "SELECT 'all', COUNT(DISTINCT name) FROM clicks",
    planner: ['keeps groups', 'updates'],
  },
  'a filtered count': {
    query: "SELECT id, COUNT(*) FILTER (WHERE name = 'x') FROM clicks GROUP BY id",
    planner: ['keeps groups', 'updates'],
  },
  'grouping sets': {
    query: 'SELECT COALESCE(id, name), SUM(amount) FROM clicks GROUP BY GROUPING SETS ((id), (name))',
    planner: ['keeps groups', 'updates'],
  },
  'grouping sets that are null': {
    query: 'SELECT id, SUM(amount) FROM clicks GROUP BY GROUPING SETS ((id), (name))',
    planner: ['keeps groups', 'updates'],
  },
  'a rollup': {
    query: "SELECT COALESCE(id, 'all'), SUM(amount) FROM clicks GROUP BY ROLLUP (id, name)",
    planner: ['keeps groups', 'updates'],
  },
  'a cube': {
    query: "SELECT COALESCE(id, 'all'), SUM(amount) FROM clicks GROUP BY CUBE (id, name)",
    planner: ['keeps groups', 'updates'],
  },
  'a group by a constant': {
    query: "SELECT 'all', SUM(amount) FROM clicks GROUP BY 'x'",
    planner: ['keeps groups', 'updates'],
  },
  'a group by an ordinal expression': {
    query: 'SELECT UPPER(id), SUM(amount) FROM clicks GROUP BY UPPER(id)',
    planner: ['keeps groups', 'updates'],
  },
  'a union of distinct rows': {
    query: 'SELECT id, amount FROM clicks UNION SELECT id, amount FROM shows',
    planner: ['keeps groups', 'updates'],
    accepted: { updates: AGAIN },
  },
  'an intersection': {
    query: 'SELECT id, amount FROM clicks INTERSECT SELECT id, amount FROM shows',
    planner: ['keeps groups', 'keeps joins', 'updates'],
    accepted: { updates: AGAIN },
  },
  'an intersection of all': {
    query: 'SELECT id, amount FROM clicks INTERSECT ALL SELECT id, amount FROM shows',
    planner: ['keeps groups', 'updates'],
    accepted: { 'keeps joins': IN_WORDS, updates: AGAIN },
  },
  'all but some': {
    query: 'SELECT id, amount FROM clicks EXCEPT SELECT id, amount FROM shows',
    planner: ['changing groups', 'keeps groups', 'keeps joins', 'updates'],
    accepted: { 'changing groups': AS_YOUNG },
  },
  'all but some, in parentheses': {
    query: '(SELECT id, amount FROM clicks) EXCEPT (SELECT id, amount FROM shows)',
    planner: ['changing groups', 'keeps groups', 'keeps joins', 'updates'],
    accepted: { 'changing groups': AS_YOUNG },
  },
  'a union of distinct rows in parentheses': {
    query: 'SELECT id, amount FROM ((SELECT id, amount FROM clicks) UNION (SELECT id, amount FROM shows)) WHERE amount > 5',
    planner: ['keeps groups', 'updates'],
    accepted: { updates: AGAIN },
  },
  'a collection': {
    query: 'SELECT id, CARDINALITY(ARRAY_AGG(amount)) FROM clicks GROUP BY id',
    planner: ['keeps groups', 'updates'],
  },

  // Windows.
  'a tumbling window': {
    query:
      "SELECT id, SUM(amount) FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(`at`), INTERVAL '1' MINUTE)) GROUP BY id, window_start, window_end",
    planner: [],
  },
  'a hopping window': {
    query:
      "SELECT id, SUM(amount) FROM TABLE(HOP(TABLE clicks, DESCRIPTOR(`at`), INTERVAL '1' MINUTE, INTERVAL '5' MINUTE)) GROUP BY id, window_start, window_end",
    planner: [],
  },
  'a cumulating window': {
    query:
      "SELECT id, SUM(amount) FROM TABLE(CUMULATE(TABLE clicks, DESCRIPTOR(`at`), INTERVAL '1' MINUTE, INTERVAL '5' MINUTE)) GROUP BY id, window_start, window_end",
    planner: [],
  },
  'a session window': {
    query:
      "SELECT id, SUM(amount) FROM TABLE(SESSION(TABLE clicks PARTITION BY id, DESCRIPTOR(`at`), INTERVAL '1' MINUTE)) GROUP BY id, window_start, window_end",
    planner: [],
  },
  'a window by named arguments': {
    query:
      "SELECT id, SUM(amount) FROM TABLE(TUMBLE(DATA => TABLE clicks, TIMECOL => DESCRIPTOR(`at`), SIZE => INTERVAL '1' MINUTE)) GROUP BY window_start, window_end, id",
    planner: [],
  },
  'a window without TABLE': {
    query: "SELECT id, SUM(amount) FROM TUMBLE(TABLE clicks, DESCRIPTOR(`at`), INTERVAL '1' MINUTE) GROUP BY id, window_start, window_end",
    planner: [],
  },
  'a window of processing time': {
    query:
      "SELECT id, SUM(amount) FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(proc_time), INTERVAL '1' MINUTE)) GROUP BY id, window_start, window_end",
    planner: [],
  },
  'a window grouped by its start alone': {
    query: "SELECT id, SUM(amount) FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(`at`), INTERVAL '1' MINUTE)) GROUP BY id, window_start",
    planner: ['keeps groups', 'updates'],
  },
  'a window that is not grouped by': {
    query: "SELECT id, SUM(amount) FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(`at`), INTERVAL '1' MINUTE)) GROUP BY id",
    planner: ['keeps groups', 'updates'],
  },
  'rows of a window': {
    query: "SELECT id, amount FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(`at`), INTERVAL '1' MINUTE))",
    planner: [],
  },
  'a window in a view': {
    query: 'SELECT id, SUM(amount) FROM windowed GROUP BY id, window_start, window_end',
    views: { windowed: "SELECT * FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(`at`), INTERVAL '1' MINUTE))" },
    planner: [],
  },
  'a window in a view under other names': {
    query: 'SELECT id, SUM(amount) FROM renamed_windows GROUP BY id, w_start, w_end',
    views: {
      renamed_windows:
        "SELECT id, amount, window_start AS w_start, window_end AS w_end FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(`at`), INTERVAL '1' MINUTE))",
    },
    planner: [],
  },
  'a window of a window': {
    query:
      "SELECT 'all', SUM(amount) FROM TABLE(TUMBLE(TABLE by_minute, DESCRIPTOR(t), INTERVAL '5' MINUTE)) GROUP BY window_start, window_end",
    views: {
      by_minute:
        "SELECT id, window_time AS t, SUM(amount) AS amount FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(`at`), INTERVAL '1' MINUTE)) GROUP BY id, window_start, window_end, window_time",
    },
    planner: [],
  },
  'a sum of windows': {
    query: 'SELECT id, SUM(amount) FROM by_window GROUP BY id',
    views: {
      by_window:
        "SELECT id, window_start, SUM(amount) AS amount FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(`at`), INTERVAL '1' MINUTE)) GROUP BY id, window_start, window_end",
    },
    planner: ['keeps groups', 'updates'],
  },
  'windows of changes': {
    query:
      "SELECT id, SUM(amount) FROM TABLE(TUMBLE(TABLE orders, DESCRIPTOR(proc_time), INTERVAL '1' MINUTE)) GROUP BY id, window_start, window_end",
    planner: [],
  },
  'a window of grouping sets': {
    query:
      "SELECT COALESCE(id, name), SUM(amount) FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(`at`), INTERVAL '1' MINUTE)) GROUP BY window_start, window_end, GROUPING SETS ((id), (name))",
    planner: [],
  },
  'a distinct count of a window': {
    query:
      "SELECT id, COUNT(DISTINCT name) FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(`at`), INTERVAL '1' MINUTE)) GROUP BY id, window_start, window_end",
    planner: [],
  },
  'a legacy tumbling window': {
    query: "SELECT id, SUM(amount) FROM clicks GROUP BY id, TUMBLE(`at`, INTERVAL '1' MINUTE)",
    planner: [],
  },
  'a legacy hopping window': {
    query: "SELECT id, SUM(amount) FROM clicks GROUP BY id, HOP(`at`, INTERVAL '1' MINUTE, INTERVAL '5' MINUTE)",
    planner: [],
  },
  'a legacy session window': {
    query: "SELECT id, SUM(amount) FROM clicks GROUP BY id, SESSION(`at`, INTERVAL '1' MINUTE)",
    planner: [],
  },
  'a legacy window of changes': {
    query: "SELECT id, SUM(amount) FROM orders GROUP BY id, TUMBLE(proc_time, INTERVAL '1' MINUTE)",
    planner: [],
  },
  'a column called window_start': {
    query: 'SELECT window_start, SUM(amount) FROM (SELECT id AS window_start, amount FROM clicks) GROUP BY window_start',
    planner: ['keeps groups', 'updates'],
  },
  'a day as a group': {
    query: "SELECT DATE_FORMAT(`at`, 'yyyy-MM-dd'), SUM(amount) FROM clicks GROUP BY DATE_FORMAT(`at`, 'yyyy-MM-dd')",
    planner: ['keeps groups', 'updates'],
  },
  'a floor as a group': {
    query: 'SELECT CAST(FLOOR(`at` TO DAY) AS STRING), SUM(amount) FROM clicks GROUP BY FLOOR(`at` TO DAY)',
    planner: ['keeps groups', 'updates'],
  },

  // Rankings and limits.
  'the last row of each key': {
    query: 'SELECT id, amount FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY `at` DESC) AS n FROM clicks) WHERE n = 1',
    planner: ['keeps ranks', 'updates'],
  },
  'the first row of each key': {
    query: 'SELECT id, amount FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY `at` ASC) AS n FROM clicks) WHERE n = 1',
    planner: ['keeps ranks'],
  },
  'the first row of each key, up to one': {
    query: 'SELECT id, amount FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY `at`) AS n FROM clicks) WHERE n <= 1',
    planner: ['keeps ranks'],
  },
  'the first row of each key by processing time': {
    query: 'SELECT id, amount FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY proc_time) AS n FROM clicks) WHERE n = 1',
    planner: ['keeps ranks'],
  },
  'the last row of each key by processing time': {
    query: 'SELECT id, amount FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY proc_time DESC) AS n FROM clicks) WHERE n = 1',
    planner: ['keeps ranks', 'updates'],
  },
  'the first row of each key by a clock': {
    query: 'SELECT id, amount FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY PROCTIME()) AS n FROM clicks) WHERE n = 1',
    planner: ['keeps ranks'],
  },
  'the first row, below two': {
    query: 'SELECT id, amount FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY `at`) AS n FROM clicks) WHERE n < 2',
    planner: ['keeps ranks'],
  },
  'the first row, one first': {
    query: 'SELECT id, amount FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY `at`) AS n FROM clicks) WHERE 1 = n',
    planner: ['keeps ranks'],
  },
  'the first row of each key of a view': {
    query: 'SELECT id, amount FROM numbered WHERE n = 1',
    views: { numbered: 'SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY `at`) AS n FROM clicks' },
    planner: ['keeps ranks'],
  },
  'the first row of changes': {
    query: 'SELECT id, amount FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY name ORDER BY proc_time) AS n FROM orders) WHERE n = 1',
    planner: ['changing ranks', 'keeps ranks', 'updates'],
  },
  'the first ten of each key': {
    query: 'SELECT id, amount FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY amount DESC) AS n FROM clicks) WHERE n <= 10',
    planner: ['keeps ranks', 'updates'],
  },
  'the first two by time': {
    query: 'SELECT id, amount FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY `at`) AS n FROM clicks) WHERE n <= 2',
    planner: ['keeps ranks', 'updates'],
  },
  'ranks with a number': {
    query: 'SELECT id, n FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY amount DESC) AS n FROM clicks) WHERE n <= 10',
    planner: ['keeps ranks', 'updates'],
  },
  'the first ten of all': {
    query: 'SELECT id, amount FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY amount DESC) AS n FROM clicks) WHERE n <= 10',
    planner: ['keeps ranks', 'updates'],
    accepted: { 'keeps ranks': ONE_GROUP },
  },
  'the last row of each key by QUALIFY': {
    query: 'SELECT id, amount FROM clicks QUALIFY ROW_NUMBER() OVER (PARTITION BY id ORDER BY `at` DESC) = 1',
    planner: ['keeps ranks', 'updates'],
  },
  'the first row of each key by QUALIFY': {
    query: 'SELECT id, amount FROM clicks QUALIFY ROW_NUMBER() OVER (PARTITION BY id ORDER BY `at`) = 1',
    planner: ['keeps ranks'],
  },
  'the last row of changes': {
    query: 'SELECT id, amount FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY name ORDER BY amount DESC) AS n FROM orders) WHERE n = 1',
    planner: ['changing ranks', 'keeps ranks', 'updates'],
  },
  'the best rows of a window': {
    query:
      "SELECT id, amount FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end, id ORDER BY amount DESC) AS n FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(`at`), INTERVAL '1' MINUTE))) WHERE n <= 3",
    planner: [],
  },
  'the last row of a window': {
    query:
      "SELECT id, amount FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end, id ORDER BY `at` DESC) AS n FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(`at`), INTERVAL '1' MINUTE))) WHERE n = 1",
    planner: [],
  },
  'the best sums of a window': {
    query:
      "SELECT id, amount FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY amount DESC) AS n FROM (SELECT id, window_start, window_end, SUM(amount) AS amount FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(`at`), INTERVAL '1' MINUTE)) GROUP BY id, window_start, window_end)) WHERE n <= 3",
    planner: [],
  },
  'the best sums': {
    query:
      'SELECT id, amount FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY amount DESC) AS n FROM (SELECT id, SUM(amount) AS amount FROM clicks GROUP BY id)) WHERE n <= 3',
    planner: ['changing ranks', 'keeps groups', 'keeps ranks', 'updates'],
    accepted: { 'changing ranks': AS_YOUNG, 'keeps ranks': ONE_GROUP },
  },
  'a limit': {
    query: 'SELECT id, amount FROM clicks LIMIT 10',
    planner: [],
  },
  'a limit of the greatest': {
    query: 'SELECT id, amount FROM clicks ORDER BY amount DESC LIMIT 10',
    planner: ['updates'],
  },
  'fetch first': {
    query: 'SELECT id, amount FROM clicks ORDER BY amount FETCH FIRST 10 ROWS ONLY',
    planner: ['updates'],
  },
  'a limit of changes': {
    query: 'SELECT id, amount FROM orders LIMIT 10',
    planner: ['updates'],
  },
  'a limit after an offset': {
    query: 'SELECT id, amount FROM clicks LIMIT 10 OFFSET 5',
    planner: [],
  },
  'in the order of time': {
    query: 'SELECT id, amount FROM clicks ORDER BY `at`',
    planner: [],
  },

  // Sums over earlier rows.
  'a running sum': {
    query: 'SELECT id, SUM(amount) OVER (PARTITION BY id ORDER BY `at` RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM clicks',
    planner: ['keeps frames'],
  },
  'a running sum of an hour': {
    query:
      "SELECT id, SUM(amount) OVER (PARTITION BY id ORDER BY `at` RANGE BETWEEN INTERVAL '1' HOUR PRECEDING AND CURRENT ROW) FROM clicks",
    planner: [],
  },
  'a running sum of ten rows': {
    query:
      'SELECT id, SUM(amount) OVER w FROM clicks WINDOW w AS (PARTITION BY id ORDER BY proc_time ROWS BETWEEN 10 PRECEDING AND CURRENT ROW)',
    planner: ['keeps frames'],
  },
  'the row before': {
    query: 'SELECT id, LAG(amount, 1) OVER (PARTITION BY id ORDER BY `at`) FROM clicks',
    planner: ['keeps frames'],
  },
  'a number without a limit': {
    query: 'SELECT id, ROW_NUMBER() OVER (PARTITION BY id ORDER BY `at`) FROM clicks',
    planner: ['keeps frames'],
    accepted: { 'keeps frames': NUMBERS },
  },

  // Joins.
  'an inner join': {
    query: 'SELECT c.id, s.amount FROM clicks AS c JOIN shows AS s ON c.id = s.id',
    planner: ['keeps joins'],
  },
  'an inner join in a view': {
    query: 'SELECT id, amount FROM pairs_joined',
    views: { pairs_joined: 'SELECT c.id, s.amount FROM clicks AS c INNER JOIN shows AS s ON c.id = s.id' },
    planner: ['keeps joins'],
  },
  'a join by a comma': {
    query: 'SELECT c.id, s.amount FROM clicks c, shows s WHERE c.id = s.id',
    planner: ['keeps joins'],
  },
  'a cross join': {
    query: 'SELECT c.id, s.amount FROM clicks AS c CROSS JOIN shows AS s',
    planner: ['keeps joins'],
  },
  'a join by USING': {
    query: 'SELECT id, clicks.amount FROM clicks JOIN shows USING (id)',
    planner: ['keeps joins'],
  },
  'a natural join': {
    query: 'SELECT a.id, a.amount FROM (SELECT id, amount FROM clicks) AS a NATURAL JOIN (SELECT id, name FROM shows) AS b',
    planner: ['keeps joins'],
  },
  'a left join': {
    query: 'SELECT c.id, s.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id',
    planner: ['keeps joins', 'null amount', 'updates'],
  },
  'a right join': {
    query: 'SELECT s.id, c.amount FROM clicks AS c RIGHT JOIN shows AS s ON c.id = s.id',
    planner: ['keeps joins', 'null amount', 'updates'],
  },
  'a full join': {
    query: 'SELECT c.id, s.amount FROM clicks AS c FULL OUTER JOIN shows AS s ON c.id = s.id',
    planner: ['keeps joins', 'null amount', 'null id', 'updates'],
  },
  'a full join by USING': {
    query: 'SELECT id, s.amount FROM clicks AS c FULL JOIN shows AS s USING (id)',
    planner: ['keeps joins', 'null amount', 'null id', 'updates'],
  },
  'a left join by USING': {
    query: 'SELECT id, s.amount FROM clicks AS c LEFT JOIN shows AS s USING (id)',
    planner: ['keeps joins', 'null amount', 'updates'],
  },
  'a natural left join': {
    query: 'SELECT a.id, amount FROM (SELECT id FROM clicks) AS a NATURAL LEFT JOIN (SELECT id, amount FROM shows) AS b',
    planner: ['keeps joins', 'null amount', 'updates'],
  },
  'a right join by USING': {
    query: 'SELECT id, c.amount FROM clicks AS c RIGHT JOIN shows AS s USING (id)',
    planner: ['keeps joins', 'null amount', 'updates'],
  },
  'a left join of changes': {
    query: 'SELECT c.id, o.amount FROM clicks AS c LEFT JOIN orders AS o ON c.id = o.id',
    planner: ['changing joins', 'keeps joins', 'null amount', 'updates'],
  },
  'an inner join of changes': {
    query: 'SELECT c.id, o.amount FROM clicks AS c JOIN orders AS o ON c.id = o.id',
    planner: ['changing joins', 'keeps joins', 'updates'],
  },
  'an inner join of the latest rows': {
    query: 'SELECT c.id, p.amount FROM clicks AS c JOIN prices AS p ON c.id = p.id',
    planner: ['changing joins', 'keeps joins', 'keeps rows of a source', 'updates'],
    accepted: { 'keeps rows of a source': AS_THE_TABLE },
  },
  'an inner join of sums': {
    query: 'SELECT c.id, t.total FROM clicks AS c JOIN (SELECT id, SUM(amount) AS total FROM shows GROUP BY id) AS t ON c.id = t.id',
    planner: ['changing joins', 'keeps groups', 'keeps joins', 'updates'],
  },
  'a left join of sums in a view': {
    query: 'SELECT c.id, t.total FROM clicks AS c LEFT JOIN totals_of_shows AS t ON c.id = t.id',
    views: { totals_of_shows: 'SELECT id, SUM(amount) AS total FROM shows GROUP BY id' },
    planner: ['changing joins', 'keeps groups', 'keeps joins', 'null amount', 'updates'],
  },
  'a join of the last rows': {
    query:
      'SELECT c.id, t.amount FROM clicks AS c JOIN (SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY `at` DESC) AS n FROM shows) WHERE n = 1) AS t ON c.id = t.id',
    planner: ['changing joins', 'keeps joins', 'keeps ranks', 'updates'],
  },
  'three tables': {
    query: 'SELECT c.id, p.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id LEFT JOIN shows AS p ON c.id = p.id',
    planner: ['changing joins', 'keeps joins', 'null amount', 'updates'],
    accepted: { 'changing joins': AS_YOUNG },
  },
  'three tables, the last inner': {
    query: 'SELECT c.id, s.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id JOIN shows AS p ON p.id = s.id',
    planner: ['changing joins', 'keeps joins', 'null amount', 'updates'],
    accepted: { 'changing joins': AS_YOUNG, 'null amount': NO_ROW_LEFT, updates: NO_ROW_LEFT },
  },
  'three tables, the first inner': {
    query: 'SELECT c.id, p.amount FROM clicks AS c JOIN shows AS s ON c.id = s.id LEFT JOIN shows AS p ON p.id = s.id',
    planner: ['keeps joins', 'null amount', 'updates'],
  },
  'a left join of a join in parentheses': {
    query: 'SELECT c.id, s.amount FROM clicks AS c LEFT JOIN (shows AS s JOIN shows AS p ON s.id = p.id) ON c.id = s.id',
    planner: ['keeps joins', 'null amount', 'updates'],
  },
  'a left join in parentheses': {
    query: 'SELECT c.id, s.amount FROM (clicks AS c LEFT JOIN shows AS s ON c.id = s.id)',
    planner: ['keeps joins', 'null amount', 'updates'],
  },
  'a comma and a left join': {
    query: 'SELECT c.id, p.amount FROM clicks AS c, shows AS s LEFT JOIN shows AS p ON p.id = s.id WHERE c.id = s.id',
    planner: ['keeps joins', 'null amount', 'updates'],
  },
  'a self join of a view': {
    query: 'SELECT a.id, b.amount FROM both_sides AS a LEFT JOIN both_sides AS b ON a.id = b.id',
    views: { both_sides: 'SELECT id, amount FROM clicks' },
    planner: ['keeps joins', 'null amount', 'updates'],
  },
  'a join on a condition alone': {
    query: 'SELECT c.id, s.amount FROM clicks AS c JOIN shows AS s ON c.amount > s.amount',
    planner: ['keeps joins'],
  },
  'a join on OR': {
    query: 'SELECT c.id, s.amount FROM clicks AS c JOIN shows AS s ON c.id = s.id OR c.name = s.name',
    planner: ['keeps joins'],
  },

  // Outer joins that WHERE or a later join makes inner ones.
  'a left join and a comparison': {
    query: 'SELECT c.id, s.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id WHERE s.amount > 5',
    planner: ['keeps joins'],
  },
  'a left join and IS NOT NULL': {
    query: 'SELECT c.id, s.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id WHERE s.id IS NOT NULL',
    planner: ['keeps joins'],
  },
  'a left join and IS NULL': {
    query: 'SELECT c.id, c.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id WHERE s.id IS NULL',
    planner: ['keeps joins', 'updates'],
  },
  'a left join and OR': {
    query: 'SELECT c.id, s.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id WHERE s.amount > 5 OR c.amount > 5',
    planner: ['keeps joins', 'null amount', 'updates'],
  },
  'a left join and OR over one side': {
    query: 'SELECT c.id, s.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id WHERE s.amount > 5 OR s.amount < 2',
    planner: ['keeps joins', 'updates'],
    accepted: { updates: NO_ROW_LEFT },
  },
  'a left join and OR over two columns of one side': {
    query: "SELECT c.id, s.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id WHERE s.amount > 5 OR s.name = 'a'",
    planner: ['keeps joins'],
  },
  'a left join and NOT of IS NULL': {
    query: 'SELECT c.id, s.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id WHERE NOT (s.name IS NULL)',
    planner: ['keeps joins'],
  },
  'a left join and the length of a name': {
    query: 'SELECT c.id, s.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id WHERE CHAR_LENGTH(s.name) > 0',
    planner: ['keeps joins', 'null amount', 'updates'],
    accepted: { 'null amount': NO_ROW_LEFT, updates: NO_ROW_LEFT },
  },
  'a left join and a name in capital letters': {
    query: "SELECT c.id, s.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id WHERE UPPER(TRIM(s.name)) = 'A'",
    planner: ['keeps joins', 'null amount', 'updates'],
    accepted: { 'null amount': NO_ROW_LEFT, updates: NO_ROW_LEFT },
  },
  'a left join and a cast': {
    query: 'SELECT c.id, s.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id WHERE CAST(s.name AS BIGINT) > 5',
    planner: ['keeps joins'],
  },
  'a left join and a value for no match': {
    query: "SELECT c.id, s.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id WHERE COALESCE(s.name, '') <> ''",
    planner: ['keeps joins', 'null amount', 'updates'],
  },
  'a left join and BETWEEN': {
    query: 'SELECT c.id, s.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id WHERE s.amount BETWEEN 1 AND 5 AND c.amount > 1',
    planner: ['keeps joins', 'updates'],
    accepted: { updates: NO_ROW_LEFT },
  },
  'a left join and CASE': {
    query:
      'SELECT c.id, s.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id WHERE CASE WHEN s.amount > 5 AND c.amount > 5 THEN TRUE ELSE FALSE END',
    planner: ['keeps joins'],
    accepted: { 'null amount': COARSE, updates: COARSE },
  },
  'a left join and NOT': {
    query: 'SELECT c.id, s.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id WHERE NOT (s.amount > 5)',
    planner: ['keeps joins'],
    accepted: { 'null amount': COARSE, updates: COARSE },
  },
  'a left join and NOT of AND': {
    query: 'SELECT c.id, s.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id WHERE NOT (s.amount > 5 AND c.amount > 5)',
    planner: ['keeps joins', 'null amount', 'updates'],
  },
  'a left join and NOT IN a list': {
    query: "SELECT c.id, s.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id WHERE s.id NOT IN ('a', 'b')",
    planner: ['keeps joins', 'null amount', 'updates'],
    accepted: { 'null amount': NO_ROW_LEFT, updates: NO_ROW_LEFT },
  },
  'a left join and LIKE': {
    query: "SELECT c.id, s.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id WHERE s.name LIKE 'a%'",
    planner: ['keeps joins'],
  },
  'a left join and COALESCE in WHERE': {
    query: 'SELECT c.id, s.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id WHERE COALESCE(s.amount, 6) > 5',
    planner: ['keeps joins', 'null amount', 'updates'],
  },
  'a left join and a comparison in ON': {
    query: 'SELECT c.id, s.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id AND s.amount > 5',
    planner: ['keeps joins', 'null amount', 'updates'],
  },
  'a left join and a comparison behind a subquery': {
    query: 'SELECT id, amount FROM (SELECT c.id, s.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id) WHERE amount > 5',
    planner: ['keeps joins'],
    accepted: { updates: COARSE },
  },
  'a left join and a comparison of its view': {
    query: 'SELECT id, total FROM view_of_left WHERE total > 5',
    views: { view_of_left: 'SELECT c.id, s.amount AS total FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id' },
    planner: ['keeps joins'],
    accepted: { updates: COARSE },
  },
  'a full join and a comparison of the left': {
    query: 'SELECT c.id, s.amount FROM clicks AS c FULL JOIN shows AS s ON c.id = s.id WHERE c.amount > 5',
    planner: ['keeps joins', 'null amount', 'updates'],
  },
  'a full join and a comparison of both': {
    query: 'SELECT c.id, s.amount FROM clicks AS c FULL JOIN shows AS s ON c.id = s.id WHERE c.amount > 5 AND s.amount > 5',
    planner: ['keeps joins'],
  },
  'a left join, then an inner one of its side': {
    query: 'SELECT c.id, s.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id INNER JOIN orders AS o ON o.id = s.name',
    planner: ['changing joins', 'keeps joins', 'null amount', 'updates'],
    accepted: { 'null amount': NO_ROW_LEFT },
  },
  'a right join, and a comparison of what it may not have': {
    query: 'SELECT s.id, c.amount FROM clicks AS c RIGHT JOIN shows AS s ON c.id = s.id WHERE c.amount < s.amount',
    planner: ['keeps joins'],
  },

  // Columns of outer joins.
  'a value for no match': {
    query: 'SELECT c.id, COALESCE(s.amount, 0) FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id',
    planner: ['keeps joins', 'updates'],
  },
  IFNULL: {
    query: 'SELECT c.id, IFNULL(s.amount, 0) FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id',
    planner: ['keeps joins', 'updates'],
  },
  'CASE over a match': {
    query: 'SELECT c.id, CASE WHEN s.amount IS NULL THEN 0 ELSE s.amount END FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id',
    planner: ['keeps joins', 'updates'],
  },
  'arithmetic over no match': {
    query: 'SELECT c.id, s.amount + 1 FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id',
    planner: ['keeps joins', 'null amount', 'updates'],
  },
  'a function over no match': {
    query: 'SELECT UPPER(s.id), c.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id',
    planner: ['keeps joins', 'null id', 'updates'],
  },
  'a cast over no match': {
    query: 'SELECT c.id, CAST(s.amount AS INT) FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id',
    planner: ['keeps joins', 'null amount', 'updates'],
  },
  'a sum over no match': {
    query: 'SELECT c.id, SUM(s.amount) FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id GROUP BY c.id',
    planner: ['changing groups', 'keeps groups', 'keeps joins', 'null amount', 'updates'],
    accepted: { 'null amount': WITHIN_AN_AGGREGATE },
  },
  'a count over no match': {
    query: 'SELECT c.id, COUNT(s.amount) FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id GROUP BY c.id',
    planner: ['changing groups', 'keeps groups', 'keeps joins', 'updates'],
  },
  'a group by no match': {
    query: 'SELECT s.id, SUM(c.amount) FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id GROUP BY s.id',
    planner: ['changing groups', 'keeps groups', 'keeps joins', 'null id', 'updates'],
  },
  'distinct rows of a left join': {
    query: 'SELECT DISTINCT c.id, s.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id',
    planner: ['changing groups', 'keeps groups', 'keeps joins', 'null amount', 'updates'],
  },
  'an alias without AS': {
    query: 'SELECT c.id key_of, s.amount total FROM clicks c LEFT JOIN shows s ON c.id = s.id',
    planner: ['keeps joins', 'null amount', 'updates'],
  },
  'a column without its table': {
    query: 'SELECT c.id, price FROM clicks AS c LEFT JOIN (SELECT id, amount AS price FROM shows) AS s ON c.id = s.id',
    planner: ['keeps joins', 'null amount', 'updates'],
  },
  'a star of one table': {
    query: 'SELECT s.* FROM clicks AS c LEFT JOIN (SELECT id, amount FROM shows) AS s ON c.id = s.id',
    planner: ['keeps joins', 'null amount', 'null id', 'updates'],
  },
  'a star of two tables': {
    query:
      'SELECT id0, amount FROM (SELECT * FROM (SELECT id AS id0 FROM clicks) AS c LEFT JOIN (SELECT id, amount FROM shows) AS s ON c.id0 = s.id)',
    planner: ['keeps joins', 'null amount', 'updates'],
  },
  'a left join in a subquery of FROM': {
    query: 'SELECT j.id, j.total FROM (SELECT c.id, s.amount AS total FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id) AS j',
    planner: ['keeps joins', 'null amount', 'updates'],
  },
  'a left join in WITH': {
    query: 'WITH j AS (SELECT c.id, s.amount AS total FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id) SELECT id, total FROM j',
    planner: ['keeps joins', 'null amount', 'updates'],
  },
  'a left join in a view': {
    query: 'SELECT id, total FROM left_view',
    views: { left_view: 'SELECT c.id, s.amount AS total FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id' },
    planner: ['keeps joins', 'null amount', 'updates'],
  },
  'a left join in a view of a view': {
    query: 'SELECT id, renamed FROM left_again',
    views: {
      left_first: 'SELECT c.id, s.amount AS total FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id',
      left_again: 'SELECT id, total AS renamed FROM left_first',
    },
    planner: ['keeps joins', 'null amount', 'updates'],
  },
  'a view of a left join, joined again': {
    query: 'SELECT v.id, v.total FROM left_joined AS v JOIN shows AS p ON p.id = v.id',
    views: { left_joined: 'SELECT c.id, s.amount AS total FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id' },
    planner: ['changing joins', 'keeps joins', 'null amount', 'updates'],
    accepted: { 'changing joins': AS_YOUNG },
  },
  'a view of a left join, joined again by its side': {
    query: 'SELECT v.id, v.total FROM left_keyed AS v JOIN shows AS p ON p.id = v.other',
    views: { left_keyed: 'SELECT c.id, s.id AS other, s.amount AS total FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id' },
    planner: ['changing joins', 'keeps joins', 'null amount', 'updates'],
    accepted: { 'changing joins': AS_YOUNG, 'null amount': NO_ROW_LEFT },
  },
  'a view of a left join, joined by lookup': {
    query: 'SELECT v.id, v.total FROM left_looked AS v LEFT JOIN users FOR SYSTEM_TIME AS OF v.proc_time AS u ON u.id = v.id',
    views: { left_looked: 'SELECT c.id, c.proc_time, s.amount AS total FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id' },
    planner: ['changing lookups', 'keeps joins', 'null amount', 'updates'],
  },
  'a left join of a union': {
    query: 'SELECT c.id, c.amount FROM clicks AS c UNION ALL SELECT c.id, s.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id',
    planner: ['keeps joins', 'null amount', 'updates'],
  },
  'a left join in WITH, with columns': {
    query: 'WITH j (k, v) AS (SELECT c.id, s.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id) SELECT k, v FROM j',
    planner: ['keeps joins', 'null amount', 'updates'],
  },
  'a subquery with columns': {
    query: 'SELECT k, v FROM (SELECT c.id, s.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id) AS j (k, v)',
    planner: ['keeps joins', 'null amount', 'updates'],
  },
  'a left join of a subquery with a left join': {
    query:
      'SELECT p.id, j.total FROM shows AS p LEFT JOIN (SELECT c.id, s.amount AS total FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id) AS j ON j.id = p.id WHERE j.id IS NOT NULL',
    planner: ['changing joins', 'keeps joins', 'null amount', 'updates'],
    accepted: { 'changing joins': AS_YOUNG },
  },
  'the other side of a left join in a subquery': {
    query:
      'SELECT j.id, j.own FROM (SELECT c.id, c.amount AS own, s.amount AS total FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id) AS j',
    planner: ['keeps joins', 'updates'],
  },

  // Joins within an interval.
  'an interval join by BETWEEN': {
    query: "SELECT c.id, s.amount FROM clicks AS c JOIN shows AS s ON c.id = s.id AND s.`at` BETWEEN c.`at` - INTERVAL '1' HOUR AND c.`at`",
    planner: [],
  },
  'an interval join in WHERE': {
    query: "SELECT c.id, s.amount FROM clicks AS c, shows AS s WHERE c.id = s.id AND s.`at` BETWEEN c.`at` AND c.`at` + INTERVAL '1' HOUR",
    planner: [],
  },
  'an interval join by two comparisons': {
    query:
      "SELECT c.id, s.amount FROM clicks AS c JOIN shows AS s ON c.id = s.id AND s.`at` >= c.`at` AND s.`at` < c.`at` + INTERVAL '1' HOUR",
    planner: [],
  },
  'an interval join, turned': {
    query:
      "SELECT c.id, s.amount FROM clicks AS c JOIN shows AS s ON c.id = s.id AND c.`at` - INTERVAL '1' HOUR < s.`at` AND c.`at` + INTERVAL '1' HOUR > s.`at`",
    planner: [],
  },
  'an interval join of one moment': {
    query: 'SELECT c.id, s.amount FROM clicks AS c JOIN shows AS s ON c.id = s.id AND c.`at` = s.`at`',
    planner: [],
  },
  'an interval join with one bound': {
    query: "SELECT c.id, s.amount FROM clicks AS c JOIN shows AS s ON c.id = s.id AND s.`at` > c.`at` - INTERVAL '1' HOUR",
    planner: ['keeps joins'],
  },
  'an interval join with two lower bounds': {
    query:
      "SELECT c.id, s.amount FROM clicks AS c JOIN shows AS s ON c.id = s.id AND s.`at` > c.`at` - INTERVAL '1' HOUR AND s.`at` >= c.`at`",
    planner: ['keeps joins'],
  },
  'an outer interval join': {
    query:
      "SELECT c.id, s.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id AND s.`at` BETWEEN c.`at` - INTERVAL '1' HOUR AND c.`at`",
    planner: ['null amount'],
  },
  'an interval join by processing time': {
    query:
      "SELECT c.id, s.amount FROM clicks AS c JOIN shows AS s ON c.id = s.id AND s.proc_time BETWEEN c.proc_time - INTERVAL '1' HOUR AND c.proc_time",
    planner: [],
  },
  'an interval join by TIMESTAMPADD': {
    query:
      'SELECT c.id, s.amount FROM clicks AS c JOIN shows AS s ON c.id = s.id AND s.`at` BETWEEN TIMESTAMPADD(HOUR, -1, c.`at`) AND c.`at`',
    planner: [],
  },
  'an interval without a key': {
    query: "SELECT c.id, s.amount FROM clicks AS c JOIN shows AS s ON s.`at` BETWEEN c.`at` - INTERVAL '1' HOUR AND c.`at`",
    planner: [],
  },
  'an interval of numbers': {
    query: 'SELECT c.id, s.amount FROM clicks AS c JOIN shows AS s ON c.id = s.id AND s.amount BETWEEN c.amount - 1 AND c.amount',
    planner: ['keeps joins'],
  },
  'an interval of what is no event time': {
    query: "SELECT c.id, s.amount FROM clicks AS c JOIN shows AS s ON c.id = s.id AND s.seen BETWEEN c.seen - INTERVAL '1' HOUR AND c.seen",
    planner: ['keeps joins'],
  },
  'an interval from now': {
    query:
      "SELECT c.id, s.amount FROM clicks AS c JOIN shows AS s ON c.id = s.id AND c.`at` > CAST(CURRENT_TIMESTAMP AS TIMESTAMP(3)) - INTERVAL '1' DAY",
    planner: ['keeps joins'],
  },
  'an interval or nothing': {
    query:
      "SELECT c.id, s.amount FROM clicks AS c JOIN shows AS s ON c.id = s.id AND (s.`at` BETWEEN c.`at` - INTERVAL '1' HOUR AND c.`at` OR s.amount = 1)",
    planner: ['keeps joins'],
  },
  'an interval of a view': {
    query: "SELECT c.id, s.amount FROM timed_clicks AS c JOIN shows AS s ON c.id = s.id AND s.`at` BETWEEN c.t - INTERVAL '1' HOUR AND c.t",
    views: { timed_clicks: 'SELECT id, `at` AS t FROM clicks' },
    planner: [],
  },
  'two interval joins': {
    query:
      "SELECT c.id, s.amount FROM clicks AS c JOIN shows AS s ON c.id = s.id AND s.`at` BETWEEN c.`at` - INTERVAL '1' HOUR AND c.`at` JOIN shows AS p ON p.id = c.id AND p.`at` BETWEEN c.`at` - INTERVAL '1' HOUR AND c.`at`",
    planner: [],
  },
  'an interval join and another': {
    query:
      "SELECT c.id, s.amount FROM clicks AS c JOIN shows AS s ON c.id = s.id AND s.`at` BETWEEN c.`at` - INTERVAL '1' HOUR AND c.`at` JOIN shows AS p ON p.id = c.id",
    planner: ['keeps joins'],
  },
  'a sum of an interval join': {
    query:
      "SELECT c.id, SUM(s.amount) FROM clicks AS c JOIN shows AS s ON c.id = s.id AND s.`at` BETWEEN c.`at` - INTERVAL '1' HOUR AND c.`at` GROUP BY c.id",
    planner: ['keeps groups', 'updates'],
  },

  // Joins of windows.
  'a window join': {
    query:
      'SELECT c.id, s.amount FROM clicks_by_minute AS c JOIN shows_by_minute AS s ON c.id = s.id AND c.window_start = s.window_start AND c.window_end = s.window_end',
    planner: [],
  },
  'a left window join': {
    query:
      'SELECT c.id, s.amount FROM clicks_by_minute AS c LEFT JOIN shows_by_minute AS s ON c.id = s.id AND c.window_start = s.window_start AND c.window_end = s.window_end',
    planner: ['null amount'],
  },
  'a semi window join': {
    query:
      'SELECT id, amount FROM clicks_by_minute AS c WHERE EXISTS (SELECT 1 FROM shows_by_minute AS s WHERE c.id = s.id AND c.window_start = s.window_start AND c.window_end = s.window_end)',
    planner: [],
  },
  'a window join by IN': {
    query:
      'SELECT id, amount FROM clicks_by_minute AS c WHERE id IN (SELECT id FROM shows_by_minute AS s WHERE c.window_start = s.window_start AND c.window_end = s.window_end)',
    planner: [],
  },
  'an anti window join': {
    query:
      'SELECT id, amount FROM clicks_by_minute AS c WHERE NOT EXISTS (SELECT 1 FROM shows_by_minute AS s WHERE c.id = s.id AND c.window_start = s.window_start AND c.window_end = s.window_end)',
    planner: [],
  },
  'a window join by USING': {
    query: 'SELECT c.id, s.amount FROM clicks_by_minute AS c JOIN shows_by_minute AS s USING (window_start, window_end)',
    planner: [],
  },
  'a window join by the start alone': {
    query: 'SELECT c.id, s.amount FROM clicks_by_minute AS c JOIN shows_by_minute AS s ON c.id = s.id AND c.window_start = s.window_start',
    planner: ['keeps joins'],
  },
  'a join of windows by key': {
    query: 'SELECT c.id, s.amount FROM clicks_by_minute AS c JOIN shows_by_minute AS s ON c.id = s.id',
    planner: ['keeps joins'],
  },
  'a window join of sums': {
    query:
      "SELECT c.id, s.total FROM (SELECT id, window_start, window_end, SUM(amount) AS total FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(`at`), INTERVAL '1' MINUTE)) GROUP BY id, window_start, window_end) AS c FULL JOIN (SELECT id, window_start, window_end, SUM(amount) AS total FROM TABLE(TUMBLE(TABLE shows, DESCRIPTOR(`at`), INTERVAL '1' MINUTE)) GROUP BY id, window_start, window_end) AS s ON c.id = s.id AND c.window_start = s.window_start AND c.window_end = s.window_end",
    planner: ['null amount', 'null id'],
  },

  // Temporal joins and lookups.
  'a temporal join': {
    query: 'SELECT c.id, p.amount FROM clicks AS c JOIN prices FOR SYSTEM_TIME AS OF c.`at` AS p ON c.id = p.id',
    planner: ['keeps versions'],
    accepted: { 'keeps versions': AS_THE_TABLE },
  },
  'a left temporal join': {
    query: 'SELECT c.id, p.amount FROM clicks AS c LEFT JOIN prices FOR SYSTEM_TIME AS OF c.`at` AS p ON c.id = p.id',
    planner: ['keeps versions', 'null amount'],
    accepted: { 'keeps versions': AS_THE_TABLE },
  },
  'a temporal join of a versioned view': {
    query: 'SELECT c.id, p.amount FROM clicks AS c JOIN versions FOR SYSTEM_TIME AS OF c.`at` AS p ON c.id = p.id',
    views: {
      versions:
        'SELECT id, amount, `at` FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY `at` DESC) AS n FROM shows) WHERE n = 1',
    },
    planner: ['keeps ranks', 'keeps versions'],
    accepted: { 'keeps versions': AS_THE_TABLE },
  },
  'a lookup join': {
    query: 'SELECT c.id, u.amount FROM clicks AS c JOIN users FOR SYSTEM_TIME AS OF c.proc_time AS u ON c.id = u.id',
    planner: [],
  },
  'a left lookup join': {
    query: 'SELECT c.id, u.amount FROM clicks AS c LEFT JOIN users FOR SYSTEM_TIME AS OF c.proc_time AS u ON c.id = u.id',
    planner: ['null amount'],
  },
  'a left lookup join without AS': {
    query: 'SELECT c.id, u.amount FROM clicks AS c LEFT JOIN users FOR SYSTEM_TIME AS OF c.proc_time u ON c.id = u.id',
    planner: ['null amount'],
  },
  'a lookup by a comma': {
    query: 'SELECT c.id, u.amount FROM clicks AS c, users FOR SYSTEM_TIME AS OF c.proc_time AS u WHERE c.id = u.id',
    planner: [],
  },
  'a lookup of changes': {
    query: 'SELECT c.id, u.amount FROM orders AS c LEFT JOIN users FOR SYSTEM_TIME AS OF c.proc_time AS u ON c.id = u.id',
    planner: ['changing lookups', 'null amount', 'updates'],
  },
  'a lookup of sums': {
    query:
      'SELECT c.id, u.amount FROM (SELECT id, PROCTIME() AS t, n FROM (SELECT id, COUNT(*) AS n FROM clicks GROUP BY id)) AS c LEFT JOIN users FOR SYSTEM_TIME AS OF c.t AS u ON c.id = u.id',
    planner: ['changing lookups', 'keeps groups', 'null amount', 'updates'],
  },
  'a lookup of the last rows': {
    query:
      'SELECT c.id, u.amount FROM (SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY `at` DESC) AS n FROM clicks) WHERE n = 1) AS c JOIN users FOR SYSTEM_TIME AS OF c.proc_time AS u ON c.id = u.id',
    planner: ['changing lookups', 'keeps ranks', 'updates'],
  },
  'a lookup beside changes': {
    query:
      'SELECT c.id, u.amount FROM clicks AS c JOIN users FOR SYSTEM_TIME AS OF c.proc_time AS u ON c.id = u.id UNION ALL SELECT id, amount FROM orders',
    planner: ['updates'],
  },
  'a lookup in a view, joined with changes': {
    query: 'SELECT l.id, o.amount FROM looked_up AS l JOIN orders AS o ON o.id = l.id',
    views: { looked_up: 'SELECT c.id, u.amount FROM clicks AS c JOIN users FOR SYSTEM_TIME AS OF c.proc_time AS u ON c.id = u.id' },
    planner: ['changing joins', 'keeps joins', 'updates'],
  },
  'a lookup of a view of changes': {
    query: 'SELECT o.id, u.amount FROM recent_orders AS o JOIN users FOR SYSTEM_TIME AS OF o.proc_time AS u ON o.id = u.id',
    views: { recent_orders: 'SELECT * FROM orders WHERE amount > 5' },
    planner: ['changing lookups', 'updates'],
  },
  'a lookup, then a join': {
    query:
      'SELECT c.id, s.amount FROM clicks AS c JOIN users FOR SYSTEM_TIME AS OF c.proc_time AS u ON c.id = u.id JOIN shows AS s ON s.id = u.id',
    planner: ['keeps joins'],
  },
  'a lookup and a comparison': {
    query:
      'SELECT c.id, u.amount FROM clicks AS c LEFT JOIN users FOR SYSTEM_TIME AS OF c.proc_time AS u ON c.id = u.id WHERE u.amount > 5',
    planner: [],
  },
  'a lookup of a left join': {
    query:
      'SELECT c.id, u.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id LEFT JOIN users FOR SYSTEM_TIME AS OF c.proc_time AS u ON c.id = u.id',
    planner: ['changing lookups', 'keeps joins', 'null amount', 'updates'],
  },
  'two lookups': {
    query:
      'SELECT c.id, v.amount FROM clicks AS c LEFT JOIN users FOR SYSTEM_TIME AS OF c.proc_time AS u ON c.id = u.id LEFT JOIN users FOR SYSTEM_TIME AS OF c.proc_time AS v ON v.id = u.name',
    planner: ['null amount'],
  },

  // Subqueries in clauses.
  IN: {
    query: 'SELECT id, amount FROM clicks WHERE id IN (SELECT id FROM shows)',
    planner: ['keeps joins'],
  },
  'NOT IN': {
    query: 'SELECT id, amount FROM clicks WHERE id NOT IN (SELECT id FROM shows)',
    planner: ['keeps joins', 'updates'],
  },
  EXISTS: {
    query: 'SELECT c.id, c.amount FROM clicks AS c WHERE EXISTS (SELECT 1 FROM shows AS s WHERE s.id = c.id)',
    planner: ['keeps joins'],
  },
  'NOT EXISTS': {
    query: 'SELECT c.id, c.amount FROM clicks AS c WHERE NOT EXISTS (SELECT 1 FROM shows AS s WHERE s.id = c.id)',
    planner: ['keeps joins', 'updates'],
  },
  'IN of changes': {
    query: 'SELECT id, amount FROM clicks WHERE id IN (SELECT id FROM orders)',
    planner: ['changing joins', 'keeps joins', 'updates'],
  },
  'changes IN rows': {
    query: 'SELECT id, amount FROM orders WHERE id IN (SELECT id FROM clicks)',
    planner: ['changing joins', 'keeps joins', 'updates'],
  },
  'IN of sums': {
    query: 'SELECT id, amount FROM clicks WHERE id IN (SELECT id FROM shows GROUP BY id HAVING SUM(amount) > 5)',
    planner: ['changing joins', 'keeps groups', 'keeps joins', 'updates'],
  },
  'a scalar subquery': {
    query: 'SELECT id, (SELECT MAX(amount) FROM shows) FROM clicks',
    planner: ['changing joins', 'keeps groups', 'keeps joins', 'updates'],
    accepted: { 'keeps groups': ONE_GROUP },
  },
  'a scalar subquery of each row': {
    query: 'SELECT c.id, (SELECT MAX(s.amount) FROM shows AS s WHERE s.id = c.id) FROM clicks AS c',
    planner: ['changing joins', 'keeps groups', 'keeps joins', 'updates'],
    accepted: { 'keeps groups': IN_WORDS },
  },
  'a comparison with a scalar subquery': {
    query: 'SELECT id, amount FROM clicks WHERE amount > (SELECT AVG(amount) FROM shows)',
    planner: ['changing joins', 'keeps groups', 'keeps joins', 'updates'],
    accepted: { 'keeps groups': ONE_GROUP },
  },
  'a subquery in HAVING': {
    query: 'SELECT id, SUM(amount) FROM clicks GROUP BY id HAVING SUM(amount) > (SELECT MAX(amount) FROM shows)',
    planner: ['changing joins', 'keeps groups', 'keeps joins', 'updates'],
  },
  'a lateral subquery': {
    query: 'SELECT c.id, t.amount FROM clicks AS c, LATERAL (SELECT amount FROM shows AS s WHERE s.id = c.id) AS t',
    planner: ['keeps joins'],
  },
  'IN of values': {
    query: "SELECT id, amount FROM clicks WHERE id IN (SELECT * FROM (VALUES ('a'), ('b')) AS v (id))",
    planner: ['keeps joins'],
  },
  'a subquery without FROM': {
    query: 'SELECT id, (SELECT 1) FROM clicks',
    planner: ['changing joins', 'keeps groups', 'keeps joins', 'updates'],
    accepted: { 'changing joins': CONSTANT, 'keeps groups': CONSTANT, 'keeps joins': CONSTANT, updates: CONSTANT },
  },
  'a subquery that is a list': {
    query: 'SELECT id, amount FROM clicks WHERE (id, amount) IN (SELECT id, amount FROM shows)',
    planner: ['keeps joins'],
  },
  'a left join and IN': {
    query: 'SELECT c.id, s.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id WHERE s.id IN (SELECT id FROM orders)',
    planner: ['changing joins', 'keeps joins', 'null amount', 'updates'],
    accepted: { 'null amount': NO_ROW_LEFT },
  },
  ANY: {
    query: 'SELECT id, amount FROM clicks WHERE amount = ANY (SELECT amount FROM shows)',
    planner: ['keeps joins'],
  },

  // Functions of each row, and patterns.
  UNNEST: {
    query: 'SELECT id, CHAR_LENGTH(item) FROM clicks CROSS JOIN UNNEST(items) AS t (item)',
    planner: [],
  },
  'UNNEST by a comma': {
    query: 'SELECT id, CHAR_LENGTH(item) FROM clicks, UNNEST(items) AS t (item)',
    planner: [],
  },
  'a left UNNEST': {
    query: 'SELECT c.id, CHAR_LENGTH(t.item) FROM clicks AS c LEFT JOIN UNNEST(c.items) AS t (item) ON TRUE',
    planner: ['null amount'],
  },
  'a left UNNEST of a column': {
    query: 'SELECT t.item, c.amount FROM clicks AS c LEFT JOIN UNNEST(c.items) AS t (item) ON TRUE',
    planner: ['null id'],
  },
  'UNNEST with ordinality': {
    query: 'SELECT id, n FROM clicks CROSS JOIN UNNEST(items) WITH ORDINALITY AS t (item, n)',
    planner: [],
  },
  'UNNEST of changes': {
    query: 'SELECT id, CHAR_LENGTH(item) FROM orders CROSS JOIN UNNEST(items) AS t (item)',
    planner: ['updates'],
  },
  'a cross join with values': {
    query: 'SELECT c.id, v.n FROM clicks AS c CROSS JOIN (VALUES (1), (2)) AS v (n)',
    planner: ['keeps joins'],
  },
  'a match': {
    query:
      'SELECT id, top FROM clicks MATCH_RECOGNIZE (PARTITION BY id ORDER BY `at` MEASURES LAST(A.amount) AS top ONE ROW PER MATCH AFTER MATCH SKIP PAST LAST ROW PATTERN (A+ B) DEFINE A AS A.amount > 5, B AS B.amount <= 5) AS m',
    planner: ['keeps matches'],
    accepted: { 'keeps matches': NOT_BY_TTL },
  },
  'a match of WITHIN': {
    query:
      "SELECT id, top FROM clicks MATCH_RECOGNIZE (PARTITION BY id ORDER BY `at` MEASURES LAST(A.amount) AS top PATTERN (A+ B) WITHIN INTERVAL '1' HOUR DEFINE A AS A.amount > 5, B AS B.amount <= 5) AS m",
    planner: ['keeps matches'],
    accepted: { 'keeps matches': NOT_BY_TTL },
  },

  // Several of these.
  'a sum of a left join in a window': {
    query:
      "SELECT id, SUM(total) FROM TABLE(TUMBLE(TABLE enriched, DESCRIPTOR(`at`), INTERVAL '1' MINUTE)) GROUP BY id, window_start, window_end",
    views: {
      enriched:
        'SELECT c.id, c.`at`, u.amount AS total FROM clicks AS c LEFT JOIN users FOR SYSTEM_TIME AS OF c.proc_time AS u ON c.id = u.id',
    },
    planner: ['null amount'],
    accepted: { 'null amount': WITHIN_AN_AGGREGATE },
  },
  'a sum of two streams': {
    query: 'SELECT id, SUM(amount) FROM (SELECT id, amount FROM clicks UNION ALL SELECT id, amount FROM orders) GROUP BY id',
    planner: ['changing groups', 'keeps groups', 'updates'],
  },
  'a view that is read twice': {
    query: 'SELECT id, amount FROM twice UNION ALL SELECT id, amount FROM twice',
    views: { twice: 'SELECT id, SUM(amount) AS amount FROM clicks GROUP BY id' },
    planner: ['keeps groups', 'updates'],
  },
  'names in capitals': {
    query: 'select C.id, S.amount from clicks as C left join shows as S on C.id = S.id',
    planner: ['keeps joins', 'null amount', 'updates'],
  },
  'nested WITH': {
    query: 'WITH a AS (WITH b AS (SELECT id, amount FROM clicks) SELECT * FROM b) SELECT id, amount FROM a',
    planner: [],
  },
  'WITH of WITH': {
    query: 'WITH a AS (SELECT id, amount FROM clicks), b AS (SELECT id, SUM(amount) AS amount FROM a GROUP BY id) SELECT id, amount FROM b',
    planner: ['keeps groups', 'updates'],
  },
  'WITH that reads changes beside': {
    query:
      'WITH a AS (SELECT id, SUM(amount) AS amount FROM clicks GROUP BY id), b AS (SELECT id, amount FROM orders) SELECT id, amount FROM a UNION ALL SELECT id, amount FROM b',
    planner: ['keeps groups', 'updates'],
  },
  'WITH that joins rows beside changes': {
    query:
      'WITH a AS (SELECT c.id, s.amount FROM clicks AS c JOIN shows AS s ON c.id = s.id), b AS (SELECT id, amount FROM orders) SELECT id, amount FROM a UNION ALL SELECT id, amount FROM b',
    planner: ['keeps joins', 'updates'],
  },
  'a STATE_TTL hint on a join': {
    query: "SELECT /*+ STATE_TTL('c' = '1d', 's' = '2d') */ c.id, s.amount FROM clicks AS c JOIN shows AS s ON c.id = s.id",
    planner: [],
  },
  'a join hint': {
    query:
      "SELECT /*+ LOOKUP('table'='u', 'async'='false') */ c.id, u.amount FROM clicks AS c JOIN users FOR SYSTEM_TIME AS OF c.proc_time AS u ON c.id = u.id",
    planner: [],
  },
  'a bounded source': {
    query: 'SELECT id, SUM(amount) FROM ended GROUP BY id',
    planner: ['keeps groups', 'updates'],
    accepted: { 'keeps groups': ENDS },
  },
  'a bounded source and another': {
    query: 'SELECT c.id, e.amount FROM clicks AS c JOIN ended AS e ON c.id = e.id',
    planner: ['keeps joins'],
  },

  // What was found at their edges.
  'a sum of changes by what is no key': {
    query: 'SELECT name, SUM(amount) FROM orders GROUP BY name',
    planner: ['changing groups', 'keeps groups', 'updates'],
  },
  'the first row, or another': {
    query:
      'SELECT id, amount FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY `at`) AS n FROM clicks) WHERE n = 1 OR amount = 1',
    planner: ['keeps frames'],
    accepted: { 'keeps frames': NUMBERS },
  },
  'the first row, if it is large': {
    query:
      'SELECT id, amount FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY `at`) AS n FROM clicks) WHERE amount > 5 AND n = 1',
    planner: ['keeps ranks'],
  },
  'the least row of each key': {
    query: 'SELECT id, amount FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY amount) AS n FROM clicks) WHERE n = 1',
    planner: ['keeps ranks'],
    accepted: { updates: UPDATED },
  },
  'the first row by a lookup': {
    query:
      'SELECT f.id, u.amount FROM (SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY proc_time) AS n FROM clicks) WHERE n = 1) AS f JOIN users FOR SYSTEM_TIME AS OF f.proc_time AS u ON u.id = f.id',
    planner: ['keeps ranks'],
  },
  'the last row of a join': {
    query:
      'SELECT id, amount FROM (SELECT c.id, s.amount, ROW_NUMBER() OVER (PARTITION BY c.id ORDER BY c.amount DESC) AS n FROM clicks AS c JOIN shows AS s ON c.id = s.id) WHERE n = 1',
    planner: ['keeps joins', 'keeps ranks', 'updates'],
  },
  'the first row of a join': {
    query:
      'SELECT id, amount FROM (SELECT c.id, s.amount, ROW_NUMBER() OVER (PARTITION BY c.id ORDER BY c.`at`) AS n FROM clicks AS c JOIN shows AS s ON c.id = s.id) WHERE n = 1',
    planner: ['keeps joins', 'keeps ranks'],
    accepted: { updates: UPDATED },
  },
  'the first row of a star over USING': {
    query:
      'SELECT id, amount FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY `at`) AS n FROM (SELECT * FROM clicks JOIN (SELECT id FROM shows) AS s USING (id))) WHERE n = 1',
    planner: ['keeps joins', 'keeps ranks'],
    accepted: { 'keeps ranks': STAR },
  },
  'distinct rows of a window': {
    query: 'SELECT id, 1 FROM (SELECT DISTINCT id, window_start, window_end FROM clicks_by_minute)',
    planner: [],
  },
  'a limit of sums': {
    query: 'SELECT id, amount FROM (SELECT id, SUM(amount) AS amount FROM clicks GROUP BY id) LIMIT 3',
    planner: ['keeps groups', 'updates'],
  },
  'a limit by time': {
    query: 'SELECT id, amount FROM clicks ORDER BY `at` LIMIT 3',
    planner: ['updates'],
  },
  'an offset of an order': {
    query: 'SELECT id, amount FROM clicks ORDER BY amount LIMIT 3 OFFSET 2',
    planner: ['updates'],
  },
  'a limit of a union': {
    query: '(SELECT id, amount FROM clicks UNION ALL SELECT id, amount FROM shows) ORDER BY amount LIMIT 3',
    planner: ['updates'],
  },
  'NOT of IN': {
    query: 'SELECT id, amount FROM clicks WHERE NOT (id IN (SELECT id FROM shows))',
    planner: ['keeps joins', 'updates'],
  },
  'IN in parentheses': {
    query: 'SELECT id, amount FROM clicks WHERE (amount > 1 AND (id IN (SELECT id FROM shows)))',
    planner: ['keeps joins'],
  },
  'IN or something else': {
    query: 'SELECT id, amount FROM clicks WHERE id IN (SELECT id FROM shows) OR amount > 5',
    planner: ['changing joins', 'keeps groups', 'keeps joins', 'updates'],
    accepted: { 'changing joins': AS_YOUNG, 'keeps groups': IN_WORDS },
  },
  'IN as a value': {
    query: 'SELECT id, CASE WHEN id IN (SELECT id FROM shows) THEN 1 ELSE 0 END FROM clicks',
    planner: ['changing joins', 'keeps groups', 'keeps joins', 'updates'],
    accepted: { 'changing joins': AS_YOUNG, 'keeps groups': IN_WORDS },
  },
  'EXISTS that is not of each row': {
    query: 'SELECT id, amount FROM clicks WHERE EXISTS (SELECT 1 FROM shows WHERE amount > 5)',
    planner: ['changing joins', 'keeps groups', 'keeps joins', 'updates'],
    accepted: { 'changing joins': AS_YOUNG, 'keeps groups': IN_WORDS, updates: ONCE },
  },
  'EXISTS of WITH': {
    query: 'SELECT id, amount FROM clicks WHERE EXISTS (WITH s AS (SELECT id AS k FROM shows) SELECT 1 FROM s WHERE s.k = clicks.id)',
    planner: ['keeps joins'],
  },
  ALL: {
    query: 'SELECT id, amount FROM clicks WHERE amount > ALL (SELECT amount FROM shows)',
    planner: ['changing joins', 'keeps groups', 'keeps joins', 'updates'],
    accepted: { 'changing joins': AS_YOUNG, 'keeps groups': ONE_GROUP },
  },
  'an interval join of WITH': {
    query:
      "WITH c AS (SELECT id, `at` AS t FROM clicks) SELECT c.id, s.amount FROM c JOIN shows AS s ON c.id = s.id AND s.`at` BETWEEN c.t - INTERVAL '1' HOUR AND c.t",
    planner: [],
  },
  'an interval of a casted time': {
    query:
      "SELECT c.id, s.amount FROM (SELECT id, CAST(`at` AS TIMESTAMP(3)) AS t FROM clicks) AS c JOIN shows AS s ON c.id = s.id AND s.`at` BETWEEN c.t - INTERVAL '1' HOUR AND c.t",
    planner: ['keeps joins'],
  },
  'an interval of a grouped time': {
    query:
      "SELECT c.id, s.amount FROM (SELECT id, MAX(`at`) AS t FROM clicks GROUP BY id) AS c JOIN shows AS s ON c.id = s.id AND s.`at` BETWEEN c.t - INTERVAL '1' HOUR AND c.t",
    planner: ['changing joins', 'keeps groups', 'keeps joins', 'updates'],
  },
  'an interval of window_time': {
    query:
      "SELECT c.id, s.amount FROM (SELECT id, window_time AS t, SUM(amount) AS amount FROM clicks_by_minute GROUP BY id, window_start, window_end, window_time) AS c JOIN shows AS s ON c.id = s.id AND s.`at` BETWEEN c.t - INTERVAL '1' HOUR AND c.t",
    planner: [],
  },
  'an interval of a legacy window': {
    query:
      "SELECT c.id, s.amount FROM (SELECT id, TUMBLE_ROWTIME(`at`, INTERVAL '1' MINUTE) AS t, SUM(amount) AS amount FROM clicks GROUP BY id, TUMBLE(`at`, INTERVAL '1' MINUTE)) AS c JOIN shows AS s ON c.id = s.id AND s.`at` BETWEEN c.t - INTERVAL '1' HOUR AND c.t",
    planner: [],
  },
  'an interval of a union': {
    query:
      "SELECT c.id, s.amount FROM (SELECT id, `at` AS t FROM clicks UNION ALL SELECT id, `at` FROM shows) AS c JOIN shows AS s ON c.id = s.id AND s.`at` BETWEEN c.t - INTERVAL '1' HOUR AND c.t",
    planner: [],
  },
  'an interval after a join': {
    query:
      "SELECT c.id, p.amount FROM clicks AS c JOIN shows AS s ON c.id = s.id JOIN shows AS p ON p.id = c.id AND p.`at` BETWEEN c.`at` - INTERVAL '1' HOUR AND c.`at`",
    planner: ['keeps joins'],
  },
  'an interval after a lookup': {
    query:
      "SELECT c.id, p.amount FROM clicks AS c LEFT JOIN users FOR SYSTEM_TIME AS OF c.proc_time AS u ON u.id = c.id JOIN shows AS p ON p.id = c.id AND p.`at` BETWEEN c.`at` - INTERVAL '1' HOUR AND c.`at`",
    planner: [],
  },
  'an interval and NOT': {
    query:
      "SELECT c.id, s.amount FROM clicks AS c JOIN shows AS s ON c.id = s.id AND NOT (s.`at` < c.`at` - INTERVAL '1' HOUR OR s.`at` > c.`at`)",
    planner: [],
    accepted: { 'keeps joins': COARSE },
  },
  'an interval by DATEDIFF': {
    query: 'SELECT c.id, s.amount FROM clicks AS c JOIN shows AS s ON c.id = s.id AND TIMESTAMPDIFF(HOUR, c.`at`, s.`at`) BETWEEN 0 AND 1',
    planner: ['keeps joins'],
  },
  'a semi interval join': {
    query:
      "SELECT c.id, c.amount FROM clicks AS c WHERE EXISTS (SELECT 1 FROM shows AS s WHERE s.id = c.id AND s.`at` BETWEEN c.`at` - INTERVAL '1' HOUR AND c.`at`)",
    planner: ['keeps joins'],
  },
  'a window join of three': {
    query:
      'SELECT c.id, p.amount FROM clicks_by_minute AS c JOIN shows_by_minute AS s ON c.id = s.id AND c.window_start = s.window_start AND c.window_end = s.window_end JOIN shows AS p ON p.id = c.id',
    planner: ['keeps joins'],
  },
  'a window join under other names': {
    query:
      'SELECT c.id, s.amount FROM (SELECT id, window_start AS f, window_end AS t FROM clicks_by_minute) AS c JOIN (SELECT id, amount, window_start AS f, window_end AS t FROM shows_by_minute) AS s ON c.id = s.id AND c.f = s.f AND c.t = s.t',
    planner: [],
  },
  'a sum of a window join': {
    query:
      'SELECT c.id, SUM(s.amount) FROM clicks_by_minute AS c JOIN shows_by_minute AS s ON c.id = s.id AND c.window_start = s.window_start AND c.window_end = s.window_end GROUP BY c.id, c.window_start, c.window_end',
    planner: [],
  },
  'a window over a window by its columns': {
    query:
      "SELECT 'all', SUM(total) FROM (SELECT id, window_start, window_end, SUM(amount) AS total FROM clicks_by_minute GROUP BY id, window_start, window_end) GROUP BY window_start, window_end",
    planner: [],
  },
  'a filter between windows': {
    query:
      "SELECT 'all', SUM(total) FROM (SELECT id, window_start, window_end, SUM(amount) AS total FROM clicks_by_minute GROUP BY id, window_start, window_end HAVING SUM(amount) > 1) WHERE total > 5 GROUP BY window_start, window_end",
    planner: [],
  },
  'a left join whose side is filtered in a subquery': {
    query: 'SELECT c.id, s.amount FROM clicks AS c LEFT JOIN (SELECT * FROM shows WHERE amount > 5) AS s ON c.id = s.id',
    planner: ['keeps joins', 'null amount', 'updates'],
  },
  'a left join of an outer side that is joined by a comma': {
    query: 'SELECT c.id, s.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id, prices AS p WHERE p.id = c.id',
    planner: ['changing joins', 'keeps joins', 'keeps rows of a source', 'null amount', 'updates'],
    accepted: { 'keeps rows of a source': AS_THE_TABLE },
  },
  'both sides null': {
    query: 'SELECT c.id, s.amount FROM clicks AS c FULL JOIN shows AS s ON c.id = s.id FULL JOIN orders AS o ON o.id = s.id',
    planner: ['changing joins', 'keeps joins', 'null amount', 'null id', 'updates'],
  },
  'a right join after a left join': {
    query: 'SELECT p.id, c.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id RIGHT JOIN orders AS p ON p.id = c.id',
    planner: ['changing joins', 'keeps joins', 'null amount', 'updates'],
  },
  'a right join before a comparison of its left': {
    query: 'SELECT s.id, t.amount FROM clicks AS c JOIN shows AS t ON t.id = c.id RIGHT JOIN orders AS s ON s.id = c.id WHERE c.amount > 5',
    planner: ['changing joins', 'keeps joins', 'updates'],
  },
  'concatenation over no match': {
    query: 'SELECT c.id || s.id, c.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id',
    planner: ['keeps joins', 'null id', 'updates'],
  },
  'a negative of no match': {
    query: 'SELECT c.id, -s.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id',
    planner: ['keeps joins', 'null amount', 'updates'],
  },
  NULLIF: {
    query: 'SELECT c.id, NULLIF(c.amount, 0) FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id',
    planner: ['keeps joins', 'null amount', 'updates'],
    accepted: { 'null amount': NO_JOIN },
  },
  'a constant beside no match': {
    query: 'SELECT c.id, CASE WHEN s.id IS NULL THEN 1 ELSE 2 END FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id',
    planner: ['keeps joins', 'updates'],
  },
  'IS NOT NULL as a value': {
    query:
      "SELECT c.id, CAST(s.id IS NOT NULL AS BIGINT) FROM (SELECT id FROM clicks) AS c LEFT JOIN shows AS s ON c.id = s.id WHERE c.id <> 'x'",
    planner: ['keeps joins', 'updates'],
  },
  'a column with the name of its table': {
    query: 'SELECT shows.id, shows.amount FROM clicks LEFT JOIN shows ON clicks.id = shows.id',
    planner: ['keeps joins', 'null amount', 'null id', 'updates'],
  },
  'a quoted table name': {
    query: 'SELECT c.id, `s 1`.amount FROM clicks AS c LEFT JOIN shows AS `s 1` ON c.id = `s 1`.id',
    planner: ['keeps joins', 'null amount', 'updates'],
  },
  'a hint and a left join': {
    query: "SELECT /*+ STATE_TTL('c' = '1d', 's' = '2d') */ c.id, s.amount FROM clicks AS c LEFT JOIN shows AS s ON c.id = s.id",
    planner: ['null amount', 'updates'],
  },

  // What a table itself may leave null.
  'columns that may be null': {
    query: 'SELECT name, amount FROM payments',
    planner: ['null amount', 'null id', 'updates'],
  },
  'the key of a table beside them': {
    query: 'SELECT id, 1 FROM payments',
    planner: ['updates'],
  },
  'columns that may be null, compared': {
    query: 'SELECT name, amount FROM payments WHERE name IS NOT NULL AND amount > 5',
    planner: ['updates'],
  },
  'columns that may be null in a view': {
    query: 'SELECT n, a FROM view_of_payments',
    views: { view_of_payments: 'SELECT p.name AS n, p.* FROM (SELECT name, amount AS a FROM payments) AS p' },
    planner: ['null amount', 'null id', 'updates'],
  },
  'a column that may be null, compared in a view': {
    query: 'SELECT name, 1 FROM known_payments',
    views: { known_payments: 'SELECT * FROM payments WHERE CHAR_LENGTH(name) > 0' },
    planner: ['null id', 'updates'],
    accepted: { 'null id': NAMED },
  },
  'a value for a column that may be null': {
    query: "SELECT COALESCE(name, ''), IFNULL(amount, 0) FROM payments",
    planner: ['updates'],
  },
  'groups of a column that may be null': {
    query: 'SELECT name, COUNT(*) FROM payments GROUP BY name',
    planner: ['changing groups', 'keeps groups', 'null id', 'updates'],
  },
  'groups of a column that may be null, and HAVING': {
    query: 'SELECT name, COUNT(*) FROM payments GROUP BY name HAVING name IS NOT NULL',
    planner: ['changing groups', 'keeps groups', 'updates'],
  },
  'a join by a column that may be null': {
    query: 'SELECT p.name, c.amount FROM payments AS p JOIN clicks AS c ON c.id = p.name',
    planner: ['changing joins', 'keeps joins', 'updates'],
  },
  'a left join by a column that may be null': {
    query: 'SELECT p.name, c.amount FROM payments AS p LEFT JOIN clicks AS c ON c.id = p.name',
    planner: ['changing joins', 'keeps joins', 'null amount', 'null id', 'updates'],
  },
  'a column that may be null or is one of two': {
    query: "SELECT name, 1 FROM payments WHERE name = 'a' OR name = 'b'",
    planner: ['updates'],
  },
  'a column that may be null, named in a condition': {
    query: "SELECT name, 1 FROM payments WHERE name = 'a' OR amount > 5",
    planner: ['null id', 'updates'],
    accepted: { 'null id': NAMED },
  },
  'a union with a column that may be null': {
    query: 'SELECT id, 1 FROM clicks UNION ALL SELECT name, 1 FROM payments',
    planner: ['null id', 'updates'],
  },

  // Sums of what a query has made.
  'a count of counts': {
    query: 'SELECT CAST(n AS STRING), COUNT(*) FROM (SELECT id, COUNT(*) AS n FROM clicks GROUP BY id) GROUP BY n',
    planner: ['changing groups', 'keeps groups', 'updates'],
  },
  'a sum of all sums': {
    query: "SELECT 'all', SUM(amount) FROM (SELECT id, SUM(amount) AS amount FROM clicks GROUP BY id)",
    planner: ['changing groups', 'keeps groups', 'updates'],
  },
  'a sum of distinct rows': {
    query: 'SELECT id, SUM(amount) FROM (SELECT DISTINCT id, name, amount FROM clicks) GROUP BY id',
    planner: ['changing groups', 'keeps groups', 'updates'],
  },
  'distinct sums': {
    query: "SELECT DISTINCT 'a', amount FROM (SELECT id, SUM(amount) AS amount FROM clicks GROUP BY id)",
    planner: ['changing groups', 'keeps groups', 'updates'],
  },
  'a sum of the last rows': {
    query:
      'SELECT name, SUM(amount) FROM (SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY `at` DESC) AS n FROM clicks) WHERE n = 1) GROUP BY name',
    planner: ['changing groups', 'keeps groups', 'keeps ranks', 'updates'],
  },
  'a sum of the first rows': {
    query:
      'SELECT name, SUM(amount) FROM (SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY `at`) AS n FROM clicks) WHERE n = 1) GROUP BY name',
    planner: ['keeps groups', 'keeps ranks', 'updates'],
  },
  'a sum of the least rows': {
    query:
      'SELECT name, SUM(amount) FROM (SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY amount) AS n FROM clicks) WHERE n = 1) GROUP BY name',
    planner: ['keeps groups', 'keeps ranks', 'updates'],
    accepted: { 'changing groups': UPDATED },
  },
  'a sum of a limit': {
    query: 'SELECT id, SUM(amount) FROM (SELECT * FROM clicks ORDER BY amount LIMIT 3) GROUP BY id',
    planner: ['changing groups', 'keeps groups', 'updates'],
  },
  'a sum beside a subquery': {
    query: 'SELECT id, SUM(amount) + (SELECT MAX(amount) FROM shows) FROM clicks GROUP BY id',
    planner: ['changing joins', 'keeps groups', 'keeps joins', 'updates'],
  },
  'the greatest row of each key': {
    query: 'SELECT id, amount FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY amount DESC) AS n FROM clicks) WHERE n = 1',
    planner: ['keeps ranks', 'updates'],
  },
  'the least row by two columns': {
    query: 'SELECT id, amount FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY amount, name) AS n FROM clicks) WHERE n = 1',
    planner: ['keeps ranks'],
    accepted: { updates: UPDATED },
  },
  'the least row, and the greatest of these': {
    query: 'SELECT id, amount FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY amount, name DESC) AS n FROM clicks) WHERE n = 1',
    planner: ['keeps ranks'],
    accepted: { updates: UPDATED },
  },
  'the greatest row, and the least of these': {
    query: 'SELECT id, amount FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY amount DESC, name) AS n FROM clicks) WHERE n = 1',
    planner: ['keeps ranks'],
    accepted: { updates: UPDATED },
  },
  'the least row of changes': {
    query: 'SELECT id, amount FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY name ORDER BY amount) AS n FROM orders) WHERE n = 1',
    planner: ['changing ranks', 'keeps ranks', 'updates'],
  },
};
