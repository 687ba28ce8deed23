import type { Duration } from 'aws-cdk-lib';
import { flinkDuration, flinkInteger } from '../sql/flink-notation';
import { DURATION, requireKind } from '../sql/required-props';

/** How a partial lookup cache forgets: one bound at least. */
export interface PartialLookupCacheOptions {
  /** Rows that a cache keeps at the most; the oldest go first. @default - no bound by number */
  readonly maxRows?: number;
  /** How long a row is kept after it was fetched: how stale a joined value may be. @default - no bound by age */
  readonly expireAfterWrite?: Duration;
  /** How long a row is kept after it was last used. @default - no bound by use */
  readonly expireAfterAccess?: Duration;
  /**
   * Whether a key without a row is remembered too. It spares a query for each further row of that key, but a dimension row that
   * arrives later stays unseen until the entry expires.
   * @default true
   */
  readonly cacheMissingKey?: boolean;
}

/**
 * What a lookup table remembers of the external system.
 *
 * The cache is in memory and begins empty after a restart. JDBC keeps one in each subtask, so that a row is fetched and held once
 * per subtask; `DynamoDbLookup` keeps one in each TaskManager.
 */
export class LookupCache {
  /** Nothing is remembered: each row of the joining stream is a query. */
  public static none(): LookupCache {
    return new LookupCache({ 'lookup.cache': 'NONE' });
  }

  /**
   * The rows that were asked for are remembered.
   *
   * @param options bounds, one at least: a cache without any grows until the TaskManager runs out of memory
   */
  public static partial(options: PartialLookupCacheOptions): LookupCache {
    const { maxRows, expireAfterWrite, expireAfterAccess, cacheMissingKey } = options;
    if (maxRows === undefined && expireAfterWrite === undefined && expireAfterAccess === undefined) {
      throw new Error(
        'a partial lookup cache must have a bound, got none: it would grow for ever and serve stale rows; give maxRows, expireAfterWrite or expireAfterAccess',
      );
    }
    const rendered: { [option: string]: string } = { 'lookup.cache': 'PARTIAL' };
    if (maxRows !== undefined) {
      rendered['lookup.partial-cache.max-rows'] = flinkInteger('maxRows of a lookup cache', maxRows, 1, Number.MAX_SAFE_INTEGER);
    }
    if (expireAfterWrite !== undefined) {
      rendered['lookup.partial-cache.expire-after-write'] = expiry('expireAfterWrite', expireAfterWrite);
    }
    if (expireAfterAccess !== undefined) {
      rendered['lookup.partial-cache.expire-after-access'] = expiry('expireAfterAccess', expireAfterAccess);
    }
    if (cacheMissingKey !== undefined) {
      rendered['lookup.partial-cache.cache-missing-key'] = String(cacheMissingKey);
    }
    return new LookupCache(rendered, cacheMissingKey ?? true);
  }

  private constructor(
    private readonly rendered: { [option: string]: string },
    /** Whether a key without a row is remembered. */
    public readonly cachesMissingKeys: boolean = false,
  ) {}

  /**
   * The table options, in their order.
   *
   * @internal
   */
  public _options(): { [option: string]: string } {
    return { ...this.rendered };
  }

  /**
   * Every table option that the cache owns, with the property that sets it, for the check of raw options.
   *
   * @internal
   */
  public static _typed(): { [option: string]: string } {
    return {
      'lookup.cache': 'cache',
      'lookup.partial-cache.max-rows': 'cache',
      'lookup.partial-cache.expire-after-write': 'cache',
      'lookup.partial-cache.expire-after-access': 'cache',
      'lookup.partial-cache.cache-missing-key': 'cache',
    };
  }
}

function expiry(prop: string, duration: Duration): string {
  requireKind(`${prop} of a lookup cache`, duration, DURATION);
  if (!duration.isUnresolved() && duration.toMilliseconds({ integral: false }) <= 0) {
    throw new Error(
      `${prop} of a lookup cache must be longer than 0, got ${duration.toHumanString()}; use LookupCache.none() to cache nothing`,
    );
  }
  return flinkDuration(duration);
}
