package io.github.cdkflinkpipeline.planner;

import java.util.List;
import java.util.Map;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.annotation.JsonInclude;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;

/**
 * What a run came to.
 *
 * @param savepoint path of the savepoint, where one was asked for
 * @param states what the savepoint holds
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record RunResult(Map<String, Written> sinks, String savepoint, List<HeldState> states) {

  /**
   * What a sink was given.
   *
   * @param records whether the sink has a format that writes records
   * @param changes as emitted
   * @param rows the table that they make: by primary key where there is one
   */
  record Written(boolean records, List<Change> changes, List<JsonNode> rows) {}

  /**
   * A change as a sink was given it.
   *
   * @param phase null for one that the end of the input brought
   * @param key the record key, where the sink writes one
   * @param record the record as the sink's format writes it; null where the sink has no format, and
   *     for a tombstone
   * @param tombstone whether the record has no value
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Change(
      String op, Integer phase, JsonNode row, String key, String record, Boolean tombstone) {}

  /**
   * The state of an operator in a savepoint.
   *
   * @param id the id that it is restored by
   * @param keyed whether some key has state
   * @param operator whether it has state that belongs to no key
   */
  record HeldState(String id, boolean keyed, boolean operator) {}
}
