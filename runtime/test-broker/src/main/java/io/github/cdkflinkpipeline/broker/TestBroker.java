package io.github.cdkflinkpipeline.broker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.flink.shaded.zookeeper3.org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.flink.shaded.zookeeper3.org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.Feature;
import org.apache.kafka.server.common.MetadataVersion;

/**
 * A one-node Kafka and a ZooKeeper on 127.0.0.1: {@code TestBroker settings}, where the settings
 * are a JSON object of {@code directory, port, controllerPort, gatedPort, advertisedPort,
 * zooKeeperPort, transactionVersion, user, password}.
 *
 * <p>Says {@code {"ready":true}} on standard output, then answers one JSON request a line, in their
 * order, until standard input ends. Clients of the gated listener are told to come by the
 * advertised port, where a test may hold their requests.
 */
public final class TestBroker {

  private static final ObjectMapper JSON = new ObjectMapper();

  private TestBroker() {}

  public static void main(String[] args) throws Exception {
    JsonNode settings = JSON.readTree(args[0]);
    Path directory = Path.of(settings.get("directory").asText());
    startZooKeeper(directory.resolve("zookeeper"), settings.get("zooKeeperPort").asInt());
    KafkaRaftServer server = startKafka(directory.resolve("kafka"), settings);
    try (Requests requests = new Requests("127.0.0.1:" + settings.get("port").asText());
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      System.out.println("{\"ready\":true}");
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        System.out.println(JSON.writeValueAsString(answer(requests, JSON.readTree(line))));
      }
    }
    server.shutdown();
    server.awaitShutdown();
    System.exit(0);
  }

  private static Map<String, Object> answer(Requests requests, JsonNode request) {
    Map<String, Object> answer = new HashMap<>();
    answer.put("id", request.get("id").asInt());
    try {
      answer.put("result", requests.answer(request));
    } catch (Exception failure) {
      answer.put("error", String.valueOf(failure));
    }
    return answer;
  }

  private static void startZooKeeper(Path directory, int port)
      throws IOException, InterruptedException {
    Files.createDirectories(directory);
    ZooKeeperServer server =
        new ZooKeeperServer(directory.toFile(), directory.toFile(), 500 /* ms a tick */);
    NIOServerCnxnFactory connections = new NIOServerCnxnFactory();
    connections.configure(new InetSocketAddress("127.0.0.1", port), 100);
    connections.startup(server);
  }

  private static KafkaRaftServer startKafka(Path directory, JsonNode settings) throws Exception {
    String controller = "127.0.0.1:" + settings.get("controllerPort").asText();
    String login =
        "org.apache.kafka.common.security.plain.PlainLoginModule required user_%s=\"%s\";"
            .formatted(settings.get("user").asText(), settings.get("password").asText());
    Map<String, Object> properties = new HashMap<>();
    properties.put("process.roles", "broker,controller");
    properties.put("node.id", "1");
    properties.put("controller.quorum.voters", "1@" + controller);
    properties.put("controller.listener.names", "CONTROLLER");
    properties.put("inter.broker.listener.name", "DIRECT");
    properties.put(
        "listeners",
        "DIRECT://127.0.0.1:%s,GATED://127.0.0.1:%s,CONTROLLER://%s"
            .formatted(
                settings.get("port").asText(), settings.get("gatedPort").asText(), controller));
    properties.put(
        "advertised.listeners",
        "DIRECT://127.0.0.1:%s,GATED://127.0.0.1:%s"
            .formatted(settings.get("port").asText(), settings.get("advertisedPort").asText()));
    properties.put(
        "listener.security.protocol.map",
        "DIRECT:PLAINTEXT,GATED:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT");
    properties.put("listener.name.gated.sasl.enabled.mechanisms", "PLAIN");
    properties.put("listener.name.gated.plain.sasl.jaas.config", login);
    properties.put("authorizer.class.name", RecordingAuthorizer.class.getName());
    properties.put("log.dirs", directory.toString());
    properties.put("auto.create.topics.enable", "false");
    for (String topic : List.of("offsets.topic", "transaction.state.log")) {
      properties.put(topic + ".replication.factor", "1");
      properties.put(topic + ".num.partitions", "1");
    }
    properties.put("transaction.state.log.min.isr", "1");
    properties.put("group.initial.rebalance.delay.ms", "0");
    properties.put("transaction.abort.timed.out.transaction.cleanup.interval.ms", "1000");
    properties.put("log.cleaner.backoff.ms", "500");
    properties.put("log.initial.task.delay.ms", "500");
    format(directory, (short) settings.get("transactionVersion").asInt());
    KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(properties), Time.SYSTEM);
    server.startup();
    return server;
  }

  private static void format(Path directory, short transactionVersion) throws Exception {
    Files.createDirectories(directory);
    Formatter formatter = new Formatter();
    formatter
        .setNodeId(1)
        .setClusterId(Uuid.randomUuid().toString())
        .addDirectory(directory.toString())
        .setMetadataLogDirectory(directory.toString())
        .setReleaseVersion(MetadataVersion.latestProduction())
        .setControllerListenerName("CONTROLLER")
        .setIgnoreFormatted(true)
        .setPrintStream(System.err)
        .setSupportedFeatures(new ArrayList<>(Feature.PRODUCTION_FEATURES))
        .setFeatureLevel(Feature.TRANSACTION_VERSION.featureName(), transactionVersion);
    formatter.run();
  }
}
