import { triedValues } from '../../lib/planner/tried-values';

/** Names of which values or casts are known, and those of tables, which no column has. */
function namesOf(script: string): string[] {
  return [...triedValues(script).keys()].sort();
}

test('words of SQL are no columns, nor is what an INSERT or a view is called', () => {
  const where = "NOT is_test AND name LIKE 'a%' AND at > TIMESTAMP '2026-05-01 00:00:00' AND amount BETWEEN 1 AND 2 AND deleted_at IS NULL";
  const columns = ['amount', 'at', 'deleted_at', 'is_test', 'name', 'orders', 'user_id'];
  expect(namesOf(`INSERT INTO totals SELECT user_id FROM orders WHERE ${where};`)).toEqual(columns);
  expect(namesOf(`CREATE TEMPORARY VIEW totals AS SELECT user_id FROM orders WHERE ${where};`)).toEqual(columns);
  expect(namesOf("INSERT INTO totals PARTITION (dt = 'x') SELECT user_id FROM orders;")).toEqual(['orders', 'user_id']);
});

test('a column may be called as a unit of time where Flink takes that, or in backquotes', () => {
  const tried = triedValues("INSERT INTO t SELECT id FROM orders WHERE days > 7 AND week = 5 AND `date` = '2026-05-01';");
  expect([...tried.get('days')!.values]).toEqual([8, 6]);
  expect([...tried.get('week')!.values]).toEqual([5]);
  expect([...tried.get('date')!.values]).toEqual(['2026-05-01']);
});
