package io.github.cdkflinkpipeline.dynamodb;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.sql.DriverManager;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/**
 * Rows per second of lookup joins beside a plain GetItem for each row through the same SDK, and
 * beside Flink's JDBC lookup, in one run. Takes turns, so that whatever else the machine does
 * touches all of them; the first round warms up, of the others the median counts.
 *
 * <p>{@code mvn -f runtime/pom.xml -pl dynamodb-lookup test -Dtest=LookupBenchmark -Dcompiler=
 * -Dpostgres=jdbc:postgresql://localhost/postgres?user=postgres}
 */
class LookupBenchmark {

  private static final int KEYS = 1000;
  private static final int ROUNDS = 5;

  /** A table {@code users} is made anew in it. */
  private static final String POSTGRES = System.getProperty("postgres");

  private static final String CACHE =
      ", 'lookup.cache' = 'PARTIAL', 'lookup.partial-cache.max-rows' = '10000'";

  private interface Measurement {
    double rowsPerSecond() throws Exception;
  }

  @Test
  void aJoinIsFiveTimesAsFastAsAPlainReadOfEachRow() throws Exception {
    try (Dynalite dynamo = new Dynalite()) {
      dynamo.createTable("users", ScalarAttributeType.N, "id");
      try (var connection = DriverManager.getConnection(POSTGRES);
          var statement = connection.createStatement()) {
        statement.execute("DROP TABLE IF EXISTS users");
        statement.execute("CREATE TABLE users (id INT PRIMARY KEY, name TEXT)");
        for (int id = 0; id < KEYS; id++) {
          dynamo.put(
              "users",
              Map.of(
                  "id",
                  AttributeValue.fromN(String.valueOf(id)),
                  "name",
                  AttributeValue.fromS("name" + id)));
          statement.execute("INSERT INTO users VALUES (" + id + ", 'name" + id + "')");
        }
      }
      String ours =
          "'connector' = 'dynamodb-lookup', 'table-name' = 'users', 'aws.region' = 'eu-west-1',"
              + " 'aws.endpoint' = '"
              + dynamo.withoutProxy()
              + "'";
      String jdbc = "'connector' = 'jdbc', 'table-name' = 'users', 'url' = '" + POSTGRES + "'";
      Map<String, Measurement> measurements = new LinkedHashMap<>();
      measurements.put("a GetItem for each row, no Flink", () -> plain(dynamo, 4_000));
      measurements.put(
          "dynamodb-lookup, one key to a request",
          () -> join(6_000, ours + ", 'lookup.batch.max-size' = '1'"));
      measurements.put("dynamodb-lookup", () -> join(40_000, ours));
      measurements.put("dynamodb-lookup, cached", () -> join(400_000, ours + CACHE));
      measurements.put("jdbc to PostgreSQL", () -> join(10_000, jdbc));
      measurements.put("jdbc to PostgreSQL, cached", () -> join(400_000, jdbc + CACHE));
      Map<String, Double> medians = medians(measurements);
      double plain = medians.values().iterator().next();
      medians.forEach(
          (name, rowsPerSecond) ->
              System.out.printf(
                  "%-40s %9.0f rows/s %6.1f x%n", name, rowsPerSecond, rowsPerSecond / plain));
      assertTrue(medians.get("dynamodb-lookup") >= 5 * plain, medians.toString());
    }
  }

  private static Map<String, Double> medians(Map<String, Measurement> measurements)
      throws Exception {
    Map<String, double[]> results = new LinkedHashMap<>();
    for (int round = -1; round < ROUNDS; round++) {
      System.out.printf(
          "round %d, load %.1f%n",
          round + 1, ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
      for (Map.Entry<String, Measurement> measurement : measurements.entrySet()) {
        double result = measurement.getValue().rowsPerSecond();
        if (round >= 0) {
          results.computeIfAbsent(measurement.getKey(), name -> new double[ROUNDS])[round] = result;
        }
      }
    }
    Map<String, Double> medians = new LinkedHashMap<>();
    results.forEach(
        (name, rounds) -> {
          Arrays.sort(rounds);
          medians.put(name, rounds[ROUNDS / 2]);
        });
    return medians;
  }

  private static double plain(Dynalite dynamo, int rows) {
    Random random = new Random(1);
    long start = System.nanoTime();
    for (int row = 0; row < rows; row++) {
      Map<String, AttributeValue> key =
          Map.of("id", AttributeValue.fromN(String.valueOf(random.nextInt(KEYS))));
      dynamo.client().getItem(request -> request.tableName("users").key(key));
    }
    return perSecond(rows, start);
  }

  /** The start of the job counts too: it is what keeps a cached join from being faster still. */
  private static double join(int rows, String options) throws Exception {
    TableEnvironment tables = TableEnvironment.create(EnvironmentSettings.inStreamingMode());
    tables.getConfig().set("parallelism.default", "1");
    tables.executeSql(
        "CREATE TABLE events (k INT, p AS PROCTIME()) WITH ('connector' = 'datagen',"
            + " 'rows-per-second' = '100000000', 'fields.k.min' = '0', 'fields.k.max' = '"
            + (KEYS - 1)
            + "', 'number-of-rows' = '"
            + rows
            + "')");
    tables.executeSql(
        "CREATE TABLE users (id INT, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ("
            + options
            + ")");
    tables.executeSql("CREATE TABLE nothing (k INT, name STRING) WITH ('connector' = 'blackhole')");
    long start = System.nanoTime();
    tables
        .executeSql(
            "INSERT INTO nothing SELECT k, name FROM events LEFT JOIN users FOR SYSTEM_TIME AS OF p"
                + " AS u ON k = u.id")
        .await(5, TimeUnit.MINUTES);
    return perSecond(rows, start);
  }

  private static double perSecond(int rows, long start) {
    return rows * 1e9 / (System.nanoTime() - start);
  }
}
