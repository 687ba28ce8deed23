import type { Duration } from 'aws-cdk-lib';
import { quoteIdentifier } from './identifier';
import { DURATION, requireKind } from './required-props';
import { checkExpression } from './sql-scanner';

const DAY = 86_400_000;

/** How far event time has come: rows that are older than the watermark are late. */
export class Watermark {
  /**
   * Rows may arrive out of order by up to `delay`.
   *
   * @param column event-time column
   * @param delay how long to wait for stragglers, in whole milliseconds, less than 1,000 days
   */
  public static delayed(column: string, delay: Duration): Watermark {
    return new Watermark(column, behind(column, wholeMilliseconds(column, delay)));
  }

  /**
   * Rows arrive in the order of their event time within a split.
   *
   * @param column event-time column
   */
  public static ascending(column: string): Watermark {
    return new Watermark(column, behind(column, 1));
  }

  /**
   * The watermark that the connector itself emits (`SOURCE_WATERMARK()`).
   *
   * @param column event-time column
   */
  public static fromSource(column: string): Watermark {
    return new Watermark(column, 'SOURCE_WATERMARK()');
  }

  /**
   * Any other expression.
   *
   * @param column event-time column
   * @param expression SQL expression of the watermark
   */
  public static expression(column: string, expression: string): Watermark {
    return new Watermark(column, checkExpression(`watermark of column '${column}'`, expression).sql);
  }

  private constructor(
    /** Event-time column. */
    public readonly column: string,
    private readonly strategy: string,
  ) {}

  /** @internal */
  public _toSql(): string {
    return `WATERMARK FOR ${quoteIdentifier(this.column)} AS ${this.strategy}`;
  }
}

function behind(column: string, milliseconds: number): string {
  return milliseconds === 0 ? quoteIdentifier(column) : `${quoteIdentifier(column)} - ${interval(milliseconds)}`;
}

/** Units of an interval literal from the largest to the smallest, in milliseconds. */
const UNITS: [string, number][] = [
  ['DAY', DAY],
  ['HOUR', 3_600_000],
  ['MINUTE', 60_000],
  ['SECOND', 1_000],
];

/**
 * The leading field of an interval literal holds two digits unless its precision is stated, and Flink 2.2 plans three at the
 * most: so the unit, and then the precision, follow the value.
 */
function interval(milliseconds: number): string {
  const whole = UNITS.find(([, unit]) => milliseconds % unit === 0);
  if (whole !== undefined && milliseconds / whole[1] < 1_000) {
    const [unit, factor] = whole;
    return `INTERVAL '${milliseconds / factor}' ${unit}${precision(milliseconds / factor)}`;
  }
  const fraction = String(milliseconds % 1_000).padStart(3, '0');
  const seconds = Math.floor(milliseconds / 1_000);
  if (seconds < 1_000) {
    return `INTERVAL '${seconds}.${fraction}' SECOND(${String(seconds).length}, 3)`;
  }
  const days = Math.floor(milliseconds / DAY);
  const time = [Math.floor(seconds / 3_600) % 24, Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0'));
  return `INTERVAL '${days} ${time.join(':')}.${fraction}' DAY${precision(days)} TO SECOND(3)`;
}

function precision(leading: number): string {
  return leading < 100 ? '' : '(3)';
}

function wholeMilliseconds(column: string, delay: Duration): number {
  requireKind(`watermark delay of column '${column}'`, delay, DURATION);
  if (delay.isUnresolved()) {
    throw new Error(`watermark delay of column '${column}' must be known at synth, got an unresolved token; give a literal duration`);
  }
  const milliseconds = delay.toMilliseconds({ integral: false });
  if (!Number.isInteger(milliseconds) || milliseconds >= 1_000 * DAY) {
    throw new Error(
      `watermark delay of column '${column}' must be a whole number of milliseconds of less than 1,000 days, got ${delay.toHumanString()}`,
    );
  }
  return milliseconds;
}
