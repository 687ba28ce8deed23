package io.github.cdkflinkpipeline.runner;

import io.github.cdkflinkpipeline.runner.SqlScanner.Kind;
import io.github.cdkflinkpipeline.runner.SqlScanner.Segment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;

/**
 * Runs a Flink SQL script as an application: {@code SqlRunner [script]}.
 *
 * <p>Values of environment variables take the place of {@code ${env:NAME}} in string literals, here
 * in the job manager and nowhere else. Neither a statement nor a value is ever printed; an error
 * shows the statement as it stands in the script.
 */
public final class SqlRunner {

  /** Where the job manager mounts the script. */
  static final String DEFAULT_SCRIPT = "/opt/flink/sql/job.sql";

  private static final Pattern SET =
      Pattern.compile(
          "SET\\s*('(?:[^']++|'')*+')\\s*=\\s*('(?:[^']++|'')*+')", Pattern.CASE_INSENSITIVE);
  private static final Pattern SET_OR_RESET =
      Pattern.compile("(?:SET|RESET)\\b.*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
  private static final int SUMMARY_LENGTH = 100;

  private final TableEnvironment tables;
  private final Function<String, String> environment;

  SqlRunner(TableEnvironment tables, Function<String, String> environment) {
    this.tables = tables;
    this.environment = environment;
  }

  /**
   * Run the script and return once its statement set is submitted: in application mode the cluster
   * lives as long as the job, not as long as this method.
   *
   * @param args path of the script, by default {@value #DEFAULT_SCRIPT}
   */
  public static void main(String[] args) throws IOException {
    if (args.length > 1) {
      throw new IllegalArgumentException(
          "give the path of one script, got " + args.length + " arguments");
    }
    String script = Files.readString(Path.of(args.length == 0 ? DEFAULT_SCRIPT : args[0]));
    TableEnvironment tables = TableEnvironment.create(EnvironmentSettings.newInstance().build());
    new SqlRunner(tables, System::getenv).run(script);
  }

  /**
   * @throws SqlRunnerException that says which statement failed and why
   */
  void run(String script) {
    Placeholders placeholders = new Placeholders(script, environment);
    List<String> statements = SqlScript.split(script);
    if (statements.isEmpty()) {
      throw new SqlRunnerException("the script holds no statement");
    }
    for (int index = 0; index < statements.size(); index++) {
      String statement = statements.get(index);
      try {
        execute(placeholders.substitute(statement));
      } catch (VirtualMachineError fatal) {
        throw fatal;
      } catch (Throwable failure) {
        // Errors too: a jar that is missing ends in one of many kinds, some with the cause that
        // shows a value.
        String message =
            String.format(
                "statement %d of %d (%s): %s",
                index + 1,
                statements.size(),
                summary(statement),
                placeholders.conceal(reasons(failure)));
        SqlRunnerException concealed = new SqlRunnerException(message);
        // The failure itself is left behind: any message in its chain may hold a value. Its stack
        // does not.
        concealed.setStackTrace(rootCause(failure).getStackTrace());
        throw concealed;
      }
    }
  }

  private void execute(String statement) {
    // executeSql refuses SET, which only the SQL client knows.
    String code = withoutComments(statement);
    Matcher set = SET.matcher(code);
    if (set.matches()) {
      tables.getConfig().set(unquote(set.group(1)), unquote(set.group(2)));
    } else if (SET_OR_RESET.matcher(code).matches()) {
      throw new SqlRunnerException("an option is set by SET 'key' = 'value', and cannot be reset");
    } else {
      tables.executeSql(statement);
    }
  }

  /**
   * The words that a statement begins with, up to its first bracket or literal, as they stand in
   * the script.
   */
  public static String summary(String statement) {
    StringBuilder words = new StringBuilder();
    for (Segment segment : SqlScanner.scan(statement)) {
      int bracket = segment.kind() == Kind.CODE ? segment.text().indexOf('(') : -1;
      if (segment.kind() == Kind.STRING || bracket >= 0) {
        words.append(segment.text(), 0, Math.max(bracket, 0));
        break;
      }
      words.append(segment.kind() == Kind.COMMENT ? " " : segment.text());
    }
    String summary = words.toString().strip().replaceAll("\\s+", " ");
    return summary.length() <= SUMMARY_LENGTH
        ? summary
        : summary.substring(0, SUMMARY_LENGTH) + "…";
  }

  /**
   * What went wrong, from the general to the particular: first lines only, since Flink lists whole
   * tables in the lines below.
   */
  private static String reasons(Throwable failure) {
    Set<String> reasons = new LinkedHashSet<>();
    Throwable root = rootCause(failure);
    for (Throwable cause = failure; cause != root; cause = cause.getCause()) {
      String message = cause.getMessage();
      if (message != null && !message.isBlank() && !message.equals(cause.getCause().toString())) {
        reasons.add(message.strip().lines().findFirst().orElseThrow().replaceAll("[.:]$", ""));
      }
    }
    boolean explained = root.getMessage() != null && !(root instanceof Error);
    reasons.add(explained ? root.getMessage().strip() : root.toString());
    return String.join("; ", reasons);
  }

  private static Throwable rootCause(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  private static String withoutComments(String statement) {
    return SqlScanner.scan(statement).stream()
        .map(segment -> segment.kind() == Kind.COMMENT ? " " : segment.text())
        .collect(Collectors.joining())
        .strip();
  }

  private static String unquote(String literal) {
    return literal.substring(1, literal.length() - 1).replace("''", "'");
  }
}
