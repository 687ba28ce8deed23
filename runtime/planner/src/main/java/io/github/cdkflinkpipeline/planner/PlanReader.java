package io.github.cdkflinkpipeline.planner;

import io.github.cdkflinkpipeline.planner.PlanReport.ChainedOperator;
import io.github.cdkflinkpipeline.planner.PlanReport.Input;
import io.github.cdkflinkpipeline.planner.PlanReport.Lookup;
import io.github.cdkflinkpipeline.planner.PlanReport.Operator;
import io.github.cdkflinkpipeline.planner.PlanReport.Plan;
import io.github.cdkflinkpipeline.planner.PlanReport.Sink;
import io.github.cdkflinkpipeline.planner.PlanReport.Vertex;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.util.ImmutableBitSet;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.runtime.OperatorIDPair;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.table.catalog.ContextResolvedTable;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.planner.plan.metadata.FlinkRelMetadataQuery;
import org.apache.flink.table.planner.plan.nodes.exec.ExecEdge;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNode;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNodeGraph;
import org.apache.flink.table.planner.plan.nodes.physical.common.CommonPhysicalLookupJoin;
import org.apache.flink.table.planner.plan.nodes.physical.common.CommonPhysicalTableSourceScan;
import org.apache.flink.table.planner.plan.nodes.physical.stream.StreamPhysicalRel;
import org.apache.flink.table.planner.plan.nodes.physical.stream.StreamPhysicalSink;
import org.apache.flink.table.planner.plan.schema.TableSourceTable;
import org.apache.flink.table.planner.plan.utils.ChangelogPlanUtils;
import org.apache.flink.types.RowKind;
import scala.collection.JavaConverters;
import scala.collection.Seq;

/**
 * Reads a plan three times: the physical nodes know changes and keys, the nodes for execution what
 * runs and keeps state, the job graph how it is chained.
 */
final class PlanReader {

  /** The id of an execution node at the end of the name of an operator. */
  static final Pattern NODE = Pattern.compile("\\[(\\d+)]");

  private static final Pattern DISTRIBUTION = Pattern.compile("distribution=\\[(.*)]\\)$");

  private final List<RelNode> roots;
  private final ExecNodeGraph graph;
  private final JobGraph job;
  private final ReadableConfig config;

  /** Number by execution node: their own ids go on counting from plan to plan. */
  private final Map<ExecNode<?>, Integer> numbers = new IdentityHashMap<>();

  private final Map<Integer, Integer> numberById = new HashMap<>();
  private final List<Operator> operators = new ArrayList<>();
  private final List<Sink> sinks = new ArrayList<>();
  private final Map<Integer, CommonPhysicalLookupJoin> lookups = new TreeMap<>();

  PlanReader(Seq<RelNode> roots, ExecNodeGraph graph, JobGraph job, ReadableConfig config) {
    this.roots = JavaConverters.seqAsJavaList(roots);
    this.graph = graph;
    this.job = job;
    this.config = config;
  }

  Plan read() {
    for (int index = 0; index < roots.size(); index++) {
      visit(graph.getRootNodes().get(index), roots.get(index));
    }
    List<Vertex> vertices = vertices();
    return new Plan(withVertices(vertices), sinks, lookupTables(), vertices);
  }

  private int visit(ExecNode<?> node, RelNode rel) {
    Integer known = numbers.get(node);
    if (known != null) {
      return known;
    }
    List<Input> inputs = new ArrayList<>();
    for (int index = 0; index < node.getInputEdges().size(); index++) {
      RelNode input =
          rel != null && rel.getInputs().size() == node.getInputEdges().size()
              ? rel.getInput(index)
              : null;
      inputs.add(input(node.getInputEdges().get(index), input));
    }
    int number = operators.size() + 1;
    numbers.put(node, number);
    numberById.put(node.getId(), number);
    operators.add(
        new Operator(
            number,
            type(node),
            table(rel),
            node.getDescription(),
            inputs,
            changes(rel),
            upsertKeys(rel, rel == null ? null : rel.getRowType().getFieldNames()),
            OperatorState.of(type(node), node, rel, config),
            null));
    if (rel instanceof StreamPhysicalSink sink) {
      sinks.add(sink(number, sink));
    }
    if (rel instanceof CommonPhysicalLookupJoin lookup) {
      lookups.put(number, lookup);
    }
    return number;
  }

  /** An exchange is no operator: it says how the rows of an input are distributed. */
  private Input input(ExecEdge edge, RelNode rel) {
    ExecNode<?> source = edge.getSource();
    if (!type(source).equals("Exchange")) {
      return new Input(visit(source, rel), null);
    }
    RelNode below = rel == null ? null : rel.getInput(0);
    Matcher distribution = DISTRIBUTION.matcher(source.getDescription());
    return new Input(
        visit(source.getInputEdges().get(0).getSource(), below),
        distribution.find() ? distribution.group(1) : "rebalance");
  }

  static String type(ExecNode<?> node) {
    return node.getClass().getSimpleName().replaceFirst("^StreamExec", "");
  }

  private static String table(RelNode rel) {
    if (rel instanceof StreamPhysicalSink sink) {
      return name(sink.contextResolvedTable());
    }
    if (rel instanceof CommonPhysicalTableSourceScan scan) {
      return name(scan.tableSourceTable().contextResolvedTable());
    }
    if (rel instanceof CommonPhysicalLookupJoin lookup) {
      return name(temporalTable(lookup));
    }
    return null;
  }

  private static ContextResolvedTable temporalTable(CommonPhysicalLookupJoin lookup) {
    RelOptTable table = lookup.temporalTable();
    return table instanceof TableSourceTable source ? source.contextResolvedTable() : null;
  }

  private static String name(ContextResolvedTable table) {
    return table == null ? null : table.getIdentifier().getObjectName();
  }

  private static String connector(ContextResolvedTable table) {
    return table == null ? null : table.getTable().getOptions().get("connector");
  }

  private static List<String> changes(RelNode rel) {
    if (!(rel instanceof StreamPhysicalRel physical) || rel instanceof StreamPhysicalSink) {
      return null;
    }
    var mode = ChangelogPlanUtils.getChangelogMode(physical);
    return mode.isEmpty() ? null : kinds(mode.get());
  }

  private static List<String> kinds(ChangelogMode mode) {
    return mode.getContainedKinds().stream().sorted().map(RowKind::shortString).toList();
  }

  /** Each key in the order of its columns, the shortest first. */
  private static List<List<String>> upsertKeys(RelNode rel, List<String> columns) {
    return rel == null || rel instanceof StreamPhysicalSink
        ? null
        : upsertKeySets(rel).stream()
            .map(key -> key.asList().stream().map(columns::get).toList())
            .toList();
  }

  private static List<ImmutableBitSet> upsertKeySets(RelNode rel) {
    Set<ImmutableBitSet> keys =
        FlinkRelMetadataQuery.reuseOrCreate(rel.getCluster().getMetadataQuery()).getUpsertKeys(rel);
    return keys == null
        ? List.of()
        : keys.stream()
            .sorted(
                Comparator.comparingInt(ImmutableBitSet::cardinality)
                    .thenComparing(ImmutableBitSet::toString))
            .toList();
  }

  private static Sink sink(int number, StreamPhysicalSink sink) {
    RelNode input = sink.getInput();
    ContextResolvedTable table = sink.contextResolvedTable();
    List<String> columns = table.getResolvedSchema().getColumnNames();
    List<String> written =
        columns.size() == input.getRowType().getFieldCount()
            ? columns
            : input.getRowType().getFieldNames();
    List<String> primaryKey =
        table.getResolvedSchema().getPrimaryKey().map(key -> key.getColumns()).orElse(List.of());
    List<List<String>> upsertKeys = upsertKeys(input, written);
    var changes = ChangelogPlanUtils.getChangelogMode((StreamPhysicalRel) input);
    return new Sink(
        number,
        name(table),
        connector(table),
        changes.isEmpty() ? List.of() : kinds(changes.get()),
        changes.isEmpty() ? List.of() : kinds(sink.tableSink().getChangelogMode(changes.get())),
        primaryKey,
        upsertKeys,
        primaryKey.isEmpty() ? null : relation(Set.copyOf(primaryKey), upsertKeys),
        sink.upsertMaterialize());
  }

  private static String relation(Set<String> primaryKey, List<List<String>> upsertKeys) {
    if (upsertKeys.isEmpty()) {
      return "none";
    }
    if (upsertKeys.stream().anyMatch(key -> Set.copyOf(key).equals(primaryKey))) {
      return "equal";
    }
    return upsertKeys.stream().anyMatch(primaryKey::containsAll) ? "within" : "different";
  }

  private List<Lookup> lookupTables() {
    Map<String, List<Integer>> byTable = new TreeMap<>();
    lookups.forEach(
        (number, lookup) -> {
          String table = table(lookup);
          byTable
              .computeIfAbsent(table == null ? "?" : table, key -> new ArrayList<>())
              .add(number);
        });
    List<Lookup> result = new ArrayList<>();
    byTable.forEach(
        (table, numbersOfTable) -> {
          CommonPhysicalLookupJoin first = lookups.get(numbersOfTable.get(0));
          result.add(
              new Lookup(
                  table,
                  connector(temporalTable(first)),
                  numbersOfTable.stream().anyMatch(number -> lookups.get(number).isAsyncEnabled()),
                  lookupKeys(first),
                  numbersOfTable,
                  probes(numbersOfTable)));
        });
    return result;
  }

  private static List<String> lookupKeys(CommonPhysicalLookupJoin lookup) {
    RelDataType row =
        lookup.calcOnTemporalTable().isEmpty()
            ? lookup.temporalTable().getRowType()
            : lookup.calcOnTemporalTable().get().getOutputRowType();
    return lookup.joinInfo().rightKeys.stream().map(row.getFieldNames()::get).toList();
  }

  /** A row of a source is looked up by every one of these operators that it can reach. */
  private Map<String, Integer> probes(List<Integer> numbersOfTable) {
    Map<String, Integer> result = new TreeMap<>();
    for (int number : numbersOfTable) {
      Set<String> sources = new HashSet<>();
      addSources(number, sources);
      sources.forEach(source -> result.merge(source, 1, Integer::sum));
    }
    return result;
  }

  private void addSources(int number, Set<String> sources) {
    Operator operator = operators.get(number - 1);
    if (operator.inputs().isEmpty() && operator.table() != null) {
      sources.add(operator.table());
    }
    operator.inputs().forEach(input -> addSources(input.operator(), sources));
  }

  private List<Vertex> vertices() {
    List<Vertex> result = new ArrayList<>();
    for (JobVertex vertex : job.getVerticesSortedTopologicallyFromSources()) {
      List<ChainedOperator> chain = new ArrayList<>();
      for (OperatorIDPair operator : vertex.getOperatorIDs()) {
        // From the end of the chain to its beginning.
        chain.add(
            0,
            new ChainedOperator(
                renumbered(operator.getUserDefinedOperatorName()),
                operator.getGeneratedOperatorID().toHexString()));
      }
      result.add(
          new Vertex(
              result.size() + 1,
              renumbered(vertex.getName()),
              vertex.getParallelism(),
              vertex.getMaxParallelism(),
              chain));
    }
    return result;
  }

  private String renumbered(String name) {
    return name == null
        ? ""
        : NODE.matcher(name)
            .replaceAll(
                match -> {
                  Integer number = numberById.get(Integer.valueOf(match.group(1)));
                  return Matcher.quoteReplacement(
                      number == null ? match.group() : "[" + number + "]");
                });
  }

  private List<Operator> withVertices(List<Vertex> vertices) {
    Map<Integer, Integer> vertexOf = new HashMap<>();
    for (Vertex vertex : vertices) {
      for (ChainedOperator operator : vertex.chain()) {
        Matcher node = NODE.matcher(operator.name());
        while (node.find()) {
          vertexOf.put(Integer.valueOf(node.group(1)), vertex.number());
        }
      }
    }
    return operators.stream()
        .map(
            operator ->
                new Operator(
                    operator.id(),
                    operator.type(),
                    operator.table(),
                    operator.description(),
                    operator.inputs(),
                    operator.changes(),
                    operator.upsertKeys(),
                    operator.state(),
                    vertexOf.get(operator.id())))
        .toList();
  }
}
