package io.github.cdkflinkpipeline.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ScriptStatementTest {

  private static final String SCRIPT =
      """
      -- a comment; with a semicolon
      CREATE TABLE `a``b` (
        x STRING
      ) WITH ('connector' = 'x; y');
      CREATE TEMPORARY VIEW IF NOT EXISTS v AS SELECT x FROM `a``b`;

      EXECUTE STATEMENT SET BEGIN
      INSERT INTO s SELECT x FROM v;
      -- the second
      INSERT INTO `a``b` SELECT CASE WHEN TRUE THEN 'END' END FROM v;
      END;
      """;

  private final List<ScriptStatement> statements = ScriptStatement.read(SCRIPT);

  @Test
  void aStatementSetIsItsInserts() {
    assertEquals(4, statements.size());
    assertEquals(List.of(1, 2, 3, 4), statements.stream().map(ScriptStatement::number).toList());
    assertEquals("INSERT INTO s SELECT x FROM v", statements.get(2).text());
  }

  @Test
  void aStatementBeginsAfterItsComments() {
    assertEquals(List.of(2, 5, 8, 10), statements.stream().map(ScriptStatement::line).toList());
    assertEquals(1, statements.get(0).firstLine());
  }

  @Test
  void theTableIsThatWhichIsCreatedOrWritten() {
    assertEquals(
        List.of("a`b", "v", "s", "a`b"), statements.stream().map(ScriptStatement::table).toList());
    assertEquals("a`b", statements.get(0).createdTable());
    assertNull(statements.get(1).createdTable());
  }

  @Test
  void aTableIsUsedByTheOtherStatements() {
    assertEquals(Set.of(TableSide.SOURCE, TableSide.SINK), statements.get(0).sidesIn(statements));
    List<ScriptStatement> unused =
        ScriptStatement.read("CREATE TABLE t (t STRING) WITH ('t' = 't')");
    assertEquals(Set.of(), unused.get(0).sidesIn(unused));
  }

  @Test
  void aSetIsCalledByItsOptionAndNotByItsValue() {
    List<ScriptStatement> script =
        ScriptStatement.read("-- 'why'\nSET 'table.local-time-zone' = '${env:ZONE}';\nset;");
    assertEquals(
        List.of("SET 'table.local-time-zone'", "set"),
        script.stream().map(ScriptStatement::summary).toList());
  }
}
