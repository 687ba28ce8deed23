package io.github.cdkflinkpipeline.dynamodb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericMapData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What fits and what does not; each type is read from an emulator in another test. */
class ItemDecoderTest {

  private static final Map<String, AttributeValue> ITEM =
      Map.of(
          "id", AttributeValue.fromS("odd"),
          "text", AttributeValue.fromS("x"),
          "number", AttributeValue.fromN("1.5"),
          "huge", AttributeValue.fromN("1E+60"),
          "map", AttributeValue.fromM(Map.of("in", AttributeValue.fromN("300"))),
          "list", AttributeValue.fromL(List.of(AttributeValue.fromS("1"))),
          "stamp", AttributeValue.fromS("2026-11-30T12:30:00.1234"),
          "bytes", AttributeValue.fromB(SdkBytes.fromByteArray(new byte[] {1, 2, 3})));

  private static final String STAMP =
      "attribute 'stamp' is '2026-11-30T12:30:00.1234', which is no ";

  static Stream<Arguments> fits() {
    GenericArrayData numbers = new GenericArrayData(new Object[] {1, 2});
    return Stream.of(
        Arguments.of(DataTypes.CHAR(2), AttributeValue.fromS("ab"), StringData.fromString("ab")),
        Arguments.of(
            DataTypes.VARCHAR(1),
            AttributeValue.fromS("\ud83d\ude00"),
            StringData.fromString("\ud83d\ude00")),
        Arguments.of(
            DataTypes.TIMESTAMP(4),
            AttributeValue.fromS("2026-11-30 12:30:00.1234"),
            TimestampData.fromLocalDateTime(LocalDateTime.parse("2026-11-30T12:30:00.1234"))),
        Arguments.of(
            DataTypes.TIMESTAMP(3),
            AttributeValue.fromS("1969-12-31T23:59:59.123999"),
            TimestampData.fromLocalDateTime(LocalDateTime.parse("1969-12-31T23:59:59.123"))),
        Arguments.of(
            DataTypes.TIMESTAMP_LTZ(0),
            AttributeValue.fromS("2026-11-30T12:30:00.999Z"),
            TimestampData.fromInstant(Instant.parse("2026-11-30T12:30:00Z"))),
        Arguments.of(DataTypes.TIME(3), AttributeValue.fromS("00:00:01.5"), 1500),
        Arguments.of(DataTypes.TIME(), AttributeValue.fromS("00:00:01.5"), 1000),
        Arguments.of(
            DataTypes.ARRAY(DataTypes.INT()), AttributeValue.fromNs(List.of("1", "2")), numbers),
        Arguments.of(
            DataTypes.ARRAY(DataTypes.ARRAY(DataTypes.INT())),
            AttributeValue.fromL(List.of(AttributeValue.fromNs(List.of("1", "2")))),
            new GenericArrayData(new Object[] {numbers})),
        Arguments.of(
            DataTypes.MAP(DataTypes.STRING(), DataTypes.ROW(DataTypes.FIELD("n", DataTypes.INT()))),
            AttributeValue.fromM(
                Map.of("a", AttributeValue.fromM(Map.of("n", AttributeValue.fromN("1"))))),
            new GenericMapData(Map.of(StringData.fromString("a"), GenericRowData.of(1)))),
        Arguments.of(DataTypes.INT(), AttributeValue.fromNul(true), null));
  }

  @ParameterizedTest
  @MethodSource("fits")
  void readsWhatFits(DataType type, AttributeValue attribute, Object expected) {
    RowType columns = (RowType) DataTypes.ROW(DataTypes.FIELD("value", type)).getLogicalType();
    ItemDecoder decoder = new ItemDecoder(columns, "kinds", List.of());
    assertEquals(GenericRowData.of(expected), decoder.decode(Map.of("value", attribute)));
  }

  @Test
  void readsSetsOfBytes() {
    RowType columns =
        (RowType)
            DataTypes.ROW(DataTypes.FIELD("value", DataTypes.ARRAY(DataTypes.BYTES())))
                .getLogicalType();
    SdkBytes bytes = SdkBytes.fromByteArray(new byte[] {1, 2});
    var row =
        new ItemDecoder(columns, "kinds", List.of())
            .decode(Map.of("value", AttributeValue.fromBs(List.of(bytes))));
    assertArrayEquals(new byte[] {1, 2}, row.getArray(0).getBinary(0));
  }

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
            "text",
            DataTypes.BOOLEAN(),
            "attribute 'text' is of DynamoDB type S, the column is BOOLEAN"),
        Arguments.of("stamp", DataTypes.CHAR(4), STAMP + "CHAR(4)"),
        Arguments.of("stamp", DataTypes.VARCHAR(23), STAMP + "VARCHAR(23)"),
        Arguments.of("stamp", DataTypes.TIMESTAMP_LTZ(6), STAMP + "TIMESTAMP_LTZ(6)"),
        Arguments.of(
            "bytes", DataTypes.BINARY(2), "attribute 'bytes' is 3 bytes, which is no BINARY(2)"),
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
