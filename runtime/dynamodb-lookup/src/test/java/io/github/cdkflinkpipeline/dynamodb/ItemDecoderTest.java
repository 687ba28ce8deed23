package io.github.cdkflinkpipeline.dynamodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What does not fit; what does is read from an emulator in another test. */
class ItemDecoderTest {

  private static final Map<String, AttributeValue> ITEM =
      Map.of(
          "id", AttributeValue.fromS("odd"),
          "text", AttributeValue.fromS("x"),
          "number", AttributeValue.fromN("1.5"),
          "huge", AttributeValue.fromN("1E+60"),
          "map", AttributeValue.fromM(Map.of("in", AttributeValue.fromN("300"))),
          "list", AttributeValue.fromL(List.of(AttributeValue.fromS("1"))));

  static Stream<Arguments> misfits() {
    return Stream.of(
        Arguments.of(
            "text", DataTypes.INT(), "attribute 'text' is of DynamoDB type S, the column is INT"),
        Arguments.of(
            "number",
            DataTypes.STRING(),
            "attribute 'number' is of DynamoDB type N, the column is STRING"),
        Arguments.of("number", DataTypes.INT(), "attribute 'number' is 1.5, which is no INT"),
        Arguments.of(
            "number",
            DataTypes.DECIMAL(3, 0),
            "attribute 'number' is 1.5, which is no DECIMAL(3, 0)"),
        Arguments.of("huge", DataTypes.BIGINT(), "attribute 'huge' is 1E+60, which is no BIGINT"),
        Arguments.of("huge", DataTypes.FLOAT(), "attribute 'huge' is 1E+60, which is no FLOAT"),
        Arguments.of("text", DataTypes.DATE(), "attribute 'text' is 'x', which is no DATE"),
        Arguments.of(
            "map",
            DataTypes.ROW(DataTypes.FIELD("in", DataTypes.TINYINT())),
            "attribute 'map.in' is 300, which is no TINYINT"),
        Arguments.of(
            "list",
            DataTypes.ARRAY(DataTypes.INT()),
            "attribute 'list[0]' is of DynamoDB type S, the column is INT"),
        Arguments.of(
            "absent",
            DataTypes.INT().notNull(),
            "attribute 'absent' is missing, but the column is NOT NULL"));
  }

  @ParameterizedTest
  @MethodSource("misfits")
  void saysWhichAttributeDoesNotFit(String name, DataType type, String expected) {
    RowType columns =
        (RowType)
            DataTypes.ROW(DataTypes.FIELD("id", DataTypes.STRING()), DataTypes.FIELD(name, type))
                .getLogicalType();
    ItemDecoder decoder = new ItemDecoder(columns, "kinds", List.of("id"));
    assertEquals(
        "item {id=odd} of the DynamoDB table 'kinds' does not fit: " + expected,
        assertThrows(LookupFailure.class, () -> decoder.decode(ITEM)).getMessage());
  }
}
