package io.github.cdkflinkpipeline.broker;

import static java.util.concurrent.TimeUnit.SECONDS;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.TransactionAbortableException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** What a test asks of the broker. */
final class Requests implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(100);
  private static final long PATIENCE_SECONDS = 30;

  private final String bootstrapServers;
  private final Admin admin;
  private KafkaProducer<String, String> producer;

  Requests(String bootstrapServers) {
    this.bootstrapServers = bootstrapServers;
    this.admin = Admin.create(Map.<String, Object>of("bootstrap.servers", bootstrapServers));
    this.producer = startProducer();
  }

  private KafkaProducer<String, String> startProducer() {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", bootstrapServers),
        new StringSerializer(),
        new StringSerializer());
  }

  Object answer(JsonNode request) throws Exception {
    return switch (request.get("do").asText()) {
      case "createTopic" -> createTopic(request);
      case "growTopic" -> growTopic(request);
      case "produce" -> produce(request);
      case "consume" -> consume(request);
      case "transactions" -> transactions(request.get("prefix").asText());
      case "featureLevel" -> featureLevel(request.get("feature").asText());
      case "hang" -> hang(request);
      case "asked" -> RecordingAuthorizer.asked();
      default -> throw new IllegalArgumentException("unknown request: " + request);
    };
  }

  private Object createTopic(JsonNode request) throws Exception {
    Map<String, String> configuration = new HashMap<>();
    request
        .get("configuration")
        .properties()
        .forEach(entry -> configuration.put(entry.getKey(), entry.getValue().asText()));
    NewTopic topic =
        new NewTopic(request.get("topic").asText(), request.get("partitions").asInt(), (short) 1);
    admin.createTopics(List.of(topic.configs(configuration))).all().get(PATIENCE_SECONDS, SECONDS);
    return true;
  }

  private Object growTopic(JsonNode request) throws Exception {
    admin
        .createPartitions(
            Map.of(
                request.get("topic").asText(),
                NewPartitions.increaseTo(request.get("partitions").asInt())))
        .all()
        .get(PATIENCE_SECONDS, SECONDS);
    // It would not know of the new partitions for minutes.
    producer.close();
    producer = startProducer();
    return true;
  }

  private Object produce(JsonNode request) throws InterruptedException, ExecutionException {
    for (JsonNode entry : request.get("records")) {
      producer.send(
          new ProducerRecord<>(
              request.get("topic").asText(),
              entry.get("key").asText(),
              entry.get("value").isNull() ? null : entry.get("value").asText()));
    }
    producer.flush();
    return request.get("records").size();
  }

  /** All that a reader of the isolation level sees up to now, in the order of each partition. */
  private Object consume(JsonNode request) {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            bootstrapServers,
            "isolation.level",
            request.get("isolation").asText(),
            // So long waits the fetch after the last record, and the end of the consumer for it.
            "fetch.max.wait.ms",
            10);
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(request.get("topic").asText()).stream()
              .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      List<Object> records = new ArrayList<>();
      while (partitions.stream()
          .anyMatch(partition -> consumer.position(partition) < ends.get(partition))) {
        for (ConsumerRecord<String, String> found : consumer.poll(POLL)) {
          Map<String, Object> entry = new TreeMap<>();
          entry.put("partition", found.partition());
          entry.put("key", found.key());
          entry.put("value", found.value());
          records.add(entry);
        }
      }
      return records;
    }
  }

  /** State (Ongoing, CompleteCommit, CompleteAbort …) and producer of each such transaction. */
  private Object transactions(String prefix) throws Exception {
    List<String> ids =
        admin.listTransactions().all().get(PATIENCE_SECONDS, SECONDS).stream()
            .map(TransactionListing::transactionalId)
            .filter(id -> id.startsWith(prefix))
            .toList();
    Map<String, Object> transactions = new TreeMap<>();
    admin
        .describeTransactions(ids)
        .all()
        .get(PATIENCE_SECONDS, SECONDS)
        .forEach(
            (id, found) ->
                transactions.put(
                    id,
                    Map.of(
                        "state",
                        found.state().toString(),
                        "producerEpoch",
                        found.producerEpoch(),
                        "timeout",
                        found.transactionTimeoutMs())));
    return transactions;
  }

  /** Leave a transaction in a partition that no coordinator will ever end. */
  private Object hang(JsonNode request) throws Exception {
    String id = request.get("transaction").asText();
    Map<String, Object> settings =
        Map.of("bootstrap.servers", bootstrapServers, "transactional.id", id);
    try (KafkaProducer<String, String> registered =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      registered.initTransactions();
    }
    TransactionDescription found =
        admin.describeTransactions(List.of(id)).description(id).get(PATIENCE_SECONDS, SECONDS);
    // Brokers since Kafka 3.6 ask the coordinator before they take such a record.
    admin
        .incrementalAlterConfigs(
            Map.of(
                new ConfigResource(ConfigResource.Type.BROKER, ""),
                List.of(
                    new AlterConfigOp(
                        new ConfigEntry("transaction.partition.verification.enable", "false"),
                        AlterConfigOp.OpType.SET))))
        .all()
        .get(PATIENCE_SECONDS, SECONDS);
    HangingTransaction transaction =
        new HangingTransaction(id, found.producerId(), (short) found.producerEpoch());
    for (long end = System.nanoTime() + SECONDS.toNanos(PATIENCE_SECONDS); ; ) {
      try {
        transaction.write(
            Integer.parseInt(bootstrapServers.split(":")[1]),
            request.get("topic").asText(),
            request.get("partition").asInt(),
            request.get("timestamp").asLong());
        return true;
      } catch (TransactionAbortableException refused) {
        // The setting comes to the log of the partition a moment later.
        if (System.nanoTime() > end) {
          throw refused;
        }
        Thread.sleep(POLL.toMillis());
      }
    }
  }

  /** The level of a feature that the cluster has agreed on. */
  private Object featureLevel(String feature) throws Exception {
    return admin
        .describeFeatures()
        .featureMetadata()
        .get(PATIENCE_SECONDS, SECONDS)
        .finalizedFeatures()
        .get(feature)
        .maxVersionLevel();
  }

  @Override
  public void close() {
    producer.close();
    admin.close();
  }
}
