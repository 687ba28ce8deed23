import { CHANGES, type Deployment, event, ITEMS, sequences, TOTALS, until } from './order-items';

/** Orders of a run: enough for each of the six writers to have some. */
export const ORDERS = Array.from({ length: 16 }, (_, index) => index);
export const PATIENCE = 300_000;
const BATCHES = 3;

type Isolation = 'read_committed' | 'read_uncommitted';
const ISOLATIONS: Isolation[] = ['read_committed', 'read_uncommitted'];

/** Values by order, in the order in which a reader sees them. */
export interface Sequences {
  readonly [order: number]: (number | null)[];
}

/** What a reader sees of a run. */
export interface Seen {
  /** The sums of each order in `dwd_order_item`. */
  readonly sums: Sequences;
  /**
   * The part of each order in the totals that the job makes of the rows that it reads back: 1, nothing while the row is replaced, 3,
   * nothing, 7. Partitions are read back in any order, so that the totals themselves differ from run to run; the part of one order
   * does not. Changes of other orders repeat a part: a repeated one counts once.
   */
  readonly parts: Sequences;
}

export interface Checkpoints {
  readonly counts: { readonly in_progress: number };
  readonly latest: { readonly restored: { readonly id: number; readonly restore_timestamp: number } | null };
  /** The newest one first. */
  readonly history: { readonly id: number; readonly status: string }[];
}

/** Where the totals stand when a run begins. */
interface Beginning {
  readonly amount: number;
  readonly records: { readonly [isolation in Isolation]: number };
}

const sumUpTo = (batch: number) => 2 ** (batch + 1) - 1;
const allEndWith = (sequences: Sequences, value: number) => Object.values(sequences).every((values) => values.at(-1) === value);

/** Runs through a deployment of `order-items`: each has orders of its own, and three batches of one input for each order. */
export class Runs {
  private readonly beginnings: { [run: string]: Beginning } = {};
  private changes = 0;

  constructor(private readonly deployment: Deployment) {}

  public async begin(run: string): Promise<void> {
    const [committed, all] = await Promise.all(ISOLATIONS.map((isolation) => this.amounts(isolation)));
    this.beginnings[run] = {
      amount: committed!.at(-1)!,
      records: { read_committed: committed!.length, read_uncommitted: all!.length },
    };
  }

  /**
   * Each input of an order adds another power of two: a sum tells which of them are in it, and how often. The amounts are powers of two
   * over all orders of the run, so that a total tells it too.
   */
  public async write(run: string, batch: number): Promise<void> {
    const change = (order: number) => ({
      order: `${run}-${order}`,
      change: ++this.changes,
      quantity: 2 ** batch,
      amount: 2 ** batch * 8 ** order,
    });
    await this.deployment.broker.produce(
      CHANGES,
      ORDERS.map((order) => event('c', null, change(order))),
    );
    await this.written(run, batch, 'read_uncommitted');
  }

  /** Wait until the sums with the batch are in the topic. */
  public async written(run: string, batch: number, isolation?: Isolation): Promise<void> {
    await until(`batch ${batch} of ${run}`, async () => allEndWith(await this.sumsOf(run, isolation), sumUpTo(batch)), PATIENCE);
  }

  /** Wait until the totals with the batch are in their topic. */
  public async readBack(run: string, batch: number, isolation?: Isolation): Promise<void> {
    const what = `the totals with batch ${batch} of ${run}`;
    await until(what, async () => allEndWith(await this.partsOf(run, isolation), sumUpTo(batch)), PATIENCE);
  }

  /** @returns the id of the checkpoint that commits the batch. */
  public async commit(run: string, batch: number): Promise<number> {
    const id = await this.checkpoint();
    await this.written(run, batch);
    await this.readBack(run, batch, 'read_uncommitted');
    return id;
  }

  /** The last batch. Its totals are in the transaction that the next checkpoint commits. */
  public async finish(run: string): Promise<void> {
    const last = BATCHES - 1;
    await this.written(run, last - 1, 'read_uncommitted');
    await this.write(run, last);
    await this.commit(run, last);
    await this.checkpoint();
    await this.readBack(run, last);
  }

  public async seen(run: string, isolation?: Isolation): Promise<Seen> {
    return { sums: await this.sumsOf(run, isolation), parts: await this.partsOf(run, isolation) };
  }

  public async checkpoints(): Promise<Checkpoints | undefined> {
    return this.deployment.cluster.job('/checkpoints');
  }

  /** @returns the id of the checkpoint that was asked for and completed. */
  public async checkpoint(): Promise<number> {
    return until('a completed checkpoint', () => this.deployment.cluster.checkpoint(), PATIENCE);
  }

  public async sumsOf(run: string, isolation?: Isolation): Promise<Sequences> {
    const found = sequences(await this.deployment.broker.consume(ITEMS, isolation));
    return Object.fromEntries(ORDERS.map((order) => [order, found[`${run}-${order}`]?.quantities ?? []]));
  }

  private async partsOf(run: string, isolation: Isolation = 'read_committed'): Promise<Sequences> {
    const { amount, records } = this.beginnings[run]!;
    const added = (await this.amounts(isolation)).slice(records[isolation] - 1).map((total) => total - amount);
    return Object.fromEntries(
      ORDERS.map((order) => {
        const parts = added.map((sum) => Math.floor(sum / 8 ** order) % 8);
        return [order, parts.filter((part, index) => part !== parts[index - 1])];
      }),
    );
  }

  /** The amounts of the totals, from the one before the first on. */
  private async amounts(isolation: Isolation): Promise<number[]> {
    const records = await this.deployment.broker.consume(TOTALS, isolation);
    return [0, ...records.map(({ value }) => (value === null ? 0 : JSON.parse(value).amount))];
  }
}
