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
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
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

  private final AtomicLong time = new AtomicLong();
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
        assertThrows(ExecutionException.class, () -> probe.get(1, TimeUnit.MINUTES)).getCause();
    return assertInstanceOf(LookupFailure.class, failure);
  }

  private void pass(Duration duration) {
    time.addAndGet(duration.toNanos());
  }

  private boolean exists(SharedTable table, String id) {
    return table.get(key(id), metrics).join().isPresent();
  }

  @Test
  void aMissingKeyHasAnExpiryOfItsOwn() {
    SharedTable table =
        new SharedTable(
            settings(
                new LookupSettings.Cache(
                    100L, Duration.ofMinutes(30), null, Duration.ofMinutes(1))),
            time::get);
    try {
      for (int round = 0; round < 3; round++) {
        assertTrue(exists(table, "1"));
        assertEquals(false, exists(table, "77"));
      }
      assertEquals(Map.of("1", 1, "77", 1), dynamo.reads);
      assertEquals(4, metrics.cacheHits.getCount());
      assertEquals(1L, collected.value("dynamodbLookup.missingKeys"));
      dynamo.put("users", Map.of("id", AttributeValue.fromN("77")));
      pass(Duration.ofSeconds(59));
      assertEquals(false, exists(table, "77"));
      pass(Duration.ofSeconds(2));
      assertTrue(exists(table, "77"));
      assertTrue(exists(table, "1"));
      assertEquals(Map.of("1", 1, "77", 2), dynamo.reads);
      pass(Duration.ofMinutes(29));
      assertTrue(exists(table, "1"));
      assertEquals(Map.of("1", 2, "77", 2), dynamo.reads);
    } finally {
      table.close();
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
  void useDoesNotProlongTheBoundByAge() {
    SharedTable table =
        new SharedTable(
            settings(
                new LookupSettings.Cache(
                    null, Duration.ofMinutes(9), Duration.ofMinutes(6), Duration.ofMinutes(9))),
            time::get);
    try {
      exists(table, "3");
      pass(Duration.ofMinutes(5));
      exists(table, "3");
      pass(Duration.ofMinutes(3));
      exists(table, "3");
      assertEquals(Map.of("3", 1), dynamo.reads);
      pass(Duration.ofMinutes(2));
      exists(table, "3");
      assertEquals(Map.of("3", 2), dynamo.reads);
      pass(Duration.ofMinutes(7));
      exists(table, "3");
      assertEquals(Map.of("3", 3), dynamo.reads);
    } finally {
      table.close();
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
  void asksForTheKeyOnce() throws Exception {
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
  }

  @Test
  void doesWithoutTheKeyUntilItIsTold() throws Exception {
    SharedTable table = new SharedTable(settings(null), time::get);
    try {
      dynamo.descriptionRefusals.add("AccessDeniedException");
      assertEquals(Optional.empty(), table.key());
      assertTrue(exists(table, "7"));
      pass(Duration.ofSeconds(59));
      assertEquals(Optional.empty(), table.key());
      assertEquals(1, dynamo.descriptions.get());
      pass(Duration.ofSeconds(2));
      assertTrue(table.key().isPresent());
      pass(Duration.ofHours(1));
      assertTrue(table.key().isPresent());
      assertEquals(2, dynamo.descriptions.get());
    } finally {
      table.close();
    }
  }

  @Test
  void asksForTheKeyAgainWhereDynamoDbIsBusy() throws Exception {
    SharedTable table = new SharedTable(settings(0), time::get);
    try {
      dynamo.descriptionRefusals.addAll(
          List.of("ThrottlingException", "InternalServerError", "ThrottlingException"));
      assertTrue(table.key().isPresent());
      assertEquals(4, dynamo.descriptions.get());
    } finally {
      table.close();
    }
  }

  @Test
  void startsWhereDynamoDbStaysBusy() throws Exception {
    SharedTable table = new SharedTable(settings(1000), time::get);
    try {
      dynamo.descriptionRefusals.addAll(Collections.nCopies(5, "InternalServerError"));
      assertEquals(Optional.empty(), table.key());
      assertEquals(4, dynamo.descriptions.get());
    } finally {
      table.close();
    }
  }

  @Test
  void aTaskThatIsCancelledLeavesTheQuestionToOthers() throws Exception {
    SharedTable table = new SharedTable(settings(null), time::get);
    try {
      Thread.currentThread().interrupt();
      assertThrows(InterruptedException.class, table::key);
      assertTrue(Thread.interrupted());
      assertTrue(table.key().isPresent());
    } finally {
      table.close();
    }
  }

  /** Sends a read of each of the keys on its own, and waits until the proxy holds all answers. */
  private List<CompletableFuture<?>> hold(SharedTable table, ItemKey... keys) throws Exception {
    dynamo.gate = new CountDownLatch(1);
    List<CompletableFuture<?>> probes = new ArrayList<>();
    for (ItemKey key : keys) {
      probes.add(table.get(key, metrics));
      while (dynamo.answers.get() < probes.size()) {
        Thread.sleep(10);
      }
    }
    return probes;
  }

  private static LookupSettings consistent(LookupSettings.Cache cache) {
    return new LookupSettings(
        "users", "eu-west-1", URI.create(dynamo.endpoint()), true, 100, 3, cache);
  }

  @Test
  void aConsistentReadSeesWhatWasWrittenAfterAnotherWasSent() throws Exception {
    SharedTable table = new SharedTable(consistent(null), time::get);
    try {
      CompletableFuture<?> before = hold(table, key("55")).get(0);
      dynamo.put("users", Map.of("id", AttributeValue.fromN("55")));
      CompletableFuture<?> after = table.get(key("55"), metrics);
      dynamo.gate.countDown();
      assertEquals(Optional.empty(), before.join());
      assertTrue(((Optional<?>) after.join()).isPresent());
      assertEquals(0, metrics.mergedProbes.getCount());
    } finally {
      table.close();
    }
  }

  /** And no batch holds a key twice: DynamoDB would refuse it. */
  @Test
  void consistentReadsThatAreNotSentYetAreOne() throws Exception {
    SharedTable table = new SharedTable(consistent(null), time::get);
    try {
      List<CompletableFuture<?>> held = hold(table, key("0"), key("1"), key("2"), key("3"));
      List<CompletableFuture<?>> waiting = ask(table, 6, 3);
      dynamo.gate.countDown();
      join(held);
      join(waiting);
      assertEquals(Map.of("0", 2, "1", 2, "2", 2, "3", 2, "4", 1, "5", 1), dynamo.reads);
      assertEquals(12, metrics.mergedProbes.getCount());
    } finally {
      table.close();
    }
  }

  /** What is cached is as old as the cache allows, so a second read would be for nothing. */
  @Test
  void aReadForTheCacheIsSharedHoweverConsistent() throws Exception {
    SharedTable table =
        new SharedTable(
            consistent(new LookupSettings.Cache(100L, Duration.ofMinutes(1), null, null)),
            time::get);
    try {
      CompletableFuture<?> first = hold(table, key("4")).get(0);
      CompletableFuture<?> second = table.get(key("4"), metrics);
      dynamo.gate.countDown();
      assertEquals(first.join(), second.join());
      assertEquals(Map.of("4", 1), dynamo.reads);
    } finally {
      table.close();
    }
  }

  @Test
  void aKeyThatDynamoDbDoesNotTakeFailsNoOther() throws Exception {
    SharedTable table = new SharedTable(settings(null), time::get);
    ItemKey text = new ItemKey(Map.of("id", "text"));
    try {
      hold(table, key("0"), key("1"), key("2"), key("3"));
      List<CompletableFuture<?>> others = new ArrayList<>(ask(table, 8, 1).subList(4, 8));
      CompletableFuture<?> refused = table.get(text, metrics);
      others.addAll(IntStream.of(8, 9).mapToObj(id -> table.get(key("" + id), metrics)).toList());
      dynamo.gate.countDown();
      join(others);
      for (CompletableFuture<?> other : others) {
        assertTrue(((Optional<?>) other.join()).isPresent());
      }
      assertEquals(
          "the DynamoDB table 'users' in eu-west-1 does not take the key {id=text}",
          failure(refused).getMessage());
      assertEquals(11, metrics.readKeys.getCount());
    } finally {
      table.close();
    }
  }

  @Test
  void aSortKeyThatIsTooLongHasNoItem() throws Exception {
    dynamo.createTable("lines", ScalarAttributeType.S, "id", "line");
    dynamo.put("lines", Map.of("id", AttributeValue.fromS("a"), "line", AttributeValue.fromS("1")));
    SharedTable table =
        new SharedTable(
            new LookupSettings(
                "lines", "eu-west-1", URI.create(dynamo.endpoint()), false, 100, 3, null),
            time::get);
    ItemKey there = new ItemKey(Map.of("id", "a", "line", "1"));
    ItemKey tooLong = new ItemKey(Map.of("id", "a", "line", "x".repeat(1025)));
    try {
      ItemKey[] busy =
          IntStream.range(0, 4)
              .mapToObj(id -> new ItemKey(Map.of("id", "b", "line", "" + id)))
              .toArray(ItemKey[]::new);
      hold(table, busy);
      CompletableFuture<?> found = table.get(there, metrics);
      CompletableFuture<?> missing = table.get(tooLong, metrics);
      dynamo.gate.countDown();
      assertTrue(((Optional<?>) found.join()).isPresent());
      assertEquals(Optional.empty(), missing.join());
      assertEquals(5L, collected.value("dynamodbLookup.missingKeys"));
    } finally {
      table.close();
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
