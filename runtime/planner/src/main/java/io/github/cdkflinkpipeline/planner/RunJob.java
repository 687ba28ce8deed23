package io.github.cdkflinkpipeline.planner;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.execution.ExecutionState;
import org.apache.flink.runtime.executiongraph.AccessExecutionJobVertex;
import org.apache.flink.runtime.executiongraph.AccessExecutionVertex;
import org.apache.flink.runtime.minicluster.MiniCluster;

/**
 * A job on the cluster that it was submitted to: another one, after its death, knows no such job.
 */
final class RunJob {

  static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

  /**
   * A task that has ended before it was asked for its part of a checkpoint gives no answer: asking
   * again is what helps, and no reason for Flink to end the job. Rows on their way to the sinks
   * keep going meanwhile.
   */
  static final Map<String, String> OPTIONS =
      Map.of(
          "execution.checkpointing.timeout",
          "5 s",
          "execution.checkpointing.max-concurrent-checkpoints",
          "100",
          "execution.checkpointing.tolerable-failed-checkpoints",
          String.valueOf(Integer.MAX_VALUE));

  private final MiniCluster cluster;
  private final JobID id;

  RunJob(MiniCluster cluster, JobID id) {
    this.cluster = cluster;
    this.id = id;
  }

  /** Whether it has ended by itself: given rows keep it alive, values in the script do not. */
  boolean finished() throws Exception {
    return status() == JobStatus.FINISHED;
  }

  boolean running() throws Exception {
    if (status() != JobStatus.RUNNING) {
      return false;
    }
    for (AccessExecutionVertex vertex :
        cluster.getExecutionGraph(id).get().getAllExecutionVertices()) {
      if (vertex.getExecutionState() != ExecutionState.RUNNING
          && vertex.getExecutionState() != ExecutionState.FINISHED) {
        return false;
      }
    }
    return true;
  }

  /**
   * Throws the reason of a job that has failed. It may have come to its own end since it was asked
   * whether it is {@link #finished}: that is the next to be asked.
   */
  void checkAlive() throws Exception {
    JobStatus status = status();
    boolean failed = status.isGloballyTerminalState() && status != JobStatus.FINISHED;
    if (status == JobStatus.FAILING || failed) {
      waitForEnd();
      throw new IllegalStateException("the job has ended as " + status);
    }
  }

  /** Throws the reason of a job that fails. */
  void waitForEnd() throws Exception {
    cluster
        .requestJobResult(id)
        .get(PATIENCE, TimeUnit.NANOSECONDS)
        .toJobExecutionResult(RunJob.class.getClassLoader());
  }

  Optional<String> checkpoint() throws Exception {
    return insist(() -> cluster.triggerCheckpoint(id), true);
  }

  /** Does not stop the job: where a task declines a savepoint that stops it, Flink ends the job. */
  Optional<String> savepoint(String directory) throws Exception {
    return insist(
        () -> cluster.triggerSavepoint(id, directory, false, SavepointFormatType.CANONICAL), false);
  }

  /**
   * A task that is coming to its end declines, or does not answer: it is asked again until it has
   * ended. Nor does a job that has ended.
   *
   * @param twice whether it does no harm where both are answered: then it is asked again as soon as
   *     a task has ended, and not only when Flink gives up
   * @return nothing where the job has ended by itself
   */
  private Optional<String> insist(Supplier<CompletableFuture<String>> ask, boolean twice)
      throws Exception {
    long deadline = System.nanoTime() + PATIENCE;
    while (true) {
      try {
        long ended = endedTasks();
        CompletableFuture<String> answer = ask.get();
        while (!answer.isDone() && !(twice && endedTasks() > ended)) {
          if (finished()) {
            return Optional.empty();
          }
          checkAlive();
          if (System.nanoTime() > deadline) {
            throw new TimeoutException("a checkpoint has not come to its end within 60 seconds");
          }
          TimeUnit.MILLISECONDS.sleep(2);
        }
        if (answer.isDone()) {
          return Optional.of(answer.get());
        }
      } catch (ExecutionException | TimeoutException failure) {
        if (finished()) {
          return Optional.empty();
        }
        checkAlive();
        if (System.nanoTime() > deadline) {
          throw failure;
        }
      }
      Thread.sleep(10);
    }
  }

  private long endedTasks() throws Exception {
    long ended = 0;
    for (AccessExecutionVertex vertex :
        cluster.getExecutionGraph(id).get().getAllExecutionVertices()) {
      ended += vertex.getExecutionState() == ExecutionState.FINISHED ? 1 : 0;
    }
    return ended;
  }

  /** The vertices that have failed, as far as anybody still knows. */
  List<AccessExecutionJobVertex> failedVertices() {
    List<AccessExecutionJobVertex> failed = new ArrayList<>();
    try {
      for (AccessExecutionJobVertex vertex :
          cluster.getExecutionGraph(id).get().getVerticesTopologically()) {
        if (vertex.getAggregateState() == ExecutionState.FAILED) {
          failed.add(vertex);
        }
      }
    } catch (Exception unknown) {
      // Why the job has failed is of more use than why nobody knows where.
      unknown.printStackTrace();
    }
    return failed;
  }

  /** Does not throw: a failure of the job, which is told already, is of more use. */
  void cancel() {
    try {
      while (status() == JobStatus.INITIALIZING) {
        Thread.sleep(2);
      }
      if (!status().isGloballyTerminalState()) {
        cluster.cancelJob(id);
        cluster.requestJobResult(id).get(PATIENCE, TimeUnit.NANOSECONDS);
      }
    } catch (Exception failure) {
      failure.printStackTrace();
    }
  }

  private JobStatus status() throws Exception {
    if (!cluster.isRunning()) {
      throw new IllegalStateException("Flink has died in this run");
    }
    return cluster.getJobStatus(id).get();
  }
}
