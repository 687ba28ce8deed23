package io.github.cdkflinkpipeline.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.cdkflinkpipeline.planner.RunRequest.Given;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.api.common.JobID;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class ProgramRunnerTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ProgramRunner RUNNER = new ProgramRunner(ConnectorCatalogue.load());

  /** The task of the values ends when it likes, before a phase is over or in the middle of it. */
  private static final String VALUES_AND_CLICKS =
      """
      CREATE TABLE clicks (name STRING) WITH ('connector' = 'kafka', 'topic' = 'clicks',
        'properties.bootstrap.servers' = 'b:9092', 'scan.startup.mode' = 'earliest-offset', 'format' = 'json');
      CREATE TABLE names (name STRING, n BIGINT) WITH ('connector' = 'print');
      INSERT INTO names SELECT name, COUNT(*)
        FROM (SELECT name FROM clicks UNION ALL SELECT * FROM (VALUES ('x'), ('y')) AS v(name)) GROUP BY name;
      """;

  @AfterAll
  static void close() {
    RUNNER.close();
  }

  @RepeatedTest(20)
  void aTaskThatEndsWithinAPhaseIsNoFailure() throws Exception {
    RunResult result = RUNNER.run(request(VALUES_AND_CLICKS, null));
    assertEquals(
        Set.of("x", "y", "u", "v"),
        result.sinks().get("names").rows().stream()
            .map(row -> row.get("name").asText())
            .collect(Collectors.toSet()));
  }

  @RepeatedTest(5)
  void norIsOneThatEndsBeforeASavepoint(@TempDir Path directory) throws Exception {
    RunResult result = RUNNER.run(request(VALUES_AND_CLICKS, directory.toUri().toString()));
    assertNotNull(result.savepoint());
    assertNotNull(SavepointReader.find(directory.toUri().toString()));
  }

  @Test
  @Timeout(30) // Flink never answers for a job that has ended.
  void aJobThatEndsByItselfHasNoSavepoint(@TempDir Path directory) throws Exception {
    String script =
        "CREATE TABLE t (a INT) WITH ('connector' = 'print'); INSERT INTO t VALUES (1);";
    Program program = new Program(script, Map.of(), List.of());
    RunResult result =
        RUNNER.run(
            new RunRequest(
                program, Map.of(), 1, false, List.of(), directory.toUri().toString(), null));
    assertNull(result.savepoint());
    assertEquals(1, result.sinks().get("t").rows().size());
  }

  @Test
  void ofAClusterThatHasDiedNobodyAsksAnother() throws Exception {
    RunCluster clusters = new RunCluster();
    MiniCluster died = clusters.get();
    died.close();
    Path directory = clusters.directory();
    RunJob job = new RunJob(died, new JobID());
    assertEquals(
        "Flink has died in this run",
        assertThrows(IllegalStateException.class, job::running).getMessage());
    assertEquals(List.of(), job.failedVertices());
    job.cancel();
    assertFalse(died.isRunning());
    assertEquals(directory, clusters.directory());
    clusters.close();
  }

  private static RunRequest request(String script, String savepointDirectory) throws Exception {
    Map<String, List<Given>> tables = Map.of("clicks", List.of(click(1, "u"), click(2, "v")));
    return new RunRequest(
        new Program(script, Map.of(), List.of()),
        tables,
        1,
        false,
        List.of(),
        savepointDirectory,
        null);
  }

  private static Given click(int phase, String name) throws Exception {
    return new Given(phase, null, JSON.readTree("{\"name\": \"" + name + "\"}"), null);
  }
}
