package io.github.cdkflinkpipeline.dynamodb;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericMapData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeFamily;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.utils.LogicalTypeChecks;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Turns the attributes of an item into the columns of the same names. */
final class ItemDecoder {

  private final RowType columns;
  private final String tableName;
  private final List<String> key;

  ItemDecoder(RowType columns, String tableName, List<String> key) {
    this.columns = columns;
    this.tableName = tableName;
    this.key = key;
  }

  /** Refuses columns of types that no attribute has. */
  static void check(RowType columns) {
    for (RowType.RowField field : columns.getFields()) {
      LogicalType wrong = unsupported(field.getType());
      if (wrong != null) {
        throw new ValidationException(
            String.format(
                "column '%s' cannot be read from DynamoDB: no attribute is %s",
                field.getName(), wrong.asSummaryString()));
      }
    }
  }

  private static LogicalType unsupported(LogicalType type) {
    return switch (type.getTypeRoot()) {
      case CHAR,
          VARCHAR,
          BOOLEAN,
          BINARY,
          VARBINARY,
          DECIMAL,
          TINYINT,
          SMALLINT,
          INTEGER,
          BIGINT,
          FLOAT,
          DOUBLE,
          DATE,
          TIME_WITHOUT_TIME_ZONE,
          TIMESTAMP_WITHOUT_TIME_ZONE,
          TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          null;
      case ARRAY -> unsupported(((ArrayType) type).getElementType());
      case MAP ->
          ((MapType) type).getKeyType().is(LogicalTypeFamily.CHARACTER_STRING)
              ? unsupported(((MapType) type).getValueType())
              : type;
      case ROW ->
          type.getChildren().stream()
              .map(ItemDecoder::unsupported)
              .filter(wrong -> wrong != null)
              .findFirst()
              .orElse(null);
      default -> type;
    };
  }

  /**
   * @throws LookupFailure that names the item, the attribute and what is wrong with it
   */
  RowData decode(Map<String, AttributeValue> item) {
    try {
      return row(item, columns, "");
    } catch (Misfit misfit) {
      throw new LookupFailure(
          String.format(
              "item %s of the DynamoDB table '%s' does not fit: %s",
              ItemKey.of(key, item), tableName, misfit.getMessage()));
    }
  }

  private static RowData row(Map<String, AttributeValue> attributes, RowType type, String path) {
    GenericRowData row = new GenericRowData(type.getFieldCount());
    for (int index = 0; index < type.getFieldCount(); index++) {
      String name = type.getFieldNames().get(index);
      row.setField(index, value(attributes.get(name), type.getTypeAt(index), path + name));
    }
    return row;
  }

  private static Object value(AttributeValue attribute, LogicalType type, String path) {
    if (attribute == null || attribute.type() == AttributeValue.Type.NUL) {
      if (!type.isNullable()) {
        throw new Misfit(
            String.format("attribute '%s' is missing, but the column is NOT NULL", path));
      }
      return null;
    }
    try {
      Object value = convert(attribute, type, path);
      if (value != null) {
        return value;
      }
    } catch (ArithmeticException | DateTimeException | NumberFormatException unfit) {
      throw new Misfit(
          String.format(
              "attribute '%s' is %s, which is no %s",
              path, plain(attribute), type.asSummaryString()));
    }
    throw new Misfit(
        String.format(
            "attribute '%s' is of DynamoDB type %s, the column is %s",
            path, attribute.type(), type.asSummaryString()));
  }

  /** Null where the types do not go together. */
  private static Object convert(AttributeValue attribute, LogicalType type, String path) {
    AttributeValue.Type given = attribute.type();
    return switch (type.getTypeRoot()) {
      case CHAR, VARCHAR -> given == AttributeValue.Type.S ? text(attribute.s(), type) : null;
      case BOOLEAN -> given == AttributeValue.Type.BOOL ? attribute.bool() : null;
      case BINARY, VARBINARY -> given == AttributeValue.Type.B ? bytes(attribute.b(), type) : null;
      case DECIMAL, TINYINT, SMALLINT, INTEGER, BIGINT, FLOAT, DOUBLE ->
          given == AttributeValue.Type.N ? number(new BigDecimal(attribute.n()), type) : null;
      case DATE,
          TIME_WITHOUT_TIME_ZONE,
          TIMESTAMP_WITHOUT_TIME_ZONE,
          TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          given == AttributeValue.Type.S ? time(attribute.s(), type) : null;
      case ARRAY -> list(attribute, ((ArrayType) type).getElementType(), path);
      case MAP -> given == AttributeValue.Type.M ? map(attribute.m(), (MapType) type, path) : null;
      case ROW ->
          given == AttributeValue.Type.M ? row(attribute.m(), (RowType) type, path + ".") : null;
      default -> null;
    };
  }

  private static StringData text(String text, LogicalType type) {
    checkLength(text.codePointCount(0, text.length()), type);
    return StringData.fromString(text);
  }

  private static byte[] bytes(SdkBytes bytes, LogicalType type) {
    byte[] array = bytes.asByteArray();
    checkLength(array.length, type);
    return array;
  }

  private static void checkLength(int length, LogicalType type) {
    if (length > LogicalTypeChecks.getLength(type)) {
      throw new ArithmeticException();
    }
  }

  private static Object number(BigDecimal number, LogicalType type) {
    return switch (type.getTypeRoot()) {
      case TINYINT -> number.byteValueExact();
      case SMALLINT -> number.shortValueExact();
      case INTEGER -> number.intValueExact();
      case BIGINT -> number.longValueExact();
      case FLOAT -> finite(number.floatValue());
      case DOUBLE -> finite(number.doubleValue());
      default -> decimal(number, (DecimalType) type);
    };
  }

  private static <T extends Number> T finite(T number) {
    if (Double.isInfinite(number.doubleValue())) {
      throw new ArithmeticException();
    }
    return number;
  }

  private static DecimalData decimal(BigDecimal number, DecimalType type) {
    // Without a mode of rounding: a digit too many is an error, not another number.
    BigDecimal scaled = number.setScale(type.getScale());
    DecimalData decimal = DecimalData.fromBigDecimal(scaled, type.getPrecision(), type.getScale());
    if (decimal == null) {
      throw new ArithmeticException();
    }
    return decimal;
  }

  /**
   * As ISO 8601 writes it, and as Flink's DynamoDB sink does; a space may stand for the T. Digits
   * of a second that the column does not hold are cut off, as CAST does.
   */
  private static Object time(String text, LogicalType type) {
    switch (type.getTypeRoot()) {
      case DATE -> {
        return (int) LocalDate.parse(text).toEpochDay();
      }
      case TIME_WITHOUT_TIME_ZONE -> {
        LocalTime time = LocalTime.parse(text);
        int precision = Math.min(3, LogicalTypeChecks.getPrecision(type));
        return (int) (time.minusNanos(beyond(time.getNano(), precision)).toNanoOfDay() / 1_000_000);
      }
      case TIMESTAMP_WITHOUT_TIME_ZONE -> {
        LocalDateTime time = LocalDateTime.parse(text.replace(' ', 'T'));
        int precision = LogicalTypeChecks.getPrecision(type);
        return TimestampData.fromLocalDateTime(time.minusNanos(beyond(time.getNano(), precision)));
      }
      default -> {
        Instant time = OffsetDateTime.parse(text.replace(' ', 'T')).toInstant();
        int precision = LogicalTypeChecks.getPrecision(type);
        return TimestampData.fromInstant(time.minusNanos(beyond(time.getNano(), precision)));
      }
    }
  }

  private static int beyond(int nanos, int precision) {
    return nanos % (int) Math.pow(10, 9 - precision);
  }

  private static GenericArrayData list(AttributeValue attribute, LogicalType type, String path) {
    List<AttributeValue> elements =
        switch (attribute.type()) {
          case L -> attribute.l();
          case SS -> attribute.ss().stream().map(AttributeValue::fromS).toList();
          case NS -> attribute.ns().stream().map(AttributeValue::fromN).toList();
          case BS -> attribute.bs().stream().map(AttributeValue::fromB).toList();
          default -> null;
        };
    if (elements == null) {
      return null;
    }
    Object[] values = new Object[elements.size()];
    for (int index = 0; index < values.length; index++) {
      values[index] = value(elements.get(index), type, path + "[" + index + "]");
    }
    return new GenericArrayData(values);
  }

  private static GenericMapData map(
      Map<String, AttributeValue> attributes, MapType type, String path) {
    Map<StringData, Object> values = new HashMap<>();
    attributes.forEach(
        (name, attribute) ->
            values.put(
                StringData.fromString(name),
                value(attribute, type.getValueType(), path + "." + name)));
    return new GenericMapData(values);
  }

  private static String plain(AttributeValue attribute) {
    return switch (attribute.type()) {
      case N -> attribute.n();
      case B -> attribute.b().asByteArray().length + " bytes";
      default -> "'" + attribute.s() + "'";
    };
  }

  /** An attribute that does not fit; its message says why. */
  private static final class Misfit extends RuntimeException {

    private static final long serialVersionUID = 1L;

    Misfit(String message) {
      super(message, null, false, false);
    }
  }
}
