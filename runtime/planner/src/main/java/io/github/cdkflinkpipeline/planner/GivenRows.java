package io.github.cdkflinkpipeline.planner;

import io.github.cdkflinkpipeline.planner.RunRequest.Given;
import io.github.cdkflinkpipeline.planner.RunTables.Timed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.apache.flink.api.common.functions.util.ListCollector;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.formats.common.TimestampFormat;
import org.apache.flink.formats.json.JsonToRowDataConverters;
import org.apache.flink.formats.json.JsonToRowDataConverters.JsonToRowDataConverter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.format.DecodingFormat;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.SimpleUserCodeClassLoader;
import org.apache.flink.util.UserCodeClassLoader;

/** Makes rows of what a test gives to one table. */
final class GivenRows {

  private final DynamicTableFactory.Context context;
  private final String table;
  private final RowType type;
  private final DataType physical;

  GivenRows(DynamicTableFactory.Context context, DataType produced) {
    this.context = context;
    this.table = context.getObjectIdentifier().getObjectName();
    this.type = (RowType) produced.getLogicalType();
    this.physical = context.getPhysicalRowDataType();
  }

  /**
   * @param kinds that the source has
   * @param scan null where the table is looked up, which has no records
   */
  List<Timed> read(List<Given> all, ChangelogMode kinds, ScanTableSource.ScanContext scan) {
    List<Timed> result = new ArrayList<>();
    DeserializationSchema<RowData> decoder = null;
    for (int index = 0; index < all.size(); index++) {
      Given given = all.get(index);
      try {
        List<RowData> rows;
        if (given.record() == null) {
          rows = List.of(row(given));
        } else {
          decoder = decoder == null ? decoder(scan) : decoder;
          rows = decode(decoder, given.record());
        }
        for (RowData row : rows) {
          checkKind(row, kinds);
          if (given.record() == null) {
            // A format may leave such a column empty, as it does in production.
            checkNotNull(row);
          }
          result.add(new Timed(given.phase(), row));
        }
      } catch (Exception failure) {
        // Without its cause, whose message would be taken for the whole.
        throw new IllegalArgumentException(
            String.format("table '%s', row %d: %s", table, index + 1, messages(failure)));
      }
    }
    return result;
  }

  private RowData row(Given given) {
    JsonNode row = given.row();
    if (row == null || !row.isObject()) {
      throw new IllegalArgumentException("a row is an object of columns, got " + row);
    }
    List<String> columns = type.getFieldNames();
    row.fieldNames()
        .forEachRemaining(
            name -> {
              if (!columns.contains(name)) {
                throw new IllegalArgumentException(
                    String.format(
                        "there is no column '%s' to give; there are %s",
                        name, new TreeSet<>(columns)));
              }
            });
    // Timestamps as ISO 8601 writes them, and as JavaScript does for those with a time zone.
    JsonToRowDataConverter converter =
        new JsonToRowDataConverters(false, false, TimestampFormat.ISO_8601)
            .createRowConverter(type);
    RowData result = (RowData) converter.convert(row);
    result.setRowKind(kind(given.op()));
    return result;
  }

  private static RowKind kind(String op) {
    if (op == null) {
      return RowKind.INSERT;
    }
    for (RowKind kind : RowKind.values()) {
      if (kind.shortString().equals(op)) {
        return kind;
      }
    }
    throw new IllegalArgumentException(String.format("op is one of +I, -U, +U, -D, got '%s'", op));
  }

  private static void checkKind(RowData row, ChangelogMode kinds) {
    if (!kinds.contains(row.getRowKind())) {
      throw new IllegalArgumentException(
          String.format(
              "the table is read as %s and has no %s",
              kinds.getContainedKinds().stream().map(RowKind::shortString).sorted().toList(),
              row.getRowKind().shortString()));
    }
  }

  private void checkNotNull(RowData row) {
    for (int index = 0; index < type.getFieldCount(); index++) {
      if (!type.getTypeAt(index).isNullable() && row.isNullAt(index)) {
        throw new IllegalArgumentException(
            String.format("column '%s' is NOT NULL", type.getFieldNames().get(index)));
      }
    }
  }

  private DeserializationSchema<RowData> decoder(ScanTableSource.ScanContext scan)
      throws Exception {
    TableFormats formats = new TableFormats(context);
    DecodingFormat<DeserializationSchema<RowData>> format =
        scan == null ? null : formats.decoding();
    if (format == null) {
      throw new IllegalArgumentException(
          "the table has no format to read a record with: give rows");
    }
    if ("upsert-kafka".equals(formats.option("connector"))
        || "EXCEPT_KEY".equals(formats.option("value.fields-include"))) {
      throw new IllegalArgumentException(
          "a part of the row is in the record's key: give rows, a tombstone as op -D");
    }
    if (type.getFieldCount() != physical.getChildren().size()) {
      throw new IllegalArgumentException("the table has metadata columns: give rows");
    }
    DeserializationSchema<RowData> decoder = format.createRuntimeDecoder(scan, physical);
    decoder.open(new Opening());
    return decoder;
  }

  private static List<RowData> decode(DeserializationSchema<RowData> decoder, String record)
      throws Exception {
    List<RowData> rows = new ArrayList<>();
    decoder.deserialize(record.getBytes(StandardCharsets.UTF_8), new ListCollector<>(rows));
    return rows;
  }

  /** The outermost message says what failed, the innermost why. */
  private static String messages(Throwable failure) {
    String root = Failures.rootMessage(failure);
    String message = failure.getMessage();
    return message == null || message.equals(root) || root.contains(message)
        ? root
        : message + ": " + root;
  }

  private static final class Opening implements DeserializationSchema.InitializationContext {

    @Override
    public MetricGroup getMetricGroup() {
      return new UnregisteredMetricsGroup();
    }

    @Override
    public UserCodeClassLoader getUserCodeClassLoader() {
      return SimpleUserCodeClassLoader.create(Thread.currentThread().getContextClassLoader());
    }
  }
}
