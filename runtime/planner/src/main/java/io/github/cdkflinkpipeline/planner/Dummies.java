package io.github.cdkflinkpipeline.planner;

import io.github.cdkflinkpipeline.runner.SqlScanner;
import io.github.cdkflinkpipeline.runner.SqlScanner.Kind;
import io.github.cdkflinkpipeline.runner.SqlScanner.Segment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Values for the placeholders of a script. The real ones are secrets, or known only once the stack
 * is deployed: a plan must do without, so each gets a value that fits its option.
 */
final class Dummies {

  private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{env:([A-Za-z_][A-Za-z0-9_]*)}");

  private final ConnectorCatalogue catalogue;
  private final Map<String, String> values = new HashMap<>();

  Dummies(ConnectorCatalogue catalogue, String script) {
    this.catalogue = catalogue;
    String option = "";
    String before = "";
    for (Segment segment : SqlScanner.scan(script)) {
      if (segment.kind() == Kind.STRING) {
        // 'option' = 'value' in three segments.
        if (!before.strip().equals("=")) {
          option = unquote(segment.text());
        }
        read(option, unquote(segment.text()));
      }
      if (segment.kind() != Kind.COMMENT) {
        before = segment.text();
      }
    }
  }

  /** The value that stands for a variable, null for one that the script does not name. */
  String value(String variable) {
    return values.get(variable);
  }

  private void read(String option, String literal) {
    Matcher placeholder = PLACEHOLDER.matcher(literal);
    while (placeholder.find()) {
      boolean whole = placeholder.group().equals(literal);
      values.putIfAbsent(placeholder.group(1), whole ? fitting(option) : part(literal));
    }
  }

  private static String part(String literal) {
    return literal.contains(":${env:") && literal.matches(".*:\\$\\{env:\\w+}([/,;].*)?")
        ? "9092"
        : "placeholder";
  }

  private String fitting(String option) {
    if (option.endsWith(".arn")) {
      return "arn:aws:kinesis:us-east-1:111122223333:stream/placeholder";
    }
    return switch (option) {
      case "aws.region" -> "us-east-1";
      case "hosts" -> "http://placeholder:9200";
      case "uri" -> "mongodb://placeholder:27017";
      case "url" -> "jdbc:mysql://placeholder:3306/placeholder";
      case "path" -> "file:///placeholder";
      case "queue-url", "aws.endpoint" -> "https://placeholder";
      case "properties.bootstrap.servers" -> "placeholder:9092";
      default -> ofType(option);
    };
  }

  private String ofType(String option) {
    List<String> types =
        catalogue.connectors().values().stream()
            .map(connector -> connector.options().get(option))
            .filter(known -> known != null)
            .map(known -> known.values() == null ? known.type() : "one of " + known.values().get(0))
            .distinct()
            .toList();
    String type = types.isEmpty() ? "String" : types.get(0);
    return switch (type) {
      case "Integer", "Long" -> "1";
      case "Boolean" -> "true";
      case "Duration" -> "1 min";
      case "MemorySize" -> "1 mb";
      default -> type.startsWith("one of ") ? type.substring("one of ".length()) : untyped(option);
    };
  }

  /** Options of connectors that are always real. */
  private static String untyped(String option) {
    if (option.endsWith("parallelism") || option.endsWith("-millis") || option.endsWith(".ms")) {
      return "1";
    }
    return option.endsWith("interval") || option.endsWith("timeout") ? "1 min" : "placeholder";
  }

  private static String unquote(String literal) {
    return literal.length() < 2
        ? literal
        : literal.substring(1, literal.length() - 1).replace("''", "'");
  }
}
