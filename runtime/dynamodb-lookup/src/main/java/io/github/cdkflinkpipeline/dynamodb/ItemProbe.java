package io.github.cdkflinkpipeline.dynamodb;

import java.io.Serializable;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** One join in one subtask: from the values that it compares to the row that they lead to. */
final class ItemProbe implements Serializable {

  private static final long serialVersionUID = 1L;

  private final LookupSettings settings;
  private final RowType columns;

  @SuppressWarnings("serial")
  private final List<String> key;

  @SuppressWarnings("serial")
  private final List<String> compared;

  private transient SharedTable table;
  private transient LookupMetrics metrics;
  private transient KeyReader keys;

  /** Null where there is none, or none is known. */
  private transient String sortKey;

  private transient ItemDecoder decoder;
  private transient RowData.FieldGetter[] given;

  /** By compared column: its values in the row that was found; null where it is part of the key. */
  private transient RowData.FieldGetter[] found;

  /**
   * @param columns the table's physical columns
   * @param key the columns that are the key of the DynamoDB table
   * @param compared the columns that the join compares, as their values come
   */
  ItemProbe(LookupSettings settings, RowType columns, List<String> key, List<String> compared) {
    this.settings = settings;
    this.columns = columns;
    this.key = List.copyOf(key);
    this.compared = List.copyOf(compared);
  }

  void open(MetricGroup group) throws InterruptedException {
    keys = new KeyReader(columns, key, compared);
    decoder = new ItemDecoder(columns, settings.tableName(), key);
    given = new RowData.FieldGetter[compared.size()];
    found = new RowData.FieldGetter[compared.size()];
    for (int index = 0; index < given.length; index++) {
      int column = columns.getFieldIndex(compared.get(index));
      given[index] = RowData.createFieldGetter(columns.getTypeAt(column), index);
      if (!key.contains(compared.get(index))) {
        found[index] = RowData.createFieldGetter(columns.getTypeAt(column), column);
      }
    }
    metrics = new LookupMetrics(group);
    table = SharedTable.acquire(settings);
    if (settings.cache() != null) {
      metrics.showCache(group, table::size);
    }
    try {
      table
          .key()
          .ifPresent(
              actual -> {
                keys.checkAgainst(actual, settings.tableName());
                sortKey = actual.sortKey();
              });
    } catch (LookupFailure | InterruptedException failure) {
      close();
      throw failure;
    }
  }

  /** The row, or none. Fails where the read failed or an attribute does not fit its column. */
  CompletableFuture<Collection<RowData>> lookup(RowData values) {
    for (int index = 0; index < given.length; index++) {
      if (values.isNullAt(index)) {
        // NULL equals nothing.
        return CompletableFuture.completedFuture(List.of());
      }
    }
    ItemKey itemKey = keys.read(values);
    if (!itemKey.canExist(sortKey)) {
      return CompletableFuture.completedFuture(List.of());
    }
    Object[] conditions = conditions(values);
    return table.get(itemKey, metrics).thenApply(item -> row(item, conditions));
  }

  void close() {
    if (table != null) {
      SharedTable.release(settings);
      table = null;
    }
  }

  private Object[] conditions(RowData values) {
    Object[] conditions = new Object[given.length];
    for (int index = 0; index < given.length; index++) {
      conditions[index] = found[index] == null ? null : given[index].getFieldOrNull(values);
    }
    return conditions;
  }

  private Collection<RowData> row(Optional<Map<String, AttributeValue>> item, Object[] conditions) {
    if (item.isEmpty()) {
      return List.of();
    }
    RowData row = decoder.decode(item.get());
    for (int index = 0; index < conditions.length; index++) {
      if (found[index] != null
          && !Objects.deepEquals(conditions[index], found[index].getFieldOrNull(row))) {
        return List.of();
      }
    }
    return List.of(row);
  }
}
