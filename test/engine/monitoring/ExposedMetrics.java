import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource.NumberSequenceSplit;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.functions.ScalarFunction;

/**
 * Runs a job with the Prometheus reporter in one process, and prints each metric that is exposed with its labels, and the names of tasks
 * and operators and the shard as they stand in labels.
 */
public class ExposedMetrics {
  /** Registers the groups and the gauge that the Kinesis source registers for each shard, at the same place, its operator. */
  public static class LikeKinesisSource extends ScalarFunction {
    @Override
    public void open(FunctionContext context) {
      context
          .getMetricGroup()
          .addGroup("KinesisStreamSource")
          .addGroup("accountId", "111122223333")
          .addGroup("region", "eu-central-1")
          .addGroup("stream", "clicks")
          .addGroup("shardId", "shardId-000000000001")
          .gauge("millisBehindLatest", () -> 0L);
    }

    public Integer eval(Integer id) {
      return id;
    }
  }

  /** A source of the newer source API that knows its backlog, as that of Kafka does. */
  public static class LikeKafkaSource extends DataGeneratorSource<Long> {
    LikeKafkaSource() {
      super((GeneratorFunction<Long, Long>) number -> number, Long.MAX_VALUE, RateLimiterStrategy.perSecond(100), Types.LONG);
    }

    @Override
    public SourceReader<Long, NumberSequenceSplit> createReader(SourceReaderContext context) throws Exception {
      context.metricGroup().setPendingRecordsGauge(() -> 5L);
      return super.createReader(context);
    }
  }

  /** A table name of 100 characters, and one with what labels, names of chains and regular expressions make something of. */
  private static final List<String> SINKS = List.of("nothing", "long_" + "name".repeat(24), "odd, (\"$name\") -> [1]: x|y.*");

  /** What is exposed last: by an operator that runs, has seen a row or a checkpoint. */
  private static final List<String> LAST =
      List.of(
          "numRecordsSendErrors",
          "numLateRecordsDropped",
          "rightNumLateRecordsDropped",
          "currentEmitEventTimeLag",
          "lastCheckpointDuration");

  public static void main(String[] args) throws Exception {
    String port = args[0];
    var configuration =
        Configuration.fromMap(
            Map.of(
                "metrics.reporter.prom.factory.class", "org.apache.flink.metrics.prometheus.PrometheusReporterFactory",
                "metrics.reporter.prom.port", port,
                "execution.checkpointing.interval", "500 ms",
                "parallelism.default", "2"));
    var environment = StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    var tables = StreamTableEnvironment.create(environment);
    tables.executeSql(
        "CREATE TABLE numbers (id INT, "
            + "came AS LEAST(LOCALTIMESTAMP, CAST(CURRENT_TIMESTAMP AS TIMESTAMP(3)) + INTERVAL '1' HOUR), "
            + "WATERMARK FOR came AS came) "
            + "WITH ('connector' = 'datagen', 'rows-per-second' = '100')");
    for (String sink : SINKS) {
      tables.executeSql("CREATE TABLE `" + sink + "` (id INT, n BIGINT) WITH ('connector' = 'blackhole')");
    }
    // None comes here: what it prints would stand among the metrics.
    tables.executeSql("CREATE TABLE printed (id INT, n BIGINT) WITH ('connector' = 'print', 'standard-error' = 'true')");
    String files = "(id INT, n BIGINT) WITH ('connector' = 'filesystem', 'format' = 'json', 'path' = '" + Path.of(args[1]).toUri() + "'";
    tables.executeSql("CREATE TABLE files " + files + ")");
    tables.executeSql("CREATE TABLE compacted " + files + ", 'auto-compaction' = 'true')");
    tables.createTemporarySystemFunction("like_kinesis_source", LikeKinesisSource.class);
    tables.createTemporaryView(
        "backlog",
        environment.fromSource(
            new LikeKafkaSource(),
            WatermarkStrategy.<Long>forMonotonousTimestamps().withTimestampAssigner((number, time) -> System.currentTimeMillis()),
            "backlog"));
    var statements = tables.createStatementSet();
    statements.addInsertSql(
        "INSERT INTO nothing SELECT id, COUNT(*) FROM (SELECT like_kinesis_source(id) AS id FROM numbers) GROUP BY id");
    statements.addInsertSql(
        "INSERT INTO `"
            + SINKS.get(1)
            + "` SELECT id, COUNT(*) "
            + "FROM TABLE(TUMBLE(TABLE numbers, DESCRIPTOR(came), INTERVAL '1' SECOND)) GROUP BY id, window_start, window_end");
    String windows = "(SELECT * FROM TABLE(TUMBLE(TABLE numbers, DESCRIPTOR(came), INTERVAL '1' SECOND)))";
    statements.addInsertSql(
        "INSERT INTO `"
            + SINKS.get(2)
            + "` SELECT a.id, CAST(1 AS BIGINT) FROM "
            + windows
            + " AS a JOIN "
            + windows
            + " AS b ON a.id = b.id AND a.window_start = b.window_start AND a.window_end = b.window_end");
    String backlog = " SELECT CAST(MOD(f0, 100) AS INT), f0 FROM backlog";
    statements.addInsertSql("INSERT INTO files" + backlog);
    statements.addInsertSql("INSERT INTO compacted" + backlog);
    statements.addInsertSql("INSERT INTO printed" + backlog + " WHERE f0 < 0");
    statements.addInsertSql(
        "INSERT INTO nothing SELECT id, CAST(1 AS BIGINT) FROM "
            + "(SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY came) AS place FROM numbers) WHERE place = 1");
    statements.execute();
    var request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/metrics")).build();
    var lines = new TreeSet<String>();
    var label = Pattern.compile("([a-zA-Z_]\\w*)=\"([^\"]*)\"");
    for (int attempt = 0; attempt < 60; attempt++) {
      Thread.sleep(500);
      var text = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
      text.lines()
          .filter(line -> line.startsWith("flink_"))
          .forEach(
              line -> {
                var labels = label.matcher(line).results().toList();
                String names = labels.stream().map(match -> match.group(1)).sorted().collect(Collectors.joining(","));
                lines.add(line.split("[{ ]")[0] + "{" + names + "}");
                labels.stream()
                    .filter(match -> List.of("task_name", "operator_name", "shardId").contains(match.group(1)))
                    .forEach(match -> lines.add(match.group()));
              });
      if (LAST.stream().allMatch(name -> lines.stream().anyMatch(line -> line.contains("_" + name + "{")))) {
        break;
      }
    }
    lines.forEach(System.out::println);
    System.exit(0);
  }
}
