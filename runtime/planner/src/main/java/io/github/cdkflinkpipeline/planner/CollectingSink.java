package io.github.cdkflinkpipeline.planner;

import io.github.cdkflinkpipeline.planner.RunResult.Change;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.formats.common.TimestampFormat;
import org.apache.flink.formats.json.JsonFormatOptions.MapNullKeyMode;
import org.apache.flink.formats.json.RowDataToJsonConverters;
import org.apache.flink.formats.json.RowDataToJsonConverters.RowDataToJsonConverter;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.Projection;
import org.apache.flink.table.connector.format.EncodingFormat;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.connector.sink.SinkV2Provider;
import org.apache.flink.table.connector.sink.abilities.SupportsPartitioning;
import org.apache.flink.table.connector.sink.abilities.SupportsWritingMetadata;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.utils.ProjectedRowData;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.RowKind;

/**
 * Keeps what a table is given. The kinds of changes that it takes are those of the real sink, and
 * records are written by the table's own formats.
 */
final class CollectingSink
    implements DynamicTableSink, SupportsWritingMetadata, SupportsPartitioning {

  private final RunTables tables;
  private final DynamicTableFactory.Context context;
  private final DynamicTableSink real;
  private DataType consumed;

  CollectingSink(RunTables tables, DynamicTableFactory.Context context, DynamicTableSink real) {
    this.tables = tables;
    this.context = context;
    this.real = real;
    this.consumed = context.getPhysicalRowDataType();
  }

  @Override
  public ChangelogMode getChangelogMode(ChangelogMode requested) {
    return real.getChangelogMode(requested);
  }

  @Override
  public SinkRuntimeProvider getSinkRuntimeProvider(Context sinkContext) {
    TableFormats formats = new TableFormats(context);
    String[] columns =
        DataType.getFieldNames(context.getPhysicalRowDataType()).toArray(String[]::new);
    int[] keys = keyColumns(formats, columns);
    boolean withoutKey = "EXCEPT_KEY".equals(formats.option("value.fields-include"));
    int[] values =
        IntStream.range(0, columns.length)
            .filter(index -> !withoutKey || Arrays.stream(keys).noneMatch(key -> key == index))
            .toArray();
    return SinkV2Provider.of(
        new Collected(
            tables.id,
            context.getObjectIdentifier().getObjectName(),
            (RowType) consumed.getLogicalType(),
            "upsert-kafka".equals(formats.option("connector")),
            encoder(formats.keyEncoding(), sinkContext, keys),
            encoder(formats.encoding(), sinkContext, values)));
  }

  private int[] keyColumns(TableFormats formats, String[] columns) {
    List<String> names = new ArrayList<>();
    if (formats.option("key.fields") != null) {
      names.addAll(List.of(formats.option("key.fields").split(";")));
    } else if (formats.option("key.format") != null) {
      context
          .getCatalogTable()
          .getResolvedSchema()
          .getPrimaryKey()
          .ifPresent(key -> names.addAll(key.getColumns()));
    }
    return names.stream().mapToInt(name -> Arrays.asList(columns).indexOf(name)).toArray();
  }

  private Encoder encoder(
      EncodingFormat<SerializationSchema<RowData>> format, Context sinkContext, int[] columns) {
    if (format == null) {
      return null;
    }
    DataType type = Projection.of(columns).project(context.getPhysicalRowDataType());
    return new Encoder(format.createRuntimeEncoder(sinkContext, type), columns);
  }

  @Override
  public DynamicTableSink copy() {
    CollectingSink copy = new CollectingSink(tables, context, real.copy());
    copy.consumed = consumed;
    return copy;
  }

  @Override
  public String asSummaryString() {
    return "collected for " + real.asSummaryString();
  }

  @Override
  public Map<String, DataType> listWritableMetadata() {
    return real instanceof SupportsWritingMetadata metadata
        ? metadata.listWritableMetadata()
        : Map.of();
  }

  @Override
  public void applyWritableMetadata(List<String> metadataKeys, DataType consumedDataType) {
    consumed = consumedDataType;
  }

  @Override
  public void applyStaticPartition(Map<String, String> partition) {}

  /** Writes some columns of a row by a format. */
  private record Encoder(SerializationSchema<RowData> schema, int[] columns)
      implements java.io.Serializable {

    String encode(RowData row, RowKind kind) {
      ProjectedRowData part = ProjectedRowData.from(columns);
      part.replaceRow(row);
      part.setRowKind(kind);
      byte[] bytes = schema.serialize(part);
      return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
    }
  }

  private record Collected(
      String run, String table, RowType type, boolean upserts, Encoder key, Encoder value)
      implements Sink<RowData> {

    private static final ObjectMapper JSON = new ObjectMapper();

    @Override
    public SinkWriter<RowData> createWriter(WriterInitContext writer) {
      open(key, writer);
      open(value, writer);
      RunTables tables = RunTables.find(run);
      RowDataToJsonConverter json =
          new RowDataToJsonConverters(
                  TimestampFormat.ISO_8601, MapNullKeyMode.LITERAL, "null", false)
              .createConverter(type);
      return new SinkWriter<>() {
        @Override
        public void write(RowData row, Context context) {
          JsonNode columns = json.convert(JSON, null, row);
          tables.write(table, change(row, columns, tables.phaseOfChange()));
        }

        @Override
        public void flush(boolean endOfInput) {}

        @Override
        public void close() {}
      };
    }

    private static void open(Encoder encoder, WriterInitContext writer) {
      if (encoder != null) {
        try {
          encoder.schema().open(writer.asSerializationSchemaInitializationContext());
        } catch (Exception failure) {
          throw new IllegalStateException(failure);
        }
      }
    }

    private Change change(RowData row, JsonNode columns, Integer phase) {
      RowKind kind = row.getRowKind();
      boolean tombstone = upserts && (kind == RowKind.DELETE || kind == RowKind.UPDATE_BEFORE);
      // The key and an upserted value know no kinds.
      RowKind written = upserts ? RowKind.INSERT : kind;
      return new Change(
          kind.shortString(),
          phase,
          columns,
          key == null ? null : key.encode(row, RowKind.INSERT),
          value == null || tombstone ? null : value.encode(row, written),
          upserts ? Boolean.valueOf(tombstone) : null);
    }
  }
}
