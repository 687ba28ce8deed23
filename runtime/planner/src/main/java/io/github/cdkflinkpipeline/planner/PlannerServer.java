package io.github.cdkflinkpipeline.planner;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.annotation.JsonInclude;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;

/**
 * Plans programs for one parent process: a request a line on standard input, an answer a line on
 * standard output, in order. It ends when the parent closes its input, which the operating system
 * does for a parent that dies.
 */
public final class PlannerServer {

  /**
   * A request.
   *
   * @param id returned in the answer
   */
  record Request(long id, Program program) {}

  /** An answer: a report, or why there is none. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Answer(long id, PlanReport report, String error) {}

  private final ObjectMapper json = new ObjectMapper();
  private final ProgramPlanner planner = new ProgramPlanner(ConnectorCatalogue.load());

  private PlannerServer() {}

  public static void main(String[] args) throws IOException {
    PrintStream answers =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    // Whatever a library prints must not stand between two answers.
    System.setOut(System.err);
    new PlannerServer().serve(answers);
    // A thread that Flink has left behind must not outlive the parent.
    answers.flush();
    Runtime.getRuntime().exit(0);
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
      Request request = json.readValue(line, Request.class);
      id = request.id();
      return new Answer(id, planner.plan(request.program()), null);
    } catch (Exception | LinkageError | StackOverflowError failure) {
      failure.printStackTrace();
      return new Answer(id, null, Failures.rootMessage(failure));
    }
  }
}
