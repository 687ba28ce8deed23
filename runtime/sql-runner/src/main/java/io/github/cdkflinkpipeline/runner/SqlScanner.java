package io.github.cdkflinkpipeline.runner;

import java.util.ArrayList;
import java.util.List;

/** Tells SQL apart from what merely stands in it: string literals, quoted identifiers, comments. */
public final class SqlScanner {

  public enum Kind {
    CODE,
    STRING,
    IDENTIFIER,
    COMMENT
  }

  /** A piece of SQL with its quotes or comment marks. */
  public record Segment(Kind kind, String text) {}

  private final String sql;
  private int position;

  private SqlScanner(String sql) {
    this.sql = sql;
  }

  /** The segments of the SQL in their order; their texts make up the SQL again. */
  public static List<Segment> scan(String sql) {
    SqlScanner scanner = new SqlScanner(sql);
    List<Segment> segments = new ArrayList<>();
    while (scanner.position < sql.length()) {
      int start = scanner.position;
      Kind kind = scanner.advance();
      segments.add(new Segment(kind, sql.substring(start, scanner.position)));
    }
    return segments;
  }

  private Kind advance() {
    Kind kind = kindAt(position);
    switch (kind) {
      case STRING, IDENTIFIER -> position = endOfQuoted(sql.charAt(position));
      case COMMENT -> position = sql.startsWith("/*", position) ? endAfter("*/") : endAfter("\n");
      case CODE -> {
        do {
          position++;
        } while (position < sql.length() && kindAt(position) == Kind.CODE);
      }
    }
    return kind;
  }

  private Kind kindAt(int index) {
    return switch (sql.charAt(index)) {
      case '\'' -> Kind.STRING;
      case '`' -> Kind.IDENTIFIER;
      case '-' -> sql.startsWith("--", index) ? Kind.COMMENT : Kind.CODE;
      // Flink's parser takes two slashes for a comment as well.
      case '/' ->
          sql.startsWith("/*", index) || sql.startsWith("//", index) ? Kind.COMMENT : Kind.CODE;
      default -> Kind.CODE;
    };
  }

  /** A doubled quote stands for itself; a quote that never closes goes on to the end. */
  private int endOfQuoted(char quote) {
    int index = position + 1;
    while (index < sql.length()) {
      if (sql.charAt(index) != quote) {
        index++;
      } else if (index + 1 < sql.length() && sql.charAt(index + 1) == quote) {
        index += 2;
      } else {
        return index + 1;
      }
    }
    return sql.length();
  }

  private int endAfter(String mark) {
    int index = sql.indexOf(mark, position + 2);
    return index < 0 ? sql.length() : index + mark.length();
  }
}
