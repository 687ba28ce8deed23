import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.functions.ScalarFunction;

/** Runs a job with the Prometheus reporter in one process, and prints the names of all metrics that are exposed, and the label of its shard. */
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

  public static void main(String[] args) throws Exception {
    String port = args[0];
    var configuration =
        Configuration.fromMap(
            Map.of(
                "metrics.reporter.prom.factory.class", "org.apache.flink.metrics.prometheus.PrometheusReporterFactory",
                "metrics.reporter.prom.port", port,
                "execution.checkpointing.interval", "500 ms",
                "parallelism.default", "2"));
    var tables =
        TableEnvironment.create(
            EnvironmentSettings.newInstance().withConfiguration(configuration).build());
    tables.executeSql(
        "CREATE TABLE numbers (id INT, "
            + "came AS LEAST(LOCALTIMESTAMP, CAST(CURRENT_TIMESTAMP AS TIMESTAMP(3)) + INTERVAL '1' HOUR), "
            + "WATERMARK FOR came AS came) "
            + "WITH ('connector' = 'datagen', 'rows-per-second' = '100')");
    tables.executeSql("CREATE TABLE nothing (id INT, n BIGINT) WITH ('connector' = 'blackhole')");
    tables.createTemporarySystemFunction("like_kinesis_source", LikeKinesisSource.class);
    var statements = tables.createStatementSet();
    statements.addInsertSql(
        "INSERT INTO nothing SELECT id, COUNT(*) FROM (SELECT like_kinesis_source(id) AS id FROM numbers) GROUP BY id");
    statements.addInsertSql(
        "INSERT INTO nothing SELECT id, COUNT(*) "
            + "FROM TABLE(TUMBLE(TABLE numbers, DESCRIPTOR(came), INTERVAL '1' SECOND)) GROUP BY id, window_start, window_end");
    String windows = "(SELECT * FROM TABLE(TUMBLE(TABLE numbers, DESCRIPTOR(came), INTERVAL '1' SECOND)))";
    statements.addInsertSql(
        "INSERT INTO nothing SELECT a.id, CAST(1 AS BIGINT) FROM "
            + windows
            + " AS a JOIN "
            + windows
            + " AS b ON a.id = b.id AND a.window_start = b.window_start AND a.window_end = b.window_end");
    statements.execute();
    var request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/metrics")).build();
    var names = new TreeSet<String>();
    var shards = new TreeSet<String>();
    var shard = Pattern.compile("shardId=\"[^\"]*\"");
    for (int attempt = 0; attempt < 60; attempt++) {
      Thread.sleep(500);
      var text = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
      text.lines().filter(line -> line.startsWith("flink_")).forEach(line -> names.add(line.split("[{ ]")[0]));
      shard.matcher(text).results().forEach(match -> shards.add(match.group()));
      if (names.stream().anyMatch(name -> name.endsWith("numRecordsSendErrors"))
          && names.stream().anyMatch(name -> name.endsWith("numLateRecordsDropped"))
          && names.stream().anyMatch(name -> name.endsWith("rightNumLateRecordsDropped"))
          && names.contains("flink_jobmanager_job_lastCheckpointDuration")) {
        break;
      }
    }
    names.forEach(System.out::println);
    shards.forEach(System.out::println);
    System.exit(0);
  }
}
