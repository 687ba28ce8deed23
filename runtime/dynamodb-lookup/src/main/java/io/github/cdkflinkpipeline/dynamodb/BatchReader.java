package io.github.cdkflinkpipeline.dynamodb;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.retry.RetryUtils;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

/**
 * Reads items. Each of a few threads takes all keys that wait, up to a batch, and reads them with
 * one request: a lone key never waits for others, and the more come, the fuller the requests.
 */
final class BatchReader implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(BatchReader.class);

  /** As many connections as the JDK keeps alive for one host. */
  private static final int THREADS = 4;

  private static final long FIRST_BACK_OFF_MILLIS = 100;
  private static final long LONGEST_BACK_OFF_MILLIS = 5_000;

  /** Not those of reads: a job starts without an answer too, and must not wait for it for long. */
  private static final int RETRIES_FOR_KEY = 3;

  private final LookupSettings settings;
  private final Consumer<ItemKey> sending;
  private final DynamoDbClient client;
  private final BlockingQueue<Read> queue = new LinkedBlockingQueue<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean closed;

  private record Read(
      ItemKey key,
      LookupMetrics metrics,
      CompletableFuture<Optional<Map<String, AttributeValue>>> item) {}

  /**
   * @param items what was found
   * @param unread what DynamoDB left for another request
   */
  private record Answer(
      List<Map<String, AttributeValue>> items, List<Map<String, AttributeValue>> unread) {}

  /**
   * @param sending told each key before its read is sent; it may be asked for again from then on
   */
  BatchReader(LookupSettings settings, Consumer<ItemKey> sending) {
    this.settings = settings;
    this.sending = sending;
    client = client(settings);
    for (int index = 0; index < THREADS; index++) {
      Thread thread = new Thread(this::run, "dynamodb-lookup-" + settings.tableName());
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
  }

  /** Of the default credential chain. Retries are ours: keys that are left unread need them too. */
  private static DynamoDbClient client(LookupSettings settings) {
    var builder =
        DynamoDbClient.builder()
            .region(Region.of(settings.region()))
            .httpClientBuilder(UrlConnectionHttpClient.builder())
            .overrideConfiguration(
                override -> override.retryStrategy(retry -> retry.maxAttempts(1)));
    return settings.endpoint() == null
        ? builder.build()
        : builder.endpointOverride(settings.endpoint()).build();
  }

  /**
   * The key of the table. None where the question fails: a job must not need it to come back, as it
   * needs reads.
   *
   * @throws LookupFailure where there is no such table
   */
  Optional<TableKey> tableKey() throws InterruptedException {
    for (int attempt = 0; ; attempt++) {
      try {
        var answer = client.describeTable(request -> request.tableName(settings.tableName()));
        return Optional.of(TableKey.of(answer.table()));
      } catch (ResourceNotFoundException missing) {
        throw cannotRead(missing);
      } catch (AbortedException cancelled) {
        // This subtask ends; DynamoDB may well answer the next one.
        throw new InterruptedException(cancelled.getMessage());
      } catch (SdkException failure) {
        if (attempt == RETRIES_FOR_KEY || !isTransient(failure)) {
          LOG.warn(
              "The key of the DynamoDB table '{}' is not compared with the declared one: {}",
              settings.tableName(),
              failure.getMessage());
          return Optional.empty();
        }
      }
      backOff(attempt);
    }
  }

  CompletableFuture<Optional<Map<String, AttributeValue>>> read(
      ItemKey key, LookupMetrics metrics) {
    Read read = new Read(key, metrics, new CompletableFuture<>());
    queue.add(read);
    return read.item();
  }

  /** Reads that are not answered never are: whoever asked is gone. */
  @Override
  public void close() {
    closed = true;
    threads.forEach(Thread::interrupt);
    client.close();
  }

  private void run() {
    while (!closed) {
      List<Read> reads = new ArrayList<>(settings.batchSize());
      try {
        reads.add(queue.take());
        queue.drainTo(reads, settings.batchSize() - 1);
        reads.forEach(read -> sending.accept(read.key()));
        reads.get(0).metrics().readKeys.inc(reads.size());
        read(reads);
      } catch (Throwable failure) {
        fail(reads, failure);
      }
    }
  }

  private static void fail(List<Read> reads, Throwable failure) {
    reads.forEach(read -> read.item().completeExceptionally(failure));
  }

  private void read(List<Read> reads) throws InterruptedException {
    LookupMetrics metrics = reads.get(0).metrics();
    Map<ItemKey, Read> unread =
        reads.stream().collect(Collectors.toMap(Read::key, Function.identity()));
    for (int attempt = 0; !unread.isEmpty() && !closed; attempt++) {
      int before = unread.size();
      SdkException refusal = null;
      try {
        Answer answer = request(List.copyOf(unread.keySet()), metrics);
        complete(answer, unread, metrics);
      } catch (SdkException failure) {
        if (RetryUtils.isThrottlingException(failure)) {
          metrics.throttles.inc();
        }
        if (isInvalid(failure)) {
          isolate(List.copyOf(unread.values()), failure);
          return;
        }
        if (!isTransient(failure)) {
          throw cannotRead(failure);
        }
        refusal = failure;
      }
      if (unread.isEmpty()) {
        return;
      }
      if (refusal == null) {
        metrics.throttles.inc();
      }
      if (unread.size() < before) {
        // DynamoDB does answer, bit by bit: as many bytes as go into one response.
        attempt = -1;
      } else if (attempt >= settings.maxRetries()) {
        throw new LookupFailure(
            String.format(
                "the DynamoDB table '%s' in %s refused %d keys %d times; raise its capacity or"
                    + " 'lookup.max-retries'",
                settings.tableName(), settings.region(), unread.size(), attempt + 1),
            refusal);
      }
      backOff(Math.max(0, attempt));
    }
  }

  /**
   * One key that DynamoDB does not take fails the whole request: reads half of the keys, then the
   * other, down to that key. It has no item where only an unknown sort key let it come so far.
   */
  private void isolate(List<Read> reads, SdkException refusal) throws InterruptedException {
    if (reads.size() == 1) {
      Read lone = reads.get(0);
      if (lone.key().fitsAnySortKey()) {
        throw new LookupFailure(
            String.format(
                "the DynamoDB table '%s' in %s does not take the key %s",
                settings.tableName(), settings.region(), lone.key()),
            refusal);
      }
      lone.metrics().missingKeys.inc();
      lone.item().complete(Optional.empty());
      return;
    }
    int half = reads.size() / 2;
    for (List<Read> part : List.of(reads.subList(0, half), reads.subList(half, reads.size()))) {
      try {
        read(part);
      } catch (LookupFailure failure) {
        fail(part, failure);
      }
    }
  }

  private LookupFailure cannotRead(SdkException failure) {
    return new LookupFailure(
        String.format(
            "cannot read from the DynamoDB table '%s' in %s",
            settings.tableName(), settings.region()),
        failure);
  }

  private Answer request(List<ItemKey> keys, LookupMetrics metrics) {
    metrics.requests.inc();
    metrics.batchSize.update(keys.size());
    long start = System.nanoTime();
    try {
      return keys.size() == 1 ? getItem(keys.get(0)) : batchGetItem(keys);
    } finally {
      metrics.latency.update((System.nanoTime() - start) / 1_000_000);
    }
  }

  private Answer getItem(ItemKey key) {
    var response =
        client.getItem(
            request ->
                request
                    .tableName(settings.tableName())
                    .key(key.attributes())
                    .consistentRead(settings.consistentRead()));
    return new Answer(response.hasItem() ? List.of(response.item()) : List.of(), List.of());
  }

  private Answer batchGetItem(List<ItemKey> keys) {
    KeysAndAttributes wanted =
        KeysAndAttributes.builder()
            .keys(keys.stream().map(ItemKey::attributes).toList())
            .consistentRead(settings.consistentRead())
            .build();
    var response =
        client.batchGetItem(request -> request.requestItems(Map.of(settings.tableName(), wanted)));
    KeysAndAttributes unread = response.unprocessedKeys().get(settings.tableName());
    return new Answer(
        response.responses().getOrDefault(settings.tableName(), List.of()),
        unread == null ? List.of() : unread.keys());
  }

  /** Completes what was found or is missing, and leaves in {@code unread} what is neither. */
  private static void complete(Answer answer, Map<ItemKey, Read> unread, LookupMetrics metrics) {
    var names = unread.keySet().iterator().next().values().keySet();
    for (Map<String, AttributeValue> item : answer.items()) {
      Read read = unread.remove(ItemKey.of(names, item));
      read.item().complete(Optional.of(item));
    }
    List<ItemKey> left = answer.unread().stream().map(key -> ItemKey.of(names, key)).toList();
    for (ItemKey missing : List.copyOf(unread.keySet())) {
      if (!left.contains(missing)) {
        metrics.missingKeys.inc();
        unread.remove(missing).item().complete(Optional.empty());
      }
    }
  }

  /** Whether something in the request is wrong, such as a key. */
  private static boolean isInvalid(SdkException failure) {
    return failure instanceof AwsServiceException refused
        && refused.awsErrorDetails() != null
        && "ValidationException".equals(refused.awsErrorDetails().errorCode());
  }

  /** Whether another try may succeed: throttled, a fault of the service, or no connection. */
  private static boolean isTransient(SdkException failure) {
    if (failure instanceof AwsServiceException refused) {
      return RetryUtils.isThrottlingException(failure)
          || refused.statusCode() >= 500
          || failure.retryable();
    }
    return failure.retryable() || failure.getCause() instanceof IOException;
  }

  /** Longer with each attempt, and by chance, so that TaskManagers do not come back together. */
  private static void backOff(int attempt) throws InterruptedException {
    long longest =
        Math.min(LONGEST_BACK_OFF_MILLIS, FIRST_BACK_OFF_MILLIS << Math.min(attempt, 10));
    Thread.sleep(ThreadLocalRandom.current().nextLong(longest / 2, longest + 1));
  }
}
