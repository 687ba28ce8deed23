package io.github.cdkflinkpipeline.planner;

import java.net.URL;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.flink.api.dag.Pipeline;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.PipelineExecutor;
import org.apache.flink.core.execution.PipelineExecutorFactory;
import org.apache.flink.core.execution.PipelineExecutorServiceLoader;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterJobClient;
import org.apache.flink.runtime.minicluster.MiniClusterJobClient.JobFinalizationBehavior;
import org.apache.flink.streaming.api.graph.StreamGraph;

/** Submits a job to our cluster, from a savepoint where there is one. */
final class RunExecutor implements PipelineExecutorServiceLoader, PipelineExecutorFactory {

  static final String NAME = "sql-test";

  private final MiniCluster cluster;
  private final String savepoint;
  private final URL[] jars;

  RunExecutor(MiniCluster cluster, String savepoint, URL[] jars) {
    this.cluster = cluster;
    this.savepoint = savepoint;
    this.jars = jars;
  }

  @Override
  public PipelineExecutorFactory getExecutorFactory(Configuration configuration) {
    return this;
  }

  @Override
  public Stream<String> getExecutorNames() {
    return Stream.of(NAME);
  }

  @Override
  public String getName() {
    return NAME;
  }

  @Override
  public boolean isCompatibleWith(Configuration configuration) {
    return true;
  }

  @Override
  public PipelineExecutor getExecutor(Configuration configuration) {
    return this::submit;
  }

  private CompletableFuture<JobClient> submit(
      Pipeline pipeline, Configuration configuration, ClassLoader loader) {
    JobGraph job = ((StreamGraph) pipeline).getJobGraph(loader);
    job.setClasspaths(List.of(jars));
    if (savepoint != null) {
      // Without state that finds no operator: that is what a lost operator is told by.
      job.setSavepointRestoreSettings(SavepointRestoreSettings.forPath(savepoint, false));
    }
    return cluster
        .submitJob(job)
        .thenApply(
            submitted ->
                new MiniClusterJobClient(
                    submitted.getJobID(), cluster, loader, JobFinalizationBehavior.NOTHING));
  }
}
