package io.github.cdkflinkpipeline.dynamodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** The jar as the image has it, beside an SDK of another connector: the one of this test. */
class ShadedJarIT {

  private static final Path JAR = Path.of("target/dynamodb-lookup.jar");

  /** In each jar of its kind; nobody takes one for the other. */
  private static final Pattern SHARED =
      Pattern.compile(
          "META-INF/(MANIFEST\\.MF|.*(LICENSE|NOTICE).*"
              + "|services/org\\.apache\\.flink\\.table\\.factories\\.Factory)");

  @Test
  void bringsNothingThatAnotherConnectorMayBring() throws Exception {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      assertEquals(
          List.of(),
          jar.stream()
              .map(entry -> entry.getName())
              .filter(name -> !name.endsWith("/"))
              .filter(name -> !SHARED.matcher(name).matches())
              .filter(name -> !name.startsWith("io/github/cdkflinkpipeline/"))
              .filter(name -> !name.startsWith("META-INF/services/io.github.cdkflinkpipeline."))
              .toList());
    }
    assertTrue(Files.size(JAR) < 10_000_000, Files.size(JAR) + " bytes");
  }

  @Test
  void readsThroughItsOwnSdk() throws Exception {
    assertTrue(
        DynamoDbLookupFactory.class
            .getProtectionDomain()
            .getCodeSource()
            .getLocation()
            .getPath()
            .endsWith(".jar"));
    // The default credential chain finds it by name, for IRSA.
    Class.forName(
        "io.github.cdkflinkpipeline.dynamodb.shaded.software.amazon.awssdk.services.sts.internal"
            + ".StsWebIdentityCredentialsProviderFactory");
    try (Dynalite dynamo = new Dynalite()) {
      dynamo.createTable("users", ScalarAttributeType.S, "id");
      dynamo.put("users", Map.of("id", AttributeValue.fromS("a"), "n", AttributeValue.fromN("1")));
      TableEnvironment tables = TableEnvironment.create(EnvironmentSettings.inStreamingMode());
      tables.executeSql(
          "CREATE TABLE users (id STRING, n INT, PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' ="
              + " 'dynamodb-lookup', 'table-name' = 'users', 'aws.region' = 'eu-west-1',"
              + " 'lookup.cache' = 'PARTIAL', 'lookup.partial-cache.max-rows' = '10',"
              + " 'lookup.partial-cache.expire-after-write' = '1 min', 'aws.endpoint' = '"
              + dynamo.endpoint()
              + "')");
      List<String> rows = new ArrayList<>();
      tables
          .executeSql(
              "SELECT n FROM (SELECT id, PROCTIME() AS p FROM (VALUES ('a'), ('b')) AS v (id)) AS e"
                  + " LEFT JOIN users FOR SYSTEM_TIME AS OF p AS u ON e.id = u.id")
          .collect()
          .forEachRemaining(row -> rows.add(row.toString()));
      assertEquals(List.of("+I[1]", "+I[null]"), rows);
    }
  }
}
