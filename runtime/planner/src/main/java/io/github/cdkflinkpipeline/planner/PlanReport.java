package io.github.cdkflinkpipeline.planner;

import java.util.List;
import java.util.Map;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.annotation.JsonInclude;

/**
 * What the planner says of a program.
 *
 * @param plan null where a statement is refused
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record PlanReport(
    String flink,
    boolean ok,
    List<Connector> connectors,
    List<Table> tables,
    List<Statement> statements,
    List<Problem> problems,
    Plan plan) {

  /**
   * A connector of the program.
   *
   * @param factory class of the real factory; null for a stand-in
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Connector(String identifier, String factory) {}

  /**
   * A table that the script creates.
   *
   * @param columns those that its system holds, in their order
   * @param primaryKey its columns in the order of the key
   * @param options as they stand in the script, with placeholders
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Table(
      String name,
      String connector,
      List<Column> columns,
      List<String> primaryKey,
      Map<String, String> options) {}

  /** A column of a table, its type with NOT NULL. */
  record Column(String name, String type) {}

  /**
   * A statement; each INSERT of a statement set is one.
   *
   * @param line of the script, from 1
   * @param table the table that it creates or writes
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Statement(int number, int line, String summary, String table, List<String> errors) {}

  /** Something that Flink takes and that is wrong, or may be. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Problem(String severity, String rule, String table, String message) {}

  /** The program as it would run. */
  record Plan(
      List<Operator> operators, List<Sink> sinks, List<Lookup> lookups, List<Vertex> vertices) {}

  /**
   * A node of the plan.
   *
   * @param changes kinds of rows that leave it, null where there are none
   * @param table the table that it reads, looks up or writes
   * @param vertex number of the vertex that runs it; null where it takes no part at run time
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Operator(
      int id,
      String type,
      String table,
      String description,
      List<Input> inputs,
      List<String> changes,
      List<List<String>> upsertKeys,
      State state,
      Integer vertex) {}

  /** An input of an operator, and how its rows are distributed where they are. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Input(int operator, String shuffle) {}

  /**
   * State of an operator.
   *
   * @param holds what it remembers
   * @param bound what bounds it
   * @param bounded whether anything does
   * @param keyed whether it belongs to keys of rows
   */
  record State(String holds, String bound, boolean bounded, boolean keyed) {}

  /**
   * A table that is written.
   *
   * @param changes kinds of rows that the query gives to the sink
   * @param keys how the upsert key of the query relates to the primary key: {@code equal}, {@code
   *     within}, {@code different}, {@code none}; null without a primary key
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Sink(
      int operator,
      String table,
      String connector,
      List<String> changes,
      List<String> accepts,
      List<String> primaryKey,
      List<List<String>> upsertKeys,
      String keys,
      boolean materializer) {}

  /**
   * A table that is looked up.
   *
   * @param probes by table that is read: how many times each of its rows may be looked up
   */
  record Lookup(
      String table,
      String connector,
      boolean async,
      List<String> keys,
      List<Integer> operators,
      Map<String, Integer> probes) {}

  /** A vertex of the job: operators that run chained, in one task for each subtask. */
  record Vertex(
      int number, String name, int parallelism, int maxParallelism, List<ChainedOperator> chain) {}

  /** An operator as the job runs it; its id is what state is restored by. */
  record ChainedOperator(String name, String id) {}
}
