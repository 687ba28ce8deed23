package io.github.cdkflinkpipeline.dynamodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** On the real planner and runtime, against an emulator. */
class DynamoDbLookupTest {

  private static final int USERS = 40;
  private static final String CACHED =
      ", 'lookup.cache' = 'PARTIAL', 'lookup.partial-cache.max-rows' = '10000',"
          + " 'lookup.partial-cache.expire-after-write' = '10 min'";

  private static Dynalite dynamo;

  private final TableEnvironment tables =
      TableEnvironment.create(EnvironmentSettings.inStreamingMode());

  @BeforeAll
  static void start() throws Exception {
    dynamo = new Dynalite();
    dynamo.createTable("users", ScalarAttributeType.N, "id");
    for (int id = 0; id < USERS; id++) {
      dynamo.put(
          "users",
          Map.of(
              "id",
              AttributeValue.fromN(String.valueOf(id)),
              "name",
              AttributeValue.fromS("name" + id),
              "level",
              AttributeValue.fromN(String.valueOf(id % 3))));
    }
    dynamo.createTable("orders", ScalarAttributeType.S, "id", "line");
    dynamo.put(
        "orders",
        Map.of(
            "id",
            AttributeValue.fromS("a"),
            "line",
            AttributeValue.fromS("1"),
            "status",
            AttributeValue.fromS("open")));
    dynamo.createTable("kinds", ScalarAttributeType.S, "id");
    dynamo.createTable("binaries", ScalarAttributeType.B, "id");
    for (int id = 1; id <= 3; id++) {
      dynamo.put(
          "binaries",
          Map.of(
              "id",
              AttributeValue.fromB(SdkBytes.fromByteArray(new byte[] {(byte) id})),
              "n",
              AttributeValue.fromN(String.valueOf(id))));
    }
  }

  @AfterAll
  static void stop() {
    dynamo.close();
  }

  @BeforeEach
  void forget() {
    dynamo.forget();
    tables.getConfig().set("parallelism.default", "1");
  }

  @AfterEach
  void closesWithTheLastSubtask() {
    assertEquals(0, SharedTable.inUse());
  }

  private void dimension(String name, String table, String columns, String options) {
    tables.executeSql(
        String.format(
            "CREATE TABLE %s (%s) WITH ('connector' = 'dynamodb-lookup', 'table-name' = '%s',"
                + " 'aws.region' = 'eu-west-1', 'aws.endpoint' = '%s'%s)",
            name, columns, table, dynamo.endpoint(), options));
  }

  private void events(String columns, String rows) {
    tables.executeSql(
        String.format(
            "CREATE VIEW events AS SELECT *, PROCTIME() AS p FROM (VALUES %s) AS v (%s)",
            rows, columns));
  }

  private List<String> rows(String query) throws Exception {
    List<String> rows = new ArrayList<>();
    tables.executeSql(query).collect().forEachRemaining(row -> rows.add(row.toString()));
    return rows;
  }

  private String failure(String query) {
    StringBuilder messages = new StringBuilder();
    for (Throwable cause = assertThrows(Exception.class, () -> rows(query));
        cause != null;
        cause = cause.getCause()) {
      messages.append(cause.getMessage()).append('\n');
    }
    return messages.toString();
  }

  private static final String USER_COLUMNS =
      "id INT, name STRING, level BIGINT, PRIMARY KEY (id) NOT ENFORCED";

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void aMissingItemIsARowOfNulls(String asynchronous) throws Exception {
    dimension("users", "users", USER_COLUMNS, ", 'lookup.async' = '" + asynchronous + "'");
    events("k", "(1), (999), (CAST(NULL AS INT))");
    assertEquals(
        List.of("+I[1, name1, 1]", "+I[999, null, null]", "+I[null, null, null]"),
        rows(
            "SELECT k, name, level FROM events LEFT JOIN users FOR SYSTEM_TIME AS OF p AS u ON k ="
                + " u.id"));
  }

  @Test
  void keysComeInAnyOrderAndFurtherConditionsFilter() throws Exception {
    dimension(
        "orders",
        "orders",
        "line STRING, status STRING, id STRING, PRIMARY KEY (line, id) NOT ENFORCED",
        "");
    events("l, s, i", "('1', 'open', 'a'), ('1', 'shut', 'a'), ('2', 'open', 'a'), ('', '', '')");
    assertEquals(
        List.of("+I[1, open, open]", "+I[1, shut, null]", "+I[2, open, null]", "+I[, , null]"),
        rows(
            "SELECT l, s, status FROM events LEFT JOIN orders FOR SYSTEM_TIME AS OF p AS o ON"
                + " o.status = s AND o.line = l AND o.id = i"));
    assertEquals(
        List.of("+I[open]", "+I[open]", "+I[open]", "+I[null]"),
        rows(
            "SELECT status FROM events LEFT JOIN orders FOR SYSTEM_TIME AS OF p AS o ON o.line ="
                + " '1' AND o.id = i AND o.status = 'open'"));
  }

  /** Not even where the lookup is not told which of the two columns is the sort key. */
  @Test
  void aSortKeyThatIsTooLongHasNoItem() throws Exception {
    dynamo.descriptionRefusals.add("AccessDeniedException");
    dimension(
        "orders",
        "orders",
        "id STRING, line STRING, status STRING, PRIMARY KEY (id, line) NOT ENFORCED",
        "");
    events(
        "i, n, l, m",
        "('a', 1, '1', 1), ('a', 1, 'x', 1025), ('x', 2048, '1', 1), ('a', 1, '1', 1)");
    assertEquals(
        List.of("+I[open]", "+I[null]", "+I[null]", "+I[open]"),
        rows(
            "SELECT status FROM (SELECT REPEAT(i, n) AS i, REPEAT(l, m) AS l, p FROM events) AS e"
                + " LEFT JOIN orders FOR SYSTEM_TIME AS OF p AS o ON o.id = e.i AND o.line = e.l"));
    assertEquals(1, dynamo.descriptions.get());
  }

  /** Joined with each user by keys that equal its id and are written in another way. */
  @Test
  void numbersAreKeysHoweverTheyAreWritten() throws Exception {
    dimension("users", "users", "id DECIMAL(9, 3), name STRING, PRIMARY KEY (id) NOT ENFORCED", "");
    dimension("doubles", "users", "id DOUBLE, name STRING, PRIMARY KEY (id) NOT ENFORCED", "");
    events("k", "(1.000), (10.000), (1.5)");
    assertEquals(
        List.of("+I[1.000, name1]", "+I[10.000, name10]", "+I[1.500, null]"),
        rows(
            "SELECT CAST(k AS DECIMAL(9, 3)), name FROM events LEFT JOIN users FOR SYSTEM_TIME AS"
                + " OF p AS u ON CAST(k AS DECIMAL(9, 3)) = u.id"));
    assertEquals(
        List.of("+I[name1]", "+I[name10]", "+I[null]"),
        rows(
            "SELECT name FROM (SELECT CASE WHEN k = 1.5 THEN 1E300 ELSE CAST(k AS DOUBLE) END AS d, p"
                + " FROM events) AS e LEFT JOIN doubles FOR SYSTEM_TIME AS OF p AS u ON d = u.id"));
  }

  @Test
  void keysMayBeBytes() throws Exception {
    dimension("binaries", "binaries", "id BYTES, n INT, PRIMARY KEY (id) NOT ENFORCED", CACHED);
    events("k", "(x'01'), (x'02'), (x'03'), (x'04'), (x'01')");
    assertEquals(
        List.of("+I[1]", "+I[2]", "+I[3]", "+I[null]", "+I[1]"),
        rows(
            "SELECT n FROM events LEFT JOIN binaries FOR SYSTEM_TIME AS OF p AS b ON CAST(k AS"
                + " BYTES) = b.id"));
  }

  @Test
  void furtherConditionsMayBeOfAnyScalarType() throws Exception {
    dynamo.put(
        "kinds",
        Map.of(
            "id",
            AttributeValue.fromS("c"),
            "flag",
            AttributeValue.fromBool(true),
            "money",
            AttributeValue.fromN("12.5"),
            "bytes",
            AttributeValue.fromB(SdkBytes.fromByteArray(new byte[] {'c'})),
            "moment",
            AttributeValue.fromS("2026-11-30T12:30:00.5Z")));
    dimension(
        "kinds",
        "kinds",
        "id STRING, flag BOOLEAN, money DECIMAL(9, 2),"
            + " `bytes` BYTES, moment TIMESTAMP_LTZ(3), PRIMARY KEY (id) NOT ENFORCED",
        "");
    tables.getConfig().set("table.local-time-zone", "UTC");
    events("k", "('c')");
    for (String[] condition :
        new String[][] {
          {"flag", "CHAR_LENGTH(k) = 1", "CHAR_LENGTH(k) = 2"},
          {"money", "CAST(12.5 AS DECIMAL(9, 2))", "CAST(12.51 AS DECIMAL(9, 2))"},
          {"bytes", "ENCODE(k, 'UTF-8')", "ENCODE(k || 'x', 'UTF-8')"},
          // Not of literals: the planner cannot tell the bounds of a TIMESTAMP_LTZ that is one.
          {
            "moment",
            "TO_TIMESTAMP_LTZ(1796041800499 + CHAR_LENGTH(k), 3)",
            "TO_TIMESTAMP_LTZ(1796041800500 + CHAR_LENGTH(k), 3)"
          },
        }) {
      for (int index = 1; index < 3; index++) {
        // Out of the row, so that the planner takes it for no constant.
        String given = "CASE WHEN k = 'c' THEN " + condition[index] + " END";
        List<String> found =
            rows(
                "SELECT d.id FROM (SELECT k, p, "
                    + given
                    + " AS given FROM events) AS e JOIN kinds FOR SYSTEM_TIME AS OF p AS d ON k ="
                    + " d.id AND e.given = d.`"
                    + condition[0]
                    + "`");
        assertEquals(index == 1 ? List.of("+I[c]") : List.of(), found, condition[index]);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void readsAsConsistentlyAsTheOptionSays(boolean consistent) throws Exception {
    dimension("users", "users", USER_COLUMNS, ", 'lookup.consistent-read' = '" + consistent + "'");
    events("k", "(1), (2), (3), (4), (5), (6), (7), (8)");
    // Four connections are busy with the first keys, so that the others wait for one request.
    dynamo.delayMillis = 200;
    rows("SELECT name FROM events JOIN users FOR SYSTEM_TIME AS OF p AS u ON k = u.id");
    assertTrue(dynamo.batches.stream().anyMatch(keys -> keys > 1), dynamo.batches + " keys");
    assertEquals(consistent ? dynamo.requests.get() : 0, dynamo.consistentRequests.get());
  }

  @Test
  void readsEachType() throws Exception {
    dynamo.put(
        "kinds",
        Map.ofEntries(
            Map.entry("id", AttributeValue.fromS("all")),
            Map.entry("flag", AttributeValue.fromBool(true)),
            Map.entry("tiny", AttributeValue.fromN("-128")),
            Map.entry("small", AttributeValue.fromN("32767")),
            Map.entry("whole", AttributeValue.fromN("9007199254740993")),
            Map.entry("money", AttributeValue.fromN("12.5")),
            Map.entry("real", AttributeValue.fromN("0.25")),
            Map.entry("twice", AttributeValue.fromN("1E-7")),
            Map.entry(
                "bytes",
                AttributeValue.fromB(
                    SdkBytes.fromByteArray("hi".getBytes(StandardCharsets.UTF_8)))),
            Map.entry("day", AttributeValue.fromS("2026-11-30")),
            Map.entry("clock", AttributeValue.fromS("12:30:00")),
            Map.entry("stamp", AttributeValue.fromS("2026-11-30 12:30:00.123")),
            Map.entry("moment", AttributeValue.fromS("2026-11-30T12:30:00.5Z")),
            Map.entry(
                "list",
                AttributeValue.fromL(
                    List.of(AttributeValue.fromN("1"), AttributeValue.fromNul(true)))),
            Map.entry("texts", AttributeValue.fromSs(List.of("x"))),
            Map.entry("counts", AttributeValue.fromM(Map.of("a", AttributeValue.fromN("1")))),
            Map.entry(
                "address",
                AttributeValue.fromM(
                    Map.of(
                        "city",
                        AttributeValue.fromS("Ulm"),
                        "tags",
                        AttributeValue.fromL(List.of(AttributeValue.fromS("t"))))))));
    tables.getConfig().set("table.local-time-zone", "UTC");
    dimension(
        "kinds",
        "kinds",
        "id STRING, flag BOOLEAN, tiny TINYINT, small SMALLINT, whole BIGINT, money DECIMAL(9, 2),"
            + " `real` FLOAT, twice DOUBLE, `bytes` BYTES, `day` DATE, clock TIME, stamp TIMESTAMP(3),"
            + " moment TIMESTAMP_LTZ(3), list ARRAY<INT>, texts ARRAY<STRING>, counts MAP<STRING,"
            + " INT>, address ROW<tags ARRAY<STRING>, city STRING, zip STRING>, absent STRING,"
            + " PRIMARY KEY (id) NOT ENFORCED",
        "");
    events("k", "('all')");
    assertEquals(
        List.of(
            "+I[all, true, -128, 32767, 9007199254740993, 12.50, 0.25, 1.0E-7, [104, 105],"
                + " 2026-11-30, 12:30, 2026-11-30T12:30:00.123, 2026-11-30T12:30:00.500Z, [1,"
                + " null], [x], {a=1}, +I[[t], Ulm, null], null]"),
        rows("SELECT k.* FROM events JOIN kinds FOR SYSTEM_TIME AS OF p AS k ON k = k.id"));
  }

  /** Ten times each user and as many that are unknown, in three joins with different columns. */
  @Test
  void readsEachKeyOnceForAllSubtasksAndJoins() throws Exception {
    tables.getConfig().set("parallelism.default", "4");
    dimension("users", "users", USER_COLUMNS, CACHED);
    dimension("levels", "users", "level INT, id BIGINT, PRIMARY KEY (id) NOT ENFORCED", CACHED);
    tables.executeSql(
        "CREATE TABLE numbers (k BIGINT, p AS PROCTIME()) WITH ('connector' = 'datagen',"
            + " 'fields.k.kind' = 'sequence', 'fields.k.start' = '0', 'fields.k.end' = '799')");
    tables.executeSql(
        "CREATE VIEW events AS SELECT MOD(k, 80) AS k, CAST(MOD(k, 80) AS INT) AS i, p FROM"
            + " numbers");
    List<String> rows =
        rows(
            "SELECT k, u.name, CAST(NULL AS BIGINT) AS level FROM events LEFT JOIN users FOR"
                + " SYSTEM_TIME AS OF p AS u ON i = u.id UNION ALL SELECT k, 'x', u.level FROM"
                + " events LEFT JOIN users FOR SYSTEM_TIME AS OF p AS u ON i = u.id UNION ALL"
                + " SELECT k, 'y', CAST(l.level AS BIGINT) FROM events LEFT JOIN levels FOR"
                + " SYSTEM_TIME AS OF p AS l ON k = l.id");
    assertEquals(2400, rows.size());
    assertEquals(10, rows.stream().filter("+I[39, name39, null]"::equals).count());
    assertEquals(10, rows.stream().filter("+I[39, y, 0]"::equals).count());
    assertEquals(
        IntStream.range(0, 80).boxed().collect(Collectors.toMap(String::valueOf, id -> 1)),
        dynamo.reads);
    assertTrue(dynamo.requests.get() < 80, dynamo.requests + " requests");
  }

  @Test
  void withoutACacheEachRowIsRead() throws Exception {
    dimension("users", "users", USER_COLUMNS, ", 'lookup.async' = 'false'");
    events("k", "(1), (1), (1)");
    rows("SELECT name FROM events JOIN users FOR SYSTEM_TIME AS OF p AS u ON k = u.id");
    assertEquals(Map.of("1", 3), dynamo.reads);
  }

  @Test
  void goesOnAfterThrottling() throws Exception {
    dimension("users", "users", USER_COLUMNS, "");
    events("k", "(1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12)");
    dynamo.throttled.set(2);
    dynamo.curtailed.set(2);
    List<String> rows =
        rows("SELECT name FROM events JOIN users FOR SYSTEM_TIME AS OF p AS u ON k = u.id");
    assertEquals(IntStream.rangeClosed(1, 12).mapToObj(id -> "+I[name" + id + "]").toList(), rows);
    assertEquals(0, dynamo.throttled.get());
    assertEquals(0, dynamo.curtailed.get());
  }

  @Test
  void givesUpAfterTheRetries() {
    dimension("users", "users", USER_COLUMNS, ", 'lookup.max-retries' = '1'");
    events("k", "(1)");
    dynamo.throttled.set(100);
    String failure =
        failure("SELECT name FROM events JOIN users FOR SYSTEM_TIME AS OF p AS u ON k = u.id");
    dynamo.throttled.set(0);
    assertTrue(failure.contains("refused 1 keys 2 times"), failure);
    assertEquals(2, dynamo.requests.get());
  }

  @Test
  void saysWhichTableIsNotThere() {
    dimension("users", "nowhere", USER_COLUMNS, "");
    events("k", "(1)");
    String failure =
        failure("SELECT name FROM events JOIN users FOR SYSTEM_TIME AS OF p AS u ON k = u.id");
    assertTrue(
        failure.contains("cannot read from the DynamoDB table 'nowhere' in eu-west-1"), failure);
    assertEquals(0, dynamo.requests.get());
  }

  @Test
  void saysWhichKeyTheTableHas() {
    dimension("users", "users", "id STRING, PRIMARY KEY (id) NOT ENFORCED", "");
    events("k", "('1')");
    String failure =
        failure("SELECT k FROM events JOIN users FOR SYSTEM_TIME AS OF p AS u ON k = u.id");
    assertTrue(
        failure.contains(
            "the key of the DynamoDB table 'users' is id of type N, the lookup table declares id of"
                + " type S"),
        failure);
    assertEquals(0, dynamo.requests.get());
  }

  @Test
  void saysWhatIsWrongWithTheCredentials() {
    dynamo.descriptionRefusals.add("AccessDeniedException");
    dynamo.refusal = "UnrecognizedClientException";
    dimension("users", "users", USER_COLUMNS, "");
    events("k", "(1)");
    String failure =
        failure("SELECT name FROM events JOIN users FOR SYSTEM_TIME AS OF p AS u ON k = u.id");
    assertTrue(failure.contains("cannot read from the DynamoDB table 'users'"), failure);
    assertEquals(1, dynamo.requests.get());
  }

  @Test
  void saysWhichItemDoesNotFit() {
    dimension("users", "users", "id INT, name INT, PRIMARY KEY (id) NOT ENFORCED", "");
    events("k", "(1)");
    String failure =
        failure("SELECT name FROM events JOIN users FOR SYSTEM_TIME AS OF p AS u ON k = u.id");
    assertTrue(
        failure.contains(
            "item {id=1} of the DynamoDB table 'users' does not fit: attribute 'name' is of DynamoDB"
                + " type S, the column is INT"),
        failure);
  }
}
