package io.github.cdkflinkpipeline.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DummiesTest {

  private static final ConnectorCatalogue CATALOGUE = ConnectorCatalogue.load();

  @ParameterizedTest
  @CsvSource({
    "stream.arn, arn:aws:kinesis:us-east-1:111122223333:stream/placeholder",
    "aws.region, us-east-1",
    "hosts, http://placeholder:9200",
    "sink.parallelism, 1",
    "sink.fail-on-error, true",
    "sink.bulk-flush.interval, 1 min",
    "sink.bulk-flush.max-size, 1 mb",
    "lookup.cache, NONE",
    "scan.topic-partition-discovery.interval, 1 min",
    "password, placeholder",
    "option.of.nobody, placeholder",
  })
  void aValueFitsItsOption(String option, String expected) {
    String script = "CREATE TABLE t (x INT) WITH ('a' = 'b', '" + option + "' = '${env:VALUE}')";
    assertEquals(expected, new Dummies(CATALOGUE, script).value("VALUE"));
  }

  @Test
  void aPartOfAValueIsAWordOrAPort() {
    Dummies dummies =
        new Dummies(
            CATALOGUE,
            "WITH ('uri' = 'mongodb://${env:USER}:x@h', 'hosts' = 'http://h:${env:PORT}')");
    assertEquals("placeholder", dummies.value("USER"));
    assertEquals("9092", dummies.value("PORT"));
    assertNull(dummies.value("OTHER"));
  }

  @Test
  void aPlaceholderInACommentIsText() {
    assertNull(new Dummies(CATALOGUE, "-- 'a' = '${env:X}'\nSELECT 1").value("X"));
  }
}
