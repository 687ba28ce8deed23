package io.github.cdkflinkpipeline.planner;

import io.github.cdkflinkpipeline.planner.PlanReport.Lookup;
import io.github.cdkflinkpipeline.planner.PlanReport.Operator;
import io.github.cdkflinkpipeline.planner.PlanReport.Plan;
import io.github.cdkflinkpipeline.planner.PlanReport.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Faults of a plan that Flink takes without a word. */
final class PlanProblems {

  private static final Set<String> AGGREGATES =
      Set.of(
          "GroupAggregate",
          "GlobalGroupAggregate",
          "IncrementalGroupAggregate",
          "GroupTableAggregate",
          "PythonGroupAggregate",
          "PythonGroupTableAggregate");

  private final Plan plan;
  private final List<Problem> problems = new ArrayList<>();

  private PlanProblems(Plan plan) {
    this.plan = plan;
  }

  static List<Problem> of(Plan plan) {
    PlanProblems result = new PlanProblems(plan);
    plan.operators().forEach(result::checkAggregate);
    plan.lookups().forEach(result::checkLookup);
    return result.problems;
  }

  /** Once its state is gone, a sum begins at zero again; a retraction then makes it negative. */
  private void checkAggregate(Operator operator) {
    if (!AGGREGATES.contains(operator.type()) || !operator.state().bound().startsWith("TTL")) {
      return;
    }
    boolean retracts =
        operator.inputs().stream()
            .map(input -> plan.operators().get(input.operator() - 1).changes())
            .anyMatch(changes -> changes != null && !changes.equals(List.of("+I")));
    String name = operator.type() + "[" + operator.id() + "]";
    problems.add(
        retracts
            ? new Problem(
                "error",
                "aggregate-ttl",
                null,
                String.format(
                    "%s takes updates and deletes and loses its state by %s: a sum would start"
                        + " again at zero, and a late retraction make it wrong; set no"
                        + " table.exec.state.ttl, and bound other operators with the hint STATE_TTL",
                    name, operator.state().bound()))
            : new Problem(
                "warning",
                "aggregate-ttl",
                null,
                String.format(
                    "%s loses its state by %s: a group that is idle for longer starts again at"
                        + " zero",
                    name, operator.state().bound())));
  }

  private void checkLookup(Lookup lookup) {
    lookup
        .probes()
        .forEach(
            (source, probes) -> {
              if (probes > 1) {
                problems.add(
                    new Problem(
                        "warning",
                        "repeated-lookup",
                        lookup.table(),
                        String.format(
                            "a row of '%s' is looked up in '%s' up to %d times: give the statements"
                                + " that share the join the same columns",
                            source, lookup.table(), probes)));
              }
            });
  }
}
