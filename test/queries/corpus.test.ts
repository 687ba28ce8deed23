import { readQuery } from '../../lib/queries/query-reader';
import { CORPUS } from './corpus';
import { EXPRESSIONS } from './expressions';
import { MIRRORS } from './mirrors';
import { materialized, readerFacts, refusedByAppendOnlySink, warningsOfEventTime } from './reader-facts';
import { programOf } from './tables';

const TITLES = Object.keys(CORPUS);
const QUERIES = Object.values(CORPUS);

describe('the readers of queries, beside Flink’s planner', () => {
  const facts = readerFacts(QUERIES);

  test.each(TITLES)('agree, but for what is accepted: %s', (title) => {
    const { planner, accepted = {} } = CORPUS[title]!;
    const differences = Object.keys(accepted);
    const owed = [...planner.filter((fact) => !differences.includes(fact)), ...differences.filter((fact) => !planner.includes(fact))];
    expect(facts[TITLES.indexOf(title)]).toEqual(owed.sort());
  });
});

test('a sink that only appends is refused no query whose rows the planner only adds', () => {
  const refused = refusedByAppendOnlySink(QUERIES);
  expect(refused.length).toBeGreaterThan(50);
  expect(refused.filter((number) => !QUERIES[number]!.planner.includes('updates')).map((number) => TITLES[number])).toEqual([]);
});

test('a query that is cut off anywhere is read as far as it goes', () => {
  const program = programOf([QUERIES[0]!]);
  const table = program._tables().at(-1)!;
  for (const { query } of QUERIES) {
    for (const { index } of query.matchAll(/\s/g)) {
      try {
        program.addInsert(table, query.slice(0, index));
      } catch {
        // Refused: parentheses or quotes do not match, or it begins with no query.
      }
    }
  }
  expect(program._inserts().length).toBeGreaterThan(1000);
  expect(() => program._inserts().map(({ query }) => readQuery(query))).not.toThrow();
});

test.each(Object.entries(EXPRESSIONS))(
  'the type of an event time is read as the planner does, or not at all: %s',
  (expression, { planner, accepted }) => {
    const warned = warningsOfEventTime(expression).some((message) => / of job 'orders' can be null/.test(message));
    expect(warned).toBe(accepted === undefined ? planner : !planner);
  },
);

test('a materializer is seen where the planner puts one, but for what is accepted', () => {
  const titles = Object.keys(MIRRORS);
  expect(materialized(Object.values(MIRRORS)).map((number) => titles[number])).toEqual(
    titles.filter((title) => MIRRORS[title]!.planner && MIRRORS[title]!.accepted === undefined),
  );
});
