package io.github.cdkflinkpipeline.dynamodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

class KeyReaderTest {

  private static RowType columns(DataType... types) {
    return (RowType)
        DataTypes.ROW(
                IntStream.range(0, types.length)
                    .mapToObj(index -> DataTypes.FIELD("k" + index, types[index]))
                    .toArray(DataTypes.Field[]::new))
            .getLogicalType();
  }

  private static ItemKey read(DataType type, Object value) {
    RowType columns = columns(type);
    return new KeyReader(columns, columns.getFieldNames(), columns.getFieldNames())
        .read(GenericRowData.of(value));
  }

  static Stream<Arguments> ones() {
    return Stream.of(
        Arguments.of(DataTypes.INT(), 1),
        Arguments.of(DataTypes.BIGINT(), 1L),
        Arguments.of(DataTypes.DOUBLE(), 1.0),
        Arguments.of(
            DataTypes.DECIMAL(9, 4), DecimalData.fromBigDecimal(new BigDecimal("1.0000"), 9, 4)));
  }

  /** DynamoDB gives each of them back as 1. */
  @ParameterizedTest
  @MethodSource("ones")
  void equalNumbersAreOneKey(DataType type, Object value) {
    ItemKey key = read(type, value);
    for (String written : List.of("1", "1.0", "1E0")) {
      assertEquals(ItemKey.of(List.of("k0"), Map.of("k0", AttributeValue.fromN(written))), key);
    }
    assertEquals(Map.of("k0", AttributeValue.fromN("1")), key.attributes());
  }

  @Test
  void zeroIsOneKey() {
    assertEquals(read(DataTypes.INT(), 0), read(DataTypes.DOUBLE(), -0.0));
  }

  static Stream<Arguments> keys() {
    return Stream.of(
        Arguments.of(DataTypes.STRING(), StringData.fromString("ü".repeat(1024)), true),
        Arguments.of(DataTypes.STRING(), StringData.fromString("ü".repeat(1024) + "x"), false),
        Arguments.of(DataTypes.STRING(), StringData.fromString(""), false),
        Arguments.of(DataTypes.STRING(), StringData.fromString("\ud83d\ude00"), true),
        Arguments.of(DataTypes.STRING(), StringData.fromString("half \ud83d"), false),
        Arguments.of(DataTypes.BYTES(), new byte[2048], true),
        Arguments.of(DataTypes.BYTES(), new byte[2049], false),
        Arguments.of(DataTypes.BYTES(), new byte[0], false),
        Arguments.of(DataTypes.DOUBLE(), Double.NaN, false),
        Arguments.of(DataTypes.DOUBLE(), Double.POSITIVE_INFINITY, false),
        Arguments.of(DataTypes.DOUBLE(), 9.9e125, true),
        Arguments.of(DataTypes.DOUBLE(), 1e126, false),
        Arguments.of(DataTypes.DOUBLE(), -1e-130, true),
        Arguments.of(DataTypes.DOUBLE(), 1e-131, false),
        Arguments.of(DataTypes.DOUBLE(), 0.0, true));
  }

  @ParameterizedTest
  @MethodSource("keys")
  void knowsWhatDynamoDbRefuses(DataType type, Object value, boolean expected) {
    assertEquals(expected, read(type, value).canExist(null));
  }

  @Test
  void aSortKeyIsShorter() {
    ItemKey key = read(DataTypes.STRING(), StringData.fromString("x".repeat(1025)));
    assertEquals(true, key.canExist("another"));
    assertEquals(false, key.canExist("k0"));
  }

  @Test
  void whereTheSortKeyIsUnknownEitherMayBeTooLong() {
    String longest = "x".repeat(1024);
    assertTrue(new ItemKey(Map.of("a", longest, "b", longest)).fitsAnySortKey());
    assertFalse(new ItemKey(Map.of("a", longest + "x", "b", "1")).fitsAnySortKey());
    assertFalse(new ItemKey(Map.of("a", "1", "b", longest + "x")).fitsAnySortKey());
    assertTrue(new ItemKey(Map.of("a", longest + "x")).fitsAnySortKey());
  }

  @Test
  void comparesTheKeyWithTheDeclaredOne() {
    RowType columns = columns(DataTypes.STRING(), DataTypes.DECIMAL(9, 2), DataTypes.BYTES());
    KeyReader keys = new KeyReader(columns, List.of("k1", "k2"), List.of("k2", "k1"));
    keys.checkAgainst(
        new TableKey(Map.of("k1", ScalarAttributeType.N, "k2", ScalarAttributeType.B), "k2"), "t");
    for (Map<String, ScalarAttributeType> other :
        Arrays.asList(
            Map.of("k1", ScalarAttributeType.N),
            Map.of("k1", ScalarAttributeType.N, "k2", ScalarAttributeType.S),
            Map.of("k1", ScalarAttributeType.N, "K2", ScalarAttributeType.B))) {
      assertThrows(
          LookupFailure.class, () -> keys.checkAgainst(new TableKey(other, null), "t"), "" + other);
    }
  }
}
