package io.github.cdkflinkpipeline.dynamodb;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The key of an item by the names of its attributes: text, numbers or bytes, equal where DynamoDB
 * takes them for the same key. It gives 1.0 back as 1.
 */
record ItemKey(Map<String, Comparable<?>> values) {

  /** In bytes. */
  private static final int MAX_PARTITION_KEY_LENGTH = 2048;

  /** In bytes. */
  private static final int MAX_SORT_KEY_LENGTH = 1024;

  /** The first digit of a number that DynamoDB takes stands for 10 to the power of these. */
  private static final int MIN_EXPONENT = -130;

  private static final int MAX_EXPONENT = 125;

  static Comparable<?> number(BigDecimal value) {
    return value.stripTrailingZeros();
  }

  /** The key of an item that was read. */
  static ItemKey of(Iterable<String> names, Map<String, AttributeValue> item) {
    Map<String, Comparable<?>> values = new TreeMap<>();
    for (String name : names) {
      AttributeValue value = item.get(name);
      values.put(
          name,
          switch (value.type()) {
            case S -> value.s();
            case N -> number(new BigDecimal(value.n()));
            case B -> value.b().asByteBuffer();
            default -> throw new IllegalStateException(value.type() + " is no type of a key");
          });
    }
    return new ItemKey(values);
  }

  /**
   * Whether DynamoDB would take the key at all; it fails the whole request if it does not.
   *
   * @param sortKey its name, or null
   */
  boolean canExist(String sortKey) {
    return values.entrySet().stream()
        .allMatch(
            entry -> {
              int maxLength =
                  entry.getKey().equals(sortKey) ? MAX_SORT_KEY_LENGTH : MAX_PARTITION_KEY_LENGTH;
              Comparable<?> value = entry.getValue();
              if (value instanceof String text) {
                // Half of a surrogate pair is no text.
                return StandardCharsets.UTF_8.newEncoder().canEncode(text)
                    && isLength(text.getBytes(StandardCharsets.UTF_8).length, maxLength);
              }
              return value instanceof BigDecimal number
                  ? isNumber(number)
                  : isLength(((ByteBuffer) value).remaining(), maxLength);
            });
  }

  /** Whether it is short enough, whichever of its attributes the sort key is. */
  boolean fitsAnySortKey() {
    return values.size() == 1 || values.keySet().stream().allMatch(this::canExist);
  }

  private static boolean isLength(int length, int maxLength) {
    return length > 0 && length <= maxLength;
  }

  private static boolean isNumber(BigDecimal number) {
    int exponent = number.precision() - number.scale() - 1;
    return number.signum() == 0 || (exponent >= MIN_EXPONENT && exponent <= MAX_EXPONENT);
  }

  /** As a message names it. */
  @Override
  public String toString() {
    return values.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + text(entry.getValue()))
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private static String text(Comparable<?> value) {
    return value instanceof ByteBuffer bytes
        ? "0x" + HexFormat.of().formatHex(SdkBytes.fromByteBuffer(bytes).asByteArray())
        : value instanceof BigDecimal number ? number.toPlainString() : value.toString();
  }

  Map<String, AttributeValue> attributes() {
    return values.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> attribute(entry.getValue())));
  }

  private static AttributeValue attribute(Comparable<?> value) {
    if (value instanceof String text) {
      return AttributeValue.fromS(text);
    }
    return value instanceof BigDecimal number
        ? AttributeValue.fromN(number.toPlainString())
        : AttributeValue.fromB(SdkBytes.fromByteBuffer((ByteBuffer) value));
  }
}
