package io.github.cdkflinkpipeline.dynamodb;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/**
 * Rows per second of a lookup join beside a plain GetItem for each row through the same SDK, in one
 * run: {@code mvn -f runtime/pom.xml -pl dynamodb-lookup test -Dtest=LookupBenchmark}.
 */
class LookupBenchmark {

  private static final int KEYS = 1000;

  @Test
  void printsTheRatio() throws Exception {
    try (Dynalite dynamo = new Dynalite()) {
      dynamo.createTable("users", ScalarAttributeType.N, "id");
      for (int id = 0; id < KEYS; id++) {
        dynamo.put(
            "users",
            Map.of(
                "id",
                AttributeValue.fromN(String.valueOf(id)),
                "name",
                AttributeValue.fromS("name" + id)));
      }
      plain(dynamo, 1000);
      join(dynamo, 2000, "");
      double plain = plain(dynamo, 5000);
      report("a GetItem for each row, no Flink", plain, plain);
      report("one key to a request", join(dynamo, 5000, ", 'lookup.batch.max-size' = '1'"), plain);
      double joined = join(dynamo, 40_000, "");
      report("lookup join without a cache", joined, plain);
      report(
          "lookup join with a cache",
          join(
              dynamo,
              400_000,
              ", 'lookup.cache' = 'PARTIAL', 'lookup.partial-cache.max-rows' = '10000'"),
          plain);
      assertTrue(joined >= 5 * plain, "not five times a plain GetItem");
    }
  }

  private static void report(String name, double rowsPerSecond, double plain) {
    System.out.printf("%-34s %9.0f rows/s %6.1f x%n", name, rowsPerSecond, rowsPerSecond / plain);
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

  private static double join(Dynalite dynamo, int rows, String options) throws Exception {
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
        "CREATE TABLE users (id INT, name STRING, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector'"
            + " = 'dynamodb-lookup', 'table-name' = 'users', 'aws.region' = 'eu-west-1',"
            + " 'aws.endpoint' = '"
            + dynamo.withoutProxy()
            + "'"
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
