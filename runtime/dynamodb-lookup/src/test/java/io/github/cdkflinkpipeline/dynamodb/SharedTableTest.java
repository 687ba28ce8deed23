package io.github.cdkflinkpipeline.dynamodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

class SharedTableTest {

  private static Dynalite dynamo;

  private final LookupMetrics metrics = new LookupMetrics(new UnregisteredMetricsGroup());

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
