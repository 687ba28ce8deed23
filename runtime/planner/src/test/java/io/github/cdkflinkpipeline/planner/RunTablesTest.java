package io.github.cdkflinkpipeline.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.cdkflinkpipeline.planner.RunRequest.Given;
import io.github.cdkflinkpipeline.planner.RunResult.Change;
import io.github.cdkflinkpipeline.planner.RunTables.Timed;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.Test;

class RunTablesTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void theTableThatChangesMakeByItsKey() throws Exception {
    assertEquals(
        List.of(row("a", 3), row("c", 1)),
        rowsAfter(
            List.of("id"),
            change("+I", "a", 1),
            change("+I", "b", 1),
            change("-U", "a", 1),
            change("+U", "a", 2),
            change("+I", "a", 3),
            change("-D", "b", 1),
            change("+I", "c", 1)));
  }

  @Test
  void withoutAKeyARowGoesOnceForEachDelete() throws Exception {
    assertEquals(
        List.of(row("a", 1), row("b", 2)),
        rowsAfter(
            List.of(),
            change("+I", "a", 1),
            change("+I", "a", 1),
            change("-D", "a", 1),
            change("+I", "b", 1),
            change("-U", "b", 1),
            change("+U", "b", 2)));
  }

  @Test
  void phasesAreThoseOfTheRowsInTheirOrder() {
    RunTables tables =
        new RunTables(Map.of("a", List.of(given(3), given(1)), "b", List.of(given(2), given(3))));
    assertEquals(List.of(1, 2, 3), List.copyOf(tables.phases));
    assertEquals(Set.of(1), new RunTables(Map.of()).phases);
  }

  @Test
  void aPhaseEndsWhenEachSourceHasEmittedIt() {
    RunTables tables = new RunTables(Map.of());
    tables.started("a");
    tables.started("b");
    tables.emitted("a", 1);
    assertEquals(false, tables.emitted(1));
    tables.emitted("b", 2);
    assertEquals(true, tables.emitted(1));
    assertEquals(false, tables.emitted(2));
  }

  @Test
  void changesAfterTheEndOfTheInputAreInNoPhase() {
    RunTables tables = new RunTables(Map.of());
    tables.begin(2);
    assertEquals(2, tables.phaseOfChange());
    tables.end();
    assertEquals(null, tables.phaseOfChange());
  }

  @Test
  void rowsOfATableThatNobodyReadsAreRefused() {
    assertEquals(
        "rows are given to table 'orderz', which the program does not read; it reads []",
        assertThrows(
                IllegalArgumentException.class,
                () -> new RunTables(Map.of("orderz", List.of(given(1)))).checkNames())
            .getMessage());
  }

  @Test
  void aLookupByAPartOfTheKeyFindsAllRowsThatHaveIt() {
    List<Column> columns =
        List.of(
            Column.physical("tenant", DataTypes.STRING().notNull()),
            Column.physical("id", DataTypes.INT().notNull()),
            Column.physical("level", DataTypes.STRING()));
    RunTables tables = new RunTables(Map.of());
    tables.sink(TestTable.context("users", columns, List.of("tenant", "id"), Map.of()), null);
    tables.put(
        "users",
        List.of(
            user(RowKind.INSERT, "a", 1, "new"),
            user(RowKind.INSERT, "b", 1, "new"),
            user(RowKind.INSERT, "a", 2, "new"),
            user(RowKind.INSERT, "a", 3, "new"),
            user(RowKind.UPDATE_AFTER, "a", 2, "gold"),
            user(RowKind.DELETE, "a", 3, "new")));
    tables.begin(1);
    RowType type =
        (RowType)
            DataTypes.ROW(
                    DataTypes.FIELD("tenant", DataTypes.STRING()),
                    DataTypes.FIELD("id", DataTypes.INT()),
                    DataTypes.FIELD("level", DataTypes.STRING()))
                .getLogicalType();
    RowData tenant = GenericRowData.of(StringData.fromString("a"));
    assertEquals(
        List.of(
            user(RowKind.INSERT, "a", 1, "new").row(),
            user(RowKind.UPDATE_AFTER, "a", 2, "gold").row()),
        List.copyOf(tables.find("users", type, new int[] {0}, tenant)));
    // The key comes in the order of the condition, not of the columns.
    RowData whole = GenericRowData.of(2, StringData.fromString("a"));
    assertEquals(
        List.of(user(RowKind.UPDATE_AFTER, "a", 2, "gold").row()),
        List.copyOf(tables.find("users", type, new int[] {1, 0}, whole)));
  }

  @Test
  void aSinkWithoutAFormatWritesNoRecords() {
    RunTables tables = new RunTables(Map.of());
    List<Column> columns = List.of(Column.physical("id", DataTypes.STRING()));
    Map.of(
            "rows",
            Map.<String, String>of(),
            "lines",
            Map.of("format", "json"),
            "files",
            Map.of("format", "parquet"),
            "avro files",
            Map.of("connector", "filesystem", "format", "avro"),
            "avro records",
            Map.of("connector", "kafka", "value.format", "avro"))
        .forEach(
            (name, options) ->
                tables.sink(TestTable.context(name, columns, List.of(), options), null));
    assertEquals(
        Map.of(
            "rows",
            false,
            "lines",
            true,
            "files",
            false,
            "avro files",
            false,
            "avro records",
            false),
        tables.written().entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().records())));
  }

  @Test
  void aRunThatIsForgottenIsNotFound() {
    RunTables tables = new RunTables(Map.of());
    assertEquals(tables, RunTables.find(tables.id));
    tables.forget();
    assertEquals(null, RunTables.find(tables.id));
  }

  private static List<JsonNode> rowsAfter(List<String> primaryKey, Change... changes) {
    RunTables tables = new RunTables(Map.of());
    List<Column> columns =
        List.of(
            Column.physical("id", DataTypes.STRING().notNull()),
            Column.physical("n", DataTypes.INT()));
    DynamicTableFactory.Context context = TestTable.context("t", columns, primaryKey, Map.of());
    tables.sink(context, null);
    List.of(changes).forEach(change -> tables.write("t", change));
    assertEquals(List.of(changes), tables.written().get("t").changes());
    return tables.written().get("t").rows();
  }

  private static Change change(String op, String id, int n) throws Exception {
    return new Change(op, 1, row(id, n), null, null, null);
  }

  private static Timed user(RowKind kind, String tenant, int id, String level) {
    return new Timed(
        1,
        GenericRowData.ofKind(
            kind, StringData.fromString(tenant), id, StringData.fromString(level)));
  }

  private static JsonNode row(String id, int n) throws Exception {
    return JSON.readTree(String.format("{\"id\": \"%s\", \"n\": %d}", id, n));
  }

  private static Given given(int phase) {
    return new Given(phase, null, null, null);
  }
}
