package io.github.cdkflinkpipeline.runner;

import io.github.cdkflinkpipeline.runner.SqlScanner.Kind;
import io.github.cdkflinkpipeline.runner.SqlScanner.Segment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Splits a script into its statements. */
public final class SqlScript {

  private static final Pattern WORD_OR_SEMICOLON = Pattern.compile("[A-Za-z0-9_$]+|;");

  private static final String STATEMENT_SET = " STATEMENT SET BEGIN";

  private final List<String> statements = new ArrayList<>();
  private final StringBuilder statement = new StringBuilder();
  private boolean empty = true;

  /** The end of the words before, to see STATEMENT SET BEGIN. */
  private String lastWords = "";

  private boolean inStatementSet;
  private boolean afterSemicolon;

  private SqlScript() {}

  /**
   * The statements without their closing semicolons. A semicolon within quotes or a comment closes
   * nothing, nor does one between {@code STATEMENT SET BEGIN} and its {@code END}: a statement set
   * is one statement.
   */
  public static List<String> split(String script) {
    SqlScript result = new SqlScript();
    for (Segment segment : SqlScanner.scan(script)) {
      if (segment.kind() == Kind.CODE) {
        result.readCode(segment.text());
      } else {
        result.readOther(segment);
      }
    }
    result.close();
    return result.statements;
  }

  private void readOther(Segment segment) {
    statement.append(segment.text());
    if (segment.kind() != Kind.COMMENT) {
      empty = false;
      afterSemicolon = false;
      lastWords = "";
    }
  }

  private void readCode(String code) {
    Matcher matcher = WORD_OR_SEMICOLON.matcher(code);
    int end = 0;
    while (matcher.find()) {
      append(code.substring(end, matcher.start()));
      end = matcher.end();
      if (!matcher.group().equals(";")) {
        readWord(matcher.group());
      } else if (inStatementSet) {
        statement.append(';');
        afterSemicolon = true;
        lastWords = "";
      } else {
        close();
      }
    }
    append(code.substring(end));
  }

  private void append(String code) {
    statement.append(code);
    if (!code.isBlank()) {
      empty = false;
      afterSemicolon = false;
      lastWords = "";
    }
  }

  private void readWord(String word) {
    statement.append(word);
    empty = false;
    String upper = word.toUpperCase(Locale.ROOT);
    if (inStatementSet) {
      // The END of a CASE never follows a semicolon.
      inStatementSet = !(afterSemicolon && upper.equals("END"));
    } else {
      String words = lastWords + " " + upper;
      inStatementSet = words.endsWith(STATEMENT_SET);
      lastWords = words.substring(Math.max(0, words.length() - STATEMENT_SET.length()));
    }
    afterSemicolon = inStatementSet && upper.equals("BEGIN");
  }

  private void close() {
    if (!empty) {
      statements.add(statement.toString().strip());
    }
    statement.setLength(0);
    empty = true;
    lastWords = "";
    inStatementSet = false;
    afterSemicolon = false;
  }
}
