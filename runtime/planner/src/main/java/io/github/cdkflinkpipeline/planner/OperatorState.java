package io.github.cdkflinkpipeline.planner;

import io.github.cdkflinkpipeline.planner.PlanReport.State;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.hint.Hintable;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.streaming.api.operators.async.AsyncWaitOperatorFactory;
import org.apache.flink.streaming.api.transformations.OneInputTransformation;
import org.apache.flink.table.api.config.ExecutionConfigOptions;
import org.apache.flink.table.planner.hint.StateTtlHint;
import org.apache.flink.table.planner.plan.logical.SessionWindowSpec;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNode;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNodeBase;
import org.apache.flink.table.planner.plan.nodes.physical.common.CommonPhysicalLookupJoin;
import org.apache.flink.table.planner.plan.nodes.physical.stream.StreamPhysicalGroupAggregateBase;
import org.apache.flink.table.planner.plan.nodes.physical.stream.StreamPhysicalOverAggregateBase;
import org.apache.flink.table.planner.plan.nodes.physical.stream.StreamPhysicalSink;
import org.apache.flink.table.planner.plan.nodes.physical.stream.StreamPhysicalWindowTableFunction;
import org.apache.flink.util.TimeUtils;

/** What an operator remembers between rows, and what bounds it. */
final class OperatorState {

  private OperatorState() {}

  /** The state of an operator, or null where it keeps none. */
  static State of(String type, ExecNode<?> node, RelNode rel, ReadableConfig config) {
    return switch (type) {
      case "TableSourceScan", "DataStreamScan" ->
          unkeyed("the position in each split", "the number of splits", true);
      case "GroupAggregate",
          "GlobalGroupAggregate",
          "IncrementalGroupAggregate",
          "GroupTableAggregate",
          "PythonGroupAggregate",
          "PythonGroupTableAggregate" ->
          byTtl(
              endless("the aggregates of each group", "one entry for each group, for ever"),
              rel,
              config);
      case "WindowAggregate",
          "GlobalWindowAggregate",
          "GroupWindowAggregate",
          "PythonGroupWindowAggregate" ->
          bounded("the aggregates of each group and window", "the watermark: a window ends");
      case "WindowTableFunction" ->
          rel instanceof StreamPhysicalWindowTableFunction window
                  && window.windowing().getWindow() instanceof SessionWindowSpec
              ? bounded("the rows of each session", "the watermark: a session ends")
              : null;
      case "WindowJoin" ->
          bounded("the rows of both inputs by window", "the watermark: a window ends");
      case "WindowRank", "WindowDeduplicate" ->
          bounded("the first rows of each partition and window", "the watermark: a window ends");
      case "Join", "MultiJoin" ->
          byTtl(
              endless("all rows of each input", "every row of the inputs, for ever"), rel, config);
      case "DeltaJoin" -> waiting("the capacity of its buffer");
      case "IntervalJoin" ->
          bounded("the rows of both inputs within the interval", "the interval of the join");
      case "TemporalJoin" ->
          byTtl(
              endless(
                  "the versions of the right side, and left rows that wait for the watermark",
                  "the watermark drops old versions; the last version of each key stays for ever"),
              rel,
              config);
      case "Deduplicate" ->
          byTtl(endless("one row of each key", "one row for each key, for ever"), rel, config);
      case "Rank" ->
          byTtl(
              endless("the first rows of each partition", "rows of each partition, for ever"),
              rel,
              config);
      case "ChangelogNormalize" ->
          byTtl(endless("the last row of each key", "one row for each key, for ever"), rel, config);
      case "OverAggregate", "PythonOverAggregate" -> byTtl(overFrame(rel), rel, config);
      case "Match" ->
          byTtl(
              endless("partial matches of each partition", "WITHIN, where it is given"),
              rel,
              config);
      case "Limit" -> bounded("how many rows have passed", "its one number");
      case "SortLimit" -> byTtl(bounded("the first rows of the order", "the limit"), rel, config);
      case "TemporalSort" -> bounded("the rows that wait for the watermark", "the watermark");
      case "Sort" -> unkeyed("all rows", "every row, for ever", false);
      case "ProcessTableFunction" ->
          byTtl(endless("what the function keeps", "what the function does"), rel, config);
      case "LookupJoin" ->
          rel instanceof CommonPhysicalLookupJoin lookup ? ofLookup(lookup, config) : null;
      case "Sink" ->
          rel instanceof StreamPhysicalSink sink && sink.upsertMaterialize()
              ? byTtl(
                  endless(
                      "the rows of each primary key (SinkUpsertMaterializer)",
                      "the rows of each key, for ever"),
                  rel,
                  config)
              : null;
      // Functions and models that are called without waiting: the operator is that of a lookup.
      default -> waits(node) ? waiting("the capacity of its buffer") : null;
    };
  }

  private static boolean waits(ExecNode<?> node) {
    return node instanceof ExecNodeBase<?> planned
        && planned.getTransformation() instanceof OneInputTransformation<?, ?> transformation
        && transformation.getOperatorFactory() instanceof AsyncWaitOperatorFactory;
  }

  /** Flink writes it, and wants its operator back, even where no row waits. */
  private static State waiting(String bound) {
    return unkeyed("the rows that wait for an answer", bound, true);
  }

  /** A frame of time forgets; one of rows, or from the first row on, does not. */
  private static State overFrame(RelNode rel) {
    String holds = "the rows of each partition that the frame spans";
    boolean ofTime =
        rel instanceof StreamPhysicalOverAggregateBase over
            && over.logicWindow().groups.stream()
                .noneMatch(group -> group.isRows || group.lowerBound.isUnbounded());
    return ofTime
        ? bounded(holds, "the frame")
        : endless(holds, "an entry for each partition, for ever");
  }

  private static State ofLookup(CommonPhysicalLookupJoin lookup, ReadableConfig config) {
    if (lookup.upsertMaterialize()) {
      return byTtl(
          endless("the looked-up row of each key", "one entry for each key, for ever"),
          lookup,
          config);
    }
    return lookup.isAsyncEnabled() ? waiting("the capacity of the lookup's buffer") : null;
  }

  private static State bounded(String holds, String bound) {
    return new State(holds, bound, true, true);
  }

  private static State endless(String holds, String growth) {
    return new State(holds, growth, false, true);
  }

  private static State unkeyed(String holds, String bound, boolean bounded) {
    return new State(holds, bound, bounded, false);
  }

  /** What an operator keeps that a TTL bounds, where there is one. */
  private static State byTtl(State without, RelNode rel, ReadableConfig config) {
    Duration general = config.get(ExecutionConfigOptions.IDLE_STATE_RETENTION);
    Map<Integer, Duration> hints = ttlHints(rel);
    int inputs = rel == null ? 1 : Math.max(1, rel.getInputs().size());
    List<Duration> all =
        IntStream.range(0, inputs).mapToObj(input -> hints.getOrDefault(input, general)).toList();
    if (all.stream().anyMatch(Duration::isZero)) {
      return without;
    }
    List<String> texts = all.stream().map(TimeUtils::formatWithHighestUnit).distinct().toList();
    String bound = "TTL " + String.join(" and ", texts) + (hints.isEmpty() ? "" : " by hint");
    return bounded(without.holds(), bound);
  }

  /** How long an operator keeps state after a hint, by input from 0. */
  private static Map<Integer, Duration> ttlHints(RelNode rel) {
    Map<Integer, Duration> result = new TreeMap<>();
    if (rel instanceof StreamPhysicalGroupAggregateBase aggregate) {
      Long millis = StateTtlHint.getStateTtlFromHintOnSingleRel(aggregate.hints());
      if (millis != null) {
        result.put(0, Duration.ofMillis(millis));
      }
    } else if (rel instanceof Hintable hintable && rel.getInputs().size() == 2) {
      StateTtlHint.getStateTtlFromHintOnBiRel(hintable.getHints())
          .forEach((input, millis) -> result.put(input, Duration.ofMillis(millis)));
    }
    return result;
  }
}
