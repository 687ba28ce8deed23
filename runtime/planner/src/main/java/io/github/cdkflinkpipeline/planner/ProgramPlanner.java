package io.github.cdkflinkpipeline.planner;

import io.github.cdkflinkpipeline.planner.PlanReport.Connector;
import io.github.cdkflinkpipeline.planner.PlanReport.Plan;
import io.github.cdkflinkpipeline.planner.PlanReport.Problem;
import io.github.cdkflinkpipeline.planner.PlanReport.Statement;
import io.github.cdkflinkpipeline.runner.Placeholders;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.internal.TableEnvironmentImpl;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ContextResolvedTable;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.catalog.UniqueConstraint;
import org.apache.flink.table.catalog.UnresolvedIdentifier;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.operations.CreateTableASOperation;
import org.apache.flink.table.operations.ModifyOperation;
import org.apache.flink.table.operations.Operation;
import org.apache.flink.table.operations.QueryOperation;
import org.apache.flink.table.operations.StatementSetOperation;
import org.apache.flink.table.operations.command.ResetOperation;
import org.apache.flink.table.operations.command.SetOperation;
import org.apache.flink.table.operations.ddl.CreateTableOperation;
import org.apache.flink.table.planner.delegation.PlannerBase;
import org.apache.flink.table.planner.plan.nodes.exec.ExecNodeContext;

/** Plans programs, one after the other, each in a catalog of its own. */
final class ProgramPlanner {

  private final ConnectorCatalogue catalogue;

  ProgramPlanner(ConnectorCatalogue catalogue) {
    this.catalogue = catalogue;
  }

  PlanReport plan(Program program) throws IOException {
    URL[] jars = urls(program);
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader = new URLClassLoader(jars, ProgramPlanner.class.getClassLoader())) {
      thread.setContextClassLoader(loader);
      return new Run(program, loader).report();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  static URL[] urls(Program program) {
    return program.jars().stream().map(ProgramPlanner::url).toArray(URL[]::new);
  }

  private static URL url(String jar) {
    try {
      return Path.of(jar).toUri().toURL();
    } catch (MalformedURLException failure) {
      throw new IllegalArgumentException("not a path of a jar: " + jar, failure);
    }
  }

  /** The planning of one program. */
  private final class Run {

    private final Placeholders placeholders;
    private final List<ScriptStatement> script;
    private final ClassLoader loader;
    private final TableEnvironmentImpl tables;
    private final StandInModule standIns = new StandInModule(catalogue, TableSwap.NONE);
    private final Map<ScriptStatement, List<String>> errors = new LinkedHashMap<>();

    /** Statements that write, in their order. */
    private final Map<ScriptStatement, Operation> writes = new LinkedHashMap<>();

    Run(Program program, ClassLoader loader) {
      this.loader = loader;
      Dummies dummies = new Dummies(catalogue, program.script());
      placeholders = new Placeholders(program.script(), dummies::value);
      script = ScriptStatement.read(program.script());
      if (script.isEmpty()) {
        throw new IllegalArgumentException("the script holds no statement");
      }
      tables =
          (TableEnvironmentImpl)
              TableEnvironment.create(
                  EnvironmentSettings.newInstance()
                      .inStreamingMode()
                      .withConfiguration(Configuration.fromMap(program.configuration()))
                      .withClassLoader(loader)
                      .build());
      tables.loadModule(StandInModule.NAME, standIns);
    }

    PlanReport report() {
      for (ScriptStatement statement : script) {
        attempt(statement, () -> read(statement));
      }
      Plan plan = errors.isEmpty() ? planTogether() : null;
      if (!errors.isEmpty()) {
        blameTables();
        planApart();
      }
      List<Problem> problems = plan == null ? List.of() : PlanProblems.of(plan);
      boolean ok =
          errors.isEmpty() && problems.stream().noneMatch(p -> p.severity().equals("error"));
      return new PlanReport(
          catalogue.flink(), ok, connectors(), tables(), statements(), problems, plan);
    }

    private void read(ScriptStatement statement) {
      List<Operation> operations =
          tables.getParser().parse(placeholders.substitute(statement.text()));
      Operation operation = operations.get(0);
      if (operation instanceof SetOperation set) {
        tables.getConfig().set(set.getKey().orElseThrow(), set.getValue().orElseThrow());
      } else if (operation instanceof ResetOperation) {
        throw new IllegalArgumentException("an option cannot be reset: leave it out instead");
      } else if (operation instanceof CreateTableASOperation) {
        throw new IllegalArgumentException(
            "CREATE TABLE AS is not planned: write CREATE TABLE, and INSERT in the statement set");
      } else if (operation instanceof ModifyOperation
          || operation instanceof QueryOperation
          || operation instanceof StatementSetOperation) {
        writes.put(statement, operation);
      } else {
        tables.executeInternal(operation);
      }
    }

    private Plan planTogether() {
      if (writes.isEmpty()) {
        errors.put(
            script.get(script.size() - 1),
            List.of("the script writes no table: there is no job to run"));
        return null;
      }
      // Ids are made of the numbers of nodes, which the job manager counts from the beginning.
      ExecNodeContext.resetIdCounter();
      try {
        var graphs = planner().getExplainGraphs(List.copyOf(writes.values()));
        StreamGraph streamGraph = NumberedOperators.streamGraph(graphs._3(), planner());
        return new PlanReader(
                graphs._2(), graphs._3(), streamGraph.getJobGraph(loader), tables.getConfig())
            .read();
      } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError failure) {
        // Apart, each statement says what is wrong with it.
        planApart();
        if (errors.isEmpty()) {
          errors.put(writes.keySet().iterator().next(), List.of(Failures.rootMessage(failure)));
        } else {
          blameTables();
        }
        return null;
      }
    }

    private void planApart() {
      writes.forEach(
          (statement, operation) -> {
            if (!errors.containsKey(statement)) {
              attempt(statement, () -> planner().getExplainGraphs(List.of(operation)));
            }
          });
    }

    /**
     * Open each table that the script uses. A table that is refused fails the first statement that
     * uses it, with one error that hides the next.
     */
    private void blameTables() {
      Map<String, ScriptStatement> refused = new LinkedHashMap<>();
      for (ScriptStatement statement : script) {
        String name = statement.createdTable();
        if (name == null || errors.containsKey(statement)) {
          continue;
        }
        ContextResolvedTable table = table(name);
        if (table == null || !(table.getResolvedTable() instanceof ResolvedCatalogTable)) {
          continue;
        }
        for (TableSide side : statement.sidesIn(script)) {
          try {
            open(table, side);
          } catch (RuntimeException | LinkageError failure) {
            String message = Failures.rootMessage(failure);
            refused.put(message, statement);
            errors.computeIfAbsent(statement, key -> new ArrayList<>());
            if (!errors.get(statement).contains(message)) {
              errors.get(statement).add(message);
            }
          }
        }
      }
      errors.replaceAll(
          (statement, messages) ->
              messages.stream().map(message -> consequence(statement, message, refused)).toList());
    }

    private String consequence(
        ScriptStatement statement, String message, Map<String, ScriptStatement> refused) {
      ScriptStatement cause = refused.get(message);
      return cause == null || cause == statement
          ? message
          : String.format(
              "uses table '%s', which is refused (statement %d, line %d)",
              cause.createdTable(), cause.number(), cause.line());
    }

    private ContextResolvedTable table(String name) {
      ObjectIdentifier identifier =
          tables.getCatalogManager().qualifyIdentifier(UnresolvedIdentifier.of(name));
      return tables.getCatalogManager().getTable(identifier).orElse(null);
    }

    private void open(ContextResolvedTable table, TableSide side) {
      ResolvedCatalogTable definition = table.getResolvedTable();
      if (side == TableSide.SINK) {
        FactoryUtil.createDynamicTableSink(
            standIns.getTableSinkFactory().orElseThrow(),
            table.getIdentifier(),
            definition,
            Map.of(),
            tables.getConfig(),
            loader,
            table.isTemporary());
      } else {
        FactoryUtil.createDynamicTableSource(
            standIns.getTableSourceFactory().orElseThrow(),
            table.getIdentifier(),
            definition,
            Map.of(),
            tables.getConfig(),
            loader,
            table.isTemporary());
      }
    }

    private void attempt(ScriptStatement statement, Runnable action) {
      try {
        action.run();
      } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError failure) {
        int line = Failures.line(failure);
        String where = line == 0 ? "" : " (line " + (statement.firstLine() + line - 1) + ")";
        errors.put(statement, new ArrayList<>(List.of(Failures.rootMessage(failure) + where)));
      }
    }

    private PlannerBase planner() {
      return (PlannerBase) tables.getPlanner();
    }

    private List<Connector> connectors() {
      List<Connector> result = new ArrayList<>();
      standIns
          .factories()
          .forEach((identifier, factory) -> result.add(new Connector(identifier, factory)));
      return result;
    }

    private List<PlanReport.Table> tables() {
      List<PlanReport.Table> result = new ArrayList<>();
      for (ScriptStatement statement : script) {
        String name = statement.createdTable();
        ContextResolvedTable table = name == null ? null : table(name);
        if (table != null && table.getResolvedTable() instanceof ResolvedCatalogTable definition) {
          result.add(table(name, definition, writtenOptions(statement, definition)));
        }
      }
      return result;
    }

    private PlanReport.Table table(
        String name, ResolvedCatalogTable definition, Map<String, String> options) {
      var schema = definition.getResolvedSchema();
      List<PlanReport.Column> columns =
          schema.getColumns().stream()
              .filter(Column::isPersisted)
              .map(
                  column ->
                      new PlanReport.Column(
                          column.getName(),
                          column.getDataType().getLogicalType().asSerializableString()))
              .toList();
      return new PlanReport.Table(
          name,
          options.get("connector"),
          columns,
          schema.getPrimaryKey().map(UniqueConstraint::getColumns).orElse(List.of()),
          options);
    }

    /** The options before placeholders were filled, where the script can be read without that. */
    private Map<String, String> writtenOptions(
        ScriptStatement statement, ResolvedCatalogTable definition) {
      try {
        Operation operation = tables.getParser().parse(statement.text()).get(0);
        if (operation instanceof CreateTableOperation create) {
          return new TreeMap<>(create.getCatalogTable().getOptions());
        }
      } catch (RuntimeException unreadable) {
        // A placeholder stands where the grammar wants something else than text.
      }
      return new TreeMap<>(definition.getOptions());
    }

    private List<Statement> statements() {
      return script.stream()
          .map(
              statement ->
                  new Statement(
                      statement.number(),
                      statement.line(),
                      statement.summary(),
                      statement.table(),
                      errors.getOrDefault(statement, List.of())))
          .toList();
    }
  }
}
