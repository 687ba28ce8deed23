import type { Plan, PlannedOperator, PlanReport } from '../../../lib/planner/plan-report';
import type { PlannerProcess } from '../../../lib/planner/planner-process';
import { CORPUS } from '../../queries/corpus';
import { EXPRESSIONS } from '../../queries/expressions';
import { MIRRORS } from '../../queries/mirrors';
import { mirrored, programOf, type Query, TARGETS } from '../../queries/tables';
import { startPlanner } from './planner';

jest.setTimeout(600_000);

const TITLES = Object.keys(CORPUS);
const QUERIES = Object.values(CORPUS);

/** Operators by what the corpus calls them. */
const KINDS: [RegExp, string][] = [
  [/GroupAggregate$/, 'groups'],
  [/^(Multi)?Join$/, 'joins'],
  [/^(Rank|Deduplicate)$/, 'ranks'],
  [/^OverAggregate$/, 'frames'],
  [/^LookupJoin$/, 'lookups'],
  [/^ChangelogNormalize$/, 'rows of a source'],
  [/^TemporalJoin$/, 'versions'],
  [/^Match$/, 'matches'],
];

let planner: PlannerProcess;
/** What the planner says of each query, by its title. */
let facts: { [title: string]: string[] };

beforeAll(async () => {
  planner = startPlanner();
  const plan = await planned(QUERIES);
  const nulls = await nullsOf(QUERIES);
  facts = Object.fromEntries(TITLES.map((title, number) => [title, [...factsOf(plan, number), ...nulls[number]!].sort()]));
});
afterAll(() => planner.close());

/** All in one script: a plan costs little more than its queries, and a script much. */
async function planned(queries: Query[]): Promise<Plan> {
  const { plan, statements }: PlanReport = await planner.plan({ script: programOf(queries).toSql() });
  if (plan === undefined) {
    throw new Error(statements.flatMap(({ errors, summary }) => errors.map((error) => `${summary}: ${error}`)).join('\n'));
  }
  return plan;
}

function factsOf(plan: Plan, number: number): string[] {
  const facts = new Set<string>();
  const { operator, changes } = plan.sinks[number]!;
  if (isChanging(changes)) {
    facts.add('updates');
  }
  for (const { type, state, inputs } of above(plan, operator)) {
    const [, kind] = KINDS.find(([types]) => types.test(type)) ?? [];
    if (state?.bounded === false) {
      facts.add(`keeps ${kind ?? type}`);
    }
    if (/^(groups|joins|ranks|lookups)$/.test(kind ?? '') && inputs.some((input) => isChanging(operatorOf(plan, input.operator).changes))) {
      facts.add(`changing ${kind}`);
    }
  }
  return [...facts];
}

/**
 * The planner does not say what may be null, but it leaves out a filter for what never is, and all beneath it: a query of which it is asked
 * for the nulls of a column is empty then. It is asked of queries with an outer join, and of those that read `payments`.
 */
async function nullsOf(queries: Query[]): Promise<string[][]> {
  const names = TARGETS.map((name) => `\`${name}\``).join(', ');
  const asked = queries.flatMap(({ query, views = {} }, number) =>
    /\b(LEFT|RIGHT|FULL|payments)\b(?! ?\()/i.test([query, ...Object.values(views)].join())
      ? TARGETS.map((column, place) => ({
          number,
          column,
          query: `SELECT 'a', 1 FROM (${query}\n) AS asked (${names}) WHERE \`${column}\` IS NULL`,
          views: place === 0 ? views : {},
        }))
      : [],
  );
  const plan = await planned(asked);
  const nullable = asked.filter((_, index) => above(plan, plan.sinks[index]!.operator).some(({ type }) => type === 'TableSourceScan'));
  return queries.map((_, number) => nullable.filter((one) => one.number === number).map(({ column }) => `null ${column}`));
}

/** An operator and all that it reads. */
function above(plan: Plan, start: number): PlannedOperator[] {
  const found = new Map<number, PlannedOperator>();
  const visit = (id: number): void => {
    if (!found.has(id)) {
      const operator = operatorOf(plan, id);
      found.set(id, operator);
      for (const input of operator.inputs) {
        visit(input.operator);
      }
    }
  };
  visit(start);
  return [...found.values()];
}

function operatorOf(plan: Plan, id: number): PlannedOperator {
  return plan.operators[id - 1]!;
}

function isChanging(changes: string[] | undefined): boolean {
  return changes?.some((kind) => kind !== '+I') ?? false;
}

test.each(TITLES)('the planner judges as the corpus says: %s', (title) => {
  expect(facts[title]).toEqual([...CORPUS[title]!.planner].sort());
});

test('types of event times are nullable as the corpus says', async () => {
  const expressions = Object.keys(EXPRESSIONS);
  const plan = await planned(expressions.map((expression) => ({ query: `SELECT 'a', 1 FROM raws WHERE (${expression}) IS NULL` })));
  const nullable = expressions.map((_, index) => above(plan, plan.sinks[index]!.operator).some(({ type }) => type === 'TableSourceScan'));
  expect(Object.fromEntries(expressions.map((expression, index) => [expression, nullable[index]]))).toEqual(
    Object.fromEntries(expressions.map((expression) => [expression, EXPRESSIONS[expression]!.planner])),
  );
});

test('materializers stand where the corpus says', async () => {
  const { plan } = await planner.plan({ script: mirrored(Object.values(MIRRORS)).toSql() });
  expect(Object.fromEntries(Object.keys(MIRRORS).map((title, number) => [title, plan!.sinks[number]!.materializer]))).toEqual(
    Object.fromEntries(Object.entries(MIRRORS).map(([title, { planner: owed }]) => [title, owed])),
  );
});
