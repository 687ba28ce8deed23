package io.github.cdkflinkpipeline.dynamodb;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.RowType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** The jar as the image has it, in a process with the environment that a pod on EKS has. */
class CredentialChainIT {

  @TempDir private Path directory;

  private Dynalite dynamo;
  private HttpServer issuer;

  /** Looks one item up. */
  static final class Program {

    private Program() {}

    public static void main(String[] arguments) throws Exception {
      RowType columns =
          (RowType)
              DataTypes.ROW(
                      DataTypes.FIELD("id", DataTypes.STRING()),
                      DataTypes.FIELD("n", DataTypes.INT()))
                  .getLogicalType();
      ItemProbe probe =
          new ItemProbe(
              new LookupSettings(
                  "users", "eu-west-1", URI.create(arguments[0]), false, 100, 3, null),
              columns,
              List.of("id"),
              List.of("id"));
      probe.open(new UnregisteredMetricsGroup());
      SynchronousLookup lookup = new SynchronousLookup(probe);
      Collection<RowData> rows = lookup.lookup(GenericRowData.of(StringData.fromString("a")));
      lookup.close();
      System.exit(rows.iterator().next().getInt(1));
    }
  }

  @BeforeEach
  void start() throws Exception {
    dynamo = new Dynalite();
    dynamo.createTable("users", ScalarAttributeType.S, "id");
    dynamo.put("users", Map.of("id", AttributeValue.fromS("a"), "n", AttributeValue.fromN("42")));
    issuer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    issuer.start();
  }

  @AfterEach
  void stop() {
    issuer.stop(0);
    dynamo.close();
  }

  private String address(String path) {
    return "http://127.0.0.1:" + issuer.getAddress().getPort() + path;
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    try (exchange) {
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private int run(Map<String, String> environment) throws Exception {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    ProcessBuilder builder =
        new ProcessBuilder(
            java.toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Program.class.getName(),
            dynamo.endpoint());
    builder.environment().keySet().removeIf(name -> name.startsWith("AWS_"));
    builder.environment().put("AWS_EC2_METADATA_DISABLED", "true");
    builder.environment().put("HOME", directory.toString());
    builder.environment().putAll(environment);
    return builder.inheritIO().start().waitFor();
  }

  @Test
  void takesThoseOfPodIdentity() throws Exception {
    Path token = Files.writeString(directory.resolve("token"), "pod-token");
    issuer.createContext(
        "/v1/credentials",
        exchange ->
            answer(
                exchange,
                "pod-token".equals(exchange.getRequestHeaders().getFirst("Authorization"))
                    ? 200
                    : 403,
                "{\"AccessKeyId\":\"POD\",\"SecretAccessKey\":\"s\",\"Token\":\"t\",\"Expiration\":"
                    + "\"2100-01-01T00:00:00Z\"}"));
    assertEquals(
        42,
        run(
            Map.of(
                "AWS_CONTAINER_CREDENTIALS_FULL_URI",
                address("/v1/credentials"),
                "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
                token.toString())));
    assertEquals(Set.of("POD"), dynamo.accessKeys);
  }

  @Test
  void takesThoseOfTheRoleOfAServiceAccount() throws Exception {
    Path token = Files.writeString(directory.resolve("token"), "web-token");
    issuer.createContext(
        "/",
        exchange -> {
          String question =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          answer(
              exchange,
              question.contains("Action=AssumeRoleWithWebIdentity")
                      && question.contains("WebIdentityToken=web-token")
                  ? 200
                  : 403,
              "<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials>"
                  + "<AccessKeyId>ROLE</AccessKeyId><SecretAccessKey>s</SecretAccessKey>"
                  + "<SessionToken>t</SessionToken><Expiration>2100-01-01T00:00:00Z</Expiration>"
                  + "</Credentials></AssumeRoleWithWebIdentityResult>"
                  + "</AssumeRoleWithWebIdentityResponse>");
        });
    assertEquals(
        42,
        run(
            Map.of(
                "AWS_WEB_IDENTITY_TOKEN_FILE",
                token.toString(),
                "AWS_ROLE_ARN",
                "arn:aws:iam::111122223333:role/job",
                "AWS_REGION",
                "eu-west-1",
                "AWS_ENDPOINT_URL_STS",
                address("/"))));
    assertEquals(Set.of("ROLE"), dynamo.accessKeys);
  }

  @Test
  void saysThatThereAreNone() throws Exception {
    assertEquals(1, run(Map.of()));
    assertEquals(0, dynamo.requests.get());
  }
}
