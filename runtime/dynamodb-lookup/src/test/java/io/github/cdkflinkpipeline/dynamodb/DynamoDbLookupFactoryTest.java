package io.github.cdkflinkpipeline.dynamodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.source.lookup.LookupOptions;
import org.apache.flink.table.connector.source.lookup.LookupOptions.LookupCacheType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DynamoDbLookupFactoryTest {

  private static final DynamoDbLookupFactory FACTORY = new DynamoDbLookupFactory();

  private static Set<String> options() {
    return Stream.concat(FACTORY.requiredOptions().stream(), FACTORY.optionalOptions().stream())
        .map(ConfigOption::key)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** What stands between two marks of a file of the repository. */
  private static Set<String> listed(String file, String from, String to, String option)
      throws Exception {
    String text = Files.readString(Path.of("../..", file));
    int start = text.indexOf(from);
    String section = text.substring(start, text.indexOf(to, start));
    return Pattern.compile(option, Pattern.MULTILINE)
        .matcher(section)
        .results()
        .map(result -> result.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void readsTheOptionsThatTheConstructsWrite() throws Exception {
    assertEquals(
        listed(
            "lib/connectors/dynamo-db-lookup.ts",
            "DYNAMODB_LOOKUP_OPTIONS = {",
            "} as const",
            "^ {2}\\w+: '([^']+)'"),
        options());
  }

  @Test
  void readsTheOptionsThatThePlannersStandInTakes() throws Exception {
    assertEquals(
        listed(
            "runtime/planner/src/main/resources/io/github/cdkflinkpipeline/planner/connectors.json",
            "\"dynamodb-lookup\": {",
            "\"source\"",
            "^ {8}\"([^\"]+)\": \\{"),
        options());
  }

  /** The planner must not take what the job then refuses. */
  @Test
  void takesTheCachesThatThePlannersStandInTakes() throws Exception {
    String taken =
        Stream.of(LookupCacheType.values())
            .filter(DynamoDbLookupFactoryTest::isTaken)
            .map(type -> '"' + type.name() + '"')
            .collect(Collectors.joining(", "));
    assertEquals(
        Set.of(taken),
        listed(
            "runtime/planner/src/main/resources/io/github/cdkflinkpipeline/planner/connectors.json",
            "\"dynamodb-lookup\": {",
            "\"source\"",
            "\"lookup.cache\": .*\"values\": \\[([^]]*)]"));
  }

  private static boolean isTaken(LookupCacheType type) {
    Configuration options = new Configuration();
    options.set(LookupOptions.CACHE_TYPE, type);
    options.set(LookupOptions.PARTIAL_CACHE_MAX_ROWS, 1L);
    try {
      LookupSettings.of(options);
      return true;
    } catch (ValidationException refused) {
      return false;
    }
  }

  private static String failure(String columns, String options, String condition) {
    TableEnvironment tables = TableEnvironment.create(EnvironmentSettings.inStreamingMode());
    tables.executeSql(
        "CREATE TABLE d ("
            + columns
            + ") WITH ('connector' = 'dynamodb-lookup', 'table-name' = 't', 'aws.region' ="
            + " 'eu-west-1'"
            + options
            + ")");
    Throwable failure =
        assertThrows(
            Exception.class,
            () ->
                tables.explainSql(
                    "SELECT s.k FROM (SELECT k, PROCTIME() AS p FROM (VALUES ('a')) AS v (k)) AS s"
                        + " JOIN d FOR SYSTEM_TIME AS OF s.p AS d ON "
                        + condition));
    StringBuilder messages = new StringBuilder();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      messages.append(cause.getMessage()).append('\n');
    }
    return messages.toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'lookup.cache' = 'FULL'|'lookup.cache' must be NONE or PARTIAL, got FULL",
        "'lookup.cache' = 'PARTIAL'|a partial lookup cache must have a bound",
        "'lookup.cache' = 'PARTIAL', 'lookup.partial-cache.max-rows' = '0'|'lookup.partial-cache.max-rows'"
            + " must be 1 or more, got 0",
        "'lookup.cache' = 'PARTIAL', 'lookup.partial-cache.expire-after-write' = '0 s'|must be"
            + " longer than 0",
        "'lookup.batch.max-size' = '101'|'lookup.batch.max-size' must be 1 to 100, got 101",
        "'lookup.max-retries' = '-1'|'lookup.max-retries' must be 0 or more, got -1",
        "'aws.endpoint' = 'somewhere'|'aws.endpoint' must be a URL such as",
        "'lookup.cach' = 'NONE'|Unsupported options found",
      })
  void refusesOptions(String options, String expected) {
    String failure = failure("k STRING, PRIMARY KEY (k) NOT ENFORCED", ", " + options, "s.k = d.k");
    assertTrue(failure.contains(expected), failure);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "k STRING|s.k = d.k|must declare the key of the DynamoDB table",
        "k BOOLEAN, n STRING, PRIMARY KEY (k) NOT ENFORCED|s.k = d.n|key column 'k' must be of text",
        "k STRING, n MULTISET<INT>, PRIMARY KEY (k) NOT ENFORCED|s.k = d.k|column 'n' cannot be read",
        "k STRING, n MAP<INT, INT>, PRIMARY KEY (k) NOT ENFORCED|s.k = d.k|column 'n' cannot be read",
        "k STRING, n ARRAY<STRING>, PRIMARY KEY (k) NOT ENFORCED|s.k = d.k AND ARRAY[s.k] = d.n|got 'n'"
            + " of type ARRAY<STRING>",
        "k STRING, n STRING, PRIMARY KEY (k, n) NOT ENFORCED|s.k = d.k|must compare its whole key, k,"
            + " n, got k",
      })
  void refusesTables(String columns, String condition, String expected) {
    String failure = failure(columns, "", condition);
    assertTrue(failure.contains(expected), failure);
  }
}
