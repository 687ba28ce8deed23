package io.github.cdkflinkpipeline.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.cdkflinkpipeline.planner.RunRequest.Given;
import io.github.cdkflinkpipeline.planner.RunResult.HeldState;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Savepoints that Flink writes here, and reads again. */
class SavepointReaderTest {

  private static final String TABLES =
      """
      CREATE TABLE clicks (user_id STRING, page STRING) WITH ('connector' = 'kinesis', 'format' = 'json',
        'stream.arn' = 'arn:aws:kinesis:eu-west-1:111122223333:stream/s', 'aws.region' = 'eu-west-1');
      CREATE TABLE counts (user_id STRING, n BIGINT, PRIMARY KEY (user_id) NOT ENFORCED)
        WITH ('connector' = 'mongodb', 'uri' = 'mongodb://m:27017', 'database' = 'd', 'collection' = 'c');
      """;
  private static final String COUNTS =
      TABLES + "INSERT INTO counts SELECT user_id, COUNT(*) FROM clicks GROUP BY user_id;";
  private static final String DISTINCT_COUNTS =
      TABLES
          + "INSERT INTO counts SELECT user_id, COUNT(DISTINCT page) FROM clicks GROUP BY user_id;";
  private static final ProgramRunner RUNNER = new ProgramRunner(ConnectorCatalogue.load());

  @AfterAll
  static void close() {
    RUNNER.close();
  }

  @Test
  void onlyAnOperatorThatHasSeenAKeyHoldsKeyedState(@TempDir Path directory) throws Exception {
    assertEquals(0, keyed(run(COUNTS, 0, directory, null)));
    assertEquals(1, keyed(run(COUNTS, 1, directory, null)));
  }

  @Test
  void aRestoredProgramGoesOnCounting(@TempDir Path directory) throws Exception {
    String savepoint = run(COUNTS, 2, directory, null).savepoint();
    JsonNode restored = run(COUNTS, 1, null, savepoint).sinks().get("counts").rows().get(0);
    assertEquals(3, restored.get("n").asInt());
  }

  @Test
  void stateThatDoesNotFitIsRefused(@TempDir Path directory) throws Exception {
    String savepoint = run(COUNTS, 1, directory, null).savepoint();
    Exception refused =
        assertThrows(Exception.class, () -> run(DISTINCT_COUNTS, 0, null, savepoint));
    assertTrue(
        Failures.rootMessage(refused).matches("(?s).*(serializer|state).*"),
        Failures.rootMessage(refused));
  }

  private static long keyed(RunResult result) {
    return result.states().stream().filter(HeldState::keyed).count();
  }

  private static RunResult run(String script, int rows, Path directory, String savepoint)
      throws Exception {
    JsonNode row = new ObjectMapper().readTree("{\"user_id\": \"u1\", \"page\": \"/\"}");
    Given given = new Given(1, null, row, null);
    return RUNNER.run(
        new RunRequest(
            new Program(script, Map.of(), List.of()),
            Map.of("clicks", java.util.Collections.nCopies(rows, given)),
            1,
            false,
            List.of(),
            directory == null ? null : directory.toUri().toString(),
            savepoint));
  }
}
