package io.github.cdkflinkpipeline.dynamodb;

import static org.apache.flink.table.connector.source.lookup.LookupOptions.CACHE_TYPE;
import static org.apache.flink.table.connector.source.lookup.LookupOptions.MAX_RETRIES;
import static org.apache.flink.table.connector.source.lookup.LookupOptions.PARTIAL_CACHE_CACHE_MISSING_KEY;
import static org.apache.flink.table.connector.source.lookup.LookupOptions.PARTIAL_CACHE_EXPIRE_AFTER_ACCESS;
import static org.apache.flink.table.connector.source.lookup.LookupOptions.PARTIAL_CACHE_EXPIRE_AFTER_WRITE;
import static org.apache.flink.table.connector.source.lookup.LookupOptions.PARTIAL_CACHE_MAX_ROWS;

import java.io.Serializable;
import java.net.URI;
import java.time.Duration;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.source.lookup.LookupOptions.LookupCacheType;

/**
 * How a DynamoDB table is read. Lookups with the same settings share a cache, so nothing of a
 * single join belongs here.
 *
 * @param endpoint null for the one of the region
 * @param cache null to remember nothing
 */
record LookupSettings(
    String tableName,
    String region,
    URI endpoint,
    boolean consistentRead,
    int batchSize,
    int maxRetries,
    Cache cache)
    implements Serializable {

  /**
   * What is remembered, and for how long.
   *
   * @param maxRows null for no bound by number
   * @param expireAfterWrite null for no bound by age
   * @param expireAfterAccess null for no bound by use
   * @param missingKeyExpireAfterWrite null for no bound by age, zero to remember no missing key
   */
  record Cache(
      Long maxRows,
      Duration expireAfterWrite,
      Duration expireAfterAccess,
      Duration missingKeyExpireAfterWrite)
      implements Serializable {}

  static LookupSettings of(ReadableConfig options) {
    int batchSize = options.get(DynamoDbLookupOptions.BATCH_SIZE);
    if (batchSize < 1 || batchSize > DynamoDbLookupOptions.MAX_BATCH_SIZE) {
      throw invalid(DynamoDbLookupOptions.BATCH_SIZE, "1 to 100", batchSize);
    }
    int maxRetries = options.get(MAX_RETRIES);
    if (maxRetries < 0) {
      throw invalid(MAX_RETRIES, "0 or more", maxRetries);
    }
    return new LookupSettings(
        options.get(DynamoDbLookupOptions.TABLE_NAME),
        options.get(DynamoDbLookupOptions.REGION),
        options.getOptional(DynamoDbLookupOptions.ENDPOINT).map(LookupSettings::url).orElse(null),
        options.get(DynamoDbLookupOptions.CONSISTENT_READ),
        batchSize,
        maxRetries,
        cache(options));
  }

  private static Cache cache(ReadableConfig options) {
    LookupCacheType type = options.get(CACHE_TYPE);
    if (type == LookupCacheType.FULL) {
      throw new ValidationException(
          "'lookup.cache' must be NONE or PARTIAL, got FULL: a lookup reads by key and never scans"
              + " the table");
    }
    if (type == LookupCacheType.NONE) {
      return null;
    }
    long maxRows = options.getOptional(PARTIAL_CACHE_MAX_ROWS).orElse(1L);
    if (maxRows < 1) {
      throw invalid(PARTIAL_CACHE_MAX_ROWS, "1 or more", maxRows);
    }
    Duration expireAfterWrite = expiry(options, PARTIAL_CACHE_EXPIRE_AFTER_WRITE);
    Duration expireAfterAccess = expiry(options, PARTIAL_CACHE_EXPIRE_AFTER_ACCESS);
    if (options.getOptional(PARTIAL_CACHE_MAX_ROWS).isEmpty()
        && expireAfterWrite == null
        && expireAfterAccess == null) {
      throw new ValidationException(
          "a partial lookup cache must have a bound: set 'lookup.partial-cache.max-rows',"
              + " 'lookup.partial-cache.expire-after-write' or"
              + " 'lookup.partial-cache.expire-after-access'");
    }
    Duration missing = expiry(options, DynamoDbLookupOptions.MISSING_KEY_EXPIRE_AFTER_WRITE);
    return new Cache(
        options.get(PARTIAL_CACHE_MAX_ROWS),
        expireAfterWrite,
        expireAfterAccess,
        !options.get(PARTIAL_CACHE_CACHE_MISSING_KEY)
            ? Duration.ZERO
            : Stream.of(missing, expireAfterWrite)
                .filter(duration -> duration != null)
                .findFirst()
                .orElse(null));
  }

  private static Duration expiry(ReadableConfig options, ConfigOption<Duration> option) {
    Duration duration = options.getOptional(option).orElse(null);
    if (duration != null && (duration.isZero() || duration.isNegative())) {
      throw invalid(option, "longer than 0", duration);
    }
    return duration;
  }

  private static URI url(String text) {
    URI url = null;
    try {
      url = URI.create(text);
    } catch (IllegalArgumentException notOne) {
      // Said below.
    }
    if (url == null || url.getScheme() == null || url.getHost() == null) {
      throw invalid(DynamoDbLookupOptions.ENDPOINT, "a URL such as http://localhost:8000", text);
    }
    return url;
  }

  private static ValidationException invalid(ConfigOption<?> option, String allowed, Object got) {
    return new ValidationException(
        String.format("'%s' must be %s, got %s", option.key(), allowed, got));
  }
}
