package io.github.cdkflinkpipeline.dynamodb;

import java.time.Duration;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;

/** The options that Flink has no name for; the others are Flink's own {@code LookupOptions}. */
final class DynamoDbLookupOptions {

  /** Keys that DynamoDB takes in one BatchGetItem. */
  static final int MAX_BATCH_SIZE = 100;

  static final ConfigOption<String> TABLE_NAME =
      ConfigOptions.key("table-name")
          .stringType()
          .noDefaultValue()
          .withDescription("Name of the DynamoDB table.");

  static final ConfigOption<String> REGION =
      ConfigOptions.key("aws.region")
          .stringType()
          .noDefaultValue()
          .withDescription("Region of the DynamoDB table.");

  static final ConfigOption<String> ENDPOINT =
      ConfigOptions.key("aws.endpoint")
          .stringType()
          .noDefaultValue()
          .withDescription("URL of another endpoint than the region's.");

  static final ConfigOption<Boolean> ASYNCHRONOUS =
      ConfigOptions.key("lookup.async")
          .booleanType()
          .defaultValue(true)
          .withDescription("Whether rows are looked up without waiting for the one before.");

  static final ConfigOption<Boolean> CONSISTENT_READ =
      ConfigOptions.key("lookup.consistent-read")
          .booleanType()
          .defaultValue(false)
          .withDescription("Whether reads see each write that came before, at twice the capacity.");

  static final ConfigOption<Integer> BATCH_SIZE =
      ConfigOptions.key("lookup.batch.max-size")
          .intType()
          .defaultValue(MAX_BATCH_SIZE)
          .withDescription("Keys that go into one BatchGetItem at the most, 1 to 100.");

  static final ConfigOption<Duration> MISSING_KEY_EXPIRE_AFTER_WRITE =
      ConfigOptions.key("lookup.partial-cache.missing-key.expire-after-write")
          .durationType()
          .noDefaultValue()
          .withDescription(
              "How long a key without an item is remembered; as long as any other unless set.");

  private DynamoDbLookupOptions() {}
}
