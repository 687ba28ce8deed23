import type { Plan } from '../../lib/planner/plan-report';
import { SubPlans } from '../../lib/planner/sub-plans';

/** Operators by what feeds them, from 1; the last ones are sinks. */
function subPlans(inputs: number[][], sinks: number): SubPlans {
  const plan = {
    operators: inputs.map((from) => ({ type: 'T', description: `of ${from.length}`, inputs: from.map((operator) => ({ operator })) })),
    sinks: inputs.slice(-sinks).map((_, index) => ({ operator: inputs.length - sinks + index + 1 })),
  } as unknown as Plan;
  return new SubPlans(plan, []);
}

test('an operator knows the INSERTs that it has a part in', () => {
  const plans = subPlans([[], [1], [1], [2], [2, 3]], 2);
  expect([1, 2, 3, 4, 5].map((number) => plans.inserts(number))).toEqual([[1, 2], [1, 2], [2], [1], [2]]);
});

test('the digest of an operator is that of all that feeds it, without numbers', () => {
  const plans = subPlans([[], [1], [], [3], [2, 4], [2, 2, 2]], 2);
  expect(plans.digest(2)).toBe(plans.digest(4));
  expect(plans.digest(5)).not.toBe(plans.digest(6));
});

test('a plan that is shared by plans that are shared is read once', () => {
  const depth = 60;
  const plans = subPlans([[], ...Array.from({ length: depth }, (_, index) => [index + 1, index + 1])], 1);
  expect(plans.inserts(1)).toEqual([1]);
  expect(plans.digest(depth + 1)).toMatch(/^[0-9a-f]{64}$/);
});
