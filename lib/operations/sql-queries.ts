import { quoteIdentifier } from '../sql/identifier';
import { LIST, requireProps, TEXT } from '../sql/required-props';
import type { ISqlObject } from '../sql/sql-table';
import { checkKnownWhole } from '../sql/whole-number';

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
    requireProps('SqlQueries.withOperation', { columns }, { columns: LIST });
    if (columns.includes('op')) {
      throw new Error("SqlQueries.withOperation: columns must not hold 'op', which is the kind of the change; rename that field before");
    }
    // An update may set a column to null: the value of before must not come back.
    const values = names(columns).map(
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
    requireProps('SqlQueries.minuteTotals', { key, eventTime }, { key: LIST, eventTime: TEXT });
    const keys = names(key).join(', ');
    requireFigures('SqlQueries.minuteTotals', 'totals', totals);
    const figures = Object.entries(totals).map(([column, expression]) => `${expression} AS ${quoteIdentifier(column)}`);
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
    requireProps('SqlQueries.saltedTotals', { key, salt }, { key: LIST, salt: TEXT });
    requireFigures('SqlQueries.saltedTotals', 'sums', sums);
    checkKnownWhole('parts', parts, 2, 32_768);
    const keys = names(key).join(', ');
    const columns = Object.keys(sums).map(quoteIdentifier);
    const partial = Object.entries(sums).map(([column, expression]) => `SUM(${expression}) AS ${quoteIdentifier(column)}`);
    return `SELECT ${keys}, ${columns.map((column) => `SUM(${column}) AS ${column}`).join(', ')}
FROM (
  SELECT ${keys}, ${partial.join(', ')}
  FROM (SELECT *, MOD(HASH_CODE(CAST(${quoteIdentifier(salt)} AS STRING)), ${parts}) AS \`salt_part\` FROM ${from.sqlName})
  GROUP BY ${keys}, \`salt_part\`
)
GROUP BY ${keys}`;
  }

  private constructor() {}
}

function firstRow(what: string, { from, key, eventTime, columns }: KeyedRowsProps, order: 'ASC' | 'DESC'): string {
  requireProps(`SqlQueries.${what}`, { key, eventTime, columns }, { key: LIST, eventTime: TEXT, columns: LIST });
  return `SELECT ${names(columns).join(', ')}
FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY ${names(key).join(', ')} ORDER BY ${quoteIdentifier(eventTime)} ${order}) AS \`row_num\`
  FROM ${from.sqlName}
)
WHERE \`row_num\` = 1`;
}

function names(columns: string[]): string[] {
  if (columns.length === 0) {
    throw new Error('a list of columns must name one at least, got an empty list');
  }
  return columns.map(quoteIdentifier);
}

function requireFigures(method: string, name: string, figures: { readonly [column: string]: string }): void {
  if (Object.keys(figures ?? {}).length === 0) {
    throw new Error(`${method}: ${name} must name one figure at least, such as { total: 'SUM(amount)' }`);
  }
}
