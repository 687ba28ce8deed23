package io.github.cdkflinkpipeline.dynamodb;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.LookupTableSource;
import org.apache.flink.table.connector.source.lookup.AsyncLookupFunctionProvider;
import org.apache.flink.table.connector.source.lookup.LookupFunctionProvider;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/**
 * Not Flink's partial cache: each operator has one of its own there, so that each subtask of each
 * join would read the same item.
 */
record DynamoDbLookupSource(
    LookupSettings settings, RowType columns, List<String> key, boolean asynchronous)
    implements LookupTableSource {

  @Override
  public LookupRuntimeProvider getLookupRuntimeProvider(LookupContext context) {
    List<String> compared =
        Arrays.stream(context.getKeys()).map(path -> columns.getFieldNames().get(path[0])).toList();
    if (!new HashSet<>(compared).containsAll(key)) {
      throw new ValidationException(
          String.format(
              "a join with the DynamoDB table '%s' must compare its whole key, %s, got %s: it reads"
                  + " by key and never scans",
              settings.tableName(), String.join(", ", key), String.join(", ", compared)));
    }
    for (String name : compared) {
      LogicalType type = columns.getTypeAt(columns.getFieldIndex(name));
      if (!type.getChildren().isEmpty()) {
        throw new ValidationException(
            String.format(
                "a join with the DynamoDB table '%s' must compare columns of text, numbers, bytes,"
                    + " booleans and times alone, got '%s' of type %s: compare it after the join",
                settings.tableName(), name, type.asSummaryString()));
      }
    }
    ItemProbe probe = new ItemProbe(settings, columns, key, compared);
    return asynchronous
        ? AsyncLookupFunctionProvider.of(new AsynchronousLookup(probe))
        : LookupFunctionProvider.of(new SynchronousLookup(probe));
  }

  @Override
  public DynamicTableSource copy() {
    return this;
  }

  @Override
  public String asSummaryString() {
    return DynamoDbLookupFactory.IDENTIFIER;
  }
}
