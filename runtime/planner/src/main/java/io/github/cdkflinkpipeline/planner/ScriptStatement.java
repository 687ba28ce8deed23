package io.github.cdkflinkpipeline.planner;

import io.github.cdkflinkpipeline.runner.SqlRunner;
import io.github.cdkflinkpipeline.runner.SqlScanner;
import io.github.cdkflinkpipeline.runner.SqlScanner.Kind;
import io.github.cdkflinkpipeline.runner.SqlScanner.Segment;
import io.github.cdkflinkpipeline.runner.SqlScript;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A statement of a script. A statement set is its INSERTs: each has a result of its own.
 *
 * @param number from 1
 * @param firstLine line of the script that the text begins at
 * @param line line of the script that the statement begins at, after its comments
 */
record ScriptStatement(int number, int firstLine, int line, String text, List<String> words) {

  private static final Pattern STATEMENT_SET =
      Pattern.compile(
          "EXECUTE\\s+STATEMENT\\s+SET\\s+BEGIN\\b(.*)\\bEND",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_$]+");

  static List<ScriptStatement> read(String script) {
    List<ScriptStatement> result = new ArrayList<>();
    int position = 0;
    for (String text : SqlScript.split(script)) {
      int start = script.indexOf(text, position);
      position = start + text.length();
      String code = text.substring(beginning(text));
      Matcher set = STATEMENT_SET.matcher(code);
      if (!set.matches()) {
        result.add(of(result.size() + 1, script, start, text));
        continue;
      }
      int from = start + beginning(text) + set.start(1);
      for (String insert : SqlScript.split(set.group(1))) {
        int at = script.indexOf(insert, from);
        result.add(of(result.size() + 1, script, at, insert));
        from = at + insert.length();
      }
    }
    return result;
  }

  private static ScriptStatement of(int number, String script, int start, String text) {
    return new ScriptStatement(
        number,
        lineAt(script, start),
        lineAt(script, start + beginning(text)),
        text,
        wordsOf(text));
  }

  /** Where the statement begins after its comments. */
  private static int beginning(String text) {
    int position = 0;
    for (Segment segment : SqlScanner.scan(text)) {
      if (segment.kind() != Kind.COMMENT && !segment.text().isBlank()) {
        String code = segment.text();
        return position + code.length() - code.stripLeading().length();
      }
      position += segment.text().length();
    }
    return position;
  }

  private static int lineAt(String script, int position) {
    return 1 + (int) script.substring(0, position).chars().filter(c -> c == '\n').count();
  }

  /** Words and unquoted identifiers, without literals and comments. */
  private static List<String> wordsOf(String text) {
    List<String> words = new ArrayList<>();
    for (Segment segment : SqlScanner.scan(text)) {
      if (segment.kind() == Kind.IDENTIFIER && segment.text().length() > 1) {
        String name = segment.text();
        words.add(name.substring(1, name.length() - 1).replace("``", "`"));
      } else if (segment.kind() == Kind.CODE) {
        Matcher matcher = WORD.matcher(segment.text());
        while (matcher.find()) {
          words.add(matcher.group());
        }
      }
    }
    return words;
  }

  /** The words that the statement begins with; of a SET also the option, which is its name. */
  String summary() {
    String beginning = SqlRunner.summary(text);
    if (!beginning.equalsIgnoreCase("SET")) {
      return beginning;
    }
    return SqlScanner.scan(text).stream()
        .filter(segment -> segment.kind() == Kind.STRING)
        .findFirst()
        .map(option -> beginning + " " + option.text())
        .orElse(beginning);
  }

  /** The table that the statement creates, or null. */
  String createdTable() {
    return after("CREATE", "TABLE");
  }

  /** The table or view that the statement creates or writes, or null. */
  String table() {
    String inserted = insertedTable();
    if (inserted != null) {
      return inserted;
    }
    String view = after("CREATE", "VIEW");
    return view == null ? createdTable() : view;
  }

  private String insertedTable() {
    return after("INSERT", "INTO");
  }

  /** How the script uses the table that this statement creates. */
  Set<TableSide> sidesIn(List<ScriptStatement> script) {
    Set<TableSide> sides = EnumSet.noneOf(TableSide.class);
    String name = createdTable();
    for (ScriptStatement other : script) {
      if (other == this) {
        continue;
      }
      long named = other.words.stream().filter(name::equals).count();
      if (name.equals(other.insertedTable())) {
        sides.add(TableSide.SINK);
        named--;
      }
      if (named > 0 && !name.equals(other.createdTable())) {
        sides.add(TableSide.SOURCE);
      }
    }
    return sides;
  }

  /** The name that follows two words at the beginning, with others between them. */
  private String after(String first, String second) {
    if (words.isEmpty() || !words.get(0).equalsIgnoreCase(first)) {
      return null;
    }
    for (int index = 1; index < Math.min(words.size() - 1, 5); index++) {
      if (words.get(index).equalsIgnoreCase(second)) {
        int name = index + 1;
        while (name < words.size() && words.get(name).matches("(?i)IF|NOT|EXISTS")) {
          name++;
        }
        return name < words.size() ? words.get(name) : null;
      }
    }
    return null;
  }
}
