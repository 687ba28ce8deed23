package io.github.cdkflinkpipeline.dynamodb;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/**
 * DynamoDB as dynalite emulates it, a package of npm, behind a proxy that counts what is read and
 * refuses what a test wants refused.
 */
final class Dynalite implements AutoCloseable {

  private static final Path PROGRAM = Path.of("../../node_modules/dynalite/cli.js");
  private static final Pattern ID = Pattern.compile("\"id\":\\{\"[SNB]\":\"([^\"]*)\"}");
  private static final Pattern ACCESS_KEY = Pattern.compile("Credential=([^/]+)/");

  /** Requests that the proxy refuses before it lets the next one pass. */
  final AtomicInteger throttled = new AtomicInteger();

  /** The type of error with which the proxy refuses each read, or null. */
  volatile String refusal;

  /** Requests of which the proxy answers the first key only. */
  final AtomicInteger curtailed = new AtomicInteger();

  /** Of reads. */
  final AtomicInteger requests = new AtomicInteger();

  /** Of reads that are strongly consistent. */
  final AtomicInteger consistentRequests = new AtomicInteger();

  /** Questions for the key of a table. */
  final AtomicInteger descriptions = new AtomicInteger();

  /** The types of error with which the proxy refuses such questions, one after the other. */
  final Queue<String> descriptionRefusals = new ConcurrentLinkedQueue<>();

  /** Until when the proxy holds answers to reads back; not at all unless set. */
  volatile CountDownLatch gate = new CountDownLatch(0);

  /** Answers to reads that came to the gate. */
  final AtomicInteger answers = new AtomicInteger();

  /** How long the proxy takes for an answer. */
  volatile int delayMillis;

  /** Keys in each request. */
  final Queue<Integer> batches = new ConcurrentLinkedQueue<>();

  /** Of the credentials that requests were signed with. */
  final Set<String> accessKeys = ConcurrentHashMap.newKeySet();

  /** By the value of the attribute id: how often it was read. */
  final Map<String, Integer> reads = new ConcurrentHashMap<>();

  private final Process process;
  private final HttpServer proxy;
  private final ExecutorService executor = Executors.newCachedThreadPool();
  private final HttpClient http = HttpClient.newHttpClient();
  private final URI behind;
  private final DynamoDbClient client;

  Dynalite() throws Exception {
    if (!Files.exists(PROGRAM)) {
      throw new IllegalStateException("dynalite is not installed; run npm ci");
    }
    System.setProperty("aws.accessKeyId", "test");
    System.setProperty("aws.secretAccessKey", "test");
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    process =
        new ProcessBuilder(
                "node",
                PROGRAM.toString(),
                "--port",
                String.valueOf(port),
                "--createTableMs",
                "0",
                "--deleteTableMs",
                "0")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    behind = URI.create("http://localhost:" + port);
    proxy = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    proxy.setExecutor(executor);
    proxy.createContext("/", this::pass);
    proxy.start();
    client =
        DynamoDbClient.builder()
            .region(Region.EU_WEST_1)
            .httpClientBuilder(UrlConnectionHttpClient.builder())
            .endpointOverride(behind)
            .build();
    for (int attempt = 0; ; attempt++) {
      try {
        client.listTables();
        return;
      } catch (RuntimeException notYet) {
        if (attempt == 20) {
          throw notYet;
        }
        Thread.sleep(200);
      }
    }
  }

  /** Of the proxy. */
  String endpoint() {
    return "http://localhost:" + proxy.getAddress().getPort();
  }

  URI withoutProxy() {
    return behind;
  }

  DynamoDbClient client() {
    return client;
  }

  void createTable(String name, ScalarAttributeType keyType, String... keys) throws Exception {
    List<String> names = List.of(keys);
    client.createTable(
        request ->
            request
                .tableName(name)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(
                    names.stream()
                        .map(
                            key ->
                                AttributeDefinition.builder()
                                    .attributeName(key)
                                    .attributeType(keyType)
                                    .build())
                        .toList())
                .keySchema(
                    names.stream()
                        .map(
                            key ->
                                KeySchemaElement.builder()
                                    .attributeName(key)
                                    .keyType(key.equals(keys[0]) ? KeyType.HASH : KeyType.RANGE)
                                    .build())
                        .toList()));
    client.waiter().waitUntilTableExists(request -> request.tableName(name));
  }

  void put(String table, Map<String, AttributeValue> item) {
    client.putItem(request -> request.tableName(table).item(item));
  }

  void forget() {
    reads.clear();
    requests.set(0);
    consistentRequests.set(0);
    descriptions.set(0);
    batches.clear();
    accessKeys.clear();
    delayMillis = 0;
    refusal = null;
    descriptionRefusals.clear();
    gate = new CountDownLatch(0);
    answers.set(0);
  }

  private void pass(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      var accessKey = ACCESS_KEY.matcher(exchange.getRequestHeaders().getFirst("Authorization"));
      if (accessKey.find()) {
        accessKeys.add(accessKey.group(1));
      }
      if (exchange.getRequestHeaders().getFirst("X-Amz-Target").endsWith(".DescribeTable")) {
        descriptions.incrementAndGet();
        String denial = descriptionRefusals.poll();
        if (denial != null) {
          refuse(exchange, denial);
          return;
        }
        var description = ask(exchange, body);
        answer(exchange, description.statusCode(), description.body());
        return;
      }
      requests.incrementAndGet();
      if (body.contains("\"ConsistentRead\":true")) {
        consistentRequests.incrementAndGet();
      }
      Thread.sleep(delayMillis);
      if (refusal != null) {
        refuse(exchange, refusal);
        return;
      }
      if (throttled.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        refuse(exchange, "ProvisionedThroughputExceededException");
        return;
      }
      List<String> ids = ID.matcher(body).results().map(result -> result.group(1)).toList();
      batches.add(ids.size());
      String rest = null;
      if (ids.size() > 1 && curtailed.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        int first = body.indexOf('{', body.indexOf("\"Keys\":["));
        int end = body.indexOf("}}", first) + 2;
        int last = body.lastIndexOf("}}", body.lastIndexOf(']')) + 2;
        rest = body.substring(0, first) + body.substring(end + 1);
        body = body.substring(0, end) + body.substring(last);
        ids = ids.subList(0, 1);
      }
      ids.forEach(id -> reads.merge(id, 1, Integer::sum));
      var response = ask(exchange, body);
      String answer = response.body();
      if (rest != null) {
        String items = rest.replaceFirst("^\\{\"RequestItems\":", "");
        answer =
            answer.replaceFirst(
                "\"UnprocessedKeys\":\\{}",
                "\"UnprocessedKeys\":"
                    + Matcher.quoteReplacement(items.substring(0, items.length() - 1)));
      }
      answers.incrementAndGet();
      gate.await();
      answer(exchange, response.statusCode(), answer);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** What the emulator says. */
  private HttpResponse<String> ask(HttpExchange exchange, String body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(behind).POST(HttpRequest.BodyPublishers.ofString(body));
    exchange
        .getRequestHeaders()
        .forEach(
            (name, values) -> {
              if (name.matches("(?i)x-amz-.*|content-type|authorization")) {
                request.header(name, values.get(0));
              }
            });
    return http.send(request.build(), BodyHandlers.ofString());
  }

  private static void refuse(HttpExchange exchange, String type) throws IOException {
    answer(
        exchange,
        type.equals("InternalServerError") ? 500 : 400,
        "{\"__type\":\"com.amazonaws.dynamodb.v20120810#" + type + "\",\"message\":\"no\"}");
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/x-amz-json-1.0");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    client.close();
    proxy.stop(0);
    executor.shutdownNow();
    process.destroy();
  }
}
