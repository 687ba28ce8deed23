package io.github.cdkflinkpipeline.dynamodb;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
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

  /** Of a partition key, in bytes. */
  private static final int MAX_LENGTH = 2048;

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

  /** Whether DynamoDB would take the key at all; it fails the whole request if it does not. */
  boolean canExist() {
    for (Comparable<?> value : values.values()) {
      int length =
          value instanceof String text
              ? text.getBytes(StandardCharsets.UTF_8).length
              : value instanceof ByteBuffer bytes ? bytes.remaining() : 1;
      if (length == 0 || length > MAX_LENGTH) {
        return false;
      }
    }
    return true;
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
