package io.github.cdkflinkpipeline.planner;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.annotation.JsonInclude;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;

/**
 * Plans and runs programs for one parent process: a request a line on standard input, an answer a
 * line on standard output, in order. It ends when the parent closes its input, and when the parent
 * dies.
 */
public final class PlannerServer {

  /**
   * A request: a program to plan, or a run.
   *
   * @param id returned in the answer
   */
  record Request(long id, Program program, RunRequest run) {}

  /**
   * An answer: a report, the result of a run, or why there is none.
   *
   * @param operators where the job failed; null where there is no such job
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Answer(
      long id, PlanReport report, RunResult result, String error, List<String> operators) {}

  private final ObjectMapper json = new ObjectMapper();
  private final ConnectorCatalogue catalogue = ConnectorCatalogue.load();
  private final ProgramPlanner planner = new ProgramPlanner(catalogue);
  private final ProgramRunner runner = new ProgramRunner(catalogue);

  private PlannerServer() {}

  public static void main(String[] args) throws IOException {
    PrintStream answers =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    // Whatever a library prints must not stand between two answers.
    System.setOut(System.err);
    PlannerServer server = new PlannerServer();
    // The end of the input is seen only once all requests before it are answered.
    ProcessHandle.current().parent().ifPresent(parent -> parent.onExit().thenRun(server::end));
    try {
      server.serve(answers);
    } finally {
      answers.flush();
      server.end();
    }
  }

  private void end() {
    try {
      runner.close();
    } finally {
      // A thread that Flink has left behind must not outlive the parent.
      Runtime.getRuntime().exit(0);
    }
  }

  private void serve(PrintStream answers) throws IOException {
    BufferedReader requests =
        new BufferedReader(
            new InputStreamReader(new FileInputStream(FileDescriptor.in), StandardCharsets.UTF_8));
    for (String line = requests.readLine(); line != null; line = requests.readLine()) {
      if (!line.isBlank()) {
        answers.println(json.writeValueAsString(answer(line)));
      }
    }
  }

  private Answer answer(String line) {
    long id = -1;
    try {
      JsonNode tree = json.readTree(line);
      id = tree.path("id").asLong(id);
      Request request = json.treeToValue(tree, Request.class);
      return request.run() == null
          ? new Answer(id, planner.plan(request.program()), null, null, null)
          : new Answer(id, null, runner.run(request.run()), null, null);
    } catch (Throwable failure) {
      // Nobody else would answer: the caller would wait for ever.
      failure.printStackTrace();
      List<String> operators =
          failure instanceof JobFailure job && Failures.whileRestoring(job)
              ? job.operators()
              : null;
      return new Answer(id, null, null, Failures.rootMessage(failure), operators);
    }
  }
}
