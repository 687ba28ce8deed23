package io.github.cdkflinkpipeline.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.cdkflinkpipeline.planner.RunRequest.Given;
import io.github.cdkflinkpipeline.planner.RunTables.Timed;
import java.util.List;
import java.util.Map;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.runtime.connector.source.ScanRuntimeProviderContext;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GivenRowsTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<Column> COLUMNS =
      List.of(
          Column.physical("id", DataTypes.STRING().notNull()),
          Column.physical("amount", DataTypes.DECIMAL(18, 2)),
          Column.physical("at_time", DataTypes.TIMESTAMP(3)));

  @Test
  void aRowByItsColumns() throws Exception {
    List<Timed> rows =
        read(
            "json",
            ChangelogMode.all(),
            columns("+I", "{'id': 'a', 'amount': 1.5, 'at_time': '2026-01-01T00:00:00.123'}"),
            columns(null, "{'id': 'b'}"),
            columns("-D", "{'id': 'a'}"));
    assertEquals(List.of(7, 7, 7), rows.stream().map(Timed::phase).toList());
    assertEquals(
        List.of(RowKind.INSERT, RowKind.INSERT, RowKind.DELETE),
        rows.stream().map(timed -> timed.row().getRowKind()).toList());
    RowData first = rows.get(0).row();
    assertEquals("1.50", first.getDecimal(1, 18, 2).toString());
    assertEquals(
        TimestampData.fromLocalDateTime(java.time.LocalDateTime.parse("2026-01-01T00:00:00.123")),
        first.getTimestamp(2, 3));
    assertEquals(true, rows.get(1).row().isNullAt(1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "+I | {'id': 'a', 'nobody': 1} | there is no column 'nobody' to give; there are [amount, at_time, id]",
        "+I | {'amount': 1} | column 'id' is NOT NULL",
        "+I | {'id': null} | column 'id' is NOT NULL",
        "+X | {'id': 'a'} | op is one of +I, -U, +U, -D, got '+X'",
        "-D | {'id': 'a'} | the table is read as [+I] and has no -D",
        "+I | ['a'] | a row is an object of columns, got [\"a\"]",
      })
  void aRowThatDoesNotFitIsNamed(String op, String row, String reason) throws Exception {
    Given good = columns("+I", "{'id': 'good'}");
    Given bad = columns(op, row);
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> read("json", ChangelogMode.insertOnly(), good, bad));
    assertEquals("table 'orders', row 2: " + reason, refused.getMessage());
  }

  @Test
  void aTimestampThatIsNone() throws Exception {
    Given bad = columns("+I", "{'id': 'a', 'at_time': 'yesterday'}");
    String message =
        assertThrows(
                IllegalArgumentException.class, () -> read("json", ChangelogMode.insertOnly(), bad))
            .getMessage();
    assertEquals(true, message.startsWith("table 'orders', row 1: "), message);
    assertEquals(true, message.contains("yesterday"), message);
  }

  @Test
  void aRecordIsReadByTheFormatOfTheTable() throws Exception {
    String update =
        "{\"before\": {\"id\": \"a\", \"amount\": 1}, \"after\": {\"id\": \"a\", \"amount\": 2},"
            + " \"op\": \"u\"}";
    List<Timed> rows = read("debezium-json", ChangelogMode.all(), record(update));
    assertEquals(
        List.of(RowKind.UPDATE_BEFORE, RowKind.UPDATE_AFTER),
        rows.stream().map(timed -> timed.row().getRowKind()).toList());
    assertEquals("2.00", rows.get(1).row().getDecimal(1, 18, 2).toString());
  }

  @Test
  void aRecordThatTheFormatRefusesIsNamed() {
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    read(
                        "json", ChangelogMode.insertOnly(), record("{\"id\": \"a\"}"), record("{")))
            .getMessage();
    assertEquals(true, message.startsWith("table 'orders', row 2: "), message);
  }

  @Test
  void aLookupTableHasNoRecords() {
    assertEquals(
        "table 'orders', row 1: the table has no format to read a record with: give rows",
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    new GivenRows(orders("json"), orders("json").getPhysicalRowDataType())
                        .read(List.of(record("{}")), ChangelogMode.all(), null))
            .getMessage());
  }

  private static List<Timed> read(String format, ChangelogMode kinds, Given... given) {
    DynamicTableFactory.Context context = orders(format);
    return new GivenRows(context, context.getPhysicalRowDataType())
        .read(List.of(given), kinds, ScanRuntimeProviderContext.INSTANCE);
  }

  private static DynamicTableFactory.Context orders(String format) {
    return TestTable.context(
        "orders", COLUMNS, List.of("id"), Map.of("connector", "kafka", "value.format", format));
  }

  private static Given columns(String op, String row) throws Exception {
    return new Given(7, op, JSON.readTree(row.replace('\'', '"')), null);
  }

  private static Given record(String text) {
    return new Given(1, null, null, text);
  }
}
