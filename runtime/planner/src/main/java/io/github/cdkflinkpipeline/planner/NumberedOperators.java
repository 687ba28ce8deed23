package io.github.cdkflinkpipeline.planner;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.table.planner.delegation.PlannerBase;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNode;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNodeBase;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNodeGraph;

/**
 * Gives the operators that a connector adds, such as the writer of files, the number of their node:
 * Flink does so for its own alone.
 */
final class NumberedOperators {

  private final Set<ExecNode<?>> visited = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<Transformation<?>> numbered =
      Collections.newSetFromMap(new IdentityHashMap<>());

  private NumberedOperators() {}

  /** The graph of a plan that was translated. Names have no part in the ids of operators. */
  @SuppressWarnings("deprecation") // The planner has made the environment, and nobody else has it.
  static StreamGraph streamGraph(ExecNodeGraph graph, PlannerBase planner) {
    NumberedOperators operators = new NumberedOperators();
    List<Transformation<?>> sinks = new ArrayList<>();
    for (ExecNode<?> root : graph.getRootNodes()) {
      operators.visit(root);
      sinks.add(transformation(root));
    }
    return planner.getExecEnv().generateStreamGraph(sinks);
  }

  private static Transformation<?> transformation(ExecNode<?> node) {
    return ((ExecNodeBase<?>) node).getTransformation();
  }

  private void visit(ExecNode<?> node) {
    if (visited.add(node)) {
      node.getInputEdges().forEach(edge -> visit(edge.getSource()));
      number(transformation(node), node.getId());
    }
  }

  /** Those of a node and, upstream, not those of its inputs. */
  private void number(Transformation<?> transformation, int node) {
    if (numbered.add(transformation)) {
      String name = transformation.getName();
      if (!PlanReader.NODE.matcher(name).find()) {
        transformation.setName(name + "[" + node + "]");
      }
      transformation.getInputs().forEach(input -> number(input, node));
    }
  }
}
