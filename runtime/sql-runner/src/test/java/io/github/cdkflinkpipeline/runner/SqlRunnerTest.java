package io.github.cdkflinkpipeline.runner;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.ServiceConfigurationError;
import java.util.stream.Collectors;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With Flink's real planner, and its MiniCluster where a job runs. */
class SqlRunnerTest {

  private static final String BOUNDED_SOURCE =
      "CREATE TABLE src (id INT) WITH ('connector' = 'datagen', 'number-of-rows' = '${env:ROWS}');";

  private final TableEnvironment tables =
      TableEnvironment.create(EnvironmentSettings.newInstance().build());

  private void run(String script, Map<String, String> environment) {
    new SqlRunner(tables, environment::get).run(script);
  }

  private SqlRunnerException failureOf(String script, Map<String, String> environment) {
    return assertThrows(SqlRunnerException.class, () -> run(script, environment));
  }

  private Map<String, String> optionsOf(String table) throws Exception {
    return tables
        .getCatalog("default_catalog")
        .orElseThrow()
        .getTable(ObjectIdentifier.of("default_catalog", "default_database", table).toObjectPath())
        .getOptions();
  }

  @Test
  void aStatementSetRunsAsOneJobToItsEnd(@TempDir Path directory) throws Exception {
    run(
        BOUNDED_SOURCE
            + "CREATE TABLE nothing (id INT) WITH ('connector' = 'blackhole');"
            + "CREATE TABLE files (id INT) WITH ('connector' = 'filesystem', 'format' = 'raw', 'path' = '${env:OUT}');"
            + "CREATE VIEW small AS SELECT id FROM src WHERE id IS NOT NULL; -- a comment; with a semicolon\n"
            + "SET 'table.dml-sync' = 'true'; SET 'parallelism.default' = '1';"
            + "EXECUTE STATEMENT SET BEGIN"
            + "  INSERT INTO nothing SELECT id FROM small;"
            + "  INSERT INTO files SELECT CASE WHEN id > 0 THEN 1 ELSE 2 END FROM small;"
            + "END;",
        Map.of("ROWS", "20", "OUT", directory.toUri().toString()));
    try (var files = Files.walk(directory)) {
      long bytes =
          files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
      assertTrue(bytes >= 20, "wrote " + bytes + " bytes");
    }
  }

  @Test
  void mainReadsTheScriptAndPrintsNothing(@TempDir Path directory) throws IOException {
    Path script = directory.resolve("job.sql");
    Files.writeString(
        script, "CREATE TABLE `ü` (id INT) WITH ('connector' = 'datagen', 'x' = '${env:PATH}');");
    PrintStream out = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      SqlRunner.main(new String[] {script.toString()});
    } finally {
      System.setOut(out);
    }
    assertEquals("", printed.toString(StandardCharsets.UTF_8));
  }

  @Test
  void mainRefusesAWrongCall(@TempDir Path directory) {
    String missing = directory.resolve("none.sql").toString();
    assertAll(
        () -> assertThrows(NoSuchFileException.class, () -> SqlRunner.main(new String[] {missing})),
        () ->
            assertThrows(
                IllegalArgumentException.class, () -> SqlRunner.main(new String[] {"a", "b"})));
  }

  @Test
  void everyValueReachesItsOptionAsItIs() throws Exception {
    Random random = new Random(42);
    String alphabet = "'`;$\\\"{}-/*\n\r\t %_&ab€漢";
    for (int run = 0; run < 300; run++) {
      String value =
          random
              .ints(random.nextInt(12), 0, alphabet.length() + 1)
              .mapToObj(
                  index -> index == alphabet.length() ? "😀" : alphabet.substring(index, index + 1))
              .collect(Collectors.joining());
      run(
          "CREATE TABLE t" + run + " (id INT) WITH ('connector' = 'x', 'k' = '<${env:V}>');",
          Map.of("V", value));
      assertEquals("<" + value + ">", optionsOf("t" + run).get("k"));
    }
  }

  @Test
  void theParserSeesTheSameCommentsAndQuotes() throws Exception {
    run(
        "CREATE TABLE quoted (`a;``b` INT // not; a statement\n) WITH ('connector' = 'x', 'k' = 'it''s; -- /* //');",
        Map.of());
    assertEquals("it's; -- /* //", optionsOf("quoted").get("k"));
  }

  @Test
  void setTakesQuotedKeysAndValuesOfAnyLength() {
    String longValue = "it's ".repeat(50_000);
    run(
        "/* first */ set 'pipeline.name' /* name */ = '${env:NAME}'; SET'a.b'='it''s';",
        Map.of("NAME", longValue));
    Map<String, String> configuration = tables.getConfig().getConfiguration().toMap();
    assertEquals(longValue, configuration.get("pipeline.name"));
    assertEquals("it's", configuration.get("a.b"));
  }

  @Test
  void setWithoutQuotesAndResetAreRefused() {
    for (String statement : new String[] {"SET a = b", "SET", "RESET 'a'"}) {
      assertEquals(
          "statement 1 of 1 (%s): an option is set by SET 'key' = 'value', and cannot be reset"
              .formatted(statement.replace(" 'a'", "")),
          failureOf(statement, Map.of()).getMessage());
    }
  }

  @Test
  void anErrorNamesTheStatementAndTheReasonButNoValue() {
    SqlRunnerException error =
        failureOf(
            BOUNDED_SOURCE
                + "CREATE TABLE snk (id INT) WITH ('connector' = 'blackhole', 'oops' = '${env:SECRET}');"
                + "EXECUTE STATEMENT SET BEGIN INSERT INTO snk SELECT id FROM src; END;",
            Map.of("ROWS", "1", "SECRET", "s3cr't"));
    assertAll(
        () ->
            assertTrue(
                error
                    .getMessage()
                    .startsWith(
                        "statement 3 of 3 (EXECUTE STATEMENT SET BEGIN INSERT INTO snk SELECT id FROM src; END): "),
                error.getMessage()),
        () ->
            assertTrue(
                error.getMessage().contains("table 'default_catalog.default_database.snk'"),
                error.getMessage()),
        () -> assertTrue(error.getMessage().contains("Unsupported options"), error.getMessage()),
        () -> assertTrue(error.getMessage().contains("oops"), error.getMessage()));
    assertHides(error, "s3cr");
  }

  @Test
  void aBadValueIsNotShown() {
    SqlRunnerException error =
        failureOf(
            BOUNDED_SOURCE
                + "CREATE TABLE snk (id INT) WITH ('connector' = 'blackhole');"
                + "INSERT INTO snk SELECT id FROM src;",
            Map.of("ROWS", "s3cret-number"));
    assertTrue(error.getMessage().contains("${env:ROWS}"), error.getMessage());
    assertHides(error, "s3cret");
  }

  @Test
  void aParseErrorDoesNotShowTheValueBesideIt() {
    SqlRunnerException error =
        failureOf(
            "CREATE TABLE broken (id INT) WITH ('k' = '${env:SECRET}') oops;",
            Map.of("SECRET", "s3cret"));
    assertTrue(
        error.getMessage().startsWith("statement 1 of 1 (CREATE TABLE broken): "),
        error.getMessage());
    assertHides(error, "s3cret");
  }

  @Test
  void anErrorOfAClassPathIsConcealedToo() {
    TableEnvironment broken =
        (TableEnvironment)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {TableEnvironment.class},
                (proxy, method, arguments) -> {
                  throw new ServiceConfigurationError(
                      "no provider", new NoClassDefFoundError("a/B for s3cret"));
                });
    SqlRunnerException error =
        assertThrows(
            SqlRunnerException.class,
            () -> new SqlRunner(broken, Map.of("V", "s3cret")::get).run("SELECT '${env:V}'"));
    assertEquals(
        "statement 1 of 1 (SELECT): no provider; java.lang.NoClassDefFoundError: a/B for ${env:V}",
        error.getMessage());
    assertHides(error, "s3cret");
  }

  @Test
  void nothingRunsBeforeAllVariablesAreKnown() throws Exception {
    failureOf(
        "CREATE TABLE early (id INT) WITH ('connector' = 'x'); SELECT '${env:MISSING}';", Map.of());
    assertEquals(0, tables.listTables().length);
  }

  @Test
  void anEmptyScriptIsRefused() {
    assertEquals(
        "the script holds no statement", failureOf("-- nothing\n;", Map.of()).getMessage());
  }

  @Test
  void theSummaryEndsAtTheFirstBracketOrLiteral() {
    assertEquals("CREATE TABLE `a(b`", SqlRunner.summary("-- c\nCREATE  TABLE\n`a(b` (id INT)"));
    assertEquals("SET", SqlRunner.summary("SET 'a' = 'b'"));
    assertEquals(101, SqlRunner.summary("SELECT " + "a, ".repeat(99)).length());
  }

  private static void assertHides(SqlRunnerException error, String secret) {
    StringWriter trace = new StringWriter();
    error.printStackTrace(new PrintWriter(trace));
    assertFalse(trace.toString().contains(secret), trace.toString());
    assertNull(error.getCause());
    assertEquals(0, error.getSuppressed().length);
  }
}
