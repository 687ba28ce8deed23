package io.github.cdkflinkpipeline.dynamodb;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A DynamoDB table as one TaskManager sees it: whatever subtasks and joins ask for, a key is read
 * once until it expires. Whole items are kept, so that joins with other columns find theirs.
 */
final class SharedTable {

  /** Of this class loader; each stands as long as one lookup uses it. */
  private static final Map<LookupSettings, SharedTable> TABLES = new ConcurrentHashMap<>();

  private static final long FOR_EVER = Duration.ofDays(36500).toNanos();

  /** How long a question for the key that failed stands for those of other subtasks. */
  private static final long FAILED_QUESTION = Duration.ofMinutes(1).toNanos();

  private final Ticker clock;
  private final BatchReader reader;
  private final AsyncCache<ItemKey, Remembered> cache;

  /** Null until it was asked for. */
  private Optional<TableKey> key;

  private long keyAskedAt;
  private int users;

  /**
   * @param item empty where there is none
   * @param failure why the read failed, or null; Caffeine would log what fails, so to it none does
   * @param readAt of the clock
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

  /**
   * One that is not shared.
   *
   * @param clock what tells the age of an entry
   */
  SharedTable(LookupSettings settings, Ticker clock) {
    this.clock = clock;
    cache = cache(settings.cache(), clock);
    // A read that is sent may miss what is written from now on: who asks later needs another.
    Consumer<ItemKey> sending =
        settings.consistentRead() && settings.cache() == null ? cache.asMap()::remove : key -> {};
    reader = new BatchReader(settings, sending);
  }

  static SharedTable acquire(LookupSettings settings) {
    return TABLES.compute(
        settings,
        (same, existing) -> {
          SharedTable table =
              existing == null ? new SharedTable(settings, Ticker.systemTicker()) : existing;
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
          table.close();
          return null;
        });
  }

  void close() {
    reader.close();
  }

  /**
   * The key of the table, or none where DynamoDB does not tell it. An answer stands for all
   * subtasks, a failure for those that start at the same time.
   */
  synchronized Optional<TableKey> key() throws InterruptedException {
    if (key == null || (key.isEmpty() && clock.read() - keyAskedAt >= FAILED_QUESTION)) {
      key = reader.tableKey();
      keyAskedAt = clock.read();
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
    long start = clock.read();
    return reader
        .read(key, metrics)
        .handle(
            (item, failure) -> {
              long now = clock.read();
              metrics.latestLoadTime = (now - start) / 1_000_000;
              (failure == null ? metrics.loads : metrics.loadFailures).inc();
              return new Remembered(item, failure, now);
            });
  }

  /** Without a cache, only the reads on their way are known. A read that failed is forgotten. */
  private static AsyncCache<ItemKey, Remembered> cache(
      LookupSettings.Cache settings, Ticker clock) {
    Caffeine<Object, Object> builder = Caffeine.newBuilder().executor(Runnable::run).ticker(clock);
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
      return left(entry, now);
    }

    @Override
    public long expireAfterUpdate(ItemKey key, Remembered entry, long now, long left) {
      return left(entry, now);
    }

    @Override
    public long expireAfterRead(ItemKey key, Remembered entry, long now, long left) {
      return left(entry, now);
    }

    private long left(Remembered entry, long now) {
      if (entry.failure() != null) {
        return 0;
      }
      long age = now - entry.readAt();
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
