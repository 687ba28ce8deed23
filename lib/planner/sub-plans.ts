import { createHash } from 'crypto';
import type { Plan, PlannedTable } from './plan-report';

/** What feeds the operators of a plan, and what they feed. */
export class SubPlans {
  private readonly digests = new Map<number, string>();

  private readonly fed = new Map<number, number[]>();

  constructor(
    private readonly plan: Plan,
    private readonly tables: PlannedTable[],
  ) {
    for (const [index, { operator }] of plan.sinks.entries()) {
      this.feed(operator, index + 1);
    }
  }

  /**
   * Of an operator and all that feeds it, without the numbers of operators: those of one statement shift with the statements before it.
   *
   * A plan does not name types: those of its tables decide what an aggregate holds.
   */
  public digest(number: number): string {
    const known = this.digests.get(number);
    if (known !== undefined) {
      return known;
    }
    const { type, table, description, inputs, changes, state } = this.plan.operators[number - 1]!;
    const from = inputs.map(({ operator, shuffle }) => [shuffle ?? '', this.digest(operator)]);
    const { columns, primaryKey } = this.tables.find(({ name }) => name === table) ?? {};
    const text = JSON.stringify([type, table ?? '', description, changes ?? [], state?.bound ?? '', columns ?? [], primaryKey ?? [], from]);
    const digest = createHash('sha256').update(text).digest('hex');
    this.digests.set(number, digest);
    return digest;
  }

  /** The INSERTs that an operator has a part in, by their place among the sinks, from 1. */
  public inserts(number: number): number[] {
    return this.fed.get(number) ?? [];
  }

  private feed(number: number, insert: number): void {
    const inserts = this.inserts(number);
    if (!inserts.includes(insert)) {
      this.fed.set(number, [...inserts, insert]);
      for (const { operator } of this.plan.operators[number - 1]!.inputs) {
        this.feed(operator, insert);
      }
    }
  }
}
