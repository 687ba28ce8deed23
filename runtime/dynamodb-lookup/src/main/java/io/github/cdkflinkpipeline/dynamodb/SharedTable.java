package io.github.cdkflinkpipeline.dynamodb;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A DynamoDB table as one TaskManager sees it: whatever subtasks and joins ask for, a key is read
 * once until it expires. Whole items are kept, so that joins with other columns find theirs.
 */
final class SharedTable {

  /** Of this class loader; each stands as long as one lookup uses it. */
  private static final Map<LookupSettings, SharedTable> TABLES = new ConcurrentHashMap<>();

  private static final long FOR_EVER = Duration.ofDays(36500).toNanos();

  private final BatchReader reader;
  private final AsyncCache<ItemKey, Remembered> cache;
  private Optional<TableKey> key;
  private int users;

  /**
   * @param item empty where there is none
   * @param failure why the read failed, or null; Caffeine would log what fails, so to it none does
   * @param readAt of {@code System.nanoTime}
   */
  private record Remembered(
      Optional<Map<String, AttributeValue>> item, Throwable failure, long readAt) {

    /** The item, or the failure of its read. */
    CompletableFuture<Optional<Map<String, AttributeValue>>> outcome() {
      return failure == null
          ? CompletableFuture.completedFuture(item)
          : CompletableFuture.failedFuture(failure);
    }
  }

  private SharedTable(LookupSettings settings) {
    reader = new BatchReader(settings);
    cache = cache(settings.cache());
  }

  static SharedTable acquire(LookupSettings settings) {
    return TABLES.compute(
        settings,
        (same, existing) -> {
          SharedTable table = existing == null ? new SharedTable(settings) : existing;
          table.users++;
          return table;
        });
  }

  static void release(LookupSettings settings) {
    TABLES.computeIfPresent(
        settings,
        (same, table) -> {
          if (--table.users > 0) {
            return table;
          }
          table.reader.close();
          return null;
        });
  }

  /** The key of the table, or none where DynamoDB does not tell it; asked for once. */
  synchronized Optional<TableKey> key() {
    if (key == null) {
      key = reader.tableKey();
    }
    return key;
  }

  /** Keys that are remembered, those without an item too. */
  long size() {
    return cache.synchronous().estimatedSize();
  }

  /** How many tables are in use. */
  static int inUse() {
    return TABLES.size();
  }

  CompletableFuture<Optional<Map<String, AttributeValue>>> get(ItemKey key, LookupMetrics metrics) {
    AtomicBoolean read = new AtomicBoolean();
    CompletableFuture<Remembered> remembered =
        cache.get(
            key,
            (missing, executor) -> {
              read.set(true);
              return read(missing, metrics);
            });
    if (!read.get() && remembered.isDone()) {
      metrics.cacheHits.inc();
    } else {
      metrics.cacheMisses.inc();
      if (!read.get()) {
        metrics.mergedProbes.inc();
      }
    }
    return remembered.thenCompose(Remembered::outcome);
  }

  private CompletableFuture<Remembered> read(ItemKey key, LookupMetrics metrics) {
    long start = System.nanoTime();
    return reader
        .read(key, metrics)
        .handle(
            (item, failure) -> {
              long now = System.nanoTime();
              metrics.latestLoadTime = (now - start) / 1_000_000;
              (failure == null ? metrics.loads : metrics.loadFailures).inc();
              return new Remembered(item, failure, now);
            });
  }

  /** Without a cache, only the reads on their way are known. A read that failed is forgotten. */
  private static AsyncCache<ItemKey, Remembered> cache(LookupSettings.Cache settings) {
    Caffeine<Object, Object> builder = Caffeine.newBuilder().executor(Runnable::run);
    if (settings == null) {
      return builder.maximumSize(0).buildAsync();
    }
    if (settings.maxRows() != null) {
      builder.maximumSize(settings.maxRows());
    }
    return builder.expireAfter(new Lifetime(settings)).buildAsync();
  }

  /** Both bounds at once, and another for what is missing. */
  private record Lifetime(LookupSettings.Cache settings) implements Expiry<ItemKey, Remembered> {

    @Override
    public long expireAfterCreate(ItemKey key, Remembered entry, long now) {
      return left(entry);
    }

    @Override
    public long expireAfterUpdate(ItemKey key, Remembered entry, long now, long left) {
      return left(entry);
    }

    @Override
    public long expireAfterRead(ItemKey key, Remembered entry, long now, long left) {
      return left(entry);
    }

    private long left(Remembered entry) {
      if (entry.failure() != null) {
        return 0;
      }
      long age = System.nanoTime() - entry.readAt();
      Duration afterWrite =
          entry.item().isPresent()
              ? settings.expireAfterWrite()
              : settings.missingKeyExpireAfterWrite();
      long byWrite = afterWrite == null ? FOR_EVER : Math.max(0, afterWrite.toNanos() - age);
      long byAccess =
          settings.expireAfterAccess() == null ? FOR_EVER : settings.expireAfterAccess().toNanos();
      return Math.min(byWrite, byAccess);
    }
  }
}
