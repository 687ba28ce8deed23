import { quoteIdentifier } from '../sql/identifier';
import { listOf, requireProps, TEXT } from '../sql/required-props';
import { checkExpression } from '../sql/sql-scanner';
import type { ISqlObject } from '../sql/sql-table';
import { checkKnownWhole } from '../sql/whole-number';

const NAMES = listOf(TEXT);
/** Columns that a window adds, and the one of `minuteTotals`. */
const OF_WINDOWS = ['window_start', 'window_end', 'window_time', 'proc_time'];

/** Rows that are one by key and time. */
export interface KeyedRowsProps {
  /** Table or view. */
  readonly from: ISqlObject;
  /** Columns that tell one thing from another. */
  readonly key: string[];
  /** Column with the event time. */
  readonly eventTime: string;
  /** Columns of the result. */
  readonly columns: string[];
}

/** Changes of a CDC topic that is read as plain JSON. */
export interface ChangeRowsProps {
  /** Table with the columns `before` and `after` (ROW) and `op` (STRING), in the format `json`: `debezium-json` would hide the operation. */
  readonly from: ISqlObject;
  /** Fields of `before` and `after`. */
  readonly columns: string[];
}

/** Figures of each minute. */
export interface MinuteTotalsProps {
  /** Table or view with a watermark. */
  readonly from: ISqlObject;
  /** Columns that the figures are by. */
  readonly key: string[];
  /** Column with the event time that the watermark is on. */
  readonly eventTime: string;
  /** Aggregates by the name of their column: `{ amount: 'SUM(amount)' }`. */
  readonly totals: { [column: string]: string };
}

/** Sums over keys of which a few have most of the rows. */
export interface SaltedTotalsProps {
  /** Table or view. */
  readonly from: ISqlObject;
  /** Columns that the sums are by. */
  readonly key: string[];
  /** Column that differs from row to row of one key, such as an event id. */
  readonly salt: string;
  /** Parts that the rows of a key are spread over, 2 at least. As many as the parallelism will do. */
  readonly parts: number;
  /** What is summed, by the name of its column: `{ amount: 'amount', rows_seen: '1' }`. */
  readonly sums: { [column: string]: string };
}

/** Queries that are often written wrong, for `addView` and `addInsert`. */
export class SqlQueries {
  /**
   * The latest row of each key by event time: not the one that came last, which writers that race would decide.
   *
   * @param props what is read
   */
  public static latestByKey(props: KeyedRowsProps): string {
    return firstRow('latestByKey', props, 'DESC');
  }

  /**
   * The first row of each key by event time, to count things and not their repetitions. The key must tell a thing from another: an
   * event id, or what makes two events the same. Where the event time has a watermark a row comes out once the watermark has passed it,
   * and is final; a row that comes later than the watermark is dropped. The state grows with the keys: give the job a `stateTtl` longer
   * than repetitions are apart.
   *
   * @param props what is read
   */
  public static deduplicated(props: KeyedRowsProps): string {
    return firstRow('deduplicated', props, 'ASC');
  }

  /**
   * Changes as rows that only append, with the column `op`: `INSERT`, `UPDATE` or `DELETE`. For consumers that drop records without a
   * value, and so never see a delete.
   *
   * @param props what is read
   */
  public static withOperation(props: ChangeRowsProps): string {
    const { from, columns } = props;
    requireProps('SqlQueries.withOperation', { columns }, { columns: NAMES });
    if (columns.includes('op')) {
      throw new Error("SqlQueries.withOperation: columns must not hold 'op', which is the kind of the change; rename that field before");
    }
    // An update may set a column to null: the value of before must not come back.
    const values = names('SqlQueries.withOperation', 'columns', columns).map(
      (column) => `CASE WHEN \`op\` = 'd' THEN \`before\`.${column} ELSE \`after\`.${column} END AS ${column}`,
    );
    return `SELECT
  CASE \`op\` WHEN 'd' THEN 'DELETE' WHEN 'u' THEN 'UPDATE' ELSE 'INSERT' END AS \`op\`,
  ${values.join(',\n  ')}
FROM ${from.sqlName}
WHERE \`op\` IN ('c', 'r', 'u', 'd')`;
  }

  /**
   * Figures of each key and minute, with the columns `window_start` and `proc_time`: joined with a dimension `FOR SYSTEM_TIME AS OF
   * proc_time`, each key is looked up once a minute, and not once a row.
   *
   * @param props what is added up
   */
  public static minuteTotals(props: MinuteTotalsProps): string {
    const { from, key, eventTime, totals } = props;
    requireProps('SqlQueries.minuteTotals', { key, eventTime }, { key: NAMES, eventTime: TEXT });
    const keys = names('SqlQueries.minuteTotals', 'key', key).join(', ');
    const figures = figuresOf('SqlQueries.minuteTotals', 'totals', totals, key).map(
      ([column, expression]) => `${expression} AS ${quoteIdentifier(column)}`,
    );
    const taken = [...key, ...Object.keys(totals)].find((name) => OF_WINDOWS.includes(name));
    if (taken !== undefined) {
      throw new Error(`SqlQueries.minuteTotals: key and totals must not hold '${taken}', which it gives itself; call the column otherwise`);
    }
    return `SELECT *, PROCTIME() AS \`proc_time\`
FROM (
  SELECT ${keys}, window_start, ${figures.join(', ')}
  FROM TABLE(TUMBLE(TABLE ${from.sqlName}, DESCRIPTOR(${quoteIdentifier(eventTime)}), INTERVAL '1' MINUTE))
  GROUP BY ${keys}, window_start, window_end
)`;
  }

  /**
   * Sums of each key, added up in two steps: first in parts of a key, then together, so that one writer does not do the work of a hot key
   * alone. Sums and counts only: an average or a distinct count cannot be put together from parts.
   *
   * @param props what is added up
   */
  public static saltedTotals(props: SaltedTotalsProps): string {
    const { from, key, salt, parts, sums } = props;
    requireProps('SqlQueries.saltedTotals', { key, salt }, { key: NAMES, salt: TEXT });
    checkKnownWhole('parts', parts, 2, 32_768);
    const keys = names('SqlQueries.saltedTotals', 'key', key).join(', ');
    const figures = figuresOf('SqlQueries.saltedTotals', 'sums', sums, key);
    const distinct = figures.find(([, expression]) => /^\s*DISTINCT\b/i.test(expression));
    if (distinct !== undefined) {
      throw new Error(
        `SqlQueries.saltedTotals: sums must not be of DISTINCT values, got '${distinct[1]}' for '${distinct[0]}': two parts of a key may hold the same value; use a query of your own`,
      );
    }
    const columns = figures.map(([column]) => quoteIdentifier(column));
    const partial = figures.map(([column, expression]) => `SUM(${expression}) AS ${quoteIdentifier(column)}`);
    return `SELECT ${keys}, ${columns.map((column) => `SUM(${column}) AS ${column}`).join(', ')}
FROM (
  SELECT ${keys}, ${partial.join(', ')}
  FROM ${from.sqlName}
  GROUP BY ${keys}, MOD(HASH_CODE(CAST(${quoteIdentifier(salt)} AS STRING)), ${parts})
)
GROUP BY ${keys}`;
  }

  private constructor() {}
}

function firstRow(what: string, { from, key, eventTime, columns }: KeyedRowsProps, order: 'ASC' | 'DESC'): string {
  const method = `SqlQueries.${what}`;
  requireProps(method, { key, eventTime, columns }, { key: NAMES, eventTime: TEXT, columns: NAMES });
  const list = names(method, 'columns', columns).join(', ');
  let number = 'row_num';
  while (columns.includes(number)) {
    number += '_';
  }
  return `SELECT ${list}
FROM (
  SELECT ${list}, ROW_NUMBER() OVER (PARTITION BY ${names(method, 'key', key).join(', ')} ORDER BY ${quoteIdentifier(eventTime)} ${order}) AS ${quoteIdentifier(number)}
  FROM ${from.sqlName}
)
WHERE ${quoteIdentifier(number)} = 1`;
}

function names(method: string, prop: string, columns: string[]): string[] {
  if (columns.length === 0) {
    throw new Error(`${method}: ${prop} must name one column at least, got an empty list`);
  }
  const twice = columns.find((column, index) => columns.indexOf(column) !== index);
  if (twice !== undefined) {
    throw new Error(`${method}: ${prop} must name each column once, got '${twice}' twice`);
  }
  return columns.map(quoteIdentifier);
}

/** Figures by their columns; what is no expression by itself would change the query around it. */
function figuresOf(method: string, prop: string, figures: { readonly [column: string]: string }, key: string[]): [string, string][] {
  const given = Object.entries(figures ?? {});
  if (given.length === 0) {
    throw new Error(`${method}: ${prop} must name one figure at least, such as { total: 'SUM(amount)' }`);
  }
  const taken = given.find(([column]) => key.includes(column));
  if (taken !== undefined) {
    throw new Error(`${method}: ${prop} must not hold '${taken[0]}', which is a column of the key; call the figure otherwise`);
  }
  return given.map(([column, expression]) => [column, checkExpression(`${method}: '${column}' of ${prop}`, expression).sql]);
}
