package io.github.cdkflinkpipeline.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlaceholdersTest {

  private static String substitute(String statement, Map<String, String> environment) {
    return new Placeholders(statement, environment::get).substitute(statement);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "plain",
        "it's",
        "'; DROP TABLE x; --",
        "$1 \\1 ${x} ${env:OTHER}",
        "line\nbreak;\tend",
        "`quoted` \"double\" /* no comment */",
        "ünïcödé 漢字 😀"
      })
  void aValueTakesThePlaceOfItsPlaceholder(String value) {
    assertEquals(
        "'<" + value.replace("'", "''") + ">'",
        substitute("'<${env:A_1}>'", Map.of("A_1", value, "OTHER", "never")));
  }

  @Test
  void severalInOneLiteral() {
    assertEquals(
        "SELECT 'x1y2z1', '2'",
        substitute("SELECT 'x${env:A}y${env:B}z${env:A}', '${env:B}'", Map.of("A", "1", "B", "2")));
  }

  @Test
  void aCommentIsLeftAlone() {
    String statement = "SELECT 1 -- ${env:UNKNOWN} '${env:UNKNOWN}'\n /* ${env:not one */";
    assertEquals(statement, substitute(statement, Map.of()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT ${env:A}",
        "SELECT `${env:A}`",
        "SELECT 'a', ${env:A}, 'b'",
        "SELECT '${env:}'",
        "SELECT '${env:a-b}'",
        "SELECT '${env:A'",
        "SELECT U&'${env:A}'",
        "SELECT E'${env:A}'",
      })
  void anythingButAPlainLiteralIsRefused(String statement) {
    SqlRunnerException error =
        assertThrows(
            SqlRunnerException.class, () -> substitute(statement, Map.of("A", "the-value")));
    assertTrue(error.getMessage().contains("${env:"), error.getMessage());
    assertFalse(error.getMessage().contains("the-value"), error.getMessage());
  }

  @Test
  void unknownVariablesAreNamedTogether() {
    SqlRunnerException error =
        assertThrows(
            SqlRunnerException.class,
            () -> substitute("SELECT '${env:B}', '${env:A}', '${env:SET}'", Map.of("SET", "")));
    assertEquals(
        "the script needs environment variables that are not set: A, B", error.getMessage());
  }

  @Test
  void valuesAreConcealedLongestFirstAndInEachForm() {
    String script = "'${env:URI}' '${env:PASSWORD}' '${env:PEM}' '${env:EMPTY}'";
    Placeholders placeholders =
        new Placeholders(
            script,
            Map.of("URI", "db://u:p'w@h", "PASSWORD", "p'w", "PEM", "first\nsecond", "EMPTY", "")
                ::get);
    assertEquals(
        "no ${env:URI}, ${env:URI}, ${env:PASSWORD}, ${env:PASSWORD} or ${env:PEM}",
        placeholders.conceal("no db://u:p'w@h, db://u:p''w@h, p'w, p''w or second"));
  }

  @Test
  void aValueThatIsPartOfAPlaceholderDoesNoHarm() {
    Placeholders placeholders =
        new Placeholders("'${env:A}' '${env:B}'", Map.of("A", "secret", "B", "env")::get);
    assertEquals("got ${env:A} from ${env:B}", placeholders.conceal("got secret from env"));
  }
}
