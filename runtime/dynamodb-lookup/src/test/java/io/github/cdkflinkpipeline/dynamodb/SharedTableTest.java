package io.github.cdkflinkpipeline.dynamodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

class SharedTableTest {

  private static Dynalite dynamo;

  private final CollectedMetrics collected = new CollectedMetrics();
  private final LookupMetrics metrics = new LookupMetrics(collected);

  @BeforeAll
  static void start() throws Exception {
    dynamo = new Dynalite();
    dynamo.createTable("users", ScalarAttributeType.N, "id");
    for (int id = 0; id < 10; id++) {
      dynamo.put("users", Map.of("id", AttributeValue.fromN(String.valueOf(id))));
    }
  }

  @AfterAll
  static void stop() {
    dynamo.close();
  }

  @BeforeEach
  void forget() {
    dynamo.forget();
  }

  private static LookupSettings settings(LookupSettings.Cache cache) {
    return new LookupSettings(
        "users", "eu-west-1", URI.create(dynamo.endpoint()), false, 100, 3, cache);
  }

  private static ItemKey key(String id) {
    return new ItemKey(Map.of("id", ItemKey.number(new BigDecimal(id))));
  }

  private static LookupSettings settings(int maxRetries) {
    return new LookupSettings(
        "users", "eu-west-1", URI.create(dynamo.endpoint()), false, 100, maxRetries, null);
  }

  /** Asks for the keys 0 to {@code keys}, each as often as said, all at once. */
  private List<CompletableFuture<?>> ask(SharedTable table, int keys, int times) {
    List<CompletableFuture<?>> probes = new ArrayList<>();
    for (int probe = 0; probe < keys * times; probe++) {
      probes.add(table.get(key(String.valueOf(probe % keys)), metrics));
    }
    return probes;
  }

  private static void join(List<CompletableFuture<?>> probes) {
    CompletableFuture.allOf(probes.toArray(CompletableFuture<?>[]::new)).join();
  }

  private static LookupFailure failure(CompletableFuture<?> probe) {
    Throwable failure =
        assertThrows(ExecutionException.class, () -> probe.get(2, TimeUnit.SECONDS)).getCause();
    return assertInstanceOf(LookupFailure.class, failure);
  }

  private boolean exists(SharedTable table, String id) {
    return table.get(key(id), metrics).join().isPresent();
  }

  @Test
  void aMissingKeyHasAnExpiryOfItsOwn() throws Exception {
    LookupSettings settings =
        settings(
            new LookupSettings.Cache(100L, Duration.ofMinutes(30), null, Duration.ofMillis(500)));
    SharedTable table = SharedTable.acquire(settings);
    try {
      for (int round = 0; round < 3; round++) {
        assertTrue(exists(table, "1"));
        assertEquals(false, exists(table, "77"));
      }
      assertEquals(Map.of("1", 1, "77", 1), dynamo.reads);
      assertEquals(4, metrics.cacheHits.getCount());
      assertEquals(1L, collected.value("dynamodbLookup.missingKeys"));
      dynamo.put("users", Map.of("id", AttributeValue.fromN("77")));
      Thread.sleep(600);
      assertTrue(exists(table, "77"));
      assertTrue(exists(table, "1"));
      assertEquals(Map.of("1", 1, "77", 2), dynamo.reads);
    } finally {
      SharedTable.release(settings);
    }
  }

  @Test
  void missingKeysAreForgottenWhereNoneIsToBeRemembered() {
    LookupSettings settings =
        settings(new LookupSettings.Cache(100L, Duration.ofMinutes(30), null, Duration.ZERO));
    SharedTable table = SharedTable.acquire(settings);
    try {
      exists(table, "88");
      exists(table, "88");
      exists(table, "2");
      exists(table, "2");
      assertEquals(Map.of("88", 2, "2", 1), dynamo.reads);
    } finally {
      SharedTable.release(settings);
    }
  }

  @Test
  void useDoesNotProlongTheBoundByAge() throws Exception {
    LookupSettings settings =
        settings(
            new LookupSettings.Cache(
                null, Duration.ofMillis(900), Duration.ofMillis(600), Duration.ofMillis(900)));
    SharedTable table = SharedTable.acquire(settings);
    try {
      exists(table, "3");
      Thread.sleep(400);
      exists(table, "3");
      Thread.sleep(300);
      exists(table, "3");
      assertEquals(Map.of("3", 1), dynamo.reads);
      Thread.sleep(300);
      exists(table, "3");
      assertEquals(Map.of("3", 2), dynamo.reads);
      Thread.sleep(700);
      exists(table, "3");
      assertEquals(Map.of("3", 3), dynamo.reads);
    } finally {
      SharedTable.release(settings);
    }
  }

  @Test
  void keepsNoMoreRowsThanItMay() {
    LookupSettings settings = settings(new LookupSettings.Cache(2L, null, null, null));
    SharedTable table = SharedTable.acquire(settings);
    try {
      for (int round = 0; round < 2; round++) {
        for (int id = 0; id < 8; id++) {
          exists(table, String.valueOf(id));
        }
      }
      int reads = dynamo.reads.values().stream().mapToInt(Integer::intValue).sum();
      assertTrue(reads >= 14, reads + " reads");
    } finally {
      SharedTable.release(settings);
    }
  }

  @Test
  void probesOfOneKeyAreOneReadAndManyKeysAreOneRequest() {
    LookupSettings settings = settings(null);
    SharedTable table = SharedTable.acquire(settings);
    try {
      CompletableFuture.allOf(
              IntStream.range(0, 500)
                  .mapToObj(index -> table.get(key(String.valueOf(index % 100)), metrics))
                  .toArray(CompletableFuture<?>[]::new))
          .join();
      assertEquals(
          metrics.readKeys.getCount()
              + metrics.mergedProbes.getCount()
              + metrics.cacheHits.getCount(),
          500);
      assertTrue(metrics.requests.getCount() < 40, metrics.requests.getCount() + " requests");
      assertEquals(metrics.requests.getCount(), metrics.batchSize.getCount());
      assertEquals(metrics.requests.getCount(), metrics.latency.getCount());
    } finally {
      SharedTable.release(settings);
    }
  }

  /** In a batch that held a key twice DynamoDB would refuse all of them. */
  @Test
  void keysThatAreBeingReadAreNotEvicted() {
    LookupSettings settings = settings(new LookupSettings.Cache(1L, null, null, null));
    SharedTable table = SharedTable.acquire(settings);
    dynamo.delayMillis = 300;
    try {
      join(ask(table, 250, 4));
      assertEquals(
          IntStream.range(0, 250).boxed().collect(Collectors.toMap(String::valueOf, id -> 1)),
          dynamo.reads);
      assertEquals(750, metrics.mergedProbes.getCount());
    } finally {
      SharedTable.release(settings);
    }
  }

  @Test
  void aRequestHoldsAHundredKeysAtTheMost() {
    LookupSettings settings = settings(null);
    SharedTable table = SharedTable.acquire(settings);
    dynamo.delayMillis = 300;
    try {
      // Four connections take what waits, each, and are then busy for a while.
      join(ask(table, 1000, 1));
      assertEquals(100, dynamo.batches.stream().mapToInt(size -> size).max().orElseThrow());
      assertTrue(dynamo.batches.size() <= 14, dynamo.batches + " keys");
    } finally {
      SharedTable.release(settings);
    }
  }

  @Test
  void whatDoesNotFitIntoAResponseIsNoRefusal() throws Exception {
    dynamo.createTable("large", ScalarAttributeType.N, "id");
    for (int id = 0; id < 12; id++) {
      dynamo.put(
          "large",
          Map.of(
              "id",
              AttributeValue.fromN(String.valueOf(id)),
              "text",
              AttributeValue.fromS("x".repeat(390_000))));
    }
    LookupSettings settings =
        new LookupSettings(
            "large", "eu-west-1", URI.create(dynamo.endpoint()), false, 100, 0, null);
    SharedTable table = SharedTable.acquire(settings);
    dynamo.delayMillis = 100;
    try {
      // Busy with one key each, so that the others wait for one request.
      ask(table, 4, 1);
      List<CompletableFuture<?>> probes = ask(table, 12, 1);
      join(probes);
      for (CompletableFuture<?> probe : probes) {
        assertTrue(((Optional<?>) probe.join()).isPresent());
      }
      assertTrue(metrics.throttles.getCount() > 0);
    } finally {
      SharedTable.release(settings);
    }
  }

  @Test
  void theCacheIsShownAsFlinkShowsOthers() {
    LookupSettings settings = settings(new LookupSettings.Cache(100L, null, null, null));
    SharedTable table = SharedTable.acquire(settings);
    metrics.showCache(collected, table::size);
    try {
      exists(table, "1");
      exists(table, "1");
      exists(table, "99");
      assertEquals(2L, collected.value("cache.numCachedRecords"));
      dynamo.refusal = "ValidationException";
      failure(table.get(key("2"), metrics));
      assertEquals(1L, collected.value("cache.hitCount"));
      assertEquals(3L, collected.value("cache.missCount"));
      assertEquals(2L, collected.value("cache.loadCount"));
      assertEquals(1L, collected.value("cache.numLoadFailures"));
      assertTrue((Long) collected.value("cache.latestLoadTime") >= 0);
    } finally {
      SharedTable.release(settings);
    }
  }

  @Test
  void aFailedReadIsForgottenAndLoggedByNobody() {
    List<String> logged = new ArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            logged.add(line.getLoggerName() + ": " + line.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger root = Logger.getLogger("");
    root.addHandler(handler);
    LookupSettings settings =
        settings(new LookupSettings.Cache(100L, Duration.ofMinutes(1), null, null));
    SharedTable table = SharedTable.acquire(settings);
    try {
      dynamo.refusal = "UnrecognizedClientException";
      assertEquals(
          "cannot read from the DynamoDB table 'users' in eu-west-1",
          failure(table.get(key("6"), metrics)).getMessage());
      assertEquals(1, dynamo.requests.get());
      dynamo.refusal = null;
      assertTrue(exists(table, "6"));
      assertEquals(List.of(), logged);
    } finally {
      root.removeHandler(handler);
      SharedTable.release(settings);
    }
  }

  private static void waitForTheEndOfThreads() throws Exception {
    for (int attempt = 0; ; attempt++) {
      List<String> threads =
          Thread.getAllStackTraces().keySet().stream()
              .map(Thread::getName)
              .filter("dynamodb-lookup-users"::equals)
              .toList();
      if (threads.isEmpty()) {
        return;
      }
      assertTrue(attempt < 100, threads.toString());
      Thread.sleep(100);
    }
  }

  @Test
  void closesWhileItReads() throws Exception {
    LookupSettings settings = settings(1000);
    SharedTable table = SharedTable.acquire(settings);
    dynamo.delayMillis = 500;
    ask(table, 900, 1);
    while (dynamo.requests.get() < 4) {
      Thread.sleep(10);
    }
    SharedTable.release(settings);
    waitForTheEndOfThreads();
    assertTrue(dynamo.requests.get() <= 8, dynamo.requests + " requests");
  }

  @Test
  void closesWhileItBacksOff() throws Exception {
    LookupSettings settings = settings(1000);
    SharedTable table = SharedTable.acquire(settings);
    dynamo.refusal = "ProvisionedThroughputExceededException";
    ask(table, 100, 1);
    while (metrics.throttles.getCount() < 6) {
      Thread.sleep(50);
    }
    SharedTable.release(settings);
    waitForTheEndOfThreads();
  }

  @Test
  void asksForTheKeyOnceAndDoesWithoutIt() {
    LookupSettings settings = settings(null);
    SharedTable table = SharedTable.acquire(settings);
    try {
      TableKey key = new TableKey(Map.of("id", ScalarAttributeType.N), null);
      assertEquals(Optional.of(key), table.key());
      assertEquals(Optional.of(key), table.key());
      assertEquals(1, dynamo.descriptions.get());
    } finally {
      SharedTable.release(settings);
    }
    dynamo.descriptionsDenied = true;
    SharedTable denied = SharedTable.acquire(settings);
    try {
      assertEquals(Optional.empty(), denied.key());
      assertTrue(exists(denied, "7"));
    } finally {
      SharedTable.release(settings);
    }
  }

  @Test
  void throttlingIsCounted() {
    LookupSettings settings = settings(null);
    SharedTable table = SharedTable.acquire(settings);
    dynamo.throttled.set(2);
    try {
      assertTrue(exists(table, "4"));
      assertEquals(2, metrics.throttles.getCount());
      assertEquals(3, metrics.requests.getCount());
    } finally {
      SharedTable.release(settings);
    }
  }

  @Test
  void isOneForAllThatUseItAndClosedWithTheLast() {
    LookupSettings settings = settings(null);
    SharedTable table = SharedTable.acquire(settings);
    assertSame(table, SharedTable.acquire(settings(null)));
    SharedTable.release(settings);
    assertEquals(1, SharedTable.inUse());
    assertTrue(exists(table, "5"));
    SharedTable.release(settings);
    assertEquals(0, SharedTable.inUse());
  }
}
