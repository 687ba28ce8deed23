package io.github.cdkflinkpipeline.planner;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeFamily;
import org.apache.flink.types.RowKind;

/**
 * What real factories check beyond names and types of options. Messages are theirs where they say
 * what is wrong.
 */
final class FactoryRules {

  private static final List<String> JDBC_DIALECTS =
      List.of(
          "crate",
          "db2",
          "derby",
          "mysql",
          "oceanbase",
          "oracle",
          "postgresql",
          "sqlserver",
          "trino");

  /** The flush buffer of AWS sinks. */
  private static final List<String> BATCH_OPTIONS =
      List.of(
          "sink.batch.max-size",
          "sink.requests.max-inflight",
          "sink.requests.max-buffered",
          "sink.flush-buffer.size",
          "sink.flush-buffer.timeout");

  private static final String DYNAMODB_LOOKUP = "dynamodb-lookup";

  private static final Pattern SYSTEM_TIME_INDEX =
      Pattern.compile(
          "\\{\\s*(now\\(\\s*\\)|current_timestamp)\\s*\\|.*}", Pattern.CASE_INSENSITIVE);

  private FactoryRules() {}

  /** Checks of the factory itself. */
  static void checkCreation(String connector, TableSide side, TableOptions options) {
    switch (connector) {
      case "elasticsearch-7", "opensearch", "opensearch-2", "opensearch-3" ->
          checkSearchIndex(options);
      case "jdbc" -> checkJdbc(options);
      case "mongodb" -> checkMongoDb(options);
      case "kinesis" -> {
        checkAwsCredentials(options);
        if (side == TableSide.SOURCE) {
          oneOf(options, "source.init.position", "LATEST", "TRIM_HORIZON", "AT_TIMESTAMP");
        } else {
          checkBatch(options);
        }
      }
      case "firehose", "dynamodb", "sqs" -> {
        checkAwsCredentials(options);
        checkBatch(options);
      }
      default -> {}
    }
    checkLookupCache(options);
  }

  /** Checks that a sink makes when it is told which changes will come. */
  static void checkChanges(String connector, Map<String, String> options, ChangelogMode requested) {
    if (isSearchIndex(connector)
        && !requested.containsOnly(RowKind.INSERT)
        && SYSTEM_TIME_INDEX.matcher(options.getOrDefault("index", "")).find()) {
      throw new ValidationException(
          "Dynamic indexing based on system time only works on append only stream.");
    }
  }

  /** Checks that a sink makes when it is built. */
  static void checkSinkRuntime(String connector, Map<String, String> options) {
    if (!isSearchIndex(connector)) {
      return;
    }
    String strategy = options.getOrDefault("sink.bulk-flush.backoff.strategy", "NONE");
    for (String needed : List.of("max-retries", "delay")) {
      String key = "sink.bulk-flush.backoff." + needed;
      if (!strategy.equalsIgnoreCase("NONE") && !options.containsKey(key)) {
        throw new NoSuchElementException(
            String.format(
                "No value present: 'sink.bulk-flush.backoff.strategy' = '%s' needs '%s'",
                strategy, key));
      }
    }
    if ("exactly-once".equalsIgnoreCase(options.get("sink.delivery-guarantee"))) {
      throw new IllegalStateException(
          String.format(
              "%s sink does not support the EXACTLY_ONCE guarantee.",
              connector.startsWith("elastic") ? "Elasticsearch" : "Opensearch"));
    }
  }

  /** Checks that a scan makes when it is built. */
  static void checkScanRuntime(String connector, Map<String, String> options) {
    String number = options.get("scan.partition.num");
    if (connector.equals("jdbc") && number != null && Integer.parseInt(number.strip()) < 1) {
      throw new IllegalArgumentException("Batch number must be positive: 'scan.partition.num'");
    }
  }

  /** Checks of the key of a table that is asked for single keys. */
  static void checkLookupKey(String connector, LookupColumns columns) {
    if (!connector.equals(DYNAMODB_LOOKUP)) {
      return;
    }
    List<String> key = columns.key();
    if (key.isEmpty()) {
      throw new ValidationException(
          "a 'dynamodb-lookup' table must declare the key of the DynamoDB table:"
              + " PRIMARY KEY (...) NOT ENFORCED");
    }
    if (key.size() > 2) {
      throw new ValidationException(
          "PRIMARY KEY must be the partition key of the DynamoDB table, and its sort key where it"
              + " has one, got "
              + String.join(", ", key));
    }
    for (String name : key) {
      LogicalType type = columns.type(name);
      if (!type.isAnyOf(
          LogicalTypeFamily.CHARACTER_STRING,
          LogicalTypeFamily.NUMERIC,
          LogicalTypeFamily.BINARY_STRING)) {
        throw new ValidationException(
            String.format(
                "key column '%s' must be of text, a number or bytes, as DynamoDB keys are, got %s",
                name, type.asSummaryString()));
      }
    }
  }

  /** Checks that a lookup makes when a join tells what it compares. */
  static void checkLookupRuntime(
      String connector, Map<String, String> options, LookupColumns columns, List<String> compared) {
    if (!connector.equals(DYNAMODB_LOOKUP)) {
      return;
    }
    String table = options.get("table-name");
    if (!Set.copyOf(compared).containsAll(columns.key())) {
      throw new ValidationException(
          String.format(
              "a join with the DynamoDB table '%s' must compare its whole key, %s, got %s: it reads"
                  + " by key and never scans",
              table, String.join(", ", columns.key()), String.join(", ", compared)));
    }
    for (String name : compared) {
      LogicalType type = columns.type(name);
      if (!type.getChildren().isEmpty()) {
        throw new ValidationException(
            String.format(
                "a join with the DynamoDB table '%s' must compare columns of text, numbers, bytes,"
                    + " booleans and times alone, got '%s' of type %s: compare it after the join",
                table, name, type.asSummaryString()));
      }
    }
  }

  private static boolean isSearchIndex(String connector) {
    return connector.startsWith("elasticsearch") || connector.startsWith("opensearch");
  }

  private static void checkSearchIndex(TableOptions options) {
    List<String> hosts = options.get("hosts");
    hosts.forEach(FactoryRules::checkHost);
    Integer actions = options.get("sink.bulk-flush.max-actions");
    if (actions != null && actions != -1) {
      atLeastOne("sink.bulk-flush.max-actions", actions);
    }
    MemorySize size = options.get("sink.bulk-flush.max-size");
    if (size != null && size.getBytes() % (1 << 20) != 0) {
      throw new ValidationException(
          "'sink.bulk-flush.max-size' must be in MB granularity. Got: " + size);
    }
    Integer retries = options.get("sink.bulk-flush.backoff.max-retries");
    if (retries != null) {
      atLeastOne("sink.bulk-flush.backoff.max-retries", retries);
    }
    if (options.has("username") && !options.has("password")) {
      throw new ValidationException("'username' and 'password' must be set at the same time.");
    }
  }

  private static void checkHost(String host) {
    if (!host.contains("://")) {
      return;
    }
    URI uri = URI.create(host);
    if (uri.getHost() == null || uri.getPort() < 0) {
      throw new ValidationException(
          String.format(
              "Could not parse host '%s' in option 'hosts'. It should follow the format"
                  + " 'http://host_name:port'.",
              host));
    }
  }

  private static void atLeastOne(String key, int value) {
    if (value < 1) {
      throw new ValidationException(String.format("'%s' must be at least 1. Got: %s", key, value));
    }
  }

  private static void checkJdbc(TableOptions options) {
    allOrNone(options, "username", "password");
    allOrNone(options, "lookup.cache.max-rows", "lookup.cache.ttl");
    allOrNone(
        options,
        "scan.partition.column",
        "scan.partition.num",
        "scan.partition.lower-bound",
        "scan.partition.upper-bound");
    String url = options.text("url");
    if (JDBC_DIALECTS.stream().noneMatch(dialect -> url.startsWith("jdbc:" + dialect + ":"))) {
      throw new IllegalStateException(
          String.format(
              "Could not find any jdbc factory that can handle url '%s'; there are factories for"
                  + " jdbc:%s",
              url, String.join(":, jdbc:", JDBC_DIALECTS) + ":"));
    }
    if (options.has("compatible-mode") && !url.startsWith("jdbc:oceanbase:")) {
      throw new UnsupportedOperationException(
          "Not supported option 'compatible-mode' with value: " + options.text("compatible-mode"));
    }
    Long lower = options.get("scan.partition.lower-bound");
    Long upper = options.get("scan.partition.upper-bound");
    if (lower != null && upper != null && lower > upper) {
      throw new IllegalArgumentException(
          String.format(
              "'scan.partition.lower-bound'='%s' must not be larger than"
                  + " 'scan.partition.upper-bound'='%s'.",
              lower, upper));
    }
    notNegative(options, "lookup.max-retries", "sink.max-retries");
    Duration timeout = options.get("connection.max-retry-timeout");
    if (timeout != null && (timeout.toSeconds() < 1 || timeout.getNano() != 0)) {
      throw new IllegalArgumentException(
          "The value of 'connection.max-retry-timeout' option must be in second granularity and"
              + " shouldn't be smaller than 1 second, but is "
              + options.text("connection.max-retry-timeout")
              + ".");
    }
  }

  private static void checkMongoDb(TableOptions options) {
    if (options.is("sink.delivery-guarantee", "exactly-once")) {
      throw new IllegalArgumentException("Mongo sink does not support the EXACTLY_ONCE guarantee.");
    }
    if (!options.text("uri").matches("mongodb(\\+srv)?://.*")) {
      throw new IllegalArgumentException(
          "The connection string is invalid. Connection strings must start with either 'mongodb://'"
              + " or 'mongodb+srv://");
    }
    Integer rows = options.get("sink.buffer-flush.max-rows");
    if (rows != null && rows != -1 && rows < 1) {
      throw new IllegalArgumentException("Max number of batch size must be larger than 0.");
    }
    notNegative(options, "lookup.max-retries");
    Integer retries = options.get("sink.max-retries");
    if (retries != null && retries < 0) {
      throw new IllegalArgumentException(
          "The sink max retry times must be larger than or equal to 0.");
    }
    for (String key : List.of("sink.retry.interval", "lookup.retry.interval")) {
      Duration interval = options.get(key);
      if (interval != null && interval.toMillis() <= 0) {
        throw new IllegalArgumentException(
            "The retry interval (in milliseconds) must be larger than 0: '" + key + "'");
      }
    }
    MemorySize size = options.get("scan.partition.size");
    if (size != null && size.getMebiBytes() < 1) {
      throw new IllegalArgumentException("The partition size must be larger than or equal to 1mb.");
    }
    Integer samples = options.get("scan.partition.samples");
    if (samples != null && samples < 1) {
      throw new IllegalArgumentException("The partition samples must be larger than 0.");
    }
  }

  private static void checkLookupCache(TableOptions options) {
    if (options.is("lookup.cache", "PARTIAL")
        && !options.has("lookup.partial-cache.expire-after-access")
        && !options.has("lookup.partial-cache.expire-after-write")
        && !options.has("lookup.partial-cache.max-rows")) {
      throw new IllegalArgumentException(
          "Missing 'lookup.partial-cache.expire-after-access',"
              + " 'lookup.partial-cache.expire-after-write' or 'lookup.partial-cache.max-rows' in"
              + " the configuration: the cache would never evict.");
    }
  }

  private static void checkAwsCredentials(TableOptions options) {
    oneOf(
        options,
        "aws.credentials.provider",
        "AUTO",
        "BASIC",
        "ENV_VAR",
        "SYS_PROP",
        "PROFILE",
        "ASSUME_ROLE",
        "WEB_IDENTITY_TOKEN",
        "CUSTOM");
    if (options.is("aws.credentials.provider", "BASIC")
        && !(options.has("aws.credentials.basic.accesskeyid")
            && options.has("aws.credentials.basic.secretkey"))
        && !(options.has("aws.credentials.provider.basic.accesskeyid")
            && options.has("aws.credentials.provider.basic.secretkey"))) {
      throw new IllegalArgumentException(
          "Please set values for AWS Access Key ID ('aws.credentials.basic.accesskeyid') and Secret"
              + " Key ('aws.credentials.basic.secretkey') when using the BASIC credential"
              + " provider type.");
    }
  }

  private static void checkBatch(TableOptions options) {
    for (String key : BATCH_OPTIONS) {
      Number value = options.get(key);
      if (value != null && value.longValue() < 1) {
        throw new IllegalArgumentException(
            "Invalid option " + key + ". Must be a positive integer.");
      }
    }
    options.get("sink.fail-on-error");
  }

  private static void oneOf(TableOptions options, String key, String... values) {
    if (options.has(key) && !List.of(values).contains(options.text(key))) {
      throw new IllegalArgumentException(
          String.format(
              "Could not parse value '%s' for key '%s'. Expected one of: %s",
              options.text(key), key, List.of(values)));
    }
  }

  private static void allOrNone(TableOptions options, String... keys) {
    if (!options.together(keys)) {
      throw new IllegalArgumentException(
          "Either all or none of the following options should be provided:\n"
              + String.join("\n", keys));
    }
  }

  private static void notNegative(TableOptions options, String... keys) {
    for (String key : keys) {
      Integer value = options.get(key);
      if (value != null && value < 0) {
        throw new IllegalArgumentException(
            String.format(
                "The value of '%s' option shouldn't be negative, but is %s.", key, value));
      }
    }
  }
}
