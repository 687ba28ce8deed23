package io.github.cdkflinkpipeline.runner;

import io.github.cdkflinkpipeline.runner.SqlScanner.Kind;
import io.github.cdkflinkpipeline.runner.SqlScanner.Segment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Puts the values of environment variables into the string literals of SQL, and takes them out of
 * messages.
 *
 * <p>A placeholder is {@code ${env:NAME}} within a plain string literal. In a comment it is text;
 * anywhere else it is an error, since a value could change the meaning of the statement there.
 */
public final class Placeholders {

  private static final String OPENING = "${env:";
  private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{env:([A-Za-z_][A-Za-z0-9_]*)}");

  /** Before a quote, these begin a literal in which a backslash or an ampersand has a meaning. */
  private static final Pattern LITERAL_PREFIX = Pattern.compile("[A-Za-z0-9_&]$");

  private final Map<String, String> values = new TreeMap<>();

  /**
   * Look up every variable that the script names.
   *
   * @throws SqlRunnerException that names all variables that are not set
   */
  public Placeholders(String script, Function<String, String> environment) {
    Set<String> missing = new TreeSet<>();
    for (Segment segment : SqlScanner.scan(script)) {
      Matcher matcher = PLACEHOLDER.matcher(segment.text());
      while (segment.kind() == Kind.STRING && matcher.find()) {
        String value = environment.apply(matcher.group(1));
        if (value == null) {
          missing.add(matcher.group(1));
        } else {
          values.put(matcher.group(1), value);
        }
      }
    }
    if (!missing.isEmpty()) {
      throw new SqlRunnerException(
          "the script needs environment variables that are not set: " + String.join(", ", missing));
    }
  }

  /**
   * The statement with values, each escaped for its literal. A value that looks like a placeholder
   * stays as it is.
   */
  public String substitute(String statement) {
    StringBuilder result = new StringBuilder();
    String before = "";
    for (Segment segment : SqlScanner.scan(statement)) {
      result.append(
          switch (segment.kind()) {
            case STRING -> substituteLiteral(segment.text(), before);
            case COMMENT -> segment.text();
            case CODE, IDENTIFIER -> refuse(segment.text());
          });
      before = segment.text();
    }
    return result.toString();
  }

  /** The message with every value, and every line of a value, replaced by its placeholder. */
  String conceal(String message) {
    record Concealed(String text, String placeholder) {}
    List<Concealed> all = new ArrayList<>();
    values.forEach(
        (name, value) -> {
          String placeholder = OPENING + name + "}";
          all.add(new Concealed(value, placeholder));
          all.add(new Concealed(escape(value), placeholder));
          value.lines().forEach(line -> all.add(new Concealed(line.strip(), placeholder)));
        });
    all.removeIf(concealed -> concealed.text().isEmpty());
    if (all.isEmpty()) {
      return message;
    }
    // In one pass, longest first: a value may be part of another one, or of the name of a
    // placeholder.
    all.sort(
        Comparator.comparingInt((Concealed concealed) -> concealed.text().length()).reversed());
    Map<String, String> placeholders =
        all.stream()
            .collect(Collectors.toMap(Concealed::text, Concealed::placeholder, (a, b) -> a));
    Pattern any =
        Pattern.compile(
            all.stream()
                .map(concealed -> Pattern.quote(concealed.text()))
                .collect(Collectors.joining("|")));
    return any.matcher(message)
        .replaceAll(match -> Matcher.quoteReplacement(placeholders.get(match.group())));
  }

  private String substituteLiteral(String literal, String before) {
    if (!literal.contains(OPENING)) {
      return literal;
    }
    if (LITERAL_PREFIX.matcher(before).find()) {
      throw new SqlRunnerException(
          "a placeholder must stand in a plain string literal: " + before.strip() + literal);
    }
    String result =
        PLACEHOLDER
            .matcher(literal)
            .replaceAll(match -> Matcher.quoteReplacement(escape(values.get(match.group(1)))));
    // Look at the literal, not at the result: a value may hold anything.
    refuse(PLACEHOLDER.matcher(literal).replaceAll(""));
    return result;
  }

  private static String refuse(String text) {
    int index = text.indexOf(OPENING);
    if (index >= 0) {
      int end = text.indexOf('}', index);
      String placeholder = text.substring(index, end < 0 ? text.length() : end + 1);
      throw new SqlRunnerException(
          "placeholder " + placeholder + " is not ${env:NAME} within a string literal");
    }
    return text;
  }

  private static String escape(String value) {
    return value.replace("'", "''");
  }
}
