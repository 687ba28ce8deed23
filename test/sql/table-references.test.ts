import { checkExpression } from '../../lib/sql/sql-scanner';
import { tableReferences } from '../../lib/sql/table-references';

function referencesOf(query: string): string[] {
  return [...new Set(tableReferences(checkExpression('query', query).tokens).map((reference) => reference.name))];
}

test.each<[string, string, string[]]>([
  ['a table', 'SELECT a, b FROM t', ['t']],
  ['an alias', 'SELECT x.a FROM t AS x WHERE x.a > 1', ['t']],
  ['an alias without AS', 'SELECT x.a FROM t x', ['t']],
  ['lower case', 'select a from t join u on t.a = u.a', ['t', 'u']],
  ['no space around', 'SELECT(a)FROM`t`WHERE(a>1)', ['t']],
  ['a quoted name', 'SELECT * FROM `my table`', ['my table']],
  ['a quoted name with a dot, a quote and a keyword', 'SELECT * FROM `a.b`, `c``d`, `select`', ['a.b', 'c`d', 'select']],
  ['the default database', 'SELECT * FROM default_catalog.default_database.t, `default_database`.`u`', ['t', 'u']],
  ['another catalogue or database', 'SELECT * FROM hive.db.t JOIN db.u ON TRUE', []],
  ['a column named like a table', 'SELECT t.`orders`, t.u.v FROM t', ['t']],
  [
    'joins',
    'SELECT * FROM a JOIN b ON a.x = b.x LEFT JOIN c USING (x) FULL OUTER JOIN d ON TRUE NATURAL JOIN e',
    ['a', 'b', 'c', 'd', 'e'],
  ],
  ['a list of tables', 'SELECT * FROM a AS x, b y, c WHERE x.i IN (1, y.j)', ['a', 'b', 'c']],
  ['a list after a join', 'SELECT * FROM a JOIN b ON a.x = COALESCE(b.x, b.y), c', ['a', 'b', 'c']],
  ['a join in parentheses', 'SELECT * FROM (a JOIN b ON a.x = b.x)', ['a', 'b']],
  ['no list after GROUP BY and ORDER BY', 'SELECT x, y FROM a GROUP BY x, y HAVING x > 1 ORDER BY x, y LIMIT 1', ['a']],
  ['no list after WINDOW', 'SELECT SUM(x) OVER w FROM a WINDOW w AS (ORDER BY y), v AS (ORDER BY z)', ['a']],
  ['QUALIFY', 'SELECT x FROM a QUALIFY ROW_NUMBER() OVER (PARTITION BY x, y ORDER BY z) = 1', ['a']],
  ['a lookup join', 'SELECT * FROM a AS e LEFT JOIN dim FOR SYSTEM_TIME AS OF e.proc_time AS u ON e.id = u.id', ['a', 'dim']],
  ['a window function', "SELECT * FROM TABLE(TUMBLE(TABLE a, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) GROUP BY b, c", ['a']],
  ['a window function without TABLE', "SELECT * FROM HOP(TABLE `a`, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '5' MINUTE)", ['a']],
  ['named arguments', "SELECT * FROM TABLE(TUMBLE(DATA => TABLE a, TIMECOL => DESCRIPTOR(ts), SIZE => INTERVAL '1' MINUTE))", ['a']],
  ['a partitioned argument', "SELECT * FROM SESSION(TABLE a PARTITION BY (x, y), DESCRIPTOR(ts), INTERVAL '1' MINUTE), b", ['a', 'b']],
  ['a query as argument', "SELECT * FROM TUMBLE((SELECT * FROM a), DESCRIPTOR(ts), INTERVAL '1' MINUTE)", ['a']],
  ['a lateral table function', 'SELECT * FROM a, LATERAL TABLE(split(a.words, b.x)) AS s (word, `length`), c', ['a', 'c']],
  ['a lateral query', 'SELECT * FROM a CROSS JOIN LATERAL (SELECT * FROM b WHERE b.x = a.x) AS s', ['a', 'b']],
  ['UNNEST', 'SELECT * FROM a CROSS JOIN UNNEST(a.items) WITH ORDINALITY AS i (item, n), b', ['a', 'b']],
  ['UNNEST in a list', 'SELECT * FROM a, UNNEST(a.items) AS i (item), b', ['a', 'b']],
  [
    'FROM within functions',
    "SELECT EXTRACT(DAY FROM ts), TRIM(BOTH ' ' FROM s), SUBSTRING(s FROM 2), OVERLAY(s PLACING 'x' FROM 1) FROM a",
    ['a'],
  ],
  [
    'FROM within functions, nested',
    'SELECT EXTRACT(DAY FROM (SELECT MAX(ts) FROM a)) FROM b WHERE TRIM(LEADING FROM (s)) IS NULL',
    ['a', 'b'],
  ],
  ['IS DISTINCT FROM', 'SELECT * FROM a JOIN b ON a.x IS NOT DISTINCT FROM b.x AND a.y IS DISTINCT FROM c', ['a', 'b']],
  ['SELECT DISTINCT', 'SELECT DISTINCT x FROM a', ['a']],
  [
    'MATCH_RECOGNIZE',
    'SELECT * FROM a MATCH_RECOGNIZE (PARTITION BY x ORDER BY ts MEASURES FIRST(A.y) AS y, LAST(B.y) AS z ONE ROW PER MATCH AFTER MATCH SKIP TO NEXT ROW PATTERN (A B+) DEFINE A AS (A.y > 1), B AS (B.y < 1)) AS m, B',
    ['a', 'B'],
  ],
  ['a query in FROM', 'SELECT * FROM (SELECT * FROM (SELECT * FROM a) AS x, b) AS y, c', ['a', 'b', 'c']],
  [
    'queries in WHERE and SELECT',
    'SELECT (SELECT MAX(x) FROM a) FROM b WHERE x IN (SELECT x FROM c) AND EXISTS (SELECT 1 FROM d WHERE d.x = b.x)',
    ['a', 'b', 'c', 'd'],
  ],
  ['set operations', 'SELECT x, y FROM a UNION ALL SELECT x, y FROM b INTERSECT (SELECT * FROM c) EXCEPT TABLE d', ['a', 'b', 'c', 'd']],
  ['TABLE', 'TABLE `a`', ['a']],
  ['VALUES', "SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS v (x, y), a", ['a']],
  ['hints', "SELECT /*+ LOOKUP('table'='x, FROM z') */ * FROM a /*+ OPTIONS('k'='FROM y') */ AS b, c", ['a', 'c']],
  ['comments', 'SELECT * -- FROM x\nFROM /* b, */ a // , c\n, d -- ;', ['a', 'd']],
  ['a comment that a carriage return ends', 'SELECT * -- all\rFROM a', ['a']],
  ['strings', "SELECT 'FROM x', 'it''s FROM y' FROM a WHERE b = ' JOIN c'", ['a']],
  ['types', 'SELECT CAST(x AS ROW<a INT, b STRING>), CAST(y AS TIMESTAMP(3) WITH LOCAL TIME ZONE) FROM a', ['a']],
  ['JSON', "SELECT JSON_QUERY(j, '$.x' WITH CONDITIONAL ARRAY WRAPPER), JSON_OBJECT(KEY 'k' VALUE v NULL ON NULL) FROM a", ['a']],
  ['a filter and an OVER window', 'SELECT COUNT(*) FILTER (WHERE x > 1), SUM(y) OVER (PARTITION BY a, b ORDER BY c) FROM t', ['t']],
  ['a function named like a table', 'SELECT a, orders(x) FROM orders', ['orders']],
  ['an unknown catalogue function', 'SELECT * FROM cat.db.f(TABLE a)', ['a']],
])('%s', (_, query, references) => {
  expect(referencesOf(query)).toEqual(references);
});

describe('WITH', () => {
  test.each<[string, string, string[]]>([
    ['is no table', 'WITH q AS (SELECT * FROM a) SELECT * FROM q', ['a']],
    ['several', 'WITH q AS (SELECT * FROM a), `r s` AS (SELECT * FROM q JOIN b ON TRUE) SELECT * FROM `r s`, c', ['a', 'b', 'c']],
    ['columns', 'WITH q (x, y) AS (SELECT * FROM a), r (z) AS (SELECT x FROM q) SELECT * FROM r', ['a']],
    ['hides a table of its name from its end on only', 'WITH a AS (SELECT * FROM a) SELECT * FROM a', ['a']],
    ['hides a table of its name from its end on only, with columns', 'WITH a (x) AS (SELECT * FROM a) SELECT * FROM a', ['a']],
    ['hides no table of a path', 'WITH a AS (SELECT 1 AS x) SELECT * FROM default_database.a', ['a']],
    ['holds within its parentheses', 'SELECT * FROM (WITH q AS (SELECT * FROM a) SELECT * FROM q), q', ['a', 'q']],
    [
      'holds in the queries within',
      'WITH q AS (SELECT * FROM a) SELECT * FROM b WHERE EXISTS (SELECT 1 FROM q WHERE q.x IN (SELECT x FROM q))',
      ['a', 'b'],
    ],
    ['nested', 'WITH q AS (WITH r AS (SELECT * FROM a) SELECT * FROM r) SELECT * FROM q, r', ['a', 'r']],
    ['holds in a set operation', 'WITH q AS (SELECT * FROM a) SELECT x FROM q UNION ALL SELECT x FROM q', ['a']],
    ['no list of names after it', 'WITH q AS (SELECT * FROM a) SELECT x, y, b FROM q, b', ['a', 'b']],
    ['around VALUES', 'WITH q AS (VALUES (1, 2), (3, 4)) SELECT * FROM q, a', ['a']],
    ['around TABLE', 'WITH q AS (TABLE a) TABLE q', ['a']],
  ])('%s', (_, query, references) => {
    expect(referencesOf(query)).toEqual(references);
  });
});

test.each([
  ['SELECT * FROM a JOIN b FOR SYSTEM_TIME AS OF a.now AS c ON TRUE', [false, true]],
  ['SELECT * FROM a JOIN `b` /*+ LOOKUP() */ for system_time as of a.now ON TRUE', [false, true]],
  ["SELECT * FROM a JOIN b AS c ON c.id = 'FOR SYSTEM_TIME AS OF'", [false, false]],
])('%s: probed at a point in time %j', (query, temporal) => {
  expect(tableReferences(checkExpression('query', query).tokens).map((reference) => reference.temporal)).toEqual(temporal);
});
