package io.github.cdkflinkpipeline.planner;

import io.github.cdkflinkpipeline.planner.RunResult.HeldState;
import io.github.cdkflinkpipeline.runner.Placeholders;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.client.JobExecutionException;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.api.internal.TableEnvironmentInternal;
import org.apache.flink.table.operations.ModifyOperation;
import org.apache.flink.table.operations.Operation;
import org.apache.flink.table.operations.command.SetOperation;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNodeContext;

/** Runs programs on Flink, one after the other, with the ends of their tables swapped. */
final class ProgramRunner implements AutoCloseable {

  private final ConnectorCatalogue catalogue;
  private final RunCluster cluster = new RunCluster();

  ProgramRunner(ConnectorCatalogue catalogue) {
    this.catalogue = catalogue;
  }

  @Override
  public void close() {
    cluster.close();
  }

  RunResult run(RunRequest request) throws Exception {
    URL[] jars = ProgramPlanner.urls(request.program());
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    RunTables tables = new RunTables(request.tables());
    try (URLClassLoader loader = new URLClassLoader(jars, ProgramRunner.class.getClassLoader())) {
      thread.setContextClassLoader(loader);
      MiniCluster flink = cluster.get();
      RunExecutor executor =
          new RunExecutor(
              flink,
              SavepointReader.find(request.restoreFrom()),
              request.operators(),
              loader.getURLs());
      RunJob job = new RunJob(flink, submit(request, tables, executor, loader));
      try {
        tables.checkNames();
        return follow(request, tables, job);
      } catch (JobExecutionException failure) {
        throw new JobFailure(failure, failed(job, failure, request, executor));
      } finally {
        job.cancel();
      }
    } finally {
      tables.forget();
      thread.setContextClassLoader(before);
    }
  }

  private JobID submit(
      RunRequest request, RunTables tables, RunExecutor executor, URLClassLoader loader)
      throws Exception {
    Program program = request.program();
    Map<String, String> options = new HashMap<>(program.configuration());
    options.put("parallelism.default", String.valueOf(request.parallelism()));
    // A watermark for each row, so that a test sees what a row does and not when.
    options.put("pipeline.auto-watermark-interval", "0");
    options.put("restart-strategy.type", "none");
    options.put("execution.target", RunExecutor.NAME);
    options.putAll(RunJob.OPTIONS);
    Configuration configuration = Configuration.fromMap(options);
    StreamTableEnvironment environment =
        StreamTableEnvironment.create(
            new StreamExecutionEnvironment(executor, configuration, loader),
            EnvironmentSettings.newInstance()
                .inStreamingMode()
                .withConfiguration(configuration)
                .withClassLoader(loader)
                .build());
    environment.loadModule(StandInModule.NAME, new StandInModule(catalogue, tables));
    List<ModifyOperation> writes = new ArrayList<>();
    Placeholders placeholders =
        new Placeholders(program.script(), new Dummies(catalogue, program.script())::value);
    for (ScriptStatement statement : ScriptStatement.read(program.script())) {
      Operation operation = parse(environment, statement, placeholders);
      if (operation instanceof SetOperation set) {
        environment.getConfig().set(set.getKey().orElseThrow(), set.getValue().orElseThrow());
      } else if (operation instanceof ModifyOperation write) {
        writes.add(write);
      } else {
        ((TableEnvironmentInternal) environment).executeInternal(operation);
      }
    }
    // Ids are made of the numbers of nodes, which the job manager counts from the beginning.
    ExecNodeContext.resetIdCounter();
    return ((TableEnvironmentInternal) environment)
        .executeInternal(writes)
        .getJobClient()
        .orElseThrow()
        .getJobID();
  }

  private static Operation parse(
      StreamTableEnvironment environment, ScriptStatement statement, Placeholders placeholders) {
    try {
      return ((TableEnvironmentInternal) environment)
          .getParser()
          .parse(placeholders.substitute(statement.text()))
          .get(0);
    } catch (RuntimeException failure) {
      throw new IllegalArgumentException(
          String.format(
              "statement %d, line %d (%s): %s",
              statement.number(),
              statement.line(),
              statement.summary(),
              Failures.rootMessage(failure)),
          failure);
    }
  }

  private static RunResult follow(RunRequest request, RunTables tables, RunJob job)
      throws Exception {
    for (int phase : tables.phases) {
      tables.begin(phase);
      long deadline = System.nanoTime() + RunJob.PATIENCE;
      while (!job.running() || !tables.emitted(phase)) {
        if (job.finished()) {
          return new RunResult(tables.written(), null, null);
        }
        job.checkAlive();
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException(
              "phase " + phase + " has not come to its end within 60 seconds");
        }
        Thread.sleep(2);
      }
      // Its barrier follows the rows: once it is complete they have reached the sinks.
      if (job.checkpoint().isEmpty()) {
        return new RunResult(tables.written(), null, null);
      }
    }
    String savepoint = null;
    List<HeldState> states = null;
    if (request.savepointDirectory() != null) {
      savepoint = job.savepoint(request.savepointDirectory()).orElse(null);
      states = savepoint == null ? null : SavepointReader.read(savepoint, request.operators());
    } else if (request.endOfInput()) {
      tables.end();
      job.waitForEnd();
    }
    return new RunResult(tables.written(), savepoint, states);
  }

  /** Where Flink names no operator, it is one of those that run in the task that failed first. */
  private static List<String> failed(
      RunJob job, Throwable failure, RunRequest request, RunExecutor executor) {
    Map<String, String> names = SavepointReader.namesByHash(request.operators());
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      String message = String.valueOf(cause.getMessage());
      List<String> told =
          names.entrySet().stream()
              .filter(name -> message.contains(name.getKey()))
              .map(Map.Entry::getValue)
              .toList();
      if (!told.isEmpty()) {
        return told;
      }
    }
    return job.failedVertices().stream()
        .flatMap(vertex -> executor.namedIn(vertex.getJobVertexId()).stream())
        .toList();
  }
}
