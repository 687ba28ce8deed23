package io.github.cdkflinkpipeline.planner;

import java.util.Arrays;
import java.util.List;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.catalog.UniqueConstraint;
import org.apache.flink.table.connector.source.LookupTableSource.LookupContext;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/**
 * The columns of a table that is asked for single keys.
 *
 * @param row those that are read
 * @param key the primary key, empty where there is none
 */
record LookupColumns(RowType row, List<String> key) {

  static LookupColumns of(ResolvedSchema schema) {
    return new LookupColumns(
        (RowType) schema.toPhysicalRowDataType().getLogicalType(),
        schema.getPrimaryKey().map(UniqueConstraint::getColumns).orElse(List.of()));
  }

  LookupColumns projected(DataType produced) {
    return new LookupColumns((RowType) produced.getLogicalType(), key);
  }

  LogicalType type(String column) {
    return row.getTypeAt(row.getFieldIndex(column));
  }

  /** Names of the columns that a join compares. */
  List<String> compared(LookupContext join) {
    return Arrays.stream(join.getKeys()).map(path -> row.getFieldNames().get(path[0])).toList();
  }
}
