package io.github.cdkflinkpipeline.planner;

import io.github.cdkflinkpipeline.planner.RunRequest.NamedOperator;
import java.net.URL;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.flink.api.dag.Pipeline;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.PipelineExecutor;
import org.apache.flink.core.execution.PipelineExecutorFactory;
import org.apache.flink.core.execution.PipelineExecutorServiceLoader;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.runtime.jobgraph.JobVertexID;
import org.apache.flink.runtime.jobgraph.SavepointRestoreSettings;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterJobClient;
import org.apache.flink.runtime.minicluster.MiniClusterJobClient.JobFinalizationBehavior;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.streaming.api.graph.StreamNode;

/** Submits a job to our cluster, from a savepoint where there is one. */
final class RunExecutor implements PipelineExecutorServiceLoader, PipelineExecutorFactory {

  static final String NAME = "sql-test";

  private final MiniCluster cluster;
  private final String savepoint;
  private final List<NamedOperator> operators;
  private final URL[] jars;

  /** Ids of the named operators by the vertex that runs them. */
  private final Map<JobVertexID, List<String>> namedByVertex = new HashMap<>();

  RunExecutor(MiniCluster cluster, String savepoint, List<NamedOperator> operators, URL[] jars) {
    this.cluster = cluster;
    this.savepoint = savepoint;
    this.operators = operators;
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
    StreamGraph graph = (StreamGraph) pipeline;
    name(graph);
    JobGraph job = graph.getJobGraph(loader);
    job.setClasspaths(List.of(jars));
    keepNames(job);
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

  /**
   * Give operators the ids that they have in the deployed job, whose ends are others and with them
   * the ids that Flink would make.
   */
  private void name(StreamGraph graph) {
    for (NamedOperator operator : operators) {
      List<StreamNode> nodes = nodesOfType(graph, operator.type());
      if (nodes.size() < operator.place()) {
        throw new IllegalStateException(
            "with rows in the place of connectors the job has fewer operators of type "
                + operator.type());
      }
      graph.setTransformationUID(nodes.get(operator.place() - 1).getId(), operator.id());
    }
  }

  private void keepNames(JobGraph job) {
    Map<String, String> names = SavepointReader.namesByHash(operators);
    for (JobVertex vertex : job.getVertices()) {
      List<String> named =
          vertex.getOperatorIDs().stream()
              .map(operator -> names.get(operator.getGeneratedOperatorID().toHexString()))
              .filter(Objects::nonNull)
              .toList();
      namedByVertex.put(vertex.getID(), named);
    }
  }

  /** Ids of the named operators that a vertex runs. */
  List<String> namedIn(JobVertexID vertex) {
    return namedByVertex.getOrDefault(vertex, List.of());
  }

  private static List<StreamNode> nodesOfType(StreamGraph graph, String type) {
    return graph.getStreamNodes().stream()
        .filter(node -> node.getOperatorName().startsWith(type + "["))
        .sorted(Comparator.comparingInt(RunExecutor::planNumber))
        .toList();
  }

  /** The number in brackets behind the type. */
  private static int planNumber(StreamNode node) {
    String name = node.getOperatorName();
    return Integer.parseInt(name.substring(name.indexOf('[') + 1, name.indexOf(']')));
  }
}
