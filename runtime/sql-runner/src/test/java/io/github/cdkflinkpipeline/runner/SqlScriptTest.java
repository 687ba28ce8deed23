package io.github.cdkflinkpipeline.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlScriptTest {

  @Test
  void splitsAtSemicolonsAndDropsWhatIsEmpty() {
    assertEquals(List.of("SELECT 1", "SELECT 2"), SqlScript.split(" ;SELECT 1;\n; SELECT 2 \n"));
    assertEquals(List.of(), SqlScript.split(" ;\n-- nothing; at all\n/* ; */;"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 'a;b'",
        "SELECT 'it''s; here'",
        "SELECT `a;b`, `c``;d`",
        "SELECT 1 -- one; two\n + 2",
        "SELECT 1 // one; two\n + 2",
        "SELECT /* a; 'b */ 1",
        "SELECT '-- ;', '/*;', `//;`",
        "SELECT 1 / 2 - 3",
        "-- a comment; stays\nSELECT 1",
        "EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT 1; INSERT INTO b SELECT 2; END",
        "execute statement set\nbegin\ninsert into a select 1;\n-- END;\nend",
        "EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT CASE WHEN x THEN 'END;' END FROM t; END",
        "EXECUTE /* a */ STATEMENT -- b\n SET BEGIN INSERT INTO `END` SELECT 1; /* ; */ END",
        "EXPLAIN STATEMENT SET BEGIN INSERT INTO a SELECT 1; END",
        "EXECUTE STATEMENT SET BEGIN END",
        "SELECT 'STATEMENT SET BEGIN'",
        "SELECT statement, set_begin FROM t",
        "SELECT 'never closed; ",
        "SELECT /* never closed; ",
      })
  void isOneStatement(String statement) {
    assertEquals(List.of(statement.strip()), SqlScript.split(statement));
    if (!statement.contains("never closed")) {
      assertEquals(
          List.of("SELECT 0", statement, "SELECT 9"),
          SqlScript.split("SELECT 0;" + statement + ";SELECT 9;"));
    }
  }

  @Test
  void joinedStatementsAreSplitAgain() {
    List<String> pieces =
        List.of(
            "SELECT",
            "CASE WHEN a THEN b END",
            "BEGIN",
            "END",
            "STATEMENT",
            "'x;''y'",
            "''",
            "`;`",
            "`a``b;`",
            "-- c; 'd\n",
            "// c; `d\n",
            "/* ; */",
            "/**/",
            "a - b / c",
            "( , )",
            "SET",
            "üñ");
    Random random = new Random(20260101);
    for (int run = 0; run < 5_000; run++) {
      List<String> statements = new ArrayList<>();
      for (int count = random.nextInt(4); count >= 0; count--) {
        String body =
            random
                .ints(1 + random.nextInt(6), 0, pieces.size())
                .mapToObj(pieces::get)
                .collect(Collectors.joining(" "));
        statements.add("x " + body.replace("STATEMENT SET BEGIN", "STATEMENT") + " y");
      }
      assertEquals(statements, SqlScript.split(String.join(" ;\n", statements)));
    }
  }

  @Test
  void scansToSegmentsThatMakeUpTheText() {
    Random random = new Random(7);
    String alphabet = "'`-/*;\nab $";
    for (int run = 0; run < 5_000; run++) {
      String text =
          random
              .ints(random.nextInt(20), 0, alphabet.length())
              .mapToObj(index -> alphabet.substring(index, index + 1))
              .collect(Collectors.joining());
      assertEquals(
          text,
          SqlScanner.scan(text).stream()
              .map(SqlScanner.Segment::text)
              .collect(Collectors.joining()));
    }
  }
}
