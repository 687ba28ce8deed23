package io.github.cdkflinkpipeline.planner;

import java.util.List;
import java.util.Map;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;

/**
 * A program to run, and what its tables hold.
 *
 * @param tables rows by the name of a source or lookup table; a table that is left out is empty
 * @param parallelism of the job; one gives the same result in each run
 * @param endOfInput whether the sources end after their last row, which closes every window
 * @param operators ids to give to operators that keep state, null to leave them to Flink
 * @param savepointDirectory where to stop with a savepoint, null to cancel the job
 * @param restoreFrom savepoint to start from, or a directory that holds one, null to start without
 *     state
 */
record RunRequest(
    Program program,
    Map<String, List<Given>> tables,
    int parallelism,
    boolean endOfInput,
    List<NamedOperator> operators,
    String savepointDirectory,
    String restoreFrom) {

  RunRequest {
    tables = tables == null ? Map.of() : tables;
    parallelism = parallelism == 0 ? 1 : parallelism;
    operators = operators == null ? List.of() : operators;
  }

  /**
   * An operator.
   *
   * @param type as its name begins, such as {@code GroupAggregate}
   * @param place among all of its type in the job, from 1: those that are given no id count too
   */
  record NamedOperator(String type, int place, String id) {}

  /**
   * A row of a table, as columns or as the text of a record that the table's format reads.
   *
   * @param phase rows of a phase come when all before it have reached the sinks
   * @param op kind of change, such as {@code +I}; null for an insert
   */
  record Given(int phase, String op, JsonNode row, String record) {}
}
