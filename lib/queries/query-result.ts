/** Why rows of a result are updated or deleted after they were given. */
export interface Change {
  /** In words: `'orders'`, `a GROUP BY`. */
  readonly what: string;
  /**
   * `source` for a table whose rows change, `group` for rows of groups that no window ends, `result` for others that are computed anew, `no match` for the row of an outer join that is taken
   * back, `first row` for the first of an order that is not of time: the engine replaces it, though the planner says that it never will,
   * `again` for a row that is given once more as it was: nothing changes, but Flink holds it for an update.
   */
  readonly kind: 'source' | 'group' | 'result' | 'no match' | 'first row' | 'again';
}

/** What a column is to the planner, beside its type. */
export type Meaning = 'event time' | 'processing time' | 'window start' | 'window end';

/** A ROW_NUMBER, before anything is left out by it. */
export interface Ranking {
  /** Whether a window ends what is ranked. */
  readonly ofWindow: boolean;
  /** Whether each key has rows of its own. */
  readonly ofKeys: boolean;
  /** Whether no later row comes before an earlier one. */
  readonly byTime: boolean;
  /** Whether the planner takes the first row of this order for one that stays, as it does but for one descending column. */
  readonly stays: boolean;
}

/** A column of a table that may be null. */
export interface NullableColumn {
  readonly table: string;
  /** Whether the table has a primary key, beside which the column stands. */
  readonly besideKey: boolean;
}

/** A column of a result. */
export interface ResultColumn {
  readonly name?: string;
  /** The column as it was taken: `u.amount`. Unset where it is computed otherwise. */
  readonly taken?: string;
  /** The column of a table, view or subquery that it is as it stands there. */
  readonly from?: string;
  /** The table of an outer join that may have no row, by which the column is null. */
  readonly outer?: string;
  /** The table that it was taken from as it is, whose column may be null. */
  readonly nullable?: NullableColumn;
  readonly meaning?: Meaning;
  readonly ranking?: Ranking;
}

/** What a query gives. */
export interface QueryResult {
  /** Unset where not all are known. */
  readonly columns?: ResultColumn[];
  /** None where rows are only added. */
  readonly changes: Change[];
  /**
   * Places of the columns by which rows of a source are updated, -1 for one that the query leaves out; unset where the query may have another
   * key than its source.
   */
  readonly key?: number[];
  /** The same, where the query only adds to each row of the source what LEFT JOINs look up by the keys of their tables. */
  readonly enrichedKey?: number[];
}

/** What a query does with its rows that needs those before. */
export interface Operation {
  readonly kind: 'group' | 'join' | 'lookup' | 'over' | 'rank';
  /** In words: `a GROUP BY without a window`. */
  readonly what: string;
  /** Whether it keeps something for each key it has ever seen. */
  readonly endless: boolean;
  /** Of the rows that it takes. */
  readonly changes: Change[];
  /** Whether the query or view that it stands in has a hint on how long state is kept. */
  readonly hinted: boolean;
}

/** Each change once. */
export function together(...changes: Change[][]): Change[] {
  return [...new Map(changes.flat().map((change) => [change.what, change])).values()];
}

/** What changes in words: the tables whose rows do, or else what is computed anew. */
export function named(changes: Change[]): string {
  const sources = changes.filter(({ kind }) => kind === 'source');
  return (sources.length > 0 ? sources : changes).map(({ what }) => what).join(' and ');
}

/** The changes of rows that are computed anew with each row: those of the tables under it, or its own. */
export function recomputed(changes: Change[], what: string, kind: Change['kind'] = 'result'): Change[] {
  const sources = changes.filter(({ kind }) => kind === 'source');
  return sources.length > 0 ? sources : [{ what, kind }];
}
