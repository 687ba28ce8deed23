package io.github.cdkflinkpipeline.dynamodb;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeFamily;
import org.apache.flink.table.types.logical.RowType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** Reads the key of an item out of the values that a join compares, in whatever order they come. */
final class KeyReader {

  private final RowType columns;
  private final List<String> names;
  private final RowData.FieldGetter[] getters;

  KeyReader(RowType columns, List<String> key, List<String> compared) {
    this.columns = columns;
    names = key;
    getters =
        key.stream()
            .map(
                name ->
                    RowData.createFieldGetter(
                        columns.getTypeAt(columns.getFieldIndex(name)), compared.indexOf(name)))
            .toArray(RowData.FieldGetter[]::new);
  }

  static void check(RowType columns, List<String> key) {
    if (key.size() > 2) {
      throw new ValidationException(
          "PRIMARY KEY must be the partition key of the DynamoDB table, and its sort key where it"
              + " has one, got "
              + String.join(", ", key));
    }
    for (String name : key) {
      LogicalType type = columns.getTypeAt(columns.getFieldIndex(name));
      if (!type.isAnyOf(
          LogicalTypeFamily.CHARACTER_STRING,
          LogicalTypeFamily.NUMERIC,
          LogicalTypeFamily.BINARY_STRING)) {
        throw new ValidationException(
            String.format(
                "key column '%s' must be of text, a number or bytes, as DynamoDB keys are, got %s",
                name, type.asSummaryString()));
      }
    }
  }

  /**
   * @param tableName of the DynamoDB table
   * @throws LookupFailure where the DynamoDB table has another key
   */
  void checkAgainst(TableKey actual, String tableName) {
    Map<String, ScalarAttributeType> declared = new TreeMap<>();
    for (String name : names) {
      declared.put(name, attributeType(columns.getTypeAt(columns.getFieldIndex(name))));
    }
    if (!declared.equals(actual.types())) {
      throw new LookupFailure(
          String.format(
              "the key of the DynamoDB table '%s' is %s, the lookup table declares %s",
              tableName, text(actual.types()), text(declared)));
    }
  }

  private static String text(Map<String, ScalarAttributeType> key) {
    return new TreeMap<>(key)
        .entrySet().stream()
            .map(entry -> entry.getKey() + " of type " + entry.getValue())
            .collect(Collectors.joining(", "));
  }

  private static ScalarAttributeType attributeType(LogicalType type) {
    if (type.is(LogicalTypeFamily.CHARACTER_STRING)) {
      return ScalarAttributeType.S;
    }
    return type.is(LogicalTypeFamily.NUMERIC) ? ScalarAttributeType.N : ScalarAttributeType.B;
  }

  ItemKey read(RowData values) {
    Map<String, Comparable<?>> key = new TreeMap<>();
    for (int index = 0; index < getters.length; index++) {
      Object value = getters[index].getFieldOrNull(values);
      key.put(names.get(index), keyValue(value));
    }
    return new ItemKey(key);
  }

  private static Comparable<?> keyValue(Object value) {
    if (value instanceof byte[] bytes) {
      return ByteBuffer.wrap(bytes.clone());
    }
    if (value instanceof DecimalData decimal) {
      return ItemKey.number(decimal.toBigDecimal());
    }
    if (value instanceof Number number) {
      // Neither NaN nor infinity is a number to DynamoDB, and an empty text is no key.
      return Double.isFinite(number.doubleValue())
          ? ItemKey.number(new BigDecimal(number.toString()))
          : "";
    }
    return value.toString();
  }
}
